//! Writing values as JSON text.
//!
//! What comes out is what serde_json writes of the same value, save for free-form JSON, which keeps the escapes it came with.
//! Messages are mostly strings, and the time it takes to write them is the time it takes to look for what has to be escaped:
//! this looks at many bytes at once.

use std::fmt;

use serde::ser::Serializer;

use crate::decode::Wire;
use crate::extra::{Extra, Kept};
use crate::json::{BLOCK, JsonRef, find_special, is_special, special_bits, transcode};
use crate::record::{Layout, Need};

/// Writes a value as JSON text on one line: JSON escapes the line ends inside strings.
///
/// It is the counterpart of [`from_str`](crate::from_str). It gives the text that `serde_json::to_string` gives, is quicker,
/// and keeps the escapes that free-form JSON came with.
///
/// ```
/// # use mcp_wire_core::json_object;
/// assert_eq!(mcp_wire_core::to_string(&json_object! { "city": "Paris", "days": 3 }), r#"{"city":"Paris","days":3}"#);
/// ```
pub fn to_string<T: Wire>(value: &T) -> String {
    let mut text = String::with_capacity(USUAL_LENGTH);
    value.write(&mut text);
    text
}

/// Gives a value to a serializer of any kind: its text, part by part.
pub fn serialize<T: Wire, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    transcode::serialize(JsonRef::from_valid(&to_string(value)), serializer)
}

/// Most messages fit into it, and the allocators of today have it at hand.
pub(crate) const USUAL_LENGTH: usize = 256;

/// The name of a member, as it is and as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Name {
    pub(crate) name: &'static str,
    /// With a comma, quotes and a colon; empty where the name needs escapes.
    written: &'static str,
}

impl Name {
    /// A name, and the same between a comma and a colon, in quotes.
    pub const fn new(name: &'static str, written: &'static str) -> Self {
        Self { name, written: if is_plain(name) { written } else { "" } }
    }
}

/// Whether a text stands in a JSON string as it is.
const fn is_plain(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [byte, more @ ..] = rest {
        if is_special(*byte) {
            return false;
        }
        rest = more;
    }
    true
}

/// A constant that an object must have.
#[derive(Debug, Clone, Copy)]
pub struct Constant {
    pub(crate) name: Name,
    pub(crate) value: ConstantValue,
    /// With a comma and its name; empty where one of them needs escapes.
    written: &'static str,
    /// Before which of the other members it is written.
    pub(crate) position: usize,
    /// Whether an object without it is invalid.
    pub(crate) is_required: bool,
}

