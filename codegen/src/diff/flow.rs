//! Flow: which way values of each type travel, between whom, and under which capability.
//!
//! Params travel from the sender of a method to its receiver, results travel back. A verdict on a type counts only
//! methods that both sides know, and only places where the receiver reads the same definition. The change of the method
//! reports the other methods, and the change of the place reports the other definitions.

mod graph;
mod speaker;

use std::collections::BTreeSet;

use super::both::{Age, Both};
use super::index::Index;
use super::report::{Flow, Outcome, Verdict};
use crate::model::{Method, MethodKind, Role};
use speaker::Speaker;
pub(super) use speaker::is_response;

/// The two meetings of programs that verdicts are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    OldClientNewServer,
    NewClientOldServer,
}

impl Meeting {
    pub(super) const BOTH: [Self; 2] = [Self::OldClientNewServer, Self::NewClientOldServer];

    fn age(self, role: Role) -> Age {
        match (self, role) {
            (Self::OldClientNewServer, Role::Client) | (Self::NewClientOldServer, Role::Server) => Age::Old,
            _ => Age::New,
        }
    }

    /// The meeting in which this side uses this edition.
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

/// The number of a type, and the capability that the changed place in it needs besides that of the method.
pub(super) type Carrier<'a> = (Option<usize>, Option<&'a String>);

/// Who writes what in both meetings. Types are known by their numbers.
pub(super) struct Flows {
    gates: Vec<String>,
    /// What each side writes in each meeting, by the types of the writer's edition; see [`cell`].
    written: [Vec<Conditions>; 4],
    /// What the other side reads it as, by the types of the reader's edition.
    read: [Vec<Conditions>; 4],
    /// Which way the types of each edition travel, whatever the other edition knows.
    overall: Both<Vec<Flow>>,
}

/// The index for what a side writes in a meeting.
fn cell(writer: Role, meeting: Meeting) -> usize {
    match (writer, meeting) {
        (Role::Client, Meeting::OldClientNewServer) => 0,
        (Role::Client, Meeting::NewClientOldServer) => 1,
        (Role::Server, Meeting::OldClientNewServer) => 2,
        (Role::Server, Meeting::NewClientOldServer) => 3,
    }
}

const SIDES: [Role; 2] = [Role::Client, Role::Server];

fn other(role: Role) -> Role {
    match role {
        Role::Client => Role::Server,
        Role::Server => Role::Client,
    }
}

/// The capability that must be declared before a side uses a method. If each side has a capability for it, the one of
/// the serving side counts: the receiver of a request, the sender of a notification.
pub(super) fn gate(method: &Method, sender: Role) -> Option<&String> {
    let serving = if method.kind == MethodKind::Notification { sender } else { other(sender) };
    let (client, server) = (method.client_capability.as_ref(), method.server_capability.as_ref());
    match serving {
        Role::Client => client.or(server),
        Role::Server => server.or(client),
    }
}

/// The capabilities that a method needs, whichever side declares them.
pub(super) fn gates(method: &Method) -> Vec<String> {
    let mut gates: Vec<String> = SIDES.iter().filter_map(|sender| gate(method, *sender).cloned()).collect();
    gates.dedup();
    gates
}

/// The sides that may send a method. If no list of the schema has it, the direction is unknown and both sides count.
pub(super) fn senders(method: &Method) -> &[Role] {
    match method.senders.as_slice() {
        [] => &SIDES,
        known => known,
    }
}

impl Flows {
    pub(super) fn new(index: Both<&Index<'_>>) -> Self {
        let mut gates: BTreeSet<String> = BTreeSet::new();
        for index in index.each() {
            gates.extend(index.model.methods.iter().flat_map(self::gates));
            gates.extend(index.model.gates.values().cloned());
        }
        let mut flows = Self {
            gates: gates.into_iter().collect(),
            written: Default::default(),
            read: Default::default(),
            overall: Both::default(),
        };
        let mut speakers = index.map(Speaker::new);
        let is_unknown = |writer: &Role| speakers.as_ref().each().iter().any(|speaker| speaker.answers(*writer));
        if SIDES.iter().any(is_unknown) {
            Age::BOTH.into_iter().for_each(|age| speakers.get_mut(age).find_strays());
        }
        for meeting in Meeting::BOTH {
            for writer in SIDES {
                let written = flows.carried(writer, writer, meeting, speakers.as_ref());
                let read = flows.carried(writer, other(writer), meeting, speakers.as_ref());
                for (all, one) in [(&mut flows.written, written), (&mut flows.read, read)] {
                    all.get_mut(cell(writer, meeting)).into_iter().for_each(|cell| cell.clone_from(&one));
                }
            }
        }
        flows.overall = speakers.map(|speaker| speaker.overall());
        flows
    }

