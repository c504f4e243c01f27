//! Something that new code may use again.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "deprecated.removed",
    title: "No longer deprecated",
    reason: "It is here to stay.",
    severity: Severity::Notice,
    mirror: "deprecated.added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Deprecation { note, is_new: false } => Some(Hit::new("is no longer deprecated").with("note", *note)),
        _ => None,
    }
}
