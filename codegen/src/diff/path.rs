//! Path: a place in an edition as a value, and how it is written.
//!
//! A path is a name and steps: `Tool`, `Tool.inputSchema.type`, `Tool.tags[]`, `Tool.labels.*`, and for an alternative
//! `ServerRequest | PingRequest`. The name is that of a definition, a method or an error code. `*.title` is a member of
//! several definitions, `#.$schema` is a keyword outside of all definitions.
//!
//! A name that is not plain is written as a JSON string: `Tool["io.example/rank"]`, `"a | b".title`. The name of a
//! member is plain if it is an identifier of TypeScript, with or without the protocol's own prefix
//! (`_meta.io.modelcontextprotocol/serverInfo`). Any other name is plain if it consists of letters, digits, `_`, `$`,
//! `-` and `/`. Each path is written in one way, no two paths are written alike, and what is written can be read.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::plain::escaped_json;

/// A place in an edition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Path<'a> {
    root: Root<'a>,
    steps: Vec<Step<'a>>,
}

/// Where a path begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Root<'a> {
    /// A definition, a method or an error code.
    Name(Cow<'a, str>),
    /// Several definitions without a common base.
    Several,
    /// The document, outside of its definitions.
    Document,
}

/// A step from a value to a value inside it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Step<'a> {
    /// A member of an object.
    Member(Cow<'a, str>),
    /// The items of a list.
    Items,
    /// The values of an object that is used as a map.
    Values,
    /// A definition among the alternatives of a union.
    Alternative(Cow<'a, str>),
}

impl<'a> Step<'a> {
    pub(super) fn member(name: &'a str) -> Self {
        Self::Member(Cow::Borrowed(name))
    }

    fn owned(&self) -> Step<'static> {
        match self {
            Self::Member(name) => Step::Member(Cow::Owned(name.to_string())),
            Self::Alternative(name) => Step::Alternative(Cow::Owned(name.to_string())),
            Self::Items => Step::Items,
            Self::Values => Step::Values,
        }
    }
}

impl<'a> Path<'a> {
    /// The path of a definition, a method or an error code.
    pub fn of(name: impl Into<Cow<'a, str>>) -> Self {
        Self { root: Root::Name(name.into()), steps: Vec::new() }
    }

    /// The path of a keyword beside the definitions.
    pub(super) fn outside(keyword: impl Into<Cow<'a, str>>) -> Self {
        Self { root: Root::Document, steps: vec![Step::Member(keyword.into())] }
    }

    /// The same steps in several definitions.
    pub(super) fn in_several(steps: &[Step<'a>]) -> Self {
        Self { root: Root::Several, steps: steps.to_vec() }
    }

    /// The same steps from another definition.
    pub(super) fn rooted(&self, definition: &'a str) -> Self {
        Self { root: Root::Name(Cow::Borrowed(definition)), steps: self.steps.clone() }
    }

    /// The same with one more step.
    pub(super) fn then(mut self, step: Step<'a>) -> Self {
        self.steps.push(step);
        self
    }

    /// The name that the path begins with.
    pub(super) fn root(&self) -> Option<&str> {
        match &self.root {
            Root::Name(name) => Some(name),
            Root::Several | Root::Document => None,
        }
    }

    /// The name, if the path has no steps.
    pub(super) fn name(&self) -> Option<&str> {
        self.root().filter(|_| self.steps.is_empty())
    }

    /// Whether it stands for the same place in several definitions.
    pub(super) fn is_in_several(&self) -> bool {
        self.root == Root::Several
    }

    pub(super) fn steps(&self) -> &[Step<'a>] {
        &self.steps
    }

    /// The last step to a member or to values, and the steps after it.
    pub(super) fn end(&self) -> Option<&[Step<'a>]> {
        let is_last = |step: &Step<'_>| matches!(step, Step::Member(_) | Step::Values);
        self.steps.get(self.steps.iter().rposition(is_last)?..)
    }

    /// A copy that borrows nothing.
    pub(super) fn owned(&self) -> Path<'static> {
        let root = match &self.root {
            Root::Name(name) => Root::Name(Cow::Owned(name.to_string())),
            Root::Several => Root::Several,
            Root::Document => Root::Document,
        };
        Path { root, steps: self.steps.iter().map(Step::owned).collect() }
    }

    /// Writes the path in parts. The name of a definition stands beside the part that is written for it.
    pub(super) fn write(&self, put: &mut dyn FnMut(&str, Option<&str>) -> fmt::Result) -> fmt::Result {
        match &self.root {
            Root::Name(name) => put(&written(name), Some(name))?,
            Root::Several => put(SEVERAL, None)?,
            Root::Document => put(DOCUMENT, None)?,
        }
        for step in &self.steps {
            match step {
                Step::Member(name) if is_plain(name) => {
                    put(".", None)?;
                    put(name, None)?;
                }
                Step::Member(name) => put(&format!("[{}]", quoted(name)), None)?,
                Step::Items => put(ITEMS, None)?,
                Step::Values => put(VALUES, None)?,
                Step::Alternative(name) => {
                    put(BAR, None)?;
                    put(&written(name), Some(name))?;
                }
            }
        }
        Ok(())
    }
}

