//! From which revision to which an entry holds, and for which of them nobody has confirmed it.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use super::{Deferred, Deprecated, ErrorCode, Facts, Gate, Initial, Lenient, Method, OpenEnum, Order, each_table};
use crate::error::{Error, Result};

/// An entry of a table of facts.
pub(crate) trait Entry {
    /// The first revision it holds for, if that is not the first there is.
    fn since(&self) -> Option<&str>;

    /// The last revision it holds for, if it holds no longer.
    fn until(&self) -> Option<&str>;

    /// What it is called: the first name in it.
    fn key(&self) -> &str;

    /// Whether it is used for a revision, confirmed or not.
    fn holds_for(&self, revision: &str) -> bool {
        self.since().is_none_or(|since| since <= revision) && self.until().is_none_or(|until| revision <= until)
    }
}

macro_rules! entry {
    ($($name:ty: |$entry:ident| $key:expr;)*) => {$(
        impl Entry for $name {
            fn since(&self) -> Option<&str> {
                self.since.as_deref()
            }

            fn until(&self) -> Option<&str> {
                self.until.as_deref()
            }

            fn key(&self) -> &str {
                let $entry = self;
                $key
            }
        }
    )*};
}

entry! {
    OpenEnum: |entry| &entry.name;
    Initial: |entry| first(&entry.members);
    Order: |entry| &entry.name;
    Lenient: |entry| first(&entry.members);
    ErrorCode: |entry| &entry.name;
    Deprecated: |entry| first(&entry.items);
    Method: |entry| &entry.method;
    Deferred: |entry| &entry.result;
    Gate: |entry| first(&entry.items);
}

fn first(names: &[String]) -> &str {
    names.first().map_or("", String::as_str)
}

/// The line that stands for an entry in a list of what nobody has confirmed.
pub(crate) fn line(table: &str, entry: &impl Entry) -> String {
    format!("{table} {}", entry.key())
}

impl Facts {
    /// Proves that every entry holds for some of the revisions, that for each of these somebody has confirmed the facts
    /// or a list says which are to be confirmed, and that the lists name entries that exist.
    pub(crate) fn prove_spans<'a>(&self, file: &Path, revisions: impl Iterator<Item = &'a str>) -> Result<()> {
        let fail = |found: String, hint: &str| Err(Error::schema(file, "", found, hint));
        let revisions: BTreeSet<&str> = revisions.collect();
        let mut lines = HashSet::new();
        macro_rules! prove {
            ($($table:ident),*) => {$(
                for entry in &self.$table {
                    let line = line(stringify!($table), entry);
                    if let Some(found) = misplaced(entry, &revisions) {
                        let hint = "`since` and `until` are revisions that sources.toml lists, the earlier one first";
                        return fail(format!("`{line}`: {found}"), hint);
                    }
                    lines.insert(line);
                }
            )*};
        }
        each_table!(prove);
        if let Some(revision) = revisions.iter().find(|revision| !self.unconfirmed.contains_key(**revision)) {
            let hint = "bring the revision in with `cargo xtask sync`, which lists what has to be confirmed for it";
            return fail(format!("[unconfirmed] has no list for {revision}"), hint);
        }
        match self
            .unconfirmed
            .iter()
            .find_map(|(name, all)| Some((name, all.iter().find(|line| !lines.contains(*line))?)))
        {
            Some((revision, line)) => fail(
                format!("[unconfirmed] lists `{line}` for {revision}, and there is no such entry"),
                "take the line off the list, or write the table and the first name of the entry",
            ),
            None => Ok(()),
        }
    }
}

/// What is wrong with the revisions between which an entry holds.
fn misplaced(entry: &impl Entry, revisions: &BTreeSet<&str>) -> Option<String> {
    let is_unknown = |name: &&str| !revisions.contains(name);
    if let Some(name) = entry.since().into_iter().chain(entry.until()).find(is_unknown) {
        return Some(format!("there is no revision {name}"));
    }
    let holds_nowhere = entry.since().zip(entry.until()).is_some_and(|(since, until)| until < since);
    holds_nowhere.then(|| "it holds for no revision".to_owned())
}
