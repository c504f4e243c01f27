//! Definitions: those of both editions, and those of one.

use super::Walk;
use crate::diff::align::Pair;
use crate::diff::both::{Age, Both};
use crate::diff::difference::{Difference, Purpose, Relation, What};
use crate::diff::keywords::{Keywords, same_but_for_words, same_to_the_letter};
use crate::diff::place::Place;
use crate::diff::visible;
use crate::fixups::FIXUPS;
use crate::model::Type;

impl<'a> Walk<'a> {
    pub(super) fn definitions(&mut self) {
        let mut keywords = Keywords::new(self.editions, self.alignment);
        for pair in &self.alignment.pairs {
            self.definition(pair, &mut keywords);
        }
        // Names that mean something else now, and are not paired.
        for name in &self.alignment.reused {
            let Some(types) = self.index.map(|index| index.definition(name)).all() else { continue };
            if !self.alignment.are_one(name, name) {
                self.redefined(&Place::of_both(name, name), name, types);
            }
        }
    }

    fn definition(&mut self, pair: &Pair<'a>, keywords: &mut Keywords<'a>) {
        let names = pair.definitions.map(|definition| definition.name);
        let types = pair.definitions.map(|definition| definition.ty);
        let place = Place::of_both(names.old, names.new);
        if let Some(evidence) = &pair.evidence {
            let what = What::Renamed { names, evidence: evidence.clone() };
            self.note(&place, what, names.map(|name| Some(name.to_owned())));
        }
        let seen = self.found.len();
        self.descriptions(&place, types.map(|ty| ty.doc.as_deref()), types.map(|ty| ty.deprecated.as_deref()));
        let same_name = names.old == names.new;
        if same_name && self.alignment.reused.contains(names.new) {
            self.redefined(&place, names.new, types);
        } else {
            let values = self.index.zip(names.zip(types)).map(|(index, (name, ty))| index.resolve_type(name, ty));
            self.values(&place, values);
            self.keywords(keywords, &place, seen);
        }
        if same_name && self.found.len() == seen && self.is_rewritten(names.new) {
            let corrections = self.corrections(names.new);
            self.note(&place, What::Rewritten { corrections }, Both::default());
        }
    }

    fn redefined(&mut self, place: &Place<'a>, definition: &'a str, types: Both<&'a Type>) {
        let values = self.index.zip(types).map(|(index, ty)| index.resolve_type(definition, ty));
        // If the old content has a new name, its uses are compared under that name.
        let relation = match self.alignment.are_one(definition, definition) {
            true => self.relation(values.as_ref()),
            false => Relation::Same,
        };
        let kinds = values.as_ref().map(|value| value.node.kind());
        self.note_values(place, What::Redefined { definition, kinds, relation }, values.as_ref());
    }

    /// Whether the schemas of a definition differ in more than words.
    fn is_rewritten(&self, name: &str) -> bool {
        let schemas = self.editions.map(|edition| edition.definition(name)).all();
        schemas.is_some_and(|Both { old, new }| !same_to_the_letter(old, new) && !same_but_for_words(old, new))
    }

    /// The known errors of a definition that are corrected in one edition only.
    fn corrections(&self, definition: &str) -> Vec<&'static str> {
        let is_one_sided = |name: &str| {
            let applied = self.index.map(|index| index.model.fixups.iter().any(|applied| applied.name == name));
            applied.old != applied.new
        };
        let errata = FIXUPS.iter().filter(|fixup| fixup.erratum && fixup.place == definition);
        errata.map(|fixup| fixup.name).filter(|name| is_one_sided(name)).collect()
    }

    /// Notes the definitions of one edition only.
    pub(super) fn one_sided_definitions(&mut self) {
        for (only_in, names) in [(Age::Old, &self.alignment.removed), (Age::New, &self.alignment.added)] {
            let index = self.index.of(only_in);
            for definition in names.iter().copied() {
                let Some(ty) = index.definition(definition) else { continue };
                let (roots, texts) =
                    (Both::only(only_in, definition), Both::only(only_in, index.whole(definition, ty)));
                let place = Place::of(roots);
                if let Some(inside) = self.inlined.get(&(only_in, definition)) {
                    let (what, inside) = (What::Inlined { definition, only_in }, inside.clone());
                    self.found.push(Difference { place, what, texts, words: Both::default(), inside });
                    continue;
                }
                // A redefined name is reported as such.
                if self.alignment.reused.contains(definition) {
                    continue;
                }
                let purpose = match self.visible.has(roots) {
                    true => Purpose::Message,
                    false if visible::is_restatement(index, definition) => Purpose::Restatement,
                    false => Purpose::Base,
                };
                self.note(&place, What::Definition { definition, only_in, purpose }, texts);
            }
        }
    }
}
