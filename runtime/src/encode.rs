//! Writing objects: typed fields first, then what was kept.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::extra::{Extra, Kept};

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
