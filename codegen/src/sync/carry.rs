//! Carry: the facts about a revision in, those about the next one, or about its corrected schema, out.
//!
//! A fact that only the revision before vouches for is used, but listed as unconfirmed: a task, until somebody has looked.
//! Where the schema contradicts one, the schema is followed, and that is a task, too.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::Ask;
use super::facts_file::{FactsFile, Place};
use super::methods::Names;
use crate::error::Result;
use crate::facts::tasks::{Told, quote, quoted};
use crate::facts::{self, Entry, Facts, each_table, line};
use crate::facts::{Deferred, Deprecated, ErrorCode, Gate, Initial, Lenient, Method, OpenEnum, Order};
use crate::load::Schema;
use crate::stated::{self, Answers};

/// From what to what facts are carried.
pub(super) struct Step<'a> {
    /// The revision that facts are taken from; for a correction, the revision itself.
    pub(super) from: &'a str,
    /// Its schema.
    pub(super) before: &'a Schema,
    /// What they shall be about.
    pub(super) schema: &'a Schema,
    /// What that says about answers.
    pub(super) answers: BTreeMap<String, Answers>,
    names: Names<'a>,
}

impl<'a> Step<'a> {
    pub(super) fn new(from: &'a str, before: &'a Schema, schema: &'a Schema) -> Self {
        Self { from, before, schema, answers: stated::answers(schema), names: Names::new(schema) }
    }

    /// Whether the revision was never seen before.
    pub(super) fn is_new(&self) -> bool {
        self.from != self.schema.name
    }
}

/// What else a fact has to do with a schema.
trait Carried: Told {
    /// Whether the schema vouches for what is left of a fact.
    fn is_vouched_for(&self, _left: &Self, _step: &Step<'_>) -> bool {
        false
    }

    /// In which way the schema contradicts it.
    fn contradiction(&self, _step: &Step<'_>) -> Option<String> {
        None
    }

    /// Whether it is worth a question that the schema has nothing of what the fact speaks of.
    fn is_missed(&self) -> bool {
        true
    }
}

impl Carried for OpenEnum {}
impl Carried for Initial {}
impl Carried for Order {}
impl Carried for Lenient {}
impl Carried for Deprecated {}
impl Carried for Deferred {}
impl Carried for Gate {}

impl Carried for Method {
    /// Where the schema says what answers it, and has a capability of its name.
    fn is_vouched_for(&self, left: &Self, step: &Step<'_>) -> bool {
        let is_answered = step.names.request(&left.method).is_none() || step.answers.contains_key(&left.method);
        let says_more = left.result.is_some() || !left.also.is_empty() || left.phase.is_some();
        let known = (left.server_capability.clone(), left.client_capability.clone());
        is_answered && !says_more && known != (None, None) && known == step.names.capabilities(&left.method)
    }

    fn contradiction(&self, step: &Step<'_>) -> Option<String> {
        let answers = step.answers.get(&self.method)?;
        let known: BTreeSet<&String> = self.result.iter().chain(&self.also).collect();
        let is_known = |name: &String| known.contains(name) || self.result.is_none() && *name == answers.result;
        let said: BTreeSet<&String> = std::iter::once(&answers.result).chain(&answers.also).collect();
        let is_said = known.iter().all(|name| said.contains(name) || !answers.complete && self.also.contains(name));
        if known.is_empty() || is_said && said.into_iter().all(is_known) {
            return None;
        }
        let known = quoted(known.into_iter().map(String::as_str));
        Some(format!(
            "the result is {known} by the fact about {}, and {} by {} of the schema, which is followed. See that \
             upstream means it: nothing is to be written into schema/facts.toml, a mistake of the schema is mended by a \
             fixup",
            step.from,
            answers.told(),
            quote(&answers.by)
        ))
    }

    /// Reports say which methods are gone.
    fn is_missed(&self) -> bool {
        false
    }
}

impl Carried for ErrorCode {
    /// Where it is the error it was: the schema has its number, and that is the number it had.
    fn is_vouched_for(&self, _left: &Self, step: &Step<'_>) -> bool {
        let code = |schema: &Schema| stated::error_codes(schema).into_iter().find(|code| code.name == self.name);
        let now = code(step.schema).map(|code| code.code);
        now.is_some() && now == self.code.or(code(step.before).map(|code| code.code))
    }

