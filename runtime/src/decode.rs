//! Reading objects in one pass, without giving up half-way.
//!
//! Every type reads any JSON value: [`Wire::decode`] fails only where the text itself does. A value of the wrong shape
//! comes back whole, as a [`Misfit`], and whoever asked for it decides what to do with it.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::Serialize;
use serde_json::Value;

use crate::check::{Checker, Known};
use crate::extra::{Extra, OddItem};
use crate::{Dict, JsonObject};

/// A value of the type that was asked for, or what stood there instead.
pub type Fit<T> = Result<T, Box<Misfit>>;

/// A JSON value that does not have the shape of the type that was asked for.
#[derive(Debug)]
pub struct Misfit {
    /// The value, complete.
    pub value: Value,
    /// The first reason found.
    pub reason: Reason,
}

/// Why a value does not fit, and where inside it.
#[derive(Debug)]
pub struct Reason {
    /// From the innermost outwards, as the reason travels up.
    path: Vec<Segment>,
    expected: Cow<'static, str>,
    found: String,
}

/// One step of a JSON pointer.
#[derive(Debug, Clone, PartialEq)]
pub enum Segment {
    /// A member of an object that the schema names.
    Name(&'static str),
    /// Any other member of an object.
    Key(String),
    /// An element of an array.
    Index(usize),
}

impl fmt::Display for Segment {
    /// Writes the step as part of a JSON pointer, with its slash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "/{}", escape(name)),
            Self::Key(key) => write!(f, "/{}", escape(key)),
            Self::Index(index) => write!(f, "/{index}"),
        }
    }
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

impl Misfit {
    /// The value itself is of the wrong kind.
    pub fn new(value: Value, expected: &'static str) -> Box<Self> {
        let reason = Reason::new(expected, describe(&value));
        Box::new(Self { value, reason })
    }
}

impl Reason {
    pub(crate) fn new(expected: impl Into<Cow<'static, str>>, found: String) -> Self {
        Self { path: Vec::new(), expected: expected.into(), found }
    }

    /// A required member is not there.
    pub(crate) fn missing(name: &str) -> Self {
        Self::new(format!("the required member {name:?}"), "an object without it".to_owned())
    }

    pub(crate) fn within(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    /// The way from the outside in.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.path.iter().rev()
    }

    /// JSON pointer of the offending member.
    pub fn pointer(&self) -> String {
        self.segments().map(Segment::to_string).collect()
    }

    /// What the schema asks for.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What was found instead.
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = self.pointer();
        if !pointer.is_empty() {
            write!(f, "{pointer}: ")?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// A value in a few words, for messages. Long strings are cut: a message should not repeat a megabyte.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("the boolean {value}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => {
            let shown: String = text.chars().take(40).collect();
            let more = if shown.len() < text.len() { "…" } else { "" };
            format!("the string {shown:?}{more}")
        }
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Value::Object(members) => {
            let names: Vec<_> = members.keys().take(4).map(|name| format!("{name:?}")).collect();
            let more = if members.len() > names.len() { ", …" } else { "" };
            format!("an object with {}{more}", names.join(", "))
        }
    }
}

/// What reading a `T` gives: a value or a misfit, unless the text itself is at fault.
pub type Decoded<T, E> = Result<Fit<T>, E>;

/// A type that reads and writes one JSON value without loss.
pub trait Wire: Sized + Serialize {
    /// What the schema asks for, in words that follow "expected".
    const EXPECTED: &'static str;

    /// Reads a value; the error is the deserializer's own (syntax, depth), never one of shape.
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Fit<Self>, D::Error>;

    /// Some value, to fill the place of a required member while an unfit object is put together again.
    fn placeholder() -> Self;

    /// Reports every departure from the schema that the type itself does not rule out.
    fn inspect(&self, checker: &mut Checker);

    /// The variant, for a union or an enum.
    fn variant_name(&self) -> Option<&'static str> {
        None
    }

    /// Whether a value looks like one of this type.
    fn recognises(value: &Value) -> bool {
        matches!(Self::decode(value), Ok(Ok(_)))
    }
}

/// An object with known members.
pub trait Record: Wire {
    /// The typed members, for checking.
    const MEMBERS: &'static [Known];

    /// Required members whose absence has a meaning.
    const DEFAULTED: &'static [&'static str] = &[];

    /// The number under which [`Record::read`] knows a member.
    fn member(name: &str) -> Option<usize>;

    /// Reads all members.
    fn read<'de, A: MapAccess<'de>>(members: Members<'de, A>) -> Result<Fit<Self>, A::Error>;
}

/// The `Deserialize` implementation of generated types: a misfit becomes an error.
pub fn deserialize<'de, T: Wire, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::decode(deserializer)?.map_err(|misfit| D::Error::custom(misfit.reason))
}

