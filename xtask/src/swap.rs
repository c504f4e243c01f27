//! Swap: folders and files that were made ready beside others in, those replaced by them, all or none, out.
//!
//! ```text
//! .sync/lock      who is at it
//! .sync/stage/    the new folders and files, under their names
//! .sync/journal   which of them are to replace the old ones, and which files go; with it the new state is decided
//! .sync/old/<n>   the folders that they replaced, until the end
//! ```
//!
//! Without a journal nothing has been touched, and what was staged is thrown away. With a journal the swap is carried on
//! from wherever it stopped: what is still staged has not been moved, what is not has been.

mod lock;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use lock::{Attempt, Lock};

/// The folder of everything above, below the project's. `.gitignore` names it.
pub const FOLDER: &str = ".sync";
/// The same below a folder of a user's own, where nobody else would use the name.
pub const OWN_FOLDER: &str = ".mcp-wire-swap";
const UNCHANGED: &str = "nothing has been changed";
/// How deep staged folders may be nested.
const DEEPEST: usize = 64;

/// Replacing several folders or files together.
pub struct Swap;

/// Where it happens.
#[derive(Clone)]
struct Site {
    /// What is replaced is below it.
    root: PathBuf,
    /// What is staged is below this one.
    folder: PathBuf,
}

impl Site {
    fn new(root: &Path, name: &str) -> Self {
        Self { root: root.to_owned(), folder: root.join(name) }
    }

    fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }
}

/// What a journal says.
#[derive(Default)]
struct Decision {
    /// Folders that are replaced as a whole.
    folders: Vec<String>,
    /// Files that are replaced.
    files: Vec<String>,
    /// Files that go.
    removed: Vec<String>,
}

impl Decision {
    fn told(&self) -> Vec<String> {
        let count = |files: &[String], what: &str| (!files.is_empty()).then(|| format!("{} files {what}", files.len()));
        let counts = [count(&self.files, "written"), count(&self.removed, "removed")];
        self.folders.iter().cloned().chain(counts.into_iter().flatten()).collect()
    }
}

/// New folders and files in the making. Dropped without a commit, it leaves no trace.
pub struct Stage {
    site: Site,
    path: PathBuf,
    /// None as soon as the swap is decided: then what is staged must not be removed any more.
    unfinished: Option<()>,
    _lock: Lock,
}

/// What an interrupted swap was found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovered {
    /// It was decided and has been completed: these folders are the new ones, or so many files.
    Completed(Vec<String>),
    /// It was not decided: everything is as it was, what had been staged is gone.
    Discarded,
    /// It was complete but for its leftovers, which are gone.
    Tidied,
}

impl fmt::Display for Recovered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completed(what) => {
                write!(out, "a run was interrupted while it replaced files; completed: {}", what.join(", "))
            }
            Self::Discarded => {
                out.write_str("a run was interrupted before it changed anything; its leftovers are removed")
            }
            Self::Tidied => out.write_str("a run was interrupted after its last change; its leftovers are removed"),
        }
    }
}

impl Swap {
    /// An empty folder to put what is new into, for one process at a time.
    pub fn stage(root: &Path) -> Result<Stage> {
        Self::stage_in(root, FOLDER)
    }

    /// The same below a folder whose swaps have another name.
    pub fn stage_in(root: &Path, name: &str) -> Result<Stage> {
        let site = Site::new(root, name);
        let lock = match Lock::take(&site.folder).with_context(|| unchanged(&site.folder))? {
            Attempt::Taken(lock) => lock,
            Attempt::Held(holder) => bail!("{}", busy(&site.folder, &holder)),
        };
        if exists(&site.journal())? {
            bail!(
                "{}: an interrupted run has not been completed\n  run any `cargo xtask` command to complete it, then try again",
                site.journal().display()
            );
        }
        let path = site.folder.join("stage");
        clear(&site.folder).and_then(|()| fs::create_dir(&path)).with_context(|| unchanged(&path))?;
        let stage = Stage { site, path, unfinished: Some(()), _lock: lock };
        point("staging").with_context(|| unchanged(&stage.path))?;
        Ok(stage)
    }

