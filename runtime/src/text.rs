//! Values as JSON text.
//!
//! What comes out is what serde_json writes, byte for byte. It is here again because messages are mostly strings, and
//! the time it takes to write them is the time it takes to look for what has to be escaped and to make room: this looks
//! at many bytes at once, knows how much room a string needs before it copies it, and starts with enough for most
//! messages. Whatever messages have no use for is left to serde_json.

use std::fmt::Write;

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Error, Value};

use crate::decode::Wire;
use crate::encode::Writer;
use crate::rpc::ERROR;
use crate::{ErrorObject, RequestId};

/// Writes a value as JSON text on one line: JSON escapes the line ends inside strings.
///
/// It is the counterpart of [`from_str`](crate::from_str), gives the same text as `serde_json::to_string`, and is quicker.
///
/// ```
/// # use mcp_wire_core::json_object;
/// assert_eq!(mcp_wire_core::to_string(&json_object! { "city": "Paris", "days": 3 }), r#"{"city":"Paris","days":3}"#);
/// ```
#[inline]
pub fn to_string<T: Wire>(value: &T) -> String {
    // Such types have string keys only, so that this cannot fail.
    written(|text| value.serialize(Text(text))).unwrap_or_default()
}

/// A message as text on one line, with what was kept of it. Only a result of a type that is not ours can fail.
pub(crate) fn message_text(message: &impl Serialize) -> Result<String, Error> {
    written(|text| message.serialize(Text(text)))
}

/// A request or a notification as text on one line. `params` writes that member, if there is one.
pub(crate) fn method_text(
    id: Option<&RequestId>,
    method: &str,
    params: impl FnOnce(&mut Writer<'_, Items<'_>>) -> Result<(), Error>,
) -> String {
    let text = envelope(id, |text| {
        text.push_str(r#","method":"#);
        push_quoted(text, method);
        let mut members = Writer::resume(Items { text, is_empty: false, end: "" });
        params(&mut members)?;
        members.end()
    });
    // Params have string keys only.
    text.unwrap_or_default()
}

/// A response as text on one line.
pub(crate) fn outcome_text(id: Option<&RequestId>, name: &str, outcome: &impl Serialize) -> String {
    envelope(id, |text| Items { text, is_empty: false, end: "" }.field(name, outcome))
        .unwrap_or_else(|error| unwritable(id, &error))
}

/// The answer in place of a result that has no form in JSON: whoever waits for it is told.
#[cold]
pub(crate) fn unwritable(id: Option<&RequestId>, error: &Error) -> String {
    let error = ErrorObject::internal(format!("The result cannot be written as JSON: {error}"));
    envelope(id, |text| Items { text, is_empty: false, end: "" }.field(ERROR, &error)).unwrap_or_default()
}

/// A message around what is written into it. The names and the version of the envelope need no serializer.
#[inline]
fn envelope(id: Option<&RequestId>, write: impl FnOnce(&mut String) -> Result<(), Error>) -> Result<String, Error> {
    written(|text| {
        text.push_str(r#"{"jsonrpc":"2.0""#);
        if let Some(id) = id {
            text.push_str(r#","id":"#);
            if let RequestId::String(id) = id
                && id.len() > USUAL_LENGTH / 2
            {
                make_room(text, id);
            }
            id.serialize(Text(text))?;
        }
        write(text)?;
        text.push('}');
        Ok(())
    })
}

#[inline]
fn written(write: impl FnOnce(&mut String) -> Result<(), Error>) -> Result<String, Error> {
    let mut text = String::with_capacity(USUAL_LENGTH);
    write(&mut text)?;
    Ok(text)
}

/// Most messages fit into it, and the allocators of today have it at hand.
const USUAL_LENGTH: usize = 512;

/// Makes room for a long id, of which all may be escapes, and for as much as usual after it. Room that doubles would be room
/// for it once more.
#[cold]
fn make_room(text: &mut String, id: &str) {
    let length: usize = id.bytes().map(escaped_length).sum();
    text.reserve_exact(length.saturating_add(USUAL_LENGTH));
}

/// Writes one value at the end of a text.
struct Text<'a>(&'a mut String);

/// Whole numbers, which are written as the widest type.
macro_rules! integers {
    ($($method:ident $type:ty),*; as $widest:ident) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<(), Error> {
            self.$widest(value.into())
        }
    )*};
}

