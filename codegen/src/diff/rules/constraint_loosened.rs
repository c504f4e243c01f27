//! A limit that more values keep, or that is gone.

use super::{Hit, Rule, limit};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "constraint.loosened",
    title: "Constraint loosened",
    reason: "A reader that checks the old limit refuses what may be written now.",
    severity: Severity::Breaking,
    mirror: "constraint.tightened",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Limit { keyword, old, new, relation: Relation::Wider } => {
            let hit = Hit::new(limit(keyword, old.as_ref(), new.as_ref())).with("keyword", *keyword);
            Some(hit.with("old", old.clone()).with("new", new.clone()).read_by(Relation::Wider))
        }
        _ => None,
    }
}
