//! Swap: folders that were made ready beside the project in, the project's folders replaced by them, all or none, out.
//!
//! ```text
//! .sync/lock      who is at it
//! .sync/stage/    the new folders, under their names
//! .sync/journal   which of them are to replace the project's; from its appearance on the new state is decided
//! .sync/old/<n>   what they replaced, until the end
//! ```
//!
//! Without a journal nothing of the project has been touched, and what was staged is thrown away. With a journal the swap
//! is carried on from wherever it stopped: a folder that is still staged has not been moved, one that is not has been.

mod lock;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use lock::{Attempt, Lock};

/// The folder of everything above, below the project's. `.gitignore` names it.
pub const FOLDER: &str = ".sync";
const UNCHANGED: &str = "nothing has been changed";
/// How deep staged folders may be nested.
const DEEPEST: usize = 64;

/// Replacing several folders together.
pub struct Swap;

/// New folders in the making. Dropped without a commit, it leaves no trace.
pub struct Stage {
    root: PathBuf,
    path: PathBuf,
    /// None as soon as the swap is decided: then what is staged must not be removed any more.
    unfinished: Option<()>,
    _lock: Lock,
}

/// What an interrupted swap was found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovered {
    /// It was decided and has been completed: these folders are the new ones.
    Completed(Vec<String>),
    /// It was not decided: the old folders are as they were, what had been staged is gone.
    Discarded,
    /// It was complete but for its leftovers, which are gone.
    Tidied,
}

impl fmt::Display for Recovered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completed(folders) => {
                write!(out, "a sync was interrupted while it replaced folders; completed: {}", folders.join(", "))
            }
            Self::Discarded => {
                out.write_str("a sync was interrupted before it changed anything; its leftovers are removed")
            }
            Self::Tidied => out.write_str("a sync was interrupted after its last change; its leftovers are removed"),
        }
    }
}

impl Swap {
    /// An empty folder to put the new folders into, for one process at a time.
    pub fn stage(root: &Path) -> Result<Stage> {
        let folder = root.join(FOLDER);
        let lock = match Lock::take(&folder).with_context(|| unchanged(&folder))? {
            Attempt::Taken(lock) => lock,
            Attempt::Held(holder) => bail!("{}", busy(&folder, &holder)),
        };
        if exists(&folder.join("journal"))? {
            bail!(
                "{}: an interrupted sync has not been completed\n  run any `cargo xtask` command to complete it, then sync again",
                folder.join("journal").display()
            );
        }
        let path = folder.join("stage");
        clear(&folder).and_then(|()| fs::create_dir(&path)).with_context(|| unchanged(&path))?;
        let stage = Stage { root: root.to_owned(), path, unfinished: Some(()), _lock: lock };
        point("staging").with_context(|| unchanged(&stage.path))?;
        Ok(stage)
    }

    /// Completes or removes what an interrupted process left behind; none if there is nothing.
    ///
    /// While another process is still staging there is nothing to recover, for the folders are the old ones; while it
    /// replaces them, they are neither, which is an error.
    pub fn recover(root: &Path) -> Result<Option<Recovered>> {
        let folder = root.join(FOLDER);
        if !exists(&folder)? {
            return Ok(None);
        }
        let journal = folder.join("journal");
        let by_hand = || {
            format!("{}: the leftovers of an interrupted sync cannot be removed\n  remove the folder", folder.display())
        };
        let _lock = match Lock::take(&folder).with_context(by_hand)? {
            Attempt::Taken(lock) => lock,
            Attempt::Held(_) if !exists(&journal)? => return Ok(None),
            Attempt::Held(holder) => bail!("{}", busy(&folder, &holder)),
        };
        if exists(&journal)? {
            let folders = read_journal(&journal)?;
            complete(root, &folders)?;
            return Ok(Some(Recovered::Completed(folders)));
        }
        // The last to go are the old folders, so where they are, and no journal, the new ones are in place.
        let is_staged = exists(&folder.join("stage"))? && !exists(&folder.join("old"))?;
        clear(&folder).with_context(by_hand)?;
        Ok(Some(if is_staged { Recovered::Discarded } else { Recovered::Tidied }))
    }
}

