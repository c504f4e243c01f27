//! A definition that others are made from, or that only names what is valid without it.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Purpose, Site};

pub(super) const RULE: Rule = Rule {
    id: "refactor.helper-added",
    title: "Helper added",
    reason: "Messages are what they were without it.",
    severity: Severity::Refactor,
    mirror: "refactor.helper-removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Type { definition, is_new: true, purpose } => {
            let says = match purpose {
                Purpose::Message => return None,
                Purpose::Name => "is new, and only names what is valid without it",
                Purpose::Base => "is new, but no message contains it",
            };
            Some(Hit::new(says).with("type", *definition))
        }
        _ => None,
    }
}
