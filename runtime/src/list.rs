//! Lists of one type that keep the items which do not have it.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use serde_json::Value;

use crate::check::{Checker, explain};
use crate::decode::{Decoded, Fit, Misfit, Segment, Unfit, Wire, deserialize, expecting, to_value, visit_values};

/// A JSON array whose items all have one type. Malformed items, which do not have it, are kept apart.
///
/// It reads like a [`Vec`] of the well-formed items. Malformed ones cost them nothing, stand in
/// [`malformed`](Self::malformed), are reported by `check()`, and are written back where they stood, as long as nobody
/// changes the list.
///
/// **Whoever changes the list writes what they see.** Every mutable access drops the malformed items, whether it goes on to
/// change anything or not: `retain`, `clear`, `push`, `iter_mut`, `list[0].name = …`. A gateway that lets some tools
/// pass need not know that malformed ones exist.
///
/// ```
/// # use mcp_wire_core::List;
/// let mut allowed: List<String> = serde_json::from_str(r#"["good", {"evil": 1}, "bad"]"#)?;
/// assert_eq!(serde_json::to_string(&allowed)?, r#"["good",{"evil":1},"bad"]"#);
///
/// allowed.retain(|name| name == "good");
/// assert_eq!(serde_json::to_string(&allowed)?, r#"["good"]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// [`keeping_malformed`](Self::keeping_malformed) changes the list and keeps them.
///
/// A list is equal to a vector, a slice or an array if both are written alike: one with malformed items is equal to none.
#[derive(Clone, PartialEq, Eq)]
pub struct List<T> {
    items: Vec<T>,
    /// Nothing as a rule.
    malformed: Option<Box<Malformed>>,
}

/// Malformed items, each with its position among all items.
#[derive(Clone, Default, PartialEq, Eq)]
struct Malformed(Vec<(usize, Value)>);

impl<T> List<T> {
    /// A list without items.
    #[inline]
    pub const fn new() -> Self {
        Self { items: Vec::new(), malformed: None }
    }

    /// The malformed items, each with its place in the array.
    ///
    /// ```
    /// # use mcp_wire_core::List;
    /// let list: List<String> = serde_json::from_str(r#"["a", 7, "b"]"#)?;
    /// assert_eq!(list.len(), 2);
    /// assert_eq!(list.malformed().next(), Some((1, &7.into())));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn malformed(&self) -> impl Iterator<Item = (usize, &Value)> {
        // Where the well-formed items became fewer, malformed ones close ranks.
        let last = self.items.len();
        let malformed = self.malformed.iter().flat_map(|malformed| &malformed.0).enumerate();
        malformed.map(move |(before, (position, value))| ((*position).min(last + before), value))
    }

    /// Removes the malformed items, and returns them with their places in the array.
    ///
    /// ```
    /// # use mcp_wire_core::List;
    /// let mut list: List<String> = serde_json::from_str(r#"["a", 7]"#)?;
    /// assert_eq!(list.take_malformed(), [(1, 7.into())]);
    /// assert_eq!(serde_json::to_string(&list)?, r#"["a"]"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn take_malformed(&mut self) -> Vec<(usize, Value)> {
        let places: Vec<usize> = self.malformed().map(|(place, _)| place).collect();
        let taken = self.malformed.take().unwrap_or_default();
        places.into_iter().zip(taken.0.into_iter().map(|(_, value)| value)).collect()
    }

    /// Removes the malformed items.
    ///
    /// ```
    /// # use mcp_wire_core::List;
    /// let mut list: List<String> = serde_json::from_str(r#"["a", 7]"#)?;
    /// list.drop_malformed();
    /// assert_eq!(serde_json::to_string(&list)?, r#"["a"]"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[inline]
    pub fn drop_malformed(&mut self) {
        self.malformed = None;
    }

    /// The well-formed items, to be changed while the malformed ones are kept. They are written back at the positions
    /// they had, or at the end where that is nearer.
    ///
    /// ```
    /// # use mcp_wire_core::List;
    /// let mut list: List<String> = serde_json::from_str(r#"["a", 7]"#)?;
    /// list.keeping_malformed().push("b".to_owned());
    /// assert_eq!(serde_json::to_string(&list)?, r#"["a",7,"b"]"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[inline]
    pub fn keeping_malformed(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    /// The well-formed items.
    ///
    /// ```
    /// # use mcp_wire_core::List;
    /// let list: List<String> = serde_json::from_str(r#"["a", 7]"#)?;
    /// assert_eq!(list.into_vec(), ["a"]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[inline]
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }

    /// Whether there are malformed items.
    #[inline]
    pub(crate) fn has_malformed(&self) -> bool {
        self.malformed.is_some()
    }

    /// How many items are written.
    #[inline]
    pub(crate) fn written(&self) -> usize {
        self.items.len() + self.malformed.as_ref().map_or(0, |malformed| malformed.0.len())
    }

    /// All items in the order in which they are written: well-formed ones are `Ok`.
    pub(crate) fn all(&self) -> impl Iterator<Item = Result<&T, &Value>> {
        let mut malformed = self.malformed().peekable();
        let mut items = self.items.iter();
        (0..).map_while(move |position| match malformed.next_if(|(place, _)| *place == position) {
            Some((_, value)) => Some(Err(value)),
            None => items.next().map(Ok),
        })
    }

    #[cold]
    fn add_malformed(&mut self, value: Value) {
        let position = self.written();
        self.malformed.get_or_insert_default().0.push((position, value));
    }
}

