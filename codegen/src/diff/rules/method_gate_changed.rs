//! A method that needs another capability to be declared.

use super::{Hit, Rule, gates};
use crate::diff::report::Severity;
use crate::diff::walk::{MethodPart, Site};
use crate::model::Method;

pub(super) const RULE: Rule = Rule {
    id: "method.gate-changed",
    title: "Capability of a method changed",
    reason: "A sender that goes by the old rule may send the method to a receiver that does not expect it.",
    severity: Severity::Compatible,
    mirror: "method.gate-changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::MethodChanged { old, new, what: MethodPart::Capability } => {
            let name = |method: &Method| match &gates(method)[..] {
                [] => "no capability".to_owned(),
                gates => format!("`{}`", gates.join("` or `")),
            };
            let hit = Hit::new(format!("needs {} now, it needed {}", name(new), name(old)));
            Some(hit.with("old", gates(old)).with("new", gates(new)))
        }
        _ => None,
    }
}
