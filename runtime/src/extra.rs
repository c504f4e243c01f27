//! Where a generated struct keeps what its typed fields cannot hold.

use std::borrow::Cow;
use std::fmt;
use std::ptr;

use crate::json::{Json, JsonRef, Reader, compact};
use crate::record::Layout;
use crate::write::push_quoted;

/// What arrived with an object besides its typed fields. Nothing is allocated while there is nothing to keep.
///
/// It holds
/// - *unknown* members, which the revision does not define;
/// - *malformed* members: optional ones whose value does not have the defined type (an explicit `null`, say), and
///   constants with another value;
/// - *repeated* members: what a member that the revision defines was before it came again, since the last one counts;
/// - the names of constants and defaulted members that were *omitted*.
///
/// All of it is kept as text and written back. `check()` reports what the schema does not allow.
///
/// The typed field of a malformed member is `None`. To set it to a value replaces the malformed one; to set it to `None`
/// again does not, since nobody can tell that from never having touched it. Who wants such a member gone for certain
/// calls [`drop_malformed`](Self::drop_malformed); [`drop_repeated`](Self::drop_repeated) does it for repeated ones, which a
/// careless reader might take for the ones that count. Malformed items of lists and maps are not here, but in the
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

#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    /// Unknown and malformed members in the order they came, as they stand between the braces of an object.
    pub(crate) members: String,
    /// Earlier ones of repeated members that are known, likewise.
    pub(crate) repeated: String,
    pub(crate) omitted: Vec<&'static str>,
    /// Those of the members that were found malformed.
    malformed: Vec<&'static str>,
    /// What the members were told apart by. What is kept may be given to a value of another type, which names others of them.
    layout: Option<&'static Layout>,
    /// Whether members were added since, which may be any.
    is_edited: bool,
}

impl PartialEq for Kept {
    /// Whether both are written alike. Which members are malformed follows from what they are.
    fn eq(&self, other: &Self) -> bool {
        let braced = |members: &str| Json::from_valid(format!("{{{members}}}"));
        braced(&self.members) == braced(&other.members)
            && all_members(&self.repeated).eq(all_members(&other.repeated))
            && self.omitted == other.omitted
    }
}

/// Members as they stand between the braces of an object, repeated ones as often as they do.
fn all_members(members: &str) -> impl Iterator<Item = (Cow<'_, str>, JsonRef<'_>)> {
    let mut members = Written(Reader::trusted(members));
    std::iter::from_fn(move || members.next_parts().map(|(name, _, value)| (name, value)))
}

impl Kept {
    #[inline]
    pub(crate) fn is_malformed(&self, name: &str) -> bool {
        self.malformed.contains(&name)
    }

    /// Whether there may be members that a type names, besides those known as malformed.
    #[inline]
    pub(crate) fn may_hold_any_of(&self, layout: &'static Layout) -> bool {
        self.is_edited || self.layout.is_none_or(|known| !ptr::eq(known, layout)) && !self.members.is_empty()
    }

    /// Whether a type may have something to say about what is kept.
    #[inline]
    pub(crate) fn concerns(&self, layout: &'static Layout) -> bool {
        !self.malformed.is_empty() || !self.omitted.is_empty() || self.may_hold_any_of(layout)
    }

    /// Whether there is a member of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.written().any(|(other, _)| other == name)
    }

    /// The members: each with its name, and as it is written.
    pub(crate) fn written(&self) -> Written<'_> {
        Written(Reader::trusted(&self.members))
    }

    /// Puts something in the place of a member, or nothing. Others of the same name go.
    fn replace(&mut self, name: &str, mut member: Option<&str>) {
        let mut members = String::with_capacity(self.members.len());
        for (other, text) in self.written() {
            match other == name {
                true => member.take().into_iter().for_each(|member| add(&mut members, member)),
                false => add(&mut members, text),
            }
        }
        self.members = members;
    }
}

/// Adds a member to others.
#[inline]
fn add(members: &mut String, member: &str) {
    if !members.is_empty() {
        members.push(',');
    }
    members.push_str(member);
}

/// Members as they are written, each with its name.
pub(crate) struct Written<'a>(Reader<'a>);

impl<'a> Written<'a> {
    fn next_parts(&mut self) -> Option<(Cow<'a, str>, &'a str, JsonRef<'a>)> {
        match self.0.peek() {
            b'"' => {}
            b',' => self.0.pass(),
            _ => return None,
        }
        let start = self.0.position();
        let name = self.0.name_cow().ok()?;
        let value = self.0.position();
        self.0.skip().ok()?;
        Some((name, self.0.since(start), JsonRef::from_valid(self.0.since(value))))
    }
}

impl<'a> Iterator for Written<'a> {
    type Item = (Cow<'a, str>, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_parts().map(|(name, member, _)| (name, member))
    }
}

impl Extra {
    /// Nothing kept.
    #[inline]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Whether everything that arrived had its typed place.
    pub fn is_empty(&self) -> bool {
        self.kept().is_none_or(|kept| kept.members.is_empty() && kept.repeated.is_empty() && kept.omitted.is_empty())
    }

