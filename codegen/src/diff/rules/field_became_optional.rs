//! A member that had to be there and may be absent now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.became-optional",
    title: "Member became optional",
    reason: "A reader relies on what the writer may now leave out.",
    severity: Severity::Breaking,
    mirror: "field.became-required",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Presence { member, is_required: false } => {
            let hit = Hit::new("became optional").with("member", member.wire.as_str());
            Some(hit.relied_on(member, Relation::Wider))
        }
        _ => None,
    }
}
