//! What the specification demands, one test for each demand that this project enforces. `docs/requirements.md` lists
//! them all; the last test compares the two. Those on version negotiation are in `negotiation.rs`.

use std::collections::{BTreeMap, BTreeSet};

use mcp_wire::{v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25};
use mcp_wire_core::framing::{Frame, Framer, MessageReader, write_message};
use mcp_wire_core::{ErrorCode, ErrorObject, MethodKind, Number, Party, ProgressError, from_value};
use mcp_wire_tests::ends::{End, Setup, notification, params_of, parsed, poll, request, response, result_of};
use mcp_wire_tests::{ALL, REVISIONS, Revision, assert_pinned, revisions, root, stateless};
use serde_json::{Value, json};

/// All revisions from one to another.
fn revisions(first: &str, last: &str) -> &'static [Revision] {
    let index = |name| REVISIONS.iter().position(|revision| revision.name == name).expect("a known revision");
    &REVISIONS[index(first)..=index(last)]
}

/// What is true of this revision is true of all later ones.
const STATELESS: &str = stateless::REVISION;

fn all() -> &'static [Revision] {
    &REVISIONS
}

/// The revisions in which both sides ask, after a handshake.
fn until_2025_11_25() -> &'static [Revision] {
    revisions("2024-11-05", "2025-11-25")
}

fn since(first: &str) -> &'static [Revision] {
    revisions(first, REVISIONS[REVISIONS.len() - 1].name)
}

fn only(name: &str) -> &'static [Revision] {
    revisions(name, name)
}

/// What a revision has against a document: that it cannot be decoded, or what `check()` reports.
fn complaint(revision: &Revision, definition: &str, document: &Value) -> Option<String> {
    match revision.entry(definition).read(&document.to_string()) {
        Err(error) => Some(error.to_string()),
        Ok(probe) => {
            let lost = revision.difference(definition, &document.to_string(), &probe.text);
            assert_eq!(lost, None, "what was read is written again");
            let complaints: Vec<String> = probe.violations.iter().map(ToString::to_string).collect();
            (!complaints.is_empty()).then(|| complaints.join("; "))
        }
    }
}

fn takes(revision: &Revision, definition: &str, document: &Value) {
    let found = complaint(revision, definition, document);
    assert_eq!(found, None, "{definition} of {}: {document}", revision.name);
}

fn refuses(revision: &Revision, definition: &str, document: &Value) -> String {
    let found = complaint(revision, definition, document);
    found.unwrap_or_else(|| panic!("{definition} of {} takes {document}", revision.name))
}

/// A document is taken as it is, and refused without any of the members that the pointers name.
fn needs(revisions: &[Revision], definition: &str, document: &Value, pointers: &[&str]) {
    for revision in revisions {
        takes(revision, definition, document);
        for pointer in pointers {
            let (owner, name) = pointer.rsplit_once('/').expect("a pointer");
            let mut lacking = document.clone();
            let owner = lacking.pointer_mut(owner).and_then(Value::as_object_mut).expect("an object");
            owner.shift_remove(name).expect("a member");
            let found = refuses(revision, definition, &lacking);
            assert!(found.contains(name), "{definition} of {} without {pointer}: {found}", revision.name);
        }
    }
}

/// A document is taken with each of the good values in a place, and refused with each of the bad ones.
fn allows(revisions: &[Revision], definition: &str, document: &Value, pointer: &str, good: Value, bad: Value) {
    let with = |value: &Value| {
        let mut document = document.clone();
        *document.pointer_mut(pointer).expect("a place") = value.clone();
        document
    };
    for revision in revisions {
        good.as_array().unwrap().iter().for_each(|value| takes(revision, definition, &with(value)));
        for value in bad.as_array().unwrap() {
            refuses(revision, definition, &with(value));
        }
    }
}

/// A result with what a revision without a handshake asks of every one; to the others that is nothing special.
fn result(mut members: Value) -> Value {
    for (name, value) in [("resultType", json!("complete")), ("ttlMs", json!(0)), ("cacheScope", json!("public"))] {
        members[name] = value;
    }
    members
}

/// Params with what a revision without a handshake asks of every request.
fn meta(mut params: Value) -> Value {
    params["_meta"] = params_of(STATELESS, "tools/list").expect("params")["_meta"].clone();
    params
}

/// A whole request; older revisions leave the envelope out of their types, and do not mind it.
fn whole(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": meta(params) })
}

/// The code of an error response.
fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("not an error: {answer}"))
}

fn assert_result(answer: &Value) {
    assert!(answer["result"].is_object() && answer.get("error").is_none(), "{answer}");
}

/// Every end that is asked something: all servers, and the clients of the revisions in which servers ask.
fn asked_ends() -> Vec<End> {
    let servers = all().iter().map(|revision| End::server(revision.name));
    servers.chain(until_2025_11_25().iter().map(|revision| End::client(revision.name))).collect()
}

/// Every end that asks something: all clients, and the servers of the revisions in which they ask.
fn asking_ends() -> Vec<(End, &'static str)> {
    let clients = all().iter().map(|revision| (End::client(revision.name), "tools/call"));
    let servers = until_2025_11_25().iter().map(|revision| (End::server(revision.name), "sampling/createMessage"));
    clients.chain(servers).collect()
}

fn both_ends() -> Vec<End> {
    let both = |revision: &Revision| [End::server(revision.name), End::client(revision.name)];
    all().iter().flat_map(both).collect()
}

/// A good request to an end.
fn good(end: &End, id: impl Into<Value>) -> Value {
    request(end.revision.name, id, end.known_request())
}

/// A good request that wants to hear of progress.
fn good_with_token(end: &End, token: &str) -> Value {
    let mut request = good(end, 1);
    request["params"]["_meta"]["progressToken"] = json!(token);
    request
}

fn cancellation(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id.into() } })
}

// Messages.

#[test]
fn a_message_that_does_not_say_jsonrpc_2_0_is_refused() {
    for end in asked_ends() {
        for version in [None, Some(json!("1.0")), Some(json!(2.0)), Some(Value::Null)] {
            let mut message = good(&end, 5);
            match version {
                Some(version) => message["jsonrpc"] = version,
                None => drop(message.as_object_mut().unwrap().shift_remove("jsonrpc")),
            }
            let answer = end.answer(&message);
            assert_eq!((code(&answer), &answer["id"]), (-32600, &json!(5)), "{message}");
        }
        assert_eq!(end.script.diary().len(), 0, "none of them reached the handler");
    }
}

#[test]
fn a_request_id_is_a_string_or_an_integer_never_null() {
    let (good_ids, bad_ids) = (json!(["a", "", 0, -1, u64::MAX]), json!([null, 1.5, true, [], {}]));
    let document = json!({ "jsonrpc": "2.0", "id": 1, "method": "m" });
    allows(all(), "JSONRPCRequest", &document, "/id", good_ids.clone(), bad_ids.clone());
    allows(all(), "RequestId", &json!(1), "", good_ids, bad_ids);
    for end in asked_ends() {
        let answer = end.answer(&good(&end, Value::Null));
        assert_eq!(code(&answer), -32600);
        assert_eq!(answer.get("id"), None, "there is no id to repeat, and null is none");
    }
}

#[test]
fn ids_allocated_by_a_connection_never_repeat() {
    for (end, method) in asking_ends() {
        let mut seen = BTreeSet::new();
        for round in 0..100 {
            let (id, asked) = end.ask(method).unwrap();
            assert!(seen.insert(id.to_string()), "the id {id} was given twice");
            // An id does not become free again, neither by an answer nor by a cancellation.
            match round % 3 {
                0 => assert_eq!(end.take(&response(end.revision.name, &asked)), None),
                1 => assert!(end.cancel(&id, None).is_some()),
                _ => {}
            }
        }
    }
}

