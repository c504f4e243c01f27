//! Documents as values, for those who ask about them: the official schema, and whoever pairs requests with answers.
//!
//! Nothing of this is judged, and nothing of the generated types is in it: a document that only they could not read has
//! to be noticed.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

/// Values that nest deeper are not looked at. serde_json itself stops at the same depth.
const DEEPEST: usize = 127;

/// A document as a value. Of repeated members the last one counts, and a number beyond the floats is the greatest of
/// them.
pub(crate) fn value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|_| at_depth(text, DEEPEST))
}

/// A message, or a batch of them. Each of its members may be as deep as a document.
pub(crate) fn message(text: &str) -> serde_json::Result<Value> {
    let one = |text: &str| value(text).or_else(|_| at_depth(text, DEEPEST + 1));
    one(text).or_else(|error| match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(items) => items.into_iter().map(|item| one(item.get())).collect::<serde_json::Result<_>>().map(Value::Array),
        Err(_) => Err(error),
    })
}

/// The texts of the messages of a batch, or that of the only one.
pub(crate) fn messages(text: &str) -> Vec<&str> {
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(items) => items.into_iter().map(RawValue::get).collect(),
        Err(_) => vec![text],
    }
}

/// The same as serde_json gives, but with so many levels, and with numbers of any size. It goes through the text once
/// for each level, and is for the few documents that serde_json does not take.
fn at_depth(text: &str, levels: usize) -> serde_json::Result<Value> {
    match text.trim_ascii_start().as_bytes().first() {
        Some(b'{' | b'[') if levels == 0 => Err(serde_json::Error::custom("nested too deep")),
        Some(b'{') => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(text)?;
            let member = |(name, value): (String, &RawValue)| Ok((name, at_depth(value.get(), levels - 1)?));
            members.into_iter().map(member).collect::<serde_json::Result<_>>().map(Value::Object)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            let items = items.into_iter().map(|item| at_depth(item.get(), levels - 1));
            items.collect::<serde_json::Result<_>>().map(Value::Array)
        }
        Some(b'-' | b'0'..=b'9') => serde_json::from_str(text).or_else(|_| {
            let number: &RawValue = serde_json::from_str(text)?;
            let beyond = if number.get().starts_with('-') { f64::MIN } else { f64::MAX };
            Ok(Number::from_f64(beyond).map_or(Value::Null, Value::Number))
        }),
        _ => serde_json::from_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_serde_json_does_not_take_is_a_value_all_the_same() {
        assert_eq!(value(r#"{"a":[1e400,-1e400],"b":1}"#).unwrap(), json!({ "a": [f64::MAX, f64::MIN], "b": 1 }));
        assert_eq!(value(r#"{"a":1e400,"a":2}"#).unwrap(), json!({ "a": 2 }));
        let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        assert!(value(&deep(DEEPEST)).is_ok() && value(&deep(DEEPEST + 1)).is_err());
        let in_message = |levels: usize| format!(r#"{{"params":{}}}"#, deep(levels));
        assert!(message(&in_message(DEEPEST)).is_ok() && message(&in_message(DEEPEST + 1)).is_err());
        let in_batch = |levels: usize| format!("[{}]", in_message(levels));
        assert!(message(&in_batch(DEEPEST)).is_ok() && message(&in_batch(DEEPEST + 1)).is_err());
        assert!(value(&deep(100_000)).is_err());
        for bad in ["", "{", "[1e400", "01", "{\"a\":1e400,}", "1e400 x", "-"] {
            assert!(value(bad).is_err() && message(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_batch_is_taken_apart() {
        assert_eq!(messages(r#" [{"a":[1]}, 2 ]"#), [r#"{"a":[1]}"#, "2"]);
        assert_eq!(messages(r#"{"a":[1]}"#), [r#"{"a":[1]}"#]);
    }
}
