//! Maps to one type that keep the values which do not have it.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::check::Checker;
use crate::decode::{Member, Wire};
use crate::json::{Json, JsonRef, Purpose, Reader, Stop};
use crate::limits::Limits;
use crate::map::{Entries, EntriesMut, Map};
use crate::write::push_quoted;

/// A JSON object whose values all have one type, in the order they came. Malformed values, which do not have it, are kept
/// apart.
///
/// It reads like a [`Map`] of the well-formed values. Malformed ones cost them nothing, stand in
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
    items: Map<T>,
    /// Nothing as a rule.
    malformed: Option<Box<Malformed>>,
}

/// What a map of well-formed values has no place for.
#[derive(Clone, Default)]
struct Malformed {
    /// Malformed values by their keys, each with its position among all values. They are keyed, so that of repeated keys the
    /// last one counts.
    values: Map<(usize, Json)>,
    /// The map as it came, if a key was repeated, until somebody changes it.
    text: Option<Json>,
}

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
    /// assert_eq!(dict.malformed().next().unwrap().1, 2);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn malformed(&self) -> impl Iterator<Item = (&str, JsonRef<'_>)> {
        self.positioned().map(|(key, (_, value))| (key.as_str(), value.as_ref()))
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
    pub fn take_malformed(&mut self) -> Vec<(String, Json)> {
        let taken = self.malformed.take().unwrap_or_default();
        let unseen = taken.values.into_iter().filter(|(key, _)| !self.items.contains_key(key));
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
    pub fn keeping_malformed(&mut self) -> &mut Map<T> {
        if let Some(malformed) = &mut self.malformed {
            malformed.text = None;
        }
        &mut self.items
    }

    /// The malformed values that no well-formed one has replaced.
    fn positioned(&self) -> impl Iterator<Item = (&String, &(usize, Json))> {
        let malformed = self.malformed.iter().flat_map(|malformed| &malformed.values);
        malformed.filter(|(key, _)| !self.items.contains_key(key))
    }

    /// The map as it came, if a key was repeated.
    fn repeated(&self) -> Option<&str> {
        self.malformed.as_ref()?.text.as_ref().map(Json::text)
    }

    fn malformed_value(&self, key: &str) -> Option<&Json> {
        self.malformed.as_ref()?.values.get(key).map(|(_, value)| value)
    }

    /// All values in the order in which they are written: well-formed ones are `Ok`.
    fn all(&self) -> impl Iterator<Item = (&String, Result<&T, &Json>)> {
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

    /// Adds a well-formed value. Whether its key is a new one.
    #[inline]
    fn add(&mut self, key: String, item: T) -> bool {
        let was_malformed = match &mut self.malformed {
            Some(malformed) => malformed.values.swap_remove(&key).is_some(),
            None => false,
        };
        self.items.insert(key, item).is_none() && !was_malformed
    }

    /// Adds a malformed value. Whether its key is a new one.
    #[cold]
    fn add_malformed(&mut self, key: String, value: Json) -> bool {
        // Swapping is constant time: a hostile message may repeat a key a million times.
        let was_well_formed = self.items.swap_remove(&key).is_some();
        let values = &mut self.malformed.get_or_insert_default().values;
        let position = self.items.len() + values.len();
        values.insert(key, (position, value)).is_none() && !was_well_formed
    }
}

impl<T> Default for Dict<T> {
    #[inline]
    fn default() -> Self {
        Map::new().into()
    }
}

impl<T> Deref for Dict<T> {
    type Target = Map<T>;

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

impl<T> From<Map<T>> for Dict<T> {
    #[inline]
    fn from(items: Map<T>) -> Self {
        Self { items, malformed: None }
    }
}

/// The well-formed values.
impl<T> From<Dict<T>> for Map<T> {
    #[inline]
    fn from(dict: Dict<T>) -> Self {
        dict.items
    }
}

impl<T, const N: usize> From<[(String, T); N]> for Dict<T> {
    #[inline]
    fn from(items: [(String, T); N]) -> Self {
        Map::from(items).into()
    }
}

impl<T> FromIterator<(String, T)> for Dict<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = (String, T)>>(items: I) -> Self {
        Map::from_iter(items).into()
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
    type IntoIter = std::vec::IntoIter<(String, T)>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// The well-formed values.
impl<'a, T> IntoIterator for &'a Dict<T> {
    type Item = (&'a String, &'a T);
    type IntoIter = Entries<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

/// Drops the malformed values.
impl<'a, T> IntoIterator for &'a mut Dict<T> {
    type Item = (&'a String, &'a mut T);
    type IntoIter = EntriesMut<'a, T>;

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
            && self.repeated() == other.repeated()
            && self.malformed().all(|(key, value)| other.malformed_value(key).is_some_and(|other| value == *other))
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

impl<T: Wire> Wire for Dict<T> {
    const EXPECTED: &'static str = "an object";

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        if reader.peek() != b'{' {
            return reader.unfit(Self::EXPECTED);
        }
        let (start, all_spaces) = (reader.position(), reader.spaces());
        let mut is_repeated = false;
        let mut spare = String::new();
        let mut has_more = reader.enter(b'}')?;
        while has_more {
            let key = reader.name(&mut spare)?.to_owned();
            let (start, spaces) = (reader.position(), reader.spaces());
            let mut item = T::placeholder();
            let is_new = match item.read(reader)? {
                true => self.add(key, item),
                false => self.add_malformed(
                    key,
                    match reader.purpose {
                        Purpose::Value => Json::from_passed(reader.since(start), reader.spaces() - spaces),
                        Purpose::Reason | Purpose::Outline => Json::default(),
                    },
                ),
            };
            is_repeated |= !is_new;
            has_more = reader.more(b'}')?;
        }
        if is_repeated && reader.purpose == Purpose::Value {
            let text = Json::from_passed(reader.since(start), reader.spaces() - all_spaces);
            self.malformed.get_or_insert_default().text = Some(text);
        }
        Ok(true)
    }

    fn write(&self, text: &mut String) {
        if let Some(whole) = self.malformed.as_ref().and_then(|malformed| malformed.text.as_ref()) {
            text.push_str(whole.text());
            return;
        }
        text.push('{');
        let start = text.len();
        let name = |text: &mut String, key: &str| {
            if text.len() > start {
                text.push(',');
            }
            push_quoted(text, key);
            text.push(':');
        };
        match self.malformed {
            None => self.items.iter().for_each(|(key, item)| {
                name(text, key);
                item.write(text);
            }),
            Some(_) => self.all().for_each(|(key, item)| {
                name(text, key);
                match item {
                    Ok(item) => item.write(text),
                    Err(value) => text.push_str(value.text()),
                }
            }),
        }
        text.push('}');
    }

    fn inspect(&self, checker: &mut Checker<'_>) {
        checker.malformed_entries(self);
        if !T::CONFORMS {
            checker.entries(self, |item, checker| item.inspect(checker));
        }
    }

    fn member(&self, name: &str) -> Option<Member<'_>> {
        self.get(name).map(|value| Member::Typed(value))
    }

    fn inspect_within(&self, limits: &Limits, checker: &mut Checker<'_>) {
        checker.malformed_entries(self);
        let each = limits.each.unwrap_or(&Limits::NONE);
        checker.entries(self, |item, checker| item.inspect_within(each, checker));
    }
}

crate::__serde!([T: Wire] Dict<T>);

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
