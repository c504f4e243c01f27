//! Messages are written by a serializer of our own. Whatever it writes is, byte for byte, what serde_json writes.
//!
//! That it is so of every document and every message is asserted where those are read: in `documents.rs`, `mutants.rs`,
//! `hostile_messages.rs`, and by the ends of `ends.rs`. Here are the forms that no message has, and every place that a
//! character can have in a string.

use std::collections::BTreeMap;

use mcp_wire_core::{Json, Number, Response, from_str, to_string};
use mcp_wire_tests::mutants::Random;
use mcp_wire_tests::seed;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A value of any type as JSON, alone and in a response. The text is compared.
fn same(value: impl Serialize) {
    let json = Json::of(&value).unwrap();
    let expected = serde_json::to_string(&value).unwrap();
    assert_eq!(
        (json.text(), to_string(&json), serde_json::to_string(&json).unwrap()),
        (&*expected, expected.clone(), expected.clone())
    );
    let response = Response::new(7, Ok(json));
    assert_eq!(response.to_text(), format!(r#"{{"jsonrpc":"2.0","id":7,"result":{expected}}}"#));
    assert_eq!(response.to_text(), serde_json::to_string(&response).unwrap());
}

#[test]
fn every_character_at_every_place_of_a_string() {
    let specials: Vec<char> = ('\0'..=' ').chain("\"\\/\u{7f}\u{80}\u{a0}é\u{2028}日\u{ffff}😀!#[]".chars()).collect();
    let mut strings = 0;
    // Longer than two blocks of those that are looked at together, and their rests.
    for length in 0..100 {
        for place in 0..=length {
            for special in &specials {
                let mut text = "x".repeat(length);
                text.insert(place, *special);
                assert_eq!(to_string(&text), serde_json::to_string(&text).unwrap());
                strings += 1;
            }
        }
    }
    assert_eq!(strings, 5050 * 48);
}

#[test]
fn strings_with_many_characters_to_escape() {
    let alphabet: Vec<char> = "ab c\"\\\n\t\r\u{8}\u{c}\u{0}\u{1f}é日😀".chars().collect();
    let mut random = Random::new(seed());
    for length in (0..400).chain([1_000, 10_000, 1_000_000]) {
        let text: String = (0..length).map(|_| alphabet[random.next() as usize % alphabet.len()]).collect();
        let written = to_string(&text);
        assert_eq!(written, serde_json::to_string(&text).unwrap());
        assert_eq!(from_str::<String>(&written).unwrap(), text);
    }
    // Escapes close to each other and far apart, in turns.
    let mut texts = 0;
    for gap in [1, 7, 8, 9, 23, 24, 25, 60, 300] {
        for start in 0..40 {
            let mut text = "é".repeat(start);
            for _ in 0..40 {
                let plain = random.next() as usize % gap;
                text.extend((0..plain).map(|_| ['x', '日', 'é'][random.next() as usize % 3]));
                text.push(['"', '\n', '\\', '\u{1}', '\t'][random.next() as usize % 5]);
            }
            assert_eq!(to_string(&text), serde_json::to_string(&text).unwrap());
            texts += 1;
        }
    }
    assert_eq!(texts, 360);
    // Nothing but characters to escape, in the longest form.
    let text = "\u{1}".repeat(100_000);
    assert_eq!(to_string(&text), serde_json::to_string(&text).unwrap());
}

#[test]
fn numbers() {
    let mut written = 0;
    let mut number = |value: Value| {
        let text = value.to_string();
        for json in [Json::from(&value), Json::of(&value).unwrap(), text.parse().unwrap()] {
            assert_eq!(to_string(&json), text);
            assert_eq!(serde_json::to_string(&json).unwrap(), text);
        }
        if let Value::Number(number) = value {
            assert_eq!(to_string(&Number::from(number)), text);
            assert_eq!(to_string(&from_str::<Number>(&text).unwrap()), text);
        }
        written += 1;
    };
    for power in 0..20 {
        let ten = 10_u64.pow(power);
        for value in [ten - 1, ten, ten + 1, ten.saturating_mul(9), ten.saturating_mul(5).saturating_add(7)] {
            number(json!(value));
            number(json!(-i64::try_from(value).unwrap_or(i64::MAX)));
        }
    }
    for value in [u64::MAX, i64::MAX as u64, i64::MIN as u64, 1 << 53] {
        number(json!(value));
        number(json!(value as i64));
        number(json!(f64::from_bits(value)));
    }
    let floats =
        [0.0, -0.0, 0.1, 0.8, 1.0, 50.0, 1e15, 1e16, 1e17, 1e21, 1e300, 1e-5, 1e-7, 5e-324, f64::MAX, f64::EPSILON];
    floats.into_iter().for_each(|float| number(json!(float)));
    let mut random = Random::new(seed());
    for _ in 0..20_000 {
        number(json!(random.next() >> (random.next() % 64)));
        number(json!(random.next() as i64 >> (random.next() % 64)));
        number(json!(f64::from_bits(random.next())));
    }
    assert_eq!(written, 200 + 12 + 16 + 60_000);

    same((i8::MIN, i16::MIN, i32::MIN, i64::MIN, i128::MIN));
    same((u8::MAX, u16::MAX, u32::MAX, u64::MAX, u128::MAX));
    same((0.1_f32, f32::MAX, f32::NAN, f64::NAN, f64::INFINITY, f64::NEG_INFINITY));
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Newtype(u8);

#[derive(Serialize)]
struct Tuple(u8, &'static str);

#[derive(Serialize)]
struct Struct {
    a: Option<u8>,
    #[serde(rename = "b\"\n")]
    b: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<bool>,
    d: [(); 2],
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
enum Enum {
    Unit,
    Newtype(u8),
    Tuple(u8, bool),
    Struct { a: u8, b: Vec<u8> },
    Empty {},
}

#[derive(Serialize)]
struct Flat {
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// What its `Serializer` calls are told.
struct Bytes;

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(b"\x00a\xff")
    }
}

/// Something that is written as it is displayed.
struct Displayed;

impl Serialize for Displayed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}\n{}", 1, '"'))
    }
}

#[test]
fn forms_that_only_types_of_ones_own_have() {
    same(Unit);
    same(Newtype(1));
    same(Tuple(1, "two"));
    same(Struct { a: None, b: Some('"'), c: None, d: [(), ()] });
    same(Struct { a: Some(1), b: None, c: Some(true), d: [(), ()] });
    same([Enum::Unit, Enum::Newtype(1), Enum::Tuple(1, true), Enum::Struct { a: 1, b: vec![] }, Enum::Empty {}]);
    same(Flat { a: 1, rest: BTreeMap::from([("b".to_owned(), json!({ "c": [] }))]) });
    same((Bytes, Displayed, 'é', '\0', Some(Some(1)), None::<u8>));
    same(Vec::<u8>::new());
    same(BTreeMap::<String, u8>::new());
    same([RawValue::from_string("1.000".to_owned()).unwrap(), RawValue::from_string("null".to_owned()).unwrap()]);
    same(json!([[], {}, [[]], [{}], { "": [null, true, false] }]));
}

/// A message is one line, whatever text somebody puts into it.
#[test]
fn raw_text_loses_its_white_space_and_nothing_else() {
    let raw = RawValue::from_string("{ \"a\" :\r\n\t[1.50, \"\\u0041 \\n\"],\n\"b\":1e5 }".to_owned()).unwrap();
    let compact = r#"{"a":[1.50,"\u0041 \n"],"b":1e5}"#;
    for (json, expected) in [
        (Json::of(&raw).unwrap(), compact.to_owned()),
        (Json::of(&[&raw]).unwrap(), format!("[{compact}]")),
        (mcp_wire_core::json_value!({ "raw": raw }), format!(r#"{{"raw":{compact}}}"#)),
    ] {
        assert_eq!((json.text(), to_string(&json)), (&*expected, expected.clone()));
        let response = Response::new(7, Ok(json));
        assert_eq!(response.to_text(), format!(r#"{{"jsonrpc":"2.0","id":7,"result":{expected}}}"#));
    }
}

#[test]
fn keys_that_are_no_strings() {
    same(BTreeMap::from([(-1, 'a'), (0, 'b'), (200, 'c')]));
    same(BTreeMap::from([(true, 1), (false, 2)]));
    same(BTreeMap::from([('a', 1), ('"', 2)]));
    same(BTreeMap::from([(Some("some"), 1)]));
    same(BTreeMap::from([(Enum::Unit, 1)]));
    same(BTreeMap::from([(i128::MAX, 1)]));
}

/// Whoever makes a result is told, before there is a response.
#[test]
fn what_has_no_form_in_json_is_an_error() {
    fn refused(value: impl Serialize) {
        let error = Json::of(&value).unwrap_err();
        assert_eq!(error.to_string(), "not expressible in JSON: key must be a string");
        assert!(serde_json::to_string(&value).is_err());
    }
    refused(BTreeMap::from([(None::<u8>, 1)]));
    refused(BTreeMap::from([((), 1)]));
    refused(BTreeMap::from([(vec![1], 1)]));
    refused(BTreeMap::from([(Enum::Newtype(1), 1)]));
    refused([BTreeMap::from([("outer", BTreeMap::from([((1, 2), "inner")]))])]);
}

/// A value as deep as one can be read.
#[test]
fn depth() {
    let mut value = json!("\n");
    for depth in 0..120 {
        value = if depth % 2 == 0 { json!([value]) } else { json!({ "\"": value }) };
    }
    assert_eq!(to_string(&Json::from(&value)), value.to_string());
    assert_eq!(to_string(&from_str::<Json>(&value.to_string()).unwrap()), value.to_string());
}
