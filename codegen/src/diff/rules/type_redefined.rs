//! A name that means something of another kind. Where its old content has a new name, uses are compared with that.

use super::{Hit, Rule, article};
use crate::diff::report::Severity;
use crate::diff::walk::Site;

pub(super) const RULE: Rule = Rule {
    id: "type.redefined",
    title: "Type redefined",
    reason: "The name means something else now; code that goes by it has to change.",
    severity: Severity::Breaking,
    mirror: "type.redefined",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::Reused { definition, old_kind, new_kind, relation } => {
            let hit = Hit::new(format!(
                "means something else: it was {}, and is {} now",
                article(old_kind),
                article(new_kind)
            ));
            let hit = hit.with("type", *definition).with("old", *old_kind).with("new", *new_kind);
            Some(hit.read_by(*relation))
        }
        _ => None,
    }
}
