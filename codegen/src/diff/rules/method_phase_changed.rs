//! A method that may be sent at another time: to open the connection, once it is open, at any time.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{MethodPart, Site};
use crate::model::Method;

pub(super) const RULE: Rule = Rule {
    id: "method.phase-changed",
    title: "Time of a method changed",
    reason: "A sender that goes by the old rule may send the method too early or too late.",
    severity: Severity::Compatible,
    mirror: "method.phase-changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::MethodChanged { old, new, what: MethodPart::Phase } => {
            let hit = Hit::new("may be sent at another time");
            let name = |method: &Method| serde_json::to_value(method.phase).unwrap_or_default();
            Some(hit.with("old", name(old)).with("new", name(new)))
        }
        _ => None,
    }
}
