//! Objects with known members: what they have in common, so that a generated type is no more than a table of its members.

mod layout;
mod members;
mod read;
mod table;

use crate::check::Checker;
use crate::decode::{AnyWire, Member, Wire, explain};
use crate::extra::Extra;
use crate::json::{JsonRef, Reader, Stop};
use crate::misfit::Reason;

pub(crate) use layout::is_same;
pub use layout::{Field, Layout, Need};
pub use members::Members;
pub use read::read_record;

/// An object with known members, as the macro `record!` makes it from a table.
#[doc(hidden)]
pub trait Record: Wire {
    /// Its members.
    const LAYOUT: &'static Layout;

    /// Reads the value of a member, if it is a known one.
    fn read_member(&mut self, name: &str, members: &mut Members, reader: &mut Reader<'_>) -> Result<bool, Stop>;

    /// What was kept.
    fn extra(&self) -> &Extra;

    /// What is kept.
    fn extra_mut(&mut self) -> &mut Extra;

    /// Why a value does not have the type of a member.
    fn explain(&self, name: &str, value: JsonRef<'_>) -> Option<Reason>;

    /// A member that is written as a typed value.
    fn typed(&self, name: &str) -> Option<&dyn AnyWire>;
}

/// Why a value does not have the type of a member that is given by its place.
pub fn explain_required<T: Wire>(_: &T, value: JsonRef<'_>) -> Reason {
    explain::<T>(value)
}

/// The same for a member that may be missing.
pub fn explain_optional<T: Wire>(_: &Option<T>, value: JsonRef<'_>) -> Reason {
    explain::<T>(value)
}

/// The [`Wire::member`] of objects.
pub fn member_of<'a, T: Record>(record: &'a T, name: &str) -> Option<Member<'a>> {
    record.typed(name).map(Member::Typed).or_else(|| record.extra().get(name).map(Member::Text))
}

/// Reports what was kept of an object, as far as the schema does not allow it.
#[inline]
pub fn inspect_kept<T: Record>(record: &T, checker: &mut Checker<'_>) {
    // As a rule only what the schema does not name was kept.
    if record.extra().kept().is_some_and(|kept| kept.concerns(T::LAYOUT)) {
        checker.kept(record, T::LAYOUT);
    }
}