impl<'a> Serializer for Text<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Items<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Items<'a>;

    integers!(serialize_i8 i8, serialize_i16 i16, serialize_i32 i32; as serialize_i64);
    integers!(serialize_u8 u8, serialize_u16 u16, serialize_u32 u32; as serialize_u64);

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.0.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        if value < 0 {
            self.0.push('-');
        }
        push_integer(self.0, value.unsigned_abs());
        Ok(())
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        push_integer(self.0, value);
        Ok(())
    }

    #[inline]
    fn serialize_i128(self, value: i128) -> Result<(), Error> {
        write!(self.0, "{value}").map_err(Error::custom)
    }

    #[inline]
    fn serialize_u128(self, value: u128) -> Result<(), Error> {
        write!(self.0, "{value}").map_err(Error::custom)
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.0.push_str(&serde_json::to_string(&value)?);
        Ok(())
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        match serde_json::Number::from_f64(value) {
            Some(number) => write!(self.0, "{number}").map_err(Error::custom),
            None => self.serialize_unit(),
        }
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        push_quoted(self.0, value);
        Ok(())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.collect_seq(value)
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Error> {
        self.0.push_str("null");
        Ok(())
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = Items::begin(self, "{", "}");
        object.serialize_entry(variant, value)?;
        SerializeMap::end(object)
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, Error> {
        Ok(Items::begin(self, "[", "]"))
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Items<'a>, Error> {
        self.serialize_seq(None)
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, Error> {
        self.serialize_seq(None)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, Error> {
        Ok(Items::begin_variant(self, variant, "[", "]}"))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Items<'a>, Error> {
        Ok(Items::begin(self, "{", "}"))
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Fields<'a>, Error> {
        Ok(match name {
            "$serde_json::private::RawValue" | "$serde_json::private::Number" => Fields::Verbatim(self.0),
            _ => Fields::Named(Items::begin(self, "{", "}")),
        })
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, Error> {
        Ok(Items::begin_variant(self, variant, "{", "}}"))
    }
}

/// An array or an object while it is written.
pub(crate) struct Items<'a> {
    text: &'a mut String,
    is_empty: bool,
    end: &'static str,
}

impl<'a> Items<'a> {
    #[inline]
    fn begin(text: Text<'a>, begin: &str, end: &'static str) -> Self {
        text.0.push_str(begin);
        Self { text: text.0, is_empty: true, end }
    }

    #[inline]
    fn begin_variant(text: Text<'a>, variant: &str, begin: &str, end: &'static str) -> Self {
        text.0.push('{');
        push_quoted(text.0, variant);
        text.0.push(':');
        Self::begin(text, begin, end)
    }

    /// Separates an item from the one before.
    #[inline]
    fn separate(&mut self) {
        if !std::mem::take(&mut self.is_empty) {
            self.text.push(',');
        }
    }

    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.separate();
        value.serialize(Text(self.text))
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.separate();
        push_quoted(self.text, name);
        self.text.push(':');
        value.serialize(Text(self.text))
    }

    #[inline]
    fn finish(self) -> Result<(), Error> {
        self.text.push_str(self.end);
        Ok(())
    }
}

impl SerializeMap for Items<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate();
        let start = self.text.len();
        key.serialize(Text(self.text))?;
        match self.text.as_bytes().get(start) {
            Some(b'"') => Ok(()),
            _ => quote_key(self.text, start),
        }
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.text.push(':');
        value.serialize(Text(self.text))
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

/// A key that is no string: numbers and truth values become one, as serde_json has it.
#[cold]
fn quote_key(text: &mut String, start: usize) -> Result<(), Error> {
    match text.as_bytes().get(start) {
        Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
            text.insert(start, '"');
            text.push('"');
            Ok(())
        }
        _ => Err(Error::custom("key must be a string")),
    }
}

/// What holds items without a name: the trait, and its method for one of them.
macro_rules! items {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Items<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        }
    )*};
}

items!(
    SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

impl SerializeStructVariant for Items<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.field(name, value)
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

/// A struct while it is written.
enum Fields<'a> {
    Named(Items<'a>),
    /// JSON text in the disguise of a struct, which is how serde_json passes on raw values, and numbers of any precision.
    Verbatim(&'a mut String),
}

impl SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        match self {
            Self::Named(items) => items.field(name, value),
            Self::Verbatim(text) => match serde_json::to_value(value)? {
                Value::String(json) => {
                    text.push_str(&json);
                    Ok(())
                }
                _ => Err(Error::custom("raw JSON must be a string")),
            },
        }
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        match self {
            Self::Named(items) => items.finish(),
            Self::Verbatim(_) => Ok(()),
        }
    }
}

