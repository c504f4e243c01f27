//! What is bounded, whatever a peer sends: violations, batches, answers, and the memory that a long line leaves behind.

use mcp_wire::framing::{Frame, Framer, MessageReader};
use mcp_wire::{Connection, DEFAULT_BATCH_LIMIT, Message, Party, Rule, Violation, from_str, v2025_03_26, v2025_11_25};
use mcp_wire_tests::ends::{End, Setup, parsed, poll};
use mcp_wire_tests::{REVISIONS, stateless};
use serde_json::{Value, json};

/// A result with so many blocks that are none.
fn result(malformed: usize) -> v2025_11_25::CallToolResult {
    let content = vec![json!(1); malformed];
    from_str(&json!({ "content": content }).to_string()).unwrap()
}

#[test]
fn a_list_of_violations_that_was_cut_says_so_at_its_end() {
    for count in [0, 1, Violation::LIMIT - 1, Violation::LIMIT] {
        let violations = result(count).check();
        assert_eq!(violations.len(), count);
        assert!(violations.iter().all(|violation| violation.rule != Rule::Unlisted));
    }
    for count in [Violation::LIMIT + 1, Violation::LIMIT * 100] {
        let violations = result(count).check();
        let (last, listed) = violations.split_last().unwrap();
        assert_eq!((listed.len(), last.rule), (Violation::LIMIT, Rule::Unlisted));
        assert_eq!(last.to_string(), "(document): expected at most 100 violations, found more, which are not listed");
        let pointers: Vec<_> = (0..Violation::LIMIT).map(|index| format!("/content/{index}")).collect();
        assert_eq!(listed.iter().map(|violation| violation.pointer.as_str()).collect::<Vec<_>>(), pointers);
    }
}

#[test]
fn dispatch_looks_for_one_violation_only_and_still_finds_the_one_that_counts() {
    let end = End::server(stateless::REVISION);
    let request = |responses: Value| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "_meta": { "io.modelcontextprotocol/protocolVersion": stateless::REVISION,
                "io.modelcontextprotocol/clientCapabilities": {} },
            "name": "n", "arguments": null, "inputResponses": responses,
        } })
    };
    // A member that is null is borne; what comes after it is found all the same.
    let answer = end.answer(&request(json!({ "a": 1, "b": 2 })));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(answer["error"]["data"]["pointer"], "/params/inputResponses/a", "{answer}");
    let read = stateless::ClientMessage::from_value(&request(json!({ "a": 1, "b": 2 })), &()).unwrap();
    assert_eq!(read.check().len(), 3, "{:?}", read.check());
}

/// What one batch is answered with.
fn answers(end: &End, batch: &[Value]) -> Value {
    let text = Value::from(batch).to_string();
    let mut answering = end.start(text.as_bytes());
    poll(&mut answering).expect("an answer at once").map_or(Value::Null, |text| parsed(&text))
}

fn pings(count: usize) -> Vec<Value> {
    (0..count).map(|id| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })).collect()
}

#[test]
fn a_batch_beyond_the_limit_gets_one_answer() {
    for end in [End::server("2025-03-26"), End::client("2025-03-26")] {
        assert_eq!(answers(&end, &pings(DEFAULT_BATCH_LIMIT)).as_array().map(Vec::len), Some(DEFAULT_BATCH_LIMIT));
        end.script.diary();
        let answer = answers(&end, &pings(DEFAULT_BATCH_LIMIT + 1));
        assert_eq!(answer["error"]["code"], -32600);
        assert_eq!(answer["error"]["message"], "Invalid request: a batch of more than 1000 messages");
        assert_eq!(answer.get("id"), None);
        assert_eq!(end.script.diary(), [""; 0], "nothing of it is done");
        let rejections = end.script.rejections();
        assert_eq!(rejections.len(), 1);
        assert_eq!(rejections[0].value, Some(pings(DEFAULT_BATCH_LIMIT + 1).into()));
    }
}

#[test]
fn the_limit_of_batches_can_be_set() {
    let connection = Connection::<v2025_03_26::ServerSide>::new(|_| ()).with_batch_limit(2);
    let read = |count| connection.read(Value::from(pings(count)).to_string().as_bytes());
    assert!(matches!(read(2), Ok(Message::Batch(batch)) if batch.len() == 2));
    assert_eq!(read(3).unwrap_err().to_string(), "Invalid request: a batch of more than 2 messages");
    // Syntax comes first, beyond the limit as well.
    assert_eq!(connection.read(b"[1,2,3,4,5,]").unwrap_err().error.code, -32700);
    assert_eq!(connection.read(b"[1,2,3,4,5] x").unwrap_err().error.code, -32700);
}

