//! Readers that are careless on purpose, in the place of the generated types: `verify` catches every one of them, and says
//! what it does. A judge that finds nothing proves nothing unless it finds these.

mod common;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use common::{Kept, file, judges, published_schema, run, run_reader, task};
use mcp_wire_judge::Kind;
use mcp_wire_verify::{Outcome, Printing, Task, run as verify_and_print};
use serde_json::{Map, Value, json};

/// Changes every value, the innermost first. What is read here is what serde_json reads.
fn changed(value: Value, change: &mut dyn FnMut(Value) -> Value) -> Value {
    let inner = match value {
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, changed(value, change))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|item| changed(item, change)).collect()),
        other => other,
    };
    change(inner)
}

fn members(value: Value, change: impl FnOnce(Map<String, Value>) -> Map<String, Value>) -> Value {
    match value {
        Value::Object(members) => Value::Object(change(members)),
        other => other,
    }
}

fn items(value: Value, change: impl FnOnce(&mut Vec<Value>)) -> Value {
    match value {
        Value::Array(mut items) => {
            change(&mut items);
            Value::Array(items)
        }
        other => other,
    }
}

/// What a reader does to one value.
type Carelessness = fn(Value) -> Value;

/// Each reader by what it does, and the one kind of finding that it must lead to.
const READERS: [(&str, Kind, Carelessness); 11] = [
    ("rounds numbers", Kind::NumberChanged, |value| match value.as_f64().filter(|_| value.is_f64()) {
        Some(number) if f64::from(number as f32) != number => json!(number as f32),
        _ => value,
    }),
    ("reads integers as floats", Kind::NumberForm, |value| match value.as_i64().filter(|_| value.is_number()) {
        Some(number) if number.unsigned_abs() < 1 << 50 => json!(number as f64),
        _ => value,
    }),
    ("knows no character beyond 16 bits", Kind::StringChanged, |value| match value {
        Value::String(text) => json!(text.replace(|letter: char| u32::from(letter) > 0xffff, "\u{fffd}")),
        other => other,
    }),
    ("writes truth values as strings", Kind::ValueChanged, |value| match value {
        Value::Bool(truth) => json!(truth.to_string()),
        other => other,
    }),
    ("loses nulls", Kind::NullLost, |value| {
        members(value, |members| members.into_iter().filter(|(_, value)| !value.is_null()).collect())
    }),
    ("loses empty lists", Kind::MemberLost, |value| {
        members(value, |members| members.into_iter().filter(|(_, value)| *value != json!([])).collect())
    }),
    ("adds a default", Kind::MemberAdded, |value| {
        members(value, |mut members| {
            members.entry("title").or_insert_with(|| json!(""));
            members
        })
    }),
    ("reverses members", Kind::OrderChanged, |value| members(value, |members| members.into_iter().rev().collect())),
    ("loses the last item", Kind::ItemLost, |value| items(value, |items| drop(items.pop_if(|item| !item.is_null())))),
    // Of plain values, so that what is left can be told from what is gone.
    ("loses the first item", Kind::ItemLost, |value| {
        let is_plain = |item: &Value| item.is_string() || item.is_number();
        items(value, |items| drop(items.iter().all(is_plain).then(|| items.drain(..items.len().min(1)))))
    }),
    ("repeats the last item", Kind::ItemAdded, |value| items(value, |items| items.extend(items.last().cloned()))),
];

/// The project's examples, and a session that has something for everybody.
fn tasks() -> Vec<Task> {
    let arguments = r#"{"b":null,"a":[1.1,2,{"z":true,"y":[]}],"c":"😀","d":["x","y"]}"#;
    let session = format!(
        r#"{{"dir":"c2s","msg":{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t","arguments":{arguments}}}}}}}
{{"dir":"s2c","msg":{{"jsonrpc":"2.0","id":1,"result":{{"content":[],"structuredContent":{arguments}}}}}}}
{{"dir":"s2c","msg":{{"jsonrpc":"2.0","id":1,"error":{{"code":-1,"message":"m","data":{arguments}}}}}}}
{{"dir":"s2c","msg":{{"jsonrpc":"2.0","method":"vendor/told","params":{arguments}}}}}
"#
    );
    let path = file("careless", "session.jsonl", session);
    vec![task(), Task { revision: Some("2025-11-25".to_owned()), traffic: vec![path], ..task() }]
}

