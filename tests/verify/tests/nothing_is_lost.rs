//! Nothing is lost: numbers with all their digits in any form, and members that come twice, wherever they stand. The
//! program of `cargo xtask verify` is the judge, and it may name no difference.

mod common;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use common::numbers::{doubles, forms, integers, is_whole};
use common::{built, file, task};
use mcp_wire::{AnyClientMessage, AnyServerMessage, InFlight, Lookup, Party, Revision};
use mcp_wire_tests::mutants::Random;
use mcp_wire_verify::Task;
use serde_json::{Value, json};

/// A side and what it sends.
type Sent = (Party, String);

/// Everything but the version, and an id where there has to be one. All of these were changed by earlier releases,
/// which read numbers into 64 bits and kept one of repeated members.
const ONCE_LOST: [&str; 16] = [
    r#""method":"tools/call","params":{"name":"t","arguments":{"n":38.448624110701644}}"#,
    r#""method":"tools/call","params":{"name":"t","_meta":{"n":[38.448624110701644]}}"#,
    r#""method":"tools/call","params":{"name":"t","unknown":38.448624110701644}"#,
    r#""method":"vendor/ask","params":{"n":38.448624110701644}"#,
    r#""method":"ping","unknown":38.448624110701644"#,
    r#""error":{"code":1,"message":"m","data":38.448624110701644}"#,
    r#""result":{"n":38.448624110701644}"#,
    r#""method":"notifications/progress","params":{"progressToken":1,"progress":38.448624110701644}"#,
    r#""method":"vendor/ask","params":[0.1000000000000000055511151231257827]"#,
    r#""method":"vendor/ask","params":[1e-400]"#,
    r#""method":"vendor/ask","params":[123456789012345678901234567890]"#,
    r#""method":"notifications/progress","params":{"progressToken":18446744073709551617,"progress":1}"#,
    r#""method":"vendor/ask","params":[100000000000000000000]"#,
    r#""method":"vendor/ask","params":[-0]"#,
    r#""method":"tools/call","params":{"name":"t","name":"t"}"#,
    r#""method":"tools/call","params":{"name":"t","arguments":{"a":1,"a":1}}"#,
];

/// Members that come twice, in every kind of object that a message has.
const REPEATED: [&str; 20] = [
    // Known members, the earlier one well-formed and not.
    r#""method":"tools/call","params":{"name":"t","arguments":{"a":1},"name":"u","arguments":{"a":2},"name":"v"}"#,
    r#""method":"tools/call","params":{"name":5,"arguments":null,"name":"u","arguments":{}}"#,
    r#""method":"tools/call","params":{"arguments":{},"arguments":5,"name":"u"}"#,
    // Unknown ones, and free-form objects at any depth.
    r#""method":"tools/call","params":{"name":"t","unknown":1,"unknown":{"a":1,"a":2},"unknown":3}"#,
    r#""method":"tools/call","params":{"name":"t","_meta":{"a":[{"b":1,"b":2,"b":null}],"a":[]}}"#,
    r#""method":"vendor/ask","params":{"x":null,"x":null,"":1,"":2}"#,
    // A map, its values well-formed and not.
    r#""method":"prompts/get","params":{"name":"p","arguments":{"a":"1","b":2,"a":3,"b":"4","a":"5"}}"#,
    // The envelope.
    r#""id":2,"id":3,"method":"ping""#,
    r#""jsonrpc":"1.0","jsonrpc":"2.0","id":2,"method":"ping","method":"tools/list""#,
    r#""id":null,"id":2,"method":5,"method":"vendor/ask","params":5,"params":[6]"#,
    r#""method":"ping","unknown":1,"params":{},"unknown":{"a":1,"a":1},"params":{"x":1}"#,
    // Results and errors.
    r#""result":{"a":1},"result":{"n":1,"n":2}"#,
    r#""error":{"code":1,"message":"m","code":2,"data":{"a":1,"a":2},"data":null}"#,
    r#""error":{"code":1,"message":"m"},"error":{"code":2,"message":"n"}"#,
    r#""error":null,"error":{"code":2,"message":"n"},"result":1,"result":2"#,
    // Inside lists and unions, a tag among them.
    r#""result":{"content":[{"type":"text","type":"text","text":"a","text":"b"},5,{"type":"image","type":"hologram"}]}"#,
    r#""result":{"content":[{"type":"image","data":"AAAA","mimeType":"a/b","type":"text","text":"b","_meta":{},"_meta":{}}]}"#,
    r#""result":{"content":[],"content":[{"type":"text","text":"b"}],"isError":null,"isError":true,"isError":5}"#,
    // Names that are the same after their escapes are resolved.
    r#""method":"tools/call","params":{"name":"t","\u006eame":"u","unknown":1,"\u0075nknown":2}"#,
    r#""method":"vendor/ask","params":{"a":1,"\u0061":2}"#,
];

