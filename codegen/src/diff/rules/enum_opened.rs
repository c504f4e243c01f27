//! An enum that may have values besides those that are listed.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "enum.opened",
    title: "Enum opened",
    reason: "A reader does not expect values that are not listed.",
    severity: Severity::Breaking,
    mirror: "enum.closed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::EnumOpen { is_open: true } => Some(Hit::new("may have other values now").read_by(Relation::Wider)),
        _ => None,
    }
}
