//! Schemas that are larger than any official one, or that Rust has no types for: they are compared all the same.

use std::collections::BTreeMap;

use mcp_wire_codegen::diff::report::Report;
use mcp_wire_codegen::diff::{Edition, compare};
use mcp_wire_codegen::load::{self, Schema};
use mcp_wire_codegen::{model_as_written, model_of};
use serde_json::{Value, json};

use super::{NEWEST, REVISIONS, SOURCES, all, folder, not_mirrored, object, revision, rule_and_path, small, written};

fn schema(document: &Value, name: &str) -> Schema {
    let text = serde_json::to_vec(document).expect("JSON");
    load::bytes(name.as_ref(), name, &text).expect("a schema")
}

fn reference(name: impl std::fmt::Display) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// A small schema whose request asks for the first of many definitions, `T0`, `T1` and so on.
fn many(count: usize, make: impl Fn(usize) -> Value) -> Value {
    let mut definitions: BTreeMap<String, Value> =
        (0..count).map(|number| (format!("T{number}"), make(number))).collect();
    definitions.insert("Asked".to_owned(), object(json!({ "x": reference("T0") }), &[]));
    small(json!(definitions))
}

/// The rule and the path of every change, the most important first.
fn named(report: &Report) -> Vec<String> {
    all(report).map(rule_and_path).collect()
}

/// What the other edition adds to one definition.
fn with_member(mut document: Value, definition: &str) -> Value {
    document["$defs"][definition]["properties"]["added"] = json!({ "type": "boolean" });
    document
}