/// A message. A result or an error answers the request that is sent before it.
fn messages(rest: &str) -> Vec<Sent> {
    let is_answer = rest.starts_with(r#""result""#) || rest.starts_with(r#""error""#);
    let has_id = rest.contains(r#""id""#) || rest.contains("notifications/") || rest.contains("vendor");
    let text = format!(r#"{{"jsonrpc":"2.0",{}{rest}}}"#, if has_id { "" } else { r#""id":1,"# });
    match is_answer {
        true => vec![
            (Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#.to_owned()),
            (Party::Server, text.clone()),
            // And once more, when nobody knows any more what was asked.
            (Party::Client, text),
        ],
        false => vec![(Party::Client, text)],
    }
}

/// Messages with a number in every place where a number can stand: the arguments and the `_meta` of a call, members
/// that nobody knows, params of unknown methods, error data, results that are typed and raw, members that are numbers
/// themselves. A whole number is also an id, a progress token and the code of an error.
fn places(number: &str) -> Vec<Sent> {
    let whole = if is_whole(number) { number } else { "1" };
    let from_client = [
        format!(
            r#"{{"jsonrpc":"2.0","id":{whole},"method":"tools/call","params":{{"name":"t","arguments":{{"n":{number}}},"_meta":{{"progressToken":{whole},"n":[{number}]}},"unknown":{number}}},"unknown":[{number}]}}"#
        ),
        format!(r#"{{"jsonrpc":"2.0","method":"vendor/ask","params":[{number},{{"n":{number}}}]}}"#),
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{whole},"progress":{number},"total":{number}}}}}"#
        ),
    ];
    let from_server = [
        format!(
            r#"{{"jsonrpc":"2.0","id":{whole},"result":{{"content":[{{"type":"text","text":"t","annotations":{{"priority":{number}}}}}],"structuredContent":{{"n":{number}}},"_meta":{{"n":{number}}},"unknown":{number}}}}}"#
        ),
        format!(r#"{{"jsonrpc":"2.0","id":"nobody's","result":{{"n":{number}}}}}"#),
        format!(
            r#"{{"jsonrpc":"2.0","id":{whole},"error":{{"code":{whole},"message":"m","data":{number},"unknown":{number}}}}}"#
        ),
    ];
    let sent = |party: Party| move |text: String| (party, text);
    from_client.into_iter().map(sent(Party::Client)).chain(from_server.into_iter().map(sent(Party::Server))).collect()
}

/// Forms that no list should be without.
const FORMS: [&str; 30] = [
    "0",
    "-0",
    "0.0",
    "-0.0",
    "0e0",
    "-0e-0",
    "0E+400",
    "1e2",
    "1E2",
    "1e+2",
    "1E+02",
    "1e-2",
    "1E-2",
    "1.50",
    "-1.500",
    "100.000",
    "0.000001",
    "0.00000000000000000000000000000000001",
    "1e-400",
    "-1e-400",
    "1e400",
    "-1E+400",
    "1.5e400",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "9007199254740993",
    "18446744073709551616",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "1.0000000000000000000000000000000000001",
];

/// All numbers that are tried, each once.
fn numbers() -> Vec<String> {
    let mut random = Random::new(42);
    let mut all = doubles(&mut random, 10_000);
    all.extend(integers(&mut random, 2_000));
    all.extend(forms(&mut random, 4_000));
    all.extend(FORMS.map(str::to_owned));
    all
}

fn session(name: &str, messages: &[Sent]) -> Task {
    let lines: String = messages
        .iter()
        .map(|(party, message)| {
            let direction = if *party == Party::Client { "c2s" } else { "s2c" };
            format!("{{\"dir\":\"{direction}\",\"msg\":{message}}}\n")
        })
        .collect();
    Task { revision: Some("2025-11-25".to_owned()), traffic: vec![file(name, "session.jsonl", lines)], ..task() }
}

/// What the program says of a task, and its exit code. It is built by itself, as `cargo xtask verify` does it: what
/// tests are built with turns on features of serde_json that a dependent does not have.
fn said(task: &Task, is_json: bool) -> (String, Option<i32>) {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| built("mcp-wire-verify"));
    let mut request = serde_json::to_value(task).expect("JSON");
    request["json"] = json!(is_json);
    request["quiet"] = json!(false);
    let output = Command::new(&*PROGRAM).arg(request.to_string()).output().expect("the program");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code())
}

/// The program finds every message exact, and nothing else is on the list.
fn are_exact(name: &str, messages: &[Sent]) {
    let (printed, code) = said(&session(name, messages), true);
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    let documents = printed["documents"].as_array().expect("documents");
    assert_eq!(documents.len(), messages.len());
    for (document, (_, text)) in documents.iter().zip(messages) {
        assert_eq!((&document["outcome"], &document["pointers"]), (&json!("exact"), &json!([])), "{text}: {document}");
    }
    let totals = &printed["totals"];
    for (count, expected) in [
        ("documents", messages.len()),
        ("exact", messages.len()),
        ("lossy", 0),
        ("rejected", 0),
        ("invalid", 0),
        ("noise", 0),
    ] {
        assert_eq!(totals[count], json!(expected), "{count}");
    }
    assert_eq!(code, Some(0));
}

