//! Where two documents differ.

use serde_json::Value;

use crate::report::Difference;

/// Differences beyond this many say nothing new.
const MOST: usize = 20;

/// The places where a document came back differently.
pub fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    if before != after {
        walk(before, after, &mut String::new(), &mut found);
    }
    found
}

fn walk(before: &Value, after: &Value, pointer: &mut String, found: &mut Vec<Difference>) {
    if before == after || found.len() >= MOST {
        return;
    }
    let length = pointer.len();
    match (before, after) {
        (Value::Object(left), Value::Object(right)) => {
            for name in left.keys().chain(right.keys().filter(|name| !left.contains_key(*name))) {
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                match (left.get(name), right.get(name)) {
                    (Some(left), Some(right)) => walk(left, right, pointer, found),
                    (left, right) => found.push(Difference::new(pointer, left, right)),
                }
                pointer.truncate(length);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                pointer.push_str(&format!("/{index}"));
                walk(left, right, pointer, found);
                pointer.truncate(length);
            }
        }
        _ => found.push(Difference::new(pointer, Some(before), Some(after))),
    }
}