/// The [`Wire::decode`] of records.
pub fn decode_record<'de, T: Record, D: Deserializer<'de>>(deserializer: D) -> Result<Fit<T>, D::Error> {
    deserializer.deserialize_any(RecordVisitor(PhantomData))
}

/// The [`Wire::decode`] of strings and of types made from a string.
pub fn decode_text<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<Fit<T>, D::Error>
where
    T: Wire + From<String> + for<'a> From<&'a str>,
{
    deserializer.deserialize_any(TextVisitor(PhantomData))
}

pub(crate) fn to_value<T: Serialize>(value: &T) -> Value {
    // Generated types have string keys and finite numbers only, so that this cannot fail.
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// Visits every kind of JSON value that a visitor has no use for, and returns it as a misfit.
macro_rules! misfits {
    ($expected:expr; $($kind:ident)*) => { $(misfits!(@$kind $expected);)* };
    (@bool $expected:expr) => {
        fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
            Ok(Err(Misfit::new(value.into(), $expected)))
        }
    };
    (@number $expected:expr) => {
        fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
            Ok(Err(Misfit::new(value.into(), $expected)))
        }
        fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
            Ok(Err(Misfit::new(value.into(), $expected)))
        }
        fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
            Ok(Err(Misfit::new(value.into(), $expected)))
        }
    };
    (@string $expected:expr) => {
        fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
            Ok(Err(Misfit::new(value.into(), $expected)))
        }
        fn visit_string<E: Error>(self, value: String) -> Result<Self::Value, E> {
            Ok(Err(Misfit::new(value.into(), $expected)))
        }
    };
    (@null $expected:expr) => {
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(Err(Misfit::new(Value::Null, $expected)))
        }
        fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
            Ok(Err(Misfit::new(Value::Null, $expected)))
        }
    };
    (@array $expected:expr) => {
        fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
            let value = Value::deserialize(SeqAccessDeserializer::new(items))?;
            Ok(Err(Misfit::new(value, $expected)))
        }
    };
    (@object $expected:expr) => {
        fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
            let value = Value::deserialize(MapAccessDeserializer::new(members))?;
            Ok(Err(Misfit::new(value, $expected)))
        }
    };
}

macro_rules! expecting {
    ($expected:expr) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str($expected)
        }
    };
}
pub(crate) use expecting;

struct RecordVisitor<T>(PhantomData<T>);

impl<'de, T: Record> Visitor<'de> for RecordVisitor<T> {
    type Value = Fit<T>;

    expecting!(T::EXPECTED);

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::read(Members { map, extra: Extra::new(), reason: None, constants: 0, lifetime: PhantomData })
    }

    misfits!(T::EXPECTED; bool number string null array);
}

struct TextVisitor<T>(PhantomData<T>);

impl<'de, T: Wire + From<String> + for<'a> From<&'a str>> Visitor<'de> for TextVisitor<T> {
    type Value = Fit<T>;

    expecting!(T::EXPECTED);

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Ok(text.into()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Ok(text.into()))
    }

    misfits!(T::EXPECTED; bool number null array object);
}

/// Asks a deserializer for a `T`.
pub(crate) struct Seed<T>(pub(crate) PhantomData<T>);

impl<T> Seed<T> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T: Wire> DeserializeSeed<'de> for Seed<T> {
    type Value = Fit<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::decode(deserializer)
    }
}

/// The members of an object while it is read: hands out the known ones, keeps the others.
pub struct Members<'de, A> {
    map: A,
    extra: Extra,
    /// Set by the first required member that is missing or does not fit: the object as a whole does not fit then.
    reason: Option<Reason>,
    /// One bit per constant that has been seen.
    constants: u64,
    lifetime: PhantomData<&'de ()>,
}

