//! Values: types, limits, enums.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{DEPTH, Exchange, Walk};
use crate::diff::both::{Age, Both};
use crate::diff::difference::{Relation, What};
use crate::diff::path::{Path, Step};
use crate::diff::place::Place;
use crate::diff::shape::{Node, Resolved};
use crate::model::{Bounds, Format, StringEnum, TypeRef};

impl<'a> Walk<'a> {
    /// Compares two uses of types at a place.
    pub(super) fn uses(&mut self, place: &Place<'a>, uses: Both<&'a TypeRef>) {
        self.values(place, self.index.zip(uses).map(|(index, ty)| index.resolve(ty)));
    }

    pub(super) fn values(&mut self, place: &Place<'a>, values: Both<Resolved<'a>>) {
        let values = values.as_ref();
        let definitions = values.map(|value| value.definition);
        let is_one = definitions.all().is_some_and(|names| self.alignment.are_one(names.old, names.new));
        let nullable = values.map(|value| if is_one { value.or_null } else { value.nullable });
        if let Some(allowed_in) = nullable.alone() {
            self.note_values(place, What::Null { allowed_in }, values);
        }
        if is_one {
            return;
        }
        let mut place = place.clone();
        match (definitions.old, definitions.new) {
            (Some(old), Some(new)) => return self.exchange(place, Both { old, new }, values),
            // A union without a name and one of its alternatives: the definition of the alternative is not the name of
            // the union.
            (None, Some(_)) | (Some(_), None) if is_alternative(values) => {}
            (None, Some(definition)) => self.enter(&mut place, definition, Age::New),
            (Some(definition), None) => self.enter(&mut place, definition, Age::Old),
            (None, None) => {}
        }
        if self.depth < DEPTH {
            self.depth += 1;
            self.nodes(&place, values);
            self.depth -= 1;
        } else {
            self.too_deep(&place);
        }
    }

    /// Compares two definitions of which one stands where the other stood.
    ///
    /// They may lead to other such pairs, in very many ways. So a pair that is met inside another pair is compared with
    /// all that it leads to once. When it is met again, only its own members are compared.
    fn exchange(&mut self, mut place: Place<'a>, names: Both<&'a str>, values: Both<&Resolved<'a>>) {
        let is_outermost = self.exchanges == 0;
        let known = self.exchanged.get(&names).copied();
        let is_deep = is_outermost || known.is_none();
        if self.shallow || matches!(known, Some(Exchange::Open)) {
            return;
        }
        let most = self.alignment.pairs.len() + self.alignment.added.len() + self.alignment.removed.len();
        // If they cannot be compared any more, they are reported as different.
        if self.depth >= DEPTH || !is_outermost && known.is_none() && self.exchanged.len() >= most {
            return self.note_values(&place, What::Value { relation: Relation::Other }, values);
        }
        place.sides = names.map(|name| Some(Path::of(name)));
        let seen = self.found.len();
        if is_deep {
            self.exchanged.insert(names, Exchange::Open);
        }
        self.shallow = !is_deep;
        self.exchanges += 1;
        self.depth += 1;
        self.nodes(&place, values);
        self.depth -= 1;
        self.exchanges -= 1;
        self.shallow = false;
        let differ = match known {
            Some(Exchange::Done { differ }) if !is_deep => differ,
            _ => self.found.len() > seen,
        };
        self.exchanged.insert(names, Exchange::Done { differ });
        if !differ {
            self.note(&place, What::Reference { names }, names.map(|name| Some(name.to_owned())));
        }
    }

    /// Enters a definition that the other edition writes out here.
    fn enter(&mut self, place: &mut Place<'a>, definition: &'a str, only_in: Age) {
        // Only a definition that the other edition lacks gives the place a short path.
        let one_sided = match only_in {
            Age::Old => &self.alignment.removed,
            Age::New => &self.alignment.added,
        };
        place.short = one_sided.contains(definition).then(|| Path::of(definition));
        self.inlined.entry((only_in, definition)).or_default().push(place.clone());
        *place.sides.get_mut(only_in) = Some(Path::of(definition));
    }

