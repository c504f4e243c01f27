//! What a schema says itself about answers and errors: a schema in, statements out. No fact is needed for these.
//!
//! - `FooResultResponse` is the envelope of all that answers `FooRequest`.
//! - Where a side lists `FooRequest` among its requests, and the other side `FooResult` among its answers, the one answers
//!   the other. Other results may answer it, too: lists do not say so.
//! - `FooError` may fix its code by a constant.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use crate::definitions::Part;
use crate::facts::tasks::quoted;
use crate::load::Schema;
use crate::names;

/// What answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answers {
    /// The usual result: the one that is called like the request, or else the first one.
    pub(crate) result: String,
    /// Other results, as far as the schema names them.
    pub(crate) also: Vec<String>,
    /// Whether nothing else answers the request.
    pub(crate) complete: bool,
    /// The definition that says so.
    pub(crate) by: String,
}

impl Answers {
    /// In words, for messages.
    pub(crate) fn told(&self) -> String {
        quoted(std::iter::once(&self.result).chain(&self.also).map(String::as_str))
    }
}

/// The code of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Code {
    /// Name of the constant.
    pub(crate) name: String,
    /// The code.
    pub(crate) code: i64,
    /// The definition that says so.
    pub(crate) by: String,
}

/// What answers each method, as far as the schema says it.
pub(crate) fn answers(schema: &Schema) -> BTreeMap<String, Answers> {
    let lists = Part::answered();
    let pairs: Vec<_> =
        lists.map(|(requests, results)| (listed(schema, requests), results, listed(schema, results))).collect();
    let mut all: BTreeMap<String, (&str, Answers)> = BTreeMap::new();
    for (name, method) in messages(schema) {
        let Some(base) = name.strip_suffix("Request") else { continue };
        let by_lists = || pairs.iter().find_map(|(requests, by, results)| paired(name, base, requests, by, results));
        let Some(answers) = by_response(schema, base).or_else(by_lists) else { continue };
        // Of two messages with one method, the first one counts.
        match all.get(method) {
            Some((first, _)) if *first < name => {}
            _ => drop(all.insert(method.to_owned(), (name, answers))),
        }
    }
    without_clashes(all.into_iter().map(|(method, (_, answers))| (method, answers)).collect())
}

/// The union of several answers is called after the usual one. Where two methods have that in common and not the others,
/// it would have to be two things: neither is taken.
fn without_clashes(mut all: BTreeMap<String, Answers>) -> BTreeMap<String, Answers> {
    let mut unions: BTreeMap<&str, HashSet<&[String]>> = BTreeMap::new();
    for answers in all.values().filter(|answers| !answers.also.is_empty()) {
        unions.entry(&answers.result).or_default().insert(&answers.also);
    }
    let clashes: HashSet<String> =
        unions.into_iter().filter(|(_, others)| others.len() > 1).map(|(result, _)| result.to_owned()).collect();
    all.retain(|_, answers| answers.also.is_empty() || !clashes.contains(&answers.result));
    all
}

/// The messages of a schema that have a fixed method.
pub(crate) fn messages(schema: &Schema) -> impl Iterator<Item = (&str, &str)> {
    let method = |value| Value::pointer(value, "/properties/method/const").and_then(Value::as_str);
    schema.definitions().iter().filter_map(move |(name, value)| Some((name.as_str(), method(value)?)))
}

/// What the envelope of a request's response holds.
fn by_response(schema: &Schema, base: &str) -> Option<Answers> {
    let by = format!("{base}ResultResponse");
    let result = schema.definitions().get(&by)?.pointer("/properties/result")?;
    let mut names: Vec<String> = references(result)?.into_iter().map(|name| named(schema, name)).collect();
    if names.iter().any(|name| !schema.definitions().contains_key(name)) {
        return None;
    }
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    // Upstream lists the exception first.
    let usual = format!("{base}Result");
    let place = names.iter().position(|name| *name == usual).unwrap_or(0);
    let result = if names.is_empty() { return None } else { names.remove(place) };
    Some(Answers { result, also: names, complete: true, by })
}

/// The base of all results stands for a result with nothing of its own, which has a name as well.
fn named(schema: &Schema, name: &str) -> String {
    let (base, empty) = (Part::BaseResult.name(), Part::EmptyResult.name());
    let is_base = |alias: &Value| references(alias).is_some_and(|names| names == [base]);
    let alias = schema.definitions().get(empty).filter(|_| name == base);
    if alias.is_some_and(is_base) { empty.to_owned() } else { name.to_owned() }
}

fn paired(name: &str, base: &str, requests: &HashSet<&str>, by: &str, results: &HashSet<&str>) -> Option<Answers> {
    let result = format!("{base}Result");
    let listed = requests.contains(name) && results.contains(result.as_str());
    listed.then(|| Answers { result, also: Vec::new(), complete: false, by: by.to_owned() })
}

/// The definitions that a union refers to; one alternative alone may stand without a union.
pub(crate) fn listed<'a>(schema: &'a Schema, union: &str) -> HashSet<&'a str> {
    let names = schema.definitions().get(union).and_then(references);
    names.unwrap_or_default().into_iter().filter(|name| schema.definitions().contains_key(*name)).collect()
}

/// The names of all alternatives; nothing, if one of them has no name.
fn references(value: &Value) -> Option<Vec<&str>> {
    let branches = ["anyOf", "oneOf"].iter().find_map(|keyword| value.get(*keyword)?.as_array());
    let all = branches.map_or_else(|| vec![value], |branches| branches.iter().collect());
    all.into_iter().map(reference).collect()
}

fn reference(value: &Value) -> Option<&str> {
    let path = value.get("$ref")?.as_str()?;
    path.strip_prefix("#/$defs/").or_else(|| path.strip_prefix("#/definitions/"))
}

/// The codes that errors fix, in the order of the schema, each name once.
pub(crate) fn error_codes(schema: &Schema) -> Vec<Code> {
    let mut seen = HashSet::new();
    let code = |(by, value): (&String, &Value)| {
        let name = names::error_code_name(by)?;
        let code = code_of(schema, value.get("properties")?.as_object()?)?;
        seen.insert(name.clone()).then(|| Code { name, code, by: by.clone() })
    };
    schema.definitions().iter().filter_map(code).collect()
}

/// The code of an error, or of the error in a response.
fn code_of(schema: &Schema, members: &Map<String, Value>) -> Option<i64> {
    let constant = |value: &Value| value.pointer("/properties/code/const").and_then(Value::as_i64);
    let direct = |value: &Value| {
        let target = || constant(schema.definitions().get(reference(value)?)?);
        constant(value).or_else(target)
    };
    if members.contains_key("message") {
        return members.get("code")?.get("const")?.as_i64();
    }
    let error = members.get("error")?;
    let branches = error.get("allOf").and_then(Value::as_array);
    direct(error).or_else(|| branches?.iter().find_map(direct))
}