impl Stage {
    /// Where the new folders go, under the names they have in the project.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces these folders of the project, which may be new to it, by the staged ones.
    pub fn commit(mut self, folders: &[&str]) -> Result<()> {
        let folders: Vec<String> = folders.iter().map(|folder| (*folder).to_owned()).collect();
        prove(&self.root, &folders).with_context(|| format!("the folders cannot be replaced; {UNCHANGED}"))?;
        for folder in &folders {
            let staged = self.path.join(folder);
            if !staged.is_dir() || staged.is_symlink() {
                bail!("{}: no such folder has been staged; {UNCHANGED}", staged.display());
            }
            replaceable(&self.root, folder)?;
        }
        flush(&self.path, DEEPEST).with_context(|| unchanged(&self.path))?;
        point("staged").with_context(|| unchanged(&self.path))?;
        let journal = self.root.join(FOLDER).join("journal");
        write_journal(&journal, &folders, &mut self.unfinished).with_context(|| unchanged(&journal))?;
        point("after-journal").with_context(|| later(&journal))?;
        complete(&self.root, &folders)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if self.unfinished.is_some() {
            // Whatever cannot be removed now is removed by the next command.
            let _ = clear(&self.root.join(FOLDER));
        }
    }
}

/// Writes the journal so that there is either none or a whole one, even on a disk that lost its power.
fn write_journal(journal: &Path, folders: &[String], unfinished: &mut Option<()>) -> io::Result<()> {
    let temporary = journal.with_extension("new");
    let mut file = File::create(&temporary)?;
    file.write_all(json!({ "version": 1, "folders": folders }).to_string().as_bytes())?;
    file.sync_all()?;
    drop(file);
    point("before-journal")?;
    fs::rename(&temporary, journal)?;
    *unfinished = None;
    // If the disk cannot confirm it, the swap goes on all the same: a journal that is seen is a journal that counts.
    let _ = flush_folder(parent(journal));
    Ok(())
}

fn read_journal(journal: &Path) -> Result<Vec<String>> {
    let help = || {
        format!(
            "{}: it does not say how to complete the interrupted sync\n  compare the project's folders with \
             {FOLDER}/stage (new) and {FOLDER}/old (replaced), put back what is missing, for example with \
             `git checkout`, then remove {FOLDER}",
            journal.display()
        )
    };
    let text = fs::read_to_string(journal).with_context(help)?;
    let value: Value = serde_json::from_str(&text).with_context(help)?;
    let folders = value.get("folders").and_then(Value::as_array);
    let folders = folders.and_then(|folders| folders.iter().map(|folder| folder.as_str().map(str::to_owned)).collect());
    let folders: Option<Vec<String>> = folders.filter(|_| value.get("version").and_then(Value::as_u64) == Some(1));
    let folders =
        folders.with_context(|| format!("{} is no journal of this version", text.escape_debug())).with_context(help)?;
    prove(parent(parent(journal)), &folders).with_context(help)?;
    Ok(folders)
}

/// Brings the folders of a journal to their places, from whatever state each of them is in, and cleans up.
fn complete(root: &Path, folders: &[String]) -> Result<()> {
    let folder = root.join(FOLDER);
    let old = folder.join("old");
    fs::create_dir_all(&old).with_context(|| later(&old))?;
    for (number, name) in (1..).zip(folders) {
        let target = root.join(name);
        place(&folder.join("stage").join(name), &target, &old.join(number.to_string()), number)
            .with_context(|| later(&target))?;
    }
    point("before-cleanup").with_context(|| later(&folder))?;
    let journal = folder.join("journal");
    // The disk must know of the moves before it forgets why they were made.
    flush_folder(&old).and_then(|()| fs::remove_file(&journal)).with_context(|| later(&journal))?;
    // From here on, what fails is left to the next command: the new state is complete.
    let _ = flush_folder(&folder).and_then(|()| point("journal-removed")).and_then(|()| clear(&folder));
    Ok(())
}

/// One folder: the old one out of the way, if it is still there, and the staged one in its place, if it is not.
fn place(staged: &Path, target: &Path, old: &Path, number: usize) -> Result<()> {
    if !exists(staged)? {
        if !exists(target)? {
            bail!("neither it nor {} exists; what it replaced is {}", staged.display(), old.display());
        }
        return Ok(());
    }
    if exists(target)? {
        if !exists(old)? {
            fs::rename(target, old).with_context(|| format!("it cannot be moved to {}", old.display()))?;
            point(&format!("moved-old-{number}"))?;
        } else if fs::remove_dir(target).is_err() {
            bail!("something new stands there since; move it away");
        }
    }
    fs::create_dir_all(parent(target))?;
    fs::rename(staged, target).with_context(|| format!("{} cannot be moved there", staged.display()))?;
    point(&format!("moved-new-{number}"))?;
    flush_folder(parent(target))?;
    Ok(())
}