    fn nodes(&mut self, place: &Place<'a>, values: Both<&Resolved<'a>>) {
        match (values.old.node, values.new.node) {
            (Node::Text { format, length }, Node::Text { format: new_format, length: new_length }) => {
                self.formats(place, Both { old: format, new: new_format }, values);
                self.bounds(place, ["minLength", "maxLength"], Both { old: length, new: new_length }, values);
            }
            (Node::Integer(old), Node::Integer(new)) | (Node::Number(old), Node::Number(new)) => {
                self.bounds(place, ["minimum", "maximum"], Both { old, new }, values);
            }
            (Node::Integer(old), Node::Number(new)) | (Node::Number(old), Node::Integer(new)) => {
                self.note_values(place, What::Value { relation: self.relation(values) }, values);
                self.bounds(place, ["minimum", "maximum"], Both { old, new }, values);
            }
            (Node::List { items: old, length }, Node::List { items: new, length: new_length }) => {
                self.bounds(place, ["minItems", "maxItems"], Both { old: length, new: new_length }, values);
                self.uses(&place.step(Step::Items), Both { old, new });
            }
            (Node::Enum(old), Node::Enum(new)) => self.enums(place, Both { old, new }, values),
            (Node::Object { members: old, others }, Node::Object { members: new, others: new_others }) => {
                self.members(place, Both { old, new });
                self.others(place, Both { old: others, new: new_others }, values);
            }
            (Node::Union(_), _) | (_, Node::Union(_)) if !self.matching(values).both.is_empty() => {
                self.unions(place, values);
            }
            _ => {
                let relation = self.relation(values);
                if relation != Relation::Same {
                    self.note_values(place, What::Value { relation }, values);
                }
            }
        }
    }

    fn enums(&mut self, place: &Place<'a>, enums: Both<&'a StringEnum>, values: Both<&Resolved<'a>>) {
        let Both { old, new } =
            enums.map(|known| -> BTreeSet<&'a str> { known.values.iter().map(|value| value.wire.as_str()).collect() });
        let is_open = enums.old.open && enums.new.open;
        for value in old.symmetric_difference(&new) {
            let only_in = if new.contains(value) { Age::New } else { Age::Old };
            self.note_values(place, What::EnumValue { value, only_in, is_open }, values);
        }
        if enums.old.open != enums.new.open {
            self.note_values(place, What::EnumOpen { is_open: enums.new.open }, values);
        }
    }

    fn formats(&mut self, place: &Place<'a>, formats: Both<Option<Format>>, values: Both<&Resolved<'a>>) {
        let relation = match (formats.old, formats.new) {
            (old, new) if old == new => return,
            (None, Some(_)) => Relation::Narrower,
            (Some(_), None) => Relation::Wider,
            _ => Relation::Other,
        };
        let names = formats.map(|format| format.and_then(|format| serde_json::to_value(format).ok()));
        self.note_values(place, What::Limit { keyword: "format", values: names, relation }, values);
    }

    fn bounds(
        &mut self,
        place: &Place<'a>,
        [low, high]: [&'static str; 2],
        bounds: Both<Bounds>,
        values: Both<&Resolved<'a>>,
    ) {
        let limits =
            [(low, bounds.map(|bounds| bounds.minimum), true), (high, bounds.map(|bounds| bounds.maximum), false)];
        for (keyword, limit, is_low) in limits {
            let is_tighter = match (limit.old, limit.new) {
                (old, new) if old == new => continue,
                (None, _) => true,
                (_, None) => false,
                (Some(old), Some(new)) => (new > old) == is_low,
            };
            let relation = if is_tighter { Relation::Narrower } else { Relation::Wider };
            let limit = limit.map(|value| value.map(number));
            self.note_values(place, What::Limit { keyword, values: limit, relation }, values);
        }
    }

    /// How the values of two shapes relate, without comparing what is inside.
    pub(super) fn relation(&self, values: Both<&Resolved<'a>>) -> Relation {
        match (values.old.node, values.new.node) {
            (Node::Any, Node::Any) | (Node::Boolean, Node::Boolean) => Relation::Same,
            (_, Node::Any) => Relation::Wider,
            (Node::Any, _) => Relation::Narrower,
            (Node::Integer(_), Node::Number(_)) => Relation::Wider,
            (Node::Number(_), Node::Integer(_)) => Relation::Narrower,
            (Node::Enum(values), Node::Text { format: None, length }) if length.is_empty() => match values.open {
                true => Relation::Same,
                false => Relation::Wider,
            },
            (Node::Text { format: None, length }, Node::Enum(values)) if length.is_empty() => match values.open {
                true => Relation::Same,
                false => Relation::Narrower,
            },
            (Node::Union(_), _) | (_, Node::Union(_)) => {
                let matching = self.matching(values);
                match (matching.alone.old.is_empty(), matching.alone.new.is_empty()) {
                    (true, true) => Relation::Same,
                    (true, false) => Relation::Wider,
                    (false, true) => Relation::Narrower,
                    (false, false) => Relation::Other,
                }
            }
            _ => Relation::Other,
        }
    }
}

/// Whether one side is a union without a name and the other one a definition among its alternatives.
fn is_alternative(values: Both<&Resolved<'_>>) -> bool {
    let (union, other) =
        if values.old.definition.is_none() { (values.old, values.new) } else { (values.new, values.old) };
    matches!(union.node, Node::Union(_)) && !matches!(other.node, Node::Union(_))
}

/// Whole numbers without a fraction, as schemas write them.
fn number(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 9e15 {
        true => Value::from(value as i64),
        false => Value::from(value),
    }
}