#[test]
fn a_request_with_an_id_still_in_flight_is_refused() {
    for end in asked_ends() {
        end.script.hold();
        let request = good(&end, "x").to_string();
        let mut first = end.start(request.as_bytes());
        assert!(poll(&mut first).is_none());
        let answer = end.hear(&request).unwrap();
        assert_eq!((code(&answer), &answer["id"]), (-32600, &json!("x")));
        end.script.release();
        assert_result(&parsed(&poll(&mut first).unwrap().unwrap()));
    }
}

#[test]
fn the_same_id_may_be_in_flight_in_both_directions() {
    for revision in until_2025_11_25() {
        let server = End::server(revision.name);
        server.script.hold();
        let (id, asked) = server.ask("roots/list").unwrap();
        let request = request(revision.name, asked["id"].clone(), "tools/list").to_string();
        let mut answering = server.start(request.as_bytes());
        assert!(poll(&mut answering).is_none(), "the id {id} is taken, but only in the other direction");
        assert_eq!(server.take(&response(revision.name, &asked)), None);
        server.script.release();
        let answer = parsed(&poll(&mut answering).unwrap().unwrap());
        assert_result(&answer);
        assert_eq!(answer["id"], asked["id"]);
        assert_eq!(server.script.diary(), ["request tools/list", "response to roots/list: result ListRoots"]);
    }
}

#[test]
fn a_method_is_a_string() {
    for definition in ["JSONRPCRequest", "JSONRPCNotification"] {
        let document = json!({ "jsonrpc": "2.0", "id": 1, "method": "m" });
        allows(all(), definition, &document, "/method", json!(["m", ""]), json!([null, 1, true, [], {}]));
        needs(all(), definition, &document, &["/method"]);
    }
}

#[test]
fn params_are_an_object_when_present() {
    for definition in ["JSONRPCRequest", "JSONRPCNotification"] {
        let document = json!({ "jsonrpc": "2.0", "id": 1, "method": "m", "params": null });
        allows(all(), definition, &document, "/params", json!([{}, { "a": 1 }]), json!([null, [], "a", 1]));
        for revision in all() {
            takes(revision, definition, &json!({ "jsonrpc": "2.0", "id": 1, "method": "m" }));
        }
    }
}

#[test]
fn a_response_repeats_the_id_of_its_request() {
    for end in asked_ends() {
        for id in ["1", "\"1\"", "\"\"", "-5", "0", "18446744073709551615", "-9223372036854775808", "\"\\u00e9\""] {
            let text = good(&end, "ID").to_string().replacen("\"ID\"", id, 1);
            let mut answering = end.start(text.as_bytes());
            let answer = poll(&mut answering).flatten().unwrap();
            let id = id.replace("\\u00e9", "é");
            assert!(answer.contains(&format!("\"id\":{id},")), "{answer}");
            assert_result(&parsed(&answer));
        }
    }
}

#[test]
fn a_response_has_a_result_or_an_error_never_both_or_neither() {
    for (end, method) in asking_ends() {
        let (_, asked) = end.ask(method).unwrap();
        let mut both = response(end.revision.name, &asked);
        both["error"] = json!({ "code": 1, "message": "m" });
        let neither = json!({ "jsonrpc": "2.0", "id": asked["id"] });
        let rejection = end.read(neither.to_string()).unwrap_err();
        assert_eq!(rejection.error.code(), Some(ErrorCode::INVALID_REQUEST), "{neither}");
        let _ = end.take(&neither);
        assert_eq!(end.take(&both), None);
        assert_eq!(end.script.diary().len(), 0, "neither of them was taken for an answer");
        // Yet the request is not in flight any more: there will be no other answer.
        let (_, asked) = end.ask(method).unwrap();
        assert_eq!(end.take(&response(end.revision.name, &asked)), None);
        assert_eq!(end.script.diary().len(), 1);
        let error = json!({ "jsonrpc": "2.0", "id": end.ask(method).unwrap().1["id"],
            "error": { "code": 1, "message": "m" } });
        assert_eq!(end.take(&error), None);
        assert_eq!(end.script.diary(), [format!("response to {method}: error 1")]);
    }
}

#[test]
fn a_result_is_an_object() {
    let document = json!({ "jsonrpc": "2.0", "id": 1, "result": null });
    let good = json!([result(json!({})), result(json!({ "whatever": [1, 2] }))]);
    allows(all(), "JSONRPCMessage", &document, "/result", good, json!([null, [], "a", 1, true]));
}

#[test]
fn an_error_has_a_code_and_a_message() {
    let document = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": "m" } });
    let pointers = ["/error/code", "/error/message"];
    needs(revisions("2024-11-05", "2025-06-18"), "JSONRPCError", &document, &pointers);
    needs(since("2025-11-25"), "JSONRPCErrorResponse", &document, &pointers);
    for lacking in [json!({ "code": 1 }), json!({ "message": "m" }), json!({})] {
        assert!(from_value::<ErrorObject>(lacking).is_err());
    }
}

#[test]
fn an_error_code_is_an_integer() {
    let document = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": "m" } });
    let (good, bad) = (json!([1, -32700, 0]), json!(["1", 1.5, null, true]));
    allows(revisions("2024-11-05", "2025-06-18"), "JSONRPCError", &document, "/error/code", good.clone(), bad.clone());
    allows(since("2025-11-25"), "JSONRPCErrorResponse", &document, "/error/code", good, bad);
    assert!(from_value::<ErrorObject>(json!({ "code": 1.5, "message": "m" })).is_err());
}

#[test]
fn a_notification_has_no_id() {
    for end in both_ends() {
        let revision = end.revision.name;
        let mut message = notification(revision, "notifications/cancelled");
        assert_eq!(end.take(&message), None);
        message["id"] = json!(3);
        let answer = end.answer(&message);
        assert_eq!((code(&answer), &answer["id"]), (-32601, &json!(3)), "as a request its method does not exist");
        message["id"] = Value::Null;
        assert_eq!(code(&end.answer(&message)), -32600);
        assert_eq!(end.script.diary(), ["notification notifications/cancelled"]);
    }
}

#[test]
fn a_notification_is_never_answered() {
    for end in both_ends() {
        let known = end.methods.iter().filter(|method| method.kind == MethodKind::Notification);
        let mut messages: Vec<Value> = known.map(|method| notification(end.revision.name, method.name)).collect();
        // Not even when something is wrong with them.
        for (name, value) in [("params", json!([1])), ("params", json!({ "requestId": {} })), ("jsonrpc", json!(1))] {
            let mut bad = notification(end.revision.name, "notifications/cancelled");
            bad[name] = value;
            messages.push(bad);
        }
        messages.push(json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "n" } }));
        for message in messages {
            assert_eq!(end.take(&message), None, "{message}");
        }
    }
}

#[test]
fn an_unknown_notification_is_ignored() {
    for end in both_ends() {
        assert_eq!(end.take(&json!({ "jsonrpc": "2.0", "method": "notifications/x", "params": { "a": 1 } })), None);
        assert_eq!(end.script.diary(), ["unknown notification notifications/x"]);
        assert!(end.script.rejections().is_empty());
    }
}

#[test]
fn binary_data_is_base64() {
    let (good, bad) = (json!(["", "aGk=", "AAAA"]), json!(["a", "aGk", "a b=", "äöü="]));
    let image = json!({ "type": "image", "data": "", "mimeType": "image/png" });
    allows(all(), "ImageContent", &image, "/data", good.clone(), bad.clone());
    let blob = json!({ "uri": "file:///a", "blob": "" });
    allows(all(), "BlobResourceContents", &blob, "/blob", good.clone(), bad.clone());
    let audio = json!({ "type": "audio", "data": "", "mimeType": "audio/wav" });
    allows(since("2025-03-26"), "AudioContent", &audio, "/data", good, bad);
}

