//! A value that could be null.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.null-forbidden",
    title: "Null forbidden",
    reason: "A reader no longer expects the `null` that may still be written.",
    severity: Severity::Breaking,
    mirror: "field.null-allowed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Null { is_new: false } => Some(Hit::new("may no longer be null").read_by(Relation::Narrower)),
        _ => None,
    }
}
