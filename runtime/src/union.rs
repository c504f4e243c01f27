//! Unions: which variant a value belongs to is decided by its kind, by a tag or by the members it has, never by trying.

use std::borrow::Cow;

use crate::check::Known;
use crate::decode::{Wire, read_valid};
use crate::json::{Decimal, Json, JsonRef, Purpose, Reader, Stop};
use crate::record::is_same;

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

/// A type with several shapes, as the macro `union!` makes it from a table.
#[doc(hidden)]
pub trait Union: Wire + 'static {
    /// The variants, each with its name.
    const VARIANTS: &'static [Known];

    /// What decides between them, by their numbers.
    const RULES: Rules;

    /// Reads a value as the given variant.
    fn read_variant(&mut self, variant: usize, reader: &mut Reader<'_>) -> Result<bool, Stop>;

    /// Keeps a value that no variant describes.
    fn unknown(value: Json) -> Self;
}

/// What decides between the variants of a union.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Whether the variants exclude each other by their tag, so that a value can conform to one of them only.
    pub exclusive: bool,
    /// The only variant that is an object, where there is one only.
    pub object: Option<usize>,
    /// The member whose value tells the variants apart; empty where there is none.
    pub tag: &'static str,
    /// The variant of each tag.
    pub tags: &'static [(&'static str, usize)],
    /// Members that only one variant has: their presence decides.
    pub hints: &'static [(&'static str, usize)],
    /// The only variant for a kind of value that is no object.
    pub kinds: &'static [(Kind, usize)],
    /// What complete objects are compared with that no single member decides, in this order.
    pub signatures: &'static [Signature],
    /// Variants that are arrays, by what their items look like; the first of them is also for arrays without items.
    pub arrays: &'static [(Recognises, usize)],
}

/// Whether a value looks like one of a type.
pub type Recognises = fn(JsonRef<'_>) -> bool;

impl Rules {
    /// Nothing decides.
    pub const NONE: Self = Self {
        exclusive: false,
        object: None,
        tag: "",
        tags: &[],
        hints: &[],
        kinds: &[],
        signatures: &[],
        arrays: &[],
    };

    #[inline]
    fn tagged(&self, tag: &str) -> Option<usize> {
        self.tags.iter().find(|(known, _)| is_same(known, tag)).map(|(_, variant)| *variant)
    }

    #[inline]
    fn hinted(&self, name: &str) -> Option<usize> {
        self.hints.iter().find(|(known, _)| is_same(known, name)).map(|(_, variant)| *variant)
    }

    /// The variant that a member decides for. If it decides nothing, its value has been passed.
    #[inline]
    fn decided(&self, name: &str, reader: &mut Reader<'_>) -> Result<Option<usize>, Stop> {
        if is_same(name, self.tag) && reader.peek() == b'"' {
            return Ok(self.tagged(&reader.string()?));
        }
        let hinted = self.hinted(name);
        if hinted.is_none() {
            reader.skip()?;
        }
        Ok(hinted)
    }

    /// The variant whose signature an object with these members has.
    fn signed(&self, members: &[(Cow<'_, str>, JsonRef<'_>)]) -> Option<usize> {
        let has_tag = !self.tag.is_empty();
        let tag = if has_tag { member(members, self.tag) } else { None };
        let text = tag.map(JsonRef::as_str);
        let tag = text.as_ref().map(Option::as_deref);
        let signature = self.signatures.iter().find(|signature| signature.matches(has_tag, tag, members));
        signature.map(|signature| signature.variant)
    }

    fn kind(&self, kind: Kind) -> Option<usize> {
        self.kinds.iter().find(|(known, _)| *known == kind).map(|(_, variant)| *variant)
    }
}

/// What the objects of a variant look like.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    /// The variant.
    pub variant: usize,
    /// The values of the tag, where the union has one.
    pub tags: &'static [&'static str],
    /// Whether the tag may be absent.
    pub tag_optional: bool,
    /// Members that are all there.
    pub members: &'static [&'static str],
    /// Members of which at least one is there, unless there are none here.
    pub marks: &'static [&'static str],
    /// Members that are objects, and the members that are all there inside them.
    pub inside: &'static [(&'static str, &'static [&'static str])],
}

impl Signature {
    /// Any object.
    pub const ANY: Self = Self { variant: 0, tags: &[], tag_optional: false, members: &[], marks: &[], inside: &[] };

