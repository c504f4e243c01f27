//! A definition that is written out where it is used.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "refactor.type-inlined",
    title: "Type written out",
    reason: "Where something is written down is not on the wire.",
    severity: Severity::Refactor,
    mirror: "refactor.type-named",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Named { definition, is_new: false } => {
            Some(Hit::new("is no definition any more; it stands inside others").with("type", *definition))
        }
        _ => None,
    }
}
