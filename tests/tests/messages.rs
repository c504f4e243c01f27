//! Every message of the specification's prose, and every official example of one, is read as exactly what it is.

use std::collections::BTreeMap;
use std::fmt::Debug;

use mcp_wire::{v2024_11_05, v2025_03_26, v2025_11_25};
use mcp_wire_core::{ErrorCode, Json, Message, MessageTo, MethodKind, Party, Pending, Rule, Side};
use mcp_wire_tests::messages::{Kind, Methods, Reading, reading, variant};
use mcp_wire_tests::{REVISIONS, Revision, revision, root, shared, stateless};
use serde_json::{Map, Value, json};

/// Reads a message in every order of its members, asserts that the order makes no difference, and that the message
/// comes back exactly. Returns what it was read as, and in how many orders.
fn read<S: Side>(revision: &Revision, message: &Value, answers: Option<&str>, place: &str) -> (Reading, usize)
where
    MessageTo<S>: PartialEq + Debug,
{
    let mut pending = Pending::new();
    if let Some(method) = answers {
        let id = serde_json::from_value::<mcp_wire_core::RequestId>(message["id"].clone()).expect("an id");
        pending.sent.insert(id, method.to_owned(), ()).expect("nothing else is in flight");
    }
    let first: MessageTo<S> =
        Message::from_value(message, &pending).unwrap_or_else(|rejection| panic!("{place}: {rejection}"));
    let seen = reading(&first);
    assert_eq!(revision.message_difference(&message.to_string(), answers, &seen.text), None, "{place}");
    let orders = orders(message.as_object().expect("an object"));
    for text in &orders {
        let again: MessageTo<S> =
            Message::from_str(text, &pending).unwrap_or_else(|rejection| panic!("{place}: {rejection}: {text}"));
        assert_eq!(again, first, "{place}: {text}");
        assert_eq!(reading(&again), seen, "{place}: {text}");
    }
    (seen, orders.len())
}

/// An object as text, with its members in every order.
fn orders(object: &Map<String, Value>) -> Vec<String> {
    let members: Vec<_> =
        object.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str()))).collect();
    let mut orders: Vec<Vec<&str>> = vec![Vec::new()];
    for member in &members {
        let mut longer = Vec::new();
        for order in &orders {
            // Each member goes into every gap that those before it have left.
            for gap in 0..=order.len() {
                let mut order = order.clone();
                order.insert(gap, member);
                longer.push(order);
            }
        }
        orders = longer;
    }
    orders.into_iter().map(|order| format!("{{{}}}", order.join(","))).collect()
}

/// Asserts that a message landed in the variant that its method has in the schema, or in `Other`.
fn lands(methods: &Methods, sender: Party, seen: &Reading, answers: Option<&str>, place: &str) {
    let expected = match &seen.kind {
        Kind::Request(method) => Some(methods.definition(MethodKind::Request, sender, method).map_or("Other", variant)),
        Kind::Notification(method) => {
            Some(methods.definition(MethodKind::Notification, sender, method).map_or("Other", variant))
        }
        Kind::Result => methods.result(sender.peer(), answers.expect("a request")).map(variant),
        _ => None,
    };
    assert_eq!(seen.variant, expected, "{place}");
}

