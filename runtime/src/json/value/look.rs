//! A JSON value that is looked into: what it is, what it holds.

use std::borrow::Cow;
use std::fmt;

use serde::de::Deserialize;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::Json;
use crate::json::decimal::Decimal;
use crate::json::reader::{Reader, compact};
use crate::json::transcode;

/// A JSON value somewhere in a text: [`Json`], borrowed.
///
/// It is what looking into a [`Json`] or a [`JsonObject`](crate::JsonObject) gives, and it lives as long as the text does.
#[derive(Clone, Copy)]
pub struct JsonRef<'a>(&'a str);

impl<'a> JsonRef<'a> {
    /// A text that is known to be one valid value.
    #[inline]
    pub(crate) const fn from_valid(text: &'a str) -> Self {
        Self(text)
    }

    /// The value as JSON text.
    #[inline]
    pub const fn text(self) -> &'a str {
        self.0
    }

    #[inline]
    fn first(self) -> u8 {
        self.0.as_bytes().first().copied().unwrap_or(0)
    }

    /// Whether the value is `null`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.first() == b'n'
    }

    /// Whether the value is `true` or `false`.
    #[inline]
    pub fn is_boolean(self) -> bool {
        matches!(self.first(), b't' | b'f')
    }

    /// Whether the value is a number.
    #[inline]
    pub fn is_number(self) -> bool {
        matches!(self.first(), b'-' | b'0'..=b'9')
    }

    /// Whether the value is a string.
    #[inline]
    pub fn is_string(self) -> bool {
        self.first() == b'"'
    }

    /// Whether the value is an array.
    #[inline]
    pub fn is_array(self) -> bool {
        self.first() == b'['
    }

    /// Whether the value is an object.
    #[inline]
    pub fn is_object(self) -> bool {
        self.first() == b'{'
    }

    /// The value of `true` or `false`.
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        self.is_boolean().then(|| self.first() == b't')
    }

    /// The value of a string.
    #[inline]
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        if !self.is_string() {
            return None;
        }
        Reader::trusted(self.0).string().ok()
    }

    /// The value of a whole number in this range, in whatever form it is written.
    pub fn as_i64(self) -> Option<i64> {
        self.as_whole()?.try_into().ok()
    }

    /// The value of a whole number in this range, in whatever form it is written.
    pub fn as_u64(self) -> Option<u64> {
        self.as_whole()?.try_into().ok()
    }

    pub(super) fn as_whole(self) -> Option<i128> {
        self.is_number().then(|| Decimal::of(self.0).to_i128())?
    }

    /// The floating-point number nearest to a number: an infinity where it is beyond them all.
    pub fn as_f64(self) -> Option<f64> {
        self.is_number().then(|| self.0.parse().ok())?
    }

    /// The member of an object. Of repeated ones it is the last.
    pub fn get(self, name: &str) -> Option<JsonRef<'a>> {
        self.members().filter(|(other, _)| other == name).last().map(|(_, value)| value)
    }

    /// The item of an array.
    pub fn at(self, index: usize) -> Option<JsonRef<'a>> {
        self.items().nth(index)
    }

    /// What stands at a JSON pointer: `/items/0/name`.
    ///
    /// ```
    /// # use mcp_wire_core::json_value;
    /// let json = json_value!({ "items": [{ "name": "a" }] });
    /// assert_eq!(json.pointer("/items/0/name").unwrap(), "a");
    /// ```
    pub fn pointer(self, pointer: &str) -> Option<JsonRef<'a>> {
        let mut steps = pointer.split('/');
        if !steps.next()?.is_empty() {
            return None;
        }
        steps.try_fold(self, |value, step| match value.is_array() {
            // As the standard has it: no sign, no zeros in front.
            true if step == "0" || !step.starts_with(['0', '+']) => value.at(step.parse().ok()?),
            true => None,
            false => value.get(&step.replace("~1", "/").replace("~0", "~")),
        })
    }

    /// The items of an array; none of anything else.
    pub fn items(self) -> Items<'a> {
        let mut reader = Reader::trusted(self.0);
        let has_more = self.is_array() && reader.enter(b']').unwrap_or(false);
        Items { reader, has_more }
    }

    /// The members of an object as they are written, repeated ones as often as they are; none of anything else.
    pub fn members(self) -> Members<'a> {
        let mut reader = Reader::trusted(self.0);
        let has_more = self.is_object() && reader.enter(b'}').unwrap_or(false);
        Members { reader, has_more }
    }

    /// Reads the value as a type of one's own, straight from the text, which it may borrow from.
    pub fn parse<T: Deserialize<'a>>(self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.0)
    }

    /// The value as a tree in memory.
    ///
    /// Numbers are rounded to what serde_json's [`Value`] holds: whole ones of up to 64 bits are exact, all others become
    /// the nearest `f64`, and those beyond it the largest there is. Of repeated members the last one is kept, and the order of
    /// members only if serde_json's feature `preserve_order` is on.
    pub fn to_value(self) -> Value {
        match self.first() {
            b't' | b'f' => Value::Bool(self.first() == b't'),
            b'"' => Value::String(self.as_str().unwrap_or_default().into_owned()),
            b'[' => self.items().map(JsonRef::to_value).collect(),
            b'{' => Value::Object(self.members().map(|(name, value)| (name.into_owned(), value.to_value())).collect()),
            b'n' => Value::Null,
            _ => {
                let whole = self.0.parse().map(<u64 as Into<serde_json::Number>>::into);
                let whole = whole.or_else(|_| self.0.parse().map(<i64 as Into<serde_json::Number>>::into));
                let nearest = || {
                    let float: f64 = self.0.parse().unwrap_or_default();
                    serde_json::Number::from_f64(float.clamp(f64::MIN, f64::MAX))
                };
                // Zero with a sign is no integer.
                whole.ok().filter(|_| self.0 != "-0").or_else(nearest).map_or(Value::Null, Value::Number)
            }
        }
    }

    /// The value with a text of its own.
    pub fn to_json(self) -> Json {
        let bytes = self.0.len();
        match self.0.bytes().any(|byte| byte <= b' ') {
            // It may be white space inside a string.
            true => Json::from_valid(compact(self.0, bytes)),
            false => Json::from_valid(self.0),
        }
    }
}

