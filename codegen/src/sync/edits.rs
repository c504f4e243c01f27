//! Edits of the files in the schema folder: what people wrote there, comments included, stays as it is.

use std::path::{Path, PathBuf};

use toml_edit::{Array, DocumentMut, Item, RawString, Table, value};

use super::{Incoming, lists};
use crate::error::{Error, Result};
use crate::fixups;
use crate::load::{self, Source};

pub(super) fn read(folder: &Path, name: &str) -> Result<(PathBuf, DocumentMut)> {
    let path = folder.join(name);
    let bytes = load::read(&path)?;
    let text = String::from_utf8_lossy(&bytes);
    let document = text.parse::<DocumentMut>().map_err(|error| {
        Error::schema(
            &path,
            "",
            error.to_string().trim_end().replace('\n', "\n  "),
            "schema/README.md describes the file",
        )
    })?;
    Ok((path, document))
}

/// What stands before an entry and is not about it: comments that an empty line sets apart.
pub(super) fn comments_before(table: &Table) -> String {
    let before = table.decor().prefix().and_then(RawString::as_str).unwrap_or("\n");
    let mut kept: Vec<&str> = before.lines().collect();
    while kept.last().is_some_and(|line| line.trim_start().starts_with('#')) {
        kept.pop();
    }
    kept.into_iter().flat_map(|line| [line, "\n"]).collect()
}

/// Whether an array of strings has a string, and where.
fn position(array: Option<&Array>, name: &str) -> Option<usize> {
    array?.iter().position(|item| item.as_str() == Some(name))
}

fn append(array: &mut Array, name: &str) {
    if position(Some(array), name).is_none() {
        array.push(name);
    }
}

fn take_out(array: &mut Array, name: &str) {
    if let Some(place) = position(Some(array), name) {
        array.remove(place);
    }
}

/// `fixups.toml`.
pub(super) struct FixupsFile(PathBuf, DocumentMut);

impl FixupsFile {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        read(folder, "fixups.toml").map(|(path, document)| Self(path, document))
    }

    fn list(&self, fixup: &str) -> Option<&Array> {
        self.1.get(fixup).and_then(Item::as_array)
    }

    pub(super) fn has(&self, fixup: &str, revision: &str) -> bool {
        position(self.list(fixup), revision).is_some()
    }

    pub(super) fn is_empty(&self, fixup: &str) -> bool {
        self.list(fixup).is_none_or(Array::is_empty)
    }

    pub(super) fn add(&mut self, fixup: &str, revision: &str) {
        if let Some(list) = self.1.get_mut(fixup).and_then(Item::as_array_mut) {
            append(list, revision);
        }
    }

    pub(super) fn remove(&mut self, fixup: &str, revision: &str) {
        if let Some(list) = self.1.get_mut(fixup).and_then(Item::as_array_mut) {
            take_out(list, revision);
        }
    }

    pub(super) fn text(&self) -> String {
        self.1.to_string()
    }

    pub(super) fn parse(&self) -> Result<fixups::Lists> {
        lists(&self.0, &self.text())
    }
}

/// `sources.toml`.
pub(super) struct SourcesFile(PathBuf, DocumentMut);

impl SourcesFile {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        read(folder, "sources.toml").map(|(path, document)| Self(path, document))
    }

    /// Records where the bytes of a revision come from; one that is new has the rest from the one before it.
    pub(super) fn record(&mut self, incoming: &Incoming, previous: Option<&str>) {
        let Some(entries) = self.1.get_mut("revision").and_then(Item::as_array_of_tables_mut) else { return };
        let named = |table: &Table, name: &str| table.get("name").and_then(Item::as_str) == Some(name);
        let copied = entries.iter().find(|table| previous.is_some_and(|name| named(table, name))).cloned();
        if !entries.iter().any(|table| named(table, &incoming.name)) {
            let mut table = copied.unwrap_or_default();
            table.set_position(None);
            table.decor_mut().set_prefix("\n");
            table.insert("name", value(&incoming.name));
            entries.push(table);
        }
        let Some(table) = entries.iter_mut().find(|table| named(table, &incoming.name)) else { return };
        // A comment on the bytes that were here says nothing about these.
        let kept = comments_before(table);
        table.decor_mut().set_prefix(kept);
        table.insert("status", value(if incoming.name == "draft" { "draft" } else { "released" }));
        table.insert("path", value(&incoming.path));
        if let Some(repository) = &incoming.repository {
            table.insert("repository", value(repository));
        }
        table.remove("package");
        table.remove("commit");
        table.remove("date");
        let sha256 = load::hash(&incoming.bytes);
        for (key, known) in [("commit", &incoming.commit), ("date", &incoming.date), ("sha256", &Some(sha256))] {
            if let Some(known) = known {
                table.insert(key, value(known));
                if let Some(mut key) = table.key_mut(key) {
                    key.leaf_decor_mut().clear();
                }
            }
        }
    }

    pub(super) fn text(&self) -> String {
        self.1.to_string()
    }

    pub(super) fn parse(&self) -> Result<Vec<Source>> {
        load::parse_sources(&self.0, &self.text())
    }
}
