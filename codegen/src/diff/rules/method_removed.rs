//! A method that nobody may send any more.

use super::{Hit, Rule, described};
use crate::diff::flow::Age;
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "method.removed",
    title: "Method removed",
    reason: "A receiver that does not know a request answers with an error; an unknown notification is ignored.",
    severity: Severity::Breaking,
    mirror: "method.added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Method { method, is_new: false } => {
            let hit = Hit::new(format!("is gone: {}", described(method))).with("method", method.method.as_str());
            Some(hit.of_one_edition(method, Age::Old))
        }
        _ => None,
    }
}
