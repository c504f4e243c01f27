//! A definition with (nearly) the same content under another name; what else changed in it is reported by itself.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "refactor.type-renamed",
    title: "Type renamed",
    reason: "Names of types are not on the wire.",
    severity: Severity::Refactor,
    mirror: "refactor.type-renamed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Renamed { old, new, evidence } => {
            let hit = Hit::new(format!("was called `{old}`")).with("old", *old).with("new", *new);
            Some(hit.noting(evidence.clone()))
        }
        _ => None,
    }
}
