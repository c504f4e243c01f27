//! A code of errors that means something now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "error-code.added",
    title: "Error code added",
    reason: "Who does not know the code treats it as any other error.",
    severity: Severity::Compatible,
    mirror: "error-code.removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Code { name, old: None, new: Some(code) } => {
            Some(Hit::new(format!("is a code now: {code}")).with("name", *name).with("code", *code))
        }
        _ => None,
    }
}
