//! An alternative of a union.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "union.member-added",
    title: "Alternative added",
    reason: "A reader does not know the alternative.",
    severity: Severity::Breaking,
    mirror: "union.member-removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Alternative { label, is_new: true, passes_for } => {
            let hit = Hit::new(format!("may be `{label}` now")).with("alternative", label.as_str());
            Some(hit.unless_it_passes_for(passes_for.as_deref(), Relation::Wider))
        }
        _ => None,
    }
}
