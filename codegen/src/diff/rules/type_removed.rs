//! A definition that messages of the old edition contain, and that is nothing any more.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Purpose, Site};

pub(super) const RULE: Rule = Rule {
    id: "type.removed",
    title: "Type removed",
    reason: "What is gone matters where it was used: as a member, an alternative, params or a result.",
    severity: Severity::Compatible,
    mirror: "type.added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Type { definition, is_new: false, purpose: Purpose::Message } => {
            Some(Hit::new("is gone").with("type", *definition))
        }
        _ => None,
    }
}