// Batches.

const BATCHES: &str = "2025-03-26";

#[test]
fn a_batch_is_answered_with_one_response_per_request() {
    for end in [End::server(BATCHES), End::client(BATCHES)] {
        let note = notification(BATCHES, "notifications/progress");
        let batch = json!([good(&end, 1), note, request(BATCHES, "b", "ping"), request(BATCHES, 3, "no/such")]);
        let answers = end.answer(&batch);
        let ids: Vec<&Value> = answers.as_array().unwrap().iter().map(|answer| &answer["id"]).collect();
        assert_eq!(ids, [&json!(1), &json!("b"), &json!(3)]);
        assert_result(&answers[0]);
        assert_result(&answers[1]);
        assert_eq!(code(&answers[2]), -32601);
        let known = format!("request {}", end.known_request());
        assert_eq!(end.script.diary(), [known.as_str(), "notification notifications/progress", "request ping"]);
    }
}

#[test]
fn a_batch_without_requests_is_not_answered() {
    for (end, method) in [(End::server(BATCHES), "roots/list"), (End::client(BATCHES), "tools/list")] {
        let (_, asked) = end.ask(method).unwrap();
        let batch = json!([notification(BATCHES, "notifications/cancelled"), response(BATCHES, &asked)]);
        assert_eq!(end.take(&batch), None);
        assert_eq!(end.script.diary().len(), 2);
    }
}

#[test]
fn an_empty_batch_is_an_invalid_request() {
    for end in [End::server(BATCHES), End::client(BATCHES)] {
        let answer = end.hear(" [ ] ").unwrap();
        assert_eq!((code(&answer), answer.get("id")), (-32600, None));
    }
}

#[test]
fn initialize_inside_a_batch_is_refused() {
    let server = End::server(BATCHES);
    let answers = server.answer(&json!([request(BATCHES, 1, "initialize"), request(BATCHES, 2, "ping")]));
    assert_eq!((code(&answers[0]), &answers[0]["id"]), (-32600, &json!(1)));
    assert_result(&answers[1]);
    assert_eq!(server.script.diary(), ["request ping"]);
}

#[test]
fn a_batch_is_refused_where_the_revision_has_none() {
    for end in both_ends().iter().filter(|end| end.revision.name != BATCHES) {
        for batch in [json!([]), json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }])] {
            let answer = end.answer(&batch);
            assert_eq!((code(&answer), answer.get("id")), (-32600, None), "{batch}");
        }
        assert!(end.script.diary().is_empty());
    }
}

// Stdio.

#[test]
fn a_newline_ends_each_message() {
    let mut stream = Vec::new();
    write_message(&mut stream, b"{\"a\":1}").unwrap();
    write_message(&mut stream, b"{\"b\":2}").unwrap();
    assert_eq!(stream, b"{\"a\":1}\n{\"b\":2}\n");
    let frames: Vec<Frame> = MessageReader::new(stream.as_slice()).map(Result::unwrap).collect();
    assert_eq!(frames, [Frame::Message(b"{\"a\":1}".to_vec()), Frame::Message(b"{\"b\":2}".to_vec())]);
    let mut framer = Framer::new();
    framer.push(b"{\"a\":1}");
    assert_eq!(framer.next(), None, "the message has not ended yet");
    framer.push(b"\n");
    assert_eq!(framer.next(), Some(Frame::Message(b"{\"a\":1}".to_vec())));
}

#[test]
fn a_framed_message_has_no_newline_inside() {
    for message in ["{\n}", "{}\n", "\n", "{\r\n}", "\r"] {
        let mut stream = Vec::new();
        assert!(write_message(&mut stream, message.as_bytes()).is_err(), "{message:?}");
        assert!(stream.is_empty(), "nothing was written");
    }
    // What the library writes is on one line, whatever the strings in it contain.
    for end in asked_ends() {
        let text = good(&end, "a\nb\r\u{2028}").to_string();
        let mut answering = end.start(text.as_bytes());
        let answer = poll(&mut answering).flatten().unwrap();
        assert!(!answer.contains(['\n', '\r']), "{answer}");
        write_message(&mut Vec::new(), answer.as_bytes()).unwrap();
    }
}

// Lifecycle.

fn strict(revision: &str) -> End {
    End::new(revision, Party::Server, Setup { strict_lifecycle: true, ..Setup::default() })
}

#[test]
fn strict_lifecycle_refuses_requests_before_initialize() {
    for revision in until_2025_11_25() {
        let server = strict(revision.name);
        let (tools, handshake) = (request(revision.name, 1, "tools/list"), request(revision.name, 2, "initialize"));
        assert_eq!(code(&server.answer(&tools)), -32600);
        let mut bad = handshake.clone();
        bad["params"]["protocolVersion"] = json!(1);
        assert_eq!(code(&server.answer(&bad)), -32602);
        assert_eq!(code(&server.answer(&tools)), -32600, "a handshake that failed opens nothing");
        assert_result(&server.answer(&handshake));
        assert_result(&server.answer(&tools));
        assert_eq!(code(&server.answer(&handshake)), -32600, "there is one handshake");
        assert_eq!(server.script.diary(), ["request initialize", "request tools/list"]);
    }
    assert_result(&strict(STATELESS).answer(&request(STATELESS, 1, "tools/list")));

    // The client is the one who asks for the handshake; its end is open once the answer has come.
    for revision in until_2025_11_25() {
        let client = End::new(revision.name, Party::Client, Setup { strict_lifecycle: true, ..Setup::default() });
        let roots = request(revision.name, 1, "roots/list");
        let (_, asked) = client.ask("initialize").unwrap();
        assert_eq!(code(&client.answer(&roots)), -32600);
        let error = json!({ "jsonrpc": "2.0", "id": asked["id"], "error": { "code": 1, "message": "m" } });
        assert_eq!(client.take(&error), None);
        assert_eq!(code(&client.answer(&roots)), -32600, "a handshake that failed opens nothing");
        let (_, asked) = client.ask("initialize").unwrap();
        assert_eq!(client.take(&response(revision.name, &asked)), None);
        assert_result(&client.answer(&roots));
    }
}

#[test]
fn initialize_needs_version_capabilities_and_client_info() {
    for revision in until_2025_11_25() {
        let document = request(revision.name, 1, "initialize");
        let members = ["/params/protocolVersion", "/params/capabilities", "/params/clientInfo"];
        needs(std::slice::from_ref(revision), "InitializeRequest", &document, &members);
    }
}

#[test]
fn an_initialize_result_needs_version_capabilities_and_server_info() {
    for revision in until_2025_11_25() {
        let document = result_of(revision.name, "initialize");
        let members = ["/protocolVersion", "/capabilities", "/serverInfo"];
        needs(std::slice::from_ref(revision), "InitializeResult", &document, &members);
    }
}

#[test]
fn an_implementation_has_a_name_and_a_version() {
    needs(all(), "Implementation", &json!({ "name": "n", "version": "1" }), &["/name", "/version"]);
}

#[test]
fn pings_pass_before_the_handshake() {
    for revision in until_2025_11_25() {
        let server = strict(revision.name);
        assert_result(&server.answer(&request(revision.name, 1, "ping")));
        assert_eq!(code(&server.answer(&request(revision.name, 2, "prompts/list"))), -32600);
    }
}

#[test]
fn a_method_of_another_revision_is_not_found() {
    let known = |end: &End| {
        let requests = end.methods.iter().filter(|method| method.kind == MethodKind::Request);
        requests.map(|method| method.name).collect::<BTreeSet<_>>()
    };
    let ends = both_ends();
    let methods: BTreeSet<&str> = ends.iter().flat_map(known).collect();
    let mut foreign = 0;
    for end in &ends {
        for method in methods.difference(&known(end)) {
            foreign += 1;
            assert_eq!(code(&end.answer(&request(STATELESS, 1, method))), -32601, "{method} in {}", end.revision.name);
        }
        assert!(end.script.diary().is_empty());
    }
    assert_pinned(ALL, "requests", json!({ "all": methods.len(), "not_found": foreign }));
}