    /// A member without a typed place. Of repeated ones it is the last.
    pub fn get(&self, name: &str) -> Option<JsonRef<'_>> {
        self.members().filter(|(other, _)| other == name).last().map(|(_, value)| value)
    }

    /// Members without a typed place, found in one pass. Of repeated ones each is the last.
    pub(crate) fn find<const N: usize>(&self, names: [&str; N]) -> [Option<JsonRef<'_>>; N] {
        let mut found = [None; N];
        for (name, value) in self.members() {
            for (wanted, found) in names.iter().zip(&mut found) {
                if name == *wanted {
                    *found = Some(value);
                }
            }
        }
        found
    }

    /// Adds a member, or replaces its value. A typed field of the same name wins when the object is written.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Json>) -> Option<Json> {
        let (name, value) = (name.into(), value.into());
        let before = self.get(&name).map(JsonRef::to_json);
        let mut member = String::with_capacity(name.len() + value.text().len() + 3);
        push_quoted(&mut member, &name);
        member.push(':');
        member.push_str(value.text());
        let kept = self.kept_mut();
        kept.is_edited = true;
        kept.malformed.retain(|malformed| *malformed != name);
        match before {
            Some(_) => kept.replace(&name, Some(&member)),
            None => add(&mut kept.members, &member),
        }
        before
    }

    /// Takes a member out. The others keep their order.
    pub fn remove(&mut self, name: &str) -> Option<Json> {
        let value = self.get(name)?.to_json();
        let kept = self.kept_mut();
        kept.malformed.retain(|malformed| *malformed != name);
        kept.replace(name, None);
        Some(value)
    }

    /// The members without a typed place, in the order they came, repeated ones as often as they did.
    pub fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, JsonRef<'_>)> {
        self.kept().into_iter().flat_map(|kept| all_members(&kept.members))
    }

    /// The malformed members: the revision defines them, but with another type or as another constant. One whose field
    /// has been set to a value since is not written.
    pub fn malformed(&self) -> impl Iterator<Item = (&'static str, JsonRef<'_>)> {
        let names = self.kept().into_iter().flat_map(|kept| &kept.malformed);
        names.filter_map(|name| Some((*name, self.get(name)?)))
    }

    /// Removes the malformed members. Constants among them are written as the revision has them.
    pub fn drop_malformed(&mut self) {
        if let Some(kept) = &mut self.0 {
            for name in std::mem::take(&mut kept.malformed) {
                kept.replace(name, None);
            }
        }
    }

    /// What members that the revision defines were before they came again: each with its name, in the order they came.
    pub fn repeated(&self) -> impl Iterator<Item = (Cow<'_, str>, JsonRef<'_>)> {
        self.kept().into_iter().flat_map(|kept| all_members(&kept.repeated))
    }

    /// Removes what members were before they came again.
    pub fn drop_repeated(&mut self) {
        if let Some(kept) = &mut self.0 {
            kept.repeated = String::new();
        }
    }

    /// Whether the constant or defaulted member `name` did not arrive and will not be written.
    pub fn is_omitted(&self, name: &str) -> bool {
        self.kept().is_some_and(|kept| kept.omitted.contains(&name))
    }

    #[inline]
    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.0.as_deref()
    }

    #[cold]
    pub(crate) fn omit(&mut self, name: &'static str) {
        let omitted = &mut self.kept_mut().omitted;
        omitted.insert(omitted.partition_point(|other| *other < name), name);
    }

    /// Keeps a member that the type of this layout does not name: its text from the name to the value, and how much white
    /// space is in it.
    #[inline]
    pub(crate) fn keep(&mut self, member: &str, spaces: usize, layout: &'static Layout) {
        let kept = self.kept_mut();
        kept.layout = Some(layout);
        keep(&mut kept.members, member, spaces);
    }

    /// Keeps a member that the type names, and whose value does not have its type.
    #[cold]
    pub(crate) fn keep_malformed(&mut self, name: &'static str, member: &str, spaces: usize, layout: &'static Layout) {
        self.keep(member, spaces, layout);
        self.kept_mut().malformed.push(name);
    }

    /// Keeps what a member was before it came again.
    #[cold]
    pub(crate) fn keep_repeated(&mut self, member: &str, spaces: usize) {
        keep(&mut self.kept_mut().repeated, member, spaces);
    }

    /// Forgets all members, to collect them again: at most so much text.
    #[cold]
    pub(crate) fn forget_members(&mut self, most: usize) {
        let mut kept = Kept::default();
        kept.repeated.reserve_exact(most);
        self.0 = Some(Box::new(kept));
    }

    #[inline]
    fn kept_mut(&mut self) -> &mut Kept {
        self.0.get_or_insert_default()
    }
}

#[inline]
fn keep(members: &mut String, member: &str, spaces: usize) {
    match spaces {
        0 => add(members, member),
        _ => add(members, &compact(member, member.len() - spaces)),
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_map();
        debug.entries(self.members());
        for (name, value) in self.repeated() {
            debug.entry(&name, &format_args!("{value}, before it came again"));
        }
        for name in self.kept().into_iter().flat_map(|kept| &kept.omitted) {
            debug.entry(name, &format_args!("omitted"));
        }
        debug.finish()
    }
}
