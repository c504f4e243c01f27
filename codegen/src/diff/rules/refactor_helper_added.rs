//! A definition that others are made from, or that says again what is known; no message contains it.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "refactor.helper-added",
    title: "Helper added",
    reason: "No message contains it.",
    severity: Severity::Refactor,
    mirror: "refactor.helper-removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Type { definition, is_new: true, on_wire: false } => {
            Some(Hit::new("is new, but no message contains it").with("type", *definition))
        }
        _ => None,
    }
}