    /// Whether an object with these members has the signature. Its tag is given where the union has one and the object does.
    fn matches(&self, has_tag: bool, tag: Option<Option<&str>>, members: &[(Cow<'_, str>, JsonRef<'_>)]) -> bool {
        let has = |name: &&str| member(members, name).is_some();
        let fits_tag = || match tag {
            Some(found) => found.is_some_and(|found| self.tags.contains(&found)),
            None => self.tag_optional,
        };
        let has_inside = |(outer, names): &(&str, &[&str])| {
            member(members, outer)
                .is_some_and(|inner| inner.is_object() && names.iter().all(|name| inner.get(name).is_some()))
        };
        (!has_tag || fits_tag())
            && self.members.iter().all(has)
            && (self.marks.is_empty() || self.marks.iter().any(has))
            && self.inside.iter().all(has_inside)
    }
}

/// The value of a member. Of repeated ones the last one counts.
fn member<'a>(members: &[(Cow<'_, str>, JsonRef<'a>)], name: &str) -> Option<JsonRef<'a>> {
    let found = members.iter().rev().find(|(other, _)| is_same(other, name));
    found.map(|(_, value)| *value)
}

/// What [`Wire::variant_name`] says of an unknown variant.
pub const UNKNOWN: &str = "Unknown";

/// The [`Wire::read`] of unions: every value finds its place.
pub fn read_union<U: Union>(union: &mut U, reader: &mut Reader<'_>) -> Result<bool, Stop> {
    if reader.purpose != Purpose::Value {
        // They are checked on their own, and nothing is no value of theirs.
        reader.skip()?;
        return Ok(true);
    }
    let start = reader.mark();
    let chosen = choose(&U::RULES, reader)?;
    if let Some(variant) = chosen {
        let was_contested = std::mem::take(&mut reader.is_contested);
        let fits = union.read_variant(variant, reader)?;
        if fits && !reader.is_contested {
            reader.is_contested = was_contested;
            return Ok(true);
        }
        reader.is_contested |= was_contested;
        let value = JsonRef::from_valid(reader.since(start.at));
        match again(&U::RULES, variant, fits, value) {
            Some(same) if same == variant => return Ok(true),
            Some(other) => {
                reader.reset(start);
                if union.read_variant(other, reader)? {
                    return Ok(true);
                }
            }
            None => {}
        }
    }
    reader.reset(start);
    *union = U::unknown(Json::read(reader)?);
    Ok(true)
}

/// The variant for the value that comes next, which stays to be read. Of an object it is what the first member that can
/// decide says, and what all of them say if none of them can.
fn choose(rules: &Rules, reader: &mut Reader<'_>) -> Result<Option<usize>, Stop> {
    let is_object = reader.peek() == b'{';
    let start = reader.mark();
    let chosen = match is_object {
        true if rules.object.is_some() => return Ok(rules.object),
        true => choose_object(rules, reader)?,
        false => {
            reader.skip()?;
            decide(rules, JsonRef::from_valid(reader.since(start.at)))
        }
    };
    reader.reset(start);
    Ok(chosen)
}

fn choose_object(rules: &Rules, reader: &mut Reader<'_>) -> Result<Option<usize>, Stop> {
    if !rules.signatures.is_empty() {
        return choose_by_signature(rules, reader);
    }
    let mut spare = String::new();
    let mut has_more = reader.enter(b'}')?;
    while has_more {
        let decided = rules.decided(reader.name(&mut spare)?, reader)?;
        if decided.is_some() {
            return Ok(decided);
        }
        has_more = reader.more(b'}')?;
    }
    Ok(None)
}

#[inline(never)]
fn choose_by_signature(rules: &Rules, reader: &mut Reader<'_>) -> Result<Option<usize>, Stop> {
    let mut members = Vec::with_capacity(USUAL_MEMBERS);
    let mut has_more = reader.enter(b'}')?;
    while has_more {
        let name = reader.name_cow()?;
        let start = reader.position();
        let decided = rules.decided(&name, reader)?;
        if decided.is_some() {
            return Ok(decided);
        }
        members.push((name, JsonRef::from_valid(reader.since(start))));
        has_more = reader.more(b'}')?;
    }
    Ok(rules.signed(&members))
}

/// How many members an object has as a rule at most.
const USUAL_MEMBERS: usize = 8;

/// The variant for a value that did not turn out to be what the first deciding member said, or whose tag may have come twice. Then all members decide.
#[cold]
fn again(rules: &Rules, variant: usize, fits: bool, value: JsonRef<'_>) -> Option<usize> {
    if fits {
        let tag = if rules.tag.is_empty() { None } else { value.get(rules.tag) };
        let is_contested = tag.is_some_and(|tag| tag.as_str().and_then(|tag| rules.tagged(&tag)) != Some(variant));
        if !is_contested {
            return Some(variant);
        }
    }
    // What does not fit its variant fits no other by being the same.
    decide(rules, value).filter(|decided| fits || *decided != variant)
}

