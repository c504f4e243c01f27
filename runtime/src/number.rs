//! JSON numbers that come back digit for digit: 50 stays 50, 50.0 stays 50.0, and a hundred digits stay a hundred digits.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::check::{Checker, Rule};
use crate::decode::Wire;
use crate::json::{Decimal, Json, Reader, Stop};
use crate::limits::Limits;
use crate::write::push_integer;

/// A number as it is written. Most are whole and small, which costs no memory.
#[derive(Clone)]
enum Digits {
    Small(i64),
    /// Empty for what is not finite, and so has no digits.
    Text(Box<str>),
}

impl Digits {
    #[inline]
    fn of(number: &str) -> Self {
        small(number).map_or_else(|| Self::Text(number.into()), Self::Small)
    }

    /// Calls a function with the text.
    fn with_text<T>(&self, look: impl FnOnce(&str) -> T) -> T {
        match self {
            Self::Small(value) => {
                let mut text = String::new();
                push_integer(&mut text, *value);
                look(&text)
            }
            Self::Text(text) => look(text),
        }
    }

    #[inline]
    fn write(&self, text: &mut String) {
        match self {
            Self::Small(value) => push_integer(text, *value),
            Self::Text(digits) if digits.is_empty() => text.push_str(Json::NULL_TEXT),
            Self::Text(digits) => text.push_str(digits),
        }
    }

    #[inline]
    fn whole(&self) -> Option<i128> {
        match self {
            Self::Small(value) => Some((*value).into()),
            Self::Text(digits) if digits.is_empty() => None,
            Self::Text(digits) => Decimal::of(digits).to_i128(),
        }
    }

    fn as_f64(&self) -> f64 {
        match self {
            Self::Small(value) => *value as f64,
            Self::Text(digits) => digits.parse().unwrap_or(f64::NAN),
        }
    }

    /// The order of the number and a bound.
    fn compare(&self, bound: f64) -> Option<Ordering> {
        if let Self::Text(digits) = self
            && let Some(order) = compare_plain(digits, bound)
        {
            return Some(order);
        }
        // Rounding keeps the order, so that only those that become equal have to be looked at.
        match self.as_f64().partial_cmp(&bound)? {
            Ordering::Equal => Some(self.with_text(|text| Decimal::of(text).cmp(&Decimal::of(&bound.to_string())))),
            order => Some(order),
        }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(one), Self::Small(other)) => one.cmp(other),
            _ => self.with_text(|one| other.with_text(|other| Decimal::of(one).cmp(&Decimal::of(other)))),
        }
    }

    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.whole() {
            Some(value) => value.hash(state),
            None => self.with_text(|text| Decimal::of(text).hash(state)),
        }
    }

    #[inline]
    fn is_finite(&self) -> bool {
        !matches!(self, Self::Text(digits) if digits.is_empty())
    }
}

/// The order of a number such as `0.75`, and a bound that is a small whole number: what most schemas ask for. Nothing has to
/// be rounded for that.
fn compare_plain(number: &str, bound: f64) -> Option<Ordering> {
    let least = bound as i64;
    let mut digits = number.bytes();
    let mut whole = 0;
    // Eighteen digits fit whatever they are. Numbers below zero have fractions that count downwards.
    for place in 0.. {
        match digits.next() {
            Some(digit @ b'0'..=b'9') if place < 18 => whole = whole * 10 + i64::from(digit - b'0'),
            Some(b'.') => break,
            _ => return None,
        }
    }
    let mut rest = Ordering::Equal;
    for digit in digits {
        match digit {
            b'0' => {}
            b'1'..=b'9' => rest = Ordering::Greater,
            _ => return None,
        }
    }
    (least as f64 == bound).then(|| whole.cmp(&least).then(rest))
}

/// The value of a whole number that is written in no other way than Rust would write it.
#[inline]
pub(crate) fn small(number: &str) -> Option<i64> {
    let (is_negative, digits) = match number.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    // Eighteen digits fit whatever they are.
    let has_zero = matches!(digits, [b'0', _, ..]) || is_negative && digits == b"0";
    if digits.len() > 18 || digits.is_empty() || has_zero {
        return None;
    }
    let mut value = 0;
    for digit in digits {
        match digit {
            b'0'..=b'9' => value = value * 10 + i64::from(digit - b'0'),
            _ => return None,
        }
    }
    Some(if is_negative { -value } else { value })
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(value) => fmt::Display::fmt(value, f),
            Self::Text(digits) if digits.is_empty() => f.write_str("not a finite number"),
            Self::Text(digits) => f.write_str(digits),
        }
    }
}

/// A JSON number, with the digits it is written with.
///
/// Two numbers are equal when their exact values are, whatever their form.
///
/// ```
/// # use mcp_wire_core::Number;
/// assert_eq!(Number::from(0.8).as_f64(), 0.8);
/// assert_eq!(Number::from(50).to_string(), "50");
///
/// let number: Number = mcp_wire_core::from_str("38.448624110701644000")?;
/// assert_eq!(number.to_string(), "38.448624110701644000");
/// assert_eq!(number, Number::from(38.448624110701644));
/// # Ok::<(), mcp_wire_core::DecodeError>(())
/// ```
#[derive(Clone)]
pub struct Number(Digits);

impl Number {
    pub(crate) fn compare(&self, bound: f64) -> Option<Ordering> {
        self.0.compare(bound)
    }

    /// The nearest `f64`: an infinity where the number is beyond them all, NaN for one that was made from a value JSON cannot
    /// express.
    pub fn as_f64(&self) -> f64 {
        self.0.as_f64()
    }

