//! Recorded sessions of all sorts, and input that is none.

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use common::{built, file, folder, published_schema, root, run, task, traffic};
use mcp_wire_tests::stateless;
use mcp_wire_verify::{Outcome, Task, Totals};
use serde_json::{Value, json};

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

fn outcomes(documents: &[mcp_wire_verify::Document]) -> Vec<(Option<usize>, Outcome, Option<&str>)> {
    documents.iter().map(|document| (document.line, document.outcome, document.variant.as_deref())).collect()
}

#[test]
fn a_session_is_read_with_its_noise_and_its_mistakes() {
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "x" } });
    let info = json!({ "name": "n", "version": "1" });
    let opening = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
    let opened = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": info });
    let wrapped = |dir: &str, msg: Value| json!({ "dir": dir, "msg": msg, "time": 12 });
    let session = lines(&[
        wrapped("c2s", json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening })),
        wrapped("s2c", json!({ "jsonrpc": "2.0", "id": 1, "result": opened })),
        json!({ "dir": "s2c", "raw": "Server listening" }),
        wrapped("c2s", call.clone()),
        wrapped("s2c", json!({ "result": { "content": [{ "type": "hologram" }] }, "jsonrpc": "2.0", "id": 2 })),
        wrapped("c2s", json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {} })),
        wrapped("s2c", json!({ "level": "info", "text": "no message" })),
        wrapped("s2c", json!({ "jsonrpc": "2.0", "id": null, "error": { "code": 1, "message": "m" } })),
        wrapped("c2s", json!({ "jsonrpc": "2.0", "id": 4, "method": "vendor/x" })),
        wrapped("s2c", json!({ "jsonrpc": "2.0", "id": 99, "result": {} })),
        // A new connection begins, and ids with it.
        wrapped("c2s", call),
    ]) + "a line of text\r\n\n\"a string\"\n";
    let path = file("session", "session.jsonl", session);
    let (result, kept) = traffic(&path);
    result.expect("a recording");
    assert_eq!(
        outcomes(&kept.documents),
        [
            (Some(1), Outcome::Exact, Some("Request::Initialize")),
            (Some(2), Outcome::Exact, Some("Response::Initialize")),
            (Some(3), Outcome::Noise, None),
            (Some(4), Outcome::Exact, Some("Request::CallTool")),
            (Some(5), Outcome::Exact, Some("Response::CallTool")),
            (Some(6), Outcome::Invalid, None),
            (Some(7), Outcome::Noise, None),
            (Some(8), Outcome::Exact, Some("Response::Error")),
            (Some(9), Outcome::Exact, Some("Request::Other")),
            (Some(10), Outcome::Exact, Some("Response::Raw")),
            (Some(11), Outcome::Exact, Some("Request::CallTool")),
            (Some(12), Outcome::Noise, None),
            (Some(14), Outcome::Noise, None),
        ]
    );
    let expected =
        Totals { documents: 13, exact: 8, lossy: 0, rejected: 0, invalid: 1, noise: 4, unknown: 2, violations: 2 };
    assert_eq!(kept.totals(), expected);
    let violations: Vec<(Option<usize>, &str)> = kept
        .documents
        .iter()
        .flat_map(|document| document.violations.iter().map(|one| (document.line, one.pointer.as_str())))
        .collect();
    assert_eq!(violations, [(Some(5), "/result/content/0"), (Some(8), "/id")]);
    let error = kept.documents[5].error.as_deref().expect("an error");
    assert!(error.contains("/params") && error.contains("name"), "{error}");
}

#[test]
fn a_log_without_directions_is_understood() {
    let log = lines(&[
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list" }),
        // Both sides have a request with this id; the client's is answered first.
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [] } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "roots": [] } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }),
    ]);
    let path = file("log", "server.log", log);
    let (result, kept) = run(&Task { revision: Some("2025-11-25".to_owned()), traffic: vec![path], ..task() });
    result.expect("a log");
    let found: Vec<(&str, &str)> = kept
        .documents
        .iter()
        .map(|document| (document.ty.as_deref().expect("a type"), document.variant.as_deref().expect("a variant")))
        .collect();
    assert_eq!(
        found,
        [
            ("ClientMessage", "Request::ListTools"),
            ("ServerMessage", "Request::ListRoots"),
            ("ServerMessage", "Response::ListTools"),
            ("ClientMessage", "Response::ListRoots"),
            ("ClientMessage", "Notification::RootsListChanged"),
            ("ServerMessage", "Notification::ToolListChanged"),
        ]
    );
    assert_eq!(kept.totals().violations, 0);
}

