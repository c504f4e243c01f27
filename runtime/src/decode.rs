//! Reading objects in one pass, without giving up half-way.
//!
//! Every type reads any JSON value: [`Wire::decode`] fails only where the text itself does. A value of the wrong shape
//! comes back whole, as a [`Misfit`], and whoever asked for it decides what to do with it.
//!
//! There are two ways in: [`Wire::decode`] from text, through serde, and [`Wire::convert`] from a value that has been
//! read already, such as the members before a union's tag. The code of an object is the same for both: it asks a
//! [`Source`] for its members.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::Serialize;
use serde_json::Value;

use crate::JsonObject;
use crate::check::{Checker, Known, explain};
use crate::extra::Extra;

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
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write_name(f, name),
            Self::Key(key) => write_name(f, key),
            Self::Index(index) => write!(f, "/{index}"),
        }
    }
}

/// Writes a name as a step, part by part: it may be as long as a message.
fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    f.write_str("/")?;
    for part in name.split_inclusive(['~', '/']) {
        match part.strip_suffix('~') {
            Some(before) => write!(f, "{before}~0")?,
            None => match part.strip_suffix('/') {
                Some(before) => write!(f, "{before}~1")?,
                None => f.write_str(part)?,
            },
        }
    }
    Ok(())
}

impl Misfit {
    /// The value itself is of the wrong kind.
    #[inline]
    pub fn new(value: Value, expected: &'static str) -> Box<Self> {
        let reason = Reason::new(expected, describe(&value));
        Box::new(Self { value, reason })
    }

    /// The same in an [outline](Wire::outline), which needs the reason only.
    #[inline]
    pub(crate) fn outlined(value: &Value, expected: &'static str) -> Box<Self> {
        Box::new(Self { value: Value::Null, reason: Reason::new(expected, describe(value)) })
    }

    /// The misfit of an outline because of one inside it.
    #[inline]
    pub(crate) fn within(mut self: Box<Self>, segment: Segment) -> Box<Self> {
        self.reason.path.push(segment);
        self
    }
}

impl Reason {
    pub(crate) fn new(expected: impl Into<Cow<'static, str>>, found: String) -> Self {
        Self { path: Vec::new(), expected: expected.into(), found }
    }

    /// A required member is not there.
    #[inline]
    pub(crate) fn missing(name: &str) -> Self {
        Self::new(format!("the required member {name:?}"), "an object without it".to_owned())
    }

    #[inline]
    pub(crate) fn within(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    /// The way from the outside in.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.path.iter().rev()
    }

    /// JSON pointer of the offending member.
    #[inline]
    pub fn pointer(&self) -> String {
        self.segments().map(Segment::to_string).collect()
    }

    /// What the schema asks for.
    #[inline]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What was found instead.
    #[inline]
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What the schema asks for, and what was found instead.
    #[inline]
    pub(crate) fn into_words(self) -> (Cow<'static, str>, String) {
        (self.expected, self.found)
    }
}

impl fmt::Display for Reason {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = self.pointer();
        if !pointer.is_empty() {
            write!(f, "{}: ", place(&pointer))?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// A value in a few words, for messages. Long strings are cut: a message should not repeat a megabyte.
#[inline]
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("the boolean {value}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {}", quote(text)),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Value::Object(members) => {
            let names: Vec<_> = members.keys().take(4).map(|name| quote(name)).collect();
            let more = if members.len() > names.len() { ", …" } else { "" };
            format!("an object with {}{more}", names.join(", "))
        }
    }
}

#[inline]
fn quote(text: &str) -> String {
    let shown = beginning(text, 40);
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{more}")
}

/// The first so many characters of a text.
#[inline]
fn beginning(text: &str, length: usize) -> &str {
    text.char_indices().nth(length).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// A name for a message: of a long one, the beginning.
#[inline]
pub(crate) fn shortened(name: &str) -> Cow<'_, str> {
    match beginning(name, LONGEST) {
        all if all.len() == name.len() => name.into(),
        beginning => format!("{beginning}…").into(),
    }
}

/// How many characters of a name or a pointer are shown in messages.
const LONGEST: usize = 200;

/// A JSON pointer for an answer, empty for the whole. A long one is cut, as in a message.
pub(crate) fn shown(pointer: &str) -> Cow<'_, str> {
    if pointer.is_empty() { "".into() } else { place(pointer) }
}

