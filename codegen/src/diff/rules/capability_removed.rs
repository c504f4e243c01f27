//! Something that a side can no longer declare, or had to.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "capability.removed",
    title: "Capability removed",
    reason: "Who still declares it is not understood, but refused only by those who have to find it.",
    severity: Severity::Breaking,
    mirror: "capability.added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: false, of: Owner::Capabilities } => {
            let hit = match member.required {
                false => Hit::new("can no longer be declared"),
                true => Hit::new("had to be declared and no longer can be").demanded(member, Relation::Wider),
            };
            Some(hit.with("capability", member.wire.as_str()))
        }
        _ => None,
    }
}
