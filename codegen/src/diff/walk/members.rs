//! Members of objects.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Walk;
use crate::diff::both::{Age, Both};
use crate::diff::difference::{Difference, Owner, Relation, What};
use crate::diff::edition::Edition;
use crate::diff::index::Index;
use crate::diff::path::{Path, Step};
use crate::diff::place::Place;
use crate::diff::shape::{Node, Others, Resolved};
use crate::model::{Content, Member, TypeRef};

impl<'a> Walk<'a> {
    pub(super) fn members(&mut self, object: &Place<'a>, members: Both<&'a [Member]>) {
        let members = members.map(|members| {
            members.iter().map(|member| (member.wire.as_str(), member)).collect::<BTreeMap<&'a str, &'a Member>>()
        });
        let names: BTreeSet<&str> = members.old.keys().chain(members.new.keys()).copied().collect();
        for name in names {
            let members = members.as_ref().map(|members| members.get(name).copied());
            if matches!(members.all(), Some(Both { old, new }) if old == new && !refers(old)) {
                continue;
            }
            let place = object.step(Step::member(name));
            match (members.old, members.new) {
                (Some(member), None) => self.one_sided_member(object, place, member, Age::Old),
                (None, Some(member)) => self.one_sided_member(object, place, member, Age::New),
                (Some(old), Some(new)) => self.member(&place, Both { old, new }),
                (None, None) => {}
            }
        }
    }

    fn one_sided_member(&mut self, object: &Place<'a>, place: Place<'a>, member: &'a Member, only_in: Age) {
        let index = self.index.of(only_in);
        let (owner, envelope) = self.owner(&place, &member.wire, only_in);
        if owner == Owner::Object && self.declared_open(object) == Some(only_in.other()) {
            return self.against_any(object, place, member, only_in);
        }
        let place = place.only_in(only_in);
        if let Some(envelope) = envelope {
            self.against_envelope(&place, envelope, member, only_in);
        }
        let mut inside = Vec::new();
        if owner == Owner::Capabilities
            && let Content::Field(field) = &member.content
        {
            nested(index, &place, &field.ty, &mut inside);
        }
        self.found.push(Difference {
            place,
            what: What::Member { member, only_in, owner },
            texts: Both::only(only_in, index.member(member)),
            words: words(member, only_in),
            inside,
        });
    }

