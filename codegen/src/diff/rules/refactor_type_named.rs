//! A definition for what stood inside others before.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "refactor.type-named",
    title: "Type named",
    reason: "Where something is written down is not on the wire.",
    severity: Severity::Refactor,
    mirror: "refactor.type-inlined",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Named { definition, is_new: true } => {
            Some(Hit::new("is a definition now; it stood inside others").with("type", *definition))
        }
        _ => None,
    }
}