impl<T> Default for List<T> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for List<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.items
    }
}

/// Drops the malformed items.
impl<T> DerefMut for List<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        self.drop_malformed();
        &mut self.items
    }
}

impl<T> AsRef<[T]> for List<T> {
    #[inline]
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T> From<Vec<T>> for List<T> {
    #[inline]
    fn from(items: Vec<T>) -> Self {
        Self { items, malformed: None }
    }
}

impl<T, const N: usize> From<[T; N]> for List<T> {
    #[inline]
    fn from(items: [T; N]) -> Self {
        Vec::from(items).into()
    }
}

impl<T: Clone> From<&[T]> for List<T> {
    #[inline]
    fn from(items: &[T]) -> Self {
        items.to_vec().into()
    }
}

/// The well-formed items.
impl<T> From<List<T>> for Vec<T> {
    #[inline]
    fn from(list: List<T>) -> Self {
        list.items
    }
}

impl<T> FromIterator<T> for List<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

/// Drops the malformed items.
impl<T> Extend<T> for List<T> {
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.deref_mut().extend(items);
    }
}

/// The well-formed items.
impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// The well-formed items.
impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

/// Drops the malformed items.
impl<'a, T> IntoIterator for &'a mut List<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.deref_mut().iter_mut()
    }
}

macro_rules! equal_to {
    ($([$($generics:tt)*] $other:ty),* $(,)?) => {$(
        impl<T: PartialEq<U>, U, $($generics)*> PartialEq<$other> for List<T> {
            #[inline]
            fn eq(&self, other: &$other) -> bool {
                self.malformed.is_none() && self.items[..] == other[..]
            }
        }
    )*};
}

equal_to! { [] Vec<U>, [] [U], [] &[U], [const N: usize] [U; N], [const N: usize] &[U; N] }

impl<T: PartialEq<U>, U> PartialEq<List<U>> for Vec<T> {
    #[inline]
    fn eq(&self, other: &List<U>) -> bool {
        other.malformed.is_none() && *self == other.items
    }
}

/// Malformed items stand among the others.
impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_list();
        for item in self.all() {
            match item {
                Ok(item) => debug.entry(item),
                Err(value) => debug.entry(&format_args!("malformed {value}")),
            };
        }
        debug.finish()
    }
}

impl<T: Serialize> Serialize for List<T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.malformed {
            None => self.items.serialize(serializer),
            Some(_) => serialize_all(self, serializer),
        }
    }
}

#[cold]
fn serialize_all<T: Serialize, S: Serializer>(list: &List<T>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut array = serializer.serialize_seq(Some(list.written()))?;
    for item in list.all() {
        match item {
            Ok(item) => array.serialize_element(item)?,
            Err(value) => array.serialize_element(value)?,
        }
    }
    array.end()
}

