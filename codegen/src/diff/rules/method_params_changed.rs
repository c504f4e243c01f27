//! A method that has params now, or has none any more.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{MethodPart, Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "method.params-changed",
    title: "Params changed",
    reason: "A receiver relies on params that the sender may leave out.",
    severity: Severity::Breaking,
    mirror: "method.params-changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::MethodChanged { old, new, what: MethodPart::Params } => {
            let says = if new.params.is_some() { "has params now" } else { "has no params any more" };
            let relation = match (new.params.is_some(), new.params_required || old.params_required) {
                (_, false) => Relation::Same,
                (true, true) => Relation::Narrower,
                (false, true) => Relation::Wider,
            };
            let hit = Hit::new(says).with("old", old.params.is_some()).with("new", new.params.is_some());
            Some(hit.read_by(relation))
        }
        _ => None,
    }
}
