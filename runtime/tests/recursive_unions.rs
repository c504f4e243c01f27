//! `check()` decides each value once, also where unions contain themselves: the work is counted, not timed.

#![allow(clippy::expect_used)]

use std::cell::Cell;

use mcp_wire_core::wire::{
    Checker, Decoded, Deserializer, Fit, Known, MapAccess, Members, Outcome, Record, Serialize, Serializer, Source,
    Text, UNKNOWN, Unfit, Union, Wire, Writer, convert_record, convert_union, decode_record, decode_union, fit,
    outline_record, outline_union, resume_record,
};
use mcp_wire_core::{Extra, Integer, Rule, Value, from_value};
use serde_json::json;

/// An object with a number and a node inside. `MINIMUM` to `MAXIMUM` is what the number may be.
#[derive(Debug, Clone, PartialEq)]
struct Inner<const MINIMUM: i64, const MAXIMUM: i64> {
    number: Option<Integer>,
    child: Option<Box<Node>>,
    extra: Extra,
}

type Small = Inner<0, 9>;
type Large = Inner<100, 109>;

/// What may be either, without anything that tells them apart.
#[derive(Debug, Clone, PartialEq)]
enum Node {
    Small(Box<Small>),
    Large(Box<Large>),
    Unknown(Value),
}

thread_local! {
    static INSPECTED: Cell<usize> = const { Cell::new(0) };
}

/// So much is never needed here, and a test should fail rather than run for a year.
const FAR_TOO_MUCH: usize = 1_000_000;

impl<const MINIMUM: i64, const MAXIMUM: i64> Wire for Inner<MINIMUM, MAXIMUM> {
    const EXPECTED: &'static str = "an object";

    fn decode_into<'de, D: Deserializer<'de>>(deserializer: D, slot: &mut Option<Self>) -> Outcome<Unfit, D::Error> {
        decode_record(deserializer, slot)
    }

    fn convert(value: Value) -> Fit<Self> {
        convert_record(value)
    }

    fn outline(value: &Value) -> Fit<Self> {
        outline_record(value)
    }

    fn resume<'de, A: MapAccess<'de>>(object: Text<'de, A>) -> Decoded<Self, A::Error> {
        resume_record(object)
    }

    fn placeholder() -> Self {
        Self { number: None, child: None, extra: Extra::new() }
    }

    fn inspect(&self, checker: &mut Checker) {
        INSPECTED.set(INSPECTED.get() + 1);
        assert!(INSPECTED.get() < FAR_TOO_MUCH, "inspected {FAR_TOO_MUCH} objects");
        checker.misfits(self, &self.extra);
        // First what is inside: what is wrong here is found when all that has been done.
        if let Some(child) = &self.child {
            checker.field("child", child);
        }
        if let Some(number) = &self.number {
            checker.member("number", |checker| {
                checker.at_least(number, MINIMUM as f64);
                checker.at_most(number, MAXIMUM as f64);
            });
        }
    }
}

impl<const MINIMUM: i64, const MAXIMUM: i64> Record for Inner<MINIMUM, MAXIMUM> {
    const MEMBERS: &'static [Known] = &[Known::new::<Integer>("number"), Known::new::<Box<Node>>("child")];

    fn member(name: &str) -> Option<usize> {
        ["number", "child"].iter().position(|known| *known == name)
    }

    fn read<S: Source>(mut members: Members<S>, slot: &mut Option<Self>) -> Outcome<Unfit, S::Error> {
        let (mut number, mut child) = (None, None);
        while let Some(index) = members.next_member::<Self>()? {
            match index {
                0 => members.optional("number", &mut number)?,
                _ => members.optional("child", &mut child)?,
            }
        }
        *slot = Some(Self { number, child, extra: members.extra(&[]) });
        members.finish(slot)
    }
}

impl<const MINIMUM: i64, const MAXIMUM: i64> Serialize for Inner<MINIMUM, MAXIMUM> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Outcome<S::Ok, S::Error> {
        let mut members = Writer::new(serializer, &self.extra)?;
        members.optional("number", &self.number)?;
        members.optional("child", &self.child)?;
        members.end()
    }
}

impl Wire for Node {
    const EXPECTED: &'static str = "a node";

    fn decode_into<'de, D: Deserializer<'de>>(deserializer: D, slot: &mut Option<Self>) -> Outcome<Unfit, D::Error> {
        decode_union(deserializer, slot)
    }

    fn convert(value: Value) -> Fit<Self> {
        Ok(convert_union(value))
    }

    fn outline(_: &Value) -> Fit<Self> {
        Ok(outline_union())
    }

    fn placeholder() -> Self {
        Self::Unknown(Value::Null)
    }

    fn inspect(&self, checker: &mut Checker) {
        checker.union(self, |checker| match self {
            Self::Small(node) => node.inspect(checker),
            Self::Large(node) => node.inspect(checker),
            Self::Unknown(value) => checker.unknown::<Self>(value),
        });
    }

    fn variant_name(&self) -> Option<&'static str> {
        match self {
            Self::Small(_) => Some("Small"),
            Self::Large(_) => Some("Large"),
            Self::Unknown(_) => Some(UNKNOWN),
        }
    }
}

impl Union for Node {
    const VARIANTS: &'static [Known] = &[Known::new::<Small>("Small"), Known::new::<Large>("Large")];
    const EXCLUSIVE: bool = false;

    fn decide(value: &Value) -> Option<usize> {
        value.is_object().then_some(0)
    }

    fn variant(variant: usize, value: Value) -> Self {
        match variant {
            0 => fit(value, |small| Self::Small(Box::new(small))),
            _ => fit(value, |large| Self::Large(Box::new(large))),
        }
    }

    fn unknown(value: Value) -> Self {
        Self::Unknown(value)
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Outcome<S::Ok, S::Error> {
        match self {
            Self::Small(node) => node.serialize(serializer),
            Self::Large(node) => node.serialize(serializer),
            Self::Unknown(value) => value.serialize(serializer),
        }
    }
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