/// The pairs of digits from 00 to 99.
const PAIRS: &str = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
                     5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

#[inline]
fn push_integer(text: &mut String, value: u64) {
    match u8::try_from(value) {
        Ok(digit @ 0..10) => text.push(char::from(b'0' + digit)),
        _ => push_pairs(text, value),
    }
}

/// Writes a number of two digits or more, two at a time.
fn push_pairs(text: &mut String, value: u64) {
    if value >= 100 {
        push_integer(text, value / 100);
    }
    let pair = 2 * (value % 100) as usize;
    text.push_str(PAIRS.get(pair..pair + 2).unwrap_or_default());
}

/// Writes a string with its quotes and escapes.
#[inline]
fn push_quoted(text: &mut String, value: &str) {
    text.push('"');
    match find_special(value.as_bytes()) {
        None => text.push_str(value),
        Some(at) => push_escaped(text, value, at),
    }
    text.push('"');
}

/// Writes the inside of a string whose first special byte is known.
fn push_escaped(text: &mut String, value: &str, first: usize) {
    // Room for an escape here and there, since growing copies what is there already.
    if text.capacity() - text.len() <= value.len() {
        text.reserve(value.len() + value.len() / 16 + 2);
    }
    let (mut rest, mut next) = (value, Some(first));
    while let Some((plain, tail)) = next.and_then(|at| rest.split_at_checked(at)) {
        text.push_str(plain);
        let mut tail = tail.chars();
        match tail.next() {
            Some('"') => text.push_str("\\\""),
            Some('\\') => text.push_str("\\\\"),
            Some('\n') => text.push_str("\\n"),
            Some('\r') => text.push_str("\\r"),
            Some('\t') => text.push_str("\\t"),
            Some('\u{8}') => text.push_str("\\b"),
            Some('\u{c}') => text.push_str("\\f"),
            // Writing to a string cannot fail.
            Some(control) => drop(write!(text, "\\u{:04x}", u32::from(control))),
            None => {}
        }
        rest = tail.as_str();
        next = find_special(rest.as_bytes());
    }
    text.push_str(rest);
}

/// How many bytes stand for one.
#[inline]
fn escaped_length(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 2,
        0..b' ' => 6,
        _ => 1,
    }
}

/// Where the first byte is that cannot stand in a string as it is.
#[inline]
fn find_special(bytes: &[u8]) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        // Without an early end, so that the compiler compares all of them at once.
        if block.iter().fold(false, |found, byte| found | is_special(*byte)) {
            return find_special_here(block).map(|at| index * BLOCK + at);
        }
    }
    find_special_here(rest).map(|at| blocks.len() * BLOCK + at)
}

/// How many bytes are looked at together.
const BLOCK: usize = 32;

/// The same among a few bytes, eight at a time.
#[inline]
fn find_special_here(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        if let Some(at) = find_special_in(*word) {
            return Some(index * 8 + at);
        }
    }
    // Of what is left, the last four bytes overlap with the first four, or there are so few that each is looked at.
    match (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        (Some(&[a, b, c, d]), Some(&[e, f, g, h])) => {
            let at = find_special_in([a, b, c, d, e, f, g, h])?;
            Some(words.len() * 8 + if at < 4 { at } else { rest.len() + at - 8 })
        }
        _ => rest.iter().position(|byte| is_special(*byte)).map(|at| words.len() * 8 + at),
    }
}

/// The same among eight bytes, by arithmetic on all of them.
#[inline]
fn find_special_in(bytes: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    let word = u64::from_le_bytes(bytes);
    // Subtracting borrows the top bit of a byte that is less, unless it was set before. What a borrow does to the bytes
    // above is of no interest, since the lowest one counts.
    let is_less = |word: u64, than: u8| word.wrapping_sub(ONES * u64::from(than)) & !word;
    let is_byte = |byte: u8| is_less(word ^ (ONES * u64::from(byte)), 1);
    let found = (is_less(word, b' ') | is_byte(b'"') | is_byte(b'\\')) & TOPS;
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

#[inline]
fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}