/// A JSON pointer for a message. Keys can be as long as strings can, but the end of a pointer says most.
#[inline]
pub(crate) fn place(pointer: &str) -> Cow<'_, str> {
    if pointer.is_empty() {
        return "(document)".into();
    }
    match pointer.char_indices().rev().nth(LONGEST).and_then(|(start, _)| pointer.get(start..)) {
        None => pointer.into(),
        Some(end) => format!("…{end}").into(),
    }
}

/// What reading a `T` gives: a value or a misfit, unless the text itself is at fault.
pub type Decoded<T, E> = Result<Fit<T>, E>;

/// What stood in the place of a value, if it did not fit.
pub type Unfit = Option<Box<Misfit>>;

/// Puts a value into its place.
#[inline]
fn settle<T>(fit: Fit<T>, slot: &mut Option<T>) -> Unfit {
    match fit {
        Ok(value) => {
            *slot = Some(value);
            None
        }
        Err(misfit) => {
            *slot = None;
            Some(misfit)
        }
    }
}

/// Takes a value out of its place.
#[inline]
pub(crate) fn taken<T: Wire>(slot: Option<T>, unfit: Unfit) -> Fit<T> {
    match unfit {
        None => match slot {
            Some(value) => Ok(value),
            None => Err(Misfit::new(Value::Null, T::EXPECTED)),
        },
        Some(misfit) => Err(misfit),
    }
}

/// A type that reads and writes one JSON value without loss.
pub trait Wire: Sized + Serialize {
    /// What the schema asks for, in words that follow "expected".
    const EXPECTED: &'static str;

    /// Reads a value from text; the error is the deserializer's own (syntax, depth), never one of shape.
    ///
    /// A type implements this or [`decode_into`](Self::decode_into); each is made from the other.
    #[inline]
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        let mut slot = None;
        let unfit = Self::decode_into(deserializer, &mut slot)?;
        Ok(taken(slot, unfit))
    }

    /// Reads a value from text into its place, or empties the place and returns what does not fit. What is large is not
    /// moved through every function on the way.
    #[inline]
    fn decode_into<'de, D: Deserializer<'de>>(deserializer: D, slot: &mut Option<Self>) -> Result<Unfit, D::Error> {
        Self::decode(deserializer).map(|fit| settle(fit, slot))
    }

    /// Reads a value that is in memory, moving its strings.
    fn convert(value: Value) -> Fit<Self>;

    /// Reads just enough of a value in memory to check it, up to the unions inside, which are checked on their own: any
    /// value stands for them, and for what needs no checking. Nothing large is copied.
    ///
    /// A type that arrays or objects can have implements this.
    #[inline]
    fn outline(value: &Value) -> Fit<Self> {
        match value {
            Value::Array(_) | Value::Object(_) => Err(Misfit::outlined(value, Self::EXPECTED)),
            scalar => Self::convert(scalar.clone()),
        }
    }

    /// Reads an object of which the first members have been read already.
    fn resume<'de, A: MapAccess<'de>>(object: Text<'de, A>) -> Decoded<Self, A::Error> {
        Ok(Self::convert(object.collect()?))
    }

    /// Some value, to fill the place of a required member while an unfit object is put together again.
    fn placeholder() -> Self;

    /// Reports every departure from the schema that the type itself does not rule out.
    fn inspect(&self, checker: &mut Checker);

    /// The variant, for a union or an enum.
    #[inline]
    fn variant_name(&self) -> Option<&'static str> {
        None
    }

    /// Whether a value looks like one of this type.
    #[inline]
    fn recognises(value: &Value) -> bool {
        Self::outline(value).is_ok()
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

    /// Reads all members, and puts the object into its place.
    fn read<S: Source>(members: Members<S>, slot: &mut Option<Self>) -> Result<Unfit, S::Error>;
}

/// The `Deserialize` implementation of generated types: a misfit becomes an error.
pub fn deserialize<'de, T: Wire, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::decode(deserializer)?.map_err(|misfit| D::Error::custom(misfit.reason))
}

/// The [`Wire::decode_into`] of records.
#[inline]
pub fn decode_record<'de, T: Record, D: Deserializer<'de>>(
    deserializer: D,
    slot: &mut Option<T>,
) -> Result<Unfit, D::Error> {
    deserializer.deserialize_any(RecordVisitor(slot))
}

