//! A method that not the same sides may send.

use super::{Hit, Rule, senders, sent_by};
use crate::diff::flow::Age;
use crate::diff::report::Severity;
use crate::diff::walk::{MethodPart, Site};
use crate::model::Role;

pub(super) const RULE: Rule = Rule {
    id: "method.direction-changed",
    title: "Direction changed",
    reason: "A side receives a request that it does not expect; an unexpected notification is ignored.",
    severity: Severity::Breaking,
    mirror: "method.direction-changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::MethodChanged { old, new, what: MethodPart::Senders } => {
            let only = |these: &[Role], those: &[Role]| -> Vec<Role> {
                these.iter().filter(|role| !those.contains(role)).copied().collect()
            };
            let hit = Hit::new(format!("is sent by {} now, not by {}", sent_by(&new.senders), sent_by(&old.senders)));
            let hit = hit.with("old", senders(old)).with("new", senders(new));
            let (stopped, began) = (only(&old.senders, &new.senders), only(&new.senders, &old.senders));
            Some(hit.sent_by(old, Age::Old, &stopped).sent_by(new, Age::New, &began))
        }
        _ => None,
    }
}
