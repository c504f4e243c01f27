//! What the benchmark rests on: everybody does the work that is measured.
//!
//! With `--features peers` the peers are tested too; CI does without them, since they bring dozens of packages along.

use mcp_wire_bench::contenders::ALL;
use mcp_wire_bench::measure::is_same;
use mcp_wire_bench::{MESSAGES, Order, Subject};
use serde_json::Value;

/// Who cannot read what as what it is. Empty, and worth asserting: a contender that fails would not be measured.
const UNREAD: &[(&str, &str, &str)] = &[];

/// Who does not write what it has read.
const LOSSY: &[(&str, &str)] = &[
    // 50 becomes 50.0.
    ("hand-written", "notifications/progress"),
    ("rmcp", "notifications/progress"),
    ("rust-mcp-schema", "notifications/progress"),
    ("turbomcp-protocol", "notifications/progress"),
];

/// Who writes members into an answer that nobody asked for: `resultType` and `isError`.
const ADDING: &[&str] = &["rmcp"];

/// Those of a list that take part in this build.
fn present(name: &str) -> bool {
    ALL.iter().any(|(known, _)| *known == name)
}

fn cases() -> impl Iterator<Item = (Subject, Order)> {
    Subject::ALL.into_iter().flat_map(|subject| subject.orders().map(|order| (subject, order)))
}

#[test]
fn there_are_eight_subjects_in_two_orders_each() {
    assert_eq!(cases().count(), 16);
    let results = Subject::ALL.iter().filter(|subject| subject.is_result()).count();
    assert_eq!((Subject::ALL.len(), results), (8, 3));
    assert_eq!(ALL.len(), if cfg!(feature = "peers") { 6 } else { 3 });
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
    for subject in Subject::ALL {
        let [one, other] = subject.orders().map(|order| subject.text(order));
        assert_eq!((one.lines().count(), other.lines().count()), (subject.messages(), subject.messages()));
        assert!(
            one != other && one.lines().zip(other.lines()).all(|(one, other)| is_same(one, other)),
            "{}",
            subject.name()
        );
    }
}

#[test]
fn everybody_reads_everything_as_what_it_is() {
    let mut unread = Vec::new();
    for (subject, order) in cases() {
        for (contender, make) in ALL {
            if make(subject, order).is_none() {
                unread.push((*contender, subject.name(), order.name()));
            }
        }
    }
    assert_eq!(unread, UNREAD);
}

#[test]
fn nobody_loses_anything_but_those_that_are_known_to() {
    let mut lossy = Vec::new();
    for subject in Subject::ALL.into_iter().filter(|subject| *subject != Subject::Session) {
        for (contender, make) in ALL {
            let loses = |order| make(subject, order).is_some_and(|work| !is_same(&work.written, &subject.text(order)));
            if subject.orders().into_iter().any(loses) {
                lossy.push((*contender, subject.name()));
            }
        }
    }
    assert!(lossy.iter().all(|(contender, _)| *contender != "mcp-wire"), "{lossy:?}");
    let known: Vec<_> = LOSSY.iter().copied().filter(|(name, _)| present(name)).collect();
    assert_eq!(lossy, known);
}

#[test]
fn a_session_is_answered_alike_by_everybody() {
    let mut adding: Vec<&str> = Vec::new();
    for order in Subject::Session.orders() {
        let mut expected: Option<Vec<Value>> = None;
        for (contender, make) in ALL {
            let Some(work) = make(Subject::Session, order) else { panic!("{contender} has no session") };
            assert!(work.write.is_none());
            let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{contender}: {error}: {line}"));
            let answers: Vec<Value> = work.written.lines().map(read).collect();
            // One message in ten is a notification.
            assert_eq!(answers.len(), MESSAGES / 10 * 9, "{contender}");
            let expected = expected.get_or_insert_with(|| answers.clone());
            for (answer, expected) in answers.iter().zip(expected) {
                assert!(contains(answer, expected), "{contender}: {answer}\n  {expected}");
                if answer != expected && !adding.contains(contender) {
                    adding.push(contender);
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
