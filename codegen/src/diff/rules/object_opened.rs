//! An object that may have other members now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "object.opened",
    title: "Object opened",
    reason: "Readers ignore members they do not know.",
    severity: Severity::Compatible,
    mirror: "object.closed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::ObjectOpen { is_open: true } => Some(Hit::new("may have other members now")),
        _ => None,
    }
}
