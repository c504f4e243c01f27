//! A member that may be absent.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.added-optional",
    title: "Optional member added",
    reason: "Readers ignore members they do not know, and do not miss this one.",
    severity: Severity::Compatible,
    mirror: "field.removed-optional",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: true, of: Owner::Object } if !member.required => {
            let hit = Hit::new("was added; it may be absent").with("member", member.wire.as_str());
            Some(hit.deprecated_from_the_start(member))
        }
        _ => None,
    }
}