    /// Completes or removes what an interrupted process left behind; none if there is nothing.
    ///
    /// While another process is still staging there is nothing to recover, for everything is the old; while it replaces
    /// that, it is neither, which is an error.
    pub fn recover(root: &Path) -> Result<Option<Recovered>> {
        Self::recover_in(root, FOLDER)
    }

    /// The same below a folder whose swaps have another name.
    pub fn recover_in(root: &Path, name: &str) -> Result<Option<Recovered>> {
        let site = Site::new(root, name);
        let folder = &site.folder;
        if !exists(folder)? {
            return Ok(None);
        }
        let journal = site.journal();
        let by_hand = || {
            format!("{}: the leftovers of an interrupted run cannot be removed\n  remove the folder", folder.display())
        };
        let _lock = match Lock::take(folder).with_context(by_hand)? {
            Attempt::Taken(lock) => lock,
            Attempt::Held(_) if !exists(&journal)? => return Ok(None),
            Attempt::Held(holder) => bail!("{}", busy(folder, &holder)),
        };
        if exists(&journal)? {
            let decision = read_journal(&site)?;
            complete(&site, &decision)?;
            return Ok(Some(Recovered::Completed(decision.told())));
        }
        // The last to go are the old folders, so where they are, and no journal, the new ones are in place.
        let is_staged = exists(&folder.join("stage"))? && !exists(&folder.join("old"))?;
        clear(folder).with_context(by_hand)?;
        Ok(Some(if is_staged { Recovered::Discarded } else { Recovered::Tidied }))
    }
}

impl Stage {
    /// Where what is new goes, under the names it will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces these folders, which may be new, by the staged ones.
    pub fn commit(self, folders: &[&str]) -> Result<()> {
        self.decide(Decision {
            folders: folders.iter().map(|name| (*name).to_owned()).collect(),
            ..Decision::default()
        })
    }

    /// Replaces these files, which may be new, by the staged ones, and removes others, with the folders that are empty then.
    pub fn commit_files(self, files: Vec<String>, removed: Vec<String>) -> Result<()> {
        self.decide(Decision { folders: Vec::new(), files, removed })
    }

    fn decide(mut self, decision: Decision) -> Result<()> {
        prove(&self.site, &decision).with_context(|| format!("nothing can be replaced; {UNCHANGED}"))?;
        for (names, is_folder) in [(&decision.folders, true), (&decision.files, false)] {
            for name in names {
                let staged = self.path.join(name);
                let is_there = |metadata: fs::Metadata| if is_folder { metadata.is_dir() } else { metadata.is_file() };
                if !staged.symlink_metadata().is_ok_and(is_there) {
                    let what = if is_folder { "folder" } else { "file" };
                    bail!("{}: no such {what} has been staged; {UNCHANGED}", staged.display());
                }
                replaceable(&self.site, name, is_folder)?;
            }
        }
        for name in &decision.removed {
            replaceable(&self.site, name, false)?;
        }
        flush(&self.path, DEEPEST).with_context(|| unchanged(&self.path))?;
        point("staged").with_context(|| unchanged(&self.path))?;
        let journal = self.site.journal();
        write_journal(&journal, &decision, &mut self.unfinished).with_context(|| unchanged(&journal))?;
        point("after-journal").with_context(|| later(&journal))?;
        complete(&self.site, &decision)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if self.unfinished.is_some() {
            // Whatever cannot be removed now is removed by the next command.
            let _ = clear(&self.site.folder);
        }
    }
}

/// Writes the journal so that there is either none or a whole one, even on a disk that lost its power.
fn write_journal(journal: &Path, decision: &Decision, unfinished: &mut Option<()>) -> io::Result<()> {
    let temporary = journal.with_extension("new");
    let Decision { folders, files, removed } = decision;
    let mut file = File::create_new(&temporary)?;
    let text = json!({ "version": 1, "folders": folders, "files": files, "removed": removed }).to_string();
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    drop(file);
    point("before-journal")?;
    fs::rename(&temporary, journal)?;
    *unfinished = None;
    // If the disk cannot confirm it, the swap goes on all the same: a journal that is seen is a journal that counts.
    let _ = flush_folder(parent(journal));
    Ok(())
}

