//! Why a value does not have the type that was asked for, and where inside it.

use std::borrow::Cow;
use std::fmt;

use crate::json::JsonRef;

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

impl Reason {
    #[cold]
    pub(crate) fn new(expected: impl Into<Cow<'static, str>>, found: String) -> Self {
        Self { path: Vec::new(), expected: expected.into(), found }
    }

    /// The value itself is of the wrong kind.
    #[cold]
    pub(crate) fn kind(expected: &'static str, found: JsonRef<'_>) -> Self {
        Self::new(expected, describe(found))
    }

    /// A required member is not there.
    #[cold]
    pub(crate) fn missing(name: &str) -> Self {
        Self::new(format!("the required member {name:?}"), MISSING.to_owned())
    }

    /// Whether a required member is not there.
    pub(crate) fn is_missing(&self) -> bool {
        self.found == MISSING
    }

    pub(crate) fn push(&mut self, segment: Segment) {
        self.path.push(segment);
    }

    pub(crate) fn within(mut self, segment: Segment) -> Self {
        self.push(segment);
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

    /// What the schema asks for, and what was found instead.
    pub(crate) fn into_words(self) -> (Cow<'static, str>, String) {
        (self.expected, self.found)
    }
}

const MISSING: &str = "an object without it";

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = self.pointer();
        if !pointer.is_empty() {
            write!(f, "{}: ", place(&pointer))?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// A value in a few words, for messages. Long strings and numbers are cut: a message should not repeat a megabyte.
pub(crate) fn describe(value: JsonRef<'_>) -> String {
    if let Some(text) = value.as_str() {
        return format!("the string {}", quote(&text));
    }
    if value.is_array() {
        return format!("an array of {}", value.items().count());
    }
    if value.is_object() {
        let mut names: Vec<Cow<'_, str>> = Vec::new();
        let mut more = "";
        for (name, _) in value.members() {
            if names.contains(&name) {
                continue;
            }
            if names.len() == 4 {
                more = ", …";
                break;
            }
            names.push(name);
        }
        let names: Vec<_> = names.iter().map(|name| quote(name)).collect();
        return match names.is_empty() {
            true => "an empty object".to_owned(),
            false => format!("an object with {}{more}", names.join(", ")),
        };
    }
    let text = value.text();
    let shown = beginning(text, 40);
    let more = if shown.len() < text.len() { "…" } else { "" };
    match text {
        "null" => text.to_owned(),
        "true" | "false" => format!("the boolean {text}"),
        _ => format!("the number {shown}{more}"),
    }
}

/// A string in a few words.
pub(crate) fn describe_str(text: &str) -> String {
    format!("the string {}", quote(text))
}

fn quote(text: &str) -> String {
    let shown = beginning(text, 40);
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{more}")
}

/// The first so many characters of a text.
fn beginning(text: &str, length: usize) -> &str {
    text.char_indices().nth(length).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// A name for a message: of a long one, the beginning.
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
pub(crate) fn place(pointer: &str) -> Cow<'_, str> {
    if pointer.is_empty() {
        return "(document)".into();
    }
    match pointer.char_indices().rev().nth(LONGEST).and_then(|(start, _)| pointer.get(start..)) {
        None => pointer.into(),
        Some(end) => format!("…{end}").into(),
    }
}
