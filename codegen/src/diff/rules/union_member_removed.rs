//! An alternative that a union no longer has.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "union.member-removed",
    title: "Alternative removed",
    reason: "A reader no longer knows an alternative that may still be written.",
    severity: Severity::Breaking,
    mirror: "union.member-added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Alternative { label, is_new: false, passes_for } => {
            let hit = Hit::new(format!("is no longer `{label}`")).with("alternative", label.as_str());
            Some(hit.unless_it_passes_for(passes_for.as_deref(), Relation::Narrower))
        }
        _ => None,
    }
}
