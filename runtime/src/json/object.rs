//! A JSON object with any members, kept as text until somebody changes it.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::reader::{Reader, Stop};
use super::syntax::{Problem, SyntaxError};
use super::value::{self, Json, JsonRef, WriteError};
use super::{equal, transcode};
use crate::map::{Entries, Map};
use crate::write::{push_quoted, push_text};

/// A JSON object with any members, such as the arguments of a tool.
///
/// It is [`Json`], kept as text with all that this means, and read and changed like a map. As long as nobody changes it, it
/// is written as it came, repeated members and all. Whoever changes it writes what a map holds: of repeated members the
/// last one.
///
/// ```
/// # use mcp_wire_core::{JsonObject, json_object};
/// let mut arguments = json_object! { "city": "Paris", "days": 3 };
/// assert_eq!(arguments.get("days").unwrap(), 3);
///
/// arguments.insert("units", "metric");
/// arguments.remove("days");
/// assert_eq!(arguments.to_string(), r#"{"city":"Paris","units":"metric"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// A type of one's own is read straight from the text:
///
/// ```
/// # use mcp_wire_core::json_object;
/// #[derive(serde::Deserialize)]
/// struct Forecast { city: String, days: u32 }
///
/// let forecast: Forecast = json_object! { "city": "Paris", "days": 3 }.parse()?;
/// assert_eq!((&*forecast.city, forecast.days), ("Paris", 3));
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// Looking a member up goes through the text. To look up many in a large object, go through [`iter`](Self::iter) once, or
/// [`parse`](Self::parse) it.
#[derive(Clone, Default)]
pub struct JsonObject {
    /// Nothing for the empty object, which costs no memory then.
    text: Box<str>,
    /// The members, from when the object has been changed; the text is empty then.
    changed: Option<Box<Map<Json>>>,
}

const EMPTY: &str = "{}";

impl JsonObject {
    /// An object without members.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// What serde makes of a value, if it is an object.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, WriteError> {
        Json::of(value)?.into_object().ok_or_else(|| WriteError::new("the value is not an object"))
    }

    /// A text that is known to be a valid object without white space around its parts.
    #[inline]
    pub(crate) fn from_valid(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        Self { text: if &*text == EMPTY { Box::default() } else { text }, changed: None }
    }

    /// Reads an object at its opening brace.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Stop> {
        Json::read(reader).map(|json| Self::from_valid(json.into_text()))
    }

    /// The object as JSON text on one line.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.changed {
            None if self.text.is_empty() => EMPTY.into(),
            None => (*self.text).into(),
            Some(_) => {
                let mut text = String::new();
                self.write(&mut text);
                text.into()
            }
        }
    }

    /// Writes the object.
    #[inline]
    pub(crate) fn write(&self, text: &mut String) {
        match &self.changed {
            None if self.text.is_empty() => text.push_str(EMPTY),
            None => push_text(text, &self.text),
            Some(members) => write_members(members, text),
        }
    }

    /// How many members there are, repeated ones as often as they are written.
    pub fn len(&self) -> usize {
        self.changed.as_ref().map_or_else(|| self.iter().count(), |members| members.len())
    }

    /// Whether there are no members.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.changed.as_ref().map_or(self.text.is_empty(), |members| members.is_empty())
    }

    /// The value of a member. Of repeated ones it is the last.
    pub fn get(&self, name: &str) -> Option<JsonRef<'_>> {
        match &self.changed {
            None => JsonRef::from_valid(&self.text).get(name),
            Some(members) => members.get(name).map(Json::as_ref),
        }
    }

    /// Whether there is a member of this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The members in their order, repeated ones as often as they are written.
    pub fn iter(&self) -> Iter<'_> {
        Iter(match &self.changed {
            None => Inner::Text(JsonRef::from_valid(&self.text).members()),
            Some(members) => Inner::Map(members.iter()),
        })
    }

    /// The names of the members in their order.
    pub fn keys(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.iter().map(|(name, _)| name)
    }

    /// The values of the members in their order.
    pub fn values(&self) -> impl Iterator<Item = JsonRef<'_>> {
        self.iter().map(|(_, value)| value)
    }

    /// Sets a member, in its place or at the end, and returns the value it had.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Json>) -> Option<Json> {
        self.map().insert(name.into(), value.into())
    }

    /// Removes a member, and returns its value. The others keep their order.
    pub fn remove(&mut self, name: &str) -> Option<Json> {
        self.map().remove(name)
    }

    /// The value of a member, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json> {
        self.map().get_mut(name)
    }

    /// Keeps the members for which this holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &Json) -> bool) {
        self.map().retain(|name, value| keep(name, value));
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Reads the object as a type of one's own, straight from the text.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.text())
    }

    /// The object as a tree in memory, which [rounds numbers](JsonRef::to_value).
    pub fn to_value(&self) -> Value {
        JsonRef::from_valid(&self.text()).to_value()
    }

    fn map(&mut self) -> &mut Map<Json> {
        self.changed.get_or_insert_with(|| {
            let text = std::mem::take(&mut self.text);
            let members = JsonRef::from_valid(&text).members();
            Box::new(members.map(|(name, value)| (name.into_owned(), value.into())).collect())
        })
    }
}

