//! A keyword that cannot be compared: annotations that are more than prose, formats that nobody checks here.

use super::{Hit, Rule, limit};
use crate::diff::raw::NESTING;
use crate::diff::report::Severity;
use crate::diff::walk::{Relation, Site};

pub(super) const RULE: Rule = Rule {
    id: "unverified.keyword",
    title: "Keyword that cannot be compared",
    reason: "What the keyword means to either side is not known, so that nobody can say whom the change hurts.",
    severity: Severity::Unverified,
    mirror: "unverified.keyword",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Unheld { keyword, old, new } => {
            let hit = match keyword == NESTING {
                true => Hit::new("differs inside, too deep to be compared"),
                false => Hit::new(limit(keyword, old.as_ref(), new.as_ref())),
            };
            let hit = hit.with("keyword", keyword.as_str()).with("old", old.clone()).with("new", new.clone());
            Some(hit.read_by(Relation::Other))
        }
        _ => None,
    }
}
