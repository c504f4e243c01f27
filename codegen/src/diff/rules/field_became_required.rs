//! A member that could be absent and must be there now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.became-required",
    title: "Member became required",
    reason: "A writer may leave out what the reader now relies on.",
    severity: Severity::Breaking,
    mirror: "field.became-optional",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Presence { member, is_required: true } => {
            let hit = Hit::new("became required").with("member", member.wire.as_str());
            Some(hit.relied_on(member, Relation::Narrower))
        }
        _ => None,
    }
}
