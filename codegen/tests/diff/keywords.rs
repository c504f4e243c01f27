//! Every keyword of JSON Schema, in every place: it is compared, reported as unverified, or refused. Nothing is called
//! the same that was not compared.

use std::collections::BTreeMap;
use std::path::Path;

use mcp_wire_codegen::diff::report::{Change, Outcome, Severity};
use mcp_wire_codegen::diff::{Edition, compare};
use mcp_wire_codegen::load;
use serde_json::{Value, json};

use super::{NEWEST, SOURCES, all, folder, not_mirrored, object, official, printed, small, written};

/// The keywords of draft 7 and of 2020-12, each with two values, and two that no draft has.
fn keywords() -> Vec<(&'static str, Value, Value)> {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let (one, other) = (json!({ "a": text }), json!({ "a": number }));
    vec![
        ("$id", json!("https://example.com/a"), json!("https://example.com/b")),
        (
            "$schema",
            json!("http://json-schema.org/draft-07/schema#"),
            json!("https://json-schema.org/draft/2020-12/schema"),
        ),
        ("$ref", json!("#/$defs/Text"), json!("#/$defs/Count")),
        ("$anchor", json!("a"), json!("b")),
        ("$dynamicRef", json!("#a"), json!("#b")),
        ("$dynamicAnchor", json!("a"), json!("b")),
        ("$vocabulary", json!({ "https://example.com/a": true }), json!({ "https://example.com/a": false })),
        ("$comment", json!("a"), json!("b")),
        ("$defs", one.clone(), other.clone()),
        ("definitions", one.clone(), other.clone()),
        ("allOf", json!([{ "minLength": 1 }]), json!([{ "minLength": 2 }])),
        ("anyOf", json!([text, number]), json!([text, { "type": "boolean" }])),
        ("oneOf", json!([text, number]), json!([text])),
        ("not", text.clone(), number.clone()),
        ("if", text.clone(), number.clone()),
        ("then", text.clone(), number.clone()),
        ("else", text.clone(), number.clone()),
        ("dependentSchemas", one.clone(), other.clone()),
        ("dependencies", json!({ "a": ["b"] }), json!({ "a": ["c"] })),
        ("prefixItems", json!([text]), json!([number])),
        ("items", text.clone(), number.clone()),
        ("additionalItems", text.clone(), json!(false)),
        ("contains", text.clone(), number.clone()),
        ("properties", one.clone(), other.clone()),
        ("patternProperties", one.clone(), other.clone()),
        ("additionalProperties", json!(false), text.clone()),
        ("propertyNames", json!({ "maxLength": 1 }), json!({ "maxLength": 2 })),
        ("unevaluatedItems", json!(false), text.clone()),
        ("unevaluatedProperties", json!(false), text.clone()),
        ("type", json!("string"), json!("integer")),
        ("enum", json!(["a"]), json!(["b"])),
        ("const", json!("a"), json!("b")),
        ("multipleOf", json!(2), json!(3)),
        ("maximum", json!(9), json!(8)),
        ("exclusiveMaximum", json!(9), json!(8)),
        ("minimum", json!(1), json!(2)),
        ("exclusiveMinimum", json!(1), json!(2)),
        ("maxLength", json!(9), json!(8)),
        ("minLength", json!(1), json!(2)),
        ("pattern", json!("^a"), json!("^b")),
        ("maxItems", json!(9), json!(8)),
        ("minItems", json!(1), json!(2)),
        ("uniqueItems", json!(true), json!("yes")),
        ("maxContains", json!(9), json!(8)),
        ("minContains", json!(1), json!(2)),
        ("maxProperties", json!(9), json!(8)),
        ("minProperties", json!(1), json!(2)),
        ("required", json!(["a"]), json!(["b"])),
        ("dependentRequired", json!({ "a": ["b"] }), json!({ "a": ["c"] })),
        ("format", json!("date-time"), json!("uuid")),
        ("contentEncoding", json!("base64"), json!("base16")),
        ("contentMediaType", json!("text/plain"), json!("text/html")),
        ("contentSchema", text.clone(), number.clone()),
        ("title", json!("a"), json!("b")),
        ("description", json!("a"), json!("b")),
        ("default", json!(1), json!(2)),
        ("deprecated", json!(true), json!("yes")),
        ("readOnly", json!(true), json!(false)),
        ("writeOnly", json!(true), json!(false)),
        ("examples", json!([1]), json!([2])),
        ("x-of-ours", json!(1), json!(2)),
        ("ofNobody", json!(1), json!(2)),
    ]
}

