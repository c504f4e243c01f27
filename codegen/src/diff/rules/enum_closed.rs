//! An enum that may have the listed values only.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "enum.closed",
    title: "Enum closed",
    reason: "A reader no longer expects values that are not listed.",
    severity: Severity::Breaking,
    mirror: "enum.opened",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::EnumOpen { is_open: false } => {
            Some(Hit::new("may have the listed values only").read_by(Relation::Narrower))
        }
        _ => None,
    }
}
