//! A limit that fewer values keep: `minimum`, `maximum`, `minItems`, `maxItems`, `minLength`, `maxLength`, `format`.

use super::{Hit, Rule, limit};
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "constraint.tightened",
    title: "Constraint tightened",
    reason: "A reader that checks the limit refuses what may still be written.",
    severity: Severity::Breaking,
    mirror: "constraint.loosened",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Limit { keyword, old, new, relation: Relation::Narrower } => {
            let hit = Hit::new(limit(keyword, old.as_ref(), new.as_ref())).with("keyword", *keyword);
            Some(hit.with("old", old.clone()).with("new", new.clone()).read_by(Relation::Narrower))
        }
        _ => None,
    }
}
