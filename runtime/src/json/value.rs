//! A JSON value that is kept as text.

mod compare;
mod convert;
mod look;

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::reader::{Reader, Stop, compact};
use super::syntax::SyntaxError;
use super::{JsonObject, transcode};

pub use look::{Items, JsonRef, Members};

/// A JSON value of any kind, kept as the text it arrived as.
///
/// Nothing is lost of it: numbers have all their digits, members their order, even repeated ones. It is parsed when somebody
/// looks, and only as far as they look. Only white space between its parts is not kept.
///
/// ```
/// # use mcp_wire_core::{Json, json_value};
/// let json: Json = r#"{"price": 19.90, "tags": ["a", "b"]}"#.parse()?;
/// assert_eq!(json.text(), r#"{"price":19.90,"tags":["a","b"]}"#);
/// assert_eq!(json.get("tags").unwrap().items().count(), 2);
/// assert_eq!(json.get("price").unwrap().as_f64(), Some(19.9));
/// assert_eq!(json, json_value!({ "tags": ["a", "b"], "price": 19.9 })); // equal by value
/// # Ok::<(), mcp_wire_core::SyntaxError>(())
/// ```
///
/// Into a type of one's own goes [`parse`](Self::parse), from one comes [`of`](Self::of):
///
/// ```
/// # use mcp_wire_core::{Json, json_value};
/// let point: (u32, f64) = json_value!([3, 0.5]).parse()?;
/// assert_eq!(Json::of(&point)?.text(), "[3,0.5]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Two values are equal if they mean the same: numbers by their exact decimal value, strings by their characters, arrays
/// item by item, and objects by their members in any order, where of repeated ones the last one counts.
// Empty for `null`, which costs no memory then.
#[derive(Clone, Default)]
pub struct Json(Box<str>);

impl Json {
    /// `null`.
    pub const NULL_TEXT: &'static str = "null";

    /// What serde makes of a value. Numbers and order stay what they are there.
    ///
    /// It fails for what JSON cannot express, such as a map whose keys are no strings, and for what nests deeper than
    /// [`MAX_DEPTH`](crate::MAX_DEPTH).
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, WriteError> {
        let text = serde_json::to_string(value).map_err(|error| WriteError(error.to_string()))?;
        // What pretends to be raw text is passed on unseen.
        match validated(&text) {
            Ok(0) => Ok(Self::from_valid(text)),
            Ok(spaces) => Ok(Self::from_passed(&text, spaces)),
            Err(error) => Err(WriteError(error.to_string())),
        }
    }

    /// A text that is known to be one valid value without white space around its parts.
    #[inline]
    pub(crate) fn from_valid(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        if &*text == Self::NULL_TEXT { Self::default() } else { Self(text) }
    }

    /// Reads a value.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Stop> {
        let start = reader.start();
        let spaces = reader.spaces();
        reader.skip()?;
        Ok(Self::from_passed(reader.since(start), reader.spaces() - spaces))
    }

    /// A value that a reader has passed, and how much white space it has inside.
    #[inline]
    pub(crate) fn from_passed(text: &str, spaces: usize) -> Self {
        match spaces {
            0 => Self::from_valid(text),
            _ => Self::from_valid(compact(text, text.len() - spaces)),
        }
    }

    /// The value as JSON text on one line.
    #[inline]
    pub fn text(&self) -> &str {
        if self.0.is_empty() { Self::NULL_TEXT } else { &self.0 }
    }

    /// The value, to be looked into.
    #[inline]
    pub fn as_ref(&self) -> JsonRef<'_> {
        JsonRef::from_valid(self.text())
    }

    /// Reads the value as a type of one's own, straight from the text.
    ///
    /// ```
    /// # use mcp_wire_core::json_value;
    /// #[derive(serde::Deserialize)]
    /// struct Point { x: f64, y: f64 }
    ///
    /// let point: Point = json_value!({ "x": 1, "y": 2.5 }).parse()?;
    /// assert_eq!(point.x + point.y, 3.5);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text())
    }

    /// The object, if the value is one.
    pub fn into_object(self) -> Option<JsonObject> {
        self.try_into().ok()
    }

    #[inline]
    pub(crate) fn into_text(self) -> Box<str> {
        if self.0.is_empty() { Self::NULL_TEXT.into() } else { self.0 }
    }
}

/// Makes sure that a text is one JSON value. How much white space there is in it.
pub(super) fn validated(text: &str) -> Result<usize, SyntaxError> {
    let mut reader = Reader::new(text);
    match reader.skip().and_then(|()| reader.end()) {
        Ok(()) => Ok(reader.spaces()),
        Err(Stop) => Err(reader.error()),
    }
}

impl FromStr for Json {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let mut reader = Reader::new(text);
        let json = Self::read(&mut reader).and_then(|json| reader.end().map(|()| json));
        json.map_err(|Stop| reader.error())
    }
}

/// Why a value has no form in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteError(String);

impl WriteError {
    pub(crate) fn new(problem: &str) -> Self {
        Self(problem.to_owned())
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not expressible in JSON: {}", self.0)
    }
}

impl std::error::Error for WriteError {}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        transcode::deserialize(deserializer)
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Json {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!(true)
    }
}