#[test]
fn batches_are_messages_where_the_revision_has_them() {
    let batch = json!([
        { "jsonrpc": "2.0", "id": 1, "method": "tools/list" },
        { "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {} },
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
    ]);
    let answers = json!([{ "jsonrpc": "2.0", "id": 1, "result": { "tools": [] } }]);
    let session = lines(&[json!({ "dir": "c2s", "msg": batch }), json!({ "dir": "s2c", "msg": answers })]);
    let path = file("batches", "session.jsonl", session);
    let of = |revision: &str| {
        let (result, kept) = run(&Task { revision: Some(revision.to_owned()), traffic: vec![path.clone()], ..task() });
        result.expect("a recording");
        kept
    };
    let kept = of("2025-03-26");
    assert_eq!((kept.totals().exact, kept.totals().violations), (2, 1));
    assert_eq!(kept.documents[0].violations[0].pointer, "/1", "the item that cannot be read");
    assert_eq!(of("2025-06-18").totals().invalid, 2);
}

#[test]
fn the_revision_is_found_where_it_stands() {
    let info = json!({ "name": "n", "version": "1" });
    let opening = json!({ "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": info });
    // Audio came with 2025-03-26: the older revision does not know it.
    let audio = json!({ "content": [{ "type": "audio", "data": "", "mimeType": "audio/wav" }] });
    let session = lines(&[
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "x" } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": audio }),
    ]);
    let violations = |path: &std::path::Path| {
        let (result, kept) = traffic(path);
        result.expect("a recording");
        kept.totals().violations
    };
    let path = file("stated", "session.jsonl", &session);
    assert_eq!(violations(&path), 1, "the messages say 2024-11-05");
    let place = folder("in-path").join("2025-06-18");
    fs::create_dir_all(&place).expect("a folder");
    fs::write(place.join("session.jsonl"), &session).expect("a file");
    assert_eq!(violations(&place), 0, "the folder says 2025-06-18");
}

/// What real peers are known to get wrong comes through exactly, is named, and costs its neighbours nothing.
#[test]
fn known_deviations_are_kept_and_named() {
    let ask =
        |id: u64, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": { "name": "x" } });
    let tools = json!([{ "name": "a", "inputSchema": { "properties": {} } }, { "name": "b", "inputSchema": { "type": "object" } }]);
    let content = json!([{ "type": "text", "text": "x" }, { "type": "resource_link", "uri": "file:///a" }]);
    let session = lines(&[
        json!({ "dir": "c2s", "msg": ask(1, "tools/list") }),
        json!({ "dir": "s2c", "msg": { "jsonrpc": "2.0", "id": 1, "result": { "tools": tools } } }),
        json!({ "dir": "c2s", "msg": ask(2, "tools/call") }),
        json!({ "dir": "s2c", "msg": { "jsonrpc": "2.0", "id": 2, "result": { "content": content } } }),
        json!({ "dir": "s2c", "msg": { "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "m" } } }),
        // A member that does not apply, written as `null`.
        json!({ "dir": "s2c", "msg": { "jsonrpc": "2.0", "id": 1, "result": { "tools": [] }, "error": null } }),
    ]);
    let (result, kept) = traffic(&file("deviations", "session.jsonl", session));
    result.expect("a recording");
    let totals = kept.totals();
    assert_eq!((totals.exact, totals.documents), (6, 6));
    let named: Vec<(Option<usize>, &str, &str)> = kept
        .documents
        .iter()
        .flat_map(|document| {
            document.violations.iter().map(|one| (document.line, one.pointer.as_str(), one.rule.as_str()))
        })
        .collect();
    assert_eq!(
        named,
        [
            (Some(2), "/result/tools/0/inputSchema", "Required"),
            (Some(4), "/result/content/1", "Required"),
            (Some(5), "/id", "Type"),
        ]
    );

    // Where results have types, one without its type is complete.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": stateless::REVISION, "io.modelcontextprotocol/clientCapabilities": {},
    });
    let session = lines(&[
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "x", "_meta": meta } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "content": [] } }),
    ]);
    let (result, kept) = traffic(&file("absent", "session.jsonl", session));
    result.expect("a recording");
    assert_eq!(kept.documents[1].variant.as_deref(), Some("Response::CallTool"));
    assert_eq!((kept.totals().exact, kept.totals().violations), (2, 1));
}

