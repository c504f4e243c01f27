//! Values: their types, limits, enums and unions, and what cannot be compared about them.

use serde_json::Value;

use super::Claim;
use super::catalogue::*;
use crate::diff::both::{Age, Both};
use crate::diff::difference::Relation;
use crate::diff::keywords::NESTING;

pub(super) fn value(relation: Relation) -> Option<Claim> {
    let (rule, says) = match relation {
        Relation::Same => return None,
        Relation::Wider => (&FIELD_TYPE_WIDENED, "accepts more than before"),
        Relation::Narrower => (&FIELD_TYPE_NARROWED, "accepts less than before"),
        Relation::Other => (&FIELD_TYPE_CHANGED, "is of another type"),
    };
    Some(rule.says(says).read_by(relation))
}

pub(super) fn null(allowed_in: Age) -> Claim {
    match allowed_in {
        Age::New => FIELD_NULL_ALLOWED.says("may be null now").read_by(Relation::Wider),
        Age::Old => FIELD_NULL_FORBIDDEN.says("may no longer be null").read_by(Relation::Narrower),
    }
}

pub(super) fn limit(keyword: &str, values: Both<Option<Value>>, relation: Relation) -> Option<Claim> {
    let rule = match relation {
        Relation::Same => return None,
        Relation::Wider => &CONSTRAINT_LOOSENED,
        Relation::Narrower => &CONSTRAINT_TIGHTENED,
        Relation::Other => &CONSTRAINT_CHANGED,
    };
    Some(rule.says(keyword_words(keyword, &values)).with("keyword", keyword).with_both(values).read_by(relation))
}

/// A keyword that nobody can compare: an annotation that is more than prose, a format that nobody checks.
pub(super) fn keyword(keyword: &str, values: Both<Option<Value>>) -> Claim {
    let claim = UNVERIFIED_KEYWORD.says(match keyword == NESTING {
        true => "differs inside, too deep to be compared".to_owned(),
        false => keyword_words(keyword, &values),
    });
    claim.with("keyword", keyword).with_both(values).read_by(Relation::Other)
}

fn keyword_words(keyword: &str, values: &Both<Option<Value>>) -> String {
    match (&values.old, &values.new) {
        (None, Some(new)) => format!("has `{keyword}` {new} now"),
        (Some(old), None) => format!("has no `{keyword}` any more; it was {old}"),
        (Some(old), Some(new)) => format!("has `{keyword}` {new} now, it was {old}"),
        (None, None) => format!("has no `{keyword}`"),
    }
}

pub(super) fn constant(values: Both<&Value>) -> Claim {
    let claim = CONST_CHANGED.says(format!("is `{}` now, it was `{}`", values.new, values.old));
    claim.with_both(values.map(Value::clone)).read_by(Relation::Other)
}

pub(super) fn enum_value(value: &str, only_in: Age, is_open: bool) -> Claim {
    let (claim, note, relation) = match only_in {
        Age::New => {
            let claim = ENUM_VALUE_ADDED.says(format!("may be `{value}` now"));
            (claim, "other values were valid before", Relation::Wider)
        }
        Age::Old => {
            let claim = ENUM_VALUE_REMOVED.says(format!("is no longer `{value}`"));
            (claim, "other values stay valid", Relation::Narrower)
        }
    };
    let claim = claim.with("value", value);
    if is_open { claim.noting(note) } else { claim.read_by(relation) }
}

pub(super) fn enum_open(is_open: bool) -> Claim {
    match is_open {
        true => ENUM_OPENED.says("may have other values now").read_by(Relation::Wider),
        false => ENUM_CLOSED.says("may have the listed values only").read_by(Relation::Narrower),
    }
}

/// An alternative of a union. It hurts no reader who takes it for one that it knows.
pub(super) fn alternative(label: &str, only_in: Age, passes_for: Option<&str>) -> Claim {
    let (claim, relation) = match only_in {
        Age::New => (UNION_MEMBER_ADDED.says(format!("may be `{label}` now")), Relation::Wider),
        Age::Old => (UNION_MEMBER_REMOVED.says(format!("is no longer `{label}`")), Relation::Narrower),
    };
    let claim = claim.with("alternative", label);
    match passes_for {
        Some(known) => claim
            .with("passes_for", known)
            .noting(format!("who does not know it reads it as `{known}`, and misses nothing")),
        None => claim.read_by(relation),
    }
}