// Capabilities.

fn gated(revision: &str, party: Party, client: Value, server: Value) -> End {
    End::new(revision, party, Setup { declared: Some((client, server)), ..Setup::default() })
}

fn gated_by(revision: &Revision, receiver: Party, capabilities: &Value) -> End {
    match receiver {
        Party::Client => gated(revision.name, receiver, capabilities.clone(), json!({})),
        Party::Server => gated(revision.name, receiver, json!({}), capabilities.clone()),
    }
}

/// A request passes where its receiver has declared what it needs, and is not found, nor asked, where it has not.
fn needs_capability(revisions: &[Revision], receiver: Party, method: &str, declared: Value, lacking: &[Value]) {
    for revision in revisions {
        let asked = request(revision.name, 1, method);
        let end = gated_by(revision, receiver, &declared);
        assert_result(&end.answer(&asked));
        for lacking in lacking {
            let end = gated_by(revision, receiver, lacking);
            let answer = end.answer(&asked);
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(code(&answer) == -32601 && message.contains("capability"), "{}: {answer}", revision.name);
            assert!(end.script.diary().is_empty());
            // The other side, which knows what was declared as well, does not ask.
            let (client, server) = match receiver {
                Party::Client => (lacking.clone(), json!({})),
                Party::Server => (json!({}), lacking.clone()),
            };
            let undeclared = gated(revision.name, receiver.peer(), client, server).ask(method).unwrap_err();
            assert_eq!((undeclared.method, undeclared.party), (method, receiver));
        }
    }
}

/// A notification is sent where its sender has declared what it needs, and neither sent nor taken where it has not.
fn announces_only_with(revisions: &[Revision], sender: Party, method: &str, declared: Value, lacking: &[Value]) {
    for revision in revisions {
        let end = gated_by(revision, sender, &declared);
        end.notify(method).unwrap();
        assert_eq!(end.script.sent(), [notification(revision.name, method)]);
        for lacking in lacking {
            let end = gated_by(revision, sender, lacking);
            assert_eq!(end.notify(method).unwrap_err().method, method);
            assert!(end.script.sent().is_empty());
            let (client, server) = match sender {
                Party::Client => (lacking.clone(), json!({})),
                Party::Server => (json!({}), lacking.clone()),
            };
            let receiver = gated(revision.name, sender.peer(), client, server);
            assert_eq!(receiver.take(&notification(revision.name, method)), None);
            assert!(receiver.script.diary().is_empty());
        }
    }
}

#[test]
fn what_was_not_declared_is_answered_with_method_not_found() {
    let (mut gates, mut free) = (0, 0);
    for end in both_ends() {
        let (revision, receiver) = (end.revision, end.party);
        let requests = end.methods.iter().filter(|method| method.kind == MethodKind::Request);
        for method in requests.filter(|method| method.senders.contains(&receiver.peer())) {
            let end = gated(revision.name, receiver, json!({}), json!({}));
            let answer = end.answer(&request(revision.name, 1, method.name));
            match method.gate(receiver.peer()) {
                None => {
                    free += 1;
                    assert_result(&answer);
                }
                Some((party, capability)) => {
                    gates += 1;
                    assert_eq!((party, code(&answer)), (receiver, -32601), "{}", method.name);
                    let message = answer["error"]["message"].as_str().unwrap();
                    assert!(message.contains(&format!("`{capability}`")), "{message}");
                }
            }
        }
    }
    assert_pinned(ALL, "requests_to_all_sides_by_gates", json!({ "gated": gates, "free": free }));
}

#[test]
fn unknown_capabilities_survive_the_handshake() {
    let capabilities = json!({ "experimental": { "x": { "y": 1 } }, "vendor": { "z": [true] }, "tools": {} });
    for revision in all() {
        takes(revision, "ClientCapabilities", &capabilities);
        takes(revision, "ServerCapabilities", &capabilities);
    }
    for revision in until_2025_11_25() {
        let mut handshake = request(revision.name, 1, "initialize");
        handshake["params"]["capabilities"] = capabilities.clone();
        let seen = End::server(revision.name).read(handshake.to_string()).unwrap();
        assert_eq!(parsed(&seen.text), handshake);
        let client = End::client(revision.name);
        let mut answer = response(revision.name, &client.ask("initialize").unwrap().1);
        answer["result"]["capabilities"] = capabilities.clone();
        let seen = client.read(answer.to_string()).unwrap();
        assert_eq!(parsed(&seen.text), answer);
        assert!(seen.typed.contains("InitializeResult") && seen.violations.is_empty(), "{}", seen.typed);
    }
}

#[test]
fn changes_of_a_list_are_announced_only_where_that_was_declared() {
    for name in ["resources", "prompts", "tools"] {
        let method = format!("notifications/{name}/list_changed");
        let declared = json!({ name: { "listChanged": true } });
        let lacking = [json!({}), json!({ name: {} }), json!({ name: { "listChanged": false } })];
        announces_only_with(all(), Party::Server, &method, declared, &lacking);
    }
    let (declared, lacking) = (json!({ "roots": { "listChanged": true } }), [json!({}), json!({ "roots": {} })]);
    let method = "notifications/roots/list_changed";
    announces_only_with(until_2025_11_25(), Party::Client, method, declared, &lacking);
}

// Resources.

#[test]
fn resource_requests_need_the_resources_capability() {
    for method in ["resources/list", "resources/read", "resources/templates/list"] {
        let lacking = [json!({}), json!({ "tools": {} })];
        needs_capability(all(), Party::Server, method, json!({ "resources": {} }), &lacking);
    }
}

#[test]
fn a_list_of_resources_has_resources() {
    needs(all(), "ListResourcesResult", &result(json!({ "resources": [] })), &["/resources"]);
}

#[test]
fn a_resource_has_a_uri_and_a_name() {
    let document = result(json!({ "resources": [{ "uri": "file:///a", "name": "a" }] }));
    needs(all(), "ListResourcesResult", &document, &["/resources/0/uri", "/resources/0/name"]);
    allows(all(), "Resource", &document["resources"][0], "/uri", json!(["a:b"]), json!([1, null, "no uri"]));
}

#[test]
fn a_read_resource_has_contents() {
    needs(all(), "ReadResourceResult", &result(json!({ "contents": [] })), &["/contents"]);
}

#[test]
fn resource_contents_have_a_uri_and_text_or_blob() {
    let (text, blob) = (json!({ "uri": "file:///a", "text": "" }), json!({ "uri": "file:///a", "blob": "" }));
    let bad = json!([{ "uri": "file:///a" }, { "text": "" }, { "uri": "file:///a", "text": 1 }, "text", null]);
    let document = result(json!({ "contents": [null] }));
    allows(all(), "ReadResourceResult", &document, "/contents/0", json!([text, blob]), bad);
}

#[test]
fn a_list_of_templates_has_resource_templates() {
    let document = result(json!({ "resourceTemplates": [] }));
    needs(all(), "ListResourceTemplatesResult", &document, &["/resourceTemplates"]);
}

#[test]
fn a_resource_template_has_a_uri_template_and_a_name() {
    let document = json!({ "uriTemplate": "file:///{a}", "name": "n" });
    needs(all(), "ResourceTemplate", &document, &["/uriTemplate", "/name"]);
}

#[test]
fn subscribing_needs_the_subscribe_capability() {
    let declared = json!({ "resources": { "subscribe": true } });
    let lacking = [json!({}), json!({ "resources": {} }), json!({ "resources": { "subscribe": false } })];
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        needs_capability(until_2025_11_25(), Party::Server, method, declared.clone(), &lacking);
    }
}

