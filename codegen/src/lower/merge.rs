//! `allOf` in, one schema out.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::endless::LONGEST_CHAIN;
use crate::error::{Error, Result, step};
use crate::load::Schema;

/// Merges the branches of an `allOf`, and what stands beside it, into one schema. Also says which definitions went in.
pub(super) fn all_of(
    schema: &Schema,
    members: &Map<String, Value>,
    pointer: &str,
) -> Result<(Map<String, Value>, Vec<String>)> {
    let mut known = Known::new();
    let merged = merge(schema, members, pointer, &mut Vec::new(), &mut known)?;
    Ok((merged, known.into_keys().collect()))
}

/// Definitions that have been merged, so that each is merged once however often it is included.
type Known = BTreeMap<String, Map<String, Value>>;

fn merge(
    schema: &Schema,
    members: &Map<String, Value>,
    pointer: &str,
    seen: &mut Vec<String>,
    known: &mut Known,
) -> Result<Map<String, Value>> {
    let mut merged = members.clone();
    let Some(branches) = merged.shift_remove("allOf") else { return Ok(merged) };
    let pointer = step(pointer, "allOf");
    let Value::Array(branches) = branches else {
        return Err(Error::schema(&schema.file, pointer, "not a list", "list the schemas that all hold"));
    };
    for (index, branch) in branches.iter().enumerate() {
        let pointer = step(&pointer, &index.to_string());
        let depth = seen.len();
        let branch = resolve(schema, branch, &pointer, seen, known)?;
        combine(schema, &mut merged, branch, &pointer, true)?;
        seen.truncate(depth);
    }
    Ok(merged)
}

/// Follows a reference and merges what it finds.
fn resolve(
    schema: &Schema,
    branch: &Value,
    pointer: &str,
    seen: &mut Vec<String>,
    known: &mut Known,
) -> Result<Map<String, Value>> {
    let Value::Object(members) = branch else {
        return Err(Error::schema(
            &schema.file,
            pointer,
            format!("{branch} where a schema is expected"),
            "write an object",
        ));
    };
    let Some(reference) = members.get("$ref").and_then(Value::as_str) else {
        return merge(schema, members, pointer, seen, known);
    };
    let prefix = format!("#/{}/", schema.keyword);
    let name =
        reference.strip_prefix(&prefix).map(|name| name.replace("~1", "/").replace("~0", "~")).unwrap_or_default();
    let Some(target) = schema.definitions().get(&name) else {
        return Err(Error::schema(
            &schema.file,
            step(pointer, "$ref"),
            format!("{reference:?}, which is not a definition of this file"),
            format!("refer to a definition as `{prefix}Name`"),
        ));
    };
    if seen.contains(&name) {
        return Err(Error::schema(&schema.file, pointer, format!("`{name}` includes itself"), "break the circle"));
    }
    if seen.len() > LONGEST_CHAIN {
        let found = format!("a chain of more than {LONGEST_CHAIN} definitions, each including the next");
        return Err(Error::schema(&schema.file, pointer, found, "shorten the chain"));
    }
    if let Some(merged) = known.get(&name) {
        return Ok(merged.clone());
    }
    seen.push(name.clone());
    let merged = resolve(schema, target, pointer, seen, known)?;
    known.insert(name, merged.clone());
    Ok(merged)
}

/// Adds the constraints of `other` to `merged`. The documentation of a branch is not that of the whole.
fn combine(
    schema: &Schema,
    merged: &mut Map<String, Value>,
    other: Map<String, Value>,
    pointer: &str,
    branch: bool,
) -> Result<()> {
    let fail = |keyword: &str, found: String| {
        Err(Error::schema(
            &schema.file,
            step(pointer, keyword),
            found,
            "merge the schemas by hand, or add a fixup that does",
        ))
    };
    for (keyword, value) in other {
        match (keyword.as_str(), merged.get_mut(&keyword), value) {
            ("description" | "title", Some(_), _) => {}
            ("description" | "title", None, _) if branch => {}
            ("additionalProperties", known, value) => {
                // An object that is open on one side only would need to know which members the other side declares.
                let open = |value: &Value| *value == Value::Bool(true) || value.as_object().is_some_and(Map::is_empty);
                if !open(&value) || known.is_some_and(|known| !open(known)) {
                    return fail(&keyword, "restricted members inside `allOf`, which are not supported".to_owned());
                }
                merged.entry(keyword).or_insert(value);
            }
            ("properties", Some(Value::Object(known)), Value::Object(properties)) => {
                let pointer = step(pointer, &keyword);
                for (name, property) in properties {
                    match (known.get_mut(&name), property) {
                        (None, property) => {
                            known.insert(name, property);
                        }
                        (Some(known), property) if *known == property || says_nothing(&property) => {}
                        (Some(known), property) if says_nothing(known) => *known = property,
                        (Some(Value::Object(known)), Value::Object(property))
                            if !known.contains_key("$ref") && !property.contains_key("$ref") =>
                        {
                            combine(schema, known, property, &step(&pointer, &name), false)?;
                        }
                        (Some(_), _) => {
                            return fail(&name, "a member that two branches describe differently".to_owned());
                        }
                    }
                }
            }
            ("required", Some(Value::Array(known)), Value::Array(names)) => {
                for name in names {
                    if !known.contains(&name) {
                        known.push(name);
                    }
                }
            }
            ("type", Some(known), value) if *known == value || *known == "integer" && value == "number" => {}
            ("type", Some(known), value) if *known == "number" && value == "integer" => *known = value,
            (_, Some(known), value) if *known == value => {}
            (_, None, value) => {
                merged.insert(keyword, value);
            }
            (_, Some(known), value) => {
                let found = format!("`{keyword}` is both {known} and {value}");
                return fail(&keyword, found);
            }
        }
    }
    Ok(())
}

/// Whether a schema accepts every value.
fn says_nothing(schema: &Value) -> bool {
    match schema {
        Value::Bool(accepts) => *accepts,
        Value::Object(members) => members.keys().all(|keyword| keyword == "description" || keyword == "title"),
        _ => false,
    }
}
