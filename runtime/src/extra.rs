//! Where a generated struct keeps what its typed fields cannot hold.

use std::fmt;

use serde_json::Value;

use crate::JsonObject;

/// What arrived with an object besides its typed fields. Nothing is allocated while there is nothing to keep.
///
/// It holds
/// - *unknown* members, which the revision does not define;
/// - *malformed* members: optional ones whose value does not have the defined type (an explicit `null`, say), and
///   constants with another value;
/// - the names of constants and defaulted members that were *omitted*.
///
/// All of it is written back. `check()` reports what the schema does not allow.
///
/// The typed field of a malformed member is `None`. To set it to a value replaces the malformed one; to set it to `None`
/// again does not, since nobody can tell that from never having touched it. Who wants such a member gone for certain
/// calls [`drop_malformed`](Self::drop_malformed). Malformed items of lists and maps are not here, but in the
/// [`List`](crate::List) or [`Dict`](crate::Dict).
///
/// ```
/// # use mcp_wire_core::Extra;
/// let mut extra = Extra::new();
/// assert!(extra.is_empty());
/// extra.insert("vendor/trace", "abc");
/// assert_eq!(extra.get("vendor/trace").unwrap(), "abc");
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct Extra(Option<Box<Kept>>);

#[derive(Clone, Default)]
pub(crate) struct Kept {
    pub(crate) members: JsonObject,
    pub(crate) omitted: Vec<&'static str>,
    /// Those of the members that were found malformed.
    malformed: Vec<&'static str>,
}

impl PartialEq for Kept {
    /// Whether both are written alike. Which members are malformed follows from what they are.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members && self.omitted == other.omitted
    }
}

impl Extra {
    /// Nothing kept.
    #[inline]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Whether everything that arrived had its typed place.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.kept().is_none_or(|kept| kept.members.is_empty() && kept.omitted.is_empty())
    }

    /// A member without a typed place.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.kept()?.members.get(name)
    }

    /// Adds a member, or replaces its value. A typed field of the same name wins when the object is written.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        let (kept, name) = (self.kept_mut(), name.into());
        kept.malformed.retain(|malformed| *malformed != name);
        kept.members.insert(name, value.into())
    }

    /// Takes a member out.
    #[inline]
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        // `shift_remove` keeps the order of the members that stay.
        self.0.as_mut()?.members.shift_remove(name)
    }

    /// The members without a typed place, in the order they came.
    pub fn members(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.kept().into_iter().flat_map(|kept| &kept.members).map(|(name, value)| (name.as_str(), value))
    }

    /// The malformed members: the revision defines them, but with another type or as another constant. One whose field
    /// has been set to a value since is not written.
    pub fn malformed(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let names = self.kept().into_iter().flat_map(|kept| &kept.malformed);
        names.filter_map(|name| Some((*name, self.get(name)?)))
    }

    /// Removes the malformed members. Constants among them are written as the revision has them.
    pub fn drop_malformed(&mut self) {
        if let Some(kept) = &mut self.0 {
            for name in std::mem::take(&mut kept.malformed) {
                kept.members.shift_remove(name);
            }
        }
    }

    /// Whether the constant or defaulted member `name` did not arrive and will not be written.
    #[inline]
    pub fn is_omitted(&self, name: &str) -> bool {
        self.kept().is_some_and(|kept| kept.omitted.contains(&name))
    }

    #[inline]
    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.0.as_deref()
    }

    #[inline]
    pub(crate) fn omit(&mut self, name: &'static str) {
        let omitted = &mut self.kept_mut().omitted;
        omitted.insert(omitted.partition_point(|other| *other < name), name);
    }

    /// Keeps a member that the revision does not define.
    #[inline]
    pub(crate) fn keep_unknown(&mut self, name: String, value: Value) {
        self.kept_mut().members.insert(name, value);
    }

    /// Keeps a member whose value does not have the defined type.
    #[cold]
    pub(crate) fn keep_malformed(&mut self, name: &'static str, value: Value) {
        let kept = self.kept_mut();
        kept.members.insert(name.to_owned(), value);
        if !kept.malformed.contains(&name) {
            kept.malformed.push(name);
        }
    }

    /// The name as a member that has a typed place after all: an earlier misfit of the same name is replaced.
    #[inline]
    pub(crate) fn forget(&mut self, name: &str) {
        if let Some(kept) = &mut self.0 {
            // Swapping is constant time: a hostile message may repeat its members a million times.
            kept.members.swap_remove(name);
            kept.malformed.retain(|malformed| *malformed != name);
        }
    }

    #[inline]
    fn kept_mut(&mut self) -> &mut Kept {
        self.0.get_or_insert_default()
    }
}

impl fmt::Debug for Extra {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_map();
        if let Some(kept) = self.kept() {
            debug.entries(&kept.members);
            for name in &kept.omitted {
                debug.entry(name, &format_args!("omitted"));
            }
        }
        debug.finish()
    }
}
