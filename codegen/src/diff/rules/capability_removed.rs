//! Something that a side can no longer declare.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Site};

pub(super) const RULE: Rule = Rule {
    id: "capability.removed",
    title: "Capability removed",
    reason: "Who still declares it is not understood, but not refused either.",
    severity: Severity::Compatible,
    mirror: "capability.added",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: false, of: Owner::Capabilities } => {
            Some(Hit::new("can no longer be declared").with("capability", member.wire.as_str()))
        }
        _ => None,
    }
}