    /// The condition under which a method with this capability is used.
    pub(super) fn condition(&self, gate: Option<&String>) -> Conditions {
        let Some(gate) = gate else { return ALWAYS };
        match self.gates.binary_search(gate) {
            // If there are more capabilities than bits, the others count as declared.
            Ok(index) if index < 63 => 1 << (index + 1),
            _ => ALWAYS,
        }
    }

    /// What a side writes in a meeting, in terms of the edition of the writer or the reader, and under which
    /// conditions.
    fn carried(
        &self,
        writer: Role,
        seen_by: Role,
        meeting: Meeting,
        speakers: Both<&Speaker<'_, '_>>,
    ) -> Vec<Conditions> {
        let speaker = speakers.of(meeting.age(seen_by));
        // If no method is known, each side may write anything.
        let is_unknown = speakers.each().iter().all(|speaker| speaker.index.model.methods.is_empty());
        let mut always = if is_unknown { speaker.all() } else { speaker.envelopes(writer).collect() };
        always.extend(speaker.unclaimed(writer));
        if speakers.each().iter().any(|speaker| speaker.answers(writer)) {
            always.extend(&speaker.strays);
        }
        always.extend(speaker.errors(writer));
        let mut roots: Vec<(usize, Conditions)> = always.into_iter().map(|number| (number, ALWAYS)).collect();
        for sender in SIDES {
            let (theirs, receiver) =
                (speakers.of(meeting.age(sender)).index, speakers.of(meeting.age(other(sender))).index);
            for method in theirs.model.methods.iter().filter(|method| senders(method).contains(&sender)) {
                // A request and a request inside a result ask the same. The change of the method reports that a
                // receiver of one does not know the other; the params and results count for both.
                let is_notified = |method: &Method| method.kind == MethodKind::Notification;
                let is_known = receiver
                    .method(&method.method)
                    .is_some_and(|known| is_notified(known) == is_notified(method) && senders(known).contains(&sender));
                let Some(mine) = speaker.index.method(&method.method).filter(|_| is_known) else { continue };
                let condition = self.condition(gate(method, sender));
                let messages = speaker.written(mine, sender == writer);
                roots.extend(messages.into_iter().map(|number| (number, condition)));
            }
        }
        speaker.graph.reached(roots, &|gate| self.condition(Some(gate)))
    }

    /// Whether values of a type travel in its edition.
    pub(super) fn travels(&self, age: Age, number: usize) -> bool {
        self.overall.get(age).get(number).is_some_and(|flow| *flow != Flow::default())
    }

    /// Which way a type travels in each edition.
    pub(super) fn of(&self, numbers: Both<Option<usize>>) -> Both<Flow> {
        let all = self.overall.as_ref().zip(numbers);
        all.map(|(flows, number)| number.and_then(|number| flows.get(number)).copied().unwrap_or_default())
    }

    /// Under which conditions a change breaks a meeting. The type around it is given for both editions.
    pub(super) fn hurts(&self, meeting: Meeting, effect: Effect, carriers: Both<Carrier<'_>>) -> Conditions {
        let mut conditions = 0;
        for writer in SIDES {
            let age = meeting.age(writer);
            let ((number, gate), (read_as, _)) = (carriers.of(age), carriers.of(age.other()));
            let breaks = match age {
                Age::Old => effect.new_reader,
                Age::New => effect.old_reader,
            };
            let at = |all: &[Vec<Conditions>; 4], number: usize| {
                all.get(cell(writer, meeting))?.get(number).copied().filter(|conditions| *conditions != 0)
            };
            // If the reader reads another definition in this place, the change of that place reports it.
            let is_read = read_as.is_none_or(|number| at(&self.read, number).is_some());
            if breaks
                && is_read
                && let Some(met) = number.and_then(|number| at(&self.written, number))
            {
                conditions |= gate.map_or(met, |gate| self.condition(Some(gate)));
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
        let is_used = |index: &usize| outcome == Outcome::Unless && conditions & (2 << *index) != 0;
        let used = (0..self.gates.len().min(63)).filter(is_used);
        let capabilities = used.filter_map(|index| self.gates.get(index).cloned()).collect();
        Verdict { outcome, capabilities, reason: Some(reason.to_owned()) }
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

    /// The flow over both editions. If only one edition has the type, its flow counts. Otherwise it is the flow that
    /// both have in common or, if they have none, both flows.
    pub(super) fn over(flows: Both<Self>, only_in: Option<Age>) -> Self {
        let Both { old, new } = flows;
        let common = Self {
            client_to_server: old.client_to_server && new.client_to_server,
            server_to_client: old.server_to_client && new.server_to_client,
        };
        match only_in {
            Some(age) => flows.of(age),
            None if common != Self::default() => common,
            None => old.or(new),
        }
    }

    /// The union of two flows.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            client_to_server: self.client_to_server || other.client_to_server,
            server_to_client: self.server_to_client || other.server_to_client,
        }
    }
}
