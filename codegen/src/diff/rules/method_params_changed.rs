//! A method that has params now, or has none any more.

use super::{Hit, Rule};
use crate::diff::report::Severity;
use crate::diff::walk::{MethodPart, Site};

pub(super) const RULE: Rule = Rule {
    id: "method.params-changed",
    title: "Params changed",
    reason: "Params that are new or gone are compared like any other type; a method that had none is called differently.",
    severity: Severity::Compatible,
    mirror: "method.params-changed",
    check,
};

fn check(site: &Site<'_>) -> Option<Hit> {
    match site {
        Site::MethodChanged { old, new, what: MethodPart::Params } => {
            let says = if new.params.is_some() { "has params now" } else { "has no params any more" };
            Some(Hit::new(says).with("old", old.params.is_some()).with("new", new.params.is_some()))
        }
        _ => None,
    }
}
