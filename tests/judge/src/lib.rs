//! Compares a JSON text with what became of it, and names every difference.
//!
//! Everything else in this project reads JSON with serde_json, and two texts that serde_json reads alike may still differ:
//! in the last digit of a number, in a member that came twice. This judge has a tokenizer of its own and no dependencies.
//!
//! What counts:
//!
//! - *numbers* by their exact decimal value, however many digits they have, and by their form: `50` and `50.0` have the
//!   same value, but one is written as an integer and the other is not, which is a finding of its own kind. So is the sign
//!   of zero. Other spellings of a value, `1e-07` and `1e-7`, say the same;
//! - *strings* after their escapes are resolved: `"\u0041"` is `"A"`, `"\ud83d\ude00"` is one character, and half of such a
//!   pair is equal to itself only;
//! - *members* by name. Where a name is repeated, the last member is compared with the last one, and each one that is not
//!   there any more is a [duplicate dropped](Kind::DuplicateDropped);
//! - the *order* of members, except of those that a schema names: the [`Place`] knows. In an object that has a name
//!   twice no order is asked for, since nobody can say which of the two places counts;
//! - the order of *items*, and nulls.
//!
//! White space does not count. Time and memory are linear in the texts, however deep they nest.

mod compare;
mod number;
mod text;

use std::fmt;

pub use compare::compare;

/// What happened to a part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Another number.
    NumberChanged,
    /// The same value, written as an integer or not, or zero with another sign: `50` and `50.0`.
    NumberForm,
    /// Another string.
    StringChanged,
    /// Another value in any other way: `true` for `false`, an object for an array.
    ValueChanged,
    /// A null is gone, or something else stands in its place.
    NullLost,
    /// A member is gone.
    MemberLost,
    /// A member has come.
    MemberAdded,
    /// Of several members with one name, one is gone.
    DuplicateDropped,
    /// A member with this name has come once more.
    DuplicateAdded,
    /// The members of an object stand in another order.
    OrderChanged,
    /// An item of an array is gone.
    ItemLost,
    /// An item of an array has come.
    ItemAdded,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::NumberChanged,
        Self::NumberForm,
        Self::StringChanged,
        Self::ValueChanged,
        Self::NullLost,
        Self::MemberLost,
        Self::MemberAdded,
        Self::DuplicateDropped,
        Self::DuplicateAdded,
        Self::OrderChanged,
        Self::ItemLost,
        Self::ItemAdded,
    ];

    /// The kind in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NumberChanged => "number changed",
            Self::NumberForm => "number form changed",
            Self::StringChanged => "string changed",
            Self::ValueChanged => "value changed",
            Self::NullLost => "null lost",
            Self::MemberLost => "member lost",
            Self::MemberAdded => "member added",
            Self::DuplicateDropped => "duplicate dropped",
            Self::DuplicateAdded => "duplicate added",
            Self::OrderChanged => "order changed",
            Self::ItemLost => "item lost",
            Self::ItemAdded => "item added",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What happened.
    pub kind: Kind,
    /// JSON pointer of the place, in the first text as far as it is there.
    pub pointer: String,
    /// What stood there, as JSON text, cut where it is long; nothing if nothing did. Of an order, the names.
    pub before: Option<String>,
    /// What stands there now.
    pub after: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
        let place = if self.pointer.is_empty() { "(document)" } else { &self.pointer };
        write!(f, "{place}: {}: {} → {}", self.kind, show(&self.before), show(&self.after))
    }
}

/// What a comparison found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The first differences, in the order of the first text.
    pub findings: Vec<Finding>,
    /// How many more there are, which say nothing new.
    pub more: usize,
}

impl Verdict {
    /// How many findings are listed at most. Each has its whole JSON pointer, so that there has to be a limit.
    pub const MOST: usize = 20;

    /// Whether the texts say the same.
    pub fn is_same(&self) -> bool {
        self.findings.is_empty()
    }
}

/// A text that is no JSON, so that there is nothing to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotJson {
    /// The first text is not, from this byte on.
    Before(usize),
    /// The second one.
    After(usize),
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(byte) => write!(f, "the text is not JSON from byte {byte} on"),
            Self::After(byte) => write!(f, "what was written is not JSON from byte {byte} on"),
        }
    }
}

impl std::error::Error for NotJson {}

/// A place in a document: what tells members that may move from those that may not.
///
/// A member that the schema names may move, because typed objects are written in the order of their schema. All others
/// keep their order among themselves. In a free-form object no member has such a name.
pub trait Place: Clone {
    /// Whether the schema names a member of the object that stands here.
    fn names(&self, name: &str) -> bool;

    /// The place of a member.
    fn member(&self, name: &str) -> Self;

    /// The place of an item.
    fn item(&self) -> Self;
}

/// Typed objects of which nothing is known: no order counts.
#[derive(Debug, Clone, Copy)]
pub struct AnyOrder;

impl Place for AnyOrder {
    fn names(&self, _: &str) -> bool {
        true
    }

    fn member(&self, _: &str) -> Self {
        Self
    }

    fn item(&self) -> Self {
        Self
    }
}

/// Free-form JSON: all order counts.
#[derive(Debug, Clone, Copy)]
pub struct FreeForm;

impl Place for FreeForm {
    fn names(&self, _: &str) -> bool {
        false
    }

    fn member(&self, _: &str) -> Self {
        Self
    }

    fn item(&self) -> Self {
        Self
    }
}
