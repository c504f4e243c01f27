//! Something that a side can declare now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Site};

pub(super) const RULE: Rule = Rule {
    id: "capability.added",
    title: "Capability added",
    reason: "Who does not know it does not declare it, and ignores it.",
    severity: Severity::Compatible,
    mirror: "capability.removed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: true, of: Owner::Capabilities } => {
            Some(Hit::new("can be declared now").with("capability", member.wire.as_str()))
        }
        _ => None,
    }
}
