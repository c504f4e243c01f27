//! Where the parser is in a schema.

use crate::error::step;
use crate::names;

/// Where the parser is: for messages, and for names. Both are rarely asked for, and spelled out only then.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// The place that this one is inside of.
    pub(super) outer: Option<&'a Place<'a>>,
    /// The step from there.
    pub(super) step: &'a str,
    pub(super) name: Name<'a>,
    pub(super) root: &'a str,
}

/// The name an inline type would get in a place.
#[derive(Clone, Copy)]
pub(super) enum Name<'a> {
    Known(&'a str),
    /// The place is a member of an object: the name of a list's items differs from that of an object in its place.
    Member {
        owner: &'a str,
        member: &'a str,
    },
}

impl<'a> Place<'a> {
    pub(super) fn down<'b>(&'b self, step: &'b str) -> Place<'b> {
        Place { outer: Some(self), step, ..*self }
    }

    pub(super) fn named<'b>(&'b self, step: &'b str, name: &'b str) -> Place<'b> {
        Place { name: Name::Known(name), ..self.down(step) }
    }

    /// The JSON pointer.
    pub(super) fn pointer(&self) -> String {
        step(&self.outer.map(Place::pointer).unwrap_or_default(), self.step)
    }

    /// The name as a person reads it.
    pub(super) fn name(&self) -> String {
        match self.name {
            Name::Known(name) => name.to_owned(),
            Name::Member { owner, member } => names::inline_name(owner, member, false),
        }
    }

    /// The name of a list's items: the list itself is not lifted, so that the place is still its own.
    pub(super) fn item_name(&self) -> String {
        match self.name {
            Name::Known(name) => format!("{name}Item"),
            Name::Member { owner, member } => names::inline_name(owner, member, true),
        }
    }
}
