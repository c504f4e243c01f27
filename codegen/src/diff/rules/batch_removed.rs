//! Messages that can no longer be sent as one array.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "batch.removed",
    title: "Batches removed",
    reason: "A receiver no longer expects several messages in one array.",
    severity: Severity::Breaking,
    mirror: "batch.added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Batches { is_new: false } => {
            Some(Hit::new("may no longer be sent several at once").read_by(Relation::Narrower))
        }
        _ => None,
    }
}