/// The [`Wire::convert`] of records.
pub fn convert_record<T: Record>(value: Value) -> Fit<T> {
    match value {
        Value::Object(object) => from_memory(Memory::Whole(object.into_iter(), None)),
        other => Err(Misfit::new(other, T::EXPECTED)),
    }
}

/// The [`Wire::outline`] of records.
pub fn outline_record<T: Record>(value: &Value) -> Fit<T> {
    match value {
        Value::Object(object) => from_memory(Memory::Outline(object.iter(), &Value::Null)),
        other => Err(Misfit::outlined(other, T::EXPECTED)),
    }
}

fn from_memory<T: Record>(memory: Memory<'_>) -> Fit<T> {
    let mut slot = None;
    match T::read(Members::new(memory), &mut slot) {
        Ok(unfit) => taken(slot, unfit),
        Err(never) => match never {},
    }
}

/// The [`Wire::resume`] of records.
pub fn resume_record<'de, T: Record, A: MapAccess<'de>>(object: Text<'de, A>) -> Decoded<T, A::Error> {
    let mut slot = None;
    let unfit = T::read(Members::new(object), &mut slot)?;
    Ok(taken(slot, unfit))
}

/// The [`Wire::decode`] of strings and of types made from a string.
pub fn decode_text<'de, T, D: Deserializer<'de>>(deserializer: D) -> Decoded<T, D::Error>
where
    T: Wire + From<String> + for<'a> From<&'a str>,
{
    deserializer.deserialize_any(TextVisitor(PhantomData))
}

/// The [`Wire::convert`] of strings and of types made from a string.
pub fn convert_text<T: Wire + From<String>>(value: Value) -> Fit<T> {
    match value {
        Value::String(text) => Ok(text.into()),
        other => Err(Misfit::new(other, T::EXPECTED)),
    }
}

pub(crate) fn to_value<T: Serialize>(value: &T) -> Value {
    // Generated types have string keys and finite numbers only, so that this cannot fail.
    serde_json::to_value(value).unwrap_or(Value::Null)
}

macro_rules! expecting {
    ($expected:expr) => {
        #[inline]
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str($expected)
        }
    };
}
pub(crate) use expecting;

/// Visits the named kinds of JSON values by turning them into a [`Value`] first.
macro_rules! visit_values {
    ($($kind:ident)*; $self:ident, $value:ident => $then:expr) => { $(visit_values!(@$kind $self, $value => $then);)* };
    (@bool $self:ident, $value:ident => $then:expr) => {
        fn visit_bool<E: Error>($self, value: bool) -> Result<Self::Value, E> {
            let $value = Value::from(value);
            Ok($then)
        }
    };
    (@number $self:ident, $value:ident => $then:expr) => {
        fn visit_i64<E: Error>($self, value: i64) -> Result<Self::Value, E> {
            let $value = Value::from(value);
            Ok($then)
        }
        fn visit_u64<E: Error>($self, value: u64) -> Result<Self::Value, E> {
            let $value = Value::from(value);
            Ok($then)
        }
        visit_values!(@float $self, $value => $then);
    };
    (@float $self:ident, $value:ident => $then:expr) => {
        fn visit_f64<E: Error>($self, value: f64) -> Result<Self::Value, E> {
            let $value = Value::from(value);
            Ok($then)
        }
    };
    (@string $self:ident, $value:ident => $then:expr) => {
        fn visit_str<E: Error>($self, value: &str) -> Result<Self::Value, E> {
            let $value = Value::from(value);
            Ok($then)
        }
        fn visit_string<E: Error>($self, value: String) -> Result<Self::Value, E> {
            let $value = Value::from(value);
            Ok($then)
        }
    };
    (@null $self:ident, $value:ident => $then:expr) => {
        fn visit_unit<E: Error>($self) -> Result<Self::Value, E> {
            let $value = Value::Null;
            Ok($then)
        }
        fn visit_none<E: Error>($self) -> Result<Self::Value, E> {
            let $value = Value::Null;
            Ok($then)
        }
    };
    (@array $self:ident, $value:ident => $then:expr) => {
        fn visit_seq<A: SeqAccess<'de>>($self, items: A) -> Result<Self::Value, A::Error> {
            let $value = Value::deserialize(SeqAccessDeserializer::new(items))?;
            Ok($then)
        }
    };
    (@object $self:ident, $value:ident => $then:expr) => {
        // With serde_json's `arbitrary_precision` numbers arrive this way as well.
        fn visit_map<A: MapAccess<'de>>($self, members: A) -> Result<Self::Value, A::Error> {
            let $value = Value::deserialize(MapAccessDeserializer::new(members))?;
            Ok($then)
        }
    };
}
pub(crate) use visit_values;

