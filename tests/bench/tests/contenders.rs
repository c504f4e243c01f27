//! What the benchmark rests on: everybody does the work that is measured.
//!
//! With `--features peers` the peers are tested too; CI does without them, since they bring dozens of packages along.

use mcp_wire_bench::contenders::{ALL, Contender, Work};
use mcp_wire_bench::measure::is_same;
use mcp_wire_bench::{BATCH, Kind, MESSAGES, Order, Subject};
use serde_json::Value;

/// Who cannot read what as what it is, or has no use for it. Nothing else is missing: a contender that fails would not
/// be measured.
const UNREAD: &[(&str, &str)] = &[
    ("rmcp", "batch of 100"),
    // It refuses a response with a member that it does not know.
    ("rust-mcp-schema", "tools/call result with a vendor member"),
    ("rust-mcp-schema", "ask and answer"),
    ("turbomcp-protocol", "batch of 100"),
    ("turbomcp-protocol", "ask and answer"),
    ("hand-written, borrowed", "ask and answer"),
    ("hand-written, borrowed", "session of 10,000 messages"),
    ("sonic-rs", "ask and answer"),
    ("sonic-rs", "session of 10,000 messages"),
];

/// Who does not write what it has read.
const LOSSY: &[(&str, &str)] = &[
    // Members that it does not know are gone.
    ("rmcp", "tools/call with a vendor member"),
    ("rust-mcp-schema", "tools/call with a vendor member"),
    ("turbomcp-protocol", "tools/call with a vendor member"),
    // 50 becomes 50.0.
    ("hand-written", "notifications/progress"),
    ("rmcp", "notifications/progress"),
    ("rust-mcp-schema", "notifications/progress"),
    ("turbomcp-protocol", "notifications/progress"),
    ("hand-written, borrowed", "notifications/progress"),
    ("sonic-rs", "notifications/progress"),
    // 1 becomes 1.0.
    ("rmcp", "elicitation form with 20 fields"),
    // The same; and choices are taken for plain strings, so that what can be chosen is gone.
    ("rust-mcp-schema", "elicitation form with 20 fields"),
    ("turbomcp-protocol", "elicitation form with 20 fields"),
    // Members that it does not know are gone.
    ("rmcp", "tools/call result with a vendor member"),
    ("turbomcp-protocol", "tools/call result with a vendor member"),
    ("rmcp", "content blocks with unknown members"),
    ("rust-mcp-schema", "content blocks with unknown members"),
    ("turbomcp-protocol", "content blocks with unknown members"),
];

/// Who writes members into an answer that nobody asked for: `resultType` and `isError`.
const ADDING: &[&str] = &["rmcp"];

/// Those of a list that take part in this build.
fn present(name: &str) -> bool {
    ALL.iter().any(|known| known.name == name)
}

fn cases() -> impl Iterator<Item = (Subject, Order)> {
    Subject::ALL.into_iter().flat_map(|subject| subject.orders().iter().map(move |order| (subject, *order)))
}

fn work(contender: &Contender, subject: Subject, order: Order) -> Work {
    let work = contender.work(subject, order);
    work.unwrap_or_else(|| panic!("{} cannot do {}", contender.name, subject.name()))
}

#[test]
fn there_are_as_many_subjects_of_each_kind_as_reports_say() {
    let count = |kind| Subject::ALL.iter().filter(|subject| subject.kind() == kind).count();
    let kinds = [Kind::Request, Kind::Result, Kind::Proxy, Kind::Exchange, Kind::Session];
    assert_eq!(kinds.map(count), [7, 12, 2, 1, 1]);
    assert_eq!((Subject::ALL.len(), cases().count()), (23, 45));
    assert_eq!(ALL.len(), if cfg!(feature = "peers") { 8 } else { 4 });
}

#[test]
fn subjects_are_found_by_their_names_and_by_nothing_else() {
    for (subject, order) in cases() {
        assert_eq!(Subject::named(subject.name(), order.name()), Some((subject, order)));
    }
    assert_eq!(Subject::named("ping", "result first"), None);
    assert_eq!(Subject::named("pong", "id first"), None);
}

#[test]
fn both_orders_of_a_subject_are_the_same_message() {
    for subject in Subject::ALL.into_iter().filter(|subject| *subject != Subject::Exchange) {
        let texts: Vec<String> = subject.orders().iter().map(|order| subject.text(*order)).collect();
        let [one, other] = &texts[..] else { panic!("{} has one order", subject.name()) };
        assert_eq!((one.lines().count(), other.lines().count()), (subject.messages(), subject.messages()));
        assert!(
            one != other && one.lines().zip(other.lines()).all(|(one, other)| is_same(one, other)),
            "{}",
            subject.name()
        );
    }
}

