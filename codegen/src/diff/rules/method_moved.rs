//! A method whose messages are of another kind: a request of its own, a notification, a request inside a result.

use super::{Hit, Rule, described, kind, results};
use crate::diff::flow::{self, Age};
use crate::diff::report::Severity;
use crate::diff::walk::{MethodPart, Site};

pub(super) const RULE: Rule = Rule {
    id: "method.moved",
    title: "Method moved",
    reason: "A request that stands inside a result is no message of its own: the receiver of one does not know the other.",
    severity: Severity::Breaking,
    mirror: "method.moved",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::MethodChanged { old, new, what: MethodPart::Kind { same_results } } => {
            let hit = Hit::new(format!("was {}, and is {} now", described(old), described(new)));
            let hit = hit.with("old", kind(old)).with("new", kind(new));
            let hit = hit.sent_by(old, Age::Old, flow::senders(old)).sent_by(new, Age::New, flow::senders(new));
            Some(match same_results {
                true => hit,
                false => hit.noting(format!("it is answered with {} now, not with {}", results(new), results(old))),
            })
        }
        _ => None,
    }
}