/// Runs the program as the command line does.
fn program(task: Task, is_json: bool) -> (i32, String, String) {
    static ACCEPTS: LazyLock<PathBuf> = LazyLock::new(|| built("mcp-wire-accepts"));
    let task = Task { accepts: Some(ACCEPTS.clone()), ..task };
    let mut request = serde_json::to_value(task).expect("JSON");
    request["json"] = json!(is_json);
    request["quiet"] = json!(false);
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-wire-verify")).arg(request.to_string()).output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

#[test]
fn unusable_input_is_named_and_ends_with_2() {
    let empty = folder("unusable");
    fs::create_dir_all(empty.join("CallToolRequst")).expect("a folder");
    fs::write(empty.join("CallToolRequst/a.json"), "{}").expect("a file");
    let long = file("long", "long.jsonl", format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{}\"}}\n", "x".repeat(2 << 20)));
    let nothing = folder("nothing");
    let traffic = |path: std::path::PathBuf| Task { traffic: vec![path], ..task() };
    let examples = |path: std::path::PathBuf| Task { examples: vec![path], ..task() };
    let cases = [
        (traffic(root().join("no/such/file.jsonl")), "No such file"),
        (traffic(file("empty", "empty.jsonl", "")), "the file is empty"),
        (traffic(file("blank", "blank.jsonl", "\n\r\n  \n")), "the file is empty"),
        (
            traffic(file("prose", "prose.jsonl", "Dear diary,\nnothing happened.\n")),
            "no JSON-RPC message among 2 lines",
        ),
        (traffic(file("bytes", "bytes.jsonl", b"\xff\xfe\x00\n")), "no JSON-RPC message among 1 lines"),
        (traffic(long), "line 1 has"),
        (traffic(nothing.clone()), "has no recordings"),
        (examples(nothing), "has no examples"),
        (examples(root().join("no/such/folder")), "No such file"),
        (examples(empty), "the nearest are CallToolRequest"),
        (Task { revision: Some("2031-01-01".to_owned()), ..task() }, "there are 2024-11-05"),
    ];
    assert_eq!(cases.len(), 11);
    for (task, expected) in cases {
        let (code, _, error) = program(task.clone(), false);
        assert_eq!(code, 2, "{task:?}: {error}");
        assert!(error.starts_with("error: ") && error.contains(expected), "{task:?}: {error}");
    }
}

#[test]
fn a_recording_that_was_cut_off_is_read_up_to_there() {
    let good = json!({ "dir": "c2s", "msg": { "jsonrpc": "2.0", "id": 1, "method": "tools/list" } });
    let path = file(
        "cut",
        "session.jsonl",
        format!("{good}\n{{\"dir\":\"s2c\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":1,\"resu"),
    );
    let task = Task { revision: Some("2025-06-18".to_owned()), traffic: vec![path], ..task() };
    let (code, text, error) = program(task, false);
    assert_eq!(code, 0, "{error}");
    assert!(error.contains("cut off") && text.contains("MB/s"), "{text}{error}");
}

#[test]
fn what_is_printed_as_json_has_the_published_schema() {
    let validator = jsonschema::validator_for(&published_schema()).expect("a valid schema");
    let session = lines(&[
        json!({ "dir": "c2s", "msg": { "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {} } }),
        json!({ "dir": "c2s", "msg": { "id": 2, "method": "tools/list" } }),
        json!("noise"),
    ]);
    let path = file("json", "session.jsonl", session);
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"a":2}}}"#;
    let twice = file("json-twice", "session.jsonl", twice.to_owned() + "\n");
    // What is printed of a loss is in `careless_readers.rs`.
    let tasks = [
        Task { revision: Some("2025-06-18".to_owned()), traffic: vec![path], ..task() },
        Task { revision: Some("2025-06-18".to_owned()), ..task() },
        Task { revision: Some("2025-06-18".to_owned()), traffic: vec![twice], ..task() },
    ];
    for task in tasks {
        let (code, text, error) = program(task, true);
        assert_eq!(code, 0, "{error}");
        let printed: Value = serde_json::from_str(&text).expect("JSON");
        assert!(validator.is_valid(&printed), "{:?}", validator.iter_errors(&printed).next());
        assert_eq!(printed["totals"]["documents"], json!(printed["documents"].as_array().expect("a list").len()));
    }
}
