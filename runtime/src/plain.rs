//! The plain form of a message, which nearly all messages have: each member of the envelope once, no other members, no
//! escapes in its names and strings, and the params or the result first or last among them.
//!
//! The envelope of such a message is taken apart without a parser: forwards up to the params or the result, then
//! backwards from the end of the text, so that the id is known before a result is read, wherever it stands. What is left
//! in the middle is one JSON value, which its reader proves. Whatever is not plain is left to [`crate::message`], which
//! reads everything, and explains what cannot be read.

use crate::RequestId;

/// A message in its plain form, still as text.
pub(crate) struct Plain<'a> {
    pub(crate) id: Option<Id<'a>>,
    pub(crate) method: Option<&'a str>,
    pub(crate) body: Body<'a>,
}

/// What the message carries: the text of one JSON value, as it seems.
#[derive(Clone, Copy)]
pub(crate) enum Body<'a> {
    None,
    Params(&'a str),
    Result(&'a str),
}

/// An id as it is written.
#[derive(Clone, Copy)]
pub(crate) enum Id<'a> {
    Integer(i64),
    String(&'a str),
}

impl From<Id<'_>> for RequestId {
    fn from(id: Id<'_>) -> Self {
        match id {
            Id::Integer(integer) => integer.into(),
            Id::String(text) => text.into(),
        }
    }
}

/// Takes a message apart, if it is plain.
pub(crate) fn take_apart(text: &str) -> Option<Plain<'_>> {
    let mut parts = Parts { text, id: None, method: None, has_version: false };
    let mut body = Body::None;
    let mut rest = after_space(text.as_bytes()).strip_prefix(b"{")?;
    loop {
        rest = after_space(rest);
        if let Some(value) = value_of(rest, b"\"jsonrpc\"") {
            rest = value.strip_prefix(VERSION).filter(|_| !parts.has_version)?;
            parts.has_version = true;
        } else if let Some(value) = value_of(rest, b"\"id\"") {
            rest = parts.id_before(value)?;
        } else if let Some(value) = value_of(rest, b"\"method\"") {
            rest = parts.method_before(value)?;
        } else if let Some(value) = value_of(rest, b"\"params\"") {
            body = Body::Params(parts.value_before_the_end(value)?);
            break;
        } else {
            body = Body::Result(parts.value_before_the_end(value_of(rest, b"\"result\"")?)?);
            break;
        }
        match after_space(rest) {
            [b',', more @ ..] => rest = more,
            [b'}', end @ ..] if after_space(end).is_empty() => break,
            _ => return None,
        }
    }
    parts.has_version.then_some(Plain { id: parts.id, method: parts.method, body })
}

const VERSION: &[u8] = b"\"2.0\"";

/// The members that have been found.
struct Parts<'a> {
    text: &'a str,
    id: Option<Id<'a>>,
    method: Option<&'a str>,
    has_version: bool,
}

impl<'a> Parts<'a> {
    /// Takes the id at the start of what is left of the text, and returns what follows it.
    #[inline]
    fn id_before<'b>(&mut self, rest: &'b [u8]) -> Option<&'b [u8]> {
        let (id, after) = match rest {
            [b'"', rest @ ..] => {
                let (id, after) = self.string(rest)?;
                // Escapes, and what would have to be one.
                let is_plain = id.bytes().all(|byte| byte >= b' ' && byte != b'\\');
                (is_plain.then_some(Id::String(id))?, after)
            }
            _ => {
                let (id, after) = integer(rest)?;
                (Id::Integer(id), after)
            }
        };
        self.id.replace(id).is_none().then_some(after)
    }

    /// Takes the method at the start of what is left of the text. One with escapes is none that anybody knows.
    #[inline]
    fn method_before<'b>(&mut self, rest: &'b [u8]) -> Option<&'b [u8]> {
        let (method, after) = self.string(rest.strip_prefix(b"\"")?)?;
        self.method.replace(method).is_none().then_some(after)
    }

    /// What comes before the next quote in what is left of the text, and what comes after it.
    #[inline]
    fn string<'b>(&self, rest: &'b [u8]) -> Option<(&'a str, &'b [u8])> {
        let end = rest.iter().position(|byte| *byte == b'"')?;
        let start = self.text.len() - rest.len();
        Some((self.text.get(start..start + end)?, rest.get(end + 1..)?))
    }

    /// The value at the start of what is left of the text, which ends with the other members and a brace.
    fn value_before_the_end(&mut self, rest: &[u8]) -> Option<&'a str> {
        let start = self.text.len() - rest.len();
        let mut value = before_space(before_space(rest).strip_suffix(b"}")?);
        // An object ends with a brace, and the members that may follow it do not. They are looked for from the end of the
        // text, each from its name on: what is found wrongly, in the middle of a string for instance, does not leave a
        // complete value before it.
        while let [.., last] = value
            && *last != b'}'
        {
            let name = value.iter().rposition(|byte| *byte == b',')?;
            let member = after_space(value.get(name + 1..)?);
            let end = self.text.len() - rest.len() + value.len();
            let mut found = Parts { text: self.text.get(..end)?, ..*self };
            let after = if let Some(version) = value_of(member, b"\"jsonrpc\"") {
                found.has_version = true;
                version.strip_prefix(VERSION).filter(|_| !self.has_version)?
            } else if let Some(id) = value_of(member, b"\"id\"") {
                found.id_before(id)?
            } else {
                found.method_before(value_of(member, b"\"method\"")?)?
            };
            if !after.is_empty() {
                return None;
            }
            *self = Parts { text: self.text, ..found };
            value = before_space(value.get(..name)?);
        }
        self.text.get(start..start + value.len())
    }
}

/// The value of a member, if the text starts with its name.
#[inline]
fn value_of<'b>(text: &'b [u8], name: &[u8]) -> Option<&'b [u8]> {
    Some(after_space(after_space(text.strip_prefix(name)?).strip_prefix(b":")?))
}

/// An integer at the start of a text, and what follows it.
#[inline]
fn integer(text: &[u8]) -> Option<(i64, &[u8])> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let (mut value, mut rest) = (0_i64, digits);
    while let [digit @ b'0'..=b'9', more @ ..] = rest {
        value = value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
        rest = more;
    }
    // Zeros in front are not JSON, `-0` is a float, and so is what goes on with a point or an exponent.
    let is_integer = match (digits, rest) {
        (_, [b'.' | b'e' | b'E', ..]) => false,
        ([b'0', ..], _) => !is_negative && digits.len() - rest.len() == 1,
        _ => digits.len() > rest.len(),
    };
    is_integer.then_some((if is_negative { -value } else { value }, rest))
}

/// The text without the white space before it.
#[inline]
fn after_space(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] = text {
        text = rest;
    }
    text
}

/// The text without the white space behind it.
#[inline]
fn before_space(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b' ' | b'\t' | b'\n' | b'\r'] = text {
        text = rest;
    }
    text
}