#[test]
fn updates_of_a_resource_need_the_subscribe_capability() {
    let declared = json!({ "resources": { "subscribe": true } });
    let lacking = [json!({}), json!({ "resources": {} }), json!({ "resources": { "subscribe": false } })];
    announces_only_with(all(), Party::Server, "notifications/resources/updated", declared, &lacking);
}

// Prompts.

#[test]
fn prompt_requests_need_the_prompts_capability() {
    for method in ["prompts/list", "prompts/get"] {
        needs_capability(all(), Party::Server, method, json!({ "prompts": {} }), &[json!({}), json!({ "tools": {} })]);
    }
}

#[test]
fn a_list_of_prompts_has_prompts() {
    needs(all(), "ListPromptsResult", &result(json!({ "prompts": [] })), &["/prompts"]);
}

#[test]
fn a_prompt_has_a_name() {
    needs(all(), "ListPromptsResult", &result(json!({ "prompts": [{ "name": "n" }] })), &["/prompts/0/name"]);
}

#[test]
fn a_fetched_prompt_has_messages() {
    needs(all(), "GetPromptResult", &result(json!({ "messages": [] })), &["/messages"]);
}

#[test]
fn a_prompt_message_has_a_role_and_content() {
    let document = json!({ "role": "user", "content": { "type": "text", "text": "" } });
    needs(all(), "PromptMessage", &document, &["/role", "/content"]);
    allows(all(), "PromptMessage", &document, "/role", json!(["user", "assistant"]), json!(["system", "", null, 1]));
}

/// Content of all kinds, with the revision that brought each.
fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        ("2024-11-05", json!({ "type": "text", "text": "" })),
        ("2024-11-05", json!({ "type": "image", "data": "", "mimeType": "image/png" })),
        ("2024-11-05", json!({ "type": "resource", "resource": { "uri": "file:///a", "text": "" } })),
        ("2025-03-26", json!({ "type": "audio", "data": "", "mimeType": "audio/wav" })),
        ("2025-06-18", json!({ "type": "resource_link", "uri": "file:///a", "name": "n" })),
        ("2025-11-25", json!({ "type": "tool_use", "id": "i", "name": "n", "input": {} })),
        ("2025-11-25", json!({ "type": "tool_result", "toolUseId": "i", "content": [] })),
        ("2999-01-01", json!({ "type": "smell" })),
    ]
}

/// In a place of a document stands content of some kinds, and of no others, each since its revision.
fn content_is(definition: &str, document: Value, pointer: &str, allowed: &[&str]) {
    for (first, content) in kinds() {
        for revision in all() {
            let mut document = document.clone();
            *document.pointer_mut(pointer).expect("a place") = content.clone();
            match allowed.contains(&content["type"].as_str().unwrap()) && revision.name >= first {
                true => takes(revision, definition, &document),
                false => drop(refuses(revision, definition, &document)),
            }
        }
    }
}

#[test]
fn prompt_content_is_of_a_kind_the_revision_defines() {
    let allowed = ["text", "image", "resource", "audio", "resource_link"];
    content_is("PromptMessage", json!({ "role": "user", "content": null }), "/content", &allowed);
}

#[test]
fn an_image_is_base64_with_a_mime_type() {
    let document = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
    needs(all(), "ImageContent", &document, &["/data", "/mimeType"]);
    allows(all(), "ImageContent", &document, "/data", json!(["", "aGk="]), json!(["aGk", "!", 1]));
}

#[test]
fn an_embedded_resource_has_a_uri_and_text_or_blob() {
    let document = json!({ "type": "resource", "resource": null });
    let good = json!([{ "uri": "file:///a", "text": "" }, { "uri": "file:///a", "blob": "aGk=" }]);
    let bad = json!([{ "uri": "file:///a" }, { "text": "" }, { "uri": "file:///a", "blob": "!" }, null, "a:b"]);
    allows(all(), "EmbeddedResource", &document, "/resource", good, bad);
}

// Tools.

#[test]
fn tool_requests_need_the_tools_capability() {
    for method in ["tools/list", "tools/call"] {
        needs_capability(all(), Party::Server, method, json!({ "tools": {} }), &[json!({}), json!({ "prompts": {} })]);
    }
}

#[test]
fn a_list_of_tools_has_tools() {
    needs(all(), "ListToolsResult", &result(json!({ "tools": [] })), &["/tools"]);
}

#[test]
fn a_tool_has_a_name_and_an_input_schema() {
    let document = result(json!({ "tools": [{ "name": "n", "inputSchema": { "type": "object" } }] }));
    needs(all(), "ListToolsResult", &document, &["/tools/0/name", "/tools/0/inputSchema"]);
}

#[test]
fn an_input_schema_is_of_type_object() {
    let document = json!({ "name": "n", "inputSchema": { "type": "object", "properties": { "a": {} } } });
    needs(all(), "Tool", &document, &["/inputSchema/type"]);
    allows(all(), "Tool", &document, "/inputSchema/type", json!(["object"]), json!(["string", "array", null, 1]));
}

#[test]
fn the_result_of_a_call_has_content() {
    needs(all(), "CallToolResult", &result(json!({ "content": [] })), &["/content"]);
}

#[test]
fn tool_content_is_of_a_kind_the_revision_defines() {
    let allowed = ["text", "image", "resource", "audio", "resource_link"];
    content_is("CallToolResult", result(json!({ "content": [null] })), "/content/0", &allowed);
}

#[test]
fn task_support_is_required_optional_or_forbidden() {
    let document = json!({ "name": "n", "inputSchema": { "type": "object" }, "execution": { "taskSupport": "" } });
    let (good, bad) = (json!(["required", "optional", "forbidden"]), json!(["", "maybe", true, null]));
    allows(only("2025-11-25"), "Tool", &document, "/execution/taskSupport", good, bad);
}

// Roots.

#[test]
fn listing_roots_needs_the_roots_capability() {
    let lacking = [json!({}), json!({ "sampling": {} })];
    needs_capability(until_2025_11_25(), Party::Client, "roots/list", json!({ "roots": {} }), &lacking);
}

#[test]
fn a_list_of_roots_has_roots() {
    needs(all(), "ListRootsResult", &json!({ "roots": [] }), &["/roots"]);
}

#[test]
fn a_root_has_a_uri() {
    needs(all(), "ListRootsResult", &json!({ "roots": [{ "uri": "file:///a" }] }), &["/roots/0/uri"]);
}

// Sampling.

#[test]
fn sampling_needs_the_sampling_capability() {
    let (method, lacking) = ("sampling/createMessage", [json!({}), json!({ "roots": {} })]);
    needs_capability(until_2025_11_25(), Party::Client, method, json!({ "sampling": {} }), &lacking);
}

#[test]
fn a_sampling_result_has_a_role_content_and_a_model() {
    let document = json!({ "role": "assistant", "content": { "type": "text", "text": "" }, "model": "m" });
    needs(all(), "CreateMessageResult", &document, &["/role", "/content", "/model"]);
}

#[test]
fn sampled_content_is_of_a_kind_the_revision_defines() {
    let document = json!({ "role": "assistant", "content": null, "model": "m" });
    content_is("CreateMessageResult", document, "/content", &["text", "image", "audio", "tool_use", "tool_result"]);
}

#[test]
fn model_priorities_lie_between_zero_and_one() {
    for priority in ["costPriority", "speedPriority", "intelligencePriority"] {
        let (good, bad) = (json!([0, 0.5, 1, 1.0]), json!([-0.1, 1.1, 2, "1"]));
        allows(all(), "ModelPreferences", &json!({ priority: 0 }), &format!("/{priority}"), good, bad);
    }
}

// Ping.