#[test]
fn a_batch_of_garbage_is_not_answered_item_by_item() {
    let end = End::server("2025-03-26");
    for garbage in [json!(1), json!("a"), json!(null), json!([]), json!({})] {
        let few = answers(&end, &vec![garbage.clone(); 16]);
        assert_eq!(few.as_array().map(Vec::len), Some(16), "{few}");
        let mut many = vec![garbage.clone(); 17];
        many.extend(pings(1));
        let answer = answers(&end, &many);
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
        let text = Value::from(many).to_string();
        assert!(answer.to_string().len() < 4 * text.len(), "{answer}");
    }
    // What has an id is answered, however much it is.
    let ids: Vec<_> = (0..100).map(|id| json!({ "id": id })).collect();
    assert_eq!(answers(&end, &ids).as_array().map(Vec::len), Some(100));
}

#[test]
fn an_answer_repeats_of_a_message_no_more_than_its_id() {
    const LONGEST: usize = 2000;
    let long = "a~/\u{1}é".repeat(100_000);
    let mut checked = 0;
    for revision in &REVISIONS {
        for party in [Party::Server, Party::Client] {
            let end = End::new(revision.name, party, Setup::default());
            for message in [
                json!({ "jsonrpc": "2.0", "id": 1, "method": long }),
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": { long.clone(): 1 } } }),
                json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/get",
                    "params": { "name": "n", "arguments": { long.clone(): 1 } } }),
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                    "params": { "name": "n", "inputResponses": { long.clone(): { "roots": [1] } } } }),
                json!({ "jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {
                    "message": "m", "requestedSchema": { "type": "object", "properties": { long.clone(): 1 } } } }),
            ] {
                let mut answering = end.start(message.to_string().as_bytes().to_vec().leak());
                let answer = poll(&mut answering).expect("an answer at once").expect("an answer");
                assert!(answer.len() <= LONGEST, "{} {party:?}: {} bytes", revision.name, answer.len());
                checked += 1;
            }
        }
    }
    assert_eq!(checked, REVISIONS.len() * 2 * 5);
}

#[test]
fn a_long_line_gives_its_memory_back() {
    const LONG: usize = 8 << 20;
    const KEPT: usize = 128 << 10;
    let mut framer = Framer::new();
    for (name, chunk) in [("at once", LONG + 1), ("in pieces", 16 << 10)] {
        let mut line = vec![b'a'; LONG];
        line.push(b'\n');
        for piece in line.chunks(chunk) {
            assert_eq!(framer.next(), None);
            framer.push(piece);
        }
        assert!(framer.capacity() >= LONG);
        assert!(matches!(framer.next(), Some(Frame::Message(message)) if message.len() == LONG));
        assert!(framer.capacity() <= KEPT, "{name}: {} bytes are kept", framer.capacity());
        // What follows is read as usual.
        framer.push(b"{}\n[");
        assert_eq!(framer.next(), Some(Frame::Message(b"{}".to_vec())));
        framer.push(b"]\n");
        assert_eq!(framer.next(), Some(Frame::Message(b"[]".to_vec())));
    }
}

#[test]
fn a_line_beyond_the_limit_gives_its_memory_back_before_it_ends() {
    let mut framer = Framer::with_limit(1 << 20);
    for _ in 0..100 {
        framer.push(&[b'a'; 64 << 10]);
        assert_eq!(framer.next(), None);
    }
    assert!(framer.capacity() <= 2 << 20, "{} bytes are kept", framer.capacity());
    framer.push(b"\n{}\n");
    assert_eq!(framer.next(), Some(Frame::TooLong(100 * (64 << 10))));
    assert_eq!(framer.next(), Some(Frame::Message(b"{}".to_vec())));
    assert!(framer.capacity() <= 128 << 10, "{} bytes are kept", framer.capacity());
}

#[test]
fn long_and_short_lines_come_out_as_they_went_in() {
    let lengths: Vec<usize> = (0..200).map(|index| (index * 7919) % 300_000 + 1).collect();
    let stream: Vec<u8> = lengths.iter().flat_map(|length| [vec![b'a'; *length], b"\n".to_vec()].concat()).collect();
    let read: Vec<usize> = MessageReader::new(&stream[..])
        .map(|frame| match frame {
            Ok(Frame::Message(message)) => message.len(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(read, lengths);
}
