//! Flow: which way values of each type travel, between whom, and under which capability.
//!
//! Params travel from the sender of a method to its receiver, results back. For a verdict only those methods count that
//! the sender's edition has and the receiver's edition knows: what becomes of the others is said about the method itself.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::edition::{Definition, Index};
use super::report::{Flow, Outcome, Verdict};
use super::wire;
use crate::model::{Additional, Content, Method, MethodKind, Role, Shape, Type, TypeRef};

/// The two meetings of editions that verdicts are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    OldClientNewServer,
    NewClientOldServer,
}

/// Which of the two editions somebody speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    Old,
    New,
}

impl Meeting {
    pub(super) const BOTH: [Self; 2] = [Self::OldClientNewServer, Self::NewClientOldServer];

    fn age(self, role: Role) -> Age {
        match (self, role) {
            (Self::OldClientNewServer, Role::Client) | (Self::NewClientOldServer, Role::Server) => Age::Old,
            _ => Age::New,
        }
    }

    /// The meeting in which this side speaks this edition.
    pub(super) fn with(role: Role, age: Age) -> Self {
        match (role, age) {
            (Role::Client, Age::Old) | (Role::Server, Age::New) => Self::OldClientNewServer,
            _ => Self::NewClientOldServer,
        }
    }
}

/// Whom a change hurts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// A reader of the old edition cannot read what a writer of the new one may write.
    pub(super) old_reader: bool,
    /// A reader of the new edition cannot read what a writer of the old one may write.
    pub(super) new_reader: bool,
}

/// The conditions under which something travels: bit 0 for "always", one bit for each capability.
pub(super) type Conditions = u64;
const ALWAYS: Conditions = 1;

