//! The table of methods: the same in the generated crates, in the facade and on the command line.

use std::process::Command;

use mcp_wire::{Declared, Json, JsonObject, Method, MethodKind, Party, Phase, Revision};
use mcp_wire_tests::{ALL, assert_pinned, root};
use serde_json::{Value, json};

/// What the command line prints. It is a workspace of its own, which shares the target folder.
fn xtask(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--manifest-path", "xtask/Cargo.toml", "--"])
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// A row of a generated table, as the command line prints it.
fn row(revision: &Revision, method: &Method) -> Value {
    let party = |party: &Party| json!(party.to_string());
    json!({
        "revision": revision.as_str(),
        "method": method.name,
        "kind": match method.kind {
            MethodKind::Request => "request",
            MethodKind::Notification => "notification",
            MethodKind::Embedded => "embedded",
        },
        "senders": method.senders.iter().map(party).collect::<Vec<_>>(),
        "params": method.params,
        "params_required": method.params_required,
        "result": match method.results {
            [] => json!(null),
            [one] => json!(one),
            several => json!(several),
        },
        "capability": { "client": method.client_capability, "server": method.server_capability },
        "deprecated": method.deprecated,
    })
}

#[test]
fn the_command_line_and_the_crates_have_the_same_table() {
    let (code, text, _) = xtask(&["methods", "--format", "json"]);
    assert_eq!(code, 0);
    let printed: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let expected: Vec<Value> = Revision::ALL
        .iter()
        .flat_map(|revision| revision.methods().iter().map(|method| row(revision, method)))
        .collect();
    assert_eq!(printed, expected);
    for revision in Revision::ALL {
        assert_pinned(revision.as_str(), "methods", revision.methods().len());
    }

    let (code, one, _) = xtask(&["methods", "--revision", "2025-06-18", "--format", "json"]);
    assert_eq!(code, 0);
    let one: Vec<Value> = serde_json::from_str(&one).expect("JSON");
    assert!(one.len() == 25 && one.iter().all(|row| row["revision"] == "2025-06-18"));

    let (code, text, _) = xtask(&["methods"]);
    assert_eq!(code, 0);
    let is_row = |line: &&str| line.contains('/') || line.starts_with("ping") || line.starts_with("init");
    assert_pinned(ALL, "methods", text.lines().filter(is_row).count());
    let (_, markdown, _) = xtask(&["methods", "--format", "markdown"]);
    assert_pinned(ALL, "methods", markdown.lines().filter(|line| line.starts_with("| ")).count() - 1);

    let (code, _, error) = xtask(&["methods", "--revision", "2031-01-01"]);
    assert!(code == 2 && error.contains("no revision `2031-01-01`") && error.contains("2025-11-25"), "{error}");
}

#[test]
fn the_table_says_what_the_schema_says() {
    for revision in Revision::ALL {
        let mut requests = 0;
        let path = root().join("schema").join(revision.as_str()).join("schema.json");
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON");
        let definitions = schema.get("definitions").or_else(|| schema.get("$defs")).expect("definitions");
        assert!(revision.methods().is_sorted_by_key(|method| method.name));
        for method in revision.methods() {
            assert!(!method.senders.is_empty(), "{}", method.name);
            // Params are required in the table where they are in the schema.
            let message = definitions
                .as_object()
                .expect("an object")
                .values()
                .find(|definition| definition["properties"]["method"]["const"] == method.name)
                .expect("a message");
            let required = message["required"].as_array().is_some_and(|names| names.contains(&json!("params")));
            assert_eq!(method.params_required, required, "{revision} {}", method.name);
            assert_eq!(method.results.is_empty(), method.kind == MethodKind::Notification, "{}", method.name);
            for result in method.results {
                assert!(definitions.get(result).is_some(), "{result}");
            }
            requests += usize::from(method.kind != MethodKind::Notification);
            assert_eq!(revision.method(method.name), Some(method));
        }
        let opening: Vec<_> = revision.methods().iter().filter(|method| method.phase == Phase::Handshake).collect();
        assert_eq!(opening.len(), usize::from(revision.has_handshake()));
        assert_pinned(revision.as_str(), "requests", requests);
    }
}

#[test]
fn a_capability_opens_what_it_gates_and_nothing_else() {
    let mut gated = 0;
    for revision in Revision::ALL {
        for method in revision.methods() {
            for sender in method.senders {
                let nothing = Declared::default();
                let Some((party, capability)) = method.gate(*sender) else {
                    assert_eq!(nothing.permits(method, *sender), Ok(()), "{}", method.name);
                    continue;
                };
                gated += 1;
                let refusal = nothing.permits(method, *sender).expect_err("an undeclared capability");
                assert_eq!((refusal.party, refusal.capability, refusal.method), (party, capability, method.name));
                // The capability as an object, as `true`, as `false`, and half of its path.
                let nested = |leaf: Value| capability.split('.').rev().fold(leaf, |inner, name| json!({ name: inner }));
                let declare = |capabilities: Value| match party {
                    Party::Client => Declared::new(&Json::from(capabilities), &JsonObject::new()),
                    Party::Server => Declared::new(&JsonObject::new(), &Json::from(capabilities)),
                };
                assert_eq!(declare(nested(json!({}))).permits(method, *sender), Ok(()));
                assert_eq!(declare(nested(json!(true))).permits(method, *sender), Ok(()));
                for missing in [nested(json!(false)), nested(json!(null)), json!({}), json!({ "unrelated": {} })] {
                    assert!(declare(missing).permits(method, *sender).is_err(), "{}", method.name);
                }
                // What the other side declares does not count.
                let capabilities = Json::from(nested(json!({})));
                let other = match party {
                    Party::Client => Declared::new(&JsonObject::new(), &capabilities),
                    Party::Server => Declared::new(&capabilities, &JsonObject::new()),
                };
                assert!(other.permits(method, *sender).is_err(), "{}", method.name);
            }
        }
    }
    println!("{gated} gates");
    assert!(gated > 90, "only {gated} gates");
}