const SEVERAL: &str = "*";
const DOCUMENT: &str = "#";
const ITEMS: &str = "[]";
const VALUES: &str = ".*";
const BAR: &str = " | ";

/// The prefix of the protocol's own members among those of others. It needs no quotation marks.
const OWN_PREFIX: &str = "io.modelcontextprotocol/";

/// Whether a text is an identifier of TypeScript (in ASCII).
pub(super) fn is_identifier(text: &str) -> bool {
    text.bytes().all(in_identifier) && !text.is_empty() && !text.starts_with(|first: char| first.is_ascii_digit())
}

fn in_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

fn in_name(byte: u8) -> bool {
    in_identifier(byte) || matches!(byte, b'-' | b'/')
}

/// Whether the name of a member needs no quotation marks.
fn is_plain(member: &str) -> bool {
    is_identifier(member) || member.strip_prefix(OWN_PREFIX).is_some_and(is_identifier)
}

/// The name of a definition, a method or an error code, in quotation marks if it needs them.
fn written(name: &str) -> Cow<'_, str> {
    match name.bytes().all(in_name) && !name.is_empty() {
        true => name.into(),
        false => quoted(name).into(),
    }
}

/// A name as a JSON string, without any character that a format would change: every format has to print the same path.
fn quoted(name: &str) -> String {
    let text = escaped_json(&Value::from(name).to_string());
    // Sentences have paths between backticks, and `##[` is a command in the log of a workflow.
    text.replace('`', "\\u0060").replace("##[", "##\\u005b")
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(&mut |text, _| f.write_str(text))
    }
}

impl Default for Path<'_> {
    /// The path of an empty name.
    fn default() -> Self {
        Self::of("")
    }
}

/// The text is not a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPath;

impl fmt::Display for NoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a path: write it like `Tool.title` or `Tool[\"io.example/rank\"]`")
    }
}

impl std::error::Error for NoPath {}

/// Reads a path as it is written.
impl FromStr for Path<'static> {
    type Err = NoPath;

    fn from_str(text: &str) -> Result<Self, NoPath> {
        read(text).ok_or(NoPath)
    }
}

fn read(text: &str) -> Option<Path<'static>> {
    let (root, mut rest) = match (text.strip_prefix(SEVERAL), text.strip_prefix(DOCUMENT)) {
        (Some(rest), _) => (Root::Several, rest),
        (_, Some(rest)) => (Root::Document, rest),
        _ => read_name(text).map(|(name, rest)| (Root::Name(name.into()), rest))?,
    };
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let step;
        (step, rest) = read_step(rest)?;
        steps.push(step);
    }
    Some(Path { root, steps })
}

fn read_step(text: &str) -> Option<(Step<'static>, &str)> {
    if let Some(rest) = text.strip_prefix(ITEMS) {
        return Some((Step::Items, rest));
    }
    if let Some(rest) = text.strip_prefix(VALUES) {
        return Some((Step::Values, rest));
    }
    if let Some(rest) = text.strip_prefix(BAR) {
        return read_name(rest).map(|(name, rest)| (Step::Alternative(name.into()), rest));
    }
    let (name, rest) = match text.strip_prefix('[') {
        Some(rest) => read_quoted(rest).and_then(|(name, rest)| Some((name, rest.strip_prefix(']')?)))?,
        None => {
            let rest = text.strip_prefix('.')?;
            let (prefix, rest) = rest.strip_prefix(OWN_PREFIX).map_or(("", rest), |rest| (OWN_PREFIX, rest));
            let (name, rest) = split(rest, in_identifier);
            (is_identifier(name).then(|| format!("{prefix}{name}"))?, rest)
        }
    };
    Some((Step::Member(name.into()), rest))
}

fn read_name(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        return read_quoted(text);
    }
    let (name, rest) = split(text, in_name);
    (!name.is_empty()).then(|| (name.to_owned(), rest))
}

/// The first letters of a text, as long as they are allowed, and the rest.
fn split(text: &str, is_letter: fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(|byte| !is_letter(byte)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn read_quoted(text: &str) -> Option<(String, &str)> {
    let mut is_escaped = false;
    let is_end = |(_, c): &(usize, char)| {
        let is_end = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    };
    let (end, _) = text.char_indices().skip(1).find(is_end)?;
    let (name, rest) = text.split_at_checked(end + 1)?;
    Some((serde_json::from_str(name).ok()?, rest))
}

impl Serialize for Path<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// In JSON it is a string.
impl JsonSchema for Path<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
