//! Writing objects: typed fields first, then what was kept.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use crate::decode::to_value;
use crate::extra::{Extra, Kept, OddItem};
use crate::{Dict, JsonObject};

/// The members of an object while it is written.
pub struct Writer<'a, M> {
    map: M,
    /// Nothing as a rule.
    kept: Option<&'a Kept>,
    /// Members that were kept, yet have a typed value now: the typed value wins.
    replaced: Vec<&'static str>,
}

impl<'a, M: SerializeMap> Writer<'a, M> {
    /// Starts an object.
    #[inline]
    pub fn new<S: Serializer<SerializeMap = M>>(serializer: S, extra: &'a Extra) -> Result<Self, S::Error> {
        Ok(Self { map: serializer.serialize_map(None)?, kept: extra.kept(), replaced: Vec::new() })
    }

    /// Goes on with an object of which nothing was kept.
    #[inline]
    pub(crate) fn resume(map: M) -> Self {
        Self { map, kept: None, replaced: Vec::new() }
    }

    /// Writes a constant, unless the object arrived without it or with another value.
    #[inline]
    pub fn constant<C: Serialize + ?Sized>(&mut self, name: &'static str, constant: &C) -> Result<(), M::Error> {
        match self.kept {
            Some(kept) if kept.omitted.contains(&name) || kept.members.contains_key(name) => Ok(()),
            _ => self.map.serialize_entry(name, constant),
        }
    }

    /// Writes a member that is always there.
    #[inline]
    pub fn required<T: Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), M::Error> {
        match self.kept {
            Some(kept) => self.typed(kept, name, value),
            None => self.map.serialize_entry(name, value),
        }
    }

    /// Writes a member whose absence means the default, unless it was absent or did not fit and still has the default.
    #[inline]
    pub fn defaulted<T: Serialize + PartialEq>(
        &mut self,
        name: &'static str,
        value: &T,
        default: &T,
    ) -> Result<(), M::Error> {
        match self.kept {
            Some(kept) if kept.omitted.contains(&name) && value == default => Ok(()),
            Some(kept) => self.replace(kept, name, value),
            None => self.map.serialize_entry(name, value),
        }
    }

    /// Writes a member if it is there.
    #[inline]
    pub fn optional<T: Serialize>(&mut self, name: &'static str, value: &Option<T>) -> Result<(), M::Error> {
        match value {
            Some(value) => self.required(name, value),
            None => Ok(()),
        }
    }

    /// Writes a list, its odd items at the positions they had.
    #[inline]
    pub fn list<T: Serialize>(&mut self, name: &'static str, items: &Vec<T>) -> Result<(), M::Error> {
        match self.kept.map_or(&[][..], |kept| kept.odd(name)) {
            [] => self.required(name, items),
            odd => self.required(name, &Merged { items: items.iter(), odd }),
        }
    }

    /// Writes a map, its odd values at the positions they had.
    #[inline]
    pub fn dict<T: Serialize>(&mut self, name: &'static str, items: &Dict<T>) -> Result<(), M::Error> {
        match self.kept.map_or(&[][..], |kept| kept.odd(name)) {
            [] => self.required(name, items),
            odd => self.required(name, &MergedDict { items: items.iter(), odd }),
        }
    }

    /// Writes what was kept, and ends the object.
    #[inline]
    pub fn end(mut self) -> Result<M::Ok, M::Error> {
        if let Some(kept) = self.kept {
            for (name, value) in &kept.members {
                if !self.replaced.contains(&name.as_str()) {
                    self.map.serialize_entry(name, value)?;
                }
            }
        }
        self.map.end()
    }

    #[cold]
    fn typed<T: Serialize>(&mut self, kept: &Kept, name: &'static str, value: &T) -> Result<(), M::Error> {
        match kept.omitted.contains(&name) {
            true => Ok(()),
            false => self.replace(kept, name, value),
        }
    }

    #[cold]
    fn replace<T: Serialize>(&mut self, kept: &Kept, name: &'static str, value: &T) -> Result<(), M::Error> {
        if kept.members.contains_key(name) {
            self.replaced.push(name);
        }
        self.map.serialize_entry(name, value)
    }
}

/// Items and odd items in one sequence, by the positions of the odd ones.
struct Merged<'a, I> {
    items: I,
    odd: &'a [OddItem],
}

enum Either<'a, T> {
    Item(T),
    Odd(&'a OddItem),
}

fn merged<'a, I: Iterator>(mut items: I, odd: &'a [OddItem]) -> impl Iterator<Item = Either<'a, I::Item>> {
    let mut odd = odd.iter().peekable();
    let mut position = 0;
    std::iter::from_fn(move || {
        let next = match odd.next_if(|item| item.position <= position) {
            Some(item) => Some(Either::Odd(item)),
            // Where the typed items were shortened meanwhile, the odd ones close ranks.
            None => items.next().map(Either::Item).or_else(|| odd.next().map(Either::Odd)),
        };
        position += 1;
        next
    })
}

impl<'a, T: Serialize + 'a, I: Iterator<Item = &'a T> + Clone> Serialize for Merged<'a, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut array = serializer.serialize_seq(None)?;
        for item in merged(self.items.clone(), self.odd) {
            match item {
                Either::Item(item) => array.serialize_element(item)?,
                Either::Odd(odd) => array.serialize_element(&odd.value)?,
            }
        }
        array.end()
    }
}

struct MergedDict<'a, I> {
    items: I,
    odd: &'a [OddItem],
}

impl<'a, T: Serialize + 'a, I: Iterator<Item = (&'a String, &'a T)> + Clone> Serialize for MergedDict<'a, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for item in merged(self.items.clone(), self.odd) {
            match item {
                Either::Item((key, item)) => map.serialize_entry(key, item)?,
                Either::Odd(odd) => map.serialize_entry(odd.key.as_deref().unwrap_or_default(), &odd.value)?,
            }
        }
        map.end()
    }
}

/// A list and its odd items as one value.
pub(crate) fn merge_list<T: Serialize>(items: &[T], odd: &[OddItem]) -> Value {
    let values = merged(items.iter(), odd).map(|item| match item {
        Either::Item(item) => to_value(item),
        Either::Odd(odd) => odd.value.clone(),
    });
    Value::Array(values.collect())
}

/// A map and its odd values as one value.
pub(crate) fn merge_dict<T: Serialize>(items: &Dict<T>, odd: &[OddItem]) -> Value {
    let values = merged(items.iter(), odd).map(|item| match item {
        Either::Item((key, item)) => (key.clone(), to_value(item)),
        Either::Odd(odd) => (odd.key.clone().unwrap_or_default(), odd.value.clone()),
    });
    Value::Object(values.collect::<JsonObject>())
}
