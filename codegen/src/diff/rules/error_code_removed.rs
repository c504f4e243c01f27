//! A code of errors that means nothing in particular any more.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "error-code.removed",
    title: "Error code removed",
    reason: "Who still waits for the code does not get it.",
    severity: Severity::Compatible,
    mirror: "error-code.added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Code { name, old: Some(code), new: None } => {
            Some(Hit::new(format!("is no code any more; it was {code}")).with("name", *name).with("code", *code))
        }
        _ => None,
    }
}