/// That every folder is one below the root, and none is inside another.
fn prove(root: &Path, folders: &[String]) -> Result<()> {
    let outside = |folder: &str| format!("`{}` is no folder below {}", folder.escape_debug(), root.display());
    for (place, folder) in folders.iter().enumerate() {
        let path = Path::new(folder);
        let inside = path.components().all(|component| matches!(component, Component::Normal(_)));
        // `a//b` and `a/.` have normal components only, but would be other names for the same folder.
        let plain = folder.split('/').all(|part| !part.is_empty() && part != "." && !part.contains(['\\', ':', '\0']));
        let reserved = [FOLDER, ".git"].iter().any(|name| path.starts_with(name));
        if !inside || !plain || reserved {
            bail!("{}", outside(folder));
        }
        if let Some(other) =
            folders.iter().take(place).find(|other| path.starts_with(other) || Path::new(other).starts_with(path))
        {
            bail!("`{folder}` and `{other}` are not two separate folders");
        }
        // A link on the way would lead elsewhere.
        let ways = path.ancestors().filter(|way| !way.as_os_str().is_empty());
        if let Some(link) = ways.map(|way| root.join(way)).find(|way| way.is_symlink()) {
            bail!("{} is a symbolic link\n  put a folder in its place", link.display());
        }
    }
    match folders.is_empty() {
        true => bail!("no folders are named"),
        false => Ok(()),
    }
}

/// Finds, while nothing has been changed, what would stop the replacement of a folder half-way.
fn replaceable(root: &Path, folder: &str) -> Result<()> {
    let target = root.join(folder);
    let mut nearest = target.as_path();
    while !exists(nearest)? {
        nearest = parent(nearest);
    }
    // To move a folder, one has to write to it and to the one that it is in.
    let around = if nearest == target { parent(&target) } else { nearest };
    for writable in [nearest, around] {
        let metadata = fs::metadata(writable).with_context(|| unchanged(writable))?;
        if !metadata.is_dir() {
            bail!("{}: it is a file where a folder is to be placed; {UNCHANGED}\n  move it away", writable.display());
        }
        if metadata.permissions().readonly() {
            bail!("{}: the folder is read-only; {UNCHANGED}\n  make it writable", writable.display());
        }
        if !same_device(&metadata, &fs::metadata(root.join(FOLDER)).with_context(|| unchanged(root))?) {
            bail!(
                "{}: the folder is on another file system than {FOLDER}, so that it cannot be replaced in one step; \
                 {UNCHANGED}\n  use a checkout on one file system",
                writable.display()
            );
        }
    }
    Ok(())
}

#[cfg(unix)]
fn same_device(left: &fs::Metadata, right: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    left.dev() == right.dev()
}

#[cfg(not(unix))]
fn same_device(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Has the disk confirm everything below a folder, and the folder.
fn flush(folder: &Path, deep: usize) -> io::Result<()> {
    if deep == 0 {
        return Err(io::Error::other("folders are nested too deeply"));
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            flush(&entry.path(), deep - 1)?;
        } else if kind.is_file() {
            // Windows flushes only what may be written to.
            File::options().read(true).write(cfg!(windows)).open(entry.path())?.sync_all()?;
        } else {
            return Err(io::Error::other(format!("{} is neither a file nor a folder", entry.path().display())));
        }
    }
    flush_folder(folder)
}

/// Has the disk confirm the names in a folder, where systems can do that.
fn flush_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Removes everything but the lock. The old folders go last; [`Swap::recover`] says why.
fn clear(folder: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name());
    }
    names.retain(|name| name != "lock" && name != "journal");
    names.sort_by_key(|name| name == "old");
    for name in names {
        let path = folder.join(name);
        let removed = match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&path),
            Ok(_) => fs::remove_file(&path),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Whether something has this name, be it a link to nowhere. What cannot be looked at is an error, not an absence.
fn exists(path: &Path) -> Result<bool> {
    match path.symlink_metadata() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("{}: check that it can be read", path.display())),
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

fn later(path: &Path) -> String {
    format!(
        "{}: the folder cannot be replaced yet; the sync is decided, but incomplete\n  remove the cause, then run any \
         `cargo xtask` command to complete it",
        path.display()
    )
}

fn unchanged(path: &Path) -> String {
    format!("{}: check the space on the disk and the folder's permissions; {UNCHANGED}", path.display())
}

fn busy(folder: &Path, holder: &str) -> String {
    format!(
        "{}: another sync is running ({holder})\n  wait for it to end; if there is none, remove the file and try again",
        folder.join("lock").display()
    )
}

/// A test hook: the tests of interruptions name a point in the environment at which the process ends at once
/// (`MCP_WIRE_STOP_AT`), as if it had been killed there, or at which the disk reports an error (`MCP_WIRE_FAIL_AT`).
/// Nothing else sets these variables.
fn point(name: &str) -> io::Result<()> {
    let is_here = |variable: &str| std::env::var_os(variable).is_some_and(|wanted| wanted == name);
    if is_here("MCP_WIRE_STOP_AT") {
        std::process::abort();
    }
    if is_here("MCP_WIRE_FAIL_AT") {
        return Err(io::Error::other(format!("made to fail at {name}")));
    }
    Ok(())
}