impl<'de, A: MapAccess<'de>> Members<'de, A> {
    /// The next known member. Unknown ones on the way are put into the object's [`Extra`].
    #[inline]
    pub fn next_member<T: Record>(&mut self) -> Result<Option<usize>, A::Error> {
        loop {
            match self.map.next_key_seed(NameSeed::<T>(PhantomData))? {
                None => return Ok(None),
                Some(Name::Known(member)) => return Ok(Some(member)),
                Some(Name::Unknown(name)) => {
                    let value: Value = self.map.next_value()?;
                    self.extra.insert(name, value);
                }
            }
        }
    }

    /// Reads a member without which the object does not fit.
    #[inline]
    pub fn required<T: Wire>(&mut self, name: &'static str, slot: &mut Option<T>) -> Result<(), A::Error> {
        let fit = self.map.next_value_seed(Seed::new())?;
        self.place(name, slot, fit, true);
        Ok(())
    }

    /// Reads a member that may be missing; a value that does not fit is kept in the [`Extra`].
    #[inline]
    pub fn optional<T: Wire>(&mut self, name: &'static str, slot: &mut Option<T>) -> Result<(), A::Error> {
        let fit = self.map.next_value_seed(Seed::new())?;
        self.place(name, slot, fit, false);
        Ok(())
    }

    /// Reads a list, item by item; items that do not fit are kept in the [`Extra`] with their position.
    #[inline]
    pub fn list<T: Wire>(
        &mut self,
        name: &'static str,
        slot: &mut Option<Vec<T>>,
        required: bool,
    ) -> Result<(), A::Error> {
        let fit = self.map.next_value_seed(ListSeed::new())?;
        self.place_items(name, slot, fit, required);
        Ok(())
    }

    /// Reads a map, value by value; values that do not fit are kept in the [`Extra`] with their key.
    #[inline]
    pub fn dict<T: Wire>(
        &mut self,
        name: &'static str,
        slot: &mut Option<Dict<T>>,
        required: bool,
    ) -> Result<(), A::Error> {
        let fit = self.map.next_value_seed(DictSeed::new())?;
        self.place_items(name, slot, fit, required);
        Ok(())
    }

    /// Reads a constant, the `index`th of this object. Another value is kept in the [`Extra`].
    #[inline]
    pub fn constant<C: Constant>(&mut self, index: usize, name: &'static str, constant: C) -> Result<(), A::Error> {
        let other = self.map.next_value_seed(ConstantSeed(constant))?;
        self.constants |= 1 << index;
        match other {
            None => self.clear(name),
            Some(value) => {
                self.extra.insert(name, value);
            }
        }
        Ok(())
    }

    /// The value of a required member, after all have been read.
    #[inline]
    pub fn take<T: Wire>(&mut self, name: &'static str, slot: Option<T>) -> T {
        slot.unwrap_or_else(|| {
            self.missing(name);
            T::placeholder()
        })
    }

    /// The value of a required member whose absence has a meaning.
    #[inline]
    pub fn take_or<T>(&mut self, name: &'static str, slot: Option<T>, default: T) -> T {
        slot.unwrap_or_else(|| {
            self.extra.omit(name);
            default
        })
    }

    /// What was kept, after all members have been read. `constants` are in the order of their indices.
    #[inline]
    pub fn extra(&mut self, constants: &[&'static str]) -> Extra {
        for (index, name) in constants.iter().enumerate() {
            if self.constants & (1 << index) == 0 {
                self.extra.omit(name);
            }
        }
        std::mem::take(&mut self.extra)
    }

    /// The object, or a misfit where a required member was missing or did not fit.
    #[inline]
    pub fn finish<T: Wire>(self, record: T) -> Result<Fit<T>, A::Error> {
        Ok(match self.reason {
            None => Ok(record),
            Some(reason) => Err(Box::new(Misfit { value: to_value(&record), reason })),
        })
    }

    #[inline]
    fn place<T: Wire>(&mut self, name: &'static str, slot: &mut Option<T>, fit: Fit<T>, required: bool) {
        match fit {
            Ok(value) => {
                *slot = Some(value);
                self.clear(name);
            }
            Err(misfit) => {
                *slot = None;
                self.keep(name, *misfit, required);
            }
        }
    }

    #[inline]
    fn place_items<C>(
        &mut self,
        name: &'static str,
        slot: &mut Option<C>,
        fit: Fit<(C, Vec<OddItem>)>,
        required: bool,
    ) {
        match fit {
            Ok((items, odd)) => {
                *slot = Some(items);
                self.clear(name);
                if !odd.is_empty() {
                    self.extra.set_odd(name, odd);
                }
            }
            Err(misfit) => {
                *slot = None;
                self.extra.set_odd(name, Vec::new());
                self.keep(name, *misfit, required);
            }
        }
    }

    /// Forgets what an earlier member of the same name left behind: of repeated members the last one counts.
    #[inline]
    fn clear(&mut self, name: &'static str) {
        if self.extra.kept().is_some() {
            self.extra.forget(name);
            self.extra.set_odd(name, Vec::new());
            if self.reason.as_ref().is_some_and(|reason| reason.path.last() == Some(&Segment::Name(name))) {
                self.reason = None;
            }
        }
    }

    #[cold]
    fn keep(&mut self, name: &'static str, misfit: Misfit, required: bool) {
        self.extra.insert(name, misfit.value);
        if required && self.reason.is_none() {
            self.reason = Some(misfit.reason.within(Segment::Name(name)));
        }
    }

    #[cold]
    fn missing(&mut self, name: &'static str) {
        if self.extra.get(name).is_none() && self.reason.is_none() {
            self.reason = Some(Reason::missing(name));
        }
        self.extra.omit(name);
    }
}

enum Name {
    Known(usize),
    Unknown(String),
}

