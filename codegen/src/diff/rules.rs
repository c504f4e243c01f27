//! The catalogue of rules: what a site means, and for whom.
//!
//! One rule per file. A rule looks at one site at a time and says whether it applies, in words and as data, and whom it
//! hurts. Every rule has a mirror, which applies to the same site when the editions change places.

mod batch_added;
mod batch_removed;
mod capability_added;
mod capability_moved;
mod capability_removed;
mod const_changed;
mod constraint_changed;
mod constraint_loosened;
mod constraint_tightened;
mod deprecated_added;
mod deprecated_removed;
mod documentation_changed;
mod enum_closed;
mod enum_opened;
mod enum_value_added;
mod enum_value_removed;
mod error_code_added;
mod error_code_changed;
mod error_code_removed;
mod field_added_optional;
mod field_added_required;
mod field_became_optional;
mod field_became_required;
mod field_null_allowed;
mod field_null_forbidden;
mod field_removed_optional;
mod field_removed_required;
mod field_type_changed;
mod field_type_narrowed;
mod field_type_widened;
mod method_added;
mod method_direction_changed;
mod method_gate_changed;
mod method_moved;
mod method_params_changed;
mod method_phase_changed;
mod method_removed;
mod method_result_changed;
mod object_closed;
mod object_opened;
mod refactor_dialect;
mod refactor_envelope_implied;
mod refactor_envelope_written_out;
mod refactor_helper_added;
mod refactor_helper_removed;
mod refactor_reference;
mod refactor_rewritten;
mod refactor_type_inlined;
mod refactor_type_named;
mod refactor_type_renamed;
mod type_added;
mod type_redefined;
mod type_removed;
mod union_member_added;
mod union_member_removed;
mod unverified_keyword;

use std::collections::BTreeMap;

use serde_json::Value;

use super::flow::{self, Age, Effect, Meeting, gate, gates};
use super::report::Severity;
use super::walk::{Relation, Site};
use crate::model::{Content, Field, Member, Method, MethodKind, Phase, Role};

/// A kind of change.
pub struct Rule {
    /// Its name, which stays the same.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Why it matters.
    pub reason: &'static str,
    /// How bad it is at worst. Where nobody is hurt, it is compatible.
    pub severity: Severity,
    /// The rule that applies when the editions change places.
    pub mirror: &'static str,
    pub(super) check: fn(&Site<'_>) -> Option<Hit>,
}

/// Every rule, in the order of the documentation.
pub const CATALOGUE: &[Rule] = &[
    type_added::RULE,
    type_removed::RULE,
    type_redefined::RULE,
    field_added_optional::RULE,
    field_removed_optional::RULE,
    field_added_required::RULE,
    field_removed_required::RULE,
    field_became_required::RULE,
    field_became_optional::RULE,
    field_type_widened::RULE,
    field_type_narrowed::RULE,
    field_type_changed::RULE,
    field_null_allowed::RULE,
    field_null_forbidden::RULE,
    constraint_tightened::RULE,
    constraint_loosened::RULE,
    constraint_changed::RULE,
    const_changed::RULE,
    enum_value_added::RULE,
    enum_value_removed::RULE,
    enum_opened::RULE,
    enum_closed::RULE,
    object_opened::RULE,
    object_closed::RULE,
    union_member_added::RULE,
    union_member_removed::RULE,
    unverified_keyword::RULE,
    method_added::RULE,
    method_removed::RULE,
    method_moved::RULE,
    method_direction_changed::RULE,
    method_params_changed::RULE,
    method_result_changed::RULE,
    method_gate_changed::RULE,
    method_phase_changed::RULE,
    capability_added::RULE,
    capability_removed::RULE,
    capability_moved::RULE,
    error_code_added::RULE,
    error_code_removed::RULE,
    error_code_changed::RULE,
    batch_added::RULE,
    batch_removed::RULE,
    deprecated_added::RULE,
    deprecated_removed::RULE,
    documentation_changed::RULE,
    refactor_type_renamed::RULE,
    refactor_type_named::RULE,
    refactor_type_inlined::RULE,
    refactor_reference::RULE,
    refactor_helper_added::RULE,
    refactor_helper_removed::RULE,
    refactor_envelope_written_out::RULE,
    refactor_envelope_implied::RULE,
    refactor_dialect::RULE,
    refactor_rewritten::RULE,
];

/// A rule by its id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().find(|rule| rule.id == id)
}

/// What a rule has to say about a site.
#[derive(Debug, Clone, Default)]
pub(super) struct Hit {
    /// What follows the path in a sentence.
    pub(super) says: String,
    pub(super) arguments: BTreeMap<String, Value>,
    pub(super) note: Option<String>,
    /// Why it matters here, where the rule speaks of more than this.
    pub(super) reason: Option<&'static str>,
    /// Who cannot read whom, where the type travels.
    pub(super) effect: Effect,
    /// Meetings in which a request finds nobody, or a result surprises, and the capability that has to be declared for it.
    pub(super) meetings: Vec<(Meeting, Option<String>)>,
}

