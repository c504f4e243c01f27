//! A value of an enum. Where other values are valid as well, readers are prepared for it.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "enum.value-added",
    title: "Enum value added",
    reason: "A reader does not know the value.",
    severity: Severity::Breaking,
    mirror: "enum.value-removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::EnumValue { value, is_new: true, open } => {
            let hit = Hit::new(format!("may be `{value}` now")).with("value", *value);
            Some(if *open { hit.noting("other values were valid before") } else { hit.read_by(Relation::Wider) })
        }
        _ => None,
    }
}
