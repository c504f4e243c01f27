//! A fixed value that is another one now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "const.changed",
    title: "Constant changed",
    reason: "Each side expects a value that the other one never writes.",
    severity: Severity::Breaking,
    mirror: "const.changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Constant { old, new } => {
            let hit = Hit::new(format!("is `{new}` now, it was `{old}`"));
            Some(hit.with("old", (*old).clone()).with("new", (*new).clone()).read_by(Relation::Other))
        }
        _ => None,
    }
}
