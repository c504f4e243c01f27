//! Print: reports in, the text of a format out.

pub mod github;
pub mod html;
pub mod markdown;
pub mod sarif;
pub mod text;

use std::collections::BTreeMap;

use super::lines::{Lines, Position};
use super::report::{Area, Change, Place, Report, Side, Summary, Verdict};

/// The lines of the schema files that reports speak of. Without them, formats name the file alone.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// By file and hash: the two sides of a report may have files of the same name.
    lines: BTreeMap<(String, String), Lines>,
}

impl Files {
    /// No lines of any file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the lines of the file of one side of a report.
    pub fn add(&mut self, side: &Side, lines: Lines) {
        self.lines.insert((side.file.clone(), side.sha256.clone()), lines);
    }

    /// The lines of the file of a side.
    pub fn lines(&self, side: &Side) -> Option<&Lines> {
        self.lines.get(&(side.file.clone(), side.sha256.clone()))
    }

    /// Where a place is to be shown: in the new schema, or in the old one if only that has it.
    fn locate<'a>(&self, report: &'a Report, place: &Place) -> (&'a Side, Option<Position>) {
        let (side, pointer) = match (&place.new, &place.old) {
            (None, Some(old)) => (&report.old, Some(old)),
            (new, _) => (&report.new, new.as_ref()),
        };
        (side, pointer.and_then(|pointer| self.lines(side)?.find(pointer)))
    }
}

/// A change in sentences: what, why, and what becomes of both pairs of programs.
fn told(report: &Report, change: &Change) -> String {
    let [first, second] = verdicts(report, &change.old_client_new_server, &change.new_client_old_server);
    let mut sentences = [&change.message, &change.reason, &first, &second].map(|text| sentence(text)).to_vec();
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.join(" ")
}

/// The two verdicts in words, each after the pair of programs it is about.
fn verdicts(report: &Report, old_client_new_server: &Verdict, new_client_old_server: &Verdict) -> [String; 2] {
    let (old, new) = (&report.old.name, &report.new.name);
    [
        format!("Client of {old} with server of {new}: {}", old_client_new_server.words()),
        format!("Client of {new} with server of {old}: {}", new_client_old_server.words()),
    ]
}

/// A text with a full stop, unless it has one or is empty.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let stop = if text.is_empty() || text.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{text}{stop}")
}

/// Text without characters that a terminal or a parser would act upon, on one line. All that a schema says goes through
/// here, or is escaped by the format itself.
pub fn plain(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
        c if is_unseen(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Several lines, each of them plain and none of them a command of a workflow.
pub fn plain_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| uncommanded(plain(line))).collect();
    lines.join("\n")
}

/// Whether a character steers what shows it: control characters, those that reorder text, and those that hide in it.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A line that a GitHub workflow does not take for a command: those begin with `::` after any white space, or have
/// `##[` anywhere. A backslash shows that something was in the way.
fn uncommanded(line: String) -> String {
    let line = if line.contains("##[") { line.replace("##[", "##\\[") } else { line };
    let start = line.trim_start();
    match start.starts_with("::") {
        true => format!("{}\\{start}", " ".repeat(line.len() - start.len())),
        false => line,
    }
}

/// JSON text without raw characters that steer a terminal. They can only stand in strings, which have an escape for them.
pub fn escaped_json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push(c),
            c if is_unseen(c) => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// The columns of a table of areas: a name, the count of an area, and that of all.
fn columns(summary: &Summary) -> Vec<(&'static str, fn(&Area) -> usize, usize)> {
    let mut columns: Vec<(&'static str, fn(&Area) -> usize, usize)> = vec![
        ("breaking", |area| area.breaking, summary.breaking),
        ("unverified", |area| area.unverified, summary.unverified),
        ("compatible", |area| area.compatible, summary.compatible),
        ("notices", |area| area.notices, summary.notices),
    ];
    // Nearly everything can be compared, and nobody wants a column of nothing.
    columns.retain(|(name, _, total)| *name != "unverified" || *total > 0);
    columns
}

/// The first places of a change, and how many more there are.
fn listed(places: impl Iterator<Item = String>, shown: usize) -> String {
    let mut places: Vec<String> = places.collect();
    let more = places.len().saturating_sub(shown);
    places.truncate(shown);
    match more {
        0 => places.join(", "),
        more => format!("{} and {more} more", places.join(", ")),
    }
}

pub(crate) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