    fn contradiction(&self, step: &Step<'_>) -> Option<String> {
        let stated = stated::error_codes(step.schema).into_iter().find(|code| code.name == self.name)?;
        let known = self.code.filter(|code| *code != stated.code)?;
        Some(format!(
            "the code is {known} by the fact about {}, and {} by `{}` of the schema, which is followed. See that \
             upstream means it: nothing is to be written into schema/facts.toml, a mistake of the schema is mended by a \
             fixup",
            step.from, stated.code, stated.by
        ))
    }
}

/// Makes the facts about one revision those about a schema.
pub(super) fn carry(file: &mut FactsFile, step: &Step<'_>, asks: &mut Vec<Ask>) -> Result<()> {
    let (all, name) = (file.parse()?, &step.schema.name);
    let listed: HashSet<&String> = all.unconfirmed.get(name).into_iter().flatten().collect();
    let mut unconfirmed = Vec::new();
    macro_rules! carry {
        ($($table:ident),*) => {$(
            let mut gone = Vec::new();
            for (index, entry) in all.$table.iter().enumerate().filter(|(_, entry)| entry.holds_for(step.from)) {
                let place = Place { table: stringify!($table), index };
                let bare = Facts { $table: vec![entry.clone()], ..Facts::default() }.without_stated(step.schema);
                let left = bare.clone().without_lost_results(step.schema).where_applicable(step.schema).$table.pop();
                asks.extend(asks_about(entry, bare.$table.first(), left.as_ref(), step, place.table));
                let Some(left) = left else {
                    gone.extend((!file.drop_from(&place, name)).then_some(index));
                    continue;
                };
                match left == *entry {
                    true => file.keep(&place, name),
                    false => file.keep_part(&place, name, &left.parts()),
                }
                let is_confirmed = match step.is_new() {
                    true => entry.is_vouched_for(&left, step),
                    false => !listed.contains(&line(place.table, entry)),
                };
                unconfirmed.extend((!is_confirmed).then(|| line(place.table, &left)));
            }
            file.remove(stringify!($table), &gone);
        )*};
    }
    each_table!(carry);
    suggest_missing(file, step, &mut unconfirmed)?;
    let mut seen = HashSet::new();
    unconfirmed.retain(|line| seen.insert(line.clone()));
    file.list_unconfirmed(name, &unconfirmed);
    Ok(())
}

/// What has to be asked about a fact of which the schema leaves something, or nothing.
fn asks_about<T: Carried + PartialEq>(
    entry: &T,
    bare: Option<&T>,
    left: Option<&T>,
    step: &Step<'_>,
    table: &str,
) -> Vec<Ask> {
    let ask = |what: String| Ask { about: entry.subject(), what };
    let mut asks: Vec<Ask> = entry.contradiction(step).map(ask).into_iter().collect();
    if let Some(left) = left.filter(|left| bare != Some(*left)) {
        let (was, is) = (entry.claim(), left.claim());
        let change = if was == is { format!("{} is left of it", left.subject()) } else { format!("left of it: {is}") };
        asks.push(ask(format!(
            "[[{table}]] of schema/facts.toml says of {} that {was}; the schema lacks some of that, and {change}. See \
             that the copy for {} is right",
            step.from, step.schema.name
        )));
    }
    if left.is_none() && entry.is_missed() {
        asks.push(ask(format!(
            "[[{table}]] of schema/facts.toml says of {} that {}; the schema has no such thing, or contradicts it, and \
             nothing was carried over. If it has another name or other values now, write an entry for {}",
            step.from,
            entry.claim(),
            step.schema.name
        )));
    }
    asks
}

/// An entry for each method and each error that none speaks of. Nobody has confirmed it.
fn suggest_missing(file: &mut FactsFile, step: &Step<'_>, unconfirmed: &mut Vec<String>) -> Result<()> {
    let now = file.parse()?.about(&step.schema.name);
    let methods: BTreeSet<&String> = now.method.iter().map(|fact| &fact.method).collect();
    for method in facts::methods(step.schema).iter().filter(|method| !methods.contains(method)) {
        let suggestion = step.names.suggest(method, step.answers.contains_key(method));
        file.add_method(&step.schema.name, method, &suggestion);
        unconfirmed.push(format!("method {method}"));
    }
    let codes: BTreeSet<&String> = now.error_code.iter().map(|fact| &fact.name).collect();
    for code in stated::error_codes(step.schema).iter().filter(|code| !codes.contains(&code.name)) {
        file.add_error_code(&step.schema.name, code);
        unconfirmed.push(format!("error_code {}", code.name));
    }
    Ok(())
}