/// Keywords for people.
const PROSE: [&str; 4] = ["title", "description", "$comment", "examples"];

/// A small schema with another one in one of its places.
fn placed(place: &str, schema: &Value) -> Value {
    let told = |member: Value| json!({ "Told": object(json!({ "x": member }), &[]) });
    let message = |params: &Value| {
        object(json!({ "method": { "const": "ask", "type": "string" }, "params": params }), &["method"])
    };
    let mut definitions = match place {
        "member" => told(schema.clone()),
        "definition" => {
            let mut definitions = told(json!({ "$ref": "#/$defs/Thing" }));
            definitions["Thing"] = schema.clone();
            definitions
        }
        "item" => told(json!({ "type": "array", "items": schema })),
        "value" => told(json!({ "type": "object", "additionalProperties": schema })),
        "variant" => told(json!({ "anyOf": [schema, { "type": "boolean" }] })),
        "params" => json!({ "AskRequest": message(schema) }),
        _ => json!({ "AskResult": schema, "ServerResult": { "anyOf": [{ "$ref": "#/$defs/AskResult" }] } }),
    };
    // They are there in any case, so that a reference to them is all that differs.
    definitions["Text"] = json!({ "type": "string" });
    definitions["Count"] = json!({ "type": "integer" });
    small(definitions)
}

fn edition(document: &Value) -> Option<Edition> {
    let text = serde_json::to_vec(document).expect("JSON");
    let schema = load::bytes(Path::new("some.json"), "some", &text).ok()?;
    Edition::as_written(&folder(), &SOURCES, schema, "some").ok()
}

/// What keywords are added to.
fn bases() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "type": "string" }),
        json!({ "type": "integer" }),
        json!({ "type": "array" }),
        json!({ "type": "object" }),
        json!({ "type": ["string", "null"] }),
        json!({ "type": "string", "enum": ["a", "b"] }),
        json!({ "type": "string", "const": "a" }),
        json!({ "$ref": "#/$defs/Text" }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
    ]
}

/// How often each verdict was given, and how often keywords were unverified.
type Counts = BTreeMap<String, usize>;

/// Whether two schemas say the same in spite of the keyword.
fn says_the_same(old: &Value, new: &Value) -> bool {
    // A constant is the only value of an enum.
    let values = |schema: &Value| match (&schema["const"], &schema["enum"]) {
        (Value::Null, values) => values.clone(),
        (value, _) => json!([value]),
    };
    let is_known = |schema: &Value| schema["enum"] != json!(["a", "b"]);
    values(old) == values(new) && values(old) != Value::Null && is_known(old) && is_known(new)
}

/// One keyword more, less or with another value, in one place of a small schema.
fn judge(
    place: &str,
    keyword: &str,
    old: (&Value, &Option<Edition>),
    new: (&Value, &Option<Edition>),
    counts: &mut Counts,
) {
    let told = format!("`{keyword}` at a {place}: {} → {}", old.0, new.0);
    let (Some(old), Some(new)) = (old.1, new.1) else {
        *counts.entry("refused".to_owned()).or_default() += 1;
        return;
    };
    let report = compare(old, new);
    assert_eq!(not_mirrored(&report, &compare(new, old)), Vec::<String>::new(), "{told}");
    // What is said about a name that no message needs is no change on the wire, and is said all the same.
    let is_told =
        |change: &&Change| !change.rule.starts_with("refactor.") && change.severity != Severity::Documentation;
    let worst = all(&report).filter(is_told).map(|change| change.severity).min();
    let verdict = match worst {
        _ if PROSE.contains(&keyword) => {
            assert_eq!(report.changes.len(), 0, "{told}");
            "prose"
        }
        None => panic!("{told}: {:?}", all(&report).map(|change| &change.message).collect::<Vec<_>>()),
        Some(Severity::Unverified) => {
            *counts.entry(format!("unverified {keyword}")).or_default() += 1;
            assert_ne!(report.summary.old_client_new_server.outcome, Outcome::Safe, "{told}");
            "unverified"
        }
        Some(_) => "compared",
    };
    *counts.entry(verdict.to_owned()).or_default() += 1;
}

