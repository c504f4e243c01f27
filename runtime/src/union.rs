//! Unions: which variant a value belongs to is decided by its kind, by a tag or by the members it has, never by trying.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::JsonObject;
use crate::check::Known;
use crate::decode::{Fit, Wire, expecting};

/// The kinds of JSON values other than objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Any other number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
}

/// What a member's name says about the variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// Nothing.
    None,
    /// The member's value decides.
    Tag,
    /// Its presence decides for this variant.
    Variant(usize),
}

/// A type with several shapes.
pub trait Union: Wire {
    /// The only variant that is an object, where there is one only.
    const OBJECT: Option<usize> = None;

    /// The member whose value tells the variants apart; empty where there is none.
    const TAG: &'static str = "";

    /// The variants, for checking: each with its name.
    const VARIANTS: &'static [Known];

    /// Whether the variants exclude each other by their tag, so that a value can conform to one of them only.
    const EXCLUSIVE: bool;

    /// What a member's name says about the variant.
    fn hint(_name: &str) -> Hint {
        Hint::None
    }

    /// The variant that a tag decides for, and the tag.
    fn tagged(_tag: &str) -> Option<(usize, &'static str)> {
        None
    }

    /// The only variant for a kind of value that is no object.
    fn kind(_kind: Kind) -> Option<usize> {
        None
    }

    /// The variant of a complete object or array that no single member decides.
    fn decide(_value: &Value) -> Option<usize> {
        None
    }

    /// Reads a value as the given variant; a misfit becomes the unknown variant.
    fn variant<'de, D: Deserializer<'de>>(variant: usize, deserializer: D) -> Result<Self, D::Error>;

    /// Keeps a value that no variant describes.
    fn unknown(value: Value) -> Self;
}

/// The [`Wire::decode`] of unions: every value finds its place.
pub fn decode_union<'de, U: Union, D: Deserializer<'de>>(deserializer: D) -> Result<Fit<U>, D::Error> {
    deserializer.deserialize_any(UnionVisitor::<U>(PhantomData)).map(Ok)
}

/// What [`Wire::variant_name`] says of an unknown variant.
pub const UNKNOWN: &str = "Unknown";

/// Reads a value as one variant; a misfit becomes the unknown variant.
pub fn fit<'de, U: Union, T: Wire, D: Deserializer<'de>>(deserializer: D, variant: fn(T) -> U) -> Result<U, D::Error> {
    Ok(match T::decode(deserializer)? {
        Ok(value) => variant(value),
        Err(misfit) => U::unknown(misfit.value),
    })
}

/// The variant that [`decode_union`] chooses for a value.
pub fn decide<U: Union>(value: &Value) -> Option<usize> {
    let kind = match value {
        Value::Null => Kind::Null,
        Value::Bool(_) => Kind::Boolean,
        Value::Number(number) if number.as_f64().is_some_and(|float| float.fract() == 0.0) => Kind::Integer,
        Value::Number(_) => Kind::Number,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(object) => {
            let tag = object.get(U::TAG).and_then(Value::as_str);
            return match tag.and_then(U::tagged) {
                Some((variant, _)) => Some(variant),
                None => U::decide(value),
            };
        }
    };
    U::kind(kind).or_else(|| U::decide(value))
}

/// Whether an object has all of these members.
pub fn has(value: &Value, names: &[&str]) -> bool {
    value.as_object().is_some_and(|object| names.iter().all(|name| object.contains_key(*name)))
}

/// Whether an object has at least one of these members.
pub fn has_any(value: &Value, names: &[&str]) -> bool {
    value.as_object().is_some_and(|object| names.iter().any(|name| object.contains_key(*name)))
}

/// Whether an object's member is an object with all of these members.
pub fn has_inside(value: &Value, member: &str, names: &[&str]) -> bool {
    value.get(member).is_some_and(|inner| has(inner, names))
}

/// Whether an object's tag has one of these values, or is absent where that is allowed.
pub fn tag_is(value: &Value, tag: &str, values: &[&str], or_absent: bool) -> bool {
    match value.get(tag) {
        Some(found) => found.as_str().is_some_and(|found| values.contains(&found)),
        None => or_absent,
    }
}

struct UnionVisitor<U>(PhantomData<U>);

impl<U: Union> UnionVisitor<U> {
    fn whole<E: Error>(value: Value) -> Result<U, E> {
        match U::decide(&value) {
            Some(variant) => U::variant(variant, value).map_err(E::custom),
            None => Ok(U::unknown(value)),
        }
    }
}

macro_rules! visit_kind {
    ($visit:ident, $type:ty, $kind:expr) => {
        fn $visit<E: Error>(self, value: $type) -> Result<U, E> {
            match U::kind($kind) {
                Some(variant) => U::variant(variant, IntoDeserializer::<E>::into_deserializer(value)),
                None => Ok(U::unknown(value.into())),
            }
        }
    };
}

impl<'de, U: Union> Visitor<'de> for UnionVisitor<U> {
    type Value = U;

    expecting!(U::EXPECTED);

    visit_kind!(visit_bool, bool, Kind::Boolean);
    visit_kind!(visit_i64, i64, Kind::Integer);
    visit_kind!(visit_u64, u64, Kind::Integer);
    visit_kind!(visit_str, &str, Kind::String);
    visit_kind!(visit_string, String, Kind::String);

