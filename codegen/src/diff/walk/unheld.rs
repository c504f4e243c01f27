//! Unheld: what the schemas of two definitions say besides what the walk has compared.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Site, Spot, Walk, step};
use crate::diff::edition::Edition;
use crate::diff::raw::{Difference, ENUM, NESTING, RECONCILED, Raw, same_to_the_letter};

/// What has been found, by path. The places of a list in it are those of the findings.
type Paths<'f> = HashMap<&'f str, Vec<usize>>;

impl<'a> Walk<'a> {
    /// Adds what differs in keywords that the model does not hold, in two definitions of which the first findings are
    /// known already.
    pub(super) fn unheld(&mut self, raw: &mut Raw<'a>, spot: &Spot<'a>, seen: usize) {
        let schema = |edition: &'a Edition, name: Option<&str>| edition.document().get(edition.keyword)?.get(name?);
        let (old, new) = (schema(self.editions.0, spot.old_root), schema(self.editions.1, spot.new_root));
        let Some((old, new)) = old.zip(new) else { return };
        let differences = raw.differences(old, new);
        if differences.is_empty() {
            return;
        }
        let mut found = self.found.split_off(seen);
        let mut paths = Paths::new();
        for (index, found) in found.iter().enumerate() {
            paths.entry(&found.spot.path).or_default().push(index);
        }
        let (mut guesses, mut unheld) = (HashSet::new(), Vec::new());
        for difference in differences {
            let spot = self.place(spot, &difference);
            let there = paths.get(spot.path.as_str()).map(Vec::as_slice).unwrap_or_default();
            let is_told =
                |index: &&usize| found.get(**index).is_some_and(|found| tells(&found.site, &difference.keyword));
            let told: Vec<usize> = there.iter().filter(is_told).copied().collect();
            // A format that nobody knows is no limit less.
            if difference.is_unknown_format() {
                let is_limit =
                    |index: &usize| matches!(found.get(*index).map(|found| &found.site), Some(Site::Limit { .. }));
                guesses.extend(told.into_iter().filter(is_limit));
            } else if !told.is_empty() {
                continue;
            }
            unheld.push((spot, difference));
        }
        let mut index = 0;
        found.retain(|_| {
            index += 1;
            !guesses.contains(&(index - 1))
        });
        self.found.append(&mut found);
        for (spot, difference) in unheld {
            self.push_unheld(&spot, difference);
        }
    }

    /// The same for what stands beside the definitions.
    pub(super) fn unheld_outside(&mut self) {
        for difference in Raw::new(self.editions, self.alignment).outside() {
            let spot = Spot { path: difference.keyword.clone(), ..self.spot(None, None) };
            self.push_unheld(&spot, difference);
        }
    }

    /// Notes a place that is too deep to be compared, unless nothing differs there.
    pub(super) fn too_deep(&mut self, spot: &Spot<'a>) {
        let there = |edition: &'a Edition, place: &Option<(&'a str, Vec<super::Step>)>| {
            let (definition, steps) = place.as_ref()?;
            edition.document().pointer(&edition.pointer(definition, steps))
        };
        let (old, new) = (there(self.editions.0, &spot.old), there(self.editions.1, &spot.new));
        if !old.zip(new).is_some_and(|(old, new)| same_to_the_letter(old, new)) {
            self.push(spot, Site::Unheld { keyword: NESTING.to_owned(), old: None, new: None }, None, None);
        }
    }

    fn place(&self, spot: &Spot<'a>, difference: &Difference<'a>) -> Spot<'a> {
        let root = match difference.exchanged {
            Some((old, new)) => self.spot(Some(old), Some(new)),
            None => spot.clone(),
        };
        difference.steps.iter().fold(root, |spot, next| step(&spot, next))
    }

    fn push_unheld(&mut self, spot: &Spot<'a>, Difference { keyword, old, new, .. }: Difference<'a>) {
        let text = |value: &Option<Value>| value.as_ref().map(|value| format!("{keyword}: {value}"));
        let (before, after) = (text(&old), text(&new));
        self.push(spot, Site::Unheld { keyword, old, new }, before, after);
    }
}

/// Whether a finding at a place tells of a difference in a keyword there.
fn tells(site: &Site<'_>, keyword: &str) -> bool {
    let is_whole = matches!(site, Site::Value { .. } | Site::Reused { .. } | Site::Constant { .. });
    let is_own = match site {
        Site::Limit { keyword: known, .. } => *known == keyword,
        Site::Deprecation { .. } => keyword == "deprecated",
        Site::EnumValue { .. } | Site::EnumOpen { .. } | Site::Alternative { .. } => keyword == ENUM,
        _ => false,
    };
    // Alternatives as a whole are told of by whatever was found there.
    let is_any = keyword == "anyOf";
    RECONCILED.contains(&keyword) && (is_whole || is_own || is_any)
}
