//! A definition that others were made from; no message contained it.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "refactor.helper-removed",
    title: "Helper removed",
    reason: "No message contained it.",
    severity: Severity::Refactor,
    mirror: "refactor.helper-added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Type { definition, is_new: false, on_wire: false } => {
            Some(Hit::new("is gone, but no message contained it").with("type", *definition))
        }
        _ => None,
    }
}
