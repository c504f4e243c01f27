//! What real packages put on the wire although the official schema does not have it so, or does not name it: each
//! deviation decodes, comes back exactly, is reported where it is one, and leaves its neighbours typed.

use std::collections::BTreeMap;
use std::path::Path;

use mcp_wire::{v2024_11_05, v2025_06_18, v2025_11_25};
use mcp_wire_core::__private::Wire;
use mcp_wire_core::{DecodeError, Number, RequestId, Rule, Violation, from_str, to_string};
use mcp_wire_judge::AnyOrder;
use mcp_wire_tests::{
    Judge, REVISIONS, Revision, assert_pinned, difference, each_revision, revision, root, shared, stateless,
};
use serde::Serialize;
use serde_json::{Value, json};

fn places(violations: &[Violation]) -> Vec<(&str, Rule)> {
    violations.iter().map(|violation| (violation.pointer.as_str(), violation.rule)).collect()
}

/// Decodes a document as a definition of a revision, and asserts that it comes back exactly with these violations.
/// Returns the variant.
fn decodes(revision: &Revision, definition: &str, document: &Value, violations: &[(&str, Rule)]) -> &'static str {
    let place = format!("{definition} of {}: {document}", revision.name);
    let probe = revision.entry(definition).read(&document.to_string());
    let probe = probe.unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(revision.difference(definition, &document.to_string(), &probe.text), None, "{place}");
    assert_eq!(places(&probe.violations), violations, "{place}");
    probe.variant.unwrap_or_default()
}

/// Decodes a document as `T`, and asserts that it comes back exactly.
fn exact<T: Wire>(document: &Value) -> T {
    let typed: T = from_str(&document.to_string()).unwrap_or_else(|error| panic!("{error}: {document}"));
    assert_eq!(difference(&document.to_string(), &to_string(&typed), AnyOrder), None);
    typed
}

#[test]
fn error_responses_need_no_id() {
    let mut responses = 0;
    for revision in &REVISIONS {
        let newer = revision.name >= "2025-11-25";
        let (response, variant) =
            if newer { ("JSONRPCErrorResponse", "ErrorResponse") } else { ("JSONRPCError", "Error") };
        let null = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "Parse error" } });
        let absent = json!({ "jsonrpc": "2.0", "error": { "code": -32000, "message": "Bad Request" } });
        // An absent id is valid from 2025-11-25, `null` never is.
        let missing: &[_] = if newer { &[] } else { &[("", Rule::Required)] };
        for (document, violations) in [(null, &[("/id", Rule::Type)][..]), (absent, missing)] {
            assert_eq!(decodes(revision, "JSONRPCMessage", &document, violations), variant, "{}", revision.name);
            decodes(revision, response, &document, violations);
            responses += 1;
        }
    }
    assert_eq!(responses, REVISIONS.len() * 2);
    // The error itself is typed.
    let document = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "m" } });
    let response: v2024_11_05::JSONRPCError = exact(&document);
    assert_eq!((response.id, response.error.code.as_i64()), (None, Some(-32700)));
    let response: v2025_11_25::JSONRPCErrorResponse = exact(&document);
    assert_eq!((response.id, response.error.message.as_str()), (None, "m"));
}

#[test]
fn results_without_a_result_type_are_complete() {
    let revision = revision(stateless::REVISION);
    let schema = revision.schema();
    let instances = mcp_wire_tests::instances::Instances::new(&schema.document);
    let mut results = 0;
    for (definition, body) in schema.document[schema.keyword].as_object().unwrap() {
        let required = body["required"].as_array().into_iter().flatten();
        if required.into_iter().any(|name| name == "resultType") {
            let mut document = instances.minimal(definition).unwrap();
            document.as_object_mut().unwrap().remove("resultType");
            // A complete result is never a request for input.
            match definition.as_str() {
                "InputRequiredResult" => {
                    let Err(error) = revision.entry(definition).read(&document.to_string()) else {
                        panic!("{document}")
                    };
                    assert!(error.to_string().contains("resultType"), "{error}");
                }
                _ => drop(decodes(revision, definition, &document, &[("", Rule::Required)])),
            }
            results += 1;
        }
    }
    assert_eq!(results, 14);

    use stateless::{CallToolAnswer, CallToolResult, CallToolResultResponse, ResultType};
    let document = json!({ "content": [{ "type": "text", "text": "t" }] });
    let result: CallToolResult = exact(&document);
    assert_eq!((result.result_type, result.content.len()), (ResultType::Complete, 1));
    // Inside a response it is what it would be with its type: the answer, not a request for input.
    let response: CallToolResultResponse = exact(&json!({ "jsonrpc": "2.0", "id": 1, "result": document }));
    assert!(matches!(response.result, CallToolAnswer::CallTool(_)));
    assert_eq!(places(&response.check()), [("/result", Rule::Required)]);
}

