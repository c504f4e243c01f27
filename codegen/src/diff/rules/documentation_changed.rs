//! A description in other words, or one that is new or gone.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "documentation.changed",
    title: "Documentation changed",
    reason: "Words are not on the wire.",
    severity: Severity::Documentation,
    mirror: "documentation.changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Words => Some(Hit::new("is described in other words")),
        _ => None,
    }
}