/// How many messages there are, in how many orders they were read, and how many of each kind there are.
type Totals<'a> = (usize, usize, &'a [(&'a str, usize)]);

fn every_line<Server: Side, Client: Side>(revision: &Revision, expected: Totals<'_>)
where
    MessageTo<Server>: PartialEq + Debug,
    MessageTo<Client>: PartialEq + Debug,
{
    let methods = Methods::new(&revision.schema());
    let path = root().join(format!("tests/messages/{}.jsonl", revision.name));
    let (mut lines, mut read_orders, mut kinds) = (0, 0, BTreeMap::new());
    for line in std::fs::read_to_string(path).expect("the messages").lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let place = format!("{}, {}: {}", revision.name, line["source"], line["msg"]);
        let (message, answers) = (&line["msg"], line["answers"].as_str());
        let ((seen, orders), sender) = match line["dir"].as_str() {
            Some("c2s") => (read::<Server>(revision, message, answers, &place), Party::Client),
            Some("s2c") => (read::<Client>(revision, message, answers, &place), Party::Server),
            other => panic!("{place}: a direction {other:?}"),
        };
        let name = match (&seen.kind, seen.variant) {
            (Kind::Request(_), Some("Other")) => "Request:Other".to_owned(),
            (Kind::Notification(_), Some("Other")) => "Notification:Other".to_owned(),
            (Kind::Result, _) => format!("Result:{}", answers.expect("a request")),
            (kind, _) => kind.to_string(),
        };
        assert_eq!(line["variant"], *name, "{place}");
        lands(&methods, sender, &seen, answers, &place);
        assert_eq!(seen.violations, [], "{place}");
        lines += 1;
        read_orders += orders;
        let kind =
            if name.ends_with(":Other") || name.ends_with(":Raw") { &name } else { name.split(':').next().unwrap() };
        *kinds.entry(kind.to_owned()).or_insert(0) += 1;
    }
    let kinds: Vec<_> = kinds.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
    println!("{}: {lines} messages, read in {read_orders} orders: {kinds:?}", revision.name);
    assert_eq!((lines, read_orders, &*kinds), expected);
}

#[test]
fn every_message_of_2024_11_05_is_what_it_is_called() {
    every_line::<v2024_11_05::ServerSide, v2024_11_05::ClientSide>(
        &REVISIONS[0],
        (
            52,
            562,
            &[
                ("Error", 7),
                ("Notification", 9),
                ("Notification:Other", 3),
                ("Request", 14),
                ("Request:Other", 3),
                ("Result", 14),
                ("Result:Raw", 2),
            ],
        ),
    );
}

#[test]
fn every_message_of_2025_03_26_is_what_it_is_called() {
    every_line::<v2025_03_26::ServerSide, v2025_03_26::ClientSide>(
        &REVISIONS[1],
        (
            44,
            478,
            &[
                ("Error", 3),
                ("Notification", 9),
                ("Notification:Other", 2),
                ("Request", 14),
                ("Request:Other", 2),
                ("Result", 13),
                ("Result:Raw", 1),
            ],
        ),
    );
}

#[test]
fn every_message_of_2025_11_25_is_what_it_is_called() {
    every_line::<v2025_11_25::ServerSide, v2025_11_25::ClientSide>(&REVISIONS[3], (1, 24, &[("Request", 1)]));
}

/// Lacks the required `ttlMs` and `cacheScope`, which is one of the errata of the examples.
const WITHOUT_CACHE_HINTS: &str = "read-resource-result-response.json";

#[test]
fn official_examples_of_messages_are_what_they_are_called() {
    use stateless::{ClientSide, ServerSide};
    let revision = revision(stateless::REVISION);
    let Some(folder) = shared(&format!("spec/{}/examples", revision.name)) else { return };
    let methods = Methods::new(&revision.schema());
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut files = Vec::new();
    for definition in std::fs::read_dir(&folder).unwrap() {
        let definition = definition.unwrap();
        let name = definition.file_name().into_string().unwrap();
        files.extend(std::fs::read_dir(definition.path()).unwrap().map(|file| (name.clone(), file.unwrap().path())));
    }
    files.sort();
    for (definition, path) in files {
        let place = path.display().to_string();
        let message: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        if definition.ends_with("Request") || definition.ends_with("Notification") {
            let kind = if definition.ends_with("Request") { MethodKind::Request } else { MethodKind::Notification };
            let method = message["method"].as_str().unwrap();
            let mut senders = 0;
            for sender in [Party::Client, Party::Server] {
                let (seen, _) = match sender {
                    Party::Client => read::<ServerSide>(revision, &message, None, &place),
                    Party::Server => read::<ClientSide>(revision, &message, None, &place),
                };
                lands(&methods, sender, &seen, None, &place);
                if methods.definition(kind, sender, method) == Some(&definition) {
                    assert_eq!(seen.variant, Some(variant(&definition)), "{place}");
                    assert_eq!(seen.violations, [], "{place}");
                    senders += 1;
                } else {
                    assert_eq!(seen.variant, Some("Other"), "{place}");
                }
            }
            // What stands inside a result is no message of its own, and has no version as such.
            if senders == 0 {
                assert!(message.get("jsonrpc").is_none(), "{place}");
                *totals.entry("embedded").or_default() += 1;
            } else {
                *totals.entry(if kind == MethodKind::Request { "requests" } else { "notifications" }).or_default() += 1;
            }
        } else if let Some(name) = definition.strip_suffix("ResultResponse") {
            let row = stateless::METHODS.iter().find(|row| row.results.contains(&&*format!("{name}Result")));
            let method = row.expect("a method with this result").name;
            let (seen, _) = read::<ClientSide>(revision, &message, Some(method), &place);
            assert_eq!((&seen.kind, seen.variant), (&Kind::Result, Some(name)), "{place}");
            let missing = if place.ends_with(WITHOUT_CACHE_HINTS) { 2 } else { 0 };
            assert_eq!(seen.violations.len(), missing, "{place}: {:?}", seen.violations);
            assert!(seen.violations.iter().all(|violation| violation.rule == Rule::Required), "{place}");
            // Nobody knows what it answers if nobody has asked.
            assert_eq!(read::<ClientSide>(revision, &message, None, &place).0.kind, Kind::Raw, "{place}");
            *totals.entry("results").or_default() += 1;
        } else if message.get("error").is_some() {
            let (seen, _) = read::<ClientSide>(revision, &message, Some("tools/call"), &place);
            assert_eq!(seen.kind, Kind::Error(message["error"]["code"].as_i64()), "{place}");
            assert_eq!(seen.violations, [], "{place}");
            *totals.entry("errors").or_default() += 1;
        }
    }
    println!("official examples: {totals:?}");
    let expected = [("embedded", 3), ("errors", 3), ("notifications", 8), ("requests", 10), ("results", 11)];
    assert_eq!(totals, BTreeMap::from(expected));
}

/// A message to one side, with the method that it answers.
type Case<'a> = (Option<&'a str>, Value, &'a str, &'a [(&'a str, Rule)]);

/// Reads messages, and asserts which variant each is and what is wrong with it.
fn are<S: Side>(cases: &[Case<'_>])
where
    MessageTo<S>: PartialEq + Debug,
{
    for (answers, message, variant, violations) in cases {
        let place = format!("{}, {answers:?}: {message}", S::REVISION);
        let revision = REVISIONS.iter().find(|revision| revision.name == S::REVISION).expect("a known revision");
        let (seen, _) = read::<S>(revision, message, *answers, &place);
        assert_eq!(seen.variant, Some(*variant), "{place}");
        let found: Vec<_> = seen.violations.iter().map(|found| (found.pointer.as_str(), found.rule)).collect();
        assert_eq!(found, *violations, "{place}: {:?}", seen.violations);
    }
}

fn result(result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "result": result })
}

#[test]
fn a_result_is_judged_as_what_was_asked_for() {
    let (list, call) = (Some("tools/list"), Some("tools/call"));
    let nameless = json!({ "content": [{ "type": "resource_link", "uri": "a:b" }] });
    are::<v2025_11_25::ClientSide>(&[
        (list, result(json!({ "tools": [] })), "ListTools", &[]),
        // The open result would take these, but it is not what answers the method.
        (list, result(json!({})), "Unknown", &[("/result", Rule::Union)]),
        (list, result(json!({ "content": [] })), "Unknown", &[("/result", Rule::Union)]),
        (list, result(json!({ "tools": 5 })), "Unknown", &[("/result/tools", Rule::Type)]),
        (list, result(json!(null)), "Unknown", &[("/result", Rule::Union)]),
        (Some("ping"), result(json!({})), "Result", &[]),
        (Some("ping"), result(json!({ "tools": 5 })), "Result", &[]),
        (call, result(nameless), "CallTool", &[("/result/content/0", Rule::Required)]),
        (call, result(json!({ "task": 5 })), "Unknown", &[("/result/task", Rule::Type)]),
    ]);
    let complete = json!({ "resultType": "complete" });
    are::<stateless::ClientSide>(&[
        (list, result(complete), "Unknown", &[("/result", Rule::Union)]),
        (call, result(json!({ "content": [] })), "CallTool", &[("/result", Rule::Required)]),
        (call, result(json!({ "content": [], "resultType": 5 })), "CallTool", &[("/result/resultType", Rule::Type)]),
        (call, result(json!({ "resultType": "input_required" })), "InputRequired", &[]),
        (
            call,
            result(json!({ "resultType": "input_required", "inputRequests": 5 })),
            "InputRequired",
            &[("/result/inputRequests", Rule::Type)],
        ),
        // Result types are open: one that is not known is a result all the same.
        (call, result(json!({ "resultType": "task", "task": {} })), "Unknown", &[]),
        (call, result(json!({ "resultType": "task", "content": [] })), "Unknown", &[]),
    ]);
}

#[test]
fn params_of_unknown_methods_are_objects() {
    let odd: &[_] = &[("/params", Rule::Type)];
    let ask = |params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": "vendor/x", "params": params });
    let tell = |params: Value| json!({ "jsonrpc": "2.0", "method": "vendor/x", "params": params });
    let both = json!({ "jsonrpc": "2.0", "id": 1, "method": "notifications/cancelled", "params": 5 });
    are::<v2025_11_25::ServerSide>(&[
        (None, ask(json!({ "a": 1 })), "Other", &[]),
        (None, ask(json!([1])), "Other", odd),
        (None, ask(json!(null)), "Other", odd),
        (None, tell(json!({})), "Other", &[]),
        (None, tell(json!("a")), "Other", odd),
        (None, both, "Other", odd),
    ]);
}

#[test]
fn an_unreadable_response_is_not_answered() {
    // An answer would have the id of a request that the other side has never sent.
    let mut pending = Pending::new();
    pending.sent.insert(1, "tools/list", ()).unwrap();
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "message": "m" } }),
        json!({ "jsonrpc": "2.0", "id": 1, "error": "m" }),
    ] {
        for text in orders(message.as_object().unwrap()) {
            let rejection = v2025_11_25::ServerMessage::from_str(&text, &pending).unwrap_err();
            assert_eq!((rejection.id.clone(), rejection.answer()), (Some(1.into()), None), "{text}");
            assert_eq!(rejection.error.code(), Some(ErrorCode::INVALID_REQUEST), "{text}");
            assert_eq!(rejection.value.as_ref().map(Json::text), Some(&*text), "{text}");
        }
    }
}
