//! Disk: a folder in, what is below its `schema/` out.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{DRAFT, EXAMPLE_BYTES, Entry, FILES, Kind, SCHEMA_BYTES, is_date};

/// How deep examples may be nested.
const DEEPEST: usize = 16;

/// The schemas and examples of all revisions. Links are listed, and not followed.
pub fn list(root: &Path) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let schema = root.join("schema");
    match schema.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => entries.push(entry("schema".to_owned(), &schema)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| unreadable(&schema)),
    }
    if !entries.is_empty() || !schema.exists() {
        return Ok(entries);
    }
    // An empty folder is there all the same.
    let mut names = names(&schema)?;
    if names.is_empty() {
        names.push(".".to_owned());
    }
    for name in names {
        let folder = schema.join(&name);
        let path = format!("schema/{name}");
        if !is_date(&name) && name != DRAFT || !folder.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            entries.push(entry(path, &folder)?);
            continue;
        }
        for name in self::names(&folder)? {
            let below = folder.join(&name);
            let path = format!("{path}/{name}");
            match name.as_str() {
                "examples" => walk(&path, &below, DEEPEST, &mut entries)?,
                _ => entries.push(entry(path, &below)?),
            }
        }
    }
    Ok(entries)
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

fn walk(path: &str, folder: &Path, deep: usize, entries: &mut Vec<Entry>) -> Result<()> {
    if !folder.symlink_metadata().with_context(|| unreadable(folder))?.is_dir() {
        entries.push(entry(path.to_owned(), folder)?);
        return Ok(());
    }
    if deep == 0 || entries.len() > FILES {
        bail!(
            "{}: too many files or folders in folders\n  name a folder that is laid out like the official one",
            folder.display()
        );
    }
    for name in names(folder)? {
        walk(&format!("{path}/{name}"), &folder.join(&name), deep - 1, entries)?;
    }
    Ok(())
}

fn entry(path: String, file: &Path) -> Result<Entry> {
    let metadata = file.symlink_metadata().with_context(|| unreadable(file))?;
    let kind = match metadata.file_type() {
        kind if kind.is_symlink() => Kind::Link,
        kind if kind.is_file() => Kind::File,
        _ => Kind::Other,
    };
    Ok(Entry { path, kind, size: metadata.len(), blob: String::new() })
}

/// The names in a folder, in order. One that is not UTF-8 is shown as far as it can be, and is an error if it is used.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| unreadable(folder))? {
        match entry.with_context(|| unreadable(folder))?.file_name().into_string() {
            Ok(name) => names.push(name),
            Err(name) => bail!("{}: a name is not UTF-8\n  rename it", folder.join(name).display()),
        }
    }
    names.sort();
    Ok(names)
}

fn unreadable(path: &Path) -> String {
    format!("{} cannot be read; check its permissions", path.display())
}