    /// The value as an `i64`, if it is a whole number in that range.
    pub fn as_i64(&self) -> Option<i64> {
        self.0.whole()?.try_into().ok()
    }

    /// The value as a `u64`, if it is a whole number in that range.
    pub fn as_u64(&self) -> Option<u64> {
        self.0.whole()?.try_into().ok()
    }

    /// Whether JSON can express the value. One that it cannot, NaN or an infinity, is written as `null` and reported by
    /// `check()`.
    pub fn is_finite(&self) -> bool {
        self.0.is_finite()
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        let number = serde_json::Number::from_f64(value);
        Self(number.map_or_else(|| Digits::Text("".into()), |number| Digits::Text(number.to_string().into())))
    }
}

impl From<f32> for Number {
    fn from(value: f32) -> Self {
        f64::from(value).into()
    }
}

impl From<serde_json::Number> for Number {
    fn from(number: serde_json::Number) -> Self {
        Self(Digits::of(&number.to_string()))
    }
}

impl From<Integer> for Number {
    fn from(integer: Integer) -> Self {
        Self(integer.0)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.is_finite() == other.is_finite() && self.0.cmp(&other.0) == Ordering::Equal
    }
}

impl PartialEq<f64> for Number {
    fn eq(&self, other: &f64) -> bool {
        self.as_f64() == *other
    }
}

/// A whole JSON number of any size: what JSON Schema calls an integer, `5.0` included.
///
/// Two integers are equal when their values are, whatever their form.
///
/// ```
/// # use mcp_wire_core::Integer;
/// let five: Integer = mcp_wire_core::from_str("5.0").unwrap();
/// assert_eq!(five, Integer::from(5));
/// assert_eq!(five.to_string(), "5.0");
/// ```
#[derive(Clone)]
pub struct Integer(Digits);

impl Integer {
    pub(crate) fn compare(&self, bound: f64) -> Option<Ordering> {
        self.0.compare(bound)
    }

    /// The integer in a number, if it is whole.
    pub fn from_number(number: Number) -> Option<Self> {
        let is_whole = number.is_finite() && number.0.with_text(|text| Decimal::of(text).is_whole());
        is_whole.then_some(Self(number.0))
    }

    /// The value as an `i64`, if it fits.
    #[inline]
    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Digits::Small(value) => Some(value),
            Digits::Text(_) => self.0.whole()?.try_into().ok(),
        }
    }

    /// The value as a `u64`, if it fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.0.whole()?.try_into().ok()
    }

    /// The nearest `f64`.
    pub fn as_f64(&self) -> f64 {
        self.0.as_f64()
    }
}

impl PartialEq for Integer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Integer {}

impl Hash for Integer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

macro_rules! from_whole {
    ($($whole:ty),*) => {$(
        impl From<$whole> for Integer {
            fn from(value: $whole) -> Self {
                Self(match i64::try_from(value) {
                    Ok(value) => Digits::Small(value),
                    Err(_) => Digits::Text(value.to_string().into()),
                })
            }
        }
        impl From<$whole> for Number {
            fn from(value: $whole) -> Self {
                Self(Integer::from(value).0)
            }
        }
        impl PartialEq<$whole> for Integer {
            fn eq(&self, other: &$whole) -> bool {
                self.0.whole().is_some_and(|value| i128::try_from(*other) == Ok(value))
            }
        }
    )*};
}
from_whole!(i8, i16, i32, i64, u8, u16, u32, u64, usize);

/// What both kinds of numbers have in common.
macro_rules! number {
    ($name:ident, $expected:literal, $conforms:literal, $json_type:literal) => {
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = crate::DecodeError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                crate::from_str(text)
            }
        }

        impl From<$name> for Json {
            fn from(number: $name) -> Self {
                Json::from_valid(crate::to_string(&number))
            }
        }

        impl Wire for $name {
            const EXPECTED: &'static str = $expected;
            const CONFORMS: bool = $conforms;

            #[inline]
            fn placeholder() -> Self {
                Self(Digits::Small(0))
            }

            fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
                if !matches!(reader.peek(), b'-' | b'0'..=b'9') {
                    return reader.unfit(Self::EXPECTED);
                }
                if let Some(value) = reader.small_integer() {
                    self.0 = Digits::Small(value);
                    return Ok(true);
                }
                let start = reader.mark();
                self.0 = Digits::of(reader.number()?);
                if !self.is_one() {
                    reader.reset(start);
                    return reader.unfit(Self::EXPECTED);
                }
                Ok(true)
            }

            fn write(&self, text: &mut String) {
                self.0.write(text);
            }

            fn inspect(&self, checker: &mut Checker<'_>) {
                if !self.0.is_finite() {
                    checker.report(Rule::Type, Self::EXPECTED, self.to_string());
                }
            }

            fn inspect_within(&self, limits: &Limits, checker: &mut Checker<'_>) {
                if !Self::CONFORMS {
                    self.inspect(checker);
                }
                checker.range(limits, self, |bound| self.compare(bound));
            }
        }

        $crate::__serde!([] $name);

        #[cfg(feature = "schemars")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": $json_type })
            }
        }
    };
}

number!(Integer, "an integer", true, "integer");
// One that is not finite can be made.
number!(Number, "a number", false, "number");

impl Integer {
    /// Whether digits that have been read are those of an integer.
    #[inline]
    fn is_one(&self) -> bool {
        match &self.0 {
            Digits::Small(_) => true,
            Digits::Text(digits) => Decimal::of(digits).is_whole(),
        }
    }
}

impl Number {
    #[inline]
    fn is_one(&self) -> bool {
        true
    }
}
