//! Wire: which definitions messages contain.
//!
//! Schemas also define what messages are made from (bases whose members are copied into others) and what only says
//! again what is known (the response of one method, an error with one code). Changes there are not visible by
//! themselves.

use std::borrow::Cow;
use std::collections::HashMap;

use super::edition::{Definition, Index, Node};
use super::flow::{self, Flows};
use crate::model::{Content, Member, Type};
use crate::names;

/// The definitions of both editions that messages contain.
pub(super) struct Wire<'a> {
    old: &'a Index<'a>,
    new: &'a Index<'a>,
    /// Whether messages contain them, by the numbers of their types.
    visible: [Vec<bool>; 2],
}

/// A member that more definitions have is looked for in so many of them.
const COMMON: usize = 256;

impl<'a> Wire<'a> {
    pub(super) fn new(old: &'a Index<'a>, new: &'a Index<'a>, flows: &Flows) -> Self {
        let old_flows = |number: usize| flows.travels(Some(number), None);
        let new_flows = |number: usize| flows.travels(None, Some(number));
        Self { old, new, visible: [visible(old, &old_flows), visible(new, &new_flows)] }
    }

    /// Whether a definition is visible in the edition that has it, or in either.
    pub(super) fn has(&self, old: Option<&str>, new: Option<&str>) -> bool {
        let [before, after] = &self.visible;
        let is_visible = |index: &Index<'_>, visible: &[bool], name: Option<&str>| {
            let number = name.and_then(|name| index.find(name)).map(|definition| definition.number);
            number.and_then(|number| visible.get(number)).copied().unwrap_or_default()
        };
        is_visible(self.old, before, old) || is_visible(self.new, after, new)
    }

    /// The definitions that no message contains, by edition (`true` for the new one).
    pub(super) fn hidden(&self) -> impl Iterator<Item = (bool, Definition<'a>)> {
        let [before, after] = &self.visible;
        [(false, self.old, before), (true, self.new, after)].into_iter().flat_map(|(is_new, index, visible)| {
            let is_hidden = |definition: &Definition<'_>| visible.get(definition.number) != Some(&true);
            index.definitions().filter(is_hidden).map(move |definition| (is_new, definition))
        })
    }
}

fn visible(index: &Index<'_>, travels: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let (mut visible, mut rest) = (vec![false; index.types().len()], Vec::new());
    let show = |visible: &mut [bool], number: usize| {
        if let Some(place) = visible.get_mut(number) {
            *place = true;
        }
    };
    // All that is to be known of a definition is looked at in one go, as long as it is at hand.
    let mut copies = Copies::default();
    for (position, Definition { name, ty, number, .. }) in index.definitions().enumerate() {
        copies.add(index, position, ty);
        let is_role = names::is_list_of_messages(name);
        let node = index.node(&ty.shape);
        // Another name for any value says nothing.
        if is_role || travels(number) && !matches!(node, Node::Any) {
            show(&mut visible, number);
        } else if let Node::Object { members, .. } = node {
            // What has a method, but no particular one, is what messages are made from.
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

/// Which definitions have the same members, in the same words.
#[derive(Default)]
struct Copies<'a> {
    /// A member by its name, its content and its description: what was copied has all of them.
    numbers: HashMap<(&'a str, bool, Cow<'a, str>, &'a str), usize>,
    /// The members of each definition, as numbers, sorted: what is told in the same words has the same number.
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

    /// Whether others have all members of a definition: they were copied from it.
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

/// Whether a definition says again what is known from elsewhere: it is the response of one method, or the error with one
/// code.
pub(super) fn says_again(index: &Index<'_>, name: &str) -> bool {
    index.definition(name).is_some_and(|ty| flow::is_response(index, ty)) || refines(index, index.members(name))
}

/// Whether members are those of an error with one code, which says again what the general one says.
pub(super) fn refines(index: &Index<'_>, members: &[Member]) -> bool {
    let has_message = members.iter().any(|member| member.wire == "message");
    has_message && code(members).is_some_and(|code| index.model.error_codes.iter().any(|known| known.code == code))
}

/// The code that an error with these members has, if it is always the same.
pub(super) fn code(members: &[Member]) -> Option<i64> {
    members.iter().find(|member| member.wire == "code").and_then(|member| match &member.content {
        Content::Constant(value) => value.as_i64(),
        Content::Field(_) => None,
    })
}