/// Recognises a member's name without copying it.
struct NameSeed<T>(PhantomData<T>);

impl<'de, T: Record> DeserializeSeed<'de> for NameSeed<T> {
    type Value = Name;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T: Record> Visitor<'_> for NameSeed<T> {
    type Value = Name;

    expecting!("a member name");

    #[inline]
    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(T::member(name).map_or_else(|| Name::Unknown(name.to_owned()), Name::Known))
    }

    fn visit_string<E: Error>(self, name: String) -> Result<Self::Value, E> {
        Ok(T::member(&name).map_or(Name::Unknown(name), Name::Known))
    }
}

/// A value that the schema fixes.
pub trait Constant: Copy {
    /// Whether the string is the constant.
    fn is_string(self, _: &str) -> bool {
        false
    }
    /// Whether the value, not a string, is the constant.
    fn is_value(self, _: &Value) -> bool {
        false
    }
}

impl Constant for &str {
    fn is_string(self, text: &str) -> bool {
        self == text
    }
}

impl Constant for i64 {
    fn is_value(self, value: &Value) -> bool {
        // 5.0 is the integer 5 to JSON Schema, but only 5 comes back as it was.
        value.as_i64() == Some(self)
    }
}

impl Constant for bool {
    fn is_value(self, value: &Value) -> bool {
        value.as_bool() == Some(self)
    }
}

impl Constant for () {
    fn is_value(self, value: &Value) -> bool {
        value.is_null()
    }
}

/// Compares a value with a constant; only another value is copied.
struct ConstantSeed<C>(C);

impl<'de, C: Constant> DeserializeSeed<'de> for ConstantSeed<C> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<C: Constant> ConstantSeed<C> {
    fn compare(self, value: Value) -> Option<Value> {
        (!self.0.is_value(&value)).then_some(value)
    }
}

impl<'de, C: Constant> Visitor<'de> for ConstantSeed<C> {
    type Value = Option<Value>;

    expecting!("a constant");

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok((!self.0.is_string(text)).then(|| text.into()))
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(self.compare(value.into()))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(self.compare(value.into()))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(self.compare(value.into()))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(self.compare(value.into()))
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(self.compare(Value::Null))
    }
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(self.compare(Value::Null))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(items)).map(Some)
    }
    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        // With serde_json's `arbitrary_precision` numbers arrive this way.
        Ok(self.compare(Value::deserialize(MapAccessDeserializer::new(members))?))
    }
}

/// Reads a list, setting odd items apart.
pub(crate) struct ListSeed<T>(PhantomData<T>);

impl<T> ListSeed<T> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T: Wire> DeserializeSeed<'de> for ListSeed<T> {
    type Value = Fit<(Vec<T>, Vec<OddItem>)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Wire> Visitor<'de> for ListSeed<T> {
    type Value = Fit<(Vec<T>, Vec<OddItem>)>;

    expecting!("an array");

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        let mut odd = Vec::new();
        while let Some(fit) = array.next_element_seed(Seed::new())? {
            match fit {
                Ok(item) => items.push(item),
                Err(misfit) => odd.push(OddItem { position: items.len() + odd.len(), key: None, value: misfit.value }),
            }
        }
        Ok(Ok((items, odd)))
    }

    misfits!("an array"; bool number string null object);
}

/// Reads a map, setting odd values apart.
pub(crate) struct DictSeed<T>(PhantomData<T>);

impl<T> DictSeed<T> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T: Wire> DeserializeSeed<'de> for DictSeed<T> {
    type Value = Fit<(Dict<T>, Vec<OddItem>)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Wire> Visitor<'de> for DictSeed<T> {
    type Value = Fit<(Dict<T>, Vec<OddItem>)>;

    expecting!("an object");

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut items = Dict::new();
        // Odd values are keyed, so that of repeated keys the last one counts here as well.
        let mut odd: Dict<OddItem> = Dict::new();
        while let Some(key) = map.next_key::<String>()? {
            match map.next_value_seed(Seed::new())? {
                Ok(item) => {
                    odd.swap_remove(&key);
                    items.insert(key, item);
                }
                Err(misfit) => {
                    items.swap_remove(&key);
                    let position = items.len() + odd.len();
                    odd.insert(key.clone(), OddItem { position, key: Some(key), value: misfit.value });
                }
            }
        }
        Ok(Ok((items, odd.into_values().collect())))
    }

    misfits!("an object"; bool number string null array);
}

/// Reads an object with any members.
pub(crate) struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Fit<JsonObject>;

    expecting!("an object");

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Ok(match Value::deserialize(MapAccessDeserializer::new(map))? {
            Value::Object(object) => Ok(object),
            other => Err(Misfit::new(other, "an object")),
        })
    }

    misfits!("an object"; bool number string null array);
}
