//! An object that must not have other members any more.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "object.closed",
    title: "Object closed",
    reason: "Readers ignore members they do not know, so one that is forbidden does no harm.",
    severity: Severity::Compatible,
    mirror: "object.opened",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::ObjectOpen { is_open: false } => Some(Hit::new("must not have other members")),
        _ => None,
    }
}
