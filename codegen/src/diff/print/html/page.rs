//! Page: the data of the template. The strings are not escaped; the template does that.

use std::rc::Rc;

use super::view::Details;
use super::words::{Line, Run};
use crate::diff::report::Change;

/// The whole page.
pub(super) struct Page<'a> {
    pub(super) title: String,
    pub(super) is_chain: bool,
    pub(super) reports: Vec<ReportView<'a>>,
    /// The filters. None if there is nothing to filter.
    pub(super) filters: Option<Filters>,
}

/// The choices of the filters.
pub(super) struct Filters {
    /// Severities with the number of their changes.
    pub(super) severities: Vec<(&'static str, usize)>,
    pub(super) areas: Vec<String>,
    /// How many changes are visible on the wire.
    pub(super) total: usize,
}

/// One comparison.
pub(super) struct ReportView<'a> {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) sides: [SideView; 2],
    /// Nothing changed, not even a description.
    pub(super) is_empty: bool,
    pub(super) breaking: usize,
    pub(super) unverified: usize,
    pub(super) compatible: usize,
    pub(super) notices: usize,
    /// How many changes of each kind, with the class and the words.
    pub(super) counts: Vec<(&'static str, String)>,
    pub(super) verdicts: Vec<VerdictView>,
    pub(super) areas: Vec<AreaRow>,
    pub(super) rules: Vec<(String, usize)>,
    pub(super) assumptions: Vec<Vec<Run>>,
    /// How many changes are visible on the wire.
    pub(super) changes: usize,
    /// Anchor of the section of changes.
    pub(super) changes_id: String,
    pub(super) sections: Vec<Section<'a>>,
    pub(super) documentation: Section<'a>,
    pub(super) refactors: Section<'a>,
    pub(super) ignored_id: String,
    pub(super) ignored: Vec<IgnoredView>,
    pub(super) warnings_id: String,
    pub(super) warnings: Vec<Vec<Run>>,
    pub(super) types_id: String,
    /// How many types there are to show.
    pub(super) types: usize,
    pub(super) details: Details<'a>,
}

/// One of the two editions.
pub(super) struct SideView {
    pub(super) label: &'static str,
    pub(super) name: String,
    pub(super) file: String,
    /// The beginning of the hash.
    pub(super) sha256: String,
    pub(super) contents: String,
    pub(super) read_as: Option<String>,
    pub(super) corrections: Vec<Vec<Run>>,
}

/// A verdict in words.
pub(super) struct VerdictView {
    pub(super) label: &'static str,
    /// The same with the names of the editions.
    pub(super) who: String,
    pub(super) class: &'static str,
    /// For a table.
    pub(super) short: &'static str,
    pub(super) words: Vec<Run>,
    pub(super) reason: Option<Vec<Run>>,
}

/// A row of the table of areas.
pub(super) struct AreaRow {
    pub(super) name: String,
    pub(super) to: Option<String>,
    pub(super) breaking: usize,
    pub(super) unverified: usize,
    pub(super) compatible: usize,
    pub(super) notices: usize,
    pub(super) total: usize,
}

/// Changes under one heading.
pub(super) struct Section<'a> {
    pub(super) id: String,
    pub(super) name: String,
    /// Each with its anchor.
    pub(super) changes: Vec<(String, &'a Change)>,
}

/// One change.
pub(super) struct ChangeView {
    pub(super) id: String,
    pub(super) severity: &'static str,
    pub(super) area: String,
    pub(super) path: Vec<Run>,
    pub(super) message: Vec<Run>,
    pub(super) reason: Vec<Run>,
    pub(super) note: Option<Vec<Run>>,
    /// Whether it is visible on the wire. Otherwise verdicts and flow are not shown.
    pub(super) on_wire: bool,
    pub(super) verdicts: [VerdictView; 2],
    pub(super) flow: &'static str,
    pub(super) rule: String,
    /// The beginning of the fingerprint.
    pub(super) fingerprint: String,
    pub(super) before: Option<Vec<Line>>,
    pub(super) after: Option<Vec<Line>>,
    /// The types around it and in its texts: name and anchor.
    pub(super) types: Vec<(String, Rc<str>)>,
    pub(super) places: Vec<PlaceView>,
    pub(super) more_places: Vec<PlaceView>,
}

/// One place of a change.
pub(super) struct PlaceView {
    pub(super) path: Vec<Run>,
    /// Which editions have it, and where.
    pub(super) pointers: Vec<(&'static str, String)>,
}

/// A change that was ignored.
pub(super) struct IgnoredView {
    pub(super) rule: String,
    pub(super) path: Vec<Run>,
    pub(super) fingerprint: String,
    pub(super) reason: Vec<Run>,
    pub(super) expires: String,
}

/// A type before and after.
pub(super) struct TypeView {
    pub(super) id: Rc<str>,
    pub(super) name: String,
    pub(super) area: String,
    /// `added`, `removed`, `changed` or `unchanged`.
    pub(super) state: &'static str,
    pub(super) before: Option<Vec<Line>>,
    pub(super) after: Option<Vec<Line>>,
    /// The classes that align both columns. Empty if there is one column, or too many lines.
    pub(super) level: &'static str,
    pub(super) changes: Vec<Rc<ChangeLink>>,
    pub(super) more_changes: Vec<Rc<ChangeLink>>,
}

/// The link from a type back to a change.
pub(super) struct ChangeLink {
    pub(super) to: String,
    pub(super) severity: &'static str,
    pub(super) path: String,
    pub(super) message: String,
}