/// The items of an array.
#[derive(Debug)]
pub struct Items<'a> {
    reader: Reader<'a>,
    has_more: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = JsonRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<JsonRef<'a>> {
        if !self.has_more {
            return None;
        }
        let value = passed(&mut self.reader)?;
        self.has_more = self.reader.more(b']').unwrap_or(false);
        Some(value)
    }
}

/// The members of an object.
#[derive(Debug)]
pub struct Members<'a> {
    reader: Reader<'a>,
    has_more: bool,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, JsonRef<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if !self.has_more {
            return None;
        }
        let name = self.reader.name_cow().ok()?;
        let value = passed(&mut self.reader)?;
        self.has_more = self.reader.more(b'}').unwrap_or(false);
        Some((name, value))
    }
}

#[inline]
fn passed<'a>(reader: &mut Reader<'a>) -> Option<JsonRef<'a>> {
    let start = reader.position();
    reader.skip().ok()?;
    Some(JsonRef(reader.since(start)))
}

/// The methods of [`JsonRef`] on what owns its text.
macro_rules! look_inside {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty)?) -> $result:ty;)*) => {
        impl Json {
            $($(#[$doc])*
            #[inline]
            pub fn $name(&self $(, $argument: $type)?) -> $result {
                self.as_ref().$name($($argument)?)
            })*
        }
    };
}

look_inside! {
    /// Whether the value is `null`.
    is_null() -> bool;
    /// Whether the value is `true` or `false`.
    is_boolean() -> bool;
    /// Whether the value is a number.
    is_number() -> bool;
    /// Whether the value is a string.
    is_string() -> bool;
    /// Whether the value is an array.
    is_array() -> bool;
    /// Whether the value is an object.
    is_object() -> bool;
    /// The value of `true` or `false`.
    as_bool() -> Option<bool>;
    /// The value of a string.
    as_str() -> Option<Cow<'_, str>>;
    /// The value of a whole number in this range, in whatever form it is written.
    as_i64() -> Option<i64>;
    /// The value of a whole number in this range, in whatever form it is written.
    as_u64() -> Option<u64>;
    /// The floating-point number nearest to a number: an infinity where it is beyond them all.
    as_f64() -> Option<f64>;
    /// The member of an object. Of repeated ones it is the last.
    get(name: &str) -> Option<JsonRef<'_>>;
    /// The item of an array.
    at(index: usize) -> Option<JsonRef<'_>>;
    /// What stands at a JSON pointer: `/items/0/name`.
    pointer(pointer: &str) -> Option<JsonRef<'_>>;
    /// The items of an array; none of anything else.
    items() -> Items<'_>;
    /// The members of an object as they are written, repeated ones as often as they are; none of anything else.
    members() -> Members<'_>;
    /// The value as a tree in memory, which [rounds numbers](JsonRef::to_value).
    to_value() -> Value;
}

impl fmt::Display for JsonRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for JsonRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Any format can have it. Numbers that only JSON can express, such as `1e2` or those of more than 64 bits, are passed on
/// digit for digit to serde_json, in the way of its `RawValue`.
impl Serialize for JsonRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        transcode::serialize(*self, serializer)
    }
}