#[test]
fn models_of_what_travels_and_whole_models_give_the_same_report() {
    // A whole model has the boxes and the rules that Rust needs, and none of them is seen by a comparison.
    let whole = |name: &str| {
        let mut edition = revision(name);
        let source = SOURCES.revisions.iter().find(|source| source.name == name).expect("a revision");
        let schema = load::official(&folder(), source).expect("a schema");
        edition.model = model_of(&folder(), &SOURCES, schema).expect("a model");
        edition
    };
    let text = |report: &Report| serde_json::to_string(report).expect("JSON");
    let mut compared = 0;
    for pair in REVISIONS.windows(2) {
        let report = compare(&revision(pair[0]), &revision(pair[1]));
        assert_eq!(text(&report), text(&compare(&whole(pair[0]), &whole(pair[1]))), "{pair:?}");
        compared += all(&report).count();
    }
    assert_eq!(compared, 380);
    for name in REVISIONS {
        assert_eq!(named(&compare(&revision(name), &whole(name))), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn what_rust_cannot_hold_is_compared() {
    let text = || json!({ "type": "string" });
    // What it is, the schema, what generation says to it, and a definition that gets a member.
    let cases: [(&str, Value, &str, &str); 5] = [
        (
            "a chain of 3,000 objects",
            many(3000, |number| match number {
                2999 => object(json!({ "end": text() }), &[]),
                _ => object(json!({ "next": reference(format!("T{}", number + 1)) }), &["next"]),
            }),
            "a chain of more than 500",
            "T2999",
        ),
        (
            "three objects that require each other",
            many(3, |number| object(json!({ "next": reference(format!("T{}", (number + 1) % 3)) }), &["next"])),
            "requires itself",
            "T1",
        ),
        (
            "twice the next, 40 times",
            many(40, |number| match number {
                39 => object(json!({ "end": text() }), &[]),
                _ => {
                    let next = reference(format!("T{}", number + 1));
                    object(json!({ "left": next, "right": next }), &["left", "right"])
                }
            }),
            "bytes of memory",
            "T39",
        ),
        (
            "alternatives of which one has no members",
            many(3, |number| match number {
                0 => json!({ "anyOf": [reference("T1"), reference("T2")] }),
                1 => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
                _ => object(json!({ "x": text() }), &[]),
            }),
            "without declared members of its own",
            "T2",
        ),
        (
            "an object with 6,000 others inside it",
            many(1, |_| {
                let inside = (0..6000).map(|number| (format!("m{number}"), object(json!({ "x": text() }), &["x"])));
                object(Value::Object(inside.collect()), &[])
            }),
            "bytes of memory",
            "T0",
        ),
    ];
    for (what, document, refused, definition) in cases {
        let error = model_as_written(&folder(), &SOURCES, schema(&document, "old"), NEWEST).expect_err(what);
        assert!(format!("{error:?}").contains(refused), "{what}: {error:?}");
        let (old, new) = (written(&document, "old"), written(&with_member(document.clone(), definition), "new"));
        assert_eq!(named(&compare(&old, &old)), Vec::<String>::new(), "{what}");
        let path = format!("{definition}.added");
        assert_eq!(named(&compare(&old, &new)), [format!("field.added-optional {path}")], "{what}");
        assert_eq!(named(&compare(&new, &old)), [format!("field.removed-optional {path}")], "{what}");
    }
}

#[test]
fn what_no_name_leads_to_is_not_compared() {
    let cases = [
        ("a definition that is itself", many(1, |_| reference("T0")), "spells itself out"),
        ("a list of itself", many(1, |_| json!({ "type": "array", "items": reference("T0") })), "spells itself out"),
        (
            "two unions of each other",
            many(2, |number| json!({ "anyOf": [reference(format!("T{}", 1 - number)), { "type": "string" }] })),
            "one of its own alternatives",
        ),
        (
            "3,000 names for one",
            many(3000, |number| match number {
                2999 => json!({ "type": "string" }),
                _ => reference(format!("T{}", number + 1)),
            }),
            "a chain of more than 500",
        ),
    ];
    for (what, document, refused) in cases {
        let edition = Edition::as_written(&folder(), &SOURCES, schema(&document, "old"), "old");
        let error = edition.err().expect(what);
        assert!(format!("{error:?}").contains(refused), "{what}: {error:?}");
    }
}

/// Definitions of which each stands where another stood: `A0` gives way to `B0`, `A1` to `B1`. Each leads to the next in
/// `ways` ways, and the last to the first. Nothing about them is alike but that, so that nobody takes them for renamed.
fn exchanged(count: usize, ways: usize) -> [Value; 2] {
    ["A", "B"].map(|letter| {
        let mut definitions = BTreeMap::new();
        for number in 0..count {
            let next = reference(format!("{letter}{}", (number + 1) % count));
            let mut members: BTreeMap<String, Value> =
                (0..ways).map(|way| (format!("next{way}"), next.clone())).collect();
            members.insert(format!("{letter}{number}"), json!({ "type": "string" }));
            members.insert(format!("more{letter}"), json!({ "type": "integer" }));
            definitions.insert(format!("{letter}{number}"), object(json!(members), &[]));
        }
        definitions.insert("Asked".to_owned(), object(json!({ "x": reference(format!("{letter}0")) }), &[]));
        small(json!(definitions))
    })
}

#[test]
fn what_was_exchanged_inside_an_exchange_is_compared_once() {
    for (count, ways) in [(1, 1), (1, 8), (3, 1), (3, 2), (60, 2), (60, 8)] {
        let [old, new] = exchanged(count, ways);
        let (old, new) = (written(&old, "old"), written(&new, "new"));
        let report = compare(&old, &new);
        assert_eq!(not_mirrored(&report, &compare(&new, &old)), Vec::<String>::new(), "{count}, {ways}");
        // Two members of each went and two came. The same two are met again in all ways but the first; where the last leads
        // to the first, they are being compared already.
        let expected = 4 * (count + (ways - 1) * (count - 1));
        assert_eq!(
            all(&report).filter(|change| change.path.to_string().starts_with("Asked.x")).count(),
            expected,
            "{count}, {ways}"
        );
        // What is met again is judged as it was before.
        assert_eq!(report.summary.breaking, 0, "{count}, {ways}");
    }
}
