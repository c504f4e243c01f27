//! Summary: the order, counts and verdicts of a report.

use std::collections::{BTreeMap, BTreeSet};

use super::{Area, Change, Outcome, Report, Severity, Summary, Verdict};
use crate::names;

impl Report {
    /// Sorts the lists again after changes have lost places: their areas may be others now.
    pub(in crate::diff) fn sort(&mut self) {
        [&mut self.changes, &mut self.documentation, &mut self.refactors].into_iter().for_each(sort);
    }

    /// Counts the changes of a report, and joins their verdicts.
    ///
    /// Areas keep their order, new ones come last, and those without changes are dropped. Rules that did not apply
    /// stay, with 0.
    pub(crate) fn recount(&mut self) {
        let Self { summary, changes, documentation, refactors, ignored, .. } = self;
        let count = |severity| changes.iter().filter(|change| change.severity == severity).count();
        summary.breaking = count(Severity::Breaking);
        summary.unverified = count(Severity::Unverified);
        summary.compatible = count(Severity::Compatible);
        summary.notices = count(Severity::Notice);
        summary.documentation = documentation.len();
        summary.refactors = refactors.len();
        summary.ignored = ignored.len();
        count_areas(summary, changes);
        summary.rules.values_mut().for_each(|count| *count = 0);
        for change in changes.iter().chain(&*documentation).chain(&*refactors) {
            *summary.rules.entry(change.rule.clone()).or_default() += 1;
        }
        summary.old_client_new_server = overall(changes, |change| &change.old_client_new_server);
        summary.new_client_old_server = overall(changes, |change| &change.new_client_old_server);
    }
}

/// By area, the worst first, then by what changed.
pub(in crate::diff) fn sort(changes: &mut Vec<Change>) {
    fn order(change: &Change) -> (usize, &str, Severity, String, &str, &str) {
        let Change { area, severity, path, rule, fingerprint, .. } = change;
        (names::area_rank(area), area, *severity, path.to_string(), rule, fingerprint)
    }
    // The keys are made once for each change, and a change is moved once, because it is large.
    let mut places: Vec<_> = changes.iter().map(order).enumerate().collect();
    places.sort_by(|(_, left), (_, right)| left.cmp(right));
    let places: Vec<usize> = places.into_iter().map(|(place, _)| place).collect();
    let mut unsorted: Vec<Option<Change>> = std::mem::take(changes).into_iter().map(Some).collect();
    changes.extend(places.into_iter().filter_map(|place| unsorted.get_mut(place)?.take()));
}

fn count_areas(summary: &mut Summary, changes: &[Change]) {
    let mut areas: Vec<Area> =
        summary.areas.drain(..).map(|area| Area { name: area.name, ..Area::default() }).collect();
    let mut index: BTreeMap<String, usize> =
        areas.iter().enumerate().map(|(index, area)| (area.name.clone(), index)).collect();
    for change in changes {
        let index = *index.entry(change.area.clone()).or_insert_with(|| {
            areas.push(Area { name: change.area.clone(), ..Area::default() });
            areas.len() - 1
        });
        let Some(area) = areas.get_mut(index) else { continue };
        match change.severity {
            Severity::Breaking => area.breaking += 1,
            Severity::Unverified => area.unverified += 1,
            Severity::Compatible => area.compatible += 1,
            Severity::Notice => area.notices += 1,
            // These are not visible on the wire, and count for no area.
            Severity::Documentation | Severity::Refactor => {}
        }
    }
    areas.retain(|area| area.breaking + area.unverified + area.compatible + area.notices > 0);
    summary.areas = areas;
}

/// The worst verdict on all changes, with the paths of the changes that have it.
fn overall(changes: &[Change], verdict: fn(&Change) -> &Verdict) -> Verdict {
    let outcome = changes.iter().map(|change| verdict(change).outcome).max().unwrap_or_default();
    if outcome == Outcome::Safe {
        return Verdict::default();
    }
    let worst: Vec<&Change> = changes.iter().filter(|change| verdict(change).outcome == outcome).collect();
    let capabilities: BTreeSet<&String> = worst.iter().flat_map(|change| &verdict(change).capabilities).collect();
    let mut paths: Vec<String> = worst.iter().map(|change| format!("`{}`", change.path)).collect();
    paths.dedup();
    let more = paths.len().saturating_sub(BLAMED);
    paths.truncate(BLAMED);
    let reason = match more {
        0 => paths.join(", "),
        more => format!("{} and {more} more", paths.join(", ")),
    };
    Verdict { outcome, capabilities: capabilities.into_iter().cloned().collect(), reason: Some(reason) }
}

/// How many paths the reason of the overall verdict names.
const BLAMED: usize = 6;
