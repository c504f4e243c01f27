//! Questions: what a schema has more than the one before it in, what nobody can know from it out.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Ask;
use super::carry::Step;
use crate::definitions::{Part, is_list_of_messages};
use crate::facts::tasks::{quote, quoted};
use crate::facts::{Facts, names_member};
use crate::load::Schema;
use crate::model::Role;
use crate::stated;

/// How deep capabilities stand in each other.
const DEEPEST: usize = 3;

/// All questions about a schema, given the facts about it.
pub(super) fn questions(step: &Step<'_>, facts: &Facts) -> Vec<Ask> {
    let known = facts.clone().completed(step.schema);
    let mut asks: Vec<Ask> = deprecations(step, facts).into_iter().collect();
    asks.extend(answers(step, &known));
    asks.extend(strings(step, facts));
    asks.extend(members(step, facts));
    asks.extend(capabilities(step, facts));
    asks
}

fn is_new(step: &Step<'_>, definition: &str) -> bool {
    !step.before.definitions().contains_key(definition)
}

/// The schemas drop the tags of their source.
fn deprecations(step: &Step<'_>, facts: &Facts) -> Option<Ask> {
    let before: BTreeSet<&str> = stated::messages(step.before).map(|(_, method)| method).collect();
    let is_marked = |name: &str| {
        let by_schema = step.schema.definitions().get(name).and_then(|message| message.get("deprecated"));
        by_schema == Some(&Value::Bool(true))
            || facts.deprecated.iter().any(|fact| fact.items.iter().any(|item| item == name))
    };
    let open: BTreeSet<&str> = stated::messages(step.schema)
        .filter(|(name, method)| !is_marked(name) && (step.is_new() || !before.contains(method)))
        .map(|(_, method)| method)
        .collect();
    (!open.is_empty()).then(|| Ask {
        about: "what is deprecated".to_owned(),
        what: format!(
            "the schema does not say which definitions are deprecated, and nobody vouches that none of these methods is: \
             {}. Look for @deprecated in schema.ts, also at members and other definitions, and write [[deprecated]] into \
             schema/facts.toml",
            quoted(open.into_iter())
        ),
    })
}

/// Results and responses that belong to no request.
fn answers(step: &Step<'_>, known: &Facts) -> Vec<Ask> {
    let requests = stated::messages(step.schema).filter(|(name, _)| name.ends_with("Request"));
    let is_open = |method: &str| step.answers.get(method).is_none_or(|answers| !answers.complete);
    let open: BTreeSet<&str> = requests.map(|(_, method)| method).filter(|method| is_open(method)).collect();
    let used: BTreeSet<&String> = known.method.iter().flat_map(|fact| fact.result.iter().chain(&fact.also)).collect();
    let unused = |name: &&String| {
        let request = name.strip_suffix("ResultResponse").map(|base| format!("{base}Request"));
        let is_lonely = request.is_some_and(|request| !step.schema.definitions().contains_key(&request));
        let is_result = name.ends_with("Result") && !is_list_of_messages(name) && !used.contains(name);
        is_new(step, name) && (is_lonely || is_result)
    };
    let ask = |name: &String| Ask {
        about: quote(name),
        what: format!(
            "it is new, and answers no request that the schema or a fact names. Other results may answer these, as far \
             as the schema says: {}. If it is one, add it to `also` of their [[method]] in schema/facts.toml",
            if open.is_empty() { "none".to_owned() } else { quoted(open.iter().copied()) }
        ),
    };
    step.schema.definitions().keys().filter(unused).map(ask).collect()
}

/// Strings with a name: in the source, many are enums that may hold other values, too.
fn strings(step: &Step<'_>, facts: &Facts) -> Vec<Ask> {
    let is_bare = |value: &Value| {
        let members = value.as_object();
        members.is_some_and(|members| members.keys().all(|key| ["type", "description"].contains(&key.as_str())))
            && value.get("type").and_then(Value::as_str) == Some("string")
    };
    let is_told = |name: &str| facts.open_enum.iter().any(|fact| fact.name == name);
    let definitions = step.schema.definitions().iter();
    let open = definitions.filter(|(name, value)| is_new(step, name) && is_bare(value) && !is_told(name));
    open.map(|(name, _)| Ask {
        about: quote(name),
        what: "it is new, and a string without known values. If schema.ts has some, write an [[open_enum]] for the \
               members that hold it into schema/facts.toml"
            .to_owned(),
    })
    .collect()
}

/// Members that are required now, in what there was before: peers of the revision before leave them out.
fn members(step: &Step<'_>, facts: &Facts) -> Vec<Ask> {
    let mut required: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in step.schema.definitions() {
        let Some(before) = step.before.definitions().get(name) else { continue };
        let was: BTreeSet<&str> = required_members(before).collect();
        for member in required_members(value).filter(|member| !was.contains(member)) {
            let is_constant = value.pointer("/properties").and_then(|all| all.get(member)?.get("const")).is_some();
            let patterns =
                facts.initial.iter().map(|fact| &fact.members).chain(facts.lenient.iter().map(|fact| &fact.members));
            if !is_constant && !patterns.into_iter().any(|patterns| names_member(patterns, name, member)) {
                required.entry(member).or_default().push(name);
            }
        }
    }
    let ask = |(member, owners): (&str, Vec<&str>)| Ask {
        about: quote(member),
        what: format!(
            "it has become a required member of {}. Say in schema/facts.toml what a reader makes of its absence: \
             [[initial]] if it has a meaning, [[lenient]] if peers leave it out; or nothing, if it is always there",
            quoted(owners.into_iter())
        ),
    };
    required.into_iter().map(ask).collect()
}

fn required_members(value: &Value) -> impl Iterator<Item = &str> {
    value.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Capabilities that are new, and that no fact speaks of.
fn capabilities(step: &Step<'_>, facts: &Facts) -> Vec<Ask> {
    let mut asks = Vec::new();
    for holder in [Role::Server, Role::Client].map(|side| Part::Capabilities(side).name()) {
        let (mut now, mut before) = (BTreeSet::new(), BTreeSet::new());
        paths(step.schema, holder, &mut now);
        paths(step.before, holder, &mut before);
        let methods = facts.method.iter().flat_map(|fact| fact.server_capability.iter().chain(&fact.client_capability));
        let gates = facts.gate.iter().flat_map(|fact| fact.server_capability.iter().chain(&fact.client_capability));
        let used: BTreeSet<&String> = methods.chain(gates).collect();
        let open = now.iter().filter(|path| !before.contains(*path) && !used.contains(path));
        let open: Vec<&str> = open.map(String::as_str).collect();
        asks.extend((!open.is_empty()).then(|| Ask {
            about: format!("`{holder}`"),
            what: format!(
                "no fact says what these new members guard: {}. Name them as a capability in [[method]] or [[gate]] of \
                 schema/facts.toml, where they guard something",
                quoted(open.into_iter())
            ),
        }));
    }
    asks
}

fn paths(schema: &Schema, holder: &str, found: &mut BTreeSet<String>) {
    fn add(value: &Value, prefix: &str, depth: usize, found: &mut BTreeSet<String>) {
        let members = value.get("properties").and_then(Value::as_object);
        for (name, value) in members.into_iter().flatten().filter(|_| depth < DEEPEST) {
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            add(value, &path, depth + 1, found);
            found.insert(path);
        }
    }
    if let Some(value) = schema.definitions().get(holder) {
        add(value, "", 0, found);
    }
}
