//! How deep a message may nest: [`MAX_DEPTH`] levels in each member of its envelope, whichever way it is read, whoever reads
//! it, alone or in a batch. One level more is refused, and what is refused costs its neighbours nothing.

use mcp_wire_core::{DecodeError, Json, MAX_DEPTH, MethodKind, Party};
use mcp_wire_judge::AnyOrder;
use mcp_wire_tests::ends::{End, notification, request, response};
use mcp_wire_tests::{ALL, REVISIONS, assert_pinned, difference};
use serde_json::{Value, json};

/// A value that nests so many levels, alternately arrays and objects.
fn nest(levels: usize) -> String {
    (0..levels).fold("1".to_owned(), |inner, level| match level % 2 {
        0 => format!("[{inner}]"),
        _ => format!("{{\"a\":{inner}}}"),
    })
}

/// Params or a result of so many levels: good ones, with an unknown member.
fn deep(good: &Value, levels: usize) -> String {
    let mut members: Vec<String> =
        good.as_object().into_iter().flatten().map(|(name, value)| format!("{name:?}:{value}")).collect();
    members.push(format!("\"vendor\":{}", nest(levels - 1)));
    format!("{{{}}}", members.join(","))
}

/// All the ways to write a message that has these members, of which one is deep. The first one is plain, as far as a
/// message with such members can be.
fn forms(members: &[(&str, String)]) -> Vec<String> {
    let text = |members: &[(&str, String)], first: &str| {
        let members: Vec<_> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{{{first}{}}}", members.join(","))
    };
    let version = r#""jsonrpc":"2.0","#;
    let backwards: Vec<_> = members.iter().cloned().rev().collect();
    let (name, value) = members.last().expect("a member");
    vec![
        text(members, version),
        // An escape makes it anything but plain.
        text(members, r#""\u006asonrpc":"2.0","#),
        // What decides about the deep member comes after it.
        text(&backwards, version),
        text(&backwards, r#""\u006asonrpc":"2.0","#),
        // A member more.
        text(members, &format!("{version}\"more\":{{}},")),
        // A member twice, the deep one among them.
        text(members, &format!("{version}{version}")),
        text(members, &format!("{version}\"{name}\":{value},")),
        text(members, &format!("{version}\"{name}\":null,")),
    ]
}

/// The messages that an end may get, of so many levels.
fn messages(end: &End, levels: usize) -> Vec<Vec<(&'static str, String)>> {
    let revision = end.revision.name;
    let mut all = Vec::new();
    let id = || ("id", "7".to_owned());
    for method in end.methods {
        let name = || ("method", format!("{:?}", method.name));
        if method.senders.contains(&end.party.peer()) {
            match method.kind {
                MethodKind::Request => {
                    let good = &request(revision, 7, method.name)["params"];
                    all.push(vec![id(), name(), ("params", deep(good, levels))]);
                }
                MethodKind::Notification => {
                    let good = &notification(revision, method.name)["params"];
                    all.push(vec![name(), ("params", deep(good, levels))]);
                }
                _ => {}
            }
        }
        if method.kind == MethodKind::Request && method.senders.contains(&end.party) {
            let (_, asked) = end.ask(method.name).expect("nothing is gated");
            let good = response(revision, &asked);
            all.push(vec![("id", good["id"].to_string()), ("result", deep(&good["result"], levels))]);
        }
    }
    all.push(vec![id(), ("method", r#""vendor/ask""#.to_owned()), ("params", nest(levels))]);
    all.push(vec![("method", r#""vendor/tell""#.to_owned()), ("params", nest(levels))]);
    // An answer to nothing that was asked, and errors.
    all.push(vec![("id", "999".to_owned()), ("result", nest(levels))]);
    for id in ["1", "999"] {
        let error = format!(r#"{{"code":1,"message":"m","data":{}}}"#, nest(levels - 1));
        all.push(vec![("id", id.to_owned()), ("error", error)]);
    }
    // A member that no message has.
    all.push(vec![id(), ("method", r#""vendor/ask""#.to_owned()), ("vendor", nest(levels))]);
    all
}

fn ends() -> impl Iterator<Item = End> {
    REVISIONS.iter().flat_map(|revision| [End::server(revision.name), End::client(revision.name)])
}

/// Whether a message is read; if so, it comes back, and if not, it is because of its depth.
fn is_read(end: &End, text: &str) -> bool {
    let place = || format!("{} {}: {text:.300}", end.revision.name, end.party);
    match end.read(text) {
        Ok(seen) => {
            assert_eq!(difference(text, &seen.text, AnyOrder), None, "{}", place());
            true
        }
        Err(rejection) => {
            assert_eq!(rejection.error.code, -32700, "{rejection}: {}", place());
            assert!(rejection.to_string().contains("nested deeper than 127 levels"), "{rejection}: {}", place());
            false
        }
    }
}

#[test]
fn every_way_to_read_a_message_goes_as_deep() {
    let mut texts = 0;
    for end in ends() {
        for (levels, expected) in [(MAX_DEPTH - 1, true), (MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            for members in messages(&end, levels) {
                for text in forms(&members) {
                    let place = format!("{} {}, {levels} levels: {text:.300}", end.revision.name, end.party);
                    assert_eq!(is_read(&end, &text), expected, "{place}");
                    texts += 1;
                }
            }
        }
    }
    println!("{texts} texts");
    assert_pinned(ALL, "deep_messages", texts);
}

#[test]
fn in_a_batch_each_message_goes_as_deep_as_on_its_own() {
    let good = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let mut batches = 0;
    for end in [End::server("2025-03-26"), End::client("2025-03-26")] {
        for (levels, expected) in [(MAX_DEPTH - 1, true), (MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            for members in messages(&end, levels) {
                for text in forms(&members) {
                    let batch = format!("[{good}, {text}, {good}]");
                    let seen = end.read(&batch).expect("a batch is read item by item");
                    let is_refused = seen.violations.iter().any(|one| one.contains("nested deeper than 127 levels"));
                    assert_eq!(is_refused, !expected, "{levels} levels: {:?}: {text:.300}", seen.violations);
                    if expected {
                        assert_eq!(difference(&batch, &seen.text, AnyOrder), None, "{text:.300}");
                    }
                    batches += 1;
                }
            }
        }
    }
    println!("{batches} batches");
    assert_eq!(batches, BATCHES);
}

const BATCHES: usize = 1320;

/// A document that is read as one type is counted as a whole, whatever the type. A value in memory is not counted.
#[test]
fn documents_of_one_type_go_as_deep() {
    let mut documents = 0;
    for revision in &REVISIONS {
        for definition in
            ["CallToolRequest", "CallToolResult", "JSONRPCRequest", "Tool", "ClientRequest", "ServerResult"]
        {
            let good = match definition {
                "CallToolResult" | "ServerResult" => json!({ "content": [] }),
                "Tool" => json!({ "name": "t", "inputSchema": { "type": "object" } }),
                _ => {
                    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": request(revision.name, 1, "tools/call")["params"] })
                }
            };
            let entry = revision.entry(definition);
            for levels in [MAX_DEPTH - 1, MAX_DEPTH] {
                let text = deep(&good, levels);
                let value: Value = serde_json::from_str(&text).expect("what serde_json reads itself");
                for probe in [entry.read(&text), entry.read_slice(text.as_bytes()), entry.convert(value)] {
                    let probe = probe.unwrap_or_else(|error| panic!("{definition}, {levels} levels: {error}"));
                    assert_eq!(revision.difference(definition, &text, &probe.text), None, "{definition}");
                }
            }
            let text = deep(&good, MAX_DEPTH + 1);
            for read in [entry.read(&text), entry.read_slice(text.as_bytes())] {
                assert!(matches!(read, Err(DecodeError::Syntax(_))), "{definition}");
            }
            documents += 1;
        }
    }
    assert_eq!(documents, REVISIONS.len() * 6);
}

/// What is refused for another reason than its depth is kept, however deep it is.
#[test]
fn a_refused_message_is_kept_up_to_the_limit() {
    for revision in &REVISIONS {
        let end = End::server(revision.name);
        assert_eq!(end.party, Party::Server);
        for (levels, is_kept) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            let text = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":5,"vendor":{}}}}}"#,
                nest(levels - 1)
            );
            let rejection = end.read(&text).expect_err("no name");
            assert_eq!(rejection.error.code, if is_kept { -32602 } else { -32700 }, "{rejection}");
            let kept = rejection.value.as_ref().map(Json::to_string);
            assert_eq!(kept, is_kept.then_some(text), "{}", revision.name);
        }
    }
}
