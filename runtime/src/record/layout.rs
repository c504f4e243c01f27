//! What is known of an object before it is read.

use crate::write::Constant;

/// What is known of an object before it is read.
#[derive(Debug)]
pub struct Layout {
    pub(crate) expected: &'static str,
    /// The members that have a typed place.
    pub(crate) fields: &'static [Field],
    /// The others that are known. Their numbers follow those of the fields.
    pub(crate) constants: &'static [Constant],
    /// The members without which there is something to do when the object ends, among the first 64: one bit each.
    pub(super) awaited: u64,
    /// Whether there are no more than those.
    pub(super) is_small: bool,
}

/// A member that has a typed place.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub(crate) name: &'static str,
    pub(crate) need: Need,
}

/// What it means that a member is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The object does not have its type.
    Required,
    /// Nothing.
    Optional,
    /// Nothing, though the schema requires it.
    Lenient,
    /// A certain value.
    Defaulted,
}

impl Field {
    /// A member by its name.
    pub const fn new(name: &'static str, need: Need) -> Self {
        Self { name, need }
    }
}

impl Layout {
    /// The members of an object.
    pub const fn new(expected: &'static str, fields: &'static [Field], constants: &'static [Constant]) -> Self {
        let (mut awaited, mut bit, mut rest) = (0, 1_u64, fields);
        while let [field, others @ ..] = rest {
            if matches!(field.need, Need::Required | Need::Defaulted) {
                awaited |= bit;
            }
            (bit, rest) = (bit << 1, others);
        }
        let mut rest = constants;
        while let [_, others @ ..] = rest {
            (awaited, bit, rest) = (awaited | bit, bit << 1, others);
        }
        Self { expected, fields, constants, awaited, is_small: fields.len() + constants.len() <= 64 }
    }

    /// The number of a field.
    pub const fn number(fields: &[Field], name: &str) -> usize {
        let (mut number, mut rest) = (0, fields);
        while let [field, others @ ..] = rest {
            if is_same(field.name, name) {
                break;
            }
            (number, rest) = (number + 1, others);
        }
        number
    }

    /// A constant, and its number.
    pub const fn constant(constants: &'static [Constant], name: &str) -> (usize, Option<&'static Constant>) {
        let (mut number, mut rest) = (0, constants);
        while let [constant, others @ ..] = rest {
            if is_same(constant.name.name, name) {
                return (number, Some(constant));
            }
            (number, rest) = (number + 1, others);
        }
        (number, None)
    }

    pub(super) fn name(&self, index: usize) -> &'static str {
        match self.fields.get(index) {
            Some(field) => field.name,
            None => self.constants.get(index - self.fields.len()).map_or("", |constant| constant.name.name),
        }
    }

    /// Whether the schema names a member.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        (0..self.fields.len() + self.constants.len()).map(|index| self.name(index))
    }
}

/// Whether two names are the same. They are short, so that a call to compare memory would cost more.
#[inline]
pub(crate) const fn is_same(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    while let ([byte, more @ ..], [other_byte, other_more @ ..]) = (one, other) {
        if *byte != *other_byte {
            return false;
        }
        (one, other) = (more, other_more);
    }
    true
}
