//! Same: whether two schemas are the same.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Drops the alternatives that are exactly the same on both sides.
pub(super) fn leave_same(old: &mut Vec<&Map<String, Value>>, new: &mut Vec<&Map<String, Value>>) {
    if old.len() < 2 && new.len() < 2 {
        return;
    }
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let text = |schema: &Map<String, Value>| canonical_object(schema);
    new.iter().for_each(|schema| *known.entry(text(schema)).or_default() += 1);
    let mut gone: BTreeMap<String, usize> = BTreeMap::new();
    old.retain(|schema| {
        let text = text(schema);
        match known.get_mut(&text).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                *gone.entry(text).or_default() += 1;
                false
            }
            None => true,
        }
    });
    new.retain(|schema| match gone.get_mut(&text(schema)).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    });
}

/// A text that is the same for equal values: the order of members and the spelling of numbers do not count.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => canonical_object(members),
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => format!("{}", float as i64),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

pub(super) fn canonical_object(members: &Map<String, Value>) -> String {
    let sorted: BTreeMap<&String, &Value> = members.iter().collect();
    let members =
        sorted.into_iter().map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), canonical(value)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// Whether two schemas are the same, in the same order. Nearly all are, and this is the cheapest way to see it.
pub(in crate::diff) fn same_to_the_letter(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let is_same = |((name, value), (other, after)): ((&String, &Value), (&String, &Value))| {
                name == other && same_to_the_letter(value, after)
            };
            before.len() == after.len() && before.iter().zip(after).all(is_same)
        }
        (Value::Array(before), Value::Array(after)) => {
            let is_same = |(before, after): (&Value, &Value)| same_to_the_letter(before, after);
            before.len() == after.len() && before.iter().zip(after).all(is_same)
        }
        _ => before == after,
    }
}

/// Whether two schemas differ in descriptions and in the keyword of definitions only.
pub(in crate::diff) fn same_but_for_words(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let own = |name: &&String| *name != "description";
            before.keys().filter(own).count() == after.keys().filter(own).count()
                && before.iter().filter(|(name, _)| own(name)).all(|(name, value)| {
                    after.get(name).is_some_and(|other| match (value, other) {
                        (Value::String(value), Value::String(other)) if name == "$ref" => {
                            value.rsplit('/').next() == other.rsplit('/').next()
                        }
                        _ => same_but_for_words(value, other),
                    })
                })
        }
        (Value::Array(before), Value::Array(after)) => {
            before.len() == after.len()
                && before.iter().zip(after).all(|(before, after)| same_but_for_words(before, after))
        }
        _ => before == after,
    }
}
