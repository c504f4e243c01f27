//! A request that may be answered with other results.

use super::{Hit, Rule, results};
use crate::diff::report::Severity;
use crate::diff::walk::{MethodPart, Site};
use crate::model::Method;

pub(super) const RULE: Rule = Rule {
    id: "method.result-changed",
    title: "Result changed",
    reason: "The sender of a request does not know a result that is new.",
    severity: Severity::Breaking,
    mirror: "method.result-changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::MethodChanged { old, new, what: MethodPart::Results { on_request } } => {
            let hit = Hit::new(format!("is answered with {} now, not with {}", results(new), results(old)));
            let names =
                |method: &Method| -> Vec<String> { method.result.iter().chain(&method.also).cloned().collect() };
            let (before, after) = (names(old), names(new));
            let hit = hit.with("old", before.clone()).with("new", after.clone());
            // A result that only comes to who asks for it surprises nobody.
            let surprises =
                |name: &String, known: &[String]| !known.contains(name) && !on_request.contains(&name.as_str());
            let is_new = after.iter().any(|name| surprises(name, &before));
            let is_gone = before.iter().any(|name| surprises(name, &after));
            Some(hit.answered(old, is_gone, new, is_new))
        }
        _ => None,
    }
}
