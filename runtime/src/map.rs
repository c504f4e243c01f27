//! Maps that keep their order. Nearly all have a handful of entries, for which looking at each key is quickest and costs no
//! memory; an index is made only for large ones.

use std::collections::BTreeMap;
use std::fmt;
use std::iter;
use std::ops::Index;
use std::slice;

/// A map from strings, in the order in which its keys came.
///
/// It is what a [`Dict`](crate::Dict) holds. Two maps are equal if they have the same entries, in whatever order.
///
/// ```
/// # use mcp_wire_core::Map;
/// let mut map = Map::from([("b".to_owned(), 1), ("a".to_owned(), 2)]);
/// map.insert("b".to_owned(), 3);
/// assert_eq!(map.get("b"), Some(&3));
/// assert_eq!(map.keys().collect::<Vec<_>>(), ["b", "a"]);
/// ```
#[derive(Clone)]
pub struct Map<T> {
    entries: Vec<(String, T)>,
    /// Where the entry of each key is, in a large map.
    index: Option<Box<Places>>,
}

/// The place of each key.
type Places = BTreeMap<Box<str>, usize>;

/// From how many entries on a map has an index.
const LARGE: usize = 32;

impl<T> Map<T> {
    /// A map without entries.
    #[inline]
    pub const fn new() -> Self {
        Self { entries: Vec::new(), index: None }
    }

    /// How many entries there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    #[inline]
    fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            None => self.entries.iter().position(|(other, _)| other == key),
            Some(index) => index.get(key).copied(),
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.entries.get(self.position(key)?).map(|(_, value)| value)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        let position = self.position(key)?;
        self.entries.get_mut(position).map(|(_, value)| value)
    }

    /// The entry at a position.
    pub fn get_index(&self, position: usize) -> Option<(&String, &T)> {
        self.entries.get(position).map(|(key, value)| (key, value))
    }

    /// Whether there is an entry of this key.
    pub fn contains_key(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// Sets the value of a key, in its place or at the end, and returns the value it had.
    pub fn insert(&mut self, key: String, value: T) -> Option<T> {
        if let Some(position) = self.position(&key) {
            return self.entries.get_mut(position).map(|(_, place)| std::mem::replace(place, value));
        }
        if let Some(index) = &mut self.index {
            index.insert(key.as_str().into(), self.entries.len());
        }
        self.entries.push((key, value));
        if self.entries.len() == LARGE {
            self.make_index();
        }
        None
    }

    /// Removes an entry, and returns its value. The others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<T> {
        let position = self.position(key)?;
        let (_, value) = self.entries.remove(position);
        if let Some(index) = &mut self.index {
            index.remove(key);
            index.values_mut().filter(|other| **other > position).for_each(|other| *other -= 1);
        }
        Some(value)
    }

    /// Removes an entry, and puts the last one in its place.
    pub(crate) fn swap_remove(&mut self, key: &str) -> Option<T> {
        let position = self.position(key)?;
        let (_, value) = self.entries.swap_remove(position);
        if let Some(index) = &mut self.index {
            index.remove(key);
            if let Some(moved) = self.entries.get(position).and_then(|(moved, _)| index.get_mut(moved.as_str())) {
                *moved = position;
            }
        }
        Some(value)
    }

    /// Keeps the entries for which this holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut T) -> bool) {
        self.entries.retain_mut(|(key, value)| keep(key, value));
        self.make_index();
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The entries in their order.
    #[inline]
    pub fn iter(&self) -> Entries<'_, T> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The entries in their order, their values to be changed.
    pub fn iter_mut(&mut self) -> EntriesMut<'_, T> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values in their order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values in their order, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    #[cold]
    fn make_index(&mut self) {
        self.index = (self.entries.len() >= LARGE).then(|| {
            let places = self.entries.iter().enumerate();
            Box::new(places.map(|(position, (key, _))| (key.as_str().into(), position)).collect())
        });
    }
}

/// The entries of a [`Map`].
pub type Entries<'a, T> = iter::Map<slice::Iter<'a, (String, T)>, fn(&'a (String, T)) -> (&'a String, &'a T)>;

/// The entries of a [`Map`], their values to be changed.
pub type EntriesMut<'a, T> =
    iter::Map<slice::IterMut<'a, (String, T)>, fn(&'a mut (String, T)) -> (&'a String, &'a mut T)>;

impl<T> Default for Map<T> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Index<&str> for Map<T> {
    type Output = T;

    /// The value of a key.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[allow(clippy::expect_used, reason = "as the documentation says, and as other maps do")]
    fn index(&self, key: &str) -> &T {
        self.get(key).expect("no entry of this key")
    }
}

impl<T> IntoIterator for Map<T> {
    type Item = (String, T);
    type IntoIter = std::vec::IntoIter<(String, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Map<T> {
    type Item = (&'a String, &'a T);
    type IntoIter = Entries<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Map<T> {
    type Item = (&'a String, &'a mut T);
    type IntoIter = EntriesMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// Of repeated keys the last one counts.
impl<T> FromIterator<(String, T)> for Map<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<T> Extend<(String, T)> for Map<T> {
    fn extend<I: IntoIterator<Item = (String, T)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<T, const N: usize> From<[(String, T); N]> for Map<T> {
    fn from(entries: [(String, T); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<T: PartialEq> PartialEq for Map<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<T: Eq> Eq for Map<T> {}

impl<T: fmt::Debug> fmt::Debug for Map<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::Map;

    /// Whatever is done to a map, small or large, it holds what a map of the standard library holds, in order.
    #[test]
    fn a_map_is_a_map_at_any_size() {
        let mut state = 42_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for keys in [3, 20, 40, 200] {
            let (mut map, mut model, mut order) = (Map::new(), HashMap::<String, _>::new(), Vec::<String>::new());
            for step in 0..5_000 {
                let key = random(keys).to_string();
                match random(8) {
                    0 => {
                        assert_eq!(map.remove(&key), model.remove(&key));
                        order.retain(|other| *other != key);
                    }
                    1 => {
                        assert_eq!(map.swap_remove(&key), model.remove(&key));
                        if let Some(place) = order.iter().position(|other| *other == key) {
                            order.swap_remove(place);
                        }
                    }
                    2 if step % 50 == 0 => {
                        map.retain(|key, _| key.len() > 1);
                        model.retain(|key, _| key.len() > 1);
                        order.retain(|key| key.len() > 1);
                    }
                    _ => {
                        let before = model.insert(key.clone(), step);
                        if before.is_none() {
                            order.push(key.clone());
                        }
                        assert_eq!(map.insert(key, step), before);
                    }
                }
                assert_eq!(map.len(), model.len());
            }
            assert_eq!(map.keys().collect::<Vec<_>>(), order.iter().collect::<Vec<_>>());
            assert!((0..keys).all(|key| map.get(&key.to_string()) == model.get(&key.to_string())));
            map.retain(|_, _| true);
            assert_eq!(map.index.is_some(), map.len() >= super::LARGE);
        }
    }
}
