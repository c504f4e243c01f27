//! `check()` decides each value once, also where unions contain themselves: the work is counted, not timed.

#![allow(clippy::expect_used)]

use std::cell::Cell;

use mcp_wire_core::__private::{self as wire, Checker, Limits, Reader, Stop, Wire};
use mcp_wire_core::{Extra, Integer, Json, Rule, from_value};
use serde_json::{Value, json};

thread_local! {
    static INSPECTED: Cell<usize> = const { Cell::new(0) };
}

/// So much is never needed here, and a test should fail rather than run for a year.
const FAR_TOO_MUCH: usize = 1_000_000;

/// A number that takes note when it is inspected, which it is whenever its object is.
#[derive(Debug, Clone, PartialEq)]
struct Counted(Integer);

impl Wire for Counted {
    const EXPECTED: &'static str = Integer::EXPECTED;

    fn placeholder() -> Self {
        Self(Integer::placeholder())
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        self.0.read(reader)
    }

    fn write(&self, text: &mut String) {
        self.0.write(text);
    }

    fn inspect(&self, checker: &mut Checker<'_>) {
        self.inspect_within(&Limits::NONE, checker);
    }

    fn inspect_within(&self, limits: &Limits, checker: &mut Checker<'_>) {
        INSPECTED.set(INSPECTED.get() + 1);
        assert!(INSPECTED.get() < FAR_TOO_MUCH, "objects are inspected again and again");
        self.0.inspect_within(limits, checker);
    }
}

/// An object with a number in a range and a node inside.
macro_rules! inner {
    ($name:ident: $expected:literal, $limits:expr) => {
        #[derive(Debug, Clone, PartialEq)]
        struct $name {
            number: Option<Counted>,
            child: Option<Box<Node>>,
            extra: Extra,
        }

        wire::record! {
            $name: $expected,
            new(),
            members {
                "child" => child: optional,
                "number" => number: optional within $limits,
            },
        }
    };
}

inner!(Small: "a small object", Limits::NONE.at_least(0.0).at_most(9.0));
inner!(Large: "a large object", Limits::NONE.at_least(100.0).at_most(109.0));

/// What may be either, without anything that tells them apart.
#[derive(Debug, Clone, PartialEq)]
enum Node {
    Small(Box<Small>),
    Large(Box<Large>),
    Unknown(Json),
}

wire::union! {
    Node: "a node",
    variants {
        Small(Box<Small>),
        Large(Box<Large>),
    },
    rules {
        signatures: &[wire::Signature::ANY],
    },
}

/// Nodes inside each other, the outermost first.
fn nested(numbers: impl DoubleEndedIterator<Item = i64>) -> Value {
    numbers.rev().fold(Value::Null, |child, number| match child {
        Value::Null => json!({ "number": number }),
        child => json!({ "number": number, "child": child }),
    })
}

/// The violations of a document, by place and rule, and how many objects were inspected to find them.
fn checked(document: Value) -> (Vec<(String, Rule)>, usize) {
    let node: Node = from_value(document).expect("unions take everything");
    INSPECTED.set(0);
    let violations = mcp_wire_core::check(&node);
    (violations.iter().map(|found| (found.pointer.to_string(), found.rule)).collect(), INSPECTED.get())
}

#[test]
fn a_union_inside_itself_is_decided_once_however_deep_it_is() {
    for depth in [2_usize, 10, 50, 100] {
        // Each level as one or the other, and the innermost as neither.
        let numbers = |innermost: i64| nested((0..depth as i64 - 1).map(|level| (level % 2) * 100).chain([innermost]));
        let (violations, inspected) = checked(numbers(5));
        assert_eq!(violations, [], "{depth}");
        assert!(inspected <= 5 * depth, "{inspected} objects inspected, {depth} are there");

        let (violations, inspected) = checked(numbers(50));
        let innermost = format!("{}/number", "/child".repeat(depth - 1));
        assert!(violations.contains(&(innermost, Rule::Range)), "{depth}: {violations:?}");
        assert!(inspected <= 5 * depth, "{inspected} objects inspected, {depth} are there");
    }
}

#[test]
fn every_level_that_is_neither_is_reported_once() {
    let (violations, inspected) = checked(nested([50; 40].into_iter()));
    let places: Vec<_> = violations.iter().map(|(place, _)| place.matches("/child").count()).collect();
    assert_eq!(places, (0..40).rev().collect::<Vec<_>>());
    assert!(inspected <= 5 * 40, "{inspected} objects inspected");
}

#[test]
fn all_is_well_where_one_variant_conforms_at_each_level() {
    let (violations, inspected) = checked(nested([100; 60].into_iter()));
    assert_eq!(violations, []);
    assert!(inspected <= 5 * 60, "{inspected} objects inspected");
    // As what they were read as: no more than is needed.
    let (violations, inspected) = checked(nested([1; 60].into_iter()));
    assert_eq!((violations, inspected), (vec![], 60));
}