#[cold]
fn write_members(members: &Map<Json>, text: &mut String) {
    text.push('{');
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        push_quoted(text, name);
        text.push(':');
        text.push_str(value.text());
    }
    text.push('}');
}

/// The members of a [`JsonObject`].
#[derive(Debug)]
pub struct Iter<'a>(Inner<'a>);

#[derive(Debug)]
enum Inner<'a> {
    Text(value::Members<'a>),
    Map(Entries<'a, Json>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (Cow<'a, str>, JsonRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Inner::Text(members) => members.next(),
            Inner::Map(members) => members.next().map(|(name, value)| (name.into(), value.as_ref())),
        }
    }
}

impl<'a> IntoIterator for &'a JsonObject {
    type Item = (Cow<'a, str>, JsonRef<'a>);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// What a map holds: of repeated members the last one.
impl IntoIterator for JsonObject {
    type Item = (String, Json);
    type IntoIter = std::vec::IntoIter<(String, Json)>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(self.map()).into_iter()
    }
}

impl<N: Into<String>, V: Into<Json>> FromIterator<(N, V)> for JsonObject {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        let members: Map<Json> = members.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { text: Box::default(), changed: Some(Box::new(members)) }
    }
}

impl<N: Into<String>, V: Into<Json>> Extend<(N, V)> for JsonObject {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, members: I) {
        self.map().extend(members.into_iter().map(|(name, value)| (name.into(), value.into())));
    }
}

impl<N: Into<String>, V: Into<Json>, const LENGTH: usize> From<[(N, V); LENGTH]> for JsonObject {
    fn from(members: [(N, V); LENGTH]) -> Self {
        members.into_iter().collect()
    }
}

/// What serde_json's tree holds, as it is.
impl From<serde_json::Map<String, Value>> for JsonObject {
    fn from(members: serde_json::Map<String, Value>) -> Self {
        Self::from_valid(Value::Object(members).to_string())
    }
}

impl From<JsonObject> for Json {
    fn from(object: JsonObject) -> Self {
        Json::from_valid(object.text())
    }
}

impl From<&JsonObject> for Json {
    fn from(object: &JsonObject) -> Self {
        Json::from_valid(object.text())
    }
}

/// Gives the value back if it is no object.
impl TryFrom<Json> for JsonObject {
    type Error = Json;

    fn try_from(json: Json) -> Result<Self, Json> {
        if json.is_object() { Ok(Self::from_valid(json.into_text())) } else { Err(json) }
    }
}

impl FromStr for JsonObject {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        Json::from_str(text)?.into_object().ok_or_else(|| SyntaxError::new(Problem::Object, text.as_bytes(), 0))
    }
}

impl fmt::Display for JsonObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for JsonObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl PartialEq for JsonObject {
    fn eq(&self, other: &Self) -> bool {
        equal::same(&self.text(), &other.text())
    }
}

impl Eq for JsonObject {}

impl Hash for JsonObject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        equal::hash(JsonRef::from_valid(&self.text()), state);
    }
}

macro_rules! equal_to {
    ($($type:ty),*) => {$(
        impl PartialEq<$type> for JsonObject {
            fn eq(&self, other: &$type) -> bool {
                JsonRef::from_valid(&self.text()) == *other
            }
        }
        impl PartialEq<JsonObject> for $type {
            fn eq(&self, other: &JsonObject) -> bool {
                other == self
            }
        }
    )*};
}

equal_to!(Json, Value);

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        transcode::serialize(JsonRef::from_valid(&self.text()), serializer)
    }
}

impl<'de> Deserialize<'de> for JsonObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        transcode::deserialize(deserializer)
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for JsonObject {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "JsonObject".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}
