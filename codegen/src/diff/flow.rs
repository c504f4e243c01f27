//! Flow: which way values of each type travel, between whom, and under which capability.
//!
//! Params travel from the sender of a method to its receiver, results back. For a verdict only those methods count that
//! the sender's edition has and the receiver's edition knows, and only what the receiver reads as the same definition:
//! what becomes of the others is said about the method itself, or about the place that has another definition now.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::edition::{Index, Node};
use super::report::{Flow, Outcome, Verdict};
use super::wire;
use crate::lists::Lists;
use crate::model::{Additional, Content, Method, MethodKind, Role, Shape, Type, TypeRef};
use crate::names;

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

/// A type of one edition by its number, and the capability that something in it needs of its own.
pub(super) type Carrier<'a> = (Option<usize>, Option<&'a String>);

/// Who writes what in both meetings. Types are known by their numbers.
pub(super) struct Flows {
    gates: Vec<String>,
    /// What clients write, by the types of the writer's edition, for each meeting; then what servers write.
    written: [[Vec<Conditions>; 2]; 2],
    /// What it is read as, by the types of the reader's edition.
    read: [[Vec<Conditions>; 2]; 2],
    /// Every flow of an edition's types, whatever the other edition knows.
    overall: [Vec<Flow>; 2],
}

fn other(role: Role) -> Role {
    match role {
        Role::Client => Role::Server,
        Role::Server => Role::Client,
    }
}

