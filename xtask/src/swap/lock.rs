//! Lock: one process at a time.
//!
//! The file names the process that holds it, so that one that died does not lock out the others for good. Where that
//! cannot be found out (outside of Linux, without unsafe code) the file alone counts, and has to be removed by hand.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How often taking the lock is tried anew, when others take and release it at the same moment.
const TRIES: usize = 100;

/// Held as long as it lives. The folder it is in goes with it, if nothing else is left there.
pub struct Lock {
    folder: PathBuf,
    file: PathBuf,
}

/// What came of trying.
pub enum Attempt {
    Taken(Lock),
    /// Someone else has it; the text says who.
    Held(String),
}

impl Lock {
    /// Takes the lock in a folder, which is made where it is missing.
    pub fn take(folder: &Path) -> io::Result<Attempt> {
        let file = folder.join("lock");
        let own = folder.join(format!("lock.{}", std::process::id()));
        for _ in 0..TRIES {
            match fs::create_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ if !folder.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) => {
                    return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder"));
                }
                _ => {}
            }
            match publish(&own, &file) {
                Ok(()) => return Ok(Attempt::Taken(Self { folder: folder.to_owned(), file })),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                // The previous holder has just removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    let _ = fs::remove_dir(folder);
                    return Err(error);
                }
            }
            let holder = match fs::read_to_string(&file) {
                Ok(holder) => holder,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if is_alive(&holder) {
                let process = holder.split_whitespace().next().unwrap_or("unknown");
                return Ok(Attempt::Held(format!("process {}", process.escape_debug())));
            }
            // Of several that found the lock stale, one moves it away. Whoever then holds in hand what is not stale has
            // come too late, and puts it back.
            if fs::rename(&file, &own).is_ok() {
                if fs::read_to_string(&own).is_ok_and(|moved| moved != holder) {
                    let _ = fs::hard_link(&own, &file);
                }
                let _ = fs::remove_file(&own);
            }
        }
        Ok(Attempt::Held("several processes".to_owned()))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A lock that cannot be removed is found to be stale later on; a folder with something in it stays.
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Makes the lock appear with its contents, never empty, and only where there is none.
fn publish(own: &Path, file: &Path) -> io::Result<()> {
    let text = identity();
    // A process of the same number may have left one; whatever it is, it is not written to.
    let _ = fs::remove_file(own);
    let written = fs::File::create_new(own).and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()));
    let linked = match written.and_then(|()| fs::hard_link(own, file)) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            // Not every file system has hard links.
            fs::File::create_new(file).and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()))
        }
        linked => linked,
    };
    // What is left over here goes with the other leftovers.
    let _ = fs::remove_file(own);
    linked
}

/// The number of this process, and when it began: numbers are used again.
fn identity() -> String {
    let id = std::process::id();
    format!("{id} {}\n", began(&id.to_string()).unwrap_or_default())
}

/// Whether the process that wrote this is there, as far as can be known.
fn is_alive(holder: &str) -> bool {
    let mut words = holder.split_whitespace();
    let (id, start) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    // Without a view of one's own process there is none of others.
    if !cfg!(target_os = "linux") || began("self").is_none() {
        return true;
    }
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    began(id).is_some_and(|began| began == start)
}

/// When a process began, in ticks since the system did; none if there is no such process, or only its remains.
fn began(id: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The second field is the program's name in brackets, which may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let state = fields.next()?;
    fields.nth(18).filter(|_| !matches!(state, "Z" | "X")).map(str::to_owned)
}