/// Who writes what in both meetings.
pub(super) struct Flows<'a> {
    gates: Vec<String>,
    /// What clients write, by type name of the writer's edition, for each meeting; then what servers write.
    written: [[HashMap<&'a str, Conditions>; 2]; 2],
    /// Every flow of an edition's types, whatever the other edition knows.
    overall: [HashMap<&'a str, Flow>; 2],
}

fn other(role: Role) -> Role {
    match role {
        Role::Client => Role::Server,
        Role::Server => Role::Client,
    }
}

fn number(role: Role) -> usize {
    match role {
        Role::Client => 0,
        Role::Server => 1,
    }
}

fn place(meeting: Meeting) -> usize {
    match meeting {
        Meeting::OldClientNewServer => 0,
        Meeting::NewClientOldServer => 1,
    }
}

/// The capability that must have been declared before a side uses a method. Where each side has one of its own, it is
/// that of the side which serves the method: the receiver of a request, the sender of a notification.
pub(super) fn gate(method: &Method, sender: Role) -> Option<&String> {
    let serving = if method.kind == MethodKind::Notification { sender } else { other(sender) };
    let (client, server) = (method.client_capability.as_ref(), method.server_capability.as_ref());
    match serving {
        Role::Client => client.or(server),
        Role::Server => server.or(client),
    }
}

/// All capabilities that a method needs, by whoever declares them.
pub(super) fn gates(method: &Method) -> Vec<String> {
    let mut gates: Vec<String> =
        [Role::Client, Role::Server].iter().filter_map(|sender| gate(method, *sender).cloned()).collect();
    gates.dedup();
    gates
}

impl<'a> Flows<'a> {
    pub(super) fn new(old: &Index<'a>, new: &Index<'a>) -> Self {
        let mut gates: BTreeSet<String> = BTreeSet::new();
        for method in old.model.methods.iter().chain(&new.model.methods) {
            gates.extend(self::gates(method));
        }
        let mut flows =
            Self { gates: gates.into_iter().collect(), written: Default::default(), overall: Default::default() };
        let (old, new) = (Speaker::new(old), Speaker::new(new));
        for meeting in Meeting::BOTH {
            for writer in [Role::Client, Role::Server] {
                let written = flows.written_by(writer, meeting, &old, &new);
                if let Some(place) = flows.written.get_mut(number(writer)).and_then(|both| both.get_mut(place(meeting)))
                {
                    *place = written;
                }
            }
        }
        let [before, after] = &mut flows.overall;
        for (speaker, overall) in [(old, before), (new, after)] {
            for writer in [Role::Client, Role::Server] {
                for name in reached(speaker.index, speaker.everything(writer)) {
                    let flow = overall.entry(name).or_default();
                    match writer {
                        Role::Client => flow.client_to_server = true,
                        Role::Server => flow.server_to_client = true,
                    }
                }
            }
        }
        flows
    }

    fn bit(&self, gate: Option<&String>) -> Conditions {
        let Some(gate) = gate else { return ALWAYS };
        match self.gates.binary_search(gate) {
            // With more capabilities than bits, the rest count as always there.
            Ok(index) if index < 63 => 1 << (index + 1),
            _ => ALWAYS,
        }
    }

    /// What a side writes in a meeting, and under which conditions.
    fn written_by(
        &self,
        writer: Role,
        meeting: Meeting,
        old: &Speaker<'_, 'a>,
        new: &Speaker<'_, 'a>,
    ) -> HashMap<&'a str, Conditions> {
        let speaker = |role: Role| if meeting.age(role) == Age::Old { old } else { new };
        let index = |role: Role| speaker(role).index;
        let Speaker { index: mine, envelopes, errors, responses } = speaker(writer);
        let mut roots: BTreeMap<Conditions, Vec<&str>> = BTreeMap::new();
        // Where nothing is known of methods, anything may be written by anybody.
        let unknown = old.index.model.methods.is_empty() && new.index.model.methods.is_empty();
        let mut always = if unknown { all(mine) } else { envelopes.clone() };
        always.extend(unclaimed(mine, writer));
        always.extend(errors);
        roots.insert(ALWAYS, always);
        for sender in [Role::Client, Role::Server] {
            let (theirs, receiver) = (index(sender), index(other(sender)));
            for method in theirs.model.methods.iter().filter(|method| method.senders.contains(&sender)) {
                let known = receiver
                    .method(&method.method)
                    .is_some_and(|known| known.kind == method.kind && known.senders.contains(&sender));
                let Some(mine) = mine.method(&method.method).filter(|_| known) else { continue };
                let written = roots.entry(self.bit(gate(method, sender))).or_default();
                match sender == writer {
                    true => written.push(&mine.message),
                    false => {
                        written.extend(results(mine));
                        let envelopes = mine.result.as_ref().and_then(|name| responses.get(name.as_str()));
                        written.extend(envelopes.into_iter().flatten());
                    }
                }
            }
        }
        let mut conditions: HashMap<&str, Conditions> = HashMap::new();
        for (bit, roots) in roots {
            for name in reached(mine, roots) {
                *conditions.entry(name).or_default() |= bit;
            }
        }
        conditions
    }

    /// Whether values of a type travel in an edition.
    pub(super) fn travels(&self, old: Option<&str>, new: Option<&str>) -> bool {
        self.of(old, new) != Flow::default()
    }

    /// Which way a type travels in either edition.
    pub(super) fn of(&self, old: Option<&str>, new: Option<&str>) -> Flow {
        let [before, after] = &self.overall;
        let one = |map: &HashMap<&str, Flow>, name: Option<&str>| {
            name.and_then(|name| map.get(name)).copied().unwrap_or_default()
        };
        let (before, after) = (one(before, old), one(after, new));
        Flow {
            client_to_server: before.client_to_server || after.client_to_server,
            server_to_client: before.server_to_client || after.server_to_client,
        }
    }

    /// Under which conditions a change of a type hurts in a meeting. The type is given by its names in both editions.
    pub(super) fn hurts(&self, meeting: Meeting, effect: Effect, old: Option<&str>, new: Option<&str>) -> Conditions {
        let mut conditions = 0;
        for writer in [Role::Client, Role::Server] {
            let (name, breaks) = match meeting.age(writer) {
                Age::Old => (old, effect.new_reader),
                Age::New => (new, effect.old_reader),
            };
            let written = self.written.get(number(writer)).and_then(|both| both.get(place(meeting)));
            if let Some(written) = written
                && breaks
            {
                conditions |= name.and_then(|name| written.get(name)).copied().unwrap_or_default();
            }
        }
        conditions
    }

    /// The verdict for conditions under which something breaks.
    pub(super) fn verdict(&self, conditions: Conditions, reason: &str) -> Verdict {
        let outcome = match conditions {
            0 => return Verdict::default(),
            some if some & ALWAYS != 0 => Outcome::Breaks,
            _ => Outcome::Unless,
        };
        let used = |index: &usize| outcome == Outcome::Unless && conditions & (2 << *index) != 0;
        let capabilities = (0..self.gates.len().min(63)).filter(used);
        let capabilities = capabilities.filter_map(|index| self.gates.get(index).cloned()).collect();
        Verdict { outcome, capabilities, reason: Some(reason.to_owned()) }
    }

    /// The condition under which a method with this capability is used.
    pub(super) fn condition(&self, gate: Option<&String>) -> Conditions {
        self.bit(gate)
    }
}

/// An edition, with what somebody who speaks it writes besides messages of methods.
struct Speaker<'i, 'a> {
    index: &'i Index<'a>,
    envelopes: Vec<&'a str>,
    /// Errors with one code.
    errors: Vec<&'a str>,
    /// The envelopes of responses by the results in them.
    responses: HashMap<&'a str, Vec<&'a str>>,
}

impl<'i, 'a> Speaker<'i, 'a> {
    fn new(index: &'i Index<'a>) -> Self {
        let mut speaker = Self { index, envelopes: envelopes(index), errors: Vec::new(), responses: HashMap::new() };
        for Definition { type_name, ty, .. } in index.definitions() {
            if wire::refines(index, index.members_of(ty)) {
                speaker.errors.push(type_name);
            }
            for result in answered(index, ty) {
                speaker.responses.entry(result).or_default().push(type_name);
            }
        }
        speaker
    }

    /// Everything a side writes.
    fn everything(&self, writer: Role) -> Vec<&'a str> {
        if self.index.model.methods.is_empty() {
            return all(self.index);
        }
        let mut roots = self.envelopes.clone();
        roots.extend(unclaimed(self.index, writer));
        for method in &self.index.model.methods {
            let sent = method.senders.contains(&writer);
            let answered = method.senders.contains(&other(writer));
            roots.extend(sent.then_some(method.message.as_str()));
            roots.extend(results(method).filter(|_| answered));
        }
        roots
    }
}

