//! Maps to one type that keep the values which do not have it.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use indexmap::IndexMap;
use indexmap::map::{IntoIter, Iter, IterMut};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::check::Checker;
use crate::decode::{Fit, Misfit, Unfit, Wire, deserialize, expecting, visit_values};

/// A JSON object whose values all have one type, in the order they came. Malformed values, which do not have it, are kept
/// apart.
///
/// It reads like an [`IndexMap`] of the well-formed values. Malformed ones cost them nothing, stand in
/// [`malformed`](Self::malformed), are reported by `check()`, and are written back where they stood, as long as nobody
/// changes the map.
///
/// **Whoever changes the map writes what they see.** Every mutable access drops the malformed values, whether it goes on
/// to change anything or not: `retain`, `clear`, `insert`, `get_mut`, `values_mut`.
///
/// ```
/// # use mcp_wire_core::Dict;
/// let mut arguments: Dict<String> = serde_json::from_str(r#"{"city":"Paris","evil":{"a":1},"day":"1"}"#)?;
/// assert_eq!(serde_json::to_string(&arguments)?, r#"{"city":"Paris","evil":{"a":1},"day":"1"}"#);
///
/// arguments.retain(|name, _| name == "city");
/// assert_eq!(serde_json::to_string(&arguments)?, r#"{"city":"Paris"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// [`keeping_malformed`](Self::keeping_malformed) changes the map and keeps them.
#[derive(Clone)]
pub struct Dict<T> {
    items: IndexMap<String, T>,
    /// Nothing as a rule.
    malformed: Option<Box<Malformed>>,
}

/// Malformed values by their keys, each with its position among all values. They are keyed, so that of repeated keys the
/// last one counts.
#[derive(Clone, Default)]
struct Malformed(IndexMap<String, (usize, Value)>);

impl<T> Dict<T> {
    /// A map without values.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// The malformed values, each with its key.
    ///
    /// ```
    /// # use mcp_wire_core::Dict;
    /// let dict: Dict<String> = serde_json::from_str(r#"{"a":"1","b":2}"#)?;
    /// assert_eq!(dict.len(), 1);
    /// assert_eq!(dict.malformed().next(), Some(("b", &2.into())));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn malformed(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.positioned().map(|(key, (_, value))| (key.as_str(), value))
    }

    /// Removes the malformed values, and returns them with their keys.
    ///
    /// ```
    /// # use mcp_wire_core::Dict;
    /// let mut dict: Dict<String> = serde_json::from_str(r#"{"a":"1","b":2}"#)?;
    /// assert_eq!(dict.take_malformed(), [("b".to_owned(), 2.into())]);
    /// assert_eq!(serde_json::to_string(&dict)?, r#"{"a":"1"}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn take_malformed(&mut self) -> Vec<(String, Value)> {
        let taken = self.malformed.take().unwrap_or_default();
        let unseen = taken.0.into_iter().filter(|(key, _)| !self.items.contains_key(key));
        unseen.map(|(key, (_, value))| (key, value)).collect()
    }

    /// Removes the malformed values.
    ///
    /// ```
    /// # use mcp_wire_core::Dict;
    /// let mut dict: Dict<String> = serde_json::from_str(r#"{"a":"1","b":2}"#)?;
    /// dict.drop_malformed();
    /// assert_eq!(serde_json::to_string(&dict)?, r#"{"a":"1"}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[inline]
    pub fn drop_malformed(&mut self) {
        self.malformed = None;
    }

    /// The well-formed values, to be changed while the malformed ones are kept. One whose key gets a well-formed value is
    /// replaced by it.
    ///
    /// ```
    /// # use mcp_wire_core::Dict;
    /// let mut dict: Dict<String> = serde_json::from_str(r#"{"a":"1","b":2,"c":3}"#)?;
    /// dict.keeping_malformed().insert("b".to_owned(), "two".to_owned());
    /// assert_eq!(serde_json::to_string(&dict)?, r#"{"a":"1","b":"two","c":3}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[inline]
    pub fn keeping_malformed(&mut self) -> &mut IndexMap<String, T> {
        &mut self.items
    }

    /// The malformed values that no well-formed one has replaced.
    fn positioned(&self) -> impl Iterator<Item = (&String, &(usize, Value))> {
        let malformed = self.malformed.iter().flat_map(|malformed| &malformed.0);
        malformed.filter(|(key, _)| !self.items.contains_key(*key))
    }

    fn malformed_value(&self, key: &str) -> Option<&Value> {
        self.malformed.as_ref()?.0.get(key).map(|(_, value)| value)
    }

    /// All values in the order in which they are written: well-formed ones are `Ok`.
    fn all(&self) -> impl Iterator<Item = (&String, Result<&T, &Value>)> {
        let mut malformed = self.positioned().peekable();
        let mut items = self.items.iter();
        let mut position = 0;
        std::iter::from_fn(move || {
            let due = malformed.next_if(|(_, (place, _))| *place <= position);
            position += 1;
            let item = match due {
                Some(_) => None,
                None => items.next(),
            };
            match item {
                Some((key, item)) => Some((key, Ok(item))),
                // Where the well-formed values became fewer, malformed ones close ranks.
                None => due.or_else(|| malformed.next()).map(|(key, (_, value))| (key, Err(value))),
            }
        })
    }

    #[inline]
    fn add(&mut self, key: String, fit: Fit<T>) {
        match fit {
            Ok(item) => {
                if let Some(malformed) = &mut self.malformed {
                    malformed.0.swap_remove(&key);
                }
                self.items.insert(key, item);
            }
            Err(misfit) => self.add_malformed(key, misfit.value),
        }
    }

    #[cold]
    fn add_malformed(&mut self, key: String, value: Value) {
        // Swapping is constant time: a hostile message may repeat a key a million times.
        self.items.swap_remove(&key);
        let malformed = &mut self.malformed.get_or_insert_default().0;
        let position = self.items.len() + malformed.len();
        malformed.insert(key, (position, value));
    }
}