#[test]
fn a_ping_is_answered_with_an_empty_result() {
    /// Says nothing about pings, so that the answer is the one that every handler gives.
    struct Plain;
    macro_rules! plain {
        ($($types:ident),*) => {$(
            impl $types::ServerHandler for Plain {}
            impl $types::ClientHandler for Plain {}
            let ping = br#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
            let server = $types::Connection::<$types::ServerSide>::new(drop);
            let client = $types::Connection::<$types::ClientSide>::new(drop);
            let answers = [
                poll(&mut Box::pin(server.dispatch(&Plain, ping))).flatten(),
                poll(&mut Box::pin(client.dispatch(&Plain, ping))).flatten(),
            ];
            for answer in answers {
                assert_eq!(parsed(&answer.unwrap()), json!({ "jsonrpc": "2.0", "id": "p", "result": {} }));
            }
        )*};
    }
    plain!(v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25);
}

// Cancellation.

#[test]
fn a_cancellation_names_a_request() {
    let document = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    for revision in all() {
        match revision.name {
            // Here a task may be cancelled by other means, and the schema leaves the request out.
            "2025-11-25" => takes(revision, "CancelledNotification", &document),
            _ => needs(std::slice::from_ref(revision), "CancelledNotification", &document, &["/params/requestId"]),
        }
    }
    let (good, bad) = (json!([1, "a"]), json!([null, {}, 1.5]));
    allows(all(), "CancelledNotification", &document, "/params/requestId", good, bad);
}

#[test]
fn only_a_request_in_flight_in_the_same_direction_can_be_cancelled() {
    for (end, method) in asking_ends() {
        let (id, asked) = end.ask(method).unwrap();
        assert_eq!(end.take(&cancellation(asked["id"].clone())), None, "the other side did not ask this");
        assert_eq!(end.take(&response(end.revision.name, &asked)), None);
        let diary = end.script.diary();
        assert!(diary.len() == 2 && diary[1].starts_with(&format!("response to {method}")), "{diary:?}");
        assert_eq!(end.cancel(&id, None), None, "it has been answered");
        assert_eq!(end.cancel(&"never".into(), None), None);
    }
}

#[test]
fn initialize_cannot_be_cancelled() {
    for revision in until_2025_11_25() {
        let (server, client) = (End::server(revision.name), End::client(revision.name));
        let (id, asked) = client.ask("initialize").unwrap();
        assert_eq!(client.cancel(&id, None), None);
        server.script.hold();
        let text = asked.to_string();
        let mut answering = server.start(text.as_bytes());
        assert!(poll(&mut answering).is_none());
        assert_eq!(server.take(&cancellation(asked["id"].clone())), None);
        server.script.release();
        let answer = parsed(&poll(&mut answering).unwrap().unwrap());
        assert_result(&answer);
        assert_eq!(client.take(&answer), None);
        assert_eq!(client.script.diary(), ["response to initialize: result Initialize"]);
    }
}

#[test]
fn a_cancelled_request_gets_no_response() {
    for end in asked_ends() {
        end.script.hold();
        let text = good(&end, "c").to_string();
        let mut answering = end.start(text.as_bytes());
        assert!(poll(&mut answering).is_none());
        assert_eq!(end.take(&cancellation("c")), None);
        assert!(end.script.contexts()[0].is_cancelled());
        end.script.release();
        assert_eq!(poll(&mut answering), Some(None));
    }
}

#[test]
fn a_response_to_a_cancelled_request_is_ignored() {
    for (end, method) in asking_ends() {
        let (id, asked) = end.ask(method).unwrap();
        let mut expected = cancellation(asked["id"].clone());
        expected["params"]["reason"] = json!("enough");
        assert_eq!(end.cancel(&id, Some("enough")), Some(expected.clone()));
        takes(end.revision, "CancelledNotification", &expected);
        assert_eq!(end.take(&response(end.revision.name, &asked)), None);
        assert!(end.script.diary().is_empty());
        assert_eq!(end.script.rejections().len(), 1, "it can be logged");
    }
}

#[test]
fn a_cancellation_after_the_response_changes_nothing() {
    for end in asked_ends() {
        assert_result(&end.answer(&good(&end, 1)));
        assert_eq!(end.take(&cancellation(1)), None);
        assert_result(&end.answer(&good(&end, 1)));
        assert!(!end.script.contexts()[1].is_cancelled());
    }
}

#[test]
fn a_cancellation_of_an_unknown_request_is_ignored() {
    for end in asked_ends() {
        end.script.hold();
        let text = good(&end, 1).to_string();
        let mut answering = end.start(text.as_bytes());
        assert!(poll(&mut answering).is_none());
        // The string is another id than the integer.
        for unknown in [json!(2), json!("1"), json!("")] {
            assert_eq!(end.take(&cancellation(unknown)), None);
        }
        end.script.release();
        assert_result(&parsed(&poll(&mut answering).unwrap().unwrap()));
    }
}

#[test]
fn a_malformed_cancellation_is_ignored() {
    for end in asked_ends() {
        end.script.hold();
        let text = good(&end, 1).to_string();
        let mut answering = end.start(text.as_bytes());
        assert!(poll(&mut answering).is_none());
        for params in [json!({ "requestId": [1] }), json!({ "requestId": null }), json!([1]), json!(1), json!({})] {
            let message = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
            assert_eq!(end.take(&message), None, "{message}");
        }
        assert_eq!(end.take(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" })), None);
        let mut unversioned = cancellation(1);
        unversioned["jsonrpc"] = json!("1.0");
        assert_eq!(end.take(&unversioned), None);
        end.script.release();
        assert_result(&parsed(&poll(&mut answering).unwrap().unwrap()));
    }
}

// Progress.

#[test]
fn a_progress_token_is_a_string_or_an_integer() {
    allows(all(), "ProgressToken", &json!(1), "", json!(["", "a", 0, -1]), json!([null, 1.5, true, [], {}]));
}

#[test]
fn a_progress_notification_has_a_token_and_a_value() {
    let params = json!({ "progressToken": "t", "progress": 0.5 });
    let document = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params });
    needs(all(), "ProgressNotification", &document, &["/params/progressToken", "/params/progress"]);
}

#[test]
fn progress_that_does_not_grow_is_refused() {
    for end in asked_ends() {
        end.script.act(|context| {
            let report = |progress: f64, total: Option<Number>| context.progress(progress, total, None);
            assert_eq!(report(0.5, Some(10.into())), Ok(()));
            for not_more in [0.5, 0.25, -1.0, f64::NAN, f64::INFINITY] {
                assert_eq!(report(not_more, None), Err(ProgressError::NotIncreasing), "{not_more}");
            }
            assert_eq!(report(2.5, Some(f64::NAN.into())), Ok(()), "a total that is no number is left out");
        });
        assert_result(&end.answer(&good_with_token(&end, "t")));
        let sent = end.script.sent();
        let values: Vec<&Value> = sent.iter().map(|message| &message["params"]["progress"]).collect();
        assert_eq!(values, [&json!(0.5), &json!(2.5)]);
        for message in &sent {
            takes(end.revision, "ProgressNotification", message);
            assert_eq!(message["params"]["progressToken"], "t");
        }
    }
}

#[test]
fn progress_for_a_request_without_a_token_is_refused() {
    for end in asked_ends() {
        end.script.act(|context| {
            assert_eq!(context.progress_token(), None);
            assert_eq!(context.progress(1, None, None), Err(ProgressError::NotWanted));
        });
        assert_result(&end.answer(&good(&end, 1)));
        assert!(end.script.sent().is_empty());
    }
}

