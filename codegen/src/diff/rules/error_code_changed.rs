//! An error with another number.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "error-code.changed",
    title: "Error code changed",
    reason: "Who waits for the old number takes the error for another one.",
    severity: Severity::Compatible,
    mirror: "error-code.changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Code { name, old: Some(old), new: Some(new) } => {
            let hit = Hit::new(format!("is {new} now, it was {old}"));
            Some(hit.with("name", *name).with("old", *old).with("new", *new))
        }
        _ => None,
    }
}