struct RecordVisitor<'a, T>(&'a mut Option<T>);

impl<'de, T: Record> Visitor<'de> for RecordVisitor<'_, T> {
    type Value = Unfit;

    expecting!(T::EXPECTED);

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::read(Members::new(Text::new(map)), self.0)
    }

    visit_values!(bool number string null array; self, value => {
        *self.0 = None;
        Some(Misfit::new(value, T::EXPECTED))
    });
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

    visit_values!(bool number null array object; self, value => Err(Misfit::new(value, T::EXPECTED)));
}

/// One value to be read, from text or from memory.
pub trait Piece: Sized {
    /// What reading it gives.
    type Output;

    /// Reads it from text.
    fn stream<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Output, D::Error>;

    /// Reads it from memory.
    fn convert(self, value: Value) -> Self::Output;

    /// Reads its [outline](Wire::outline).
    fn outline(self, value: &Value) -> Self::Output;

    /// Reads it from a string that need not be copied to be compared.
    #[inline]
    fn convert_str(self, text: &'static str) -> Self::Output {
        self.convert(Value::from(text))
    }
}

/// A value of a type, read into its place.
struct One<'a, T>(&'a mut Option<T>);

impl<T: Wire> Piece for One<'_, T> {
    type Output = Unfit;

    #[inline]
    fn stream<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Output, D::Error> {
        T::decode_into(deserializer, self.0)
    }

    #[inline]
    fn convert(self, value: Value) -> Self::Output {
        settle(T::convert(value), self.0)
    }

    #[inline]
    fn outline(self, value: &Value) -> Self::Output {
        settle(T::outline(value), self.0)
    }
}

/// Reads a [`Piece`] from a deserializer.
struct PieceSeed<P>(P);

impl<'de, P: Piece> DeserializeSeed<'de> for PieceSeed<P> {
    type Value = P::Output;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        self.0.stream(deserializer)
    }
}

/// Where the members of an object come from.
pub trait Source {
    /// What can go wrong: nothing in memory, syntax in text.
    type Error;

    /// The name of the next member.
    fn name<T: Record>(&mut self) -> Result<Option<Name>, Self::Error>;

    /// The value of the member that was named last.
    fn value<P: Piece>(&mut self, piece: P) -> Result<P::Output, Self::Error>;

    /// Whether the tag by which a union chose this type came again. Of repeated members the last one counts, so that the
    /// union has to choose again.
    #[inline]
    fn is_contested(&self) -> bool {
        false
    }
}

/// A member's name.
pub enum Name {
    /// The number of a known member.
    Known(usize),
    /// Any other name.
    Unknown(String),
}

impl Name {
    fn of<T: Record>(name: impl Into<String> + AsRef<str>) -> Self {
        match T::member(name.as_ref()) {
            Some(member) => Self::Known(member),
            None => Self::Unknown(name.into()),
        }
    }
}

/// An object in memory, and the value of the member that was named last.
enum Memory<'a> {
    Whole(serde_json::map::IntoIter, Option<Value>),
    Outline(serde_json::map::Iter<'a>, &'a Value),
}

impl Source for Memory<'_> {
    type Error = Infallible;

    fn name<T: Record>(&mut self) -> Result<Option<Name>, Infallible> {
        Ok(match self {
            Self::Whole(members, place) => members.next().map(|(name, value)| {
                *place = Some(value);
                Name::of::<T>(name)
            }),
            Self::Outline(members, place) => members.next().map(|(name, value)| {
                *place = value;
                Name::of::<T>(name.as_str())
            }),
        })
    }

    fn value<P: Piece>(&mut self, piece: P) -> Result<P::Output, Infallible> {
        Ok(match self {
            Self::Whole(_, value) => piece.convert(value.take().unwrap_or_default()),
            Self::Outline(_, value) => piece.outline(value),
        })
    }
}