/// All keywords in one place.
fn in_place(place: &str) -> Counts {
    let mut counts = Counts::new();
    for base in bases() {
        let without = edition(&placed(place, &base));
        for (keyword, one, other) in keywords() {
            let [one, other] = [one, other].map(|value| {
                let mut schema = base.clone();
                schema[keyword] = value;
                let edition = if schema == base { None } else { edition(&placed(place, &schema)) };
                (schema, edition)
            });
            let without = (&base, &without);
            // The base may say the same already.
            let [one, other] = [&one, &other].map(|case| match case.0 == base {
                true => without,
                false => (&case.0, &case.1),
            });
            for (old, new) in [(without, one), (one, without), (one, other)] {
                if old.0 != new.0 && !says_the_same(old.0, new.0) {
                    judge(place, keyword, old, new, &mut counts);
                }
            }
        }
    }
    counts
}

#[test]
fn every_keyword_is_compared_unverified_or_refused() {
    let places = ["member", "definition", "item", "value", "variant", "params", "result"];
    let mut counts = Counts::new();
    std::thread::scope(|scope| {
        let running = places.map(|place| scope.spawn(move || in_place(place)));
        for counted in running {
            for (what, count) in counted.join().expect("a place") {
                *counts.entry(what).or_default() += count;
            }
        }
    });
    let count = |what: &str| counts.get(what).copied().unwrap_or_default();
    assert_eq!(keywords().len(), 62);
    assert_eq!(["refused", "compared", "unverified", "prose"].map(count), [8912, 770, 1257, 744]);
}

/// The unverified changes of a report on two members with nothing else around.
fn unverified(old: Value, new: Value) -> Vec<(String, String, Value, Value)> {
    let told = |schema: Value| written(&small(json!({ "Told": object(json!({ "x": schema }), &[]) })), "told");
    let (old, new) = (told(old), told(new));
    let report = compare(&old, &new);
    assert_eq!(not_mirrored(&report, &compare(&new, &old)), Vec::<String>::new());
    let unverified = all(&report).filter(|change| change.severity == Severity::Unverified);
    let told = |change: &Change| {
        assert_eq!(change.rule, "unverified.keyword");
        for (pointer, edition) in change.places.iter().flat_map(|place| [(&place.old, &old), (&place.new, &new)]) {
            let pointer = pointer.as_ref().expect("a pointer");
            assert!(edition.document().pointer(pointer).is_some(), "{pointer}");
        }
        let argument = |name: &str| change.arguments[name].clone();
        (change.path.to_string(), change.arguments["keyword"].to_string(), argument("old"), argument("new"))
    };
    let found: Vec<_> = unverified.map(told).collect();
    // Nothing else is claimed about it.
    let claimed: Vec<&str> = all(&report).map(|change| change.rule.as_str()).collect();
    let expected = if found.is_empty() { vec!["refactor.rewritten"] } else { vec!["unverified.keyword"; found.len()] };
    assert_eq!(claimed, expected);
    found
}