/// A subject promises something in its name.
#[test]
fn subjects_are_what_they_are_called() {
    let value = |subject: Subject| -> Value { serde_json::from_str(&subject.text(Order::IdFirst)).unwrap() };
    let size = |subject: Subject| subject.text(Order::IdFirst).len();
    let list = |subject: Subject, pointer: &str| value(subject).pointer(pointer).unwrap().as_array().unwrap().len();
    assert_eq!(list(Subject::List, "/result/tools"), 100);
    assert_eq!(list(Subject::Resources, "/result/resources"), 500);
    assert_eq!(list(Subject::Unknown, "/result/content"), 200);
    assert_eq!(list(Subject::Batch, ""), BATCH);
    let form = value(Subject::Form);
    assert_eq!(form["params"]["requestedSchema"]["properties"].as_object().unwrap().len(), 20);
    assert!((200_000..205_000).contains(&size(Subject::Structured)));
    let megabytes = [Subject::Text, Subject::Chinese, Subject::Blob, Subject::Unasked].map(size);
    assert!(megabytes.iter().all(|size| (1_000_000..1_100_000).contains(size)), "{megabytes:?}");
    let source = value(Subject::Source)["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    let escapes = source.chars().filter(|letter| "\n\t\"\\".contains(*letter)).count();
    assert!((90_000..110_000).contains(&size(Subject::Source)));
    assert!((10..=20).contains(&(source.len() / escapes)), "{}", source.len() / escapes);
    let chinese = value(Subject::Chinese)["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(chinese.chars().filter(|letter| letter.len_utf8() == 3).count() * 3 > chinese.len() * 9 / 10);
}

#[test]
fn everybody_reads_everything_as_what_it_is() {
    let mut unread = Vec::new();
    for subject in Subject::ALL {
        for contender in ALL {
            let can = |order: &Order| contender.work(subject, *order).is_some();
            match subject.orders().iter().filter(|order| can(order)).count() {
                0 => unread.push((contender.name, subject.name())),
                some => assert_eq!(some, subject.orders().len(), "{}, {}", contender.name, subject.name()),
            }
        }
    }
    let mut known: Vec<_> = UNREAD.iter().copied().filter(|(name, _)| present(name)).collect();
    known.sort();
    unread.sort();
    assert_eq!(unread, known);
}

#[test]
fn everybody_writes_what_is_written_and_nothing_else() {
    for (subject, order) in cases() {
        let writes = matches!(subject.kind(), Kind::Request | Kind::Result);
        for contender in ALL {
            if let Some(work) = contender.work(subject, order) {
                assert_eq!(work.write.is_some(), writes, "{}, {}", contender.name, subject.name());
            }
        }
    }
}

#[test]
fn nobody_loses_anything_but_those_that_are_known_to() {
    let mut lossy = Vec::new();
    let messages = Subject::ALL.into_iter().filter(|it| !matches!(it.kind(), Kind::Exchange | Kind::Session));
    for subject in messages {
        for contender in ALL {
            let loses = |order: &Order| {
                contender.work(subject, *order).is_some_and(|work| !is_same(&work.written, &subject.text(*order)))
            };
            if subject.orders().iter().any(loses) {
                lossy.push((contender.name, subject.name()));
            }
        }
    }
    assert!(lossy.iter().all(|(contender, _)| *contender != "mcp-wire"), "{lossy:?}");
    let known: Vec<_> = LOSSY.iter().copied().filter(|(name, _)| present(name)).collect();
    assert_eq!(lossy, known);
}

#[test]
fn an_exchange_ends_alike_for_everybody() {
    for contender in ALL.iter().filter(|it| !UNREAD.contains(&(it.name, Subject::Exchange.name()))) {
        let work = work(contender, Subject::Exchange, Order::IdFirst);
        assert_eq!(work.written, "search_issues", "{}", contender.name);
        // It can be done again: ids are used once, and nothing waits for an answer that has come.
        (work.parse)(3);
    }
}

#[test]
fn a_session_is_answered_alike_by_everybody() {
    let mut adding: Vec<&str> = Vec::new();
    let here = || ALL.iter().filter(|it| !UNREAD.contains(&(it.name, Subject::Session.name())));
    for order in Subject::Session.orders() {
        let mut expected: Option<Vec<Value>> = None;
        for contender in here() {
            let (work, name) = (work(contender, Subject::Session, *order), contender.name);
            let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
            let answers: Vec<Value> = work.written.lines().map(read).collect();
            // One message in ten is a notification.
            assert_eq!(answers.len(), MESSAGES / 10 * 9, "{name}");
            let expected = expected.get_or_insert_with(|| answers.clone());
            for (answer, expected) in answers.iter().zip(expected) {
                assert!(contains(answer, expected), "{name}: {answer}\n  {expected}");
                if answer != expected && !adding.contains(&name) {
                    adding.push(name);
                }
            }
        }
    }
    let known: Vec<_> = ADDING.iter().copied().filter(|name| present(name)).collect();
    assert_eq!(adding, known);
}

/// Whether everything that is expected is there, beside what else there may be.
fn contains(value: &Value, expected: &Value) -> bool {
    match (value, expected) {
        (Value::Object(value), Value::Object(expected)) => {
            expected.iter().all(|(name, expected)| value.get(name).is_some_and(|value| contains(value, expected)))
        }
        (Value::Array(value), Value::Array(expected)) => {
            value.len() == expected.len()
                && value.iter().zip(expected).all(|(value, expected)| contains(value, expected))
        }
        _ => value == expected,
    }
}
