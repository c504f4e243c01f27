//! A definition that messages of the new edition contain, and that was nothing before.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Purpose, Site};

pub(super) const RULE: Rule = Rule {
    id: "type.added",
    title: "Type added",
    reason: "What is new matters where it is used: as a member, an alternative, params or a result.",
    severity: Severity::Compatible,
    mirror: "type.removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Type { definition, is_new: true, purpose: Purpose::Message } => {
            Some(Hit::new("is new").with("type", *definition))
        }
        _ => None,
    }
}