fn read_journal(site: &Site) -> Result<Decision> {
    let journal = site.journal();
    let name = site.folder.file_name().unwrap_or_default().display();
    let help = || {
        format!(
            "{}: it does not say how to complete the interrupted run\n  compare the folders and files with {name}/stage \
             (new) and {name}/old (replaced), put back what is missing, for example with `git checkout`, then remove {name}",
            journal.display()
        )
    };
    let text = fs::read_to_string(&journal).with_context(help)?;
    let value: Value = serde_json::from_str(&text).with_context(help)?;
    let names = |member: &str| -> Option<Vec<String>> {
        // A journal of an earlier version has folders only.
        let Some(names) = value.get(member) else { return (member != "folders").then(Vec::new) };
        names.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let decision = || Some(Decision { folders: names("folders")?, files: names("files")?, removed: names("removed")? });
    let decision = decision().filter(|_| value.get("version").and_then(Value::as_u64) == Some(1));
    let decision = decision
        .with_context(|| format!("{} is no journal of this version", text.escape_debug()))
        .with_context(help)?;
    prove(site, &decision).with_context(help)?;
    Ok(decision)
}

/// Brings everything that a journal names to its place, from whatever state each is in, and cleans up.
fn complete(site: &Site, decision: &Decision) -> Result<()> {
    let folder = &site.folder;
    let (stage, old) = (folder.join("stage"), folder.join("old"));
    if stage.is_symlink() || old.is_symlink() {
        bail!("{} is a symbolic link\n  remove it", if stage.is_symlink() { &stage } else { &old }.display());
    }
    fs::create_dir_all(&old).with_context(|| later(&old))?;
    for (number, name) in (1..).zip(&decision.folders) {
        let target = site.root.join(name);
        place(&stage.join(name), &target, &old.join(number.to_string()), number).with_context(|| later(&target))?;
    }
    for (number, name) in (1..).zip(&decision.files) {
        let target = site.root.join(name);
        place_file(&stage.join(name), &target, number).with_context(|| later(&target))?;
    }
    for (number, name) in (1..).zip(&decision.removed) {
        let target = site.root.join(name);
        remove_file(&site.root, &target, number).with_context(|| later(&target))?;
    }
    flush_parents(&site.root, decision).with_context(|| later(&site.root))?;
    point("before-cleanup").with_context(|| later(folder))?;
    let journal = site.journal();
    // The disk must know of the moves before it forgets why they were made.
    flush_folder(&old).and_then(|()| fs::remove_file(&journal)).with_context(|| later(&journal))?;
    // From here on, what fails is left to the next command: the new state is complete.
    let _ = flush_folder(folder).and_then(|()| point("journal-removed")).and_then(|()| clear(folder));
    Ok(())
}

/// One file: the staged one in its place, if it is not there already.
fn place_file(staged: &Path, target: &Path, number: usize) -> Result<()> {
    if !exists(staged)? {
        match exists(target)? {
            true => return Ok(()),
            false => bail!("neither it nor {} exists", staged.display()),
        }
    }
    fs::create_dir_all(parent(target))?;
    fs::rename(staged, target).with_context(|| format!("{} cannot be moved there", staged.display()))?;
    Ok(point(&format!("moved-file-{number}"))?)
}

/// One file that goes, and the folders that are empty without it.
fn remove_file(root: &Path, target: &Path, number: usize) -> Result<()> {
    match fs::remove_file(target) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => point(&format!("removed-file-{number}"))?,
    }
    let mut folder = parent(target);
    while folder != root && folder.starts_with(root) && fs::remove_dir(folder).is_ok() {
        folder = parent(folder);
    }
    Ok(())
}