impl<T> Default for Dict<T> {
    #[inline]
    fn default() -> Self {
        IndexMap::new().into()
    }
}

impl<T> Deref for Dict<T> {
    type Target = IndexMap<String, T>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.items
    }
}

/// Drops the malformed values.
impl<T> DerefMut for Dict<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.drop_malformed();
        &mut self.items
    }
}

impl<T> From<IndexMap<String, T>> for Dict<T> {
    #[inline]
    fn from(items: IndexMap<String, T>) -> Self {
        Self { items, malformed: None }
    }
}

/// The well-formed values.
impl<T> From<Dict<T>> for IndexMap<String, T> {
    #[inline]
    fn from(dict: Dict<T>) -> Self {
        dict.items
    }
}

impl<T, const N: usize> From<[(String, T); N]> for Dict<T> {
    #[inline]
    fn from(items: [(String, T); N]) -> Self {
        IndexMap::from(items).into()
    }
}

impl<T> FromIterator<(String, T)> for Dict<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = (String, T)>>(items: I) -> Self {
        IndexMap::from_iter(items).into()
    }
}

/// Drops the malformed values.
impl<T> Extend<(String, T)> for Dict<T> {
    #[inline]
    fn extend<I: IntoIterator<Item = (String, T)>>(&mut self, items: I) {
        self.deref_mut().extend(items);
    }
}

/// The well-formed values.
impl<T> IntoIterator for Dict<T> {
    type Item = (String, T);
    type IntoIter = IntoIter<String, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// The well-formed values.
impl<'a, T> IntoIterator for &'a Dict<T> {
    type Item = (&'a String, &'a T);
    type IntoIter = Iter<'a, String, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

/// Drops the malformed values.
impl<'a, T> IntoIterator for &'a mut Dict<T> {
    type Item = (&'a String, &'a mut T);
    type IntoIter = IterMut<'a, String, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.deref_mut().iter_mut()
    }
}

/// The order of the values does not count.
impl<T: PartialEq> PartialEq for Dict<T> {
    fn eq(&self, other: &Self) -> bool {
        let malformed = |dict: &Self| dict.malformed().count();
        self.items == other.items
            && malformed(self) == malformed(other)
            && self.malformed().all(|(key, value)| other.malformed_value(key) == Some(value))
    }
}

/// Malformed values stand among the others.
impl<T: fmt::Debug> fmt::Debug for Dict<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_map();
        for (key, item) in self.all() {
            match item {
                Ok(item) => debug.entry(key, item),
                Err(value) => debug.entry(key, &format_args!("malformed {value}")),
            };
        }
        debug.finish()
    }
}

impl<T: Serialize> Serialize for Dict<T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.malformed {
            None => self.items.serialize(serializer),
            Some(_) => serialize_all(self, serializer),
        }
    }
}

#[cold]
fn serialize_all<T: Serialize, S: Serializer>(dict: &Dict<T>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for (key, item) in dict.all() {
        match item {
            Ok(item) => map.serialize_entry(key, item)?,
            Err(value) => map.serialize_entry(key, value)?,
        }
    }
    map.end()
}

impl<'de, T: Wire> Deserialize<'de> for Dict<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl<T: Wire> Wire for Dict<T> {
    const EXPECTED: &'static str = "an object";

    #[inline]
    fn decode_into<'de, D: Deserializer<'de>>(deserializer: D, slot: &mut Option<Self>) -> Result<Unfit, D::Error> {
        deserializer.deserialize_any(DictVisitor(slot))
    }

    fn convert(value: Value) -> Fit<Self> {
        let Value::Object(object) = value else { return Err(Misfit::new(value, Self::EXPECTED)) };
        let mut dict = Self::new();
        for (key, value) in object {
            dict.add(key, T::convert(value));
        }
        Ok(dict)
    }

    fn outline(value: &Value) -> Fit<Self> {
        let Value::Object(object) = value else { return Err(Misfit::outlined(value, Self::EXPECTED)) };
        let mut dict = Self::new();
        for (key, value) in object {
            dict.add(key.clone(), T::outline(value));
        }
        Ok(dict)
    }

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        checker.malformed_entries(self);
        checker.entries(self, |checker, item| item.inspect(checker));
    }
}

/// Reads a map into its place.
struct DictVisitor<'a, T>(&'a mut Option<Dict<T>>);

impl<'de, T: Wire> Visitor<'de> for DictVisitor<'_, T> {
    type Value = Unfit;

    expecting!("an object");

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut dict = Dict::new();
        while let Some(key) = map.next_key::<String>()? {
            let fit = map.next_value_seed(Entry(PhantomData))?;
            dict.add(key, fit);
        }
        *self.0 = Some(dict);
        Ok(None)
    }

    visit_values!(bool number string null array; self, value => {
        *self.0 = None;
        Some(Misfit::new(value, "an object"))
    });
}

/// A value of a map.
struct Entry<T>(PhantomData<T>);

impl<'de, T: Wire> DeserializeSeed<'de> for Entry<T> {
    type Value = Fit<T>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fit<T>, D::Error> {
        T::decode(deserializer)
    }
}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Dict<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Map_of_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<T>() })
    }
}
