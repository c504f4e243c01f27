//! Edits of `facts.toml`: what people wrote there, comments included, stays as it is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, RawString, Table, Value, value};

use super::Ask;
use super::edits::{comments_before, read};
use super::methods::Suggestion;
use crate::diff::print::plain;
use crate::error::Result;
use crate::facts::tasks::SUGGESTED;
use crate::facts::{Facts, Parts};
use crate::load;
use crate::stated::Code;

/// What stands before the first task.
const TASKS: &str = "

# What sync could not know. Whoever has found it out writes it down above, and removes the entry here.

";

/// The table of what nobody has confirmed.
const UNCONFIRMED: &str = "unconfirmed";

fn strings(names: &[&str]) -> Item {
    value(names.iter().copied().collect::<Array>())
}

/// `facts.toml`, and the revisions that it is about.
pub(super) struct FactsFile {
    path: PathBuf,
    document: DocumentMut,
    revisions: BTreeSet<String>,
}

/// An entry of a table.
pub(super) struct Place {
    pub(super) table: &'static str,
    pub(super) index: usize,
}

impl FactsFile {
    pub(super) fn read<'a>(folder: &Path, revisions: impl Iterator<Item = &'a str>) -> Result<Self> {
        let (path, document) = read(folder, "facts.toml")?;
        Ok(Self { path, document, revisions: revisions.map(str::to_owned).collect() })
    }

    pub(super) fn text(&self) -> String {
        self.document.to_string()
    }

    pub(super) fn parse(&self) -> Result<Facts> {
        load::parse_toml(&self.path, &self.text())
    }

    /// The facts, proved to be about the revisions there are.
    pub(super) fn proved(&self) -> Result<Facts> {
        let facts = self.parse()?;
        facts.prove_spans(&self.path, self.revisions.iter().map(String::as_str))?;
        Ok(facts)
    }

    /// Another revision that there will be facts about.
    pub(super) fn arrive(&mut self, revision: &str) {
        self.revisions.insert(revision.to_owned());
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
        table.insert("source", value(SUGGESTED));
        self.push("method", table);
    }

    /// An entry for an error that no fact speaks of, to be confirmed. Its code is in the schema.
    pub(super) fn add_error_code(&mut self, revision: &str, code: &Code) {
        let mut table = self.suggested("name", &code.name, revision);
        table.insert("doc", value(format!("The code of `{}`.", code.by)));
        table.insert("source", value(SUGGESTED));
        self.push("error_code", table);
    }

    fn suggested(&self, key: &str, name: &str, revision: &str) -> Table {
        let mut table = Table::new();
        table.insert(key, value(name));
        self.hold_from(&mut table, revision);
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

    /// Lists what nobody has confirmed for a revision.
    pub(super) fn list_unconfirmed(&mut self, revision: &str, lines: &[String]) {
        let lists = self.document.entry(UNCONFIRMED).or_insert_with(|| Item::Table(Table::new()));
        let Some(lists) = lists.as_table_mut() else { return };
        let known = lists.get(revision).and_then(Item::as_array);
        if known.is_some_and(|known| known.iter().map(Value::as_str).eq(lines.iter().map(|line| Some(line.as_str())))) {
            return;
        }
        let mut list: Array = lines.iter().map(String::as_str).collect();
        if !list.is_empty() {
            list.iter_mut().for_each(|line| line.decor_mut().set_prefix("\n    "));
            list.set_trailing("\n");
            list.set_trailing_comma(true);
        }
        lists.insert(revision, value(list));
    }

    fn push(&mut self, key: &str, table: Table) {
        let tables = self.document.entry(key).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        if let Some(tables) = tables.as_array_of_tables_mut() {
            tables.push(table);
        }
    }

    fn entries(&mut self, table: &str) -> Option<&mut ArrayOfTables> {
        self.document.get_mut(table).and_then(Item::as_array_of_tables_mut)
    }

    fn entry(&mut self, place: &Place) -> Option<&mut Table> {
        self.entries(place.table)?.get_mut(place.index)
    }

    /// The revisions that an entry holds for.
    fn held(&self, place: &Place) -> Vec<String> {
        let entries = self.document.get(place.table).and_then(Item::as_array_of_tables);
        let Some(table) = entries.and_then(|entries| entries.get(place.index)) else { return Vec::new() };
        let (since, until) = (revision(table, "since"), revision(table, "until"));
        let is_held = |name: &&String| {
            since.is_none_or(|since| since <= name.as_str()) && until.is_none_or(|until| name.as_str() <= until)
        };
        self.revisions.iter().filter(is_held).cloned().collect()
    }

    /// The entry holds for another revision, too: one without an end does so as it is.
    pub(super) fn keep(&mut self, place: &Place, name: &str) {
        let Some(table) = self.entry(place) else { return };
        if revision(table, "until").is_some_and(|until| until < name) {
            set(table, "until", name);
        }
        if revision(table, "since").is_some_and(|since| since > name) {
            set(table, "since", name);
        }
    }

    /// The entry does not hold for a revision, and holds for the others as before. Says whether there are others.
    pub(super) fn drop_from(&mut self, place: &Place, name: &str) -> bool {
        let held = self.held(place);
        let before = held.iter().rfind(|held| held.as_str() < name);
        let after = held.iter().find(|held| held.as_str() > name);
        let Some(table) = self.entry(place).filter(|_| held.iter().any(|held| held == name)) else { return true };
        match (before, after) {
            (None, None) => return false,
            (Some(before), None) => set(table, "until", before),
            (None, Some(after)) => set(table, "since", after),
            (Some(before), Some(after)) => {
                let mut later = copy_of(table);
                set(table, "until", before);
                set(&mut later, "since", after);
                self.push(place.table, later);
            }
        }
        true
    }

    /// The entry holds in part for a revision: what is left of its lists.
    pub(super) fn keep_part(&mut self, place: &Place, name: &str, parts: &Parts) {
        let has_others = self.drop_from(place, name);
        let Some(table) = self.entry(place) else { return };
        if !has_others {
            return take_part(table, parts);
        }
        let mut part = copy_of(table);
        take_part(&mut part, parts);
        self.hold_from(&mut part, name);
        self.push(place.table, part);
    }

    /// An entry for one revision, and for those that come after all that are known.
    fn hold_from(&self, table: &mut Table, revision: &str) {
        set(table, "since", revision);
        match self.revisions.last().is_some_and(|last| last == revision) {
            true => drop(table.remove("until")),
            false => set(table, "until", revision),
        }
    }

    /// Takes entries out of a table. What was said before them about others stays.
    pub(super) fn remove(&mut self, table: &str, indices: &[usize]) {
        let Some(entries) = self.entries(table) else { return };
        for index in indices.iter().rev() {
            let kept = entries.get(*index).map(comments_before).unwrap_or_default();
            if let Some(next) = entries.get_mut(index + 1).filter(|_| !kept.trim().is_empty()) {
                let before = next.decor().prefix().and_then(RawString::as_str).unwrap_or("\n").to_owned();
                next.decor_mut().set_prefix(format!("{}\n{before}", kept.trim_end()));
            }
            entries.remove(*index);
        }
    }
}

fn revision<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Item::as_str)
}

/// Says where an entry begins or ends. Its source stays the last that it says.
fn set(table: &mut Table, key: &str, revision: &str) {
    let is_new = !table.contains_key(key);
    table.insert(key, value(revision));
    if is_new && let Some((source, text)) = table.remove_entry("source") {
        table.insert_formatted(&source, text);
    }
}

/// An entry that is to stand after all others.
fn copy_of(table: &Table) -> Table {
    let mut copy = table.clone();
    copy.set_position(None);
    copy.decor_mut().set_prefix("\n");
    copy
}

/// Leaves of an entry what is left of its lists.
fn take_part(table: &mut Table, parts: &Parts) {
    for (key, left) in parts {
        match left {
            Some(left) if !left.is_empty() => {
                let left: Vec<&str> = left.iter().map(String::as_str).collect();
                let is_list = table.get(key).is_none_or(Item::is_array);
                table.insert(key, if is_list { strings(&left) } else { value(left.concat()) });
            }
            _ => drop(table.remove(key)),
        }
    }
}