/// Has the disk confirm the names in all folders in which a file was moved or removed, as far as these are still there.
fn flush_parents(root: &Path, decision: &Decision) -> Result<()> {
    let files = decision.files.iter().chain(&decision.removed);
    let folders: BTreeSet<PathBuf> = files
        .flat_map(|name| Path::new(name).ancestors().skip(1).map(|way| root.join(way)).collect::<Vec<_>>())
        .collect();
    for folder in folders {
        if exists(&folder)? {
            flush_folder(&folder)?;
        }
    }
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

/// That everything is below the root, and nothing is inside another of them.
fn prove(site: &Site, decision: &Decision) -> Result<()> {
    let all: Vec<&String> = [&decision.folders, &decision.files, &decision.removed].into_iter().flatten().collect();
    for name in &all {
        prove_name(site, name)?;
    }
    // In order, what is inside another comes right behind it, or behind others that are.
    let mut sorted: Vec<&Path> = all.iter().map(Path::new).collect();
    sorted.sort_unstable();
    for (outer, inner) in sorted.iter().zip(sorted.iter().skip(1)) {
        if inner.starts_with(outer) {
            bail!("`{}` and `{}` are not two separate folders", inner.display(), outer.display());
        }
    }
    match all.is_empty() {
        true => bail!("no folders are named"),
        false => Ok(()),
    }
}

/// That a name is one below the root, without a link on the way, which would lead elsewhere.
fn prove_name(site: &Site, name: &str) -> Result<()> {
    let path = Path::new(name);
    let inside = path.components().all(|component| matches!(component, Component::Normal(_)));
    // `a//b` and `a/.` have normal components only, but would be other names for the same folder.
    let plain = name.split('/').all(|part| !part.is_empty() && part != "." && !part.contains(['\\', ':', '\0']));
    let reserved = [FOLDER, OWN_FOLDER, ".git"].iter().any(|name| path.starts_with(name));
    if !inside || !plain || reserved {
        bail!("`{}` is no folder below {}", name.escape_debug(), site.root.display());
    }
    let ways = path.ancestors().filter(|way| !way.as_os_str().is_empty());
    if let Some(link) = ways.map(|way| site.root.join(way)).find(|way| way.is_symlink()) {
        bail!("{} is a symbolic link\n  put a folder in its place", link.display());
    }
    Ok(())
}

/// Finds, while nothing has been changed, what would stop the replacement of a folder or a file half-way.
fn replaceable(site: &Site, name: &str, is_folder: bool) -> Result<()> {
    let target = site.root.join(name);
    let mut nearest = target.as_path();
    while !exists(nearest)? {
        nearest = parent(nearest);
    }
    if nearest == target && !is_folder {
        if target.is_dir() {
            bail!("{}: it is a folder where a file is to be placed; {UNCHANGED}\n  move it away", target.display());
        }
        nearest = parent(&target);
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
        if !same_device(&metadata, &fs::metadata(&site.folder).with_context(|| unchanged(&site.root))?) {
            bail!(
                "{}: the folder is on another file system than {}, so that it cannot be replaced in one step; \
                 {UNCHANGED}\n  use a checkout on one file system",
                writable.display(),
                site.folder.display()
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

/// Removes everything of ours but the lock and the journal. The old folders go last; [`Swap::recover_in`] says why.
fn clear(folder: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name());
    }
    names.retain(|name| {
        name == "stage"
            || name == "old"
            || name.to_str().is_some_and(|name| name == "journal.new" || name.starts_with("lock."))
    });
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
        "{}: it cannot be replaced yet; the run is decided, but incomplete\n  remove the cause, then run any \
         `cargo xtask` command to complete it",
        path.display()
    )
}

fn unchanged(path: &Path) -> String {
    format!("{}: check the space on the disk and the folder's permissions; {UNCHANGED}", path.display())
}

fn busy(folder: &Path, holder: &str) -> String {
    format!(
        "{}: another run is under way ({holder})\n  wait for it to end; if there is none, remove the file and try again",
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
