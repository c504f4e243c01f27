//! What the schemas say themselves about answers and error codes is what the models have. The schemas are read here as
//! plain JSON, with nothing of the generator.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../../tests/src/pinned.rs"]
mod pinned;
mod revisions;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mcp_wire_codegen::load::{self, Sources};
use mcp_wire_codegen::methods::rows;
use mcp_wire_codegen::model::Revision;
use mcp_wire_codegen::model_of;
use pinned::assert_pinned;
use revisions::{revisions, stateless};
use serde_json::{Map, Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")
}

fn sources() -> Sources {
    load::sources(&folder()).expect("the schema folder")
}

fn model(sources: &Sources, name: &str) -> Revision {
    let source = sources.revisions.iter().find(|source| source.name == name).expect("a revision");
    model_of(&folder(), sources, load::official(&folder(), source).expect("a schema")).expect("a model")
}

fn definitions(name: &str) -> Map<String, Value> {
    let bytes = std::fs::read(folder().join(name).join("schema.json")).expect("a schema");
    let document: Value = serde_json::from_slice(&bytes).expect("JSON");
    let definitions = document.get("$defs").or(document.get("definitions")).expect("definitions");
    definitions.as_object().expect("an object").clone()
}

/// The names after `$ref` anywhere in a value.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match (name.as_str(), value.as_str()) {
                    ("$ref", Some(path)) => drop(found.insert(path.split('/').next_back().expect("a name").to_owned())),
                    _ => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

fn referred(value: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    references(value, &mut found);
    found
}

#[test]
fn every_response_for_a_request_says_what_the_model_says() {
    let sources = sources();
    for name in revisions() {
        let definitions = definitions(name);
        let model = model(&sources, name);
        let rows = rows(&model);
        let mut checked = 0;
        for (response, value) in definitions.iter().filter(|(name, _)| name.ends_with("ResultResponse")) {
            // The envelope of all responses is not that of one request.
            if response == "JSONRPCResultResponse" {
                continue;
            }
            let request = response.replace("ResultResponse", "Request");
            let method = definitions[&request]["properties"]["method"]["const"].as_str().expect("a method");
            let row = rows.iter().find(|row| row.method == method).expect("a row");
            let known: BTreeSet<String> = row.result.names().iter().cloned().collect();
            assert_eq!(known, referred(&value["properties"]["result"]), "{name}: {method}");
            // The result that has the name of the request is the usual one.
            assert_eq!(row.result.names()[0], response.replace("ResultResponse", "Result"), "{name}: {method}");
            checked += 1;
        }
        assert_pinned(name, "result_responses", checked);
    }
}

#[test]
fn every_request_and_result_that_the_sides_list_answer_each_other() {
    let sources = sources();
    for name in revisions() {
        let definitions = definitions(name);
        let rows = rows(&model(&sources, name));
        let listed = |union: &str| definitions.get(union).map(referred).unwrap_or_default();
        let mut checked = BTreeSet::new();
        for (asks, answers) in
            [("ClientRequest", "ServerResult"), ("ServerRequest", "ClientResult"), ("InputRequest", "InputResponse")]
        {
            for request in listed(asks) {
                let result = request.replace("Request", "Result");
                if !listed(answers).contains(&result) {
                    continue;
                }
                let method = definitions[&request]["properties"]["method"]["const"].as_str().expect("a method");
                let row = rows.iter().find(|row| row.method == method).expect("a row");
                assert_eq!(row.result.names()[0], result, "{name}: {method}");
                checked.insert(method.to_owned());
            }
        }
        let requests = rows.iter().filter(|row| !row.result.names().is_empty()).count();
        // Those that no list pairs are answered with nothing of their own.
        assert_pinned(name, "requests", requests);
        assert_pinned(name, "requests_answered_by_lists", checked.len());
    }
}

#[test]
fn every_constant_code_of_an_error_is_the_one_in_the_model() {
    let sources = sources();
    for name in revisions() {
        let model = model(&sources, name);
        let mut checked = 0;
        for (error, value) in definitions(name) {
            let nested = value["properties"]["error"]["allOf"][1]["properties"]["code"]["const"].as_i64();
            let Some(code) = value["properties"]["code"]["const"].as_i64().or(nested) else { continue };
            // `HeaderMismatchError` is HEADER_MISMATCH, `ParseError` is PARSE_ERROR.
            let squeezed = |name: &str| name.to_lowercase().replace('_', "");
            let is_it = |known: &str| {
                let (known, error) = (squeezed(known), squeezed(&error));
                known == error || format!("{known}error") == error
            };
            let known = model.error_codes.iter().find(|known| is_it(&known.name)).expect("a constant");
            assert_eq!(known.code, code, "{name}: {error}");
            checked += 1;
        }
        assert_pinned(name, "error_codes", json!({ "all": model.error_codes.len(), "by_the_schema": checked }));
    }
}

