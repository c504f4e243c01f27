//! What a schema says in a keyword or two.

use serde_json::{Map, Value};

use super::ANNOTATIONS;

pub(super) fn constant(value: &Value) -> Option<&Value> {
    value.as_object().and_then(|members| members.get("const"))
}

/// Whether a schema needs a name of its own.
pub(super) fn is_lifted(value: &Value) -> bool {
    let Value::Object(members) = value else { return false };
    if members.contains_key("$ref") || sole_reference(members).is_some() {
        return false;
    }
    let several = members
        .get("type")
        .and_then(Value::as_array)
        .is_some_and(|kinds| kinds.iter().filter(|kind| *kind != "null").count() > 1);
    let object = members.get("type").is_some_and(|kind| kind == "object");
    let not_empty = |keyword| match members.get(keyword) {
        Some(Value::Object(properties)) => !properties.is_empty(),
        Some(Value::Array(names)) => !names.is_empty(),
        _ => false,
    };
    let closed = members.get("additionalProperties") == Some(&Value::Bool(false));
    several
        || members.contains_key("anyOf")
        || members.contains_key("allOf")
        || members.contains_key("enum")
        || members.contains_key("const")
        || (object && (not_empty("properties") || not_empty("required") || closed))
}

/// The reference in an `allOf` of nothing else: the way to put a description beside a reference in draft-07.
pub(super) fn sole_reference(members: &Map<String, Value>) -> Option<&Value> {
    match members.get("allOf")?.as_array()?.as_slice() {
        [only]
            if only.get("$ref").is_some()
                && members.keys().all(|keyword| keyword == "allOf" || ANNOTATIONS.contains(&keyword.as_str())) =>
        {
            Some(only)
        }
        _ => None,
    }
}

pub(super) fn doc(value: &Value) -> Option<String> {
    value.get("description").and_then(Value::as_str).map(str::to_owned)
}

pub(super) fn is_deprecated(value: &Value) -> bool {
    value.get("deprecated").and_then(Value::as_bool).unwrap_or(false)
}

pub(super) fn without_docs(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| *name != "description")
            .map(|(name, value)| (name.clone(), without_docs(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_docs).collect(),
        other => other.clone(),
    }
}
