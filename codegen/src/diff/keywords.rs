//! Keywords: the schemas of two definitions in, the keywords out that differ and that the model does not hold.
//!
//! Lowering refuses keywords that it does not know, so the model loses little: annotations that are more than prose,
//! formats that nobody checks, and limits of types that a fact replaces. Keywords that the model holds in some places
//! only (`RECONCILED`) are listed too, and the walk drops those that it has found itself.

mod same;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::align::Alignment;
use super::both::{Age, Both};
use super::edition::{Edition, referred};
use super::path::Step;
use same::{canonical, canonical_object, leave_same};
pub(super) use same::{same_but_for_words, same_to_the_letter};

/// Keywords for people.
const PROSE: &[&str] = &["title", "description", "$comment", "examples"];

/// Keywords that the model holds wherever they stand.
const HELD: &[&str] =
    &["$ref", "allOf", "anyOf", "properties", "required", "additionalProperties", "items", "enum", "const", "type"];

/// Keywords that the model holds in some places. There, the walk has found the difference.
pub(super) const RECONCILED: &[&str] = &[
    "format",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "deprecated",
    ENUM,
    ALTERNATIVES,
];

/// The values of an enum. A constant counts as an enum with one value.
pub(super) const ENUM: &str = "enum";

/// Formats that the model holds.
const FORMATS: &[&str] = &["uri", "uri-template", "byte"];

/// Anything nested deeper than this is not compared.
pub(super) const NESTING: &str = "nesting";
const DEPTH: usize = 128;

/// Alternatives that differ, although the values of each keyword are the same over all of them.
const ALTERNATIVES: &str = "anyOf";

/// A keyword that differs. A place with alternatives may have several values of it.
pub(super) struct Unheld<'a> {
    /// The definitions that the steps begin at, if they are not those that were asked about.
    pub(super) exchanged: Option<Both<&'a str>>,
    pub(super) steps: Vec<Step<'a>>,
    pub(super) keyword: String,
    pub(super) values: Both<Option<Value>>,
}

impl Unheld<'_> {
    /// Whether it is about a format that the model does not hold.
    pub(super) fn is_unknown_format(&self) -> bool {
        let is_known = |value: &Value| value.as_str().is_some_and(|name| FORMATS.contains(&name));
        let values = self.values.as_ref().each().into_iter().flatten();
        let mut values = values.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
        self.keyword == "format" && !values.all(is_known)
    }
}

/// The schemas of one place: one, or several if the place has alternatives.
type Schemas<'a> = Vec<&'a Value>;

pub(super) struct Keywords<'a> {
    editions: Both<&'a Edition>,
    alignment: &'a Alignment<'a>,
    /// Pairs of definitions of which one stands where the other stood, and those among them that are still to be
    /// compared. Each pair is compared once.
    exchanged: HashSet<Both<&'a str>>,
    open: Vec<Both<&'a str>>,
    /// The current place: the definitions, and the steps from there.
    from: Option<Both<&'a str>>,
    steps: Vec<Step<'a>>,
    found: Vec<Unheld<'a>>,
}

/// The schemas of a place, taken apart.
#[derive(Default)]
struct Spread<'a> {
    /// Schemas that say something about the value.
    inline: Vec<&'a Map<String, Value>>,
    /// Schemas with annotations beside a reference.
    beside: Vec<&'a Map<String, Value>>,
    /// The definitions that they refer to.
    references: Vec<&'a str>,
}

impl<'a> Keywords<'a> {
    pub(super) fn new(editions: Both<&'a Edition>, alignment: &'a Alignment<'a>) -> Self {
        let (exchanged, open, steps, found) = (HashSet::new(), Vec::new(), Vec::new(), Vec::new());
        Self { editions, alignment, exchanged, open, from: None, steps, found }
    }

