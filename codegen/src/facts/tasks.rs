//! What is not confirmed: facts in, a task for each that nobody has looked at out.

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;

use super::{
    Deferred, Deprecated, Entry, ErrorCode, Facts, Gate, Initial, Lenient, Method, OpenEnum, Order, Phase, each_table,
    line,
};
use crate::diff::print::plain;
use crate::model::Role;

/// What a person has to find out about a revision, since the schema does not say it: `sync` has left it behind.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The revision.
    pub revision: String,
    /// What it is about: a method, a definition, a member, a fixup.
    pub about: String,
    /// What is asked, and what to write where.
    pub task: String,
}

/// What the source of an entry says that only names suggest.
pub(crate) const SUGGESTED: &str = "names in the schema";

/// The most names in one list.
const LONGEST: usize = 100;

/// Names in a sentence.
pub(crate) fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{}`", name.replace('`', "'"))).collect();
    let shown = names.get(..LONGEST).unwrap_or(&names).join(", ");
    match names.len().saturating_sub(LONGEST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// One name in a sentence.
pub(crate) fn quote(name: &str) -> String {
    quoted(std::iter::once(name))
}

fn list(names: &[String]) -> String {
    quoted(names.iter().map(String::as_str))
}

/// A fact in words.
pub(crate) trait Told: Entry {
    /// What it speaks of.
    fn subject(&self) -> String;

    /// What it says.
    fn claim(&self) -> String;

    /// How it is known.
    fn source(&self) -> &str;
}

macro_rules! told {
    ($($name:ty: |$entry:ident| $subject:expr, $claim:expr;)*) => {$(
        impl Told for $name {
            fn subject(&self) -> String {
                let $entry = self;
                $subject
            }

            fn claim(&self) -> String {
                let $entry = self;
                let _ = $entry;
                $claim
            }

            fn source(&self) -> &str {
                &self.source
            }
        }
    )*};
}

told! {
    OpenEnum: |entry| quote(&entry.name), format!("its values are {}", list(&entry.values));
    Initial: |entry| list(&entry.members), format!("its absence means {}", quote(&entry.value));
    Order: |entry| quote(&entry.name), format!("the order of its values is {}", list(&entry.values));
    Lenient: |entry| list(&entry.members), "it is required, yet absent in practice".to_owned();
    Deprecated: |entry| list(&entry.items), "it is deprecated".to_owned();
    Deferred: |entry| quote(&entry.result), format!("it stands for what {} fetches", quote(&entry.method));
    ErrorCode: |entry| quote(&entry.name), error_claim(entry);
    Method: |entry| quote(&entry.method), method_claim(entry);
    Gate: |entry| list(&entry.items), capabilities(&entry.server_capability, &entry.client_capability);
}

fn error_claim(entry: &ErrorCode) -> String {
    let code = entry.code.map_or("the code is in the schema".to_owned(), |code| format!("the code is {code}"));
    let sender = match entry.sent_by {
        Some(Role::Client) => "the client sends it (sent_by)",
        Some(Role::Server) => "the server sends it (sent_by)",
        None => "either side sends it (no sent_by)",
    };
    format!("{code}, {sender}, and the doc is \"{}\"", entry.doc)
}

fn method_claim(entry: &Method) -> String {
    let results: Vec<&str> = entry.result.iter().chain(&entry.also).map(String::as_str).collect();
    let mut told = vec![capabilities(&entry.server_capability, &entry.client_capability)];
    if !results.is_empty() {
        told.push(format!("the result is {}", quoted(results.into_iter())));
    }
    match entry.phase {
        Some(Phase::Handshake) => told.push("the phase is `handshake`".to_owned()),
        Some(Phase::Any) => told.push("the phase is `any`".to_owned()),
        None => {}
    }
    told.join(", ")
}

fn capabilities(server: &Option<String>, client: &Option<String>) -> String {
    let one = |key: &str, path: &Option<String>| path.as_ref().map(|path| format!("{key} is {}", quote(path)));
    let told: Vec<String> =
        [one("server_capability", server), one("client_capability", client)].into_iter().flatten().collect();
    if told.is_empty() { "it needs no capability".to_owned() } else { told.join(", ") }
}

/// The lists of what nobody has confirmed: the revisions of each line, oldest first.
struct Unconfirmed<'a> {
    revisions: Vec<&'a str>,
    lines: HashMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Unconfirmed<'a> {
    fn new(facts: &'a Facts) -> Self {
        let mut lines: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for (revision, line) in
            facts.unconfirmed.iter().flat_map(|(name, all)| all.iter().map(move |line| (name, line)))
        {
            lines.entry(line).or_default().insert(revision);
        }
        Self { revisions: facts.unconfirmed.keys().map(String::as_str).collect(), lines }
    }

    fn tasks_of(&self, table: &str, entries: &[impl Told]) -> Vec<Task> {
        let mut tasks = Vec::new();
        for entry in entries {
            let line = line(table, entry);
            let Some(listed) = self.lines.get(line.as_str()) else { continue };
            let listed: Vec<&str> = listed.iter().copied().filter(|revision| entry.holds_for(revision)).collect();
            tasks.extend(listed.iter().map(|revision| Task {
                revision: plain(revision),
                about: plain(&entry.subject()),
                task: plain(&format!(
                    "{}; {}. Compare it with the specification, correct [[{table}]] of schema/facts.toml if need be, and \
                     take {} off the list of {revision} in [unconfirmed]",
                    entry.claim(),
                    self.voucher(entry, revision, &listed),
                    quote(&line)
                )),
            }));
        }
        tasks
    }

    /// Who says that an entry holds for a revision, if nobody has confirmed it.
    fn voucher(&self, entry: &impl Told, revision: &str, listed: &[&str]) -> String {
        let is_confirmed = |name: &&&str| **name < revision && entry.holds_for(name) && !listed.contains(name);
        match (entry.source(), self.revisions.iter().rev().find(is_confirmed)) {
            (SUGGESTED, _) => "nobody vouches for that, names in the schema suggest it".to_owned(),
            (_, Some(revision)) => format!("only {revision} vouches for that"),
            (_, None) => "only the revision before vouches for that".to_owned(),
        }
    }
}

impl Facts {
    /// What a person has to find out: facts that nobody has confirmed, and what is missing. Oldest revision first.
    pub fn tasks(&self) -> Vec<Task> {
        let unconfirmed = Unconfirmed::new(self);
        let mut tasks = Vec::new();
        macro_rules! tables {
            ($($table:ident),*) => {$(tasks.extend(unconfirmed.tasks_of(stringify!($table), &self.$table));)*};
        }
        each_table!(tables);
        tasks.extend(self.task.iter().map(|task| Task {
            revision: plain(&task.revision),
            about: plain(&task.about),
            task: plain(&task.task),
        }));
        tasks.sort_by(|left, right| left.revision.cmp(&right.revision));
        tasks
    }
}

impl std::fmt::Display for Task {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}: {}", self.revision, self.about, self.task)
    }
}
