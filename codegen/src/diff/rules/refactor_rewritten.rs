//! A definition whose schema differs, but says the same.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "refactor.rewritten",
    title: "Written differently",
    reason: "It accepts what it accepted.",
    severity: Severity::Refactor,
    mirror: "refactor.rewritten",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Rewritten { corrections } => Some(match &corrections[..] {
            [] => Hit::new("is written differently and says the same"),
            names => Hit::new("is written differently, and says the same once a known error is corrected")
                .noting(format!("corrected before the comparison: {}", names.join(", "))),
        }),
        _ => None,
    }
}
