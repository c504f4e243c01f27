//! A member that must be there. Where its absence has a meaning of its own, nobody misses it.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.added-required",
    title: "Required member added",
    reason: "A writer that does not know the member leaves it out, and the reader misses it.",
    severity: Severity::Breaking,
    mirror: "field.removed-required",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: true, of: Owner::Object } if member.required => {
            let hit = Hit::new("was added; it must be there").with("member", member.wire.as_str());
            let hit = hit.deprecated_from_the_start(member);
            Some(hit.relied_on(member, Relation::Narrower))
        }
        _ => None,
    }
}
