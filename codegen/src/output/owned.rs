//! Owned: which files in a folder of a user's own are the generator's.
//!
//! The generator leaves a list there: every file that it wrote, with the sha256 of what it wrote. A file is replaced or
//! removed only if it is on the list and still has those bytes. So what a user has put there or changed is never lost:
//!
//! - Where a file that somebody has changed or made is in the way of a generated one, nothing is written at all; to move it
//!   away or to delete it is to agree.
//! - A file that nothing generates any more is removed if it is as it was, and else it stays, and is the user's.
//! - A folder without a list has to be new or empty. One that an older generator has made has no list either, but a manifest
//!   with the generator's mark: there, files that have the mark are replaced, and none is removed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Changes, FileSet, MODEL, is_generated, is_marked, names, read};
use crate::error::{Error, Result};
use crate::load::hash;

/// The list's name.
pub const LIST: &str = ".mcp-wire-files";

/// What it says of itself. Below are lines as `sha256sum` writes and checks them.
const HEADER: &str = "\
# Files of this folder that `cargo xtask generate` of mcp-wire has written, and the sha256 of each.
# Only these are replaced or removed, and only as long as they are as they were. Keep this file beside them.
";

const DAMAGED: &str = "restore the file, for example from version control; or generate into a new folder";

/// The hashes of files, by their paths.
type List = BTreeMap<PathBuf, String>;

impl FileSet {
    /// Adds the list of its files, for a folder of a user's own.
    pub fn listed(mut self) -> Self {
        let mut text = HEADER.to_owned();
        for (path, contents) in &self.files {
            let path: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}  {}", hash(contents.as_bytes()), path.join("/"));
        }
        self.files.insert(PathBuf::from(LIST), text);
        self
    }

    /// What differs between the set and a folder of a user's own; an error if something of the user's is in the way.
    pub fn compare_owned(&self, out: &Path) -> Result<Changes> {
        let list = match read(out, Path::new(LIST))? {
            Some(bytes) => Some(parse(&out.join(LIST), &bytes)?),
            None => None,
        };
        if list.is_none() {
            claim(out)?;
        }
        let (mut changes, mut foreign) = (Changes::default(), Vec::new());
        for (path, text) in &self.files {
            match read(out, path)? {
                Some(bytes) if bytes == text.as_bytes() => {}
                Some(bytes) if !is_ours(list.as_ref(), path, &bytes) => foreign.push(path.display().to_string()),
                _ => changes.written.push(path.clone()),
            }
        }
        if !foreign.is_empty() {
            let error = io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!("not as the generator left it, or not its own: {}", foreign.join(", ")),
            );
            return Err(Error::io(
                out,
                error,
                "move away or delete what is named, then generate again; nothing has been changed",
            ));
        }
        for (path, hashed) in list.iter().flatten().filter(|(path, _)| !self.files.contains_key(*path)) {
            match read(out, path) {
                Ok(None) => {}
                Ok(Some(bytes)) if hash(&bytes) == *hashed => changes.removed.push(path.clone()),
                _ => changes.kept.push(path.clone()),
            }
        }
        Ok(changes)
    }
}

/// Whether a file that stands where a generated one goes may be replaced.
fn is_ours(list: Option<&List>, path: &Path, bytes: &[u8]) -> bool {
    match list {
        Some(list) => path == Path::new(LIST) || list.get(path).is_some_and(|hashed| *hashed == hash(bytes)),
        // The folder has been claimed: it is an older generator's.
        None => is_marked(bytes) || path == Path::new(MODEL),
    }
}

/// Refuses a folder that holds something else.
fn claim(folder: &Path) -> Result<()> {
    if names(folder)?.is_empty() || is_generated(&folder.join("Cargo.toml")) {
        return Ok(());
    }
    let error = io::Error::new(io::ErrorKind::AlreadyExists, "the folder is not empty and not a generated crate");
    Err(Error::io(folder, error, "name an empty or new folder"))
}

/// Reads a list. Its paths are hostile like everything else: they have to stay in the folder.
fn parse(file: &Path, bytes: &[u8]) -> Result<List> {
    let odd = |what: &str| {
        let error = io::Error::new(io::ErrorKind::InvalidData, format!("it is not a list of generated files: {what}"));
        Error::io(file, error, DAMAGED)
    };
    let text = std::str::from_utf8(bytes).map_err(|_| odd("it is not UTF-8"))?;
    let mut list = List::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (hashed, path) = line.split_once("  ").ok_or_else(|| odd(&format!("`{}`", line.escape_debug())))?;
        let path = PathBuf::from(path);
        let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        let is_hash = hashed.len() == 64 && hashed.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !inside || !is_hash || path.as_os_str().is_empty() {
            return Err(odd(&format!("`{}`", line.escape_debug())));
        }
        list.insert(path, hashed.to_owned());
    }
    Ok(list)
}
