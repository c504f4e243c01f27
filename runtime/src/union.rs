//! Unions: which variant a value belongs to is decided by its kind, by a tag or by the members it has, never by trying.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::check::Known;
use crate::decode::{Fit, Text, Unfit, Wire, expecting, to_value, visit_values, whole};

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
    /// Its presence decides for this variant; the name once more, as it need not be copied.
    Variant(usize, &'static str),
}

/// A type with several shapes.
pub trait Union: Wire + 'static {
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
    fn variant(variant: usize, value: Value) -> Self;

    /// Reads an object as the given variant; a misfit becomes the unknown variant.
    fn object_variant<'de, A: MapAccess<'de>>(variant: usize, object: Text<'de, A>) -> Result<Self, A::Error> {
        Ok(Self::variant(variant, object.collect()?))
    }

    /// Keeps a value that no variant describes.
    fn unknown(value: Value) -> Self;
}

/// The [`Wire::decode_into`] of unions: every value finds its place.
#[inline]
pub fn decode_union<'de, U: Union, D: Deserializer<'de>>(
    deserializer: D,
    slot: &mut Option<U>,
) -> Result<Unfit, D::Error> {
    deserializer.deserialize_any(UnionVisitor(slot)).map(|()| None)
}

/// What [`Wire::variant_name`] says of an unknown variant.
pub const UNKNOWN: &str = "Unknown";

/// Reads a value as one variant; a misfit becomes the unknown variant.
pub fn fit<U: Union, T: Wire>(value: Value, variant: fn(T) -> U) -> U {
    placed(T::convert(value), variant)
}

/// Reads an object as one variant; a misfit becomes the unknown variant.
pub fn fit_object<'de, U: Union, T: Wire, A>(object: Text<'de, A>, variant: fn(T) -> U) -> Result<U, A::Error>
where
    A: MapAccess<'de>,
{
    Ok(placed(T::resume(object)?, variant))
}

fn placed<U: Union, T>(fit: Fit<T>, variant: fn(T) -> U) -> U {
    match fit {
        Ok(value) => variant(value),
        Err(misfit) => U::unknown(misfit.value),
    }
}

/// The [`Wire::convert`] of unions.
pub fn convert_union<U: Union>(value: Value) -> U {
    match decide::<U>(&value) {
        Some(variant) => U::variant(variant, value),
        None => U::unknown(value),
    }
}

/// The [`Wire::outline`] of unions: they are checked on their own.
#[inline]
pub fn outline_union<U: Union>() -> U {
    U::unknown(Value::Null)
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

/// Whether a tag has a value that is none of these.
pub fn tag_is_other(value: &Value, tag: &str, values: &[&str]) -> bool {
    value.get(tag).and_then(Value::as_str).is_some_and(|found| !values.contains(&found))
}

struct UnionVisitor<'a, U>(&'a mut Option<U>);

impl<'de, U: Union> Visitor<'de> for UnionVisitor<'_, U> {
    type Value = ();

    expecting!(U::EXPECTED);

    visit_values!(bool number string null array; self, value => *self.0 = Some(convert_union(value)));

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        *self.0 = Some(Self::read(map)?);
        Ok(())
    }
}

impl<U: Union> UnionVisitor<'_, U> {
    fn read<'de, A: MapAccess<'de>>(mut map: A) -> Result<U, A::Error> {
        if let Some(variant) = U::OBJECT {
            return U::object_variant(variant, Text::new(map));
        }
        // What comes before the deciding member is parsed once, into values, and moved from there.
        let mut read: Vec<(Cow<'static, str>, Value)> = Vec::new();
        while let Some(name) = map.next_key_seed(HintSeed::<U>(PhantomData))? {
            let (variant, tag) = match name {
                Hinted::Tag => match map.next_value_seed(TagSeed::<U>(PhantomData))? {
                    Tag::Known(variant, tag) => (variant, Some((U::TAG, tag))),
                    Tag::Other(value) => {
                        read.push((U::TAG.into(), value));
                        continue;
                    }
                },
                Hinted::Variant(variant, name) => {
                    read.push((name.into(), map.next_value()?));
                    (variant, None)
                }
                Hinted::None(name) => {
                    read.push((name.into(), map.next_value()?));
                    continue;
                }
            };
            let union = U::object_variant(variant, Text::resumed(tag, read, map))?;
            // The deciding member may have come again, or be there by chance (`"error": null`). Then all of them decide.
            if union.variant_name() != Some(UNKNOWN) {
                return Ok(union);
            }
            let value = to_value(&union);
            // What is large is not kept twice.
            drop(union);
            return Ok(convert_union(value));
        }
        let members = read.into_iter().map(|(name, value)| (name.into_owned(), value));
        Ok(convert_union(whole(members.collect())))
    }
}

enum Hinted {
    Tag,
    Variant(usize, &'static str),
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
            Hint::Variant(variant, name) => Hinted::Variant(variant, name),
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

    visit_values!(bool number null array object; self, value => Tag::Other(value));
}