#[test]
fn what_the_model_drops_is_never_called_the_same() {
    let text = |format: &str| json!({ "type": "string", "format": format });
    let list = |items: Value| json!({ "type": "array", "items": items });
    let either = |one: Value, other: Value| json!({ "anyOf": [one, other, { "type": "boolean" }] });
    let bounded = |keyword: &str, value: Value| json!({ "type": "integer", keyword: value });
    let mut deep = [json!({ "type": "string" }), json!({ "type": "integer" })];
    for _ in 0..70 {
        deep = deep.map(list);
    }
    let [deep, deeper] = deep;
    for (old, new, path, keyword, was, is) in [
        (json!({ "type": "string" }), text("date-time"), "Told.x", "format", Value::Null, json!("date-time")),
        // A format that is checked and one that is not: nobody knows that the limit is gone.
        (text("uri"), text("uuid"), "Told.x", "format", json!("uri"), json!("uuid")),
        (list(text("date")), list(text("time")), "Told.x[]", "format", json!("date"), json!("time")),
        (
            either(text("date"), json!({ "type": "integer" })),
            either(text("time"), json!({ "type": "integer" })),
            "Told.x",
            "format",
            json!("date"),
            json!("time"),
        ),
        (
            bounded("format", json!("int32")),
            bounded("format", json!("int64")),
            "Told.x",
            "format",
            json!("int32"),
            json!("int64"),
        ),
        // Both are the same double.
        (
            bounded("maximum", json!(9007199254740993_i64)),
            bounded("maximum", json!(9007199254740992_i64)),
            "Told.x",
            "maximum",
            json!(9007199254740993_i64),
            json!(9007199254740992_i64),
        ),
        // Nothing is read of what stands beside `null`.
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "null", "enum": ["x"] }] }),
            "Told.x",
            "enum",
            Value::Null,
            json!(["x"]),
        ),
        // A constant of another type than it says is no value at all.
        (
            json!({ "const": "a", "type": "string" }),
            json!({ "const": "a", "type": "number" }),
            "Told.x",
            "type",
            Value::Null,
            json!("number"),
        ),
        (
            json!({ "type": "string", "default": "a" }),
            json!({ "type": "string", "default": "b" }),
            "Told.x",
            "default",
            json!("a"),
            json!("b"),
        ),
        (deep, deeper, "", "nesting", Value::Null, Value::Null),
    ] {
        let found = unverified(old, new);
        let [(at, about, old, new)] = &found[..] else { panic!("{path} {keyword}: {found:?}") };
        let path = if path.is_empty() { format!("Told.x{}", "[]".repeat(63)) } else { path.to_owned() };
        assert_eq!((at, about, old, new), (&path, &format!("{keyword:?}"), &was, &is));
    }
    // Formats that have changed places between alternatives.
    let alternatives = |one: &str, other: &str| {
        either(
            json!({ "type": "string", "maxLength": 3, "format": one }),
            json!({ "type": "string", "minLength": 9, "format": other }),
        )
    };
    assert_eq!(unverified(alternatives("date", "time"), alternatives("time", "date")).len(), 1);
    // The same number, spelled differently, is the same.
    assert_eq!(unverified(bounded("maximum", json!(10)), bounded("maximum", json!(10.0))).len(), 0);
}

#[test]
fn every_format_tells_what_is_unverified() {
    let mut new = official(NEWEST);
    // The values of this member are known from elsewhere, so that its limits are lost.
    new["$defs"]["CallToolResult"]["properties"]["resultType"]["maxLength"] = json!(20);
    new["$defs"]["Tool"]["properties"]["name"]["format"] = json!("hostname");
    let report = compare(&written(&official(NEWEST), "old"), &written(&new, "new"));
    let found: Vec<String> = all(&report).map(|change| format!("{} {}", change.path, change.severity.name())).collect();
    assert_eq!(found, ["CallToolResult.resultType unverified", "Tool.name unverified"]);
    assert_eq!((report.summary.unverified, report.summary.breaking, report.is_empty()), (2, 0, false));
    assert_eq!(report.summary.old_client_new_server.words(), "unverified");
    let [text, markdown, json, html, sarif, github] = printed(&report);
    assert!(
        text.contains("breaking  unverified  compatible  notices\n")
            && text.contains("\n  unverified     `Tool.name` has `format`")
    );
    assert!(text.contains("old client ↔ new server: unverified (`CallToolResult.resultType`, `Tool.name`)"), "{text}");
    assert!(markdown.contains("| area | breaking | unverified | compatible | notices |"));
    assert!(markdown.contains("- **unverified** `Tool.name` has `format` \"hostname\" now"), "{markdown}");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["summary"]["unverified"], &json["changes"][1]["severity"]), (&json!(2), &json!("unverified")));
    assert_eq!(json["changes"][1]["arguments"], json!({ "keyword": "format", "new": "hostname", "old": null }));
    assert_eq!(json["changes"][1]["old_client_new_server"]["outcome"], "unverified");
    let schema = mcp_wire_codegen::diff::report::Report::json_schema().to_string();
    assert_eq!(schema.matches("\"const\":\"unverified\"").count(), 2, "{schema}");
    assert!(html.contains("class=\"card unverified\"") && html.contains("<th scope=\"col\">Unverified</th>"));
    let sarif: Value = serde_json::from_str(&sarif).expect("SARIF");
    assert_eq!(sarif["runs"][0]["results"][1]["level"], "warning");
    assert_eq!(sarif["runs"][0]["results"][1]["properties"]["severity"], "unverified");
    assert_eq!(github.matches("::warning ").count(), 2);
    assert!(github.contains("0 breaking, 0 compatible, 0 deprecated, 2 unverified"));
}