/// The variant of a complete value.
pub(crate) fn decide(rules: &Rules, value: JsonRef<'_>) -> Option<usize> {
    if value.is_object() {
        let tag = if rules.tag.is_empty() { None } else { value.get(rules.tag).and_then(JsonRef::as_str) };
        let tagged = tag.and_then(|tag| rules.tagged(&tag));
        return tagged.or_else(|| match rules.signatures {
            [] => None,
            _ => rules.signed(&value.members().collect::<Vec<_>>()),
        });
    }
    let kind = match value.text().as_bytes().first() {
        Some(b'n') => Kind::Null,
        Some(b't' | b'f') => Kind::Boolean,
        Some(b'"') => Kind::String,
        Some(b'[') => Kind::Array,
        _ if Decimal::of(value.text()).is_whole() => Kind::Integer,
        _ => Kind::Number,
    };
    rules.kind(kind).or_else(|| {
        let (_, first) = rules.arrays.first().filter(|_| kind == Kind::Array)?;
        let item = value.at(0);
        let found = rules.arrays.iter().find(|(recognises, _)| item.is_some_and(recognises));
        Some(found.map_or(*first, |(_, variant)| *variant))
    })
}

/// Whether an object has all of these members.
pub fn has(value: JsonRef<'_>, names: &[&str]) -> bool {
    names.iter().all(|name| value.get(name).is_some())
}

/// A value as one variant, if it is one.
pub fn as_variant<U, T: Wire>(value: JsonRef<'_>, variant: fn(T) -> U) -> Option<U> {
    read_valid(value).map(variant)
}

/// Makes a union of an enum. Each variant says what it is made from, and the limits of its value besides its type. What tells
/// the variants apart is data.
#[doc(hidden)]
#[macro_export]
macro_rules! __union {
    (
        $type:ident: $expected:literal,
        variants { $($variant:ident($held:ty) $(from($($from:ty),*))? $(within $limits:expr)?,)* },
        rules { $($rule:ident: $value:expr,)* }
        $(,)?
    ) => {
        const _: () = {
            use $crate::__private as wire;

            const NAMES: &[&str] = &[$(stringify!($variant)),*];

            impl wire::Wire for $type {
                const EXPECTED: &'static str = $expected;

                #[inline]
                fn placeholder() -> Self {
                    Self::Unknown($crate::Json::default())
                }

                fn read(&mut self, reader: &mut wire::Reader<'_>) -> wire::StdResult<bool, wire::Stop> {
                    wire::read_union(self, reader)
                }

                fn write(&self, text: &mut String) {
                    match self {
                        $(Self::$variant(value) => wire::Wire::write(value, text),)*
                        Self::Unknown(value) => wire::Wire::write(value, text),
                    }
                }

                fn inspect(&self, checker: &mut wire::Checker<'_>) {
                    checker.union(self, |checker| match self {
                        $(Self::$variant(value) => $crate::__variant!(value, checker $(, $limits)?),)*
                        Self::Unknown(value) => checker.unknown::<Self>(value),
                    });
                }

                fn variant_name(&self) -> Option<&'static str> {
                    match self {
                        $(Self::$variant(_) => Some(stringify!($variant)),)*
                        Self::Unknown(_) => Some(wire::UNKNOWN),
                    }
                }

                fn member(&self, name: &str) -> Option<wire::Member<'_>> {
                    match self {
                        $(Self::$variant(value) => wire::Wire::member(value, name),)*
                        Self::Unknown(value) => wire::Wire::member(value, name),
                    }
                }

                fn recognises(value: $crate::JsonRef<'_>) -> bool {
                    wire::is_any::<Self>(value)
                }
            }

            impl wire::ParamsObject for $type {}

            impl wire::Union for $type {
                const VARIANTS: &'static [wire::Known] = &[$(wire::Known::new::<$held>(stringify!($variant)),)*];
                #[allow(clippy::needless_update)]
                const RULES: wire::Rules = wire::Rules { $($rule: $value,)* ..wire::Rules::NONE };

                fn read_variant(
                    &mut self,
                    variant: usize,
                    reader: &mut wire::Reader<'_>,
                ) -> wire::StdResult<bool, wire::Stop> {
                    $(if variant == const { wire::position(NAMES, stringify!($variant)) } {
                        *self = Self::$variant(<$held as wire::Wire>::placeholder());
                        if let Self::$variant(value) = self {
                            return wire::Wire::read(value, reader);
                        }
                    })*
                    wire::skip(reader)
                }

                #[inline]
                fn unknown(value: $crate::Json) -> Self {
                    Self::Unknown(value)
                }
            }
        };

        $($($(
            impl From<$from> for $type {
                fn from(value: $from) -> Self {
                    Self::$variant(value.into())
                }
            }
        )*)?)*

        impl $type {
            /// Lists the ways in which this value departs from the schema, a hundred at most. An empty list means that it
            /// conforms.
            pub fn check(&self) -> Vec<$crate::Violation> {
                $crate::__private::Checker::run(self)
            }
        }

        $crate::__serde!([] $type);
    };
}