    /// The keywords in which the schemas of two definitions differ.
    pub(super) fn unheld(&mut self, schemas: Both<&'a Value>) -> Vec<Unheld<'a>> {
        self.compare(schemas.map(|schema| vec![schema]));
        while let Some(names) = self.open.pop() {
            self.from = Some(names);
            let schemas = self.editions.zip(names).map(|(edition, name)| edition.definition(name));
            self.compare(schemas.map(|schema| schema.into_iter().collect()));
        }
        self.from = None;
        std::mem::take(&mut self.found)
    }

    fn note(&mut self, keyword: &str, values: Both<Option<Value>>) {
        let (exchanged, steps) = (self.from, self.steps.clone());
        let unheld = Unheld { exchanged, steps, keyword: keyword.to_owned(), values };
        // The walk has reported these keywords where one definition stands for the other.
        if exchanged.is_none() || !RECONCILED.contains(&keyword) || unheld.is_unknown_format() {
            self.found.push(unheld);
        }
    }

    /// The keywords that differ outside of the definitions. The keyword that holds the definitions is reported as the
    /// dialect.
    pub(super) fn outside(&self) -> Vec<Unheld<'a>> {
        let Some(Both { old, new }) = self.editions.map(|edition| edition.document().as_object()).all() else {
            return Vec::new();
        };
        let holders = self.editions.map(|edition| edition.keyword);
        let is_told = |name: &str| {
            holders.each().contains(&name) || PROSE.contains(&name) || name == "$schema" && holders.old != holders.new
        };
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).filter(|name| !is_told(name)).collect();
        let differs = |name: &&String| match (old.get(*name), new.get(*name)) {
            (Some(old), Some(new)) => canonical(old) != canonical(new),
            _ => true,
        };
        let unheld = |name: &String| Unheld {
            exchanged: None,
            steps: Vec::new(),
            keyword: name.clone(),
            values: Both { old: old.get(name).cloned(), new: new.get(name).cloned() },
        };
        names.into_iter().filter(differs).map(unheld).collect()
    }

    fn compare(&mut self, schemas: Both<Schemas<'a>>) {
        if let ([old], [new]) = (&schemas.old[..], &schemas.new[..])
            && same_to_the_letter(old, new)
        {
            return;
        }
        if self.steps.len() >= DEPTH {
            return self.note(NESTING, Both::default());
        }
        let mut spread = Both::<Spread<'a>>::default();
        for (age, schemas) in schemas.by_age() {
            let spread = spread.get_mut(age);
            schemas.into_iter().for_each(|schema| self.spread(age, schema, spread, &mut BTreeSet::new()));
        }
        self.meet(&mut spread);
        leave_same(&mut spread.old.inline, &mut spread.new.inline);
        self.keywords(spread.as_ref());
        self.inside(spread.as_ref().map(|spread| spread.inline.as_slice()));
    }

    /// Adds what a schema of one edition says.
    fn spread(&self, age: Age, schema: &'a Value, spread: &mut Spread<'a>, known: &mut BTreeSet<&'a str>) {
        let Value::Object(members) = schema else { return };
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            spread.beside.push(members);
            spread.references.extend(self.definition(age, reference).map(|(name, _)| name));
            return;
        }
        let branches = |keyword: &str| members.get(keyword).and_then(Value::as_array).into_iter().flatten();
        let included = branches("allOf").count();
        let says_more = members.keys().any(|keyword| keyword != "allOf" && HELD.contains(&keyword.as_str()));
        // Keywords beside an `allOf` are one more branch of it.
        match members.contains_key("anyOf") || included > 0 && !says_more {
            true => spread.beside.push(members),
            false => spread.inline.push(members),
        }
        branches("anyOf").for_each(|branch| self.spread(age, branch, spread, known));
        for branch in branches("allOf") {
            let target = branch.get("$ref").and_then(Value::as_str).and_then(|text| self.definition(age, text));
            match target {
                // An `allOf` with one reference only adds an annotation to it.
                Some((name, _)) if included == 1 && !says_more => spread.references.push(name),
                // Other definitions are included as if their content were copied.
                Some((name, schema)) if known.insert(name) => self.spread(age, schema, spread, known),
                Some(_) => {}
                None => self.spread(age, branch, spread, known),
            }
        }
    }

    fn definition(&self, age: Age, reference: &str) -> Option<(&'a str, &'a Value)> {
        let edition = self.editions.of(age);
        let all = edition.document().get(edition.keyword)?.as_object()?;
        let (name, schema) = all.get_key_value(&referred(reference, edition.keyword)?)?;
        Some((name.as_str(), schema))
    }

    /// Drops references to definitions of both editions, which are compared on their own. The content of other
    /// definitions is added, if the other side has something to compare it with.
    fn meet(&mut self, spread: &mut Both<Spread<'a>>) {
        let references = |spread: &mut Spread<'a>| spread.references.drain(..).collect::<BTreeSet<&'a str>>();
        let mut names = Both { old: references(&mut spread.old), new: references(&mut spread.new) };
        names.old.retain(|name| !self.alignment.new_name(name).is_some_and(|name| names.new.remove(name)));
        let has_inline = spread.as_ref().map(|spread| !spread.inline.is_empty());
        if !has_inline.old && !has_inline.new {
            let only = names.map(|names| if names.len() == 1 { names.first().copied() } else { None });
            self.open.extend(only.all().filter(|names| self.exchanged.insert(*names)));
            return;
        }
        for (age, names) in names.by_age() {
            if has_inline.of(age.other()) {
                self.open_up(age, names, spread.get_mut(age));
            }
        }
    }

    /// Adds the content of definitions, and that of their targets if they are aliases.
    fn open_up(&self, age: Age, names: BTreeSet<&'a str>, spread: &mut Spread<'a>) {
        let mut known = names.clone();
        let mut open: Vec<&'a str> = names.into_iter().collect();
        while let Some(schema) = open.pop().and_then(|name| self.editions.of(age).definition(name)) {
            self.spread(age, schema, spread, &mut known);
            open.extend(spread.references.drain(..).filter(|name| known.insert(name)));
        }
    }

    /// Notes the keywords of a place in which both sides differ.
    fn keywords(&mut self, spread: Both<&Spread<'a>>) {
        // If only one side says something about the value, the whole value was added or removed.
        let inline = spread.map(|spread| spread.inline.as_slice());
        let is_whole = inline.old.is_empty() != inline.new.is_empty();
        let Both { old, new } = spread.map(|spread| {
            let mut said: BTreeMap<&'a str, BTreeMap<String, Value>> = BTreeMap::new();
            let inline = spread.inline.iter().filter(|_| !is_whole);
            for schema in inline.chain(&spread.beside) {
                for (keyword, value) in unheld(schema) {
                    said.entry(keyword).or_default().insert(canonical(&value), value);
                }
            }
            said
        });
        let keywords: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
        let seen = self.found.len();
        for keyword in keywords {
            let (old, new) = (old.get(keyword), new.get(keyword));
            if old.map(|values| values.keys().collect::<Vec<_>>()) != new.map(|values| values.keys().collect()) {
                self.note(keyword, Both { old: together(old), new: together(new) });
            }
        }
        if self.found.len() == seen {
            self.alternatives(inline);
        }
    }

    /// Notes that keywords have moved between alternatives: each keyword is still there.
    fn alternatives(&mut self, inline: Both<&[&'a Map<String, Value>]>) {
        if inline.old.len() < 2 || inline.new.len() < 2 {
            return;
        }
        let Both { old, new } = inline.map(|inline| {
            let mut texts: Vec<String> = inline.iter().map(|schema| canonical_object(&scalars(schema))).collect();
            texts.sort();
            texts
        });
        if old != new {
            self.note(ALTERNATIVES, Both { old: Some(old.into()), new: Some(new.into()) });
        }
    }

    /// Compares what both sides have inside.
    fn inside(&mut self, inline: Both<&[&'a Map<String, Value>]>) {
        for (keyword, step) in [("items", Step::Items), ("additionalProperties", Step::Values)] {
            let within = |schemas: &[&'a Map<String, Value>]| {
                schemas.iter().filter_map(|schema| schema.get(keyword)).filter(|schema| schema.is_object()).collect()
            };
            self.step(step, inline.map(within));
        }
        let Both { old, mut new } = inline.map(|schemas| {
            let mut members: BTreeMap<&'a str, Schemas<'a>> = BTreeMap::new();
            let all = schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten();
            all.for_each(|(name, schema)| members.entry(name).or_default().push(schema));
            members
        });
        for (name, old) in old {
            if let Some(new) = new.remove(name) {
                self.step(Step::member(name), Both { old, new });
            }
        }
    }

    fn step(&mut self, step: Step<'a>, schemas: Both<Schemas<'a>>) {
        if !schemas.old.is_empty() && !schemas.new.is_empty() {
            self.steps.push(step);
            self.compare(schemas);
            self.steps.pop();
        }
    }
}

/// The keywords of a schema that the model holds nowhere, or in some places only.
fn unheld(schema: &Map<String, Value>) -> Vec<(&str, Value)> {
    let kind = schema.get("type");
    let is_null = kind.is_some_and(|kind| kind == "null");
    let mut found = Vec::new();
    for (keyword, value) in schema {
        match keyword.as_str() {
            prose if PROSE.contains(&prose) => {}
            // Lowering reads nothing that stands beside `null`.
            keyword if is_null && keyword != "type" => found.push((keyword, value.clone())),
            "deprecated" if value == &Value::Bool(false) => {}
            ENUM => found.extend(value.as_array().into_iter().flatten().map(|value| (ENUM, value.clone()))),
            "const" => {
                found.push((ENUM, value.clone()));
                if let Some(kind) = kind.filter(|kind| !admits(kind, value)) {
                    found.push(("type", kind.clone()));
                }
            }
            held if HELD.contains(&held) => {}
            other => found.push((other, value.clone())),
        }
    }
    found
}

/// The keywords of a schema besides prose and besides the schemas inside it.
fn scalars(schema: &Map<String, Value>) -> Map<String, Value> {
    let is_inside = |keyword: &str| matches!(keyword, "properties" | "items" | "additionalProperties");
    let own = schema.iter().filter(|(keyword, _)| !PROSE.contains(&keyword.as_str()) && !is_inside(keyword));
    own.map(|(keyword, value)| (keyword.clone(), value.clone())).collect()
}

/// Whether a value is of a type, or of one of several.
fn admits(kind: &Value, value: &Value) -> bool {
    let is_named = |name: &str| match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(_) => matches!(name, "integer" | "number"),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    };
    match kind {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is_named),
        kind => kind.as_str().is_some_and(is_named),
    }
}

/// One value as it is, several as a list.
fn together(values: Option<&BTreeMap<String, Value>>) -> Option<Value> {
    let mut values: Vec<&Value> = values?.values().collect();
    match values.len() {
        1 => values.pop().cloned(),
        _ => Some(values.into_iter().cloned().collect()),
    }
}
