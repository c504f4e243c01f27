//! Wire: which definitions messages contain.
//!
//! Schemas also define what messages are made from (bases whose members are copied into others) and what only says
//! again what is known (the response of one method, an error with one code). Changes there are not visible by
//! themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::edition::{Index, Node};
use super::flow::{self, Flows};
use crate::model::{Content, Member};
use crate::names;

/// The definitions of both editions that messages contain, by name.
pub(super) struct Wire<'a> {
    old: BTreeSet<&'a str>,
    new: BTreeSet<&'a str>,
}

/// A member that more definitions have is looked for in so many of them.
const COMMON: usize = 256;

impl<'a> Wire<'a> {
    pub(super) fn new(old: &Index<'a>, new: &Index<'a>, flows: &Flows) -> Self {
        let old_flows = |name: &str| flows.travels(Some(name), None);
        let new_flows = |name: &str| flows.travels(None, Some(name));
        Self { old: visible(old, &old_flows), new: visible(new, &new_flows) }
    }

    /// Whether a definition is visible in the edition that has it, or in either.
    pub(super) fn has(&self, old: Option<&str>, new: Option<&str>) -> bool {
        old.is_some_and(|name| self.old.contains(name)) || new.is_some_and(|name| self.new.contains(name))
    }
}

fn visible<'a>(index: &Index<'a>, travels: &dyn Fn(&str) -> bool) -> BTreeSet<&'a str> {
    let mut by_member: BTreeMap<String, Vec<&'a str>> = BTreeMap::new();
    let (mut visible, mut rest) = (BTreeSet::new(), Vec::new());
    for name in index.definitions() {
        let is_role = names::is_list_of_messages(name);
        // Another name for any value says nothing.
        let is_any = matches!(index.definition(name).map(|ty| index.node(&ty.shape)), Some(Node::Any));
        match index.type_name(name) {
            Some(ty) if is_role || travels(ty) && !is_any => drop(visible.insert(name)),
            _ => rest.push(name),
        }
        for member in index.members(name) {
            by_member.entry(told(index, member)).or_default().push(name);
        }
    }
    for name in rest {
        let members = index.members(name);
        let is_object = matches!(index.definition(name).map(|ty| index.node(&ty.shape)), Some(Node::Object { .. }));
        let response = index.type_name(name).is_some_and(|ty| flow::is_response(index, ty));
        // What has a method, but no particular one, is what messages are made from.
        let of_messages =
            members.iter().any(|member| member.wire == "method" && matches!(member.content, Content::Field(_)));
        if is_object
            && !response
            && !of_messages
            && !members.is_empty()
            && !is_base(index, name, &by_member)
            && !refines(index, name)
        {
            visible.insert(name);
        }
    }
    visible
}

/// Whether others have all its members, in the same words: they were copied from it.
fn is_base<'a>(index: &Index<'a>, name: &str, by_member: &BTreeMap<String, Vec<&'a str>>) -> bool {
    let told: Vec<String> = index.members(name).iter().map(|member| told(index, member)).collect();
    let having = |text: &String| by_member.get(text).map(Vec::as_slice).unwrap_or_default();
    let rarest = told.iter().min_by_key(|text| having(text).len());
    rarest.map(having).into_iter().flatten().take(COMMON).any(|other| {
        let theirs: BTreeSet<String> = if *other == name {
            BTreeSet::new()
        } else {
            index.members(other).iter().map(|member| self::told(index, member)).collect()
        };
        told.iter().all(|text| theirs.contains(text))
    })
}

/// Whether a definition says again what is known from elsewhere: it is the response of one method, or the error with one
/// code.
pub(super) fn says_again(index: &Index<'_>, name: &str) -> bool {
    index.type_name(name).is_some_and(|ty| flow::is_response(index, ty)) || refines(index, name)
}

/// Whether it is an error with one code, which says again what the general one says.
pub(super) fn refines(index: &Index<'_>, name: &str) -> bool {
    let members = index.members(name);
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

/// A member with its description: what was copied has both.
fn told(index: &Index<'_>, member: &Member) -> String {
    format!("{}\n{}", index.member(member), member.doc.as_deref().unwrap_or_default())
}
