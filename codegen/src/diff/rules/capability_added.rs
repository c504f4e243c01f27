//! Something that a side can declare now, or has to.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "capability.added",
    title: "Capability added",
    reason: "Who does not know it does not declare it, which hurts only those who have to find it.",
    severity: Severity::Breaking,
    mirror: "capability.removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: true, of: Owner::Capabilities } => {
            let hit = match member.required {
                false => Hit::new("can be declared now"),
                true => Hit::new("has to be declared now").demanded(member, Relation::Narrower),
            };
            Some(hit.with("capability", member.wire.as_str()))
        }
        _ => None,
    }
}