#[test]
fn a_resource_link_without_a_name_leaves_the_other_blocks_typed() {
    let document = json!({
        "content": [
            { "type": "text", "text": "Here are two resources:" },
            { "type": "resource_link", "uri": "test://static/resource/1", "description": "plain", "mimeType": "text/plain" },
            { "type": "resource_link", "uri": "test://static/resource/2", "name": "Resource 2" },
        ],
    });
    for revision in &REVISIONS[2..4] {
        decodes(revision, "CallToolResult", &document, &[("/content/1", Rule::Required)]);
    }
    use v2025_06_18::{CallToolResult, ContentBlock};
    let result: CallToolResult = exact(&document);
    assert!(matches!(&result.content[0], ContentBlock::Text(block) if block.text.ends_with("resources:")));
    assert!(matches!(&result.content[1], ContentBlock::Unknown(block) if *block == document["content"][1]));
    assert!(matches!(&result.content[2], ContentBlock::ResourceLink(link) if link.name == "Resource 2"));
    assert_eq!(result.check()[0].expected, "the required member \"name\"");
}

#[test]
fn a_tool_whose_schema_has_no_type_leaves_all_tools_typed() {
    let document = json!({
        "tools": [
            { "name": "a", "inputSchema": { "type": "object", "properties": { "p": { "type": "string" } } } },
            { "name": "b", "inputSchema": { "properties": { "q": {} }, "$schema": "http://json-schema.org/draft-07/schema#" } },
            { "name": "c", "inputSchema": {} },
            { "name": "d", "inputSchema": { "type": "object" } },
        ],
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "public",
    });
    let missing = [("/tools/1/inputSchema", Rule::Required), ("/tools/2/inputSchema", Rule::Required)];
    for revision in &REVISIONS {
        decodes(revision, "ListToolsResult", &document, &missing);
    }
    let result: v2025_11_25::ListToolsResult = exact(&document);
    let names: Vec<_> = result.tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert!(result.tools[1].input_schema.properties.as_ref().unwrap().contains_key("q"));
    assert!(result.tools[1].input_schema.extra.is_omitted("type"));
}

#[test]
fn a_progress_token_arrives_in_params_that_do_not_declare_it() {
    let meta = json!({ "progressToken": 3 });
    let cases = [
        (
            "CallToolRequest",
            json!({ "method": "tools/call", "params": { "name": "n", "arguments": {}, "_meta": meta } }),
        ),
        ("GetPromptRequest", json!({ "method": "prompts/get", "params": { "name": "n", "_meta": meta } })),
        ("ReadResourceRequest", json!({ "method": "resources/read", "params": { "uri": "a:b", "_meta": meta } })),
        ("ListToolsRequest", json!({ "method": "tools/list", "params": { "_meta": meta } })),
        ("SubscribeRequest", json!({ "method": "resources/subscribe", "params": { "uri": "a:b", "_meta": meta } })),
        ("SetLevelRequest", json!({ "method": "logging/setLevel", "params": { "level": "info", "_meta": meta } })),
        ("PingRequest", json!({ "method": "ping", "params": { "_meta": meta } })),
    ];
    let mut requests = 0;
    for revision in &REVISIONS[..4] {
        for (definition, request) in &cases {
            // The envelope is part of the type from 2025-11-25, and extra before.
            let mut request = request.clone();
            request["jsonrpc"] = json!("2.0");
            request["id"] = json!(1);
            decodes(revision, definition, &request, &[]);
            assert_ne!(
                decodes(revision, "ClientRequest", &request, &[]),
                "Unknown",
                "{definition} of {}",
                revision.name
            );
            requests += 1;
        }
    }
    assert_eq!(requests, 4 * 7);
    let params: v2024_11_05::CallToolRequest = exact(&cases[0].1);
    assert_eq!(params.params.extra.get("_meta").unwrap().to_value(), meta);
}

