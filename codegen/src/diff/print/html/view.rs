//! View: reports in, the data of a page out. Order, counts, classes and anchors are decided here.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::anchors::Anchors;
use super::page::{
    AreaRow, ChangeLink, ChangeView, Filters, IgnoredView, Page, PlaceView, ReportView, Section, SideView, TypeView,
    VerdictView,
};
use super::words::{self, Line, Links, clean};
use crate::diff::report::{Change, Ignored, Outcome, Report, Severity, Side, TypePair, Verdict};

/// How many places, or changes of a type, are shown. The others are folded away.
const SHOWN: usize = 8;

/// A page about one comparison.
pub(super) fn single(report: &Report) -> Page<'_> {
    let reports = vec![view(report, &mut Anchors::default())];
    Page { title: title(report), is_chain: false, filters: filters(std::slice::from_ref(report)), reports }
}

/// A page about several.
pub(super) fn chain<'a>(title: &str, reports: &'a [Report]) -> Page<'a> {
    let mut anchors = Anchors::default();
    let views = reports.iter().map(|report| view(report, &mut anchors)).collect();
    Page { title: shown(title), is_chain: true, filters: filters(reports), reports: views }
}

fn title(report: &Report) -> String {
    format!("{} → {}", clean(&report.old.name), clean(&report.new.name))
}

fn shown(text: &str) -> String {
    clean(text).into_owned()
}

/// The beginning of a hash.
fn prefix(hash: &str) -> String {
    shown(&hash.chars().take(12).collect::<String>())
}

/// A sentence that is repeated on the page, without backticks, and cut if it is long.
fn short(text: &str) -> String {
    const LENGTH: usize = 160;
    let mut chars = text.chars().filter(|c| *c != '`');
    let mut short: String = chars.by_ref().take(LENGTH).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    shown(&short)
}

fn filters(reports: &[Report]) -> Option<Filters> {
    let severities = [
        Severity::Breaking,
        Severity::Unverified,
        Severity::Compatible,
        Severity::Notice,
        Severity::Documentation,
        Severity::Refactor,
    ];
    let mut counts = severities.map(|severity| (severity.name(), 0));
    let mut areas = Vec::new();
    let mut known = BTreeSet::new();
    let all = reports.iter().flat_map(|report| [&report.changes, &report.documentation, &report.refactors]).flatten();
    for change in all {
        for (name, count) in &mut counts {
            *count += usize::from(*name == change.severity.name());
        }
        let area = shown(&change.area);
        if known.insert(area.clone()) {
            areas.push(area);
        }
    }
    let total = reports.iter().map(|report| report.changes.len()).sum();
    let severities: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    (!severities.is_empty()).then_some(Filters { severities, areas, total })
}

fn view<'a>(report: &'a Report, anchors: &mut Anchors) -> ReportView<'a> {
    let id = anchors.heading("summary");
    let changes_id = anchors.heading("changes");
    let mut links = Links::new();
    let mut type_ids = Vec::new();
    for pair in &report.types {
        let id: Rc<str> = anchors.take("type", &pair.name).into();
        links.entry(shown(&pair.name)).or_insert_with(|| Rc::clone(&id));
        type_ids.push(id);
    }
    let sections = sections(report, anchors);
    let mut aside = |name: &str, changes: &'a [Change]| {
        let id = anchors.heading(name);
        let changes = changes.iter().map(|change| (anchors.take("change", &change.fingerprint), change)).collect();
        Section { id, name: name.to_owned(), changes }
    };
    let documentation = aside("documentation", &report.documentation);
    let refactors = aside("refactors", &report.refactors);
    let summary = &report.summary;
    let areas = summary.areas.iter().map(|area| AreaRow {
        name: shown(&area.name),
        to: sections.iter().find(|section| section.name == shown(&area.name)).map(|section| section.id.clone()),
        breaking: area.breaking,
        unverified: area.unverified,
        compatible: area.compatible,
        notices: area.notices,
        total: area.breaking + area.unverified + area.compatible + area.notices,
    });
    ReportView {
        id,
        title: title(report),
        sides: [side("Old", &report.old), side("New", &report.new)],
        is_empty: report.is_empty(),
        breaking: summary.breaking,
        unverified: summary.unverified,
        compatible: summary.compatible,
        notices: summary.notices,
        counts: counts(report),
        verdicts: verdicts(report, &summary.old_client_new_server, &summary.new_client_old_server).into(),
        areas: areas.collect(),
        rules: summary.rules.iter().filter(|(_, n)| **n > 0).map(|(rule, n)| (shown(rule), *n)).collect(),
        assumptions: report.assumptions.iter().map(|text| words::prose(text, &Links::new())).collect(),
        changes: report.changes.len(),
        changes_id,
        sections,
        documentation,
        refactors,
        ignored_id: anchors.heading("ignored"),
        ignored: report.ignored.iter().map(|ignored| ignored_view(ignored, &links)).collect(),
        warnings_id: anchors.heading("warnings"),
        warnings: report.warnings.iter().map(|text| words::prose(text, &Links::new())).collect(),
        types_id: anchors.heading("types"),
        types: report.types.len(),
        details: Details { report, type_ids, links, touched: RefCell::default() },
    }
}

