//! Keywords that the model does not hold.

use std::collections::{HashMap, HashSet};

use super::Walk;
use crate::diff::both::Both;
use crate::diff::difference::What;
use crate::diff::keywords::{ENUM, Keywords, NESTING, RECONCILED, Unheld, same_to_the_letter};
use crate::diff::path::Path;
use crate::diff::place::Place;

impl<'a> Walk<'a> {
    /// Notes the keywords that differ in two definitions and that no difference tells of. The differences from `seen`
    /// on are those of these definitions.
    pub(super) fn keywords(&mut self, keywords: &mut Keywords<'a>, place: &Place<'a>, seen: usize) {
        let schemas = self.editions.zip(place.roots).map(|(edition, name)| edition.definition(name?));
        let unheld = schemas.all().map(|schemas| keywords.unheld(schemas)).unwrap_or_default();
        if unheld.is_empty() {
            return;
        }
        let found = self.found.split_off(seen);
        let mut by_path: HashMap<&Path<'a>, Vec<usize>> = HashMap::new();
        for (number, difference) in found.iter().enumerate() {
            by_path.entry(&difference.place.path).or_default().push(number);
        }
        let (mut guesses, mut untold) = (HashSet::new(), Vec::new());
        for unheld in unheld {
            let place = place_of(place, &unheld);
            let there = by_path.get(&place.path).into_iter().flatten();
            let telling: Vec<usize> = there
                .filter(|number| found.get(**number).is_some_and(|known| tells(&known.what, &unheld.keyword)))
                .copied()
                .collect();
            // With an unknown format, it is not known whether the limit changed: the keyword replaces the limit.
            if unheld.is_unknown_format() {
                let is_limit = |number: &usize| {
                    matches!(found.get(*number).map(|difference| &difference.what), Some(What::Limit { .. }))
                };
                guesses.extend(telling.into_iter().filter(is_limit));
            } else if !telling.is_empty() {
                continue;
            }
            untold.push((place, unheld));
        }
        let found = found.into_iter().enumerate().filter(|(number, _)| !guesses.contains(number));
        self.found.extend(found.map(|(_, difference)| difference));
        for (place, unheld) in untold {
            self.note_keyword(&place, unheld);
        }
    }

    /// Notes the keywords that differ outside of the definitions.
    pub(super) fn keywords_outside(&mut self) {
        for unheld in Keywords::new(self.editions, self.alignment).outside() {
            let place = Place::nowhere(Path::outside(unheld.keyword.clone()));
            self.note_keyword(&place, unheld);
        }
    }

    /// Notes that a place is too deep to be compared, unless its schemas are the same.
    pub(super) fn too_deep(&mut self, place: &Place<'a>) {
        let sides = self.editions.zip(place.sides.as_ref());
        let schemas = sides.map(|(edition, side)| edition.schema(side.as_ref()?)).all();
        if !schemas.is_some_and(|Both { old, new }| same_to_the_letter(old, new)) {
            self.note(place, What::Keyword { keyword: NESTING.to_owned(), values: Both::default() }, Both::default());
        }
    }

    fn note_keyword(&mut self, place: &Place<'a>, Unheld { keyword, values, .. }: Unheld<'a>) {
        let texts = values.as_ref().map(|value| value.as_ref().map(|value| format!("{keyword}: {value}")));
        self.note(place, What::Keyword { keyword, values }, texts);
    }
}

fn place_of<'a>(definition: &Place<'a>, unheld: &Unheld<'a>) -> Place<'a> {
    let root = match unheld.exchanged {
        Some(names) => Place::of_both(names.old, names.new),
        None => definition.clone(),
    };
    unheld.steps.iter().fold(root, |place, step| place.step(step.clone()))
}

/// Whether a difference says what changed in a keyword of its place.
fn tells(what: &What<'_>, keyword: &str) -> bool {
    let is_whole = matches!(what, What::Value { .. } | What::Redefined { .. } | What::Constant { .. });
    let is_own = match what {
        What::Limit { keyword: known, .. } => *known == keyword,
        What::Deprecation { .. } => keyword == "deprecated",
        What::EnumValue { .. } | What::EnumOpen { .. } | What::Alternative { .. } => keyword == ENUM,
        _ => false,
    };
    // Any difference tells of the alternatives as a whole.
    let is_any = keyword == "anyOf";
    RECONCILED.contains(&keyword) && (is_whole || is_own || is_any)
}