/// Checks the value of a variant.
#[doc(hidden)]
#[macro_export]
macro_rules! __variant {
    ($value:ident, $checker:ident) => {
        $crate::__private::Wire::inspect($value, $checker)
    };
    ($value:ident, $checker:ident, $limits:expr) => {
        $crate::__private::Wire::inspect_within($value, const { &$limits }, $checker)
    };
}

/// Whether some variant describes a value.
pub fn is_any<U: Union>(value: JsonRef<'_>) -> bool {
    decide(&U::RULES, value).is_some()
}

/// Passes a value that no variant describes.
#[cold]
pub fn skip(reader: &mut Reader<'_>) -> Result<bool, Stop> {
    reader.skip().map(|()| false)
}

/// The position of a name among others.
pub const fn position(names: &[&str], name: &str) -> usize {
    let (mut position, mut rest) = (0, names);
    while let [other, others @ ..] = rest {
        if is_same(other, name) {
            break;
        }
        (position, rest) = (position + 1, others);
    }
    position
}

/// Makes an open enum of strings.
#[doc(hidden)]
#[macro_export]
macro_rules! __string_enum {
    ($type:ident: $expected:literal, values { $($variant:ident = $value:literal,)* } $(, closed: $known:literal)? $(,)?) => {
        const _: () = {
            use $crate::__private as wire;

            impl wire::Wire for $type {
                const EXPECTED: &'static str = $expected;
                const CONFORMS: bool = <[&str]>::is_empty(&[$($known)?]);

                fn placeholder() -> Self {
                    Self::Unknown(String::new())
                }

                fn read(&mut self, reader: &mut wire::Reader<'_>) -> wire::StdResult<bool, wire::Stop> {
                    wire::read_enum(self, reader)
                }

                fn write(&self, text: &mut String) {
                    wire::write_str(self.as_str(), text);
                }

                #[allow(unused_variables)]
                fn inspect(&self, checker: &mut wire::Checker<'_>) {
                    $(if let Self::Unknown(value) = self
                        && matches!(Self::from(&**value), Self::Unknown(_))
                    {
                        checker.unknown_value($known, value);
                    })?
                }

                fn variant_name(&self) -> Option<&'static str> {
                    match self {
                        $(Self::$variant => Some(stringify!($variant)),)*
                        Self::Unknown(_) => Some(wire::UNKNOWN),
                    }
                }
            }

            impl From<&str> for $type {
                fn from(value: &str) -> Self {
                    match value {
                        $($value => Self::$variant,)*
                        _ => Self::Unknown(value.to_owned()),
                    }
                }
            }

            impl From<String> for $type {
                fn from(value: String) -> Self {
                    match &*value {
                        $($value => Self::$variant,)*
                        _ => Self::Unknown(value),
                    }
                }
            }

            impl std::fmt::Display for $type {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.pad(self.as_str())
                }
            }
        };

        impl $type {
            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $value,)*
                    Self::Unknown(value) => value,
                }
            }

            /// Lists the ways in which this value departs from the schema, a hundred at most. An empty list means that it
            /// conforms.
            pub fn check(&self) -> Vec<$crate::Violation> {
                $crate::__private::Checker::run(self)
            }
        }

        $crate::__serde!([] $type);
    };
}

/// Gives the values of an enum the order in which they are written here.
#[doc(hidden)]
#[macro_export]
macro_rules! __ordered {
    ($type:ident { $($variant:ident),* $(,)? }) => {
        impl $type {
            /// The place of a known value in the order of all, from 0.
            pub fn rank(&self) -> Option<usize> {
                let order = [$(Self::$variant),*];
                order.iter().position(|known| known == self)
            }
        }

        /// Known values have an order; an unknown one is comparable with itself only.
        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                match (self.rank(), other.rank()) {
                    (Some(left), Some(right)) => Some(left.cmp(&right)),
                    _ => (self == other).then_some(std::cmp::Ordering::Equal),
                }
            }
        }
    };
}

/// The [`Wire::read`] of enums of strings.
pub fn read_enum<T: Wire + for<'a> From<&'a str>>(value: &mut T, reader: &mut Reader<'_>) -> Result<bool, Stop> {
    if reader.peek() != b'"' {
        return reader.unfit(T::EXPECTED);
    }
    *value = T::from(&*reader.string()?);
    Ok(true)
}

/// The [`Wire::write`] of enums of strings.
pub fn write_str(value: &str, text: &mut String) {
    crate::write::push_quoted(text, value);
}
