//! Lists of one type that keep the items which do not have it.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::check::Checker;
use crate::decode::Wire;
use crate::json::{Json, JsonRef, Purpose, Reader, Stop};
use crate::limits::Limits;
use crate::misfit::Segment;

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
struct Malformed(Vec<(usize, Json)>);

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
    /// assert_eq!(list.malformed().next().unwrap().1, 7);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn malformed(&self) -> impl Iterator<Item = (usize, JsonRef<'_>)> {
        // Where the well-formed items became fewer, malformed ones close ranks.
        let last = self.items.len();
        let malformed = self.malformed.iter().flat_map(|malformed| &malformed.0).enumerate();
        malformed.map(move |(before, (position, value))| ((*position).min(last + before), value.as_ref()))
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
    pub fn take_malformed(&mut self) -> Vec<(usize, Json)> {
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
    pub(crate) fn all(&self) -> impl Iterator<Item = Result<&T, JsonRef<'_>>> {
        let mut malformed = self.malformed().peekable();
        let mut items = self.items.iter();
        (0..).map_while(move |position| match malformed.next_if(|(place, _)| *place == position) {
            Some((_, value)) => Some(Err(value)),
            None => items.next().map(Ok),
        })
    }

    #[cold]
    fn add_malformed(&mut self, value: Json) {
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

impl<T: Wire> Wire for List<T> {
    const EXPECTED: &'static str = "an array";

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        if reader.peek() != b'[' {
            return reader.unfit(Self::EXPECTED);
        }
        let first = reader.position();
        let mut has_more = reader.enter(b']')?;
        while has_more {
            let (start, spaces) = (reader.position(), reader.spaces());
            if self.items.len() == self.items.capacity() {
                make_room(&mut self.items, start - first, reader.rest().len());
            }
            self.items.push(T::placeholder());
            if let Some(item) = self.items.last_mut()
                && !item.read(reader)?
            {
                self.items.pop();
                self.add_malformed(match reader.purpose {
                    Purpose::Value => Json::from_passed(reader.since(start), reader.spaces() - spaces),
                    Purpose::Reason | Purpose::Outline => Json::default(),
                });
            }
            has_more = reader.more(b']')?;
        }
        give_back(&mut self.items);
        Ok(true)
    }

    fn write(&self, text: &mut String) {
        text.push('[');
        let start = text.len();
        let separate = |text: &mut String| {
            if text.len() > start {
                text.push(',');
            }
        };
        match self.malformed {
            None => self.items.iter().for_each(|item| {
                separate(text);
                item.write(text);
            }),
            Some(_) => self.all().for_each(|item| {
                separate(text);
                match item {
                    Ok(item) => item.write(text),
                    Err(value) => text.push_str(value.text()),
                }
            }),
        }
        text.push(']');
    }

    fn inspect(&self, checker: &mut Checker<'_>) {
        checker.malformed_items(self);
        if !T::CONFORMS {
            checker.items(self, |item, checker| item.inspect(checker));
        }
    }

    fn inspect_within(&self, limits: &Limits, checker: &mut Checker<'_>) {
        checker.malformed_items(self);
        // Malformed items count.
        checker.length(self.written(), limits);
        if !T::CONFORMS || limits.each.is_some() {
            let each = limits.each.unwrap_or(&Limits::NONE);
            checker.items(self, |item, checker| item.inspect_within(each, checker));
        }
    }
}

/// Makes room for more items, given how much text those before took and how much is left. That tells how many will come, if
/// they are alike.
///
/// Hostile messages have items that are much smaller as text. So what is expected takes no more memory than the text that is
/// left, and a list that is large already grows by an eighth.
#[inline(never)]
fn make_room<T>(items: &mut Vec<T>, passed: usize, left: usize) {
    let count = items.len();
    if count == 0 {
        return;
    }
    let expected = left.saturating_mul(count) / passed.max(1) + 1;
    let affordable = left / size_of::<T>().max(1);
    let usual = if count >= LARGE { count / 8 } else { count };
    items.reserve_exact(expected.min(affordable.max(usual)).max(count / 8).max(4));
}

/// From how many items on a list is large.
const LARGE: usize = 1024;

/// Gives back what was expected and did not come.
#[inline]
fn give_back<T>(items: &mut Vec<T>) {
    if items.capacity() > 2 * items.len() + 4 {
        items.shrink_to_fit();
    }
}

/// A vector has no place for malformed items: one of them makes the whole a misfit.
impl<T: Wire> Wire for Vec<T> {
    const EXPECTED: &'static str = "an array";
    const CONFORMS: bool = T::CONFORMS;

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        if reader.peek() != b'[' {
            return reader.unfit(Self::EXPECTED);
        }
        let mut has_more = reader.enter(b']')?;
        let (mut fits, mut place) = (true, 0);
        let mut reason = None;
        while has_more {
            let mut item = T::placeholder();
            match item.read(reader)? {
                true => self.push(item),
                false if fits => {
                    fits = false;
                    reason = reader.reason.take().map(|mut reason| {
                        reason.push(Segment::Index(place));
                        reason
                    });
                }
                false => {}
            }
            place += 1;
            has_more = reader.more(b']')?;
        }
        reader.reason = reason;
        Ok(fits)
    }

    fn write(&self, text: &mut String) {
        text.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            item.write(text);
        }
        text.push(']');
    }

    fn inspect(&self, checker: &mut Checker<'_>) {
        for (index, item) in self.iter().enumerate() {
            checker.at(Segment::Index(index), |checker| item.inspect(checker));
        }
    }
}

crate::__serde!([T: Wire] List<T>);

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
