//! Methods, error codes, and messages as a whole.

use super::Claim;
use super::catalogue::*;
use crate::diff::both::{Age, Both};
use crate::diff::difference::{MethodPart, Relation};
use crate::diff::flow::{Meeting, gate, gates, senders};
use crate::diff::index;
use crate::model::{Method, MethodKind, Phase, Role};

/// A method of one edition only. If it opens the connection, a side that waits for it waits in vain.
pub(super) fn one_sided(method: &Method, only_in: Age) -> Claim {
    let claim = match only_in {
        Age::New => METHOD_ADDED.says(format!("is new: {}", described(method))),
        Age::Old => METHOD_REMOVED.says(format!("is gone: {}", described(method))),
    };
    let mut claim = claim.with("method", method.method.as_str());
    claim.reason = match method.kind {
        MethodKind::Notification => "An unknown notification is ignored.",
        _ => "A receiver that does not know a request answers with an error.",
    };
    let claim = sent_by(claim, method, only_in, senders(method));
    match method.phase {
        Phase::Handshake => sent_by(claim, method, only_in.other(), senders(method))
            .noting("it opens the connection: who expects it refuses everything that comes without it"),
        _ => claim,
    }
}

pub(super) fn changed(methods: Both<&Method>, part: &MethodPart<'_>) -> Claim {
    match part {
        MethodPart::Kind { same_results } => moved(methods, *same_results),
        MethodPart::Senders => direction(methods),
        MethodPart::Params => params(methods),
        MethodPart::Results { on_request } => result(methods, on_request),
        MethodPart::Capability => capability(methods),
        MethodPart::Phase => {
            let names = methods.map(|method| serde_json::to_value(method.phase).unwrap_or_default());
            METHOD_PHASE.says("may be sent at another time").with_both(names)
        }
    }
}

fn moved(methods: Both<&Method>, same_results: bool) -> Claim {
    let kind = |method: &Method| match method.kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::Embedded => "embedded",
    };
    let Both { old, new } = methods.map(described);
    let mut claim = METHOD_MOVED.says(format!("was {old}, and is {new} now")).with_both(methods.map(kind));
    for (age, method) in methods.by_age() {
        claim = sent_by(claim, method, age, senders(method));
    }
    match same_results {
        true => claim,
        false => claim.noting(format!("it {}", answered(methods))),
    }
}

fn direction(methods: Both<&Method>) -> Claim {
    let names = |method: &Method| -> Vec<&str> {
        method.senders.iter().map(|role| if *role == Role::Client { "client" } else { "server" }).collect()
    };
    let Both { old, new } = methods.map(|method| sides(&method.senders));
    let mut claim = METHOD_DIRECTION.says(format!("is sent by {new} now, not by {old}")).with_both(methods.map(names));
    // The sides that stopped sending it, and those that began.
    for (age, method) in methods.by_age() {
        let others = &methods.of(age.other()).senders;
        let only: Vec<Role> = method.senders.iter().filter(|role| !others.contains(role)).copied().collect();
        claim = sent_by(claim, method, age, &only);
    }
    claim
}

fn params(methods: Both<&Method>) -> Claim {
    let has = methods.map(|method| method.params.is_some());
    let relation = match (has.new, methods.new.params_required || methods.old.params_required) {
        (_, false) => Relation::Same,
        (true, true) => Relation::Narrower,
        (false, true) => Relation::Wider,
    };
    let says = if has.new { "has params now" } else { "has no params any more" };
    METHOD_PARAMS.says(says).with_both(has).read_by(relation)
}

/// Other results. A result that is only sent to a side that asked for it surprises nobody.
fn result(methods: Both<&Method>, on_request: &[&str]) -> Claim {
    let names = methods.map(|method| index::results(method).collect::<Vec<&str>>());
    let mut claim = METHOD_RESULT.says(answered(methods)).with_both(names.clone());
    for (age, method) in methods.by_age() {
        // A side that asks with one edition gets a result that only the other one knows.
        let (known, given) = (names.get(age), names.get(age.other()));
        if given.iter().any(|name| !known.contains(name) && !on_request.contains(name)) {
            let senders = senders(method).iter();
            claim.meetings.extend(senders.map(|role| (Meeting::with(*role, age), gate(method, *role).cloned())));
        }
    }
    claim
}

fn capability(methods: Both<&Method>) -> Claim {
    let gates = methods.map(gates);
    let Both { old, new } = gates.as_ref().map(|gates| match &gates[..] {
        [] => "no capability".to_owned(),
        gates => format!("`{}`", gates.join("` or `")),
    });
    METHOD_GATE.says(format!("needs {new} now, it needed {old}")).with_both(gates)
}

pub(super) fn error_code(name: &str, codes: Both<Option<i64>>) -> Option<Claim> {
    let claim = match (codes.old, codes.new) {
        (None, None) => return None,
        (None, Some(code)) => ERROR_CODE_ADDED.says(format!("is a code now: {code}")).with("code", code),
        (Some(code), None) => ERROR_CODE_REMOVED.says(format!("is no code any more; it was {code}")).with("code", code),
        (Some(old), Some(new)) => {
            ERROR_CODE_CHANGED.says(format!("is {new} now, it was {old}")).with("old", old).with("new", new)
        }
    };
    Some(claim.with("name", name))
}

pub(super) fn batches(only_in: Age) -> Claim {
    match only_in {
        Age::New => BATCH_ADDED.says("may be sent several at once, as one array").read_by(Relation::Wider),
        Age::Old => BATCH_REMOVED.says("may no longer be sent several at once").read_by(Relation::Narrower),
    }
}

/// Senders of one edition send a method that receivers of the other do not know. Unknown notifications are ignored.
fn sent_by(mut claim: Claim, method: &Method, age: Age, senders: &[Role]) -> Claim {
    if method.kind != MethodKind::Notification {
        claim.meetings.extend(senders.iter().map(|role| (Meeting::with(*role, age), gate(method, *role).cloned())));
    }
    claim
}

fn described(method: &Method) -> String {
    let kind = match method.kind {
        MethodKind::Request => "a request",
        MethodKind::Notification => "a notification",
        MethodKind::Embedded => "a request inside a result",
    };
    format!("{kind} of {}", sides(&method.senders))
}

fn sides(senders: &[Role]) -> &'static str {
    match senders {
        [] => "an unknown side",
        [Role::Client] => "clients",
        [Role::Server] => "servers",
        _ => "both sides",
    }
}

fn answered(methods: Both<&Method>) -> String {
    let Both { old, new } = methods.map(|method| {
        let names: Vec<String> = index::results(method).map(|name| format!("`{name}`")).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(" or ") }
    });
    format!("is answered with {new} now, not with {old}")
}