#[test]
fn undeclared_members_are_valid_and_kept() {
    let cases = [
        ("2024-11-05", "Resource", json!({ "uri": "a:b", "name": "n", "text": "Resource 1: plain text" })),
        ("2025-06-18", "Resource", json!({ "uri": "a:b", "name": "n", "mimeType": "x/y", "blob": "AAAA" })),
        ("2025-11-25", "ToolAnnotations", json!({ "readOnlyHint": true, "category": "search" })),
        ("2024-11-05", "ServerCapabilities", json!({ "tools": {}, "completions": {}, "extensions": { "e": {} } })),
        ("2025-11-25", "ServerCapabilities", json!({ "tools": {}, "extensions": { "io.x/ui": { "a": [] } } })),
        ("2025-11-25", "ClientCapabilities", json!({ "extensions": { "io.x/ui": {} } })),
        ("2025-11-25", "ListToolsResult", json!({ "tools": [], "ttlMs": 60000, "cacheScope": "private" })),
        ("2025-11-25", "ReadResourceResult", json!({ "contents": [], "ttlMs": 0.5 })),
        (
            stateless::REVISION,
            "DiscoverResult",
            json!({
                "resultType": "complete",
                "supportedVersions": [stateless::REVISION],
                "capabilities": {},
                "ttlMs": 0,
                "cacheScope": "private",
                "serverInfo": { "name": "s", "version": "1" },
            }),
        ),
    ];
    assert_eq!(cases.len(), 9);
    for (name, definition, document) in &cases {
        decodes(revision(name), definition, document, &[]);
    }
    let annotations: v2025_11_25::ToolAnnotations = exact(&cases[2].2);
    assert_eq!(annotations.read_only_hint, Some(true));
    assert_eq!(annotations.extra.get("category").unwrap(), "search");
    let discovered: stateless::DiscoverResult = exact(&cases[8].2);
    assert_eq!(discovered.extra.get("serverInfo").unwrap().get("name").unwrap(), "s");
}

#[test]
fn numbers_and_ids_come_in_all_their_forms() {
    let (mut progress, mut messages) = (0, 0);
    for revision in &REVISIONS {
        for number in [json!(1), json!(1.0), json!(0.5), json!(100), json!(1e-7)] {
            let params = json!({ "progressToken": "t", "progress": number, "total": 2.0 });
            let document = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params });
            decodes(revision, "ProgressNotification", &document, &[]);
            assert_eq!(decodes(revision, "ServerNotification", &document, &[]), "Progress", "{document}");
            progress += 1;
        }
        let ids = [
            json!(0),
            json!(-1),
            json!(2_147_483_648_u64),
            json!(1_i64 << 53),
            json!(u64::MAX),
            json!(""),
            json!("a-1"),
        ];
        for id in ids {
            let request = json!({ "method": "x", "jsonrpc": "2.0", "id": id });
            assert_eq!(decodes(revision, "JSONRPCMessage", &request, &[]), "Request", "{request}");
            let response = json!({ "result": {}, "jsonrpc": "2.0", "id": id });
            let variant = if revision.name >= "2025-11-25" { "ResultResponse" } else { "Response" };
            // Where results have types, each needs one.
            let untyped: &[_] = if revision.has_result_types() { &[("/result", Rule::Required)] } else { &[] };
            assert_eq!(decodes(revision, "JSONRPCMessage", &response, untyped), variant, "{response}");
            messages += 2;
        }
    }
    assert_eq!((progress, messages), (REVISIONS.len() * 5, REVISIONS.len() * 14));
    let params: v2025_11_25::ProgressNotificationParams = exact(&json!({ "progressToken": 1, "progress": 1.0 }));
    assert_eq!(params.progress, Number::from(1.0));
    assert_eq!(params.progress.as_i64(), Some(1));
    assert_eq!(exact::<RequestId>(&json!(u64::MAX)), RequestId::from(u64::MAX));
}

#[test]
fn errors_have_any_code_and_any_data() {
    let mut errors = 0;
    for revision in &REVISIONS {
        for code in [0, 5, -32042, -32002, -32000, 404, 2_147_483_648_i64] {
            for data in
                [None, Some(json!("text")), Some(json!({ "uri": "a:b", "x": [] })), Some(json!(null)), Some(json!(5))]
            {
                let mut error = json!({ "code": code, "message": "m" });
                if let Some(data) = data {
                    error["data"] = data;
                }
                let document = json!({ "jsonrpc": "2.0", "id": 1, "error": error });
                assert!(decodes(revision, "JSONRPCMessage", &document, &[]).starts_with("Error"), "{document}");
                errors += 1;
            }
        }
    }
    assert_eq!(errors, REVISIONS.len() * 7 * 5);
    let document = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 5, "message": "m", "data": "text" } });
    let response: v2025_11_25::JSONRPCErrorResponse = exact(&document);
    assert_eq!((response.error.code.as_i64(), response.error.data), (Some(5), Some("text".into())));
}

