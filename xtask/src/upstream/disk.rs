//! Disk: a folder in, what is in it out.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::layout::{self, Node, Store};
use super::{EXAMPLE_BYTES, Entry, Kind, SCHEMA_BYTES};

/// What is below a folder's `schema/`.
pub fn list(root: &Path) -> Result<Vec<Entry>> {
    layout::list(&mut Disk(root))
}

/// Reads a file, if it is still what it was when it was listed.
pub fn read(root: &Path, entry: &Entry) -> Result<Vec<u8>> {
    let path = root.join(&entry.path);
    let limit = if entry.path.contains("/examples/") { EXAMPLE_BYTES } else { SCHEMA_BYTES };
    let mut bytes = Vec::new();
    let file = File::open(&path).with_context(|| unreadable(&path))?;
    file.take(limit + 1).read_to_end(&mut bytes).with_context(|| unreadable(&path))?;
    if bytes.len() as u64 != entry.size {
        bail!("{}: the file changes while it is read\n  try again when nothing writes to it", path.display());
    }
    Ok(bytes)
}

struct Disk<'a>(&'a Path);

impl Store for Disk<'_> {
    type Place = PathBuf;

    fn schema(&mut self) -> Result<Option<Node<PathBuf>>> {
        let path = self.0.join("schema");
        match path.symlink_metadata() {
            Ok(_) => node("schema".to_owned(), path).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| unreadable(&path)),
        }
    }

    /// In order. A name that is not UTF-8 could not be shown as it is.
    fn children(&mut self, folder: &Node<PathBuf>, most: usize) -> Result<Vec<Node<PathBuf>>> {
        let folder = &folder.place;
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).with_context(|| unreadable(folder))? {
            match entry.with_context(|| unreadable(folder))?.file_name().into_string() {
                Ok(name) => names.push(name),
                Err(name) => bail!("{}: a name is not UTF-8\n  rename it", folder.join(name).display()),
            }
            if names.len() > most {
                bail!("{}: {}", folder.display(), layout::too_many());
            }
        }
        names.sort();
        names.into_iter().map(|name| node(name.clone(), folder.join(name))).collect()
    }

    fn entry(&mut self, path: String, node: &Node<PathBuf>) -> Result<Entry> {
        let size = node.place.symlink_metadata().with_context(|| unreadable(&node.place))?.len();
        Ok(Entry { path, kind: node.kind, size, blob: String::new() })
    }
}

fn node(name: String, path: PathBuf) -> Result<Node<PathBuf>> {
    let kind = match path.symlink_metadata().with_context(|| unreadable(&path))?.file_type() {
        kind if kind.is_symlink() => Kind::Link,
        kind if kind.is_dir() => Kind::Folder,
        kind if kind.is_file() => Kind::File,
        _ => Kind::Other,
    };
    Ok(Node { name, kind, place: path })
}

fn unreadable(path: &Path) -> String {
    format!("{} cannot be read; check its permissions", path.display())
}