/// An object in text, of which the first members may have been read already, a union's tag after all others.
pub struct Text<'de, A> {
    map: A,
    early: Early,
    /// The number of the tag, once it has been handed out.
    tag_member: Option<usize>,
    contested: bool,
    lifetime: PhantomData<&'de ()>,
}

/// What was read before its turn. As a rule that is nothing, or the tag alone, which costs no memory.
enum Early {
    Nothing,
    /// A tag by its name.
    Tag(&'static str, &'static str),
    /// The value of the tag that was named last.
    TagValue(&'static str),
    /// Members from the last to the first, and the tag that follows them.
    Members(Vec<(Cow<'static, str>, Value)>, Option<(&'static str, &'static str)>),
}

impl<'de, A: MapAccess<'de>> Text<'de, A> {
    #[inline]
    pub(crate) fn new(map: A) -> Self {
        Self { map, early: Early::Nothing, tag_member: None, contested: false, lifetime: PhantomData }
    }

    #[inline]
    pub(crate) fn resumed(
        tag: Option<(&'static str, &'static str)>,
        mut read: Vec<(Cow<'static, str>, Value)>,
        map: A,
    ) -> Self {
        let early = match tag {
            Some((name, tag)) if read.is_empty() => Early::Tag(name, tag),
            tag => {
                read.reverse();
                Early::Members(read, tag)
            }
        };
        Self { early, ..Self::new(map) }
    }

    /// The whole object.
    #[inline]
    pub(crate) fn collect(mut self) -> Result<Value, A::Error> {
        let (mut object, tag) = match self.early {
            Early::Nothing | Early::TagValue(_) => (JsonObject::new(), None),
            Early::Tag(name, tag) => (JsonObject::new(), Some((name, tag))),
            Early::Members(members, tag) => {
                (members.into_iter().rev().map(|(name, value)| (name.into_owned(), value)).collect(), tag)
            }
        };
        if let Some((name, tag)) = tag {
            object.insert(name.to_owned(), tag.into());
        }
        while let Some((name, value)) = self.map.next_entry()? {
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }

    /// The name of a member that was read before its turn, if there is one left.
    fn early_name<T: Record>(&mut self) -> Option<Name> {
        let (name, tag) = match &mut self.early {
            Early::Nothing | Early::TagValue(_) => return None,
            Early::Tag(name, tag) => (*name, *tag),
            Early::Members(members, tag) => {
                // The value stays until it is asked for.
                if let Some((name, _)) = members.last_mut() {
                    return Some(Name::of::<T>(std::mem::take(name)));
                }
                match *tag {
                    Some(tag) => tag,
                    None => {
                        self.early = Early::Nothing;
                        return None;
                    }
                }
            }
        };
        self.early = Early::TagValue(tag);
        self.tag_member = T::member(name);
        Some(self.tag_member.map_or_else(|| Name::Unknown(name.to_owned()), Name::Known))
    }

    /// The value of a member that was read before its turn.
    fn early_value<P: Piece>(&mut self, piece: P) -> Result<P::Output, A::Error> {
        match &mut self.early {
            Early::TagValue(tag) => {
                let tag = *tag;
                self.early = Early::Nothing;
                Ok(piece.convert_str(tag))
            }
            Early::Members(members, _) => Ok(piece.convert(members.pop().map_or(Value::Null, |(_, value)| value))),
            Early::Nothing | Early::Tag(..) => self.map.next_value_seed(PieceSeed(piece)),
        }
    }
}

impl<'de, A: MapAccess<'de>> Source for Text<'de, A> {
    type Error = A::Error;

    #[inline]
    fn name<T: Record>(&mut self) -> Result<Option<Name>, A::Error> {
        if !matches!(self.early, Early::Nothing)
            && let Some(name) = self.early_name::<T>()
        {
            return Ok(Some(name));
        }
        let name = self.map.next_key_seed(NameSeed::<T>(PhantomData))?;
        if let Some(Name::Known(member)) = name {
            self.contested |= self.tag_member == Some(member);
        }
        Ok(name)
    }

    #[inline]
    fn value<P: Piece>(&mut self, piece: P) -> Result<P::Output, A::Error> {
        match self.early {
            Early::Nothing => self.map.next_value_seed(PieceSeed(piece)),
            _ => self.early_value(piece),
        }
    }

    #[inline]
    fn is_contested(&self) -> bool {
        self.contested
    }
}

/// The members of an object while it is read: hands out the known ones, keeps the others.
pub struct Members<S> {
    source: S,
    extra: Extra,
    /// Set by the first required member that is missing or does not fit: the object as a whole does not fit then.
    reason: Option<Box<Reason>>,
    /// One bit per constant that has been seen.
    constants: u64,
}

impl<S: Source> Members<S> {
    #[inline]
    fn new(source: S) -> Self {
        Self { source, extra: Extra::new(), reason: None, constants: 0 }
    }

    /// The next known member. Unknown ones on the way are put into the object's [`Extra`].
    #[inline]
    pub fn next_member<T: Record>(&mut self) -> Result<Option<usize>, S::Error> {
        loop {
            match self.source.name::<T>()? {
                None => return Ok(None),
                Some(Name::Known(member)) => return Ok(Some(member)),
                Some(Name::Unknown(name)) => {
                    let value = self.source.value(Anything)?;
                    self.extra.keep_unknown(name, value);
                }
            }
        }
    }

    /// Reads a member without which the object does not fit.
    #[inline]
    pub fn required<T: Wire>(&mut self, name: &'static str, slot: &mut Option<T>) -> Result<(), S::Error> {
        let misfit = self.source.value(One(slot))?;
        self.note(name, misfit, true);
        Ok(())
    }

    /// Reads a member that may be missing; a value that does not fit is kept in the [`Extra`].
    #[inline]
    pub fn optional<T: Wire>(&mut self, name: &'static str, slot: &mut Option<T>) -> Result<(), S::Error> {
        let misfit = self.source.value(One(slot))?;
        self.note(name, misfit, false);
        Ok(())
    }

    /// Reads a constant, the `index`th of this object. Another value is kept in the [`Extra`].
    #[inline]
    pub fn constant<C: Constant>(&mut self, index: usize, name: &'static str, constant: C) -> Result<(), S::Error> {
        let other = self.source.value(Fixed(constant))?;
        self.constants |= 1 << index;
        match other {
            None => self.clear(name),
            Some(value) => self.extra.keep_malformed(name, value),
        }
        Ok(())
    }

    /// The value of a required member, after all have been read.
    #[inline]
    pub fn take<T: Wire>(&mut self, name: &'static str, slot: Option<T>) -> T {
        slot.unwrap_or_else(|| {
            self.unfit::<T>(name);
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

    /// Leaves the object in its place, unless a required member was missing or did not fit.
    #[inline]
    pub fn finish<T: Wire>(self, slot: &mut Option<T>) -> Result<Unfit, S::Error> {
        Ok(match self.reason {
            None if !self.source.is_contested() => None,
            reason => Some(unfit(slot, reason)),
        })
    }

    /// Takes note of a member that has been read.
    #[inline]
    fn note(&mut self, name: &'static str, misfit: Unfit, required: bool) {
        match misfit {
            None => self.clear(name),
            Some(misfit) => self.keep(name, *misfit, required),
        }
    }

    /// Forgets what an earlier member of the same name left behind: of repeated members the last one counts.
    #[inline]
    fn clear(&mut self, name: &'static str) {
        if self.extra.kept().is_some() {
            self.extra.forget(name);
            if self.reason.as_ref().is_some_and(|reason| reason.path.last() == Some(&Segment::Name(name))) {
                self.reason = None;
            }
        }
    }

    #[cold]
    fn keep(&mut self, name: &'static str, misfit: Misfit, required: bool) {
        self.extra.keep_malformed(name, misfit.value);
        if required && self.reason.is_none() {
            self.reason = Some(Box::new(misfit.reason.within(Segment::Name(name))));
        }
    }

    /// A required member is missing or did not fit. In the latter case the reason is known, unless it was another
    /// member's, which fitted when it was repeated.
    #[cold]
    fn unfit<T: Wire>(&mut self, name: &'static str) {
        if self.reason.is_none() {
            self.reason = Some(Box::new(match self.extra.get(name) {
                Some(value) => explain::<T>(value).within(Segment::Name(name)),
                None => Reason::missing(name),
            }));
        }
        self.extra.omit(name);
    }
}

/// Takes an object that does not fit out of its place.
#[cold]
fn unfit<T: Wire>(slot: &mut Option<T>, reason: Option<Box<Reason>>) -> Box<Misfit> {
    let value = slot.take().map_or(Value::Null, |record| to_value(&record));
    match reason {
        None => Misfit::new(value, T::EXPECTED),
        Some(reason) => Box::new(Misfit { value, reason: *reason }),
    }
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
        Ok(Name::of::<T>(name))
    }
}

/// A value that the schema fixes.
pub trait Constant: Copy {
    /// Whether the string is the constant.
    #[inline]
    fn is_string(self, _: &str) -> bool {
        false
    }
    /// Whether the value, not a string, is the constant.
    #[inline]
    fn is_value(self, _: &Value) -> bool {
        false
    }
}

impl Constant for &str {
    #[inline]
    fn is_string(self, text: &str) -> bool {
        self == text
    }
}

impl Constant for i64 {
    #[inline]
    fn is_value(self, value: &Value) -> bool {
        // 5.0 is the integer 5 to JSON Schema, but only 5 comes back as it was.
        value.as_i64() == Some(self)
    }
}

impl Constant for bool {
    #[inline]
    fn is_value(self, value: &Value) -> bool {
        value.as_bool() == Some(self)
    }
}

impl Constant for () {
    #[inline]
    fn is_value(self, value: &Value) -> bool {
        value.is_null()
    }
}

/// A value that should be the constant; another value is what reading it gives.
struct Fixed<C>(C);

impl<C: Constant> Piece for Fixed<C> {
    type Output = Option<Value>;

    #[inline]
    fn stream<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Output, D::Error> {
        deserializer.deserialize_any(self)
    }

    #[inline]
    fn convert(self, value: Value) -> Self::Output {
        let same = match &value {
            Value::String(text) => self.0.is_string(text),
            value => self.0.is_value(value),
        };
        (!same).then_some(value)
    }

    #[inline]
    fn outline(self, value: &Value) -> Self::Output {
        match value {
            // No constant is an array or an object.
            Value::Array(_) | Value::Object(_) => Some(Value::Array(Vec::new())),
            scalar => self.convert(scalar.clone()),
        }
    }

    #[inline]
    fn convert_str(self, text: &'static str) -> Self::Output {
        (!self.0.is_string(text)).then(|| text.into())
    }
}

impl<'de, C: Constant> Visitor<'de> for Fixed<C> {
    type Value = Option<Value>;

    expecting!("a constant");

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok((!self.0.is_string(text)).then(|| text.into()))
    }

    visit_values!(bool number null array object; self, value => self.convert(value));
}

/// Any value.
struct Anything;

impl Piece for Anything {
    type Output = Value;

    fn stream<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    #[inline]
    fn convert(self, value: Value) -> Value {
        value
    }

    #[inline]
    fn outline(self, _: &Value) -> Value {
        Value::Null
    }
}

/// Reads an object with any members into its place.
pub(crate) struct ObjectVisitor<'a>(pub(crate) &'a mut Option<JsonObject>);

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = Unfit;

    expecting!("an object");

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let object = self.0.insert(JsonObject::new());
        while let Some((name, value)) = map.next_entry()? {
            object.insert(name, value);
        }
        Ok(match is_number(object) {
            false => None,
            true => settle(convert_object(whole(std::mem::take(object))), self.0),
        })
    }

    visit_values!(bool number string null array; self, value => settle(convert_object(value), self.0));
}

/// Whether these members may be how serde_json passes a number, when some crate in the build turns on
/// `arbitrary_precision`.
#[inline]
fn is_number(members: &JsonObject) -> bool {
    members.len() == 1 && members.keys().all(|name| name == "$serde_json::private::Number")
}

/// The value that these members make up.
#[inline]
pub(crate) fn whole(members: JsonObject) -> Value {
    if !is_number(&members) {
        return Value::Object(members);
    }
    // Only serde_json knows whether this is a number, or an object with a strange member.
    let member = members.iter().map(|(name, value)| (name.as_str(), value.clone()));
    let number = Value::deserialize(MapDeserializer::<_, serde_json::Error>::new(member));
    number.unwrap_or(Value::Object(members))
}

#[inline]
pub(crate) fn convert_object(value: Value) -> Fit<JsonObject> {
    match value {
        Value::Object(object) => Ok(object),
        other => Err(Misfit::new(other, "an object")),
    }
}