#[test]
fn what_was_once_lost_comes_back() {
    are_exact("once-lost", &ONCE_LOST.map(messages).concat());
}

#[test]
fn repeated_members_come_back() {
    are_exact("repeated-members", &REPEATED.map(messages).concat());
}

#[test]
fn numbers_come_back_wherever_they_stand() {
    let numbers = numbers();
    let whole = numbers.iter().filter(|number| is_whole(number)).count();
    println!("{} numbers, {whole} of them whole", numbers.len());
    assert!(numbers.len() == 16_030 && whole > 5_000);
    let messages: Vec<Sent> = numbers.iter().flat_map(|number| places(number)).collect();
    assert_eq!(messages.len(), 16_030 * 6);
    are_exact("numbers", &messages);
}

/// The judge takes two spellings of a number for the same, `1e-07` and `1e-7`. But each one comes back as it is spelt:
/// the messages are written as the schema orders them, so that what is written has to be the same text.
#[test]
fn numbers_come_back_as_they_are_spelt() {
    let revision = Revision::V2025_11_25;
    let (mut client, mut server) = (InFlight::default(), InFlight::default());
    for number in numbers() {
        for (party, text) in places(&number) {
            let written = match party {
                Party::Client => AnyClientMessage::from_slice(&revision, text.as_bytes(), &server).map(|message| {
                    message.observe(&mut client, &mut server);
                    message.to_text()
                }),
                Party::Server => AnyServerMessage::from_slice(&revision, text.as_bytes(), &client).map(|message| {
                    let is_typed = message.variant_name() == ("Response", "CallTool");
                    let is_answer = text.contains(r#""content""#);
                    assert_eq!(is_typed, is_answer, "{text}");
                    message.observe(&mut server, &mut client);
                    message.to_text()
                }),
            };
            assert_eq!(written.unwrap_or_else(|error| panic!("{error}: {text}")), text);
        }
    }
}

/// An answer belongs to the request whose id has the same value, in whatever form, and to no neighbour of it.
#[test]
fn ids_of_any_size_are_told_apart() {
    let pairs = [
        ("18446744073709551617", "18446744073709551617", true),
        ("18446744073709551617", "18446744073709551616", false),
        ("1e400", "1E+400", true),
        ("1e400", "1e401", false),
        ("100", "1e2", true),
        ("9007199254740993", "9007199254740992", false),
        ("9007199254740993", "9007199254740993.0", true),
        ("-0", "0", true),
        ("1", "\"1\"", false),
    ];
    let revision = Revision::V2025_11_25;
    let mut found = BTreeSet::new();
    for (asked, answered, is_same) in pairs {
        let (mut client, mut server) = (InFlight::default(), InFlight::default());
        let request = format!(r#"{{"jsonrpc":"2.0","id":{asked},"method":"tools/list"}}"#);
        AnyClientMessage::from_slice(&revision, request.as_bytes(), &server)
            .expect("a request")
            .observe(&mut client, &mut server);
        let id = mcp_wire::from_str(answered).expect("an id");
        assert_eq!(client.method_of(&id).is_some(), is_same, "{asked} {answered}");
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{answered},"result":{{"tools":[]}}}}"#);
        let answer = AnyServerMessage::from_slice(&revision, answer.as_bytes(), &client).expect("an answer");
        found.insert((is_same, answer.variant_name()));
        answer.observe(&mut server, &mut client);
        assert_eq!(
            client.method_of(&mcp_wire::from_str(asked).expect("an id")).is_none(),
            is_same,
            "{asked} {answered}"
        );
    }
    assert_eq!(found, BTreeSet::from([(true, ("Response", "ListTools")), (false, ("Response", "Raw"))]));
}

/// What people are told. What they are told of a loss is tested in `careless_readers.rs`.
#[test]
fn the_truth_is_told_in_words_and_by_the_exit_code() {
    let messages = [ONCE_LOST.map(messages).concat(), REPEATED.map(messages).concat()].concat();
    let (text, code) = said(&session("words", &messages), false);
    assert!(text.ends_with("\nnothing lost, nothing valid refused\n"), "{text}");
    assert!(!text.contains("problems") && !text.contains("→"), "{text}");
    let row: Vec<&str> = text.lines().nth(1).expect("a row").split_whitespace().skip(1).take(6).collect();
    let count = messages.len().to_string();
    assert_eq!(row, [&count, &count, "0", "0", "0", "0"]);
    assert_eq!(code, Some(0));
}