#[test]
fn progress_for_an_inactive_request_is_refused() {
    for end in asked_ends() {
        end.script.hold();
        let text = good_with_token(&end, "t").to_string();
        let mut answering = end.start(text.as_bytes());
        assert!(poll(&mut answering).is_none());
        let context = end.script.contexts().remove(0);
        assert_eq!(context.progress(1, None, None), Ok(()));
        assert_eq!(end.take(&cancellation(1)), None);
        assert_eq!(context.progress(2, None, None), Err(ProgressError::Over));
        assert_eq!(end.script.sent().len(), 1);
    }
}

#[test]
fn progress_ends_with_the_response() {
    for end in asked_ends() {
        assert_result(&end.answer(&good_with_token(&end, "t")));
        let context = end.script.contexts().remove(0);
        assert_eq!(context.progress(1, None, None), Err(ProgressError::Over));
        assert!(end.script.sent().is_empty());
    }
}

// Logging.

#[test]
fn log_messages_need_the_logging_capability() {
    let lacking = [json!({}), json!({ "tools": {} })];
    announces_only_with(all(), Party::Server, "notifications/message", json!({ "logging": {} }), &lacking);
}

#[test]
fn setting_the_log_level_needs_the_logging_capability() {
    let (method, lacking) = ("logging/setLevel", [json!({}), json!({ "tools": {} })]);
    needs_capability(until_2025_11_25(), Party::Server, method, json!({ "logging": {} }), &lacking);
}

#[test]
fn a_log_level_is_one_of_the_eight_of_syslog() {
    let levels = json!(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]);
    allows(all(), "LoggingLevel", &Value::Null, "", levels, json!(["", "trace", "Info", "warn", 3, null]));
}

#[test]
fn a_log_message_has_a_level_and_data() {
    let params = json!({ "level": "info", "data": null });
    let document = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": params });
    needs(all(), "LoggingMessageNotification", &document, &["/params/level", "/params/data"]);
}

#[test]
fn setting_an_unknown_log_level_is_answered_with_invalid_params() {
    for revision in until_2025_11_25() {
        let mut message = request(revision.name, 1, "logging/setLevel");
        message["params"]["level"] = json!("trace");
        let answer = End::server(revision.name).answer(&message);
        assert_eq!((code(&answer), &answer["error"]["data"]["pointer"]), (-32602, &json!("/params/level")));
    }
}

// Completion.

#[test]
fn completion_needs_the_completions_capability() {
    let (method, lacking) = ("completion/complete", [json!({}), json!({ "prompts": {} })]);
    needs_capability(since("2025-03-26"), Party::Server, method, json!({ "completions": {} }), &lacking);
}

#[test]
fn a_completion_reference_is_a_prompt_or_a_resource() {
    let params = json!({ "ref": null, "argument": { "name": "a", "value": "" } });
    let document = whole("completion/complete", params);
    let good = json!([{ "type": "ref/prompt", "name": "p" }, { "type": "ref/resource", "uri": "file:///{a}" }]);
    let bad = json!([{ "type": "ref/tool", "name": "t" }, { "type": "ref/prompt" }, { "type": "ref/resource" }, null]);
    allows(all(), "CompleteRequest", &document, "/params/ref", good, bad);
}

#[test]
fn a_completion_has_values() {
    needs(all(), "CompleteResult", &result(json!({ "completion": { "values": ["a"] } })), &["/completion/values"]);
}

#[test]
fn a_completion_has_at_most_a_hundred_values() {
    let document = result(json!({ "completion": { "values": [] } }));
    let (most, too_many) = (vec!["v"; 100], vec!["v"; 101]);
    allows(since(STATELESS), "CompleteResult", &document, "/completion/values", json!([[], most]), json!([too_many]));
}

// Pagination.

#[test]
fn a_cursor_comes_back_unchanged() {
    for cursor in ["", "a", "\u{2028}\u{0}\"\\/", "eyJwYWdlIjogM30=", "null", "１２"] {
        for revision in all() {
            let page = result(json!({ "tools": [], "nextCursor": cursor }));
            let read = revision.entry("ListToolsResult").read(&page.to_string()).unwrap();
            let cursor = read.value.get("nextCursor").unwrap().to_value();
            // `takes` asserts that what was read is written again.
            takes(revision, "ListToolsRequest", &whole("tools/list", json!({ "cursor": cursor })));
            takes(revision, "Cursor", &cursor);
            assert_eq!(cursor, page["nextCursor"]);
        }
    }
}

#[test]
fn a_missing_next_cursor_is_told_from_an_empty_one() {
    macro_rules! cursors {
        ($($types:ident)*) => {$(
            let cursor = |page: Value| from_value::<mcp_wire::$types::ListToolsResult>(page).unwrap().next_cursor;
            assert_eq!(cursor(result(json!({ "tools": [] }))), None);
            assert_eq!(cursor(result(json!({ "tools": [], "nextCursor": "" }))).as_deref(), Some(""));
        )*};
    }
    revisions!(cursors);
}

#[test]
fn a_cursor_that_is_no_string_is_answered_with_invalid_params() {
    for revision in all() {
        for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
            let server = End::server(revision.name);
            let mut message = request(revision.name, 1, method);
            message["params"]["cursor"] = json!(17);
            let answer = server.answer(&message);
            assert_eq!((code(&answer), &answer["error"]["data"]["pointer"]), (-32602, &json!("/params/cursor")));
            assert!(server.script.diary().is_empty());
        }
    }
}

// Tasks.

#[test]
fn a_tool_call_may_be_answered_with_a_task() {
    use v2025_11_25::CallToolAnswer;
    let task = json!({ "task": result_of("2025-11-25", "tasks/get") });
    let answer: CallToolAnswer = from_value(task.clone()).unwrap();
    assert!(matches!(answer, CallToolAnswer::CreateTask(_)) && answer.check().is_empty());
    let client = End::client("2025-11-25");
    let (_, asked) = client.ask("tools/call").unwrap();
    let response = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": task });
    assert_eq!(client.read(response.to_string()).unwrap().violations, [""; 0]);
    assert_eq!(client.take(&response), None);
    assert_eq!(client.script.diary(), ["response to tools/call: result CreateTask"]);
}

#[test]
fn task_methods_need_their_declared_capabilities() {
    for receiver in [Party::Client, Party::Server] {
        let tasks = |switches: Value| json!({ "tasks": switches });
        for method in ["tasks/get", "tasks/result"] {
            needs_capability(only("2025-11-25"), receiver, method, tasks(json!({})), &[json!({})]);
        }
        for (method, switch) in [("tasks/list", "list"), ("tasks/cancel", "cancel")] {
            let lacking = [json!({}), tasks(json!({}))];
            needs_capability(only("2025-11-25"), receiver, method, tasks(json!({ switch: {} })), &lacking);
        }
    }
}

#[test]
fn a_task_status_is_one_of_those_defined() {
    let good = json!(["working", "input_required", "completed", "failed", "cancelled"]);
    let document = result_of("2025-11-25", "tasks/get");
    allows(only("2025-11-25"), "Task", &document, "/status", good, json!(["", "done", "Working", null, 1]));
}

// Elicitation.

#[test]
fn elicitation_needs_the_elicitation_capability() {
    let (method, lacking) = ("elicitation/create", [json!({}), json!({ "sampling": {} })]);
    let revisions = revisions("2025-06-18", "2025-11-25");
    needs_capability(revisions, Party::Client, method, json!({ "elicitation": {} }), &lacking);
}

#[test]
fn a_form_has_a_message_and_a_flat_schema() {
    let form = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let document = whole("elicitation/create", json!({ "message": "m", "requestedSchema": form }));
    for pointer in ["/params/message", "/params/requestedSchema"] {
        // The params of later revisions are a union, which names no single member that is missing.
        for revision in since("2025-06-18") {
            takes(revision, "ElicitRequest", &document);
            let mut lacking = document.clone();
            let (owner, name) = pointer.rsplit_once('/').unwrap();
            lacking.pointer_mut(owner).unwrap().as_object_mut().unwrap().shift_remove(name);
            refuses(revision, "ElicitRequest", &lacking);
        }
    }
    let good = json!([{ "type": "string" }, { "type": "number" }, { "type": "integer" }, { "type": "boolean" }]);
    let bad = json!([{ "type": "object" }, { "type": "object", "properties": {} }, { "type": "null" }, "string"]);
    let place = "/params/requestedSchema/properties/a";
    allows(since("2025-06-18"), "ElicitRequest", &document, place, good, bad);
}