/// The changes that are visible on the wire, by area: in the order of the report, but each area once.
fn sections<'a>(report: &'a Report, anchors: &mut Anchors) -> Vec<Section<'a>> {
    let mut sections: Vec<Section<'a>> = Vec::new();
    let mut position_of = BTreeMap::new();
    for change in &report.changes {
        let position = *position_of.entry(change.area.as_str()).or_insert_with(|| {
            let id = anchors.take("area", &change.area);
            sections.push(Section { id, name: shown(&change.area), changes: Vec::new() });
            sections.len() - 1
        });
        let id = anchors.take("change", &change.fingerprint);
        if let Some(section) = sections.get_mut(position) {
            section.changes.push((id, change));
        }
    }
    sections
}

fn ignored_view(ignored: &Ignored, links: &Links) -> IgnoredView {
    IgnoredView {
        rule: shown(&ignored.rule),
        path: words::path(&ignored.path, links),
        fingerprint: prefix(&ignored.fingerprint),
        reason: words::prose(&ignored.reason, &Links::new()),
        expires: shown(&ignored.expires),
    }
}

/// The links back to changes, by the anchors of their types.
type Touched = HashMap<Rc<str>, Vec<Rc<ChangeLink>>>;

/// The changes and the types of a report, which are most of a page. They are made one at a time.
pub(super) struct Details<'a> {
    report: &'a Report,
    type_ids: Vec<Rc<str>>,
    links: Links,
    /// The links from types to the changes that have been made. On the page, types come after changes.
    touched: RefCell<Touched>,
}

impl Details<'_> {
    pub(super) fn changes(&self, section: &Section<'_>) -> impl Iterator<Item = ChangeView> {
        section.changes.iter().map(|(id, change)| {
            let view = change_view(id, change, self.report, &self.links);
            let back = Rc::new(ChangeLink {
                to: id.clone(),
                severity: change.severity.name(),
                path: shown(&change.path.to_string()),
                message: short(&change.message.remainder()),
            });
            let mut touched = self.touched.borrow_mut();
            for (_, to) in &view.types {
                touched.entry(Rc::clone(to)).or_default().push(Rc::clone(&back));
            }
            view
        })
    }

    pub(super) fn types(&self) -> impl Iterator<Item = TypeView> {
        self.report.types.iter().zip(&self.type_ids).map(|(pair, id)| {
            let changes = self.touched.borrow_mut().remove(id).unwrap_or_default();
            type_view(pair, Rc::clone(id), changes, &self.links)
        })
    }
}

fn counts(report: &Report) -> Vec<(&'static str, String)> {
    let summary = &report.summary;
    let number = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut counts = vec![
        ("breaking", number(summary.breaking, "breaking", "breaking")),
        ("compatible", number(summary.compatible, "compatible", "compatible")),
        ("notice", number(summary.notices, "notice", "notices")),
    ];
    // These are mentioned only if there are any.
    let others = [
        ("unverified", summary.unverified, "unverified", "unverified"),
        ("documentation", summary.documentation, "reworded description", "reworded descriptions"),
        ("refactor", summary.refactors, "refactor", "refactors"),
        ("ignored", summary.ignored, "ignored", "ignored"),
    ];
    for (class, count, one, many) in others {
        // The report may have only the number of the refactors.
        let hidden = class == "refactor" && report.refactors.is_empty();
        if count > 0 {
            counts.push((class, number(count, one, many) + if hidden { ", not shown" } else { "" }));
        }
    }
    counts
}

fn side(label: &'static str, side: &Side) -> SideView {
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    SideView {
        label,
        name: shown(&side.name),
        file: shown(&side.file),
        sha256: prefix(&side.sha256),
        contents: format!("{}, {}", plural(side.definitions, "definition"), plural(side.methods, "method")),
        read_as: side.read_as.as_deref().map(shown),
        corrections: side.corrections.iter().map(|text| words::name_or_prose(text)).collect(),
    }
}