impl<'de, T: Wire> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl<T: Wire> Wire for List<T> {
    const EXPECTED: &'static str = "an array";

    #[inline]
    fn decode_into<'de, D: Deserializer<'de>>(deserializer: D, slot: &mut Option<Self>) -> Result<Unfit, D::Error> {
        deserializer.deserialize_any(ListVisitor(slot))
    }

    fn convert(value: Value) -> Fit<Self> {
        let Value::Array(array) = value else { return Err(Misfit::new(value, Self::EXPECTED)) };
        let is_large = array.len() > LARGE;
        let mut list = Self::from(Vec::with_capacity(if is_large { 0 } else { array.len() }));
        for value in Leaving::new(array) {
            match T::convert(value) {
                Ok(item) => {
                    if is_large {
                        make_little_room(&mut list.items);
                    }
                    list.items.push(item);
                }
                Err(misfit) => list.add_malformed(misfit.value),
            }
        }
        Ok(list)
    }

    fn outline(value: &Value) -> Fit<Self> {
        let Value::Array(array) = value else { return Err(Misfit::outlined(value, Self::EXPECTED)) };
        let mut list = Self::new();
        for value in array {
            match T::outline(value) {
                Ok(item) => list.items.push(item),
                Err(misfit) => list.add_malformed(misfit.value),
            }
        }
        Ok(list)
    }

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        checker.malformed_items(self);
        checker.items(self, |checker, item| item.inspect(checker));
    }
}

/// From how many items on an array in memory is taken apart carefully: both it and the list that is made from it are there
/// meanwhile, and items are up to three times as large as values.
const LARGE: usize = 1024;

/// The values of an array one after another. The memory of those that have left is given back on the way.
struct Leaving {
    /// From the last to the first.
    values: Vec<Value>,
}

impl Leaving {
    fn new(mut values: Vec<Value>) -> Self {
        values.reverse();
        Self { values }
    }
}

impl Iterator for Leaving {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        let value = self.values.pop()?;
        let (left, capacity) = (self.values.len(), self.values.capacity());
        if capacity > LARGE && capacity - left > capacity / 16 {
            self.values.shrink_to_fit();
        }
        Some(value)
    }
}

/// Makes room for an item in a large list, and for a few more.
fn make_little_room<T>(items: &mut Vec<T>) {
    if items.len() == items.capacity() {
        items.reserve_exact((items.len() / 16).max(LARGE / 16));
    }
}

/// Reads a list into its place.
struct ListVisitor<'a, T>(&'a mut Option<List<T>>);

impl<'de, T: Wire> Visitor<'de> for ListVisitor<'_, T> {
    type Value = Unfit;

    expecting!("an array");

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut list = List::new();
        while let Some(()) = array.next_element_seed(Item(&mut list))? {}
        *self.0 = Some(list);
        Ok(None)
    }

    visit_values!(bool number string null object; self, value => {
        *self.0 = None;
        Some(Misfit::new(value, "an array"))
    });
}

/// An item of a list, read into it.
struct Item<'a, T>(&'a mut List<T>);

impl<'de, T: Wire> DeserializeSeed<'de> for Item<'_, T> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut slot = None;
        match T::decode_into(deserializer, &mut slot)? {
            None => self.0.items.extend(slot),
            Some(misfit) => self.0.add_malformed(misfit.value),
        }
        Ok(())
    }
}

/// A vector has no place for malformed items: one of them makes the whole a misfit.
impl<T: Wire> Wire for Vec<T> {
    const EXPECTED: &'static str = "an array";

    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        Ok(List::decode(deserializer)?.and_then(well_formed))
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        List::convert(value).and_then(well_formed)
    }

    fn outline(value: &Value) -> Fit<Self> {
        let Value::Array(array) = value else { return Err(Misfit::outlined(value, Self::EXPECTED)) };
        let items = array.iter().enumerate();
        items.map(|(index, item)| T::outline(item).map_err(|misfit| misfit.within(Segment::Index(index)))).collect()
    }

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        for (index, item) in self.iter().enumerate() {
            checker.at(Segment::Index(index), |checker| item.inspect(checker));
        }
    }
}

fn well_formed<T: Wire>(list: List<T>) -> Fit<Vec<T>> {
    let reason = list.malformed().next().map(|(place, value)| explain::<T>(value).within(Segment::Index(place)));
    match reason {
        None => Ok(list.items),
        Some(reason) => Err(Box::new(Misfit { value: to_value(&list), reason })),
    }
}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for List<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<T>::json_schema(generator)
    }
}