/// The value of a constant.
#[derive(Debug, Clone, Copy)]
pub enum ConstantValue {
    /// A string.
    String(&'static str),
    /// What is written as it is: a number, `true`, `false` or `null`.
    Word(&'static str),
}

impl Constant {
    /// A constant of an object, and how it is written, with a comma before it.
    pub const fn new(name: Name, value: ConstantValue, written: &'static str, need: Need, position: usize) -> Self {
        let is_plain = match value {
            ConstantValue::String(value) => is_plain(value),
            ConstantValue::Word(_) => true,
        };
        let written = if is_plain && !name.written.is_empty() { written } else { "" };
        Self { name, value, written, position, is_required: matches!(need, Need::Required) }
    }

    /// Whether one of these is written before the member at a position.
    pub const fn is_any_at(constants: &[Self], position: usize) -> bool {
        let mut rest = constants;
        while let [constant, others @ ..] = rest {
            if constant.position == position {
                return true;
            }
            rest = others;
        }
        false
    }

    pub(crate) fn write(&self, text: &mut String) {
        match self.value {
            ConstantValue::String(value) => push_quoted(text, value),
            ConstantValue::Word(word) => text.push_str(word),
        }
    }

    /// Whether a value is the constant as JSON Schema sees it: 5.0 is 5.
    pub(crate) fn is(&self, value: JsonRef<'_>) -> bool {
        match self.value {
            ConstantValue::String(text) => value == text,
            ConstantValue::Word(word) => value == JsonRef::from_valid(word),
        }
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

/// An object while it is written: typed members first, then what was kept.
#[derive(Debug)]
pub struct ObjectWriter<'a> {
    text: &'a mut String,
    /// The length of the text when nothing has been written yet.
    start: usize,
    /// Nothing as a rule.
    kept: Option<&'a Kept>,
    /// Whether any of the members that are typed may be kept as well.
    may_hold_any: bool,
    /// Members that were kept, yet have a typed value now: the typed value wins.
    replaced: Vec<&'static str>,
}

impl<'a> ObjectWriter<'a> {
    /// Starts an object.
    #[inline]
    pub fn begin(text: &'a mut String, extra: &'a Extra, layout: &'static Layout) -> Self {
        text.push('{');
        let start = text.len();
        let kept = extra.kept();
        let mut may_hold_any = false;
        if let Some(kept) = kept {
            push_text(text, &kept.repeated);
            may_hold_any = kept.may_hold_any_of(layout);
        }
        Self { start, text, kept, may_hold_any, replaced: Vec::new() }
    }

    #[inline]
    fn separate(&mut self) {
        if self.text.len() > self.start {
            self.text.push(',');
        }
    }

    /// Writes text that begins with a comma, which the first member does without.
    #[inline]
    fn push(&mut self, written: &str) {
        let from = usize::from(self.text.len() == self.start);
        self.text.push_str(written.get(from..).unwrap_or_default());
    }

    #[inline]
    fn name(&mut self, name: Name) {
        match name.written {
            "" => self.escaped_name(name.name),
            written => self.push(written),
        }
    }

    #[cold]
    #[inline(never)]
    fn escaped_name(&mut self, name: &str) {
        self.separate();
        push_quoted(self.text, name);
        self.text.push(':');
    }

    /// Writes the constants that come before the member at a position, unless the object arrived without them or with
    /// other values.
    pub fn constants(&mut self, constants: &'static [Constant], position: usize) {
        for constant in constants.iter().filter(|constant| constant.position == position) {
            self.constant(constant);
        }
    }

    /// Writes a constant, unless the object arrived without it or with another value.
    #[inline]
    pub(crate) fn constant(&mut self, constant: &Constant) {
        if self.kept.is_some() && self.lacks(constant.name.name) {
            return;
        }
        match constant.written {
            "" => {
                self.name(constant.name);
                constant.write(self.text);
            }
            written => self.push(written),
        }
    }

    /// Whether the object arrived without a constant or with another value.
    #[cold]
    #[inline(never)]
    fn lacks(&mut self, name: &'static str) -> bool {
        let lacks = self.kept.is_some_and(|kept| kept.omitted.contains(&name) || kept.is_malformed(name));
        if !lacks {
            self.replace(name);
        }
        lacks
    }

    /// Writes the method of a message.
    #[inline]
    pub(crate) fn method(&mut self, name: Name, method: &str) {
        if self.kept.is_some() {
            self.replace(name.name);
        }
        self.name(name);
        push_quoted(self.text, method);
    }

    /// Writes a member that is always there.
    #[inline]
    pub fn required<T: Wire>(&mut self, name: Name, value: &T) {
        if self.kept.is_some() {
            self.replace(name.name);
        }
        self.name(name);
        value.write(self.text);
    }

    /// Writes a member if it is there.
    #[inline]
    pub fn optional<T: Wire>(&mut self, name: Name, value: &Option<T>) {
        if let Some(value) = value {
            self.required(name, value);
        }
    }

    /// Writes a member whose absence means the default, unless it was absent or did not fit and still has the default.
    #[inline]
    pub fn defaulted<T: Wire + PartialEq>(&mut self, name: Name, value: &T, default: &T) {
        match self.kept {
            Some(kept) if kept.omitted.contains(&name.name) && value == default => {}
            _ => self.required(name, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn replace(&mut self, name: &'static str) {
        if self.kept.is_some_and(|kept| kept.is_malformed(name) || self.may_hold_any && kept.has(name)) {
            self.replaced.push(name);
        }
    }

    /// Writes what was kept, and ends the object.
    #[inline]
    pub fn end(mut self) {
        if let Some(kept) = self.kept {
            self.write_kept(kept);
        }
        self.text.push('}');
    }

    #[inline(never)]
    fn write_kept(&mut self, kept: &Kept) {
        if self.replaced.is_empty() {
            if !kept.members.is_empty() {
                self.separate();
                push_text(self.text, &kept.members);
            }
            return;
        }
        for (name, member) in kept.written() {
            if !self.replaced.contains(&&*name) {
                self.separate();
                self.text.push_str(member);
            }
        }
    }
}

/// Writes a whole number.
pub(crate) fn push_integer(text: &mut String, value: i64) {
    // A sign and 19 digits, filled from the end.
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        start -= 1;
        if let Some(digit) = digits.get_mut(start) {
            *digit = b'0' + (rest % 10) as u8;
        }
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        text.push('-');
    }
    text.push_str(digits.get(start..).and_then(|digits| str::from_utf8(digits).ok()).unwrap_or_default());
}

/// Writes JSON as it is.
#[inline]
pub(crate) fn push_text(text: &mut String, json: &str) {
    if json.len() >= LONG {
        make_room(text, json.len(), 0);
    }
    text.push_str(json);
}

/// Writes a string with its quotes and escapes.
#[inline]
pub(crate) fn push_quoted(text: &mut String, value: &str) {
    if value.len() >= LONG {
        make_room(text, value.len(), 0);
    }
    text.push('"');
    match find_special(value.as_bytes(), 0) {
        None => text.push_str(value),
        Some(at) => push_escaped(text, value, at),
    }
    text.push('"');
}

/// From which length on a string makes room for itself.
const LONG: usize = 1024;

/// Makes room for a long part of a text, and for so much and a little after it. Room that doubles would be room for it once
/// more.
#[cold]
#[inline(never)]
fn make_room(text: &mut String, length: usize, after: usize) {
    if text.capacity() - text.len() <= length {
        // A quarter at least, so that many parts do not each copy what is there already.
        text.reserve_exact((length + after + USUAL_LENGTH).max(text.len() / 4));
    }
}

/// Writes the inside of a string whose first special byte is known.
///
/// Where the next escape comes cannot be foreseen, so that a branch per escape would cost more than all the rest. Where they
/// are close to each other, those of a block are found at once, and what stands between two of them is copied in one size.
#[inline(never)]
fn push_escaped(text: &mut String, value: &str, first: usize) {
    let bytes = value.as_bytes();
    let mut buffer = [0; PIECE];
    let (mut written, mut next) = (0, Some(first));
    while let Some(at) = next
        && bytes.len() - written >= 2 * BLOCK
    {
        let piece = if at - written < FAR { escaped(value, written, &mut buffer) } else { None };
        written = match piece {
            Some((end, piece)) => {
                room_for(text, piece.len(), bytes.len() - end);
                text.push_str(piece);
                end
            }
            None => {
                room_for(text, at - written + LONGEST_ESCAPE, bytes.len() - at);
                push_until(text, value, written, at)
            }
        };
        next = find_special(bytes, written);
    }
    while let Some(at) = next {
        written = push_until(text, value, written, at);
        next = find_special(bytes, written);
    }
    push_text(text, value.get(written..).unwrap_or_default());
}

/// Writes what stands before an escape, and the escape. Where it ends.
#[inline]
fn push_until(text: &mut String, value: &str, from: usize, at: usize) -> usize {
    text.push_str(value.get(from..at).unwrap_or_default());
    push_escape(text, value.as_bytes().get(at).copied().unwrap_or_default());
    at + 1
}

/// Makes room for the next part of a string, and for what comes after it.
#[inline]
fn room_for(text: &mut String, part: usize, after: usize) {
    if text.capacity() - text.len() <= part {
        make_room(text, part, after);
    }
}

/// How many plain bytes before an escape are copied by themselves.
const FAR: usize = 4 * BLOCK;

/// How much of a string with its escapes is put together at once.
const PIECE: usize = 16 * BLOCK;

/// `\u001f`.
const LONGEST_ESCAPE: usize = 6;

/// Some of a string with its escapes, and where it ends; nothing at an escape that is long, and among characters beyond ASCII,
/// since looking at them once more to see that they are UTF-8 would cost more than is gained.
fn escaped<'b>(value: &str, from: usize, buffer: &'b mut [u8; PIECE]) -> Option<(usize, &'b str)> {
    let (mut end, mut length) = (from, 0);
    while let Some(block) = value.as_bytes().get(end..).and_then(<[u8]>::first_chunk)
        && let Some(longer) = escape_block(block, buffer, length)
    {
        (end, length) = (end + BLOCK, longer);
    }
    let piece = str::from_utf8(buffer.get(..length)?).ok()?;
    (end > from).then_some((end, piece))
}

/// Writes the first half of two blocks with its escapes; the other half is there to be copied in vain. It returns the new
/// length.
#[inline]
fn escape_block(block: &[u8; 2 * BLOCK], buffer: &mut [u8; PIECE], mut length: usize) -> Option<usize> {
    let first: &[u8; BLOCK] = block.first_chunk()?;
    if length + 3 * BLOCK > PIECE || !first.is_ascii() {
        return None;
    }
    let mut specials = special_bits(first);
    let mut from = 0;
    while specials != 0 {
        let at = specials.trailing_zeros() as usize;
        specials &= specials - 1;
        copy::<USUAL_RUN>(block, from, buffer, length)?;
        if at - from > USUAL_RUN {
            copy::<BLOCK>(block, from, buffer, length)?;
        }
        length += at - from;
        let escape = SHORT_ESCAPES.get(usize::from(*block.get(at)?)).filter(|escape| **escape != 0)?;
        *buffer.get_mut(length..)?.first_chunk_mut()? = [b'\\', *escape];
        length += 2;
        from = at + 1;
    }
    copy::<BLOCK>(block, from, buffer, length)?;
    Some(length + BLOCK - from)
}

/// What stands between two escapes is rarely longer, where they are close to each other.
const USUAL_RUN: usize = 32;

/// Copies so many bytes.
#[inline(always)]
fn copy<const N: usize>(from: &[u8], at: usize, to: &mut [u8], length: usize) -> Option<()> {
    *to.get_mut(length..)?.first_chunk_mut::<N>()? = *from.get(at..)?.first_chunk()?;
    Some(())
}

/// What follows the backslash in an escape of two characters; zero for what has none, or needs none.
#[allow(clippy::indexing_slicing, reason = "it is evaluated by the compiler")]
const SHORT_ESCAPES: [u8; 256] = {
    let mut escapes = [0; 256];
    let mut rest: &[(u8, u8)] =
        &[(b'"', b'"'), (b'\\', b'\\'), (b'\n', b'n'), (b'\r', b'r'), (b'\t', b't'), (8, b'b'), (12, b'f')];
    while let [(byte, escape), others @ ..] = rest {
        escapes[*byte as usize] = *escape;
        rest = others;
    }
    escapes
};

/// Writes a special byte as an escape.
#[inline]
fn push_escape(text: &mut String, byte: u8) {
    text.push_str(match byte {
        b'\n' => "\\n",
        b'"' => "\\\"",
        b'\\' => "\\\\",
        b'\t' => "\\t",
        b'\r' => "\\r",
        8 => "\\b",
        12 => "\\f",
        control => {
            text.push_str("\\u00");
            for digit in [control >> 4, control & 15] {
                text.push(char::from_digit(digit.into(), 16).unwrap_or_default());
            }
            return;
        }
    });
}

/// How many bytes a string takes that may have to be escaped.
pub(crate) fn quoted_length(value: &str) -> usize {
    let escaped = value.bytes().map(|byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 2,
        0..b' ' => 6,
        _ => 1,
    });
    escaped.sum::<usize>() + 2
}