#[test]
fn a_url_elicitation_has_what_its_revision_requires() {
    let document = json!({ "mode": "url", "message": "m", "url": "https://a.example/", "elicitationId": "e" });
    let definition = "ElicitRequestURLParams";
    needs(since("2025-11-25"), definition, &document, &["/mode", "/message", "/url"]);
    needs(only("2025-11-25"), definition, &document, &["/elicitationId"]);
    let newest = json!({ "mode": "url", "message": "m", "url": "https://a.example/" });
    since(STATELESS).iter().for_each(|revision| takes(revision, definition, &newest));
    allows(since("2025-11-25"), definition, &document, "/url", json!(["a:b"]), json!(["no url", 1, null]));
}

#[test]
fn an_elicitation_is_accepted_declined_or_cancelled() {
    let (good, bad) = (json!(["accept", "decline", "cancel"]), json!(["", "reject", "Accept", null, 1]));
    allows(since("2025-06-18"), "ElicitResult", &json!({ "action": "" }), "/action", good, bad);
    needs(since("2025-06-18"), "ElicitResult", &json!({ "action": "accept", "content": { "a": 1 } }), &["/action"]);
}

#[test]
fn the_url_elicitation_error_lists_its_elicitations() {
    let open = json!({ "mode": "url", "message": "m", "url": "https://a.example/", "elicitationId": "e" });
    let error = json!({ "code": -32042, "message": "m", "data": { "elicitations": [open] } });
    let document = json!({ "jsonrpc": "2.0", "id": 1, "error": error });
    let (revisions, definition) = (only("2025-11-25"), "URLElicitationRequiredError");
    needs(revisions, definition, &document, &["/error/data", "/error/data/elicitations"]);
    allows(revisions, definition, &document, "/error/code", json!([-32042]), json!([-32602, 0, null]));
    assert_eq!(v2025_11_25::error_codes::URL_ELICITATION_REQUIRED, -32042);
}

// Errors.

#[test]
fn bytes_that_are_not_json_are_answered_with_a_parse_error() {
    for end in both_ends() {
        for bytes in ["", "{", "nonsense", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x"] {
            let answer = end.hear(bytes).unwrap();
            assert_eq!((code(&answer), answer.get("id")), (-32700, None), "{bytes}");
        }
        assert_eq!(code(&end.hear(b"{\"jsonrpc\":\"\xff\"}").unwrap()), -32700);
        assert_eq!(end.script.rejections().len(), 5, "the handler hears of each");
    }
}

#[test]
fn json_that_is_no_message_is_answered_with_invalid_request() {
    for end in both_ends() {
        for message in [json!({}), json!(1), json!("a"), Value::Null, json!({ "jsonrpc": "2.0", "id": 1 })] {
            let answer = end.answer(&message);
            assert_eq!((code(&answer), answer.get("id")), (-32600, message.get("id")), "{message}");
        }
    }
}

#[test]
fn an_unknown_request_is_answered_with_method_not_found() {
    for end in both_ends() {
        let answer = end.answer(&json!({ "jsonrpc": "2.0", "id": "u", "method": "no/such", "params": { "a": [] } }));
        assert_eq!((code(&answer), &answer["id"], &answer["error"]["data"]), (-32601, &json!("u"), &json!("no/such")));
    }
}

#[test]
fn wrong_parameters_are_answered_with_invalid_params_and_a_pointer() {
    // A required member of the wrong type, an optional one, and one deeper inside.
    let wrong = [
        ("tools/call", "/params/name", json!(1)),
        ("tools/call", "/params/arguments", json!("x")),
        ("completion/complete", "/params/argument/value", json!(null)),
    ];
    for revision in all() {
        let server = End::server(revision.name);
        for (method, pointer, value) in &wrong {
            let mut message = request(revision.name, 9, method);
            let (owner, name) = pointer.rsplit_once('/').unwrap();
            message.pointer_mut(owner).unwrap()[name] = value.clone();
            let answer = server.answer(&message);
            assert_eq!((code(&answer), &answer["id"]), (-32602, &json!(9)), "{message}");
            assert_eq!(answer["error"]["data"]["pointer"], json!(pointer), "{answer}");
            assert!(answer["error"]["message"].as_str().unwrap().contains(pointer), "{answer}");
        }
        assert!(server.script.diary().is_empty());
    }
}

#[test]
fn resource_not_found_has_the_code_of_its_revision() {
    macro_rules! codes {
        ($($types:ident)*) => { [$(i64::from(mcp_wire::$types::error_codes::RESOURCE_NOT_FOUND)),*] };
    }
    let codes = revisions!(codes);
    assert_eq!(codes, REVISIONS.each_ref().map(|one| if one.has_handshake() { -32002 } else { -32602 }));
}

#[test]
fn the_standard_error_codes_have_their_numbers() {
    macro_rules! codes {
        ($($types:ident)*) => {$({
            use mcp_wire::$types::error_codes::*;
            let codes = [PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR];
            assert_eq!(codes.map(i64::from), [-32700, -32600, -32601, -32602, -32603]);
        })*};
    }
    revisions!(codes);
}

// The table itself.

/// The names of the functions that are tests.
fn tests_in(source: &str) -> Vec<String> {
    let mut lines = source.lines();
    let mut names = Vec::new();
    while lines.by_ref().any(|line| line == "#[test]") {
        let line = lines.next().expect("a function after the attribute");
        let name = line.strip_prefix("fn ").and_then(|line| line.split_once('(')).expect("a function").0;
        names.push(name.to_owned());
    }
    names
}

const ITSELF: &str = "every_requirement_has_its_test_and_every_test_its_requirement";

#[test]
fn every_requirement_has_its_test_and_every_test_its_requirement() {
    let table = std::fs::read_to_string(root().join("docs/requirements.md")).expect("the table of requirements");
    let mut demanded = BTreeSet::new();
    let (mut negotiated, mut rows) = (BTreeSet::new(), BTreeMap::new());
    for line in table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| requirement |")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [_, _, place, test] = cells[..] else { panic!("not four cells: {line}") };
        *rows.entry(place).or_insert(0) += 1;
        let name = test.strip_prefix('`').and_then(|test| test.strip_suffix('`'));
        match place {
            "transport" | "application" => assert!(test.starts_with("– ("), "no reason is given: {line}"),
            "negotiation" => assert!(negotiated.insert(name.expect("a test").to_owned()), "twice: {line}"),
            _ => assert!(demanded.insert(name.expect("a test").to_owned()), "twice: {line}"),
        }
    }
    let counts =
        [("application", 50), ("dispatch", 49), ("framing", 2), ("negotiation", 9), ("transport", 35), ("types", 53)];
    assert_eq!(rows, BTreeMap::from(counts));
    assert_eq!(rows.values().sum::<i32>(), 198);

    let here = tests_in(include_str!("requirements.rs"));
    let written: BTreeSet<String> = here.iter().filter(|name| *name != ITSELF).cloned().collect();
    assert_eq!(written.len() + 1, here.len(), "a name is there twice, or this test is not");
    assert_eq!(written, demanded);
    // The tests of version negotiation are a file of their own.
    if let Ok(source) = std::fs::read_to_string(root().join("tests/tests/negotiation.rs")) {
        let written: BTreeSet<String> = tests_in(&source).into_iter().collect();
        assert_eq!(written, negotiated);
    }
}
