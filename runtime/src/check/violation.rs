//! What `check()` reports.

use std::borrow::Cow;
use std::fmt;

use crate::misfit::place;
use crate::pointer::Pointer;

/// One departure from the schema.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// JSON pointer of the offending value, or of the object that lacks a member.
    pub pointer: Pointer,
    /// The rule that is broken.
    pub rule: Rule,
    /// What the schema asks for.
    pub expected: Cow<'static, str>,
    /// What was found instead.
    pub found: String,
}

impl Violation {
    /// How many violations are listed at most: 100. Where there are more, one follows whose rule is [`Rule::Unlisted`],
    /// so that a list which was cut does not look complete.
    pub const LIMIT: usize = 100;

    /// What ends a list that was cut.
    #[cold]
    pub(super) fn unlisted() -> Self {
        let expected = format!("at most {} violations", Self::LIMIT).into();
        Self { pointer: Pointer::default(), rule: Rule::Unlisted, expected, found: "more, which are not listed".into() }
    }
}

impl fmt::Display for Violation {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whoever prints a violation need not keep the text of its pointer.
        let pointer = format!("{}", self.pointer);
        write!(f, "{}: expected {}, found {}", place(&pointer), self.expected, self.found)
    }
}

/// The kinds of rules a schema states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// A value has the wrong type.
    Type,
    /// A required member is missing.
    Required,
    /// A constant has another value.
    Constant,
    /// A closed enum has an unknown value.
    Enum,
    /// A number is out of range.
    Range,
    /// A list, map or string has too many or too few items, members or characters.
    Length,
    /// A string does not have its format.
    Format,
    /// No variant of a union accepts the value.
    Union,
    /// A closed object has an unknown member.
    Closed,
    /// Not a rule of the schema: the list ends here, and there are [more](Violation::LIMIT) violations.
    Unlisted,
}
