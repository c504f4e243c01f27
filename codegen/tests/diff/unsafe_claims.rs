//! What must not be called safe: what travels nobody knows which way, what has to be there, and what means something
//! else where it is absent.

use mcp_wire_codegen::diff::compare;
use mcp_wire_codegen::diff::report::{Change, Outcome, Report, Severity};
use serde_json::{Value, json};

use super::{NEWEST, not_mirrored, object, official, small, written};

/// A report on a pair of made-up schemas, whose mirror is mirrored.
fn compared(old: &Value, new: &Value) -> Report {
    let (old, new) = (written(old, "old"), written(new, "new"));
    let report = compare(&old, &new);
    assert_eq!(not_mirrored(&report, &compare(&new, &old)), Vec::<String>::new());
    report
}

fn find<'a>(report: &'a Report, rule: &str, path: &str) -> &'a Change {
    let found: Vec<String> = super::all(report).map(|change| format!("{} {}", change.rule, change.path)).collect();
    let is = |change: &&Change| change.rule == rule && change.path.to_string() == path;
    super::all(report).find(is).unwrap_or_else(|| panic!("{rule} {path}: found {found:?}"))
}

fn outcomes(change: &Change) -> [Outcome; 2] {
    [change.old_client_new_server.outcome, change.new_client_old_server.outcome]
}

/// Messages of a method, and a result, that no list mentions.
fn unlisted(question: Value, required: &[&str], answer: &str, told: &str) -> Value {
    let message = |method: &str, params: Value| {
        object(json!({ "method": { "type": "string", "const": method }, "params": params }), &["method", "params"])
    };
    json!({ "$defs": {
        "AskRequest": message("ask", object(question, required)),
        "AskResult": object(json!({ "answer": { "type": answer } }), &["answer"]),
        "TellNotification": message("notifications/tell", object(json!({ "told": { "type": told } }), &[])),
    } })
}

#[test]
fn without_lists_of_messages_both_directions_are_judged() {
    let text = json!({ "type": "string" });
    let base = unlisted(json!({ "question": text }), &[], "number", "number");
    // A parameter that has to be there: whoever asks with the old edition is refused.
    let more = unlisted(json!({ "question": text, "urgent": text }), &["urgent"], "number", "number");
    let report = compared(&base, &more);
    let added = find(&report, "field.added-required", "AskRequest.params.urgent");
    assert_eq!((added.severity, outcomes(added)), (Severity::Breaking, [Outcome::Breaks; 2]));
    assert_eq!(added.flow.name(), "both ways");
    // A result of another type, of which only its name says that it is one.
    let report = compared(&base, &unlisted(json!({ "question": text }), &[], "string", "number"));
    let changed = find(&report, "field.type-changed", "AskResult.answer");
    assert_eq!((changed.severity, outcomes(changed)), (Severity::Breaking, [Outcome::Breaks; 2]));
    // A notification.
    let report = compared(&base, &unlisted(json!({ "question": text }), &[], "number", "string"));
    let changed = find(&report, "field.type-changed", "TellNotification.params.told");
    assert_eq!((changed.severity, outcomes(changed)), (Severity::Breaking, [Outcome::Breaks; 2]));
    // A request that only one edition has.
    let mut gone = base.clone();
    gone["$defs"].as_object_mut().expect("definitions").shift_remove("AskRequest");
    let report = compared(&base, &gone);
    let removed = find(&report, "method.removed", "ask");
    assert_eq!((removed.severity, outcomes(removed)), (Severity::Breaking, [Outcome::Breaks; 2]));
}

#[test]
fn a_list_that_only_one_edition_has_does_not_make_the_other_safe() {
    let base = small(json!({ "AskResult": object(json!({ "answer": { "type": "number" } }), &["answer"]) }));
    // The result of `ask` is named by no list in either edition, its request by one in both.
    let mut new = base.clone();
    new["$defs"]["AskResult"]["properties"]["answer"]["type"] = json!("string");
    let changed = compared(&base, &new);
    let changed = find(&changed, "field.type-changed", "AskResult.answer");
    assert_eq!(outcomes(changed), [Outcome::Breaks; 2]);
    assert_eq!(changed.flow.name(), "server → client");
    // And where one of the editions has lost the list of requests.
    let mut unlisted = base.clone();
    unlisted["$defs"].as_object_mut().expect("definitions").shift_remove("ClientRequest");
    unlisted["$defs"]["Asked"]["properties"]["question"]["type"] = json!("integer");
    let report = compared(&base, &unlisted);
    let changed = find(&report, "field.type-changed", "Asked.question");
    assert_eq!(changed.severity, Severity::Breaking);
}

