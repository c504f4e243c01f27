//! A member that could be absent.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Site};

pub(super) const RULE: Rule = Rule {
    id: "field.removed-optional",
    title: "Optional member removed",
    reason: "Readers did not rely on it, and ignore it where it still arrives.",
    severity: Severity::Compatible,
    mirror: "field.added-optional",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: false, of: Owner::Object } if !member.required => {
            Some(Hit::new("was removed; it could be absent").with("member", member.wire.as_str()))
        }
        _ => None,
    }
}