#[test]
fn no_fact_repeats_or_contradicts_a_schema() {
    type Break = fn(&mut mcp_wire_codegen::facts::Facts);
    let cases: [(&str, &str, Break); 6] = [
        (
            stateless(),
            "`GetPromptResultResponse` says that `GetPromptResult`, `InputRequiredResult` answers",
            |facts| {
                facts.method.iter_mut().find(|entry| entry.method == "prompts/get").expect("an entry").result =
                    Some("GetPromptResult".to_owned());
            },
        ),
        (stateless(), "`DiscoverResultResponse` says that `DiscoverResult` answers `server/discover`", |facts| {
            facts.method.iter_mut().find(|entry| entry.method == "server/discover").expect("an entry").also =
                vec!["InputRequiredResult".to_owned()];
        }),
        ("2024-11-05", "`ServerResult` says that `CallToolResult` answers `tools/call`", |facts| {
            facts.method.iter_mut().find(|entry| entry.method == "tools/call").expect("an entry").result =
                Some("EmptyResult".to_owned());
        }),
        (stateless(), "`HeaderMismatchError` says that HEADER_MISMATCH is -32020", |facts| {
            facts.error_code.iter_mut().find(|entry| entry.name == "HEADER_MISMATCH").expect("an entry").code =
                Some(-32001);
        }),
        (stateless(), "`ParseError` says that PARSE_ERROR is -32700", |facts| {
            facts.error_code.iter_mut().find(|entry| entry.name == "PARSE_ERROR").expect("an entry").code =
                Some(-32701);
        }),
        ("2024-11-05", "no definition has the code of PARSE_ERROR", |facts| {
            facts.error_code.iter_mut().find(|entry| entry.name == "PARSE_ERROR").expect("an entry").code = None;
        }),
    ];
    let sources = sources();
    for (revision, message, damage) in cases {
        let source = sources.revisions.iter().find(|source| source.name == revision).expect("a revision");
        let schema = load::official(&folder(), source).expect("a schema");
        let mut facts = sources.facts.about(revision);
        facts.prove(Path::new("facts.toml"), &schema).expect("the facts as they are");
        damage(&mut facts);
        let error = facts.prove(Path::new("facts.toml"), &schema).expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// A schema of one's own, and what its one method is answered with.
fn answered(definitions: Value) -> (Vec<String>, Vec<(String, i64)>) {
    let mut all = json!({
        "FooRequest": { "type": "object", "required": ["method"], "properties": {
            "method": { "const": "foo/do", "type": "string" },
        } },
        "FooResult": { "type": "object", "properties": { "a": { "type": "string" } } },
        "OtherResult": { "type": "object", "required": ["b"], "properties": { "b": { "type": "string" } } },
    });
    all.as_object_mut().expect("definitions").extend(definitions.as_object().expect("definitions").clone());
    let bytes = serde_json::to_vec(&json!({ "$defs": all })).expect("JSON");
    let schema = load::bytes(Path::new("own.json"), "own", &bytes).expect("a schema");
    let model = model_of(&folder(), &sources(), schema).expect("a model");
    let row = rows(&model).into_iter().find(|row| row.method == "foo/do").expect("the method");
    let codes = model.error_codes.iter().map(|code| (code.name.clone(), code.code)).collect();
    (row.result.names().to_vec(), codes)
}

#[test]
fn a_schema_of_ones_own_says_it_too() {
    let to = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let response = |result: Value| json!({ "FooResultResponse": { "type": "object", "required": ["result"], "properties": { "result": result } } });
    let results = |definitions: Value| answered(definitions).0;
    assert_eq!(results(response(to("OtherResult"))), ["OtherResult"]);
    let both = json!({ "anyOf": [to("OtherResult"), to("FooResult")] });
    assert_eq!(results(response(both)), ["FooResult", "OtherResult"]);
    // What has no name cannot be pointed to, and a name alone pairs nothing.
    assert_eq!(results(response(json!({ "type": "object" }))), [""; 0]);
    assert_eq!(results(json!({})), [""; 0]);
    let lists =
        json!({ "ClientRequest": to("FooRequest"), "ServerResult": { "anyOf": [to("OtherResult"), to("FooResult")] } });
    assert_eq!(results(lists), ["FooResult"]);
    // Who lists the request is answered by the other side, not by its own.
    let lists = json!({ "ServerRequest": to("FooRequest"), "ServerResult": to("FooResult") });
    assert_eq!(results(lists), [""; 0]);

    let codes = answered(json!({
        "TeapotEmptyError": { "type": "object", "required": ["code", "message"], "properties": {
            "code": { "const": 418, "type": "integer" }, "message": { "type": "string" },
        } },
        "FullError": { "type": "object", "required": ["error"], "properties": {
            "error": { "$ref": "#/$defs/Inner" },
        } },
        "Inner": { "type": "object", "required": ["code"], "properties": { "code": { "const": 7, "type": "integer" } } },
        "LooseError": { "type": "object", "properties": { "code": { "const": 9, "type": "integer" } } },
    }))
    .1;
    let has = |name: &str, code: i64| codes.contains(&(name.to_owned(), code));
    assert!(has("TEAPOT_EMPTY", 418) && has("FULL_ERROR", 7), "{codes:?}");
    // The numbers of the newest revision hold in a schema that does not have its errors, and an object with a code is none.
    assert!(has("PARSE_ERROR", -32700) && has("HEADER_MISMATCH", -32020), "{codes:?}");
    assert!(!codes.iter().any(|(name, _)| name == "LOOSE_ERROR"), "{codes:?}");
}