#[test]
fn the_tasks_extension_passes_through_a_revision_without_tasks() {
    use stateless::{
        ClientRequestMessage, JSONRPCMessage, Result, ResultType, ServerNotificationMessage, ServerResult,
    };
    let task = json!({
        "resultType": "task",
        "task": { "taskId": "t-1", "status": "working", "ttlMs": 60000, "pollIntervalMs": 500 },
    });
    let result: Result = exact(&task);
    assert_eq!(result.result_type, ResultType::Unknown("task".to_owned()));
    assert_eq!(result.check(), [], "result types are open");
    assert_eq!(result.extra.get("task").unwrap().to_value(), task["task"]);
    assert_eq!(exact::<ServerResult>(&task).check(), []);
    let message: JSONRPCMessage = exact(&json!({ "jsonrpc": "2.0", "id": 1, "result": task }));
    assert!(matches!(message, JSONRPCMessage::ResultResponse(_)));
    assert_eq!(message.check(), []);
    // A client that expects a tool's result is told what is missing.
    let error = from_str::<stateless::CallToolResult>(&task.to_string()).unwrap_err();
    assert_eq!(error.to_string(), "(document): expected the required member \"content\", found an object without it");
    for method in ["tasks/get", "tasks/update", "tasks/cancel", "vendor/method"] {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "taskId": "t-1" } });
        assert!(matches!(exact(&request), ClientRequestMessage::Unknown(_)), "{method}");
        assert!(matches!(exact(&request), JSONRPCMessage::Request(_)), "{method}");
    }
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/tasks", "params": { "taskId": "t-1" } });
    assert!(matches!(exact(&notification), ServerNotificationMessage::Unknown(_)));
}

#[test]
fn a_raw_line_separator_is_text() {
    // JSON ends lines at \n only; these two are ordinary characters of a string, escaped by some peers and not by others.
    let text = "{\"type\":\"text\",\"text\":\"a\u{2028}b\u{2029}c\",\"\u{2028}\":\"\u{2028}\"}";
    let block: v2025_11_25::TextContent = from_str(text).unwrap();
    assert_eq!(block.text, "a\u{2028}b\u{2029}c");
    assert_eq!(block.extra.get("\u{2028}").unwrap(), "\u{2028}");
    let escaped = text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    assert_eq!(from_str::<v2025_11_25::TextContent>(&escaped).unwrap(), block);
    assert_eq!(serde_json::to_string(&block).unwrap(), text);
}

#[test]
fn json_that_is_no_message_is_kept_as_unknown() {
    for revision in &REVISIONS {
        for noise in [json!({ "level": "info", "msg": "started" }), json!({}), json!("ready"), json!(3000), json!(null)]
        {
            assert_eq!(decodes(revision, "JSONRPCMessage", &noise, &[("", Rule::Union)]), "Unknown", "{noise}");
        }
    }
}

#[test]
fn a_batch_is_read_item_by_item_where_the_revision_has_batches() {
    use mcp_wire::v2025_03_26::{JSONRPCBatchRequestItem, JSONRPCBatchResponseItem, JSONRPCMessage};
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let JSONRPCMessage::BatchRequest(items) = exact(&json!([call, note, 5])) else { panic!("not a batch of requests") };
    assert!(matches!(items[0], JSONRPCBatchRequestItem::Request(_)));
    assert!(matches!(items[1], JSONRPCBatchRequestItem::Notification(_)));
    assert!(matches!(items[2], JSONRPCBatchRequestItem::Unknown(_)));
    let good = json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [] } });
    let bad = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32600, "message": "m" } });
    let message: JSONRPCMessage = exact(&json!([good, bad]));
    assert_eq!(places(&message.check()), [("/1/id", Rule::Type)]);
    let JSONRPCMessage::BatchResponse(items) = message else { panic!("not a batch of responses") };
    assert!(matches!(items[0], JSONRPCBatchResponseItem::Response(_)));
    assert!(matches!(items[1], JSONRPCBatchResponseItem::Error(_)));
    // Elsewhere a batch is no message at all.
    for revision in REVISIONS.iter().filter(|revision| !revision.has_batches()) {
        let variant = decodes(revision, "JSONRPCMessage", &json!([call]), &[("", Rule::Union)]);
        assert_eq!(variant, "Unknown", "{}", revision.name);
    }
}

/// What became of the recorded messages of a revision.
#[derive(Debug, Default, Serialize)]
struct Totals {
    /// Messages that came back exactly.
    messages: usize,
    /// Among them, what is not JSON-RPC.
    noise: usize,
    /// Requests and notifications that came back exactly as the type of their method.
    typed: usize,
    /// Requests and notifications of a known method whose params neither the type nor the schema takes.
    invalid: usize,
    /// Requests and notifications with a method that the revision does not have.
    vendor: usize,
    /// Results that came back exactly as the type of the request they answer.
    results: usize,
    /// Results that neither that type nor the schema takes.
    invalid_results: usize,
    /// Results whose request was not recorded, or has a method that the revision does not have.
    unpaired: usize,
    /// Error responses.
    errors: usize,
}

