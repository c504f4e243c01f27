//! JSON numbers that come back in the form they arrived in: 50 stays 50, 50.0 stays 50.0.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// A JSON number.
///
/// ```
/// # use mcp_wire_core::Number;
/// assert_eq!(Number::from(0.8).as_f64(), 0.8);
/// assert_eq!(Number::from(50).to_string(), "50");
/// ```
#[derive(Clone, PartialEq)]
pub struct Number(Form);

#[derive(Clone, PartialEq)]
enum Form {
    Json(serde_json::Number),
    /// NaN and the infinities have no JSON form. They are written as `null` and reported by `check()`.
    NotFinite,
}

impl Number {
    /// The nearest `f64`; NaN for a number that was made from a value JSON cannot express.
    #[inline]
    pub fn as_f64(&self) -> f64 {
        self.json().and_then(serde_json::Number::as_f64).unwrap_or(f64::NAN)
    }

    /// The value as an `i64`, if it is a whole number in that range.
    #[inline]
    pub fn as_i64(&self) -> Option<i64> {
        self.json().and_then(whole_i64)
    }

    /// The value as a `u64`, if it is a whole number in that range.
    #[inline]
    pub fn as_u64(&self) -> Option<u64> {
        self.json().and_then(whole_u64)
    }

    /// Whether JSON can express the value.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.json().is_some()
    }

    #[inline]
    fn json(&self) -> Option<&serde_json::Number> {
        match &self.0 {
            Form::Json(number) => Some(number),
            Form::NotFinite => None,
        }
    }
}

impl From<serde_json::Number> for Number {
    #[inline]
    fn from(number: serde_json::Number) -> Self {
        Self(Form::Json(number))
    }
}

impl From<f64> for Number {
    #[inline]
    fn from(value: f64) -> Self {
        Self(serde_json::Number::from_f64(value).map_or(Form::NotFinite, Form::Json))
    }
}

impl From<f32> for Number {
    #[inline]
    fn from(value: f32) -> Self {
        f64::from(value).into()
    }
}

impl PartialEq<f64> for Number {
    #[inline]
    fn eq(&self, other: &f64) -> bool {
        self.as_f64() == *other
    }
}

impl fmt::Debug for Number {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Number {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Json(number) => fmt::Display::fmt(number, f),
            Form::NotFinite => f.write_str("not a finite number"),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::Json(number) => number.serialize(serializer),
            Form::NotFinite => serializer.serialize_unit(),
        }
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
pub struct Integer(serde_json::Number);

impl Integer {
    /// The integer in a JSON number, if it is whole.
    #[inline]
    pub fn from_number(number: serde_json::Number) -> Option<Self> {
        Self::is_whole(&number).then_some(Self(number))
    }

    #[inline]
    pub(crate) fn is_whole(number: &serde_json::Number) -> bool {
        number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
    }

    /// Whether the integer is written back digit for digit. One that does not fit into 64 bits is kept as the nearest
    /// floating-point number, and those beyond 2⁵³ stand for more than one integer.
    #[inline]
    pub fn is_exact(&self) -> bool {
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        !self.0.is_f64() || self.as_f64().abs() <= LARGEST
    }

    /// The integer in a number that is known to be whole.
    #[inline]
    pub(crate) fn of_whole(number: serde_json::Number) -> Self {
        Self(number)
    }

    /// The value as an `i64`, if it fits.
    #[inline]
    pub fn as_i64(&self) -> Option<i64> {
        whole_i64(&self.0)
    }

    /// The value as a `u64`, if it fits.
    #[inline]
    pub fn as_u64(&self) -> Option<u64> {
        whole_u64(&self.0)
    }

    /// The nearest `f64`.
    #[inline]
    pub fn as_f64(&self) -> f64 {
        self.0.as_f64().unwrap_or(f64::NAN)
    }

    /// One number for all forms of the same value. Whole floats beyond the 64-bit range keep their bits: JSON text
    /// with that many digits was rounded when it was read.
    #[inline]
    fn canonical(&self) -> Result<i128, u64> {
        if let Some(value) = self.as_i64() {
            Ok(value.into())
        } else if let Some(value) = self.as_u64() {
            Ok(value.into())
        } else {
            Err(self.as_f64().to_bits())
        }
    }
}

// A float converts only when nothing is lost, hence the comparison after the cast. The bounds are powers of two, which
// floats hold exactly.
#[inline]
fn whole_i64(number: &serde_json::Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let float = number.as_f64().filter(|_| !number.is_u64())?;
        let range = -(2f64.powi(63))..2f64.powi(63);
        (float.fract() == 0.0 && range.contains(&float)).then_some(float as i64)
    })
}

#[inline]
fn whole_u64(number: &serde_json::Number) -> Option<u64> {
    number.as_u64().or_else(|| {
        let float = number.as_f64().filter(|_| !number.is_i64())?;
        let range = 0.0..2f64.powi(64);
        (float.fract() == 0.0 && range.contains(&float)).then_some(float as u64)
    })
}

macro_rules! from_whole {
    ($($whole:ty),*) => {$(
        impl From<$whole> for Integer {
            #[inline]
            fn from(value: $whole) -> Self {
                Self(value.into())
            }
        }
        impl From<$whole> for Number {
            #[inline]
            fn from(value: $whole) -> Self {
                Self(Form::Json(value.into()))
            }
        }
        impl PartialEq<$whole> for Integer {
            #[inline]
            fn eq(&self, other: &$whole) -> bool {
                self.canonical() == Ok(*other as i128)
            }
        }
    )*};
}
from_whole!(i8, i16, i32, i64, u8, u16, u32, u64, usize);

impl PartialEq for Integer {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }
}

impl Eq for Integer {}

impl Hash for Integer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl PartialOrd for Integer {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.canonical(), other.canonical()) {
            (Ok(left), Ok(right)) => left.cmp(&right),
            _ => self.as_f64().total_cmp(&other.as_f64()),
        }
    }
}

impl fmt::Debug for Integer {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Integer {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl From<Integer> for Value {
    #[inline]
    fn from(integer: Integer) -> Self {
        Value::Number(integer.0)
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Integer {
    #[inline]
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Integer".into()
    }

    #[inline]
    fn inline_schema() -> bool {
        true
    }

    #[inline]
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer" })
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Number {
    #[inline]
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Number".into()
    }

    #[inline]
    fn inline_schema() -> bool {
        true
    }

    #[inline]
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number" })
    }
}
