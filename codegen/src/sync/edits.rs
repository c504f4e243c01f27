//! Edits of the files in the schema folder: what people wrote there, comments included, stays as it is.

use std::path::{Path, PathBuf};

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, RawString, Table, value};

use super::methods::Suggestion;
use super::{Ask, Incoming, lists};
use crate::diff::print::plain;
use crate::error::{Error, Result};
use crate::facts::tasks::SUGGESTED;
use crate::facts::{Facts, Parts};
use crate::fixups;
use crate::load::{self, Source};
use crate::stated::Code;

/// What stands before the first task.
const TASKS: &str = "

# What sync could not know. Whoever has found it out writes it down above, and removes the entry here.

";

fn read(folder: &Path, name: &str) -> Result<(PathBuf, DocumentMut)> {
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

fn strings(names: &[&str]) -> Item {
    value(names.iter().copied().collect::<Array>())
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
        // A comment on the bytes that were here says nothing about these. One that an empty line sets apart is not on
        // them: the first entry has the comment on the whole file before it.
        let before = table.decor().prefix().and_then(RawString::as_str).unwrap_or("\n");
        let mut kept: Vec<&str> = before.lines().collect();
        while kept.last().is_some_and(|line| line.trim_start().starts_with('#')) {
            kept.pop();
        }
        let kept: String = kept.into_iter().flat_map(|line| [line, "\n"]).collect();
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

/// `facts.toml`.
pub(super) struct FactsFile(PathBuf, DocumentMut);

impl FactsFile {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        read(folder, "facts.toml").map(|(path, document)| Self(path, document))
    }

    pub(super) fn text(&self) -> String {
        self.1.to_string()
    }

    pub(super) fn parse(&self) -> Result<Facts> {
        load::parse_toml(&self.0, &self.text())
    }

    /// An entry for a method that no fact speaks of, to be confirmed.
    pub(super) fn add_method(&mut self, revision: &str, method: &str, suggestion: &Suggestion) {
        let mut table = self.suggested("method", method, revision);
        for (key, suggested) in [
            ("result", &suggestion.result),
            ("server_capability", &suggestion.server_capability),
            ("client_capability", &suggestion.client_capability),
        ] {
            if let Some(suggested) = suggested {
                table.insert(key, value(suggested));
            }
        }
        self.push("method", table);
    }

    /// An entry for an error that no fact speaks of, to be confirmed. Its code is in the schema.
    pub(super) fn add_error_code(&mut self, revision: &str, code: &Code) {
        let mut table = self.suggested("name", &code.name, revision);
        table.insert("doc", value(format!("The code of `{}`.", code.by)));
        self.push("error_code", table);
    }

    fn suggested(&self, key: &str, name: &str, revision: &str) -> Table {
        let mut table = Table::new();
        table.insert(key, value(name));
        table.insert("revisions", strings(&[]));
        table.insert("carried", strings(&[revision]));
        table.insert("source", value(SUGGESTED));
        table.decor_mut().set_prefix("\n");
        table
    }

    /// Notes what a person has to find out, once.
    pub(super) fn ask(&mut self, revision: &str, ask: &Ask) {
        let mut table = Table::new();
        let (about, what) = (plain(&ask.about), plain(&ask.what));
        let is_same = |entry: &Table| {
            let has = |key: &str, text: &str| entry.get(key).and_then(Item::as_str) == Some(text);
            has("revision", revision) && has("about", &about) && has("task", &what)
        };
        if self.entries("task").is_some_and(|entries| entries.iter().any(is_same)) {
            return;
        }
        table.insert("revision", value(revision));
        table.insert("about", value(about));
        table.insert("task", value(what));
        let is_first = self.entries("task").is_none();
        table.decor_mut().set_prefix(if is_first { TASKS } else { "\n" });
        self.push("task", table);
    }

    fn push(&mut self, key: &str, table: Table) {
        let tables = self.1.entry(key).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        if let Some(tables) = tables.as_array_of_tables_mut() {
            tables.push(table);
        }
    }

    fn entries(&mut self, table: &str) -> Option<&mut ArrayOfTables> {
        self.1.get_mut(table).and_then(Item::as_array_of_tables_mut)
    }

    fn entry(&mut self, place: &Place<'_>) -> Option<&mut Table> {
        self.entries(place.table)?.get_mut(place.index)
    }

    /// The entry holds for another revision, too; one that is not confirmed is marked.
    pub(super) fn keep(&mut self, place: &Place<'_>, name: &str, is_confirmed: bool) {
        if place.from == name {
            return;
        }
        let key = if is_confirmed { "revisions" } else { "carried" };
        let list = self.entry(place).map(|table| table.entry(key).or_insert_with(|| strings(&[])));
        if let Some(list) = list.and_then(Item::as_array_mut) {
            append(list, name);
        }
    }

    /// The entry does not hold for a revision.
    pub(super) fn drop_from(&mut self, place: &Place<'_>, name: &str) {
        let Some(table) = self.entry(place) else { return };
        for key in ["revisions", "carried"] {
            if let Some(list) = table.get_mut(key).and_then(Item::as_array_mut) {
                take_out(list, name);
            }
        }
    }

    /// A copy of the entry for this revision alone, with what is left of its lists.
    pub(super) fn keep_part(&mut self, place: &Place<'_>, name: &str, parts: &Parts, is_confirmed: bool) {
        let Some(mut copy) = self.entry(place).cloned() else { return };
        copy.set_position(None);
        copy.decor_mut().set_prefix("\n");
        copy.remove("carried");
        copy.insert("revisions", strings(if is_confirmed { std::slice::from_ref(&name) } else { &[] }));
        if !is_confirmed {
            copy.insert("carried", strings(&[name]));
        }
        for (key, left) in parts {
            match left {
                Some(left) if !left.is_empty() => {
                    let left: Vec<&str> = left.iter().map(String::as_str).collect();
                    let is_list = copy.get(key).is_none_or(Item::is_array);
                    copy.insert(key, if is_list { strings(&left) } else { value(left.concat()) });
                }
                _ => drop(copy.remove(key)),
            }
        }
        if place.from == name {
            self.drop_from(place, name);
        }
        if let Some(entries) = self.entries(place.table) {
            entries.push(copy);
        }
    }
}

/// An entry of a table, and the revision whose facts are carried on.
pub(super) struct Place<'a> {
    pub(super) table: &'static str,
    pub(super) index: usize,
    pub(super) from: &'a str,
}
