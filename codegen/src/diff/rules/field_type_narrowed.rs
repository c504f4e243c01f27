//! A value that may be less than it could.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.type-narrowed",
    title: "Type narrowed",
    reason: "A reader no longer expects values that may still be written.",
    severity: Severity::Breaking,
    mirror: "field.type-widened",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Value { relation: Relation::Narrower } => {
            Some(Hit::new("accepts less than before").read_by(Relation::Narrower))
        }
        _ => None,
    }
}