fn side(role: Role) -> usize {
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

/// Who may send a method: where the schema lists it for nobody, the direction is unknown, and both are judged.
pub(super) fn senders(method: &Method) -> &[Role] {
    match method.senders.as_slice() {
        [] => &[Role::Client, Role::Server],
        known => known,
    }
}

/// All capabilities that a method needs, by whoever declares them.
pub(super) fn gates(method: &Method) -> Vec<String> {
    let mut gates: Vec<String> =
        [Role::Client, Role::Server].iter().filter_map(|sender| gate(method, *sender).cloned()).collect();
    gates.dedup();
    gates
}

impl Flows {
    pub(super) fn new(old: &Index<'_>, new: &Index<'_>) -> Self {
        let mut gates: BTreeSet<String> = BTreeSet::new();
        for method in old.model.methods.iter().chain(&new.model.methods) {
            gates.extend(self::gates(method));
        }
        gates.extend([old, new].into_iter().flat_map(|index| index.model.gates.values().cloned()));
        let mut flows = Self {
            gates: gates.into_iter().collect(),
            written: Default::default(),
            read: Default::default(),
            overall: Default::default(),
        };
        let (mut old, mut new) = (Speaker::new(old), Speaker::new(new));
        let is_unknown = |writer: Role| old.answers(writer) || new.answers(writer);
        if is_unknown(Role::Client) || is_unknown(Role::Server) {
            (old.strays, new.strays) = (old.astray(), new.astray());
        }
        for meeting in Meeting::BOTH {
            for writer in [Role::Client, Role::Server] {
                let written = flows.carried(writer, writer, meeting, [&old, &new]);
                let read = flows.carried(writer, other(writer), meeting, [&old, &new]);
                for (all, one) in [(&mut flows.written, written), (&mut flows.read, read)] {
                    if let Some(place) = all.get_mut(side(writer)).and_then(|both| both.get_mut(place(meeting))) {
                        *place = one;
                    }
                }
            }
        }
        let [before, after] = &mut flows.overall;
        for (speaker, overall) in [(old, before), (new, after)] {
            overall.resize(speaker.index.types().len(), Flow::default());
            for writer in [Role::Client, Role::Server] {
                let roots = speaker.everything(writer).into_iter().map(|number| (number, ALWAYS)).collect();
                let reached = speaker.graph.reached(roots, &|_| ALWAYS);
                for (flow, _) in overall.iter_mut().zip(reached).filter(|(_, conditions)| *conditions != 0) {
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

    /// What a side writes in a meeting, as the edition of one of the sides has it, and under which conditions.
    fn carried(
        &self,
        writer: Role,
        seen_by: Role,
        meeting: Meeting,
        [old, new]: [&Speaker<'_, '_>; 2],
    ) -> Vec<Conditions> {
        let speaker = |role: Role| if meeting.age(role) == Age::Old { old } else { new };
        let index = |role: Role| speaker(role).index;
        let Speaker { index: mine, graph, envelopes, errors, responses, .. } = speaker(seen_by);
        let mut roots: Vec<(usize, Conditions)> = Vec::new();
        // Where nothing is known of methods, anything may be written by anybody.
        let unknown = old.index.model.methods.is_empty() && new.index.model.methods.is_empty();
        let mut always = if unknown { all(mine) } else { sent(mine, envelopes, writer).collect() };
        always.extend(unclaimed(mine, writer));
        if old.answers(writer) || new.answers(writer) {
            always.extend(&speaker(seen_by).strays);
        }
        always.extend(sent(mine, errors, writer));
        roots.extend(always.into_iter().map(|number| (number, ALWAYS)));
        for sender in [Role::Client, Role::Server] {
            let (theirs, receiver) = (index(sender), index(other(sender)));
            for method in theirs.model.methods.iter().filter(|method| senders(method).contains(&sender)) {
                // A request and a request inside a result are two ways to ask the same. That the receiver of one does
                // not know the other is said about the method; what it says and what answers it counts in both.
                let is_notified = |method: &Method| method.kind == MethodKind::Notification;
                let known = receiver
                    .method(&method.method)
                    .is_some_and(|known| is_notified(known) == is_notified(method) && senders(known).contains(&sender));
                let Some(mine) = mine.method(&method.method).filter(|_| known) else { continue };
                let bit = self.bit(gate(method, sender));
                let mut write = |name: &str| roots.extend(graph.index.number(name).map(|number| (number, bit)));
                match sender == writer {
                    true => write(&mine.message),
                    false => {
                        results(mine).for_each(&mut write);
                        let envelopes = mine.result.as_ref().and_then(|name| responses.get(name.as_str()));
                        envelopes.into_iter().flatten().copied().for_each(write);
                    }
                }
            }
        }
        graph.reached(roots, &|gate| self.bit(Some(gate)))
    }

    /// Whether values of a type travel in an edition.
    pub(super) fn travels(&self, old: Option<usize>, new: Option<usize>) -> bool {
        self.of(old, new).iter().any(|flow| *flow != Flow::default())
    }

    /// Which way a type travels in each edition.
    pub(super) fn of(&self, old: Option<usize>, new: Option<usize>) -> [Flow; 2] {
        let [before, after] = &self.overall;
        let one = |flows: &[Flow], number: Option<usize>| {
            number.and_then(|number| flows.get(number)).copied().unwrap_or_default()
        };
        [one(before, old), one(after, new)]
    }

    /// Under which conditions a change hurts in a meeting. The type that it is in is given by its numbers in both editions,
    /// each with the capability of its own that the place of the change needs.
    pub(super) fn hurts(&self, meeting: Meeting, effect: Effect, old: Carrier<'_>, new: Carrier<'_>) -> Conditions {
        let mut conditions = 0;
        for writer in [Role::Client, Role::Server] {
            let ((number, gate), (read_as, _), breaks) = match meeting.age(writer) {
                Age::Old => (old, new, effect.new_reader),
                Age::New => (new, old, effect.old_reader),
            };
            let at = |all: &[[Vec<Conditions>; 2]; 2], number: usize| {
                let both = all.get(side(writer))?;
                both.get(place(meeting))?.get(number).copied().filter(|conditions| *conditions != 0)
            };
            // Who reads something else in its place is hurt there, if at all.
            let is_read = read_as.is_none_or(|number| at(&self.read, number).is_some());
            if breaks
                && is_read
                && let Some(met) = number.and_then(|number| at(&self.written, number))
            {
                conditions |= gate.map_or(met, |gate| self.bit(Some(gate)));
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

impl Flow {
    /// The flow of what some side sends.
    pub(super) fn from(senders: &[Role]) -> Self {
        Self { client_to_server: senders.contains(&Role::Client), server_to_client: senders.contains(&Role::Server) }
    }

    /// The flow of what answers it.
    pub(super) fn back(self) -> Self {
        Self { client_to_server: self.server_to_client, server_to_client: self.client_to_server }
    }

    /// The flow of what is in one edition only is that of this edition (`true` for the new one). What is in both
    /// travels as it does in both or, if it has turned round, either way.
    pub(super) fn over([before, after]: [Self; 2], only_in: Option<bool>) -> Self {
        let common = Self {
            client_to_server: before.client_to_server && after.client_to_server,
            server_to_client: before.server_to_client && after.server_to_client,
        };
        match only_in {
            Some(true) => after,
            Some(false) => before,
            None if common != Self::default() => common,
            None => before.or(after),
        }
    }

    /// Either way.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            client_to_server: self.client_to_server || other.client_to_server,
            server_to_client: self.server_to_client || other.server_to_client,
        }
    }
}

/// An edition, with what somebody who speaks it writes besides messages of methods.
struct Speaker<'i, 'a> {
    index: &'i Index<'a>,
    graph: Graph<'i, 'a>,
    envelopes: Vec<(usize, &'a Type)>,
    /// Errors with one code.
    errors: Vec<(usize, &'a Type)>,
    /// The envelopes of responses by the results in them.
    responses: HashMap<&'a str, Vec<&'a str>>,
    /// Definitions that nothing leads to, by their numbers, where there are requests of which nobody knows the result:
    /// each of them may be it.
    strays: Vec<usize>,
}

impl<'i, 'a> Speaker<'i, 'a> {
    fn new(index: &'i Index<'a>) -> Self {
        let (errors, envelopes, responses, strays) = (Vec::new(), Vec::new(), HashMap::new(), Vec::new());
        let mut speaker = Self { index, graph: Graph::new(index), envelopes, errors, responses, strays };
        let embedded = embedded(index);
        // All that is to be known of a type is looked at in one go, as long as it is at hand.
        for (number, (type_name, ty)) in index.types().enumerate() {
            speaker.graph.add(ty, &embedded);
            if ty.definition.is_none() {
                continue;
            }
            if is_envelope(ty) {
                speaker.envelopes.push((number, ty));
            }
            if wire::refines(index, index.members_of(ty)) {
                speaker.errors.push((number, ty));
            }
            for result in answered(index, ty) {
                speaker.responses.entry(result).or_default().push(type_name);
            }
        }
        speaker
    }

    /// Whether a side answers requests with results that neither the facts nor a list of the schema name.
    fn answers(&self, writer: Role) -> bool {
        let is_unknown = |method: &Method| {
            method.kind != MethodKind::Notification
                && method.result.is_none()
                && senders(method).contains(&other(writer))
        };
        self.index.definition(names::results_of(writer)).is_none() && self.index.model.methods.iter().any(is_unknown)
    }

    /// The definitions that neither messages nor known results lead to.
    fn astray(&self) -> Vec<usize> {
        let methods = self.index.model.methods.iter();
        let names = methods.flat_map(|method| results(method).chain(Some(method.message.as_str())));
        let mut roots: Vec<usize> = names.filter_map(|name| self.index.number(name)).collect();
        roots.extend(self.envelopes.iter().chain(&self.errors).map(|(number, _)| *number));
        let reached = self.graph.reached(roots.into_iter().map(|root| (root, ALWAYS)).collect(), &|_| ALWAYS);
        // What lists messages is none itself.
        let definitions = self.index.definitions().filter(|definition| !names::is_list_of_messages(definition.name));
        definitions.map(|definition| definition.number).filter(|number| reached.get(*number) == Some(&0)).collect()
    }

    /// Everything a side writes.
    fn everything(&self, writer: Role) -> Vec<usize> {
        if self.index.model.methods.is_empty() {
            return all(self.index);
        }
        let mut roots: Vec<usize> = sent(self.index, &self.envelopes, writer).collect();
        roots.extend(unclaimed(self.index, writer));
        if self.answers(writer) {
            roots.extend(&self.strays);
        }
        for method in &self.index.model.methods {
            let sent = senders(method).contains(&writer);
            let answered = senders(method).contains(&other(writer));
            let names = sent.then_some(method.message.as_str()).into_iter();
            let names = names.chain(results(method).filter(|_| answered));
            roots.extend(names.filter_map(|name| self.index.number(name)));
        }
        roots
    }
}

fn results(method: &Method) -> impl Iterator<Item = &str> {
    method.result.iter().chain(&method.also).map(String::as_str)
}

fn all(index: &Index<'_>) -> Vec<usize> {
    (0..index.types().len()).collect()
}

/// Whether a definition is a message that is no method's: the envelope of all messages, or an error with a shape of its
/// own.
fn is_envelope(ty: &Type) -> bool {
    let is_error = match &ty.shape {
        Shape::Struct(object) => {
            let has = |wire: &str| object.members.iter().any(|member| member.wire == wire);
            has("jsonrpc") && has("error")
        }
        _ => false,
    };
    is_error || ty.definition.as_deref() == Some("JSONRPCMessage")
}

/// Those of some messages and errors that a side sends.
fn sent(index: &Index<'_>, all: &[(usize, &Type)], writer: Role) -> impl Iterator<Item = usize> {
    all.iter().filter(move |(_, ty)| sends(index, &ty.shape, writer)).map(|(number, _)| *number)
}

/// Whether a side sends an error of this shape: one with a code of its own may come from one side only.
fn sends(index: &Index<'_>, error: &Shape, writer: Role) -> bool {
    let code = |node: Node<'_>| match node {
        Node::Object { members, .. } => wire::code(members),
        _ => None,
    };
    let inner = match error {
        Shape::Struct(object) => object.members.iter().find(|member| member.wire == "error"),
        _ => None,
    };
    let code = match inner.map(|member| &member.content) {
        Some(Content::Field(field)) => code(index.resolve(&field.ty).node),
        _ => code(index.node(error)),
    };
    let mut known = index.model.error_codes.iter().filter(|known| Some(known.code) == code).peekable();
    known.peek().is_none() || known.any(|known| known.sent_by.is_none_or(|role| role == writer))
}

/// Answers that a side lists and that answer no method we know: the schema is newer than the facts about it.
fn unclaimed(index: &Index<'_>, writer: Role) -> impl Iterator<Item = usize> {
    let variants = match index.definition(names::results_of(writer)).map(|ty| &ty.shape) {
        Some(Shape::Union(union)) => union.variants.as_slice(),
        _ => &[],
    };
    let names = variants.iter().filter_map(|variant| index.used(&variant.ty)).filter(|name| *name != "Result");
    let definitions = names.filter_map(|name| index.find(name));
    definitions.filter(|definition| !index.is_result(definition.type_name)).map(|definition| definition.number)
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
    let Some(result) = field.ty.named() else { return Vec::new() };
    let results = match index.ty(result).map(|ty| &ty.shape) {
        Some(Shape::Union(union)) => union.variants.iter().filter_map(|variant| variant.ty.named()).collect(),
        _ => vec![result],
    };
    let of_method = |name: &&str| index.is_result(name) && index.definition_of(name) != Some("Result");
    results.into_iter().filter(of_method).collect()
}

/// Which types values of a type contain, by their numbers. Each type is met under several conditions, from several sides
/// and in several meetings, so that its name is looked up once and for all.
struct Graph<'i, 'a> {
    index: &'i Index<'a>,
    /// Types that are used in each, with the finer condition that they need there.
    uses: Lists<(usize, Option<&'a String>)>,
}

/// Requests inside results, and what answers them, by their numbers.
fn embedded(index: &Index<'_>) -> HashSet<usize> {
    let methods = index.model.methods.iter().filter(|method| method.kind == MethodKind::Embedded);
    let names = methods.flat_map(|method| method.result.iter().chain(&method.also).chain(Some(&method.message)));
    names.filter_map(|name| index.number(name)).collect()
}

impl<'i, 'a> Graph<'i, 'a> {
    fn new(index: &'i Index<'a>) -> Self {
        Self { index, uses: Lists::with_capacity(index.types().len()) }
    }

    /// Adds the next type. What is embedded is a root of its own with a capability of its own, so that nothing leads into
    /// it from outside.
    fn add(&mut self, ty: &'a Type, embedded: &HashSet<usize>) {
        let index = self.index;
        let mut add = |ty: &'a TypeRef, outer: Option<&'a String>| {
            let number = ty.named().and_then(|name| index.number(name));
            let number = number.filter(|number| !embedded.contains(number));
            self.uses.extend(number.map(|number| (number, index.gate_of(number).or(outer))));
        };
        match &ty.shape {
            Shape::Struct(object) => {
                for member in &object.members {
                    if let Content::Field(field) = &member.content {
                        let owner = ty.definition.as_deref();
                        add(&field.ty, owner.and_then(|definition| index.gate(definition, Some(&member.wire))));
                    }
                }
                if let Additional::Typed(values) = &object.additional {
                    add(values, None);
                }
            }
            Shape::Union(union) => union.variants.iter().for_each(|variant| add(&variant.ty, None)),
            Shape::Alias(target) => add(target, None),
            Shape::StringEnum(_) => {}
        }
        self.uses.end();
    }

    /// All types that values of these types contain, and under which conditions: those of the roots, or the finer one
    /// that something on the way needs.
    fn reached(&self, roots: Vec<(usize, Conditions)>, bit: &dyn Fn(&String) -> Conditions) -> Vec<Conditions> {
        let mut met: Vec<Conditions> = vec![0; self.uses.len()];
        let mut open = roots;
        while let Some((number, conditions)) = open.pop() {
            let Some(known) = met.get_mut(number).filter(|known| **known & conditions != conditions) else { continue };
            *known |= conditions;
            for (used, gate) in self.uses.get(number) {
                let conditions = gate.map_or(conditions, bit);
                if met.get(*used).is_some_and(|known| known & conditions != conditions) {
                    open.push((*used, conditions));
                }
            }
        }
        met
    }
}
