//! A limit of another kind, such as another `format`.

use super::{Hit, Rule, limit};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "constraint.changed",
    title: "Constraint changed",
    reason: "Neither side keeps the limit that the other one checks.",
    severity: Severity::Breaking,
    mirror: "constraint.changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Limit { keyword, old, new, relation: Relation::Other } => {
            let hit = Hit::new(limit(keyword, old.as_ref(), new.as_ref())).with("keyword", *keyword);
            Some(hit.with("old", old.clone()).with("new", new.clone()).read_by(Relation::Other))
        }
        _ => None,
    }
}
