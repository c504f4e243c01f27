//! Visible: finds the definitions that messages contain.
//!
//! Schemas also define bases, whose members are copied into other definitions, and restatements: the response of one
//! method, the error with one code. A change of those alone is not visible in messages.

use std::borrow::Cow;
use std::collections::HashMap;

use super::both::{Age, Both};
use super::flow::{self, Flows};
use super::index::{Definition, Index};
use super::shape::Node;
use crate::definitions::is_list_of_messages;
use crate::model::{Content, Member, Type};

/// The definitions of both editions that messages contain.
pub(super) struct Visible<'a> {
    index: Both<&'a Index<'a>>,
    /// Whether messages contain them, by the numbers of their types.
    visible: Both<Vec<bool>>,
}

/// If more definitions than this have a member, only so many of them are looked at.
const COMMON: usize = 256;

impl<'a> Visible<'a> {
    pub(super) fn new(index: Both<&'a Index<'a>>, flows: &Flows) -> Self {
        let visible = Both {
            old: visible(index.old, |number| flows.travels(Age::Old, number)),
            new: visible(index.new, |number| flows.travels(Age::New, number)),
        };
        Self { index, visible }
    }

    /// Whether messages of either edition contain a definition.
    pub(super) fn has(&self, names: Both<Option<&str>>) -> bool {
        let is_visible = |age: Age| {
            let number =
                names.of(age).and_then(|name| self.index.of(age).find(name)).map(|definition| definition.number);
            number.and_then(|number| self.visible.get(age).get(number)).copied().unwrap_or_default()
        };
        is_visible(Age::Old) || is_visible(Age::New)
    }

    /// The definitions that no message contains.
    pub(super) fn hidden(&self) -> impl Iterator<Item = (Age, Definition<'a>)> {
        self.index.zip(self.visible.as_ref()).by_age().into_iter().flat_map(|(age, (index, visible))| {
            let is_hidden = |definition: &Definition<'_>| visible.get(definition.number) != Some(&true);
            index.definitions().filter(is_hidden).map(move |definition| (age, definition))
        })
    }
}

fn visible(index: &Index<'_>, travels: impl Fn(usize) -> bool) -> Vec<bool> {
    let (mut visible, mut rest) = (vec![false; index.types().len()], Vec::new());
    let show = |visible: &mut [bool], number: usize| {
        visible.get_mut(number).into_iter().for_each(|is_visible| *is_visible = true);
    };
    // Everything about a definition is found out in one pass, while it is in the cache.
    let mut copies = Copies::default();
    for (position, Definition { name, ty, number, .. }) in index.definitions().enumerate() {
        copies.add(index, position, ty);
        let is_list = is_list_of_messages(name);
        let node = index.node(&ty.shape);
        // An alias of any value says nothing.
        if is_list || travels(number) && !matches!(node, Node::Any) {
            show(&mut visible, number);
        } else if let Node::Object { members, .. } = node {
            // An object with a method, but no particular one, is a base of messages.
            let of_messages =
                members.iter().any(|member| member.wire == "method" && matches!(member.content, Content::Field(_)));
            let response = flow::is_response(index, ty);
            if !response && !of_messages && !members.is_empty() && !refines(index, members) {
                rest.push((position, number));
            }
        }
    }
    for (position, number) in rest {
        if !copies.is_base(position) {
            show(&mut visible, number);
        }
    }
    visible
}

/// Finds definitions that have the same members with the same descriptions.
#[derive(Default)]
struct Copies<'a> {
    /// The number of each member, by name, content and description: a copied member has the same ones.
    numbers: HashMap<(&'a str, bool, Cow<'a, str>, &'a str), usize>,
    /// The members of each definition, as sorted numbers.
    members: Vec<Vec<usize>>,
    /// The definitions that have a member, by its number.
    having: Vec<Vec<usize>>,
}

impl<'a> Copies<'a> {
    /// Adds the next definition.
    fn add(&mut self, index: &Index<'a>, position: usize, ty: &'a Type) {
        let members = index.members_of(ty).iter().map(|member| {
            let next = self.numbers.len();
            let doc = member.doc.as_deref().unwrap_or_default();
            let told = (member.wire.as_str(), member.required, index.content(member), doc);
            let number = *self.numbers.entry(told).or_insert(next);
            self.having.resize_with(self.numbers.len(), Vec::new);
            if let Some(having) = self.having.get_mut(number) {
                having.push(position);
            }
            number
        });
        let mut members: Vec<usize> = members.collect();
        members.sort_unstable();
        self.members.push(members);
    }

    /// Whether another definition has all members of this one, so that they were copied from it.
    fn is_base(&self, position: usize) -> bool {
        let members = |position: usize| self.members.get(position).map(Vec::as_slice).unwrap_or_default();
        let having = |number: &usize| self.having.get(*number).map(Vec::as_slice).unwrap_or_default();
        let mine = members(position);
        let rarest = mine.iter().min_by_key(|number| having(number).len());
        rarest.map(having).into_iter().flatten().take(COMMON).filter(|other| **other != position).any(|other| {
            let mut theirs = members(*other).iter();
            mine.iter().all(|number| theirs.any(|other| other == number))
        })
    }
}

/// Whether a definition repeats what is known from elsewhere: it is the response of one method, or the error with one
/// code.
pub(super) fn is_restatement(index: &Index<'_>, name: &str) -> bool {
    index.definition(name).is_some_and(|ty| flow::is_response(index, ty)) || refines(index, index.members(name))
}

/// Whether these are the members of an error with one code, which repeats what the general error says.
pub(super) fn refines(index: &Index<'_>, members: &[Member]) -> bool {
    let has_message = members.iter().any(|member| member.wire == "message");
    has_message && code(members).is_some_and(|code| index.model.error_codes.iter().any(|known| known.code == code))
}

/// The code of an error with these members, if it is always the same.
pub(super) fn code(members: &[Member]) -> Option<i64> {
    members.iter().find(|member| member.wire == "code").and_then(|member| match &member.content {
        Content::Constant(value) => value.as_i64(),
        Content::Field(_) => None,
    })
}