    /// The edition that alone declares that an object of both takes any member.
    ///
    /// An object without such a declaration takes any member, too. But if one edition lists fewer members and declares
    /// that others may be anything, the missing ones were not removed.
    fn declared_open(&self, object: &Place<'a>) -> Option<Age> {
        let Both { old, new } = object.sides.as_ref().map(Option::as_ref).all()?;
        // An object with another definition is another object, with the members that are listed there.
        if !self.alignment.are_one(old.root()?, new.root()?) || old.steps() != new.steps() {
            return None;
        }
        let is_open = |edition: &Edition, object: &Path<'_>| {
            Some(match edition.schema(object)?.get("additionalProperties")? {
                Value::Object(schema) => schema.keys().all(|keyword| keyword == "description"),
                others => others == &Value::Bool(true),
            })
        };
        let sides = self.editions.zip(Both { old, new });
        sides.map(|(edition, object)| is_open(edition, object).unwrap_or_default()).alone()
    }

    /// Compares a member that one edition lists with the declaration of the other one that members may be there with
    /// any value.
    fn against_any(&mut self, object: &Place<'a>, mut place: Place<'a>, member: &'a Member, only_in: Age) {
        let (index, other) = (self.index.of(only_in), only_in.other());
        let mut texts = Both::only(only_in, index.member(member));
        *texts.get_mut(other) = Some("[key: string]: unknown".to_owned());
        *place.sides.get_mut(other) = object.step(Step::Values).sides.of(other);
        let is_any = match &member.content {
            Content::Field(field) => matches!(index.resolve(&field.ty).node, Node::Any),
            Content::Constant(_) => false,
        };
        let (is_required, relation) = match only_in {
            Age::Old => (false, Relation::Wider),
            Age::New => (true, Relation::Narrower),
        };
        let presence = member.required.then_some(What::Presence { member, is_required });
        let value = (!is_any).then_some(What::Value { relation });
        for what in presence.into_iter().chain(value) {
            let (place, texts, words) = (place.clone(), texts.clone(), words(member, only_in));
            self.found.push(Difference { place, what, texts, words, inside: Vec::new() });
        }
    }

    pub(super) fn member(&mut self, place: &Place<'a>, members: Both<&'a Member>) {
        let seen = self.found.len();
        let texts = self.index.zip(members);
        let texts = || texts.map(|(index, member)| Some(index.member(member)));
        let Both { old, new } = members;
        if old.required != new.required {
            let member = if new.required { new } else { old };
            self.note(place, What::Presence { member, is_required: new.required }, texts());
        }
        match (&old.content, &new.content) {
            (Content::Constant(old), Content::Constant(new)) => {
                if old != new {
                    self.note(place, What::Constant { values: Both { old, new } }, texts());
                }
            }
            (Content::Field(old), Content::Field(new)) => self.uses(place, Both { old: &old.ty, new: &new.ty }),
            // A closed enum with one value is the same as a constant.
            (Content::Constant(value), Content::Field(field)) if is_only(self.index.new, value, &field.ty) => {}
            (Content::Field(field), Content::Constant(value)) if is_only(self.index.old, value, &field.ty) => {}
            (Content::Constant(value), Content::Field(field)) => {
                let relation = if fits(self.index.new, value, &field.ty) { Relation::Wider } else { Relation::Other };
                self.note(place, What::Value { relation }, texts());
            }
            (Content::Field(field), Content::Constant(value)) => {
                let relation =
                    if fits(self.index.old, value, &field.ty) { Relation::Narrower } else { Relation::Other };
                self.note(place, What::Value { relation }, texts());
            }
        }
        let docs = members.map(|member| member.doc.as_deref());
        for difference in self.found.iter_mut().skip(seen) {
            if difference.words == Both::default() {
                difference.words = docs;
            }
        }
        self.descriptions(place, docs, members.map(|member| member.deprecated.as_deref()));
    }

    /// Members that are not declared.
    pub(super) fn others(&mut self, object: &Place<'a>, others: Both<Others<'a>>, values: Both<&Resolved<'a>>) {
        let place = || object.step(Step::Values);
        let what = match (others.old, others.new) {
            (Others::Open, Others::Open) | (Others::Closed, Others::Closed) => return,
            (Others::Typed(old), Others::Typed(new)) => return self.uses(&place(), Both { old, new }),
            (Others::Closed, _) => What::ObjectOpen { is_open: true },
            (_, Others::Closed) => What::ObjectOpen { is_open: false },
            (Others::Typed(_), _) => What::Value { relation: Relation::Wider },
            _ => What::Value { relation: Relation::Narrower },
        };
        self.note_values(&place(), what, values);
    }
}

/// The description of a member of one edition.
fn words(member: &Member, only_in: Age) -> Both<Option<&str>> {
    let mut words = Both::default();
    *words.get_mut(only_in) = member.doc.as_deref();
    words
}

/// Whether a member uses a named type, which may differ although the member is the same.
fn refers(member: &Member) -> bool {
    matches!(&member.content, Content::Field(field) if field.ty.named().is_some())
}

/// The members inside a value, at any depth, but not inside other definitions.
fn nested<'a>(index: &Index<'a>, place: &Place<'a>, ty: &'a TypeRef, found: &mut Vec<Place<'a>>) {
    let resolved = index.resolve(ty);
    let Node::Object { members, .. } = resolved.node else { return };
    if resolved.definition.is_some() || found.len() > 1000 {
        return;
    }
    for member in members {
        let place = place.step(Step::member(&member.wire));
        found.push(place.clone());
        if let Content::Field(field) = &member.content {
            nested(index, &place, &field.ty, found);
        }
    }
}

/// Whether a value is the only one that is valid for a type.
fn is_only<'a>(index: &Index<'a>, value: &Value, ty: &'a TypeRef) -> bool {
    let resolved = index.resolve(ty);
    match resolved.node {
        Node::Enum(values) if !values.open && !resolved.nullable => {
            matches!(&values.values[..], [only] if value.as_str() == Some(&only.wire))
        }
        _ => false,
    }
}

/// Whether the kind of a value is valid for a type.
fn fits<'a>(index: &Index<'a>, value: &Value, ty: &'a TypeRef) -> bool {
    let is_of = |node: &Node<'_>| match (node, value) {
        (Node::Any, _) | (Node::Text { .. }, Value::String(_)) | (Node::Boolean, Value::Bool(_)) => true,
        (Node::Integer(_), Value::Number(number)) => number.is_i64() || number.is_u64(),
        (Node::Number(_), Value::Number(_)) => true,
        (Node::Enum(values), Value::String(text)) => {
            values.open || values.values.iter().any(|known| known.wire == *text)
        }
        _ => false,
    };
    match index.resolve(ty).node {
        Node::Union(union) => union.variants.iter().any(|variant| is_of(&index.resolve(&variant.ty).node)),
        node => is_of(&node),
    }
}
