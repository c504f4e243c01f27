//! Wire: which definitions messages contain.
//!
//! Schemas also define what messages are made from (bases whose members are copied into others) and what only says
//! again what is known (the response of one method, an error with one code). Changes there are not visible by
//! themselves.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::edition::{Definition, Index, Node};
use super::flow::{self, Flows};
use crate::model::{Content, Member};
use crate::names;

/// The definitions of both editions that messages contain, by name.
pub(super) struct Wire<'a> {
    old: HashSet<&'a str>,
    new: HashSet<&'a str>,
}

/// A member that more definitions have is looked for in so many of them.
const COMMON: usize = 256;

impl<'a> Wire<'a> {
    pub(super) fn new(old: &Index<'a>, new: &Index<'a>, flows: &Flows<'_>) -> Self {
        let old_flows = |name: &str| flows.travels(Some(name), None);
        let new_flows = |name: &str| flows.travels(None, Some(name));
        Self { old: visible(old, &old_flows), new: visible(new, &new_flows) }
    }

    /// Whether a definition is visible in the edition that has it, or in either.
    pub(super) fn has(&self, old: Option<&str>, new: Option<&str>) -> bool {
        old.is_some_and(|name| self.old.contains(name)) || new.is_some_and(|name| self.new.contains(name))
    }
}

fn visible<'a>(index: &Index<'a>, travels: &dyn Fn(&str) -> bool) -> HashSet<&'a str> {
    let (mut visible, mut rest) = (HashSet::new(), Vec::new());
    for (position, definition) in index.definitions().enumerate() {
        let is_role = names::is_list_of_messages(definition.name);
        // Another name for any value says nothing.
        let is_any = matches!(index.node(&definition.ty.shape), Node::Any);
        match is_role || travels(definition.type_name) && !is_any {
            true => drop(visible.insert(definition.name)),
            false => rest.push((position, definition)),
        }
    }
    let copies = Copies::new(index);
    for (position, Definition { name, ty, .. }) in rest {
        let Node::Object { members, .. } = index.node(&ty.shape) else { continue };
        let response = flow::is_response(index, ty);
        // What has a method, but no particular one, is what messages are made from.
        let of_messages =
            members.iter().any(|member| member.wire == "method" && matches!(member.content, Content::Field(_)));
        if !response && !of_messages && !members.is_empty() && !copies.is_base(position) && !refines(index, members) {
            visible.insert(name);
        }
    }
    visible
}

/// Which definitions have the same members, in the same words.
struct Copies {
    /// The members of each definition, as numbers: what is told in the same words has the same number.
    members: Vec<Vec<usize>>,
    /// The definitions that have a member, by its number.
    having: Vec<Vec<usize>>,
}

impl Copies {
    fn new(index: &Index<'_>) -> Self {
        // A member by its name, its content and its description: what was copied has all of them.
        let mut numbers: HashMap<(&str, bool, Cow<'_, str>, &str), usize> = HashMap::new();
        let mut copies = Self { members: Vec::new(), having: Vec::new() };
        for (position, Definition { ty, .. }) in index.definitions().enumerate() {
            let mut members = Vec::new();
            for member in index.members_of(ty) {
                let next = numbers.len();
                let doc = member.doc.as_deref().unwrap_or_default();
                let told = (member.wire.as_str(), member.required, index.content(member), doc);
                let number = *numbers.entry(told).or_insert(next);
                copies.having.resize_with(numbers.len(), Vec::new);
                if let Some(having) = copies.having.get_mut(number) {
                    having.push(position);
                }
                members.push(number);
            }
            copies.members.push(members);
        }
        copies
    }

    /// Whether others have all members of a definition: they were copied from it.
    fn is_base(&self, position: usize) -> bool {
        let members = |position: usize| self.members.get(position).map(Vec::as_slice).unwrap_or_default();
        let having = |number: &usize| self.having.get(*number).map(Vec::as_slice).unwrap_or_default();
        let mine = members(position);
        let rarest = mine.iter().min_by_key(|number| having(number).len());
        rarest.map(having).into_iter().flatten().take(COMMON).filter(|other| **other != position).any(|other| {
            let theirs: HashSet<&usize> = members(*other).iter().collect();
            mine.iter().all(|number| theirs.contains(number))
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