/// The kinds of findings, with the number of documents that have them.
fn kinds(kept: &Kept) -> BTreeMap<&'static str, usize> {
    let mut kinds = BTreeMap::new();
    for document in &kept.documents {
        assert_eq!(document.outcome == Outcome::Lossy, !document.pointers.is_empty(), "{document:?}");
        let own: BTreeSet<_> = document.pointers.iter().map(|difference| difference.kind).collect();
        own.into_iter().for_each(|kind| *kinds.entry(kind).or_default() += 1);
    }
    kinds
}

#[test]
fn every_careless_reader_is_caught_and_named() {
    for task in tasks() {
        for (what, kind, carelessness) in READERS {
            // The documents that the reader has changed at all, counted by itself.
            let touched = Rc::new(Cell::new(0));
            let count = Rc::clone(&touched);
            let reader = move |text: &str| {
                let before: Value = serde_json::from_str(text).expect("JSON");
                // As texts: values do not mind the order.
                let same = before.to_string();
                let after = changed(before, &mut |value| carelessness(value)).to_string();
                count.set(count.get() + usize::from(same != after));
                after
            };
            let kept = run_reader(&task, reader);
            let (found, touched) = (kinds(&kept), touched.get());
            println!("a reader that {what}: {touched} documents changed, {found:?}");
            assert_eq!(found.keys().copied().collect::<Vec<_>>(), [kind.as_str()], "a reader that {what}");
            match kind {
                // Members that the schema names may move.
                Kind::OrderChanged => assert!((4..=touched).contains(&kept.totals().lossy)),
                _ => assert_eq!(kept.totals().lossy, touched, "a reader that {what}"),
            }
            assert!(touched >= 4, "a reader that {what} changed {touched} documents, which proves little");
        }
    }
}

/// The place that is named is the one where it happened, in free-form JSON and nowhere else.
#[test]
fn members_of_free_form_objects_keep_their_order() {
    let reversed = |text: &str| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        changed(value, &mut |value| members(value, |members| members.into_iter().rev().collect())).to_string()
    };
    let kept = run_reader(&tasks()[1], reversed);
    let places: Vec<Vec<&str>> = kept
        .documents
        .iter()
        .map(|document| document.pointers.iter().map(|difference| difference.pointer.as_str()).collect())
        .collect();
    assert_eq!(
        places,
        [
            ["/params/arguments", "/params/arguments/a/2"],
            ["/result/structuredContent", "/result/structuredContent/a/2"],
            ["/error/data", "/error/data/a/2"],
            ["/params", "/params/a/2"],
        ]
    );
}

/// A text that has members twice, in all sorts of objects.
fn repeated() -> Task {
    let session = r#"{"dir":"c2s","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"b":2,"a":3}}}}
{"dir":"c2s","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","name":"u"}}}
{"dir":"c2s","msg":{"jsonrpc":"2.0","id":3,"id":4,"method":"ping"}}
{"dir":"c2s","msg":{"jsonrpc":"2.0","id":5,"method":"vendor/ask","params":{"x":null,"x":null}}}
"#;
    let path = file("repeated", "session.jsonl", session);
    Task { revision: Some("2025-11-25".to_owned()), traffic: vec![path], ..task() }
}

