//! Print: reports in, a text in one of the formats out.

pub mod github;
pub mod html;
pub mod markdown;
pub mod sarif;
pub mod text;

use std::collections::BTreeMap;

use super::lines::{Lines, Position};
use super::report::{Area, Change, Place, Report, Side, Summary, Verdict};
pub use crate::plain::{escaped_json, plain, plain_lines};
use crate::plain::{is_unseen, uncommanded};

/// The lines of the compared schema files. Without them, formats name the file and no line.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// By file and hash, because the two files of a report may have the same name.
    lines: BTreeMap<(String, String), Lines>,
}

impl Files {
    /// Without the lines of any file.
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

    /// The position of a place in the new schema, or in the old one if only that has it.
    fn locate<'a>(&self, report: &'a Report, place: &Place) -> (&'a Side, Option<Position>) {
        let (side, pointer) = match (&place.new, &place.old) {
            (None, Some(old)) => (&report.old, Some(old)),
            (new, _) => (&report.new, new.as_ref()),
        };
        (side, pointer.and_then(|pointer| self.lines(side)?.find(pointer)))
    }
}

/// A change in sentences: what, why, and both verdicts.
fn told(report: &Report, change: &Change) -> String {
    let [first, second] = verdicts(report, &change.old_client_new_server, &change.new_client_old_server);
    let mut sentences =
        [&change.message.to_string(), &change.reason, &first, &second].map(|text| sentence(text)).to_vec();
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.join(" ")
}

/// The two verdicts in words, each after its meeting.
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

/// A column in the table of areas: title, count of an area, count of all areas.
type Column = (&'static str, fn(&Area) -> usize, usize);

fn columns(summary: &Summary) -> Vec<Column> {
    let mut columns: Vec<Column> = vec![
        ("breaking", |area| area.breaking, summary.breaking),
        ("unverified", |area| area.unverified, summary.unverified),
        ("compatible", |area| area.compatible, summary.compatible),
        ("notices", |area| area.notices, summary.notices),
    ];
    // Nearly everything can be compared, so this column is left out if it is empty.
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
