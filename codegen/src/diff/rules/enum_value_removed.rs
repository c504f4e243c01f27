//! A value of an enum that is not listed any more.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "enum.value-removed",
    title: "Enum value removed",
    reason: "A reader no longer knows a value that may still be written.",
    severity: Severity::Breaking,
    mirror: "enum.value-added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::EnumValue { value, is_new: false, open } => {
            let hit = Hit::new(format!("is no longer `{value}`")).with("value", *value);
            Some(if *open { hit.noting("other values stay valid") } else { hit.read_by(Relation::Narrower) })
        }
        _ => None,
    }
}
