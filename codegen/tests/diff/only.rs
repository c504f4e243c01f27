//! What `--only METHOD` shows, against what can be reached from the method in the JSON of the schemas.

use std::collections::BTreeSet;

use mcp_wire_codegen::diff::report::{Change, Report};
use mcp_wire_codegen::diff::{Edition, Subject, compare};
use serde_json::Value;

use super::{REVISIONS, all, official, revision};

/// The definitions of a schema.
fn definitions(schema: &Value) -> &Value {
    schema.get("$defs").unwrap_or(&schema["definitions"])
}

/// The definition that a pointer or a reference leads into.
fn root(pointer: &str) -> String {
    let name = pointer.trim_start_matches('#').split('/').nth(2).expect("a definition");
    name.replace("~1", "/").replace("~0", "~")
}

fn referred(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(root));
            members.values().for_each(|value| referred(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| referred(item, found)),
        _ => {}
    }
}

/// All that the message of a method and its results contain; nothing, if the schema does not have the method.
fn reached(schema: &Value, edition: &Edition, method: &str) -> BTreeSet<String> {
    let all = definitions(schema).as_object().expect("definitions");
    // A list of messages with one message in it may be written as that message.
    let is_message = |(name, value): &(&String, &Value)| {
        value["properties"]["method"]["const"] == method && !name.starts_with("Client") && !name.starts_with("Server")
    };
    let mut open: Vec<String> = all.iter().filter(is_message).map(|(name, _)| name.clone()).collect();
    // Which results a method has is no matter of the schema alone.
    let known = edition.model.methods.iter().filter(|known| known.method == method);
    open.extend(known.flat_map(|known| known.result.iter().chain(&known.also).cloned()));
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if reached.insert(name.clone()) {
            referred(&all[&name], &mut open);
        }
    }
    reached
}

/// The places of changes, each with the change.
type Places = BTreeSet<(String, String, String, Option<String>, Option<String>)>;

fn places(report: &Report, is_meant: impl Fn(&Change, Option<&str>, Option<&str>) -> bool) -> Places {
    let mut places = Places::new();
    for change in all(report) {
        for place in &change.places {
            if is_meant(change, place.old.as_deref(), place.new.as_deref()) {
                let (rule, fingerprint) = (change.rule.clone(), change.fingerprint.clone());
                places.insert((rule, fingerprint, place.path.to_string(), place.old.clone(), place.new.clone()));
            }
        }
    }
    places
}

#[test]
fn a_method_is_shown_with_all_that_it_contains() {
    let (mut methods, mut shown) = (0, 0);
    for pair in REVISIONS.windows(2) {
        let (old, new) = (revision(pair[0]), revision(pair[1]));
        let schemas = [official(pair[0]), official(pair[1])];
        let report = compare(&old, &new);
        let names: BTreeSet<&str> =
            old.model.methods.iter().chain(&new.model.methods).map(|method| method.method.as_str()).collect();
        for method in names {
            let [before, after] =
                [(&schemas[0], &old), (&schemas[1], &new)].map(|(schema, edition)| reached(schema, edition, method));
            let is_in = |reached: &BTreeSet<String>, pointer: Option<&str>| {
                pointer.is_some_and(|pointer| reached.contains(&root(pointer)))
            };
            let expected = places(&report, |change, old, new| {
                // A change of the method itself keeps the lists that it stands in.
                let is_its_own = change.path.to_string() == method && change.rule.starts_with("method.");
                is_its_own || is_in(&before, old) || is_in(&after, new)
            });
            let mut kept = report.clone();
            Subject::find(method, [&old, &new].into_iter()).expect("a method").keep(&mut kept);
            let found = places(&kept, |_, _, _| true);
            assert_eq!(found, expected, "{method}, {} → {}", pair[0], pair[1]);
            methods += 1;
            shown += found.len();
        }
    }
    assert_eq!((methods, shown), (114, 1887));
}

#[test]
fn a_method_does_not_hide_what_breaks_inside_of_it() {
    for (method, old, new, rule, path) in [
        ("prompts/get", "2024-11-05", "2025-03-26", "union.member-added", "PromptMessage.content"),
        ("tools/list", "2024-11-05", "2025-03-26", "field.added-optional", "Tool.annotations"),
        ("tools/list", "2025-03-26", "2025-06-18", "field.added-optional", "Tool.outputSchema"),
        // A definition that only the new edition has.
        ("tools/list", "2025-06-18", "2025-11-25", "type.added", "ToolExecution"),
    ] {
        let (old, new) = (revision(old), revision(new));
        let mut report = compare(&old, &new);
        Subject::find(method, [&old, &new].into_iter()).expect("a method").keep(&mut report);
        assert!(super::has(&report, rule, path), "{method}: {rule} {path}");
    }
}
