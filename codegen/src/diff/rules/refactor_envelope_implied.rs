//! A member of the JSON-RPC envelope that the definition of a message no longer repeats.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Site};

pub(super) const RULE: Rule = Rule {
    id: "refactor.envelope-implied",
    title: "Envelope implied",
    reason: "Every message still has the member, by the envelope around it.",
    severity: Severity::Refactor,
    mirror: "refactor.envelope-written-out",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: false, of: Owner::Envelope } => Some(
            Hit::new("is no longer written out here; every message still has it").with("member", member.wire.as_str()),
        ),
        _ => None,
    }
}
