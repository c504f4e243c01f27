//! Walk: two aligned editions in, every difference between them out.
//!
//! The walk visits each definition of both editions once. From there it visits everything inside, and stops at
//! definitions that both editions have, because it visits those on their own. A type is compared in the same way
//! whether it has a name or is written out.

mod capabilities;
mod definitions;
mod envelope;
mod keywords;
mod members;
mod methods;
mod unions;
mod values;

use std::collections::{BTreeMap, HashMap};

use super::align::Alignment;
use super::both::{Age, Both};
use super::difference::{Difference, What};
use super::edition::Edition;
use super::index::Index;
use super::path::Path;
use super::place::Place;
use super::shape::Resolved;
use super::visible::Visible;
use crate::definitions::Part;

/// The walk goes no deeper than this inside of one definition.
const DEPTH: usize = 64;

struct Walk<'a> {
    editions: Both<&'a Edition>,
    index: Both<&'a Index<'a>>,
    alignment: &'a Alignment<'a>,
    visible: &'a Visible<'a>,
    found: Vec<Difference<'a>>,
    /// Definitions of one edition that the other one writes out, and the places where it does.
    inlined: BTreeMap<(Age, &'a str), Vec<Place<'a>>>,
    /// Pairs of definitions of which one stands where the other stood, as far as they have been compared.
    exchanged: HashMap<Both<&'a str>, Exchange>,
    /// How many such pairs are being compared, one inside the other.
    exchanges: usize,
    /// Whether the innermost pair is compared without the definitions that it leads to.
    shallow: bool,
    depth: usize,
}

/// What is known about such a pair.
#[derive(Clone, Copy)]
enum Exchange {
    /// They are being compared.
    Open,
    /// They have been compared.
    Done { differ: bool },
}

/// All differences between two editions.
pub(super) fn walk<'a>(
    editions: Both<&'a Edition>,
    index: Both<&'a Index<'a>>,
    alignment: &'a Alignment<'a>,
    visible: &'a Visible<'a>,
) -> Vec<Difference<'a>> {
    let mut walk = Walk {
        editions,
        index,
        alignment,
        visible,
        found: Vec::new(),
        inlined: BTreeMap::new(),
        exchanged: HashMap::new(),
        exchanges: 0,
        shallow: false,
        depth: 0,
    };
    walk.definitions();
    walk.one_sided_definitions();
    walk.methods();
    walk.error_codes();
    walk.batches();
    walk.keywords_outside();
    walk.dialect();
    walk.forget_short_paths();
    capabilities::join_moved(walk.found)
}

impl<'a> Walk<'a> {
    /// Notes a difference.
    fn note(&mut self, place: &Place<'a>, what: What<'a>, texts: Both<Option<String>>) {
        let (place, words) = (place.clone(), Both::default());
        self.found.push(Difference { place, what, texts, words, inside: Vec::new() });
    }

    /// Notes a difference between two values.
    fn note_values(&mut self, place: &Place<'a>, what: What<'a>, values: Both<&Resolved<'a>>) {
        let texts = values.zip(self.index).map(|(value, index)| Some(value.text(index).to_owned()));
        self.note(place, what, texts);
    }

    /// Notes differences of descriptions and warnings.
    fn descriptions(&mut self, place: &Place<'a>, docs: Both<Option<&'a str>>, warnings: Both<Option<&'a str>>) {
        for (only_in, note) in warnings.by_age() {
            if let Some(note) = note
                && warnings.of(only_in.other()).is_none()
            {
                self.note(place, What::Deprecation { note, only_in }, Both::only(only_in, note.to_owned()));
            }
        }
        let plain = |doc: Option<&str>| doc.map(|doc| doc.split_whitespace().collect::<Vec<_>>().join(" "));
        if plain(docs.old) != plain(docs.new) {
            self.note(place, What::Description, docs.map(|doc| doc.map(str::to_owned)));
        }
    }

    /// Notes whether several messages may be sent as one array.
    fn batches(&mut self) {
        if let Some(only_in) = self.index.map(|index| index.model.has_batches).alone() {
            let message = Part::Message.name();
            let text = Both::only(only_in, format!("{message}[]"));
            self.note(&Place::of_both(message, message), What::Batches { only_in }, text);
        }
    }

    /// Notes another keyword for the definitions.
    fn dialect(&mut self) {
        let keywords = self.editions.map(|edition| edition.keyword);
        if keywords.old != keywords.new {
            // Its area is that of the messages.
            let message = Some(Part::Message.name());
            let roots = Both { old: message, new: message };
            let place = Place { roots, ..Place::nowhere(Path::of(keywords.new)) };
            let texts = keywords.map(|keyword| Some(keyword.to_owned()));
            self.note(&place, What::Dialect { keywords }, texts);
        }
    }

    /// Takes back short paths: if a difference is found in only some of the places that use a definition, it is no
    /// difference of the definition.
    fn forget_short_paths(&mut self) {
        let mut counts = HashMap::new();
        for difference in &self.found {
            if let Some(short) = &difference.place.short {
                *counts.entry((short.clone(), difference.what.kind())).or_insert(0) += 1;
            }
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        for ((_, definition), inlined) in &self.inlined {
            let most = places.entry(definition).or_default();
            *most = inlined.len().max(*most);
        }
        for difference in &mut self.found {
            let Some(short) = &difference.place.short else { continue };
            let root = short.root().unwrap_or_default();
            let count = counts.get(&(short.clone(), difference.what.kind())).copied().unwrap_or(0);
            // A definition may be met through another one, once for each place of that one.
            if count < places.get(root).copied().unwrap_or_default() {
                difference.place.short = None;
            }
        }
    }
}
