//! Envelope: the members that every message has, whichever definition lists them.

use super::Walk;
use crate::definitions::Part;
use crate::diff::both::{Age, Both};
use crate::diff::difference::{Owner, What};
use crate::diff::index::Index;
use crate::diff::path::{Path, Step};
use crate::diff::place::Place;
use crate::diff::shape::Node;
use crate::model::{Content, Member, MethodKind};

/// Members of the JSON-RPC envelope.
const ENVELOPE: &[&str] = &["jsonrpc", "id"];

/// A member of params that the envelope of all messages declares.
pub(super) struct Declared<'a> {
    envelope: &'static str,
    member: &'a Member,
}

impl<'a> Walk<'a> {
    /// The owner of a member of one edition, and the same member of the other edition's envelope, if that declares it.
    pub(super) fn owner(&self, place: &Place<'a>, name: &str, only_in: Age) -> (Owner, Option<Declared<'a>>) {
        let roots = place.roots.map(Option::unwrap_or_default);
        let parts = roots.each().map(Part::of);
        if parts.iter().any(|part| matches!(part, Some(Part::Capabilities(_)))) {
            return (Owner::Capabilities, None);
        }
        // Whether it is a member of the definition itself, or of its params.
        let inside = if place.path.root() == Some(place.root()) { place.path.steps() } else { &[] };
        let is_own = matches!(inside, [Step::Member(_)]);
        let is_param = matches!(inside, [Step::Member(params), Step::Member(_)] if params == "params");
        // If the editions do not agree on the method, the edition with the member decides.
        let (with, without) = (self.index.of(only_in), self.index.of(only_in.other()));
        let (its_root, other_root) = (roots.of(only_in), roots.of(only_in.other()));
        let message = with.method_of(its_root).or(without.method_of(other_root));
        if is_own && name == "params" && message.is_some_and(|method| self.in_both(&method.method)) {
            return (Owner::Message, None);
        }
        if is_own && ENVELOPE.contains(&name) && (message.is_some() || self.is_base_of_messages(roots)) {
            return (Owner::Envelope, None);
        }
        // The params of the envelope are part of the params of every method.
        let params = message.filter(|_| is_param).or_else(|| {
            let method = with.method_with(its_root).or(without.method_with(other_root));
            method.filter(|_| is_own)
        });
        // A base of messages is no message, but has the same params.
        let is_around = || is_param && message.is_none() && self.is_base_of_messages(roots);
        let kinds: &[MethodKind] = match params.map(|method| method.kind) {
            Some(MethodKind::Notification) => &[MethodKind::Notification],
            Some(_) => &[MethodKind::Request],
            None => &[MethodKind::Request, MethodKind::Notification],
        };
        let mut kinds = kinds.iter().filter(|_| params.is_some() || is_around());
        let envelope = kinds.find_map(|kind| declared(without, *kind, name));
        // The envelope may have lost a member because each method declares it now.
        let is_envelope = parts.iter().any(|part| matches!(part, Some(Part::Envelope(_) | Part::Base(_))));
        let is_of_methods = || is_envelope && is_param && in_all_params(with, without, name);
        (if envelope.is_some() || is_of_methods() { Owner::Envelope } else { Owner::Object }, envelope)
    }

    /// Compares a member that only one edition lists with the same member in the envelope of the other one.
    pub(super) fn against_envelope(
        &mut self,
        place: &Place<'a>,
        Declared { envelope, member: known }: Declared<'a>,
        member: &'a Member,
        only_in: Age,
    ) {
        let mut place = place.clone();
        let path = Path::of(envelope).then(Step::member("params")).then(Step::member(&known.wire));
        *place.sides.get_mut(only_in.other()) = Some(path);
        let seen = self.found.len();
        let mut members = Both { old: member, new: member };
        *members.get_mut(only_in.other()) = known;
        self.member(&place, members);
        // The descriptions differ anyway: one is about all messages, the other about this one.
        let found = self.found.split_off(seen);
        self.found.extend(found.into_iter().filter(|difference| !matches!(difference.what, What::Description)));
    }

    fn in_both(&self, method: &str) -> bool {
        self.index.map(|index| index.method(method)).all().is_some()
    }

    /// Whether a definition of both editions is a base of messages: it has a method, but no particular one.
    fn is_base_of_messages(&self, definitions: Both<&str>) -> bool {
        let is_base = self.index.zip(definitions).map(|(index, definition)| {
            let is_envelope = matches!(Part::of(definition), Some(Part::Envelope(_)));
            !is_envelope && index.members(definition).iter().any(|member| member.wire == "method")
        });
        is_base.old && is_base.new
    }
}

/// A member that the params of an envelope declare.
fn declared<'a>(index: &Index<'a>, kind: MethodKind, name: &str) -> Option<Declared<'a>> {
    let envelope = Part::Envelope(kind).name();
    let params = index.members(envelope).iter().find(|member| member.wire == "params");
    let Some(Content::Field(field)) = params.map(|member| &member.content) else { return None };
    let Node::Object { members, .. } = index.resolve(&field.ty).node else { return None };
    let member = members.iter().find(|member| member.wire == name)?;
    Some(Declared { envelope, member })
}

/// Whether all methods of both editions declare a member of their params themselves.
fn in_all_params(with: &Index<'_>, without: &Index<'_>, name: &str) -> bool {
    let methods = without.model.methods.iter().filter(|method| with.method(&method.method).is_some());
    let mut params = methods.filter_map(|method| method.params.as_ref());
    params.all(|params| match without.resolve(params).node {
        Node::Object { members, .. } => members.iter().any(|member| member.wire == name),
        Node::Union(_) => true,
        _ => false,
    })
}
