//! Unions, and the pairs of their alternatives.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Walk;
use crate::definitions::is_list_of_messages;
use crate::diff::both::{Age, Both};
use crate::diff::difference::What;
use crate::diff::index::Index;
use crate::diff::place::Place;
use crate::diff::shape::{Node, Others, Resolved};
use crate::model::{Content, Member};

/// At most so many alternatives are compared with each other. Schemas have a handful.
const MOST: usize = 64;

/// The alternatives of two unions, paired.
#[derive(Default)]
pub(super) struct Matching<'a> {
    pub(super) both: Vec<Both<Resolved<'a>>>,
    /// The alternatives of one edition only.
    pub(super) alone: Both<Vec<Resolved<'a>>>,
}

impl<'a> Walk<'a> {
    pub(super) fn unions(&mut self, place: &Place<'a>, values: Both<&Resolved<'a>>) {
        let matching = self.matching(values);
        for values in matching.both {
            // Definitions of both editions are compared on their own, alternatives without a name are compared here.
            self.values(place, values);
        }
        let known = self.index.zip(values).map(|(index, value)| flat(index, alternatives(index, value)));
        // A reader tells messages apart by the method, never by their members.
        let is_list = is_list_of_messages(place.root());
        for (only_in, alternatives) in matching.alone.by_age() {
            let other = only_in.other();
            let others: &[Resolved<'a>] = if is_list { &[] } else { known.get(other) };
            for alternative in alternatives {
                let place = place.clone().only_in(only_in);
                let label = alternative.text(self.index.of(only_in)).to_owned();
                let texts = Both::only(only_in, format!("| {label}"));
                let mut others = others.iter().take(MOST);
                let passes_for = others.find(|known| self.passes_for(&alternative, known, only_in));
                let passes_for = passes_for.map(|known| known.text(self.index.of(other)).to_owned());
                let definition = alternative.definition;
                self.note(&place, What::Alternative { label, definition, only_in, passes_for }, texts);
            }
        }
    }

    /// Whether each value of an alternative is also one of an alternative of the other edition, and its required
    /// members say nothing that a reader of the other edition does not know.
    fn passes_for(&self, one: &Resolved<'a>, other: &Resolved<'a>, only_in: Age) -> bool {
        let (Node::Object { members: mine, .. }, Node::Object { members: theirs, others }) = (one.node, other.node)
        else {
            return false;
        };
        let (my_index, their_index) = (self.index.of(only_in), self.index.of(only_in.other()));
        let known: BTreeMap<&str, &Member> = theirs.iter().map(|member| (member.wire.as_str(), member)).collect();
        let has = |name: &str| mine.iter().any(|member| member.wire == name && member.required);
        let fits = |member: &Member| match known.get(member.wire.as_str()) {
            Some(known) => my_index.expanded_content(member) == their_index.expanded_content(known),
            None => !member.required && matches!(others, Others::Open),
        };
        // An alternative without required members cannot be recognised.
        let mut required = theirs.iter().filter(|member| member.required).peekable();
        required.peek().is_some() && required.all(|member| has(&member.wire)) && mine.iter().all(fits)
    }

    /// Pairs the alternatives of two unions. Any other value counts as a union with one alternative.
    pub(super) fn matching(&self, values: Both<&Resolved<'a>>) -> Matching<'a> {
        let alone = self.index.zip(values).map(|(index, value)| alternatives(index, value));
        let mut matching = Matching { both: Vec::new(), alone };
        self.match_definitions(&mut matching);
        // A union inside a union is the same as its alternatives.
        matching.alone = self.index.zip(matching.alone).map(|(index, alone)| flat(index, alone));
        self.match_definitions(&mut matching);
        let has_no_name = |values: Both<&Resolved<'a>>| values.map(|value| value.definition).all().is_none();
        matching.match_by(self.index, |values| {
            let texts = values.zip(self.index);
            usize::from(has_no_name(values) && texts.old.0.text(texts.old.1) == texts.new.0.text(texts.new.1))
        });
        matching.match_by(self.index, |values| match has_no_name(values) {
            true => likeness(values.map(|value| &value.node)),
            false => 0,
        });
        matching
    }

    /// Pairs definitions of both editions.
    fn match_definitions(&self, matching: &mut Matching<'a>) {
        let alone = std::mem::take(&mut matching.alone);
        let mut by_name: BTreeMap<&str, Resolved<'a>> = BTreeMap::new();
        for new in alone.new {
            match new.definition {
                Some(name) if !by_name.contains_key(name) => drop(by_name.insert(name, new)),
                _ => matching.alone.new.push(new),
            }
        }
        for old in alone.old {
            let new_name = old.definition.and_then(|name| self.alignment.new_name(name));
            match new_name.and_then(|name| by_name.remove(name)) {
                Some(new) => matching.both.push(Both { old, new }),
                None => matching.alone.old.push(old),
            }
        }
        matching.alone.new.extend(by_name.into_values());
    }
}

impl<'a> Matching<'a> {
    /// Pairs alternatives that are alike, the most alike first.
    ///
    /// The result must not depend on which list is the old one: the swapped comparison has to give the mirrored report.
    fn match_by(&mut self, index: Both<&Index<'a>>, likeness: impl Fn(Both<&Resolved<'a>>) -> usize) {
        let alone = std::mem::take(&mut self.alone);
        let mut candidates = Vec::new();
        for (old_number, old) in alone.old.iter().enumerate().take(MOST) {
            for (new_number, new) in alone.new.iter().enumerate().take(MOST) {
                let score = likeness(Both { old, new });
                if score > 0 {
                    let (old, new) = (old.text(index.old), new.text(index.new));
                    candidates.push((Reverse(score), old.min(new), old.max(new), old_number, new_number));
                }
            }
        }
        candidates.sort();
        let (mut matched, mut used) = (BTreeMap::new(), BTreeSet::new());
        for (_, _, _, old, new) in candidates {
            if !matched.contains_key(&old) && !used.contains(&new) {
                matched.insert(old, new);
                used.insert(new);
            }
        }
        let mut rest: Vec<Option<Resolved<'a>>> = alone.new.into_iter().map(Some).collect();
        for (number, old) in alone.old.into_iter().enumerate() {
            match matched.get(&number).and_then(|new| rest.get_mut(*new)?.take()) {
                Some(new) => self.both.push(Both { old, new }),
                None => self.alone.old.push(old),
            }
        }
        self.alone.new = rest.into_iter().flatten().collect();
    }
}

/// How alike two alternatives are, of which at least one has no name. 0 if they are not the same alternative.
fn likeness(nodes: Both<&Node<'_>>) -> usize {
    match (nodes.old, nodes.new) {
        (Node::Object { members: old, .. }, Node::Object { members: new, .. }) => {
            let known: BTreeMap<&str, &Content> =
                old.iter().map(|member| (member.wire.as_str(), &member.content)).collect();
            let mut shared = 0;
            for member in *new {
                match (known.get(member.wire.as_str()), &member.content) {
                    (Some(Content::Constant(old)), Content::Constant(new)) if old != new => return 0,
                    (Some(_), _) => shared += 1,
                    (None, _) => {}
                }
            }
            let all = old.len() + new.len() - shared;
            match shared * 2 >= old.len().min(new.len()) {
                true => 1 + shared * 1000 / all.max(1),
                false => 0,
            }
        }
        (Node::Text { .. } | Node::Enum(_), Node::Text { .. } | Node::Enum(_)) => 1,
        (Node::Integer(_) | Node::Number(_), Node::Integer(_) | Node::Number(_)) => 1,
        (old, new) => usize::from(old.kind() == new.kind()),
    }
}

/// The alternatives of a union. Any other value is its own only alternative.
fn alternatives<'a>(index: &Index<'a>, value: &Resolved<'a>) -> Vec<Resolved<'a>> {
    let Node::Union(union) = value.node else { return vec![value.clone()] };
    let variants = union.variants.iter().map(|variant| index.resolve(&variant.ty));
    // A union without a name inside a union means its alternatives.
    let (inline, rest): (Vec<_>, Vec<_>) =
        variants.partition(|variant| variant.definition.is_none() && matches!(variant.node, Node::Union(_)));
    rest.into_iter().chain(flat(index, inline)).collect()
}

/// The alternatives, with unions among them replaced by their alternatives.
fn flat<'a>(index: &Index<'a>, alternatives: Vec<Resolved<'a>>) -> Vec<Resolved<'a>> {
    let mut result = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = alternatives;
    open.reverse();
    while let Some(next) = open.pop() {
        // Lowering refuses unions that contain themselves; in any case, each union is opened once.
        match next.node {
            Node::Union(union) if next.definition.is_none_or(|name| seen.insert(name)) && result.len() < 10_000 => {
                open.extend(union.variants.iter().rev().map(|variant| index.resolve(&variant.ty)));
            }
            Node::Union(_) => {}
            _ => result.push(next),
        }
    }
    result
}
