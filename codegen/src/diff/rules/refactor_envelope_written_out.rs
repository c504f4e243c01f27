//! A member of the JSON-RPC envelope that the definition of a message repeats now.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Owner, Site};

pub(super) const RULE: Rule = Rule {
    id: "refactor.envelope-written-out",
    title: "Envelope written out",
    reason: "Every message had the member already, by the envelope around it.",
    severity: Severity::Refactor,
    mirror: "refactor.envelope-implied",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Member { member, is_new: true, of: Owner::Envelope } => {
            Some(Hit::new("is written out here now; every message had it before").with("member", member.wire.as_str()))
        }
        _ => None,
    }
}
