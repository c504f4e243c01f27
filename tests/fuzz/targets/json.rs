//! Free-form JSON: what is taken for JSON is what serde_json takes for it, and comes back as a judge sees it that shares no
//! code with it; looking inside, equality and changes agree with serde_json's tree.
#![no_main]

use std::hash::{BuildHasher, RandomState};

use libfuzzer_sys::fuzz_target;
use mcp_wire::{Json, JsonObject, JsonRef, from_str, to_string};
use mcp_wire_judge::{FreeForm, compare};
use serde_json::Value;

/// Whether what is seen inside is what serde_json's tree holds.
fn agrees(json: JsonRef<'_>, value: &Value) {
    assert_eq!((json.is_null(), json.as_bool()), (value.is_null(), value.as_bool()));
    assert_eq!(json.as_str().as_deref(), value.as_str());
    match value {
        Value::Number(number) => {
            assert!(json.is_number());
            if number.is_i64() || number.is_u64() {
                assert_eq!((json.as_i64(), json.as_u64()), (number.as_i64(), number.as_u64()));
            }
        }
        Value::Array(items) => {
            assert_eq!(json.items().count(), items.len());
            json.items().zip(items).for_each(|(json, value)| agrees(json, value));
        }
        Value::Object(members) => {
            for (name, value) in members {
                agrees(json.get(name).expect("a member"), value);
            }
            assert!(json.members().all(|(name, _)| members.contains_key(&*name)));
        }
        _ => {}
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let value = serde_json::from_str::<Value>(text);
    let Ok(json) = text.parse::<Json>() else {
        // Nothing else is refused.
        return assert!(value.is_err(), "{text:?}");
    };
    let verdict = compare(text, json.text(), FreeForm).expect("JSON");
    assert_eq!(verdict.findings.first(), None, "{text:?}");
    assert_eq!(to_string(&json), json.text());
    assert_eq!(json.text().parse::<Json>().as_ref(), Ok(&json));
    if let Ok(value) = &value {
        agrees(json.as_ref(), value);
        // Equal to what has been rounded only if nothing was; but equal values have equal hashes.
        let tree = Json::from(&json.to_value());
        let hasher = RandomState::new();
        if tree == json {
            assert_eq!(hasher.hash_one(&tree), hasher.hash_one(&json), "{text:?}");
        }
        let round = serde_json::from_str::<Json>(&serde_json::to_string(&json).expect("JSON")).expect("JSON");
        assert_eq!(round, json, "{text:?}");
    }
    let Ok(mut object) = from_str::<JsonObject>(text) else { return };
    let names: Vec<String> = object.keys().map(|name| name.into_owned()).collect();
    for (place, name) in names.iter().enumerate() {
        let before = object.get(name).map(JsonRef::to_json);
        match place % 3 {
            0 => assert_eq!(object.remove(name), before),
            1 => assert_eq!(object.insert(name.as_str(), place), before),
            _ => {}
        }
    }
    assert_eq!(object.text().parse::<JsonObject>().as_ref(), Ok(&object), "{text:?}");
});
