//! A value that may be more than it could.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.type-widened",
    title: "Type widened",
    reason: "A reader does not expect the values that are new.",
    severity: Severity::Breaking,
    mirror: "field.type-narrowed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Value { relation: Relation::Wider } => {
            Some(Hit::new("accepts more than before").read_by(Relation::Wider))
        }
        _ => None,
    }
}
