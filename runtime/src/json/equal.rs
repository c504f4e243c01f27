//! Whether two texts mean the same value, and a hash that is the same for all that do.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use super::decimal::Decimal;
use super::value::JsonRef;
use crate::MAX_DEPTH;

/// Whether two valid texts mean the same value.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one == other || same_at(JsonRef::from_valid(one), JsonRef::from_valid(other), 0)
}

/// No message nests deeper, and what was made in memory and does is compared as text from there on.
fn same_at(one: JsonRef<'_>, other: JsonRef<'_>, depth: usize) -> bool {
    if one.text() == other.text() {
        return true;
    }
    if depth > MAX_DEPTH {
        return false;
    }
    if one.is_object() && other.is_object() {
        return same_members(one, other, depth);
    }
    if one.is_array() && other.is_array() {
        let (mut one, mut other) = (one.items(), other.items());
        return loop {
            match (one.next(), other.next()) {
                (None, None) => break true,
                (Some(one), Some(other)) if same_at(one, other, depth + 1) => {}
                _ => break false,
            }
        };
    }
    if one.is_number() && other.is_number() {
        return Decimal::of(one.text()) == Decimal::of(other.text());
    }
    // Words have one form only.
    one.is_string() && other.is_string() && one.as_str() == other.as_str()
}

fn same_members(one: JsonRef<'_>, other: JsonRef<'_>, depth: usize) -> bool {
    let (one, other) = (sorted(one), sorted(other));
    one.len() == other.len()
        && one.iter().zip(&other).all(|((name, value), (other_name, other_value))| {
            name == other_name && same_at(*value, *other_value, depth + 1)
        })
}

/// The members of an object by name. Of repeated ones the last one counts.
fn sorted(object: JsonRef<'_>) -> Vec<(Cow<'_, str>, JsonRef<'_>)> {
    let mut members: Vec<_> = object.members().collect();
    // Sorting keeps the order of those with one name, of which the first is kept.
    members.reverse();
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    members.dedup_by(|(one, _), (other, _)| one == other);
    members
}

/// Hashes the value that a text means.
pub(crate) fn hash<H: Hasher>(value: JsonRef<'_>, state: &mut H) {
    hash_at(value, state, 0);
}

fn hash_at<H: Hasher>(value: JsonRef<'_>, state: &mut H, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    if let Some(text) = value.as_str() {
        text.hash(state);
    } else if value.is_object() {
        let members = sorted(value);
        (b'{', members.len()).hash(state);
        for (name, value) in members {
            name.hash(state);
            hash_at(value, state, depth + 1);
        }
    } else if value.is_array() {
        b'['.hash(state);
        value.items().for_each(|item| hash_at(item, state, depth + 1));
        b']'.hash(state);
    } else if value.is_number() {
        Decimal::of(value.text()).hash(state);
    } else {
        value.text().hash(state);
    }
}
