//! Edits of the files in the schema folder: what people wrote there, comments included, stays as it is.

use std::path::{Path, PathBuf};

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, RawString, Table, value};

use super::methods::suggest;
use super::{Incoming, held, lists};
use crate::diff::print::plain;
use crate::error::{Error, Result};
use crate::facts::{self, Facts};
use crate::fixups;
use crate::load::{self, Schema, Source};

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

    pub(super) fn parse(&self, _: &Path) -> Result<fixups::Lists> {
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

    pub(super) fn parse(&self, _: &Path) -> Result<Vec<Source>> {
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

    pub(super) fn parse(&self, _: &Path) -> Result<Facts> {
        load::parse_toml(&self.0, &self.text())
    }

    /// Makes the facts about one revision those about the schema: all that still hold, and a suggestion for each method
    /// that none speaks of.
    pub(super) fn carry(&mut self, from: &str, schema: &Schema, to_confirm: &mut Vec<String>) -> Result<()> {
        let all: Facts = load::parse_toml(&self.0, &self.text())?;
        macro_rules! tables {
            ($($table:ident),*) => {$(
                for (index, entry) in all.$table.iter().enumerate() {
                    if !entry.revisions.iter().any(|name| name == from) {
                        continue;
                    }
                    let alone = Facts { $table: vec![entry.clone()], ..Facts::default() };
                    let left = held(&alone, schema).$table.into_iter().next();
                    let place = Place { table: stringify!($table), index, from };
                    match left {
                        Some(left) if left == *entry => self.keep(&place, &schema.name),
                        Some(left) => {
                            to_confirm.push(format!("[[{}]] number {} of schema/facts.toml holds in part only: check the copy", place.table, index + 1));
                            self.keep_part(&place, &schema.name, &left.parts());
                        }
                        None => {
                            self.drop_from(&place, &schema.name);
                            if from == schema.name {
                                to_confirm.push(format!("[[{}]] number {} of schema/facts.toml no longer holds: check that it is right to drop it", place.table, index + 1));
                            }
                        }
                    }
                }
            )*};
        }
        tables!(open_enum, initial, order, lenient, error_code, deprecated, method, deferred, gate);
        let now: Facts = load::parse_toml::<Facts>(&self.0, &self.text())?.about(&schema.name);
        for method in facts::methods(schema) {
            if now.method.iter().any(|fact| fact.method == method) {
                continue;
            }
            let suggestion = suggest(schema, &method, &now);
            let mut table = Table::new();
            table.insert("method", value(&method));
            table.insert("revisions", strings(&[&schema.name]));
            let mut told = Vec::new();
            for (key, suggested) in [
                ("result", &suggestion.result),
                ("server_capability", &suggestion.server_capability),
                ("client_capability", &suggestion.client_capability),
            ] {
                if let Some(suggested) = suggested {
                    table.insert(key, value(suggested));
                    told.push(format!("{key} `{suggested}`"));
                }
            }
            if !suggestion.also.is_empty() {
                let also: Vec<&str> = suggestion.also.iter().map(String::as_str).collect();
                table.insert("also", strings(&also));
                told.push(format!("also `{}`", also.join("`, `")));
            }
            table.insert("source", value("naming convention of the schema; to be confirmed by the specification"));
            table.decor_mut().set_prefix("\n");
            if let Some(entries) = self.entries("method") {
                entries.push(table);
            }
            let told = match told.is_empty() {
                true => "its name suggests neither a result nor a capability".to_owned(),
                false => format!("{}, by its name", told.join(", ")),
            };
            to_confirm.push(plain(&format!(
                "method `{}`: {told}; confirm it in schema/facts.toml, [[method]]",
                method.replace('`', "'")
            )));
        }
        Ok(())
    }

    fn entries(&mut self, table: &str) -> Option<&mut ArrayOfTables> {
        self.1.get_mut(table).and_then(Item::as_array_of_tables_mut)
    }

    fn entry(&mut self, place: &Place<'_>) -> Option<&mut Table> {
        self.entries(place.table)?.get_mut(place.index)
    }

    fn keep(&mut self, place: &Place<'_>, name: &str) {
        if let Some(list) = self.entry(place).and_then(|table| table.get_mut("revisions")).and_then(Item::as_array_mut)
        {
            append(list, name);
        }
    }

    fn drop_from(&mut self, place: &Place<'_>, name: &str) {
        if let Some(list) = self.entry(place).and_then(|table| table.get_mut("revisions")).and_then(Item::as_array_mut)
        {
            take_out(list, name);
        }
    }

    /// A copy of the entry for this revision alone, with what is left of its lists.
    fn keep_part(&mut self, place: &Place<'_>, name: &str, parts: &[(&'static str, Option<Vec<String>>)]) {
        let Some(mut copy) = self.entry(place).cloned() else { return };
        copy.set_position(None);
        copy.decor_mut().set_prefix("\n");
        copy.insert("revisions", strings(&[name]));
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
struct Place<'a> {
    table: &'static str,
    index: usize,
    from: &'a str,
}
