//! A definition that others were made from, or that only named what is valid without it.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Purpose, Site};

pub(super) const RULE: Rule = Rule {
    id: "refactor.helper-removed",
    title: "Helper removed",
    reason: "Messages stay what they were with it.",
    severity: Severity::Refactor,
    mirror: "refactor.helper-added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Type { definition, is_new: false, purpose } => {
            let says = match purpose {
                Purpose::Message => return None,
                Purpose::Name => "is gone, and only named what is valid without it",
                Purpose::Base => "is gone, but no message contained it",
            };
            Some(Hit::new(says).with("type", *definition))
        }
        _ => None,
    }
}