/// The types of a method: of the message, of its result, and of what may come instead.
type Method = (String, Option<String>, Vec<String>);

fn methods(revision: &Revision) -> BTreeMap<String, Method> {
    let path = root().join(format!("generated/mcp-wire-{}/model.json", revision.name));
    let model: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut methods = BTreeMap::new();
    for method in model["methods"].as_array().unwrap() {
        let also = method["also"].as_array().into_iter().flatten().filter_map(text).collect();
        methods.insert(
            text(&method["method"]).unwrap(),
            (text(&method["message"]).unwrap(), text(&method["result"]), also),
        );
    }
    methods
}

/// Whether a definition takes a document exactly; otherwise the schema has to refuse it as well.
fn taken(revision: &Revision, judge: &mut Judge, definition: &str, document: &Value) -> bool {
    let place = format!("{definition} of {}: {document}", revision.name);
    match revision.entry(definition).read(&document.to_string()) {
        Ok(probe) => {
            assert_eq!(revision.difference(definition, &document.to_string(), &probe.text), None, "{place}");
            let valid = judge.accepts(definition, document);
            assert_eq!(probe.violations.is_empty(), valid, "{:?}: {place}", probe.violations);
            true
        }
        Err(error) => {
            assert!(matches!(error, DecodeError::Shape { .. }), "{error}: {place}");
            assert!(!judge.accepts(definition, document), "{error}, although the schema accepts {place}");
            false
        }
    }
}

/// Reads the recorded sessions of a folder, one JSON object per line.
fn sessions(folder: &Path) -> Vec<Vec<(String, Value)>> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut sessions = Vec::new();
    for file in files {
        let mut session = Vec::new();
        // `str::lines` would do as well, but says less about where a line ends.
        for line in std::fs::read_to_string(&file).unwrap().split('\n').filter(|line| !line.is_empty()) {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let direction = line["dir"].as_str().unwrap().to_owned();
            match line["msg"].take() {
                Value::Null => {}
                Value::Array(batch) => session.extend(batch.into_iter().map(|message| (direction.clone(), message))),
                message => session.push((direction, message)),
            }
        }
        sessions.push(session);
    }
    sessions
}

fn replay(revision: &Revision) {
    let Some(folder) = shared(&format!("traffic/{}", revision.name)) else { return };
    let schema = revision.schema();
    let mut judge = Judge::new(&schema);
    let methods = methods(revision);
    let mut totals = Totals::default();
    for session in sessions(&folder) {
        let mut pending: BTreeMap<(String, String), Option<&Method>> = BTreeMap::new();
        for (direction, message) in session {
            assert!(taken(revision, &mut judge, "JSONRPCMessage", &message), "{message}");
            totals.messages += 1;
            let id = message.get("id").map(Value::to_string);
            if let Some(method) = message["method"].as_str() {
                let known = methods.get(method);
                match known {
                    None => totals.vendor += 1,
                    Some((definition, _, _)) if taken(revision, &mut judge, definition, &message) => totals.typed += 1,
                    Some(_) => totals.invalid += 1,
                }
                if let Some(id) = id {
                    pending.insert((direction, id), known);
                }
            } else if let Some(result) = message.get("result") {
                // An answer travels against its request; the latest request of an id wins.
                let asked = if direction == "c2s" { "s2c" } else { "c2s" };
                let method = id.and_then(|id| pending.get(&(asked.to_owned(), id)).copied().flatten());
                let Some((_, Some(usual), also)) = method else {
                    totals.unpaired += 1;
                    continue;
                };
                let other = also.iter().find(|name| match name.as_str() {
                    "InputRequiredResult" => result["resultType"] == "input_required",
                    "CreateTaskResult" => result["task"].is_object(),
                    name => panic!("no rule for {name}"),
                });
                match taken(revision, &mut judge, other.unwrap_or(usual), result) {
                    true => totals.results += 1,
                    false => totals.invalid_results += 1,
                }
            } else if message.get("error").is_some() {
                totals.errors += 1;
            } else {
                totals.noise += 1;
            }
        }
    }
    println!("{}: {totals:?}", revision.name);
    assert_pinned(revision.name, "recorded_messages", totals);
}

each_revision!(recorded_messages_come_back_exactly_in: replay);
