//! Something that new code should not use.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "deprecated.added",
    title: "Deprecated",
    reason: "It still works, and may go in a later revision.",
    severity: Severity::Notice,
    mirror: "deprecated.removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Deprecation { note, is_new: true } => Some(Hit::new("is deprecated").with("note", *note)),
        _ => None,
    }
}
