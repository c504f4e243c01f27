//! Another dialect of JSON Schema: `definitions` became `$defs`.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "refactor.dialect",
    title: "Dialect changed",
    reason: "The keyword that definitions stand under is not on the wire.",
    severity: Severity::Refactor,
    mirror: "refactor.dialect",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Dialect { old, new } => {
            let hit = Hit::new(format!("holds the definitions now, it was `{old}`"));
            Some(hit.with("old", *old).with("new", *new))
        }
        _ => None,
    }
}
