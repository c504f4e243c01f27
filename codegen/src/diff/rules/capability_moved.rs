//! A capability that stands elsewhere. It is made from one that was removed and one that was added with the same content.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "capability.moved",
    title: "Capability moved",
    reason: "Who looks for it in its old place does not find it.",
    severity: Severity::Breaking,
    mirror: "capability.moved",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Moved { old, new, member } => {
            let hit = Hit::new(format!("was `{old}`, and is declared there now"));
            let hit = if member.required { hit.demanded(member, Relation::Other) } else { hit };
            Some(hit.with("old", old.as_str()).with("new", new.as_str()))
        }
        _ => None,
    }
}