#[test]
fn a_capability_that_has_to_be_declared_is_relied_on() {
    let capabilities = |members: Value, required: &[&str]| {
        small(json!({
            "ClientCapabilities": object(members, required),
            "Asked": object(json!({ "capabilities": { "$ref": "#/$defs/ClientCapabilities" } }), &[]),
        }))
    };
    let flag = json!({ "type": "boolean" });
    let none = capabilities(json!({}), &[]);
    // The client writes it and the server reads it: a new server misses it.
    let report = compared(&none, &capabilities(json!({ "x": flag }), &["x"]));
    let added = find(&report, "capability.added", "ClientCapabilities.x");
    assert_eq!((added.severity, outcomes(added)), (Severity::Breaking, [Outcome::Breaks, Outcome::Safe]));
    assert_eq!(added.message.to_string(), "`ClientCapabilities.x` has to be declared now");
    let report = compared(&capabilities(json!({ "x": flag }), &["x"]), &none);
    let removed = find(&report, "capability.removed", "ClientCapabilities.x");
    assert_eq!((removed.severity, outcomes(removed)), (Severity::Breaking, [Outcome::Safe, Outcome::Breaks]));
    // One that may be declared is no trouble to anybody.
    let report = compared(&none, &capabilities(json!({ "x": flag }), &[]));
    let added = find(&report, "capability.added", "ClientCapabilities.x");
    assert_eq!((added.severity, outcomes(added)), (Severity::Compatible, [Outcome::Safe; 2]));
    // Inside another one, and moved from one to another.
    let inside = |one: &[&str], other: &[&str]| {
        let holding = |names: &[&str]| {
            object(
                names.iter().map(|name| ((*name).to_owned(), flag.clone())).collect::<serde_json::Map<_, _>>().into(),
                names,
            )
        };
        capabilities(json!({ "one": holding(one), "other": holding(other) }), &[])
    };
    let report = compared(&inside(&[], &[]), &inside(&["x"], &[]));
    assert_eq!(find(&report, "capability.added", "ClientCapabilities.one.x").severity, Severity::Breaking);
    let report = compared(&inside(&["x"], &[]), &inside(&[], &["x"]));
    let moved = find(&report, "capability.moved", "ClientCapabilities.other.x");
    assert_eq!((moved.severity, outcomes(moved)), (Severity::Breaking, [Outcome::Breaks; 2]));
}

#[test]
fn generated_documentation_does_not_contradict_itself() {
    let folder = super::folder().join(format!("../generated/mcp-wire-{NEWEST}/src"));
    let mut said = 0;
    for file in std::fs::read_dir(folder).expect("the sources") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        for statement in text.split("Absence stands for ").skip(1) {
            assert!(statement.starts_with("\"complete\""), "{}", statement.lines().next().unwrap_or_default());
            said += 1;
        }
    }
    // As often as the schema says that clients must treat the absent member as this.
    assert_eq!(said, official(NEWEST).to_string().matches("MUST treat the absent field as `\\\"complete\\\"`").count());
    assert_eq!(said, 14);
}

#[test]
fn absence_means_what_the_specification_says() {
    let optional = |definition: &str| {
        let mut schema = official(NEWEST);
        let required = schema["$defs"][definition]["required"].as_array_mut().expect("required members");
        let before = required.len();
        required.retain(|name| name != "resultType");
        assert_eq!(required.len() + 1, before, "{definition}");
        compared(&official(NEWEST), &schema)
    };
    // Without it, this is a complete result: a client takes it for something else.
    let report = optional("InputRequiredResult");
    let change = find(&report, "field.became-optional", "InputRequiredResult.resultType");
    assert_eq!(change.severity, Severity::Breaking, "{change:?}");
    let gated = "safe unless `prompts`, `resources` or `tools` is used";
    let words = [&change.old_client_new_server, &change.new_client_old_server].map(|verdict| verdict.words());
    assert_eq!(words, [gated, "safe"]);
    assert_eq!(change.note.as_deref(), Some("where it is absent, it means `complete`, which is another object"));
    // Without it, this is what it was.
    let report = optional("CallToolResult");
    let change = find(&report, "field.became-optional", "CallToolResult.resultType");
    assert_eq!((change.severity, outcomes(change)), (Severity::Compatible, [Outcome::Safe; 2]));
}