impl Hit {
    fn new(says: impl Into<String>) -> Self {
        Self { says: says.into(), ..Self::default() }
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.insert(name.to_owned(), value.into());
        self
    }

    fn noting(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// What is new and deprecated at once has no earlier edition in which it was not.
    fn deprecated_from_the_start(self, member: &Member) -> Self {
        match &member.deprecated {
            Some(note) => self.noting(format!("deprecated from the start: {note}")),
            None => self,
        }
    }

    /// Readers of one edition do not expect values of the other.
    fn read_by(mut self, relation: Relation) -> Self {
        self.effect = Effect {
            old_reader: matches!(relation, Relation::Wider | Relation::Other),
            new_reader: matches!(relation, Relation::Narrower | Relation::Other),
        };
        self
    }

    /// The same for an alternative, which hurts no reader that takes it for one it knows.
    fn unless_it_passes_for(self, known: Option<&str>, relation: Relation) -> Self {
        match known {
            Some(known) => self
                .with("passes_for", known)
                .noting(format!("who does not know it reads it as `{known}`, and misses nothing")),
            None => self.read_by(relation),
        }
    }

    /// Senders of one edition send what receivers of the other do not know. Unknown notifications are ignored.
    fn sent_by(mut self, method: &Method, age: Age, senders: &[Role]) -> Self {
        if method.kind != MethodKind::Notification {
            self.meetings.extend(senders.iter().map(|role| (Meeting::with(*role, age), gate(method, *role).cloned())));
        }
        self
    }

    /// A method of one edition only. Who waits for the one that opens the connection waits in vain where the other side
    /// does not know it.
    fn of_one_edition(mut self, method: &Method, age: Age) -> Self {
        self.reason = Some(match method.kind {
            MethodKind::Notification => "An unknown notification is ignored.",
            _ => "A receiver that does not know a request answers with an error.",
        });
        let hit = self.sent_by(method, age, flow::senders(method));
        match method.phase {
            Phase::Handshake => {
                let other = if age == Age::Old { Age::New } else { Age::Old };
                hit.sent_by(method, other, flow::senders(method))
                    .noting("it opens the connection: who expects it refuses everything that comes without it")
            }
            _ => hit,
        }
    }

    /// Who asked with one edition gets a result that only the other one knows.
    fn answered(mut self, old: &Method, is_gone: bool, new: &Method, is_new: bool) -> Self {
        for (asking, age, hurts) in [(old, Age::Old, is_new), (new, Age::New, is_gone)] {
            if hurts {
                let senders = flow::senders(asking).iter();
                self.meetings.extend(senders.map(|role| (Meeting::with(*role, age), gate(asking, *role).cloned())));
            }
        }
        self
    }

    /// A capability that is not a matter of choice is relied on as any other member.
    fn demanded(mut self, member: &Member, by: Relation) -> Self {
        self.reason = Some("A reader relies on what the writer does not know and leaves out.");
        self.relied_on(member, by)
    }

    /// Readers of one edition rely on a member that the others leave out, unless its absence has a meaning of its own.
    fn relied_on(self, member: &Member, by: Relation) -> Self {
        match &member.content {
            Content::Field(Field { absence: Some(value), .. }) => {
                self.noting(format!("where it is absent, it means `{value}`, which is another object")).read_by(by)
            }
            Content::Field(Field { initial: Some(value), .. }) => {
                self.noting(format!("where it is absent, it means `{value}`"))
            }
            _ => self.read_by(by),
        }
    }
}

fn article(kind: &str) -> String {
    match kind.starts_with(['a', 'e', 'i', 'o']) {
        true if kind.starts_with("any") => kind.to_owned(),
        true => format!("an {kind}"),
        false => format!("a {kind}"),
    }
}

fn limit(keyword: &str, old: Option<&Value>, new: Option<&Value>) -> String {
    match (old, new) {
        (None, Some(new)) => format!("has `{keyword}` {new} now"),
        (Some(old), None) => format!("has no `{keyword}` any more; it was {old}"),
        (Some(old), Some(new)) => format!("has `{keyword}` {new} now, it was {old}"),
        (None, None) => format!("has no `{keyword}`"),
    }
}

fn kind(method: &Method) -> &'static str {
    match method.kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::Embedded => "embedded",
    }
}

fn described(method: &Method) -> String {
    let kind = match method.kind {
        MethodKind::Request => "a request",
        MethodKind::Notification => "a notification",
        MethodKind::Embedded => "a request inside a result",
    };
    format!("{kind} of {}", sent_by(&method.senders))
}

fn sent_by(senders: &[Role]) -> &'static str {
    match senders {
        [] => "an unknown side",
        [Role::Client] => "clients",
        [Role::Server] => "servers",
        _ => "both sides",
    }
}

fn senders(method: &Method) -> Vec<&'static str> {
    let name = |role: &Role| if *role == Role::Client { "client" } else { "server" };
    method.senders.iter().map(name).collect()
}

fn results(method: &Method) -> String {
    let names: Vec<String> = method.result.iter().chain(&method.also).map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(" or ") }
}
