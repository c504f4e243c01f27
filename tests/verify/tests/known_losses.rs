//! What does not come back as it came, today: every way that is known, by kind. This list is the only one. Whatever mends
//! one of them, or brings a new one, makes a test here fail.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use common::{built, file, task};
use mcp_wire_tests::mutants::Random;
use mcp_wire_verify::{KNOWN_LOSSES, Task};
use serde_json::{Value, json};

/// A message, where it changes, how, and into what.
const KNOWN: [(&str, &str, &str, &str); 16] = [
    // Numbers are read into 64 bits. A decimal with many digits may become a neighbour of the nearest one.
    (
        r#""method":"tools/call","params":{"name":"t","arguments":{"n":38.448624110701644}}"#,
        "/params/arguments/n",
        "number changed",
        "38.44862411070165",
    ),
    (
        r#""method":"tools/call","params":{"name":"t","_meta":{"n":[38.448624110701644]}}"#,
        "/params/_meta/n/0",
        "number changed",
        "38.44862411070165",
    ),
    (
        r#""method":"tools/call","params":{"name":"t","unknown":38.448624110701644}"#,
        "/params/unknown",
        "number changed",
        "38.44862411070165",
    ),
    (r#""method":"vendor/ask","params":{"n":38.448624110701644}"#, "/params/n", "number changed", "38.44862411070165"),
    (r#""method":"ping","unknown":38.448624110701644"#, "/unknown", "number changed", "38.44862411070165"),
    (
        r#""error":{"code":1,"message":"m","data":38.448624110701644}"#,
        "/error/data",
        "number changed",
        "38.44862411070165",
    ),
    (r#""result":{"n":38.448624110701644}"#, "/result/n", "number changed", "38.44862411070165"),
    // So may one that a type has a member for.
    (
        r#""method":"notifications/progress","params":{"progressToken":1,"progress":38.448624110701644}"#,
        "/params/progress",
        "number changed",
        "38.44862411070165",
    ),
    (r#""method":"vendor/ask","params":[0.1000000000000000055511151231257827]"#, "/params/0", "number changed", "0.1"),
    (r#""method":"vendor/ask","params":[1e-400]"#, "/params/0", "number changed", "0.0"),
    // Integers beyond 64 bits become decimals, rounded or at least in another form.
    (
        r#""method":"vendor/ask","params":[123456789012345678901234567890]"#,
        "/params/0",
        "number changed",
        "1.2345678901234568e+29",
    ),
    (
        r#""method":"notifications/progress","params":{"progressToken":18446744073709551617,"progress":1}"#,
        "/params/progressToken",
        "number changed",
        "1.8446744073709552e+19",
    ),
    (r#""method":"vendor/ask","params":[100000000000000000000]"#, "/params/0", "number form changed", "1e+20"),
    (r#""method":"vendor/ask","params":[-0]"#, "/params/0", "number form changed", "-0.0"),
    // Of repeated members the last one counts, and only that one is kept.
    (r#""method":"tools/call","params":{"name":"t","name":"t"}"#, "/params/name", "duplicate dropped", ""),
    (
        r#""method":"tools/call","params":{"name":"t","arguments":{"a":1,"a":1}}"#,
        "/params/arguments/a",
        "duplicate dropped",
        "",
    ),
];

fn session(messages: impl IntoIterator<Item = String>) -> Task {
    let lines: String =
        messages.into_iter().map(|message| format!("{{\"dir\":\"c2s\",\"msg\":{message}}}\n")).collect();
    let name = format!("losses-{}", lines.len());
    Task { revision: Some("2025-11-25".to_owned()), traffic: vec![file(&name, "session.jsonl", lines)], ..task() }
}

fn message(rest: &str) -> String {
    let id = if rest.contains("notifications/") || rest.contains("vendor") { "" } else { r#""id":1,"# };
    format!(r#"{{"jsonrpc":"2.0",{id}{rest}}}"#)
}

/// What the program says of a task. It is built by itself, as `cargo xtask verify` does it: what tests are built with turns
/// on features of serde_json that a dependent does not have.
fn said(task: &Task, is_json: bool) -> String {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| built("mcp-wire-verify"));
    let mut request = serde_json::to_value(task).expect("JSON");
    request["json"] = json!(is_json);
    request["quiet"] = json!(false);
    let output = Command::new(&*PROGRAM).arg(request.to_string()).output().expect("the program");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The differences of each document.
fn differences(task: &Task) -> Vec<Vec<Value>> {
    let printed: Value = serde_json::from_str(&said(task, true)).expect("JSON");
    let documents = printed["documents"].as_array().expect("documents");
    let differences: Vec<_> =
        documents.iter().map(|document| document["pointers"].as_array().expect("a list").clone()).collect();
    let lossy = differences.iter().filter(|own| !own.is_empty()).count();
    assert_eq!(
        (&printed["totals"]["documents"], &printed["totals"]["lossy"]),
        (&json!(documents.len()), &json!(lossy))
    );
    differences
}

#[test]
fn what_is_lost_today_is_exactly_this() {
    let documents = differences(&session(KNOWN.map(|(rest, ..)| message(rest))));
    assert_eq!(documents.len(), KNOWN.len());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (found, (rest, pointer, kind, after)) in documents.iter().zip(KNOWN) {
        assert!(!found.is_empty(), "mended, it seems: take it off the list: {rest}");
        let found: Vec<_> = found.iter().map(|one| [&one["pointer"], &one["kind"], &one["after"]]).collect();
        let after = if after.is_empty() { Value::Null } else { json!(after) };
        assert_eq!(found, [[&json!(pointer), &json!(kind), &after]], "{rest}");
        *kinds.entry(kind).or_default() += 1;
    }
    let expected = [("duplicate dropped", 2), ("number changed", 12), ("number form changed", 2)];
    assert_eq!(kinds, BTreeMap::from(expected));
    assert_eq!(kinds.into_keys().collect::<BTreeSet<_>>(), KNOWN_LOSSES.iter().map(|kind| kind.as_str()).collect());
}

/// How many of ten thousand doubles, each written with the digits that tell it from all others, come back as another one.
#[test]
fn this_many_doubles_change() {
    let mut random = Random::new(42);
    // Between 0 and 100, as measurements are.
    let doubles = (0..10_000).map(|_| (random.next() >> 11) as f64 / (1_u64 << 53) as f64 * 100.0);
    let texts = doubles.map(|double| message(&format!(r#""method":"vendor/ask","params":[{double:?}]"#)));
    let documents = differences(&session(texts));
    assert_eq!(documents.len(), 10_000);
    let found: Vec<&Value> = documents.iter().flatten().collect();
    assert!(found.iter().all(|one| one["kind"] == "number changed" && one["pointer"] == "/params/0"));
    println!("{} of {} doubles change", found.len(), documents.len());
    assert_eq!(found.len(), CHANGED_DOUBLES);
}

const CHANGED_DOUBLES: usize = 908;

/// What the documentation of `mcp-wire-core` promises of numbers: up to 15 digits, moved by up to 22 places.
#[test]
fn numbers_of_ordinary_length_do_not_change() {
    let mut random = Random::new(42);
    let mut texts = Vec::new();
    for number in 0..20_000 {
        let digits = random.next() % 10_u64.pow((random.next() % 15) as u32 + 1);
        let places = (random.next() % 23) as usize;
        let sign = if number % 4 == 0 { "-" } else { "" };
        texts.push(match number % 5 {
            0 => format!("{sign}{digits}e{places}"),
            1 => format!("{sign}{digits}e-{places}"),
            _ if places == 0 => format!("{sign}{digits}.0"),
            _ => {
                let padded = format!("{digits:0width$}", width = places + 1);
                let (whole, fraction) = padded.split_at(padded.len() - places);
                format!("{sign}{whole}.{fraction}")
            }
        });
    }
    // And integers up to 64 bits.
    texts.extend((0..5_000).map(|_| (random.next() >> (random.next() % 64)).to_string()));
    texts.extend((0..5_000).map(|_| (random.next() as i64 >> (random.next() % 64)).to_string()));
    texts.extend(["0", "18446744073709551615", "-9223372036854775808", "0.0", "-0.0"].map(str::to_owned));
    assert_eq!(texts.len(), 30_005);
    let messages = texts.iter().map(|text| message(&format!(r#""method":"vendor/ask","params":[{text}]"#)));
    // One that is known to change, since a program that finds nothing says so by its exit code.
    let messages = messages.chain([message(KNOWN[3].0)]);
    let changed: Vec<Value> = differences(&session(messages)).into_iter().flatten().collect();
    assert_eq!(changed.iter().map(|one| &one["before"]).collect::<Vec<_>>(), ["38.448624110701644"]);
}

/// What people and programs are told.
#[test]
fn the_truth_is_told_in_words_and_by_the_exit_code() {
    let task = session([message(KNOWN[0].0), message(KNOWN[15].0)]);
    let text = said(&task, false);
    let line = "lossy ClientMessage, /params/arguments/n: number changed: 38.448624110701644 → 38.44862411070165";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("/params/arguments/a: duplicate dropped: 1 → nothing"), "{text}");
    assert!(text.contains("2 lossy, 0 rejected") && !text.contains("nothing lost"), "{text}");
    let printed: Value = serde_json::from_str(&said(&task, true)).expect("JSON");
    // The numbers are texts, so that nobody rounds them on the way.
    let difference = json!({
        "pointer": "/params/arguments/n", "kind": "number changed",
        "before": "38.448624110701644", "after": "38.44862411070165",
    });
    assert_eq!(printed["documents"][0]["pointers"], json!([difference]));
    assert_eq!(printed["totals"]["lossy"], 2);
}
