//! A use of a definition that became the use of another one with the same content.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "refactor.reference",
    title: "Reference replaced",
    reason: "Which of two equal definitions is referred to is not on the wire.",
    severity: Severity::Refactor,
    mirror: "refactor.reference",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Reference { old, new } => {
            let hit = Hit::new(format!("refers to `{new}` now, it was `{old}`; both say the same"));
            Some(hit.with("old", *old).with("new", *new))
        }
        _ => None,
    }
}