/// Of repeated members the last one counts, for the generated types as for serde_json. With serde_json the others are
/// gone, which is a loss, and is called one; the generated types keep them.
#[test]
fn a_dropped_duplicate_is_a_loss() {
    let careless = |text: &str| serde_json::from_str::<Value>(text).expect("JSON").to_string();
    let kept = run_reader(&repeated(), careless);
    let found: Vec<(&str, &str, Option<&str>)> = kept
        .documents
        .iter()
        .flat_map(|document| &document.pointers)
        .map(|difference| (difference.pointer.as_str(), difference.kind, difference.before.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            ("/params/arguments/a", "duplicate dropped", Some("1")),
            ("/params/name", "duplicate dropped", Some("\"t\"")),
            ("/id", "duplicate dropped", Some("3")),
            ("/params/x", "duplicate dropped", Some("null")),
        ]
    );
    assert_eq!(kept.totals().lossy, 4);
    let (result, own) = run(&repeated());
    result.expect("a recording");
    assert_eq!((own.totals().lossy, own.totals().exact), (0, 4));
    // One that keeps the first instead of the last is worse.
    let first = |text: &str| text.replace(r#""a":1,"b":2,"a":3"#, r#""a":1,"b":2"#);
    let kept = run_reader(&repeated(), first);
    let kinds: Vec<&str> = kept.documents[0].pointers.iter().map(|difference| difference.kind).collect();
    assert_eq!(kinds, ["duplicate dropped", "number changed"]);
    // And one that writes a member twice.
    let kept = run_reader(&tasks()[1], |text| text.replace(r#""b":null"#, r#""b":null,"b":null"#));
    assert_eq!(self::kinds(&kept), BTreeMap::from([("duplicate added", 4)]));
}

/// What people and programs are told of a loss, in words, as JSON of the published schema, and by the exit code.
#[test]
fn a_loss_is_told_in_words_and_by_the_exit_code() {
    let session = r#"{"dir":"c2s","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":38.448624110701644}}}}
{"dir":"c2s","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"a":1}}}}
"#;
    let path = file("told", "session.jsonl", session);
    let task = Task { revision: Some("2025-11-25".to_owned()), traffic: vec![path], ..task() };
    let rounding =
        |text: &str| text.replace("38.448624110701644", "38.44862411070165").replace(r#""a":1,"a":1"#, r#""a":1"#);
    let told = |json: bool, reader: fn(&str) -> String| {
        let (judges, printing) = (judges().with_reader(reader), Printing { json, ..Printing::default() });
        let mut out = Vec::new();
        let code = verify_and_print(&task, &judges, printing, &mut out);
        (code, String::from_utf8(out).expect("UTF-8"))
    };
    let (code, text) = told(false, rounding);
    assert_eq!(code, 1);
    let line = "lossy ClientMessage, /params/arguments/n: number changed: 38.448624110701644 → 38.44862411070165";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("/params/arguments/a: duplicate dropped: 1 → nothing"), "{text}");
    assert!(text.contains("2 lossy, 0 rejected") && !text.contains("nothing lost"), "{text}");

    let (code, text) = told(true, rounding);
    let printed: Value = serde_json::from_str(&text).expect("JSON");
    // The numbers are texts, so that nobody rounds them on the way.
    let difference = json!({
        "pointer": "/params/arguments/n", "kind": "number changed",
        "before": "38.448624110701644", "after": "38.44862411070165",
    });
    assert_eq!(printed["documents"][0]["pointers"], json!([difference]));
    assert_eq!((code, &printed["totals"]["lossy"]), (1, &json!(2)));
    let validator = jsonschema::validator_for(&published_schema()).expect("a valid schema");
    assert!(validator.is_valid(&printed), "{:?}", validator.iter_errors(&printed).next());

    let (code, text) = told(false, str::to_owned);
    assert!(code == 0 && text.ends_with("\nnothing lost, nothing valid refused\n"), "{text}");
}

#[test]
fn all_kinds_of_findings_are_among_these() {
    let mut named: BTreeSet<Kind> = READERS.iter().map(|(_, kind, _)| *kind).collect();
    named.extend([Kind::DuplicateDropped, Kind::DuplicateAdded]);
    assert_eq!(named.len(), Kind::ALL.len());
}

/// A reader that keeps the text is not to blame for anything.
#[test]
fn a_careful_reader_is_not_blamed() {
    for task in tasks().into_iter().chain([repeated()]) {
        let kept = run_reader(&task, str::to_owned);
        assert_eq!(kinds(&kept), BTreeMap::new());
        let totals = kept.totals();
        assert_eq!((totals.lossy, totals.exact), (0, totals.documents));
    }
}
