//! A value that is something else now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.type-changed",
    title: "Type changed",
    reason: "Neither side expects what the other one writes.",
    severity: Severity::Breaking,
    mirror: "field.type-changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Value { relation: Relation::Other } => Some(Hit::new("is of another type").read_by(Relation::Other)),
        _ => None,
    }
}