    fn visit_f64<E: Error>(self, value: f64) -> Result<U, E> {
        let kind = if value.fract() == 0.0 { Kind::Integer } else { Kind::Number };
        match U::kind(kind) {
            Some(variant) => U::variant(variant, IntoDeserializer::<E>::into_deserializer(value)),
            None => Ok(U::unknown(value.into())),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<U, E> {
        match U::kind(Kind::Null) {
            Some(variant) => U::variant(variant, IntoDeserializer::<E>::into_deserializer(())),
            None => Ok(U::unknown(Value::Null)),
        }
    }

    fn visit_none<E: Error>(self) -> Result<U, E> {
        self.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<U, A::Error> {
        let items = SeqAccessDeserializer::new(items);
        match U::kind(Kind::Array) {
            Some(variant) => U::variant(variant, items),
            None => Self::whole(Value::deserialize(items)?),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<U, A::Error> {
        if let Some(variant) = U::OBJECT {
            return U::variant(variant, MapAccessDeserializer::new(map));
        }
        // What comes before the deciding member is parsed once, into values, and moved from there.
        let mut read = Vec::new();
        while let Some(name) = map.next_key_seed(HintSeed::<U>(PhantomData))? {
            match name {
                Hinted::Tag => match map.next_value_seed(TagSeed::<U>(PhantomData))? {
                    Tag::Known(variant, tag) => {
                        return U::variant(variant, Resumed { tag: Some((U::TAG, tag)), read, map });
                    }
                    Tag::Other(value) => read.push((U::TAG.to_owned(), value)),
                },
                Hinted::Variant(variant, name) => {
                    read.push((name, map.next_value()?));
                    return U::variant(variant, Resumed { tag: None, read, map });
                }
                Hinted::None(name) => {
                    let value = map.next_value()?;
                    if name == NUMBER {
                        return Self::number(value);
                    }
                    read.push((name, value));
                }
            }
        }
        Self::whole(Value::Object(read.into_iter().collect::<JsonObject>()))
    }
}

/// The member under which serde_json passes numbers when some crate in the build turns on `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

impl<U: Union> UnionVisitor<U> {
    #[cold]
    fn number<E: Error>(value: Value) -> Result<U, E> {
        let number: Option<serde_json::Number> = value.as_str().and_then(|text| text.parse().ok());
        let value = number.map_or(value, Value::Number);
        match decide::<U>(&value) {
            Some(variant) => U::variant(variant, value).map_err(E::custom),
            None => Ok(U::unknown(value)),
        }
    }
}

enum Hinted {
    Tag,
    Variant(usize, String),
    None(String),
}

struct HintSeed<U>(PhantomData<U>);

impl<'de, U: Union> DeserializeSeed<'de> for HintSeed<U> {
    type Value = Hinted;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<U: Union> Visitor<'_> for HintSeed<U> {
    type Value = Hinted;

    expecting!("a member name");

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(match U::hint(name) {
            Hint::Tag => Hinted::Tag,
            Hint::Variant(variant) => Hinted::Variant(variant, name.to_owned()),
            Hint::None => Hinted::None(name.to_owned()),
        })
    }
}

enum Tag {
    Known(usize, &'static str),
    Other(Value),
}

struct TagSeed<U>(PhantomData<U>);

impl<'de, U: Union> DeserializeSeed<'de> for TagSeed<U> {
    type Value = Tag;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, U: Union> Visitor<'de> for TagSeed<U> {
    type Value = Tag;

    expecting!("a tag");

    fn visit_str<E: Error>(self, tag: &str) -> Result<Self::Value, E> {
        Ok(match U::tagged(tag) {
            Some((variant, tag)) => Tag::Known(variant, tag),
            None => Tag::Other(tag.into()),
        })
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Tag::Other(value.into()))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Tag::Other(value.into()))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Tag::Other(value.into()))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Tag::Other(value.into()))
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Tag::Other(Value::Null))
    }
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Tag::Other(Value::Null))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(items)).map(Tag::Other)
    }
    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        Value::deserialize(MapAccessDeserializer::new(members)).map(Tag::Other)
    }
}

/// An object whose first members have been read already.
struct Resumed<A> {
    tag: Option<(&'static str, &'static str)>,
    read: Vec<(String, Value)>,
    map: A,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Resumed<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        let tag_name = self.tag.map(|(name, _)| name);
        let tag_value = self.tag.map(|(_, value)| value);
        visitor.visit_map(Chain { tag_name, tag_value, read: self.read.into_iter(), value: None, map: self.map })
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The tag, then what was read, then the rest.
struct Chain<A> {
    tag_name: Option<&'static str>,
    tag_value: Option<&'static str>,
    read: std::vec::IntoIter<(String, Value)>,
    value: Option<Value>,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Chain<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        if let Some(name) = self.tag_name.take() {
            return seed.deserialize(name.into_deserializer()).map(Some);
        }
        match self.read.next() {
            Some((name, value)) => {
                self.value = Some(value);
                seed.deserialize(name.into_deserializer()).map(Some)
            }
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        if let Some(tag) = self.tag_value.take() {
            return seed.deserialize(tag.into_deserializer());
        }
        match self.value.take() {
            Some(value) => seed.deserialize(value).map_err(A::Error::custom),
            None => self.map.next_value_seed(seed),
        }
    }
}
