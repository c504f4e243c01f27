//! Several messages that are sent as one array.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "batch.added",
    title: "Batches added",
    reason: "A receiver does not expect several messages in one array.",
    severity: Severity::Breaking,
    mirror: "batch.removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Batches { is_new: true } => {
            Some(Hit::new("may be sent several at once, as one array").read_by(Relation::Wider))
        }
        _ => None,
    }
}
