//! The members of an object while it is read.

use std::collections::BTreeMap;

use crate::decode::Wire;
use crate::json::{Reader, Stop};
use crate::misfit::Reason;
use crate::write::{Constant, ConstantValue};

/// The members of an object while it is read, by their numbers.
#[derive(Debug, Default)]
pub struct Members {
    /// Those that have come, among the first 64: one bit each.
    seen: u64,
    /// Those of which the last one fits, likewise.
    fitting: u64,
    /// What became of the member that was read last, if it is not in its place.
    last: Option<Unplaced>,
    /// Nothing as a rule.
    odd: Option<Box<Odd>>,
}

/// What is rarely known of members.
#[derive(Debug, Default)]
pub(super) struct Odd {
    /// Those beyond the first 64 that have come, and whether the last one fits.
    others: BTreeMap<usize, bool>,
    /// Those of which the last one is malformed, constants among them.
    malformed: Vec<usize>,
    /// Why members do not fit, if anybody wants to know.
    pub(super) reasons: Vec<(usize, Reason)>,
    has_repeated: bool,
}

/// A member that is not in its typed place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unplaced {
    pub(super) index: usize,
    pub(super) is_constant: bool,
    pub(super) is_required: bool,
}

impl Members {
    /// Takes note that a member comes. Whether it has come before.
    #[inline]
    fn is_repeated(&mut self, index: usize) -> bool {
        if index >= 64 {
            return self.is_other_repeated(index);
        }
        let bit = 1 << index;
        let is_repeated = self.seen & bit != 0;
        self.seen |= bit;
        self.fitting |= bit;
        if is_repeated {
            self.repeat(index);
        }
        is_repeated
    }

    #[cold]
    #[inline(never)]
    fn is_other_repeated(&mut self, index: usize) -> bool {
        let is_repeated = self.odd().others.insert(index, true).is_some();
        if is_repeated {
            self.repeat(index);
        }
        is_repeated
    }

    #[cold]
    #[inline(never)]
    fn repeat(&mut self, index: usize) {
        let odd = self.odd();
        odd.has_repeated = true;
        odd.malformed.retain(|malformed| *malformed != index);
        odd.reasons.retain(|(other, _)| *other != index);
    }

    /// What became of the member that was read last, if it is not in its place.
    #[inline]
    pub(super) fn take_unplaced(&mut self) -> Option<Unplaced> {
        self.last.take()
    }

    /// Whether all of these have come, and fit.
    #[inline]
    pub(super) fn have(&self, awaited: u64) -> bool {
        self.fitting & awaited == awaited
    }

    /// The members of which the last one is malformed.
    pub(super) fn malformed(&self) -> &[usize] {
        self.odd.as_ref().map(|odd| &*odd.malformed).unwrap_or_default()
    }

    /// Why members do not fit.
    pub(super) fn into_reasons(self) -> Vec<(usize, Reason)> {
        self.odd.map(|odd| odd.reasons).unwrap_or_default()
    }

    pub(super) fn odd(&mut self) -> &mut Odd {
        self.odd.get_or_insert_default()
    }

    #[inline]
    pub(super) fn has_repeated(&self) -> bool {
        self.odd.as_ref().is_some_and(|odd| odd.has_repeated)
    }

    pub(super) fn has_come(&self, index: usize) -> bool {
        match index {
            0..64 => self.seen & 1 << index != 0,
            _ => self.odd.as_ref().is_some_and(|odd| odd.others.contains_key(&index)),
        }
    }

    pub(super) fn fits(&self, index: usize) -> bool {
        match index {
            0..64 => self.fitting & 1 << index != 0,
            _ => self.odd.as_ref().is_some_and(|odd| odd.others.get(&index) == Some(&true)),
        }
    }

    /// Reads a member without which the object does not fit.
    #[inline]
    pub fn required<T: Wire>(&mut self, index: usize, place: &mut T, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        if self.is_repeated(index) {
            *place = T::placeholder();
        }
        if !place.read(reader)? {
            self.unplaced(index, false, true);
        }
        Ok(true)
    }

    /// Reads a member that may be missing, or that does not have its type without harm.
    #[inline]
    pub fn optional<T: Wire>(
        &mut self,
        index: usize,
        place: &mut Option<T>,
        reader: &mut Reader<'_>,
    ) -> Result<bool, Stop> {
        self.is_repeated(index);
        if !place.insert(T::placeholder()).read(reader)? {
            *place = None;
            self.unplaced(index, false, false);
        }
        Ok(true)
    }

    /// Reads a member whose absence has a meaning.
    #[inline]
    pub fn defaulted<T: Wire>(
        &mut self,
        index: usize,
        place: &mut T,
        default: T,
        reader: &mut Reader<'_>,
    ) -> Result<bool, Stop> {
        if self.is_repeated(index) {
            *place = T::placeholder();
        }
        if !place.read(reader)? {
            *place = default;
            self.unplaced(index, false, false);
        }
        Ok(true)
    }

    /// Reads a member that must have a certain value.
    pub fn constant(
        &mut self,
        index: usize,
        constant: Option<&Constant>,
        reader: &mut Reader<'_>,
    ) -> Result<bool, Stop> {
        let Some(constant) = constant else { return Ok(false) };
        self.is_repeated(index);
        let start = reader.position();
        let is_same = match constant.value {
            ConstantValue::String(value) if reader.peek() == b'"' => reader.string()? == value,
            // 5.0 is the integer 5 to JSON Schema, but only 5 comes back as it was.
            ConstantValue::Word(word) => {
                reader.skip()?;
                reader.since(start) == word
            }
            ConstantValue::String(_) => {
                reader.skip()?;
                false
            }
        };
        if !is_same {
            reader.is_contested = true;
            self.unplaced(index, true, false);
        }
        Ok(true)
    }

    #[cold]
    #[inline(never)]
    fn unplaced(&mut self, index: usize, is_constant: bool, is_required: bool) {
        if !is_constant {
            match index {
                0..64 => self.fitting &= !(1 << index),
                _ => drop(self.odd().others.insert(index, false)),
            }
        }
        if !is_required {
            self.odd().malformed.push(index);
        }
        self.last = Some(Unplaced { index, is_constant, is_required });
    }
}
