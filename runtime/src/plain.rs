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
    let mut plain = Plain { id: None, method: None, body: Body::None };
    let mut has_version = false;
    let mut rest = after_space(text).strip_prefix('{')?;
    loop {
        let (name, after) = string(after_space(rest))?;
        let value = after_space(after_space(after).strip_prefix(':')?);
        rest = match name {
            "jsonrpc" if !has_version => {
                has_version = true;
                value.strip_prefix(VERSION)?
            }
            "id" if plain.id.is_none() => {
                let (id, after) = id(value)?;
                plain.id = Some(id);
                after
            }
            "method" if plain.method.is_none() => {
                let (method, after) = string(value)?;
                plain.method = Some(method);
                after
            }
            "params" => {
                plain.body = Body::Params(without_end(value, &mut plain, &mut has_version)?);
                break;
            }
            "result" => {
                plain.body = Body::Result(without_end(value, &mut plain, &mut has_version)?);
                break;
            }
            _ => return None,
        };
        rest = after_space(rest);
        if let Some(more) = rest.strip_prefix(',') {
            rest = more;
        } else if after_space(rest.strip_prefix('}')?).is_empty() {
            break;
        } else {
            return None;
        }
    }
    has_version.then_some(plain)
}

const VERSION: &str = "\"2.0\"";

/// The value at the start of a text that ends with the other members of its object and a brace.
fn without_end<'a>(text: &'a str, plain: &mut Plain<'a>, has_version: &mut bool) -> Option<&'a str> {
    let mut value = before_space(before_space(text).strip_suffix('}')?);
    // An object ends with a brace, and the members that may follow it do not.
    while !value.ends_with('}') {
        let (before, name) = if let Some(before) = value.strip_suffix(VERSION).filter(|_| !*has_version) {
            *has_version = true;
            (before, "\"jsonrpc\"")
        } else if let Some(quoted) = value.strip_suffix('"') {
            let (before, content) = quoted.rsplit_once('"')?;
            // A quote after a backslash is part of a string that starts elsewhere.
            if before.ends_with('\\') || !content.bytes().all(is_plain) {
                return None;
            }
            match name_of(before)? {
                "\"method\"" if plain.method.is_none() => {
                    plain.method = Some(content);
                    (before, "\"method\"")
                }
                "\"id\"" if plain.id.is_none() => {
                    plain.id = Some(Id::String(content));
                    (before, "\"id\"")
                }
                _ => return None,
            }
        } else {
            let before = value.trim_end_matches(|digit: char| digit.is_ascii_digit() || digit == '-');
            let (id, after) = id(value.strip_prefix(before)?).filter(|_| plain.id.is_none())?;
            after.is_empty().then_some(())?;
            plain.id = Some(id);
            (before, "\"id\"")
        };
        let before = before_space(before_space(before).strip_suffix(':')?).strip_suffix(name)?;
        value = before_space(before_space(before).strip_suffix(',')?);
    }
    Some(value)
}

/// The quoted name before a value, of those that a string can have.
fn name_of(before: &str) -> Option<&'static str> {
    let before = before_space(before_space(before).strip_suffix(':')?);
    ["\"method\"", "\"id\""].into_iter().find(|name| before.ends_with(name))
}

/// A string without escapes at the start of a text, and what follows it.
#[inline]
fn string(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('"')?;
    let end = text.bytes().position(|byte| !is_plain(byte))?;
    let (content, rest) = text.split_at_checked(end)?;
    Some((content, rest.strip_prefix('"')?))
}

/// Whether a byte stands for itself inside a string.
#[inline]
fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// An id at the start of a text, and what follows it.
#[inline]
fn id(text: &str) -> Option<(Id<'_>, &str)> {
    if text.starts_with('"') {
        return string(text).map(|(id, rest)| (Id::String(id), rest));
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let after = digits.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let number = text.strip_suffix(after)?;
    // Zeros in front are not JSON, `-0` is a float, and so is what goes on with a point or an exponent.
    if digits.starts_with('0') && number != "0" || after.starts_with(['.', 'e', 'E']) {
        return None;
    }
    Some((Id::Integer(number.parse().ok()?), after))
}

/// The text without the white space before it.
#[inline]
fn after_space(text: &str) -> &str {
    text.trim_start_matches(SPACE)
}

/// The text without the white space behind it.
#[inline]
fn before_space(text: &str) -> &str {
    text.trim_end_matches(SPACE)
}

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
