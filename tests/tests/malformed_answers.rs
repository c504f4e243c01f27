//! An answer that cannot be read is an answer all the same: whoever asked learns of it, and nobody waits any longer.

use mcp_wire_core::{Lookup, MethodKind, Party, Pending};
use mcp_wire_judge::AnyOrder;
use mcp_wire_tests::ends::{End, Setup, response};
use mcp_wire_tests::{REVISIONS, difference};
use serde_json::{Value, json};

/// What an answer says, besides its id.
fn malformed() -> Vec<Value> {
    let error = json!({ "code": 1, "message": "m" });
    let errors = json!([
        "no", 5, true, null, [], {}, { "code": 1 }, { "message": "m" }, { "code": "1", "message": "m" },
        { "code": 1.5, "message": "m" }, { "code": 1, "message": null },
    ]);
    let mut answers: Vec<Value> = errors.as_array().unwrap().iter().map(|error| json!({ "error": error })).collect();
    // Both at once, and neither: what JavaScript writes for a result that is `undefined`.
    answers.push(json!({ "result": {}, "error": error }));
    answers.push(json!({ "result": {}, "error": "no" }));
    answers.push(json!({}));
    answers
}

/// The same answer with its id first and last.
fn messages(id: &Value, answer: &Value) -> [String; 2] {
    let members = answer.as_object().unwrap();
    let (mut first, mut last) = (json!({ "jsonrpc": "2.0", "id": id }), json!({}));
    first.as_object_mut().unwrap().extend(members.clone());
    last.as_object_mut().unwrap().extend(members.clone());
    last["id"] = id.clone();
    last["jsonrpc"] = json!("2.0");
    [first.to_string(), last.to_string()]
}

#[test]
fn a_malformed_answer_says_which_request_it_belongs_to() {
    let (mut ends, mut answers) = (0, 0);
    for (revision, party) in
        REVISIONS.iter().flat_map(|revision| [(revision, Party::Client), (revision, Party::Server)])
    {
        let end = End::new(revision.name, party, Setup::default());
        let asks = |kind, senders: &[Party]| kind == MethodKind::Request && senders.contains(&party);
        let Some(method) = end.methods.iter().rev().find(|method| asks(method.kind, method.senders)) else { continue };
        ends += 1;
        for answer in malformed() {
            for turn in 0..2 {
                let (id, asked) = end.ask(method.name).unwrap();
                let message = &messages(&asked["id"], &answer)[turn];
                let place = format!("{} {party:?}: {message}", revision.name);
                assert_eq!(end.hear(message), None, "a response is never answered: {place}");
                assert_eq!(end.script.diary(), [""; 0], "{place}");
                let rejections = end.script.rejections();
                let [rejection] = &rejections[..] else { panic!("{place}: {rejections:?}") };
                assert_eq!((rejection.answers(), rejection.id.as_ref()), (Some(&id), Some(&id)), "{place}");
                assert_eq!(rejection.method.as_deref(), Some(method.name), "{place}");
                let kept = rejection.value.as_ref().expect("JSON");
                assert_eq!(difference(message, kept.text(), AnyOrder), None, "{place}");
                // It is not in flight any more: a good answer comes too late.
                assert_eq!(end.take(&response(revision.name, &asked)), None, "{place}");
                assert_eq!(end.script.diary(), [""; 0], "{place}");
                assert_eq!(end.script.rejections()[0].answers(), None, "nobody waits for it: {place}");
                answers += 1;
            }
        }
    }
    // A server without a handshake asks nothing.
    let silent = REVISIONS.iter().filter(|revision| !revision.has_handshake()).count();
    assert_eq!((ends, answers), (2 * REVISIONS.len() - silent, ends * 14 * 2));
}

/// Other messages that are refused answer nothing, whatever their ids.
#[test]
fn what_is_no_answer_belongs_to_no_request() {
    let end = End::client("2025-11-25");
    let (id, asked) = end.ask("tools/list").unwrap();
    let id = json!(id);
    let refused = [
        json!({ "jsonrpc": "1.0", "id": id, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": id, "method": 5 }),
        json!({ "jsonrpc": "2.0", "id": id, "method": "sampling/createMessage", "params": 5 }),
        json!({ "jsonrpc": "2.0", "id": "another", "result": {} }),
        json!({ "jsonrpc": "2.0", "id": "another" }),
        json!({ "jsonrpc": "2.0", "id": null, "error": "no" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": 5 }),
        json!([]),
    ];
    for message in &refused {
        end.take(message);
        let rejections = end.script.rejections();
        assert_eq!(rejections.len(), 1, "{message}");
        assert_eq!(rejections[0].answers(), None, "{message}");
    }
    assert_eq!(end.take(&response("2025-11-25", &asked)), None);
    assert_eq!(end.script.diary(), ["response to tools/list: result ListTools"], "still in flight until now");
}

/// The same for those who have a table of requests and no connection.
#[test]
fn a_table_of_requests_forgets_what_was_answered_in_a_malformed_way() {
    use mcp_wire::v2025_03_26::ServerMessage;
    for answer in malformed().into_iter().filter(|answer| answer.get("result").is_none()) {
        for message in messages(&json!(1), &answer) {
            let mut pending = Pending::new();
            pending.sent.insert(1, "tools/list", ()).unwrap();
            let rejection = ServerMessage::from_str(&message, &pending).unwrap_err();
            assert_eq!(rejection.method.as_deref(), Some("tools/list"), "{message}");
            assert_eq!(pending.sent.settle_refused(&rejection).expect("asked").method, "tools/list");
            assert_eq!(pending.asked(&1.into()), None);
            // In a batch, too, for whoever follows a conversation.
            pending.sent.insert(1, "tools/list", ()).unwrap();
            let batch = ServerMessage::from_str(&format!("[{message}]"), &pending).unwrap();
            batch.observe(&mut pending.received, &mut pending.sent);
            assert!(pending.sent.is_empty(), "{message}");
        }
    }
}