fn verdicts(report: &Report, old_client: &Verdict, new_client: &Verdict) -> [VerdictView; 2] {
    let (old, new) = (clean(&report.old.name), clean(&report.new.name));
    [
        verdict("old client ↔ new server", format!("{old} client, {new} server"), old_client),
        verdict("new client ↔ old server", format!("{new} client, {old} server"), new_client),
    ]
}

fn verdict(label: &'static str, who: String, verdict: &Verdict) -> VerdictView {
    let (class, short) = match verdict.outcome {
        Outcome::Safe => ("safe", "safe"),
        Outcome::Unless => ("unless", "safe unless a capability is used"),
        Outcome::Unverified => ("unverified", "unverified"),
        Outcome::Breaks => ("breaks", "breaks"),
    };
    // A capability is no type, even if a type has the same name.
    let none = Links::new();
    let reason = verdict.reason.as_deref().map(|reason| words::prose(reason, &none));
    VerdictView { label, who, class, short, words: words::prose(&verdict.words(), &none), reason }
}

fn change_view(id: &str, change: &Change, report: &Report, links: &Links) -> ChangeView {
    let (before, after) = columns(change.before.as_deref(), change.after.as_deref(), links, false);
    let path = words::path(&change.path, links);
    let message = words::prose(&change.message.remainder(), links);
    let mut places: Vec<PlaceView> = change
        .places
        .iter()
        .map(|place| {
            let pointers = match (&place.old, &place.new) {
                (Some(old), Some(new)) if old == new => vec![("old and new", shown(old))],
                (old, new) => {
                    let old = old.iter().map(|pointer| ("old", shown(pointer)));
                    old.chain(new.iter().map(|pointer| ("new", shown(pointer)))).collect()
                }
            };
            PlaceView { path: words::path(&place.path, links), pointers }
        })
        .collect();

    let mut types = BTreeMap::new();
    let code = before.iter().chain(&after).flatten().flat_map(|line| &line.runs);
    let mentions = path.iter().chain(&message).chain(code).chain(places.iter().flat_map(|place| &place.path));
    for piece in mentions.flat_map(|run| &run.pieces) {
        if let Some(to) = &piece.to {
            types.entry(piece.text.clone()).or_insert_with(|| Rc::clone(to));
        }
    }
    let more_places = places.split_off(places.len().min(SHOWN));
    let mut verdicts = verdicts(report, &change.old_client_new_server, &change.new_client_old_server);
    let of_change = [&change.old_client_new_server, &change.new_client_old_server];
    for (view, verdict) in verdicts.iter_mut().zip(of_change) {
        // The reason of the change is shown once.
        if verdict.reason.as_ref() == Some(&change.reason) {
            view.reason = None;
        }
    }
    ChangeView {
        id: id.to_owned(),
        severity: change.severity.name(),
        area: shown(&change.area),
        path,
        message,
        reason: words::prose(&change.reason, links),
        note: change.note.as_deref().map(|note| words::prose(note, links)),
        on_wire: !matches!(change.severity, Severity::Documentation | Severity::Refactor),
        verdicts,
        flow: change.flow.name(),
        rule: shown(&change.rule),
        fingerprint: prefix(&change.fingerprint),
        before,
        after,
        types: types.into_iter().collect(),
        places,
        more_places,
    }
}

fn type_view(pair: &TypePair, id: Rc<str>, mut changes: Vec<Rc<ChangeLink>>, links: &Links) -> TypeView {
    let (before, after) = columns(pair.before.as_deref(), pair.after.as_deref(), links, true);
    let level = match (&before, &after) {
        (Some(before), Some(after)) => match before.len().max(after.len()) {
            ..=32 => " level rows-32",
            33..=128 => " level rows-128",
            129..=512 => " level rows-512",
            _ => "",
        },
        _ => "",
    };
    let state = match (&pair.before, &pair.after) {
        (None, Some(_)) => "added",
        (Some(_), None) => "removed",
        (before, after) if before == after => "unchanged",
        _ => "changed",
    };
    let more_changes = changes.split_off(changes.len().min(SHOWN));
    TypeView {
        id,
        name: shown(&pair.name),
        area: shown(&pair.area),
        state,
        before,
        after,
        level,
        changes,
        more_changes,
    }
}

type Columns = (Option<Vec<Line>>, Option<Vec<Line>>);

fn columns(before: Option<&str>, after: Option<&str>, links: &Links, level: bool) -> Columns {
    match (before, after) {
        (Some(before), Some(after)) => {
            let (before, after) = words::compare(before, after, links, level);
            (Some(before), Some(after))
        }
        (before, after) => (before.map(|text| words::alone(text, links)), after.map(|text| words::alone(text, links))),
    }
}
