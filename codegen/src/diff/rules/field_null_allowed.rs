//! A value that may be null now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.null-allowed",
    title: "Null allowed",
    reason: "A reader does not expect `null`.",
    severity: Severity::Breaking,
    mirror: "field.null-forbidden",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Null { is_new: true } => Some(Hit::new("may be null now").read_by(Relation::Wider)),
        _ => None,
    }
}