fn results(method: &Method) -> impl Iterator<Item = &str> {
    method.result.iter().chain(&method.also).map(String::as_str)
}

fn all<'a>(index: &Index<'a>) -> Vec<&'a str> {
    index.model.types.keys().map(String::as_str).collect()
}

/// Messages that are no method's: the envelope of all messages, and errors with a shape of their own.
fn envelopes<'a>(index: &Index<'a>) -> Vec<&'a str> {
    let is_error = |shape: &Shape| match shape {
        Shape::Struct(object) => {
            let has = |wire: &str| object.members.iter().any(|member| member.wire == wire);
            has("jsonrpc") && has("error")
        }
        _ => false,
    };
    let is_one = |ty: &Type| {
        ty.definition.as_deref() == Some("JSONRPCMessage") || ty.definition.is_some() && is_error(&ty.shape)
    };
    index.model.types.iter().filter(|(_, ty)| is_one(ty)).map(|(name, _)| name.as_str()).collect()
}

/// Answers that a side lists and that answer no method we know: the schema is newer than the facts about it.
fn unclaimed<'a>(index: &Index<'a>, writer: Role) -> impl Iterator<Item = &'a str> {
    let list = match writer {
        Role::Client => "ClientResult",
        Role::Server => "ServerResult",
    };
    let variants = match index.definition(list).map(|ty| &ty.shape) {
        Some(Shape::Union(union)) => union.variants.as_slice(),
        _ => &[],
    };
    let names = variants.iter().filter_map(|variant| index.used(&variant.ty)).filter(|name| *name != "Result");
    names.filter_map(|name| index.type_name(name)).filter(|name| !index.is_result(name))
}

/// Whether a type is the envelope of one method's response: it says again what is known of the method.
pub(super) fn is_response(index: &Index<'_>, ty: &Type) -> bool {
    !answered(index, ty).is_empty()
}

/// The results of methods that stand in an envelope. The base of all results belongs to every response.
fn answered<'a>(index: &Index<'a>, ty: &'a Type) -> Vec<&'a str> {
    let Shape::Struct(object) = &ty.shape else { return Vec::new() };
    let result = object.members.iter().find(|member| member.wire == "result");
    let Some(Content::Field(field)) = result.map(|member| &member.content) else { return Vec::new() };
    let mut results = Vec::new();
    names(&field.ty, &mut results);
    if let [one] = results[..]
        && let Some(Shape::Union(union)) = index.ty(one).map(|ty| &ty.shape)
    {
        results.clear();
        union.variants.iter().for_each(|variant| names(&variant.ty, &mut results));
    }
    let of_method = |name: &&str| index.is_result(name) && index.definition_of(name) != Some("Result");
    results.into_iter().filter(of_method).collect()
}

/// All types that values of these types contain.
///
/// Requests inside results, and what answers them, are roots of their own with a capability of their own, so the walk
/// does not enter them from outside.
fn reached<'a>(index: &Index<'a>, roots: Vec<&'a str>) -> HashSet<&'a str> {
    let embedded: HashSet<&str> = index
        .model
        .methods
        .iter()
        .filter(|method| method.kind == MethodKind::Embedded)
        .flat_map(|method| method.result.iter().chain(&method.also).chain(Some(&method.message)))
        .map(String::as_str)
        .collect();
    let mut seen: HashSet<&str> = roots.iter().copied().collect();
    let mut open = roots;
    while let Some(name) = open.pop() {
        let Some(ty) = index.ty(name) else { continue };
        let mut uses = Vec::new();
        match &ty.shape {
            Shape::Struct(object) => {
                for member in &object.members {
                    if let Content::Field(field) = &member.content {
                        names(&field.ty, &mut uses);
                    }
                }
                if let Additional::Typed(values) = &object.additional {
                    names(values, &mut uses);
                }
            }
            Shape::Union(union) => union.variants.iter().for_each(|variant| names(&variant.ty, &mut uses)),
            Shape::Alias(target) => names(target, &mut uses),
            Shape::StringEnum(_) => {}
        }
        for used in uses {
            if !embedded.contains(used) && seen.insert(used) {
                open.push(used);
            }
        }
    }
    seen
}

fn names<'a>(ty: &'a TypeRef, found: &mut Vec<&'a str>) {
    match ty {
        TypeRef::Named(name) => found.push(name),
        TypeRef::List { items, .. } => names(items, found),
        TypeRef::Map { values } => names(values, found),
        TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => names(inner, found),
        _ => {}
    }
}
