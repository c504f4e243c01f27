//! A member that had to be there.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.removed-required",
    title: "Required member removed",
    reason: "A reader that relies on the member misses it.",
    severity: Severity::Breaking,
    mirror: "field.added-required",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: false, of: Owner::Object } if member.required => {
            let hit = Hit::new("was removed; it had to be there").with("member", member.wire.as_str());
            Some(hit.relied_on(member, Relation::Wider))
        }
        _ => None,
    }
}
