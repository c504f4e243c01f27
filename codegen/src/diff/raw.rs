//! Raw: two aligned definitions in, where their schemas differ in what the model does not hold out.
//!
//! Lowering refuses keywords that it does not know, so that little is lost on the way to the model: annotations that are
//! more than prose, formats that nobody checks, and limits of what a fact replaces. What the model may hold (`RECONCILED`)
//! is listed here as well, and the walk takes out what it has found itself.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::align::Alignment;
use super::edition::{Edition, Step, referred};

/// Keywords for people.
const PROSE: &[&str] = &["title", "description", "$comment", "examples"];

/// Keywords that the model holds wherever they stand.
const HELD: &[&str] =
    &["$ref", "allOf", "anyOf", "properties", "required", "additionalProperties", "items", "enum", "const", "type"];

/// Keywords that the model holds in some places: where it does, the walk has found the difference.
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

/// The values of enums, of which a constant is one with one value.
pub(super) const ENUM: &str = "enum";

/// Formats that the model holds.
const FORMATS: &[&str] = &["uri", "uri-template", "byte"];

/// What is nested deeper is not compared.
pub(super) const NESTING: &str = "nesting";
const DEPTH: usize = 128;

/// Alternatives that differ as wholes, and in no keyword by itself.
const ALTERNATIVES: &str = "anyOf";

/// Where two schemas differ, in a keyword. A place with alternatives may have several values of it.
pub(super) struct Difference<'a> {
    /// The definitions that the steps begin at, where they are not those that were asked about.
    pub(super) exchanged: Option<(&'a str, &'a str)>,
    pub(super) steps: Vec<Step>,
    pub(super) keyword: String,
    pub(super) old: Option<Value>,
    pub(super) new: Option<Value>,
}

impl Difference<'_> {
    /// Whether it is about a format that the model does not hold.
    pub(super) fn is_unknown_format(&self) -> bool {
        let is_known = |value: &Value| value.as_str().is_some_and(|name| FORMATS.contains(&name));
        let values = [&self.old, &self.new].into_iter().flatten();
        let mut values = values.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
        self.keyword == "format" && !values.all(is_known)
    }
}

/// Schemas of one place: one as a rule, more where it has alternatives.
type Schemas<'a> = Vec<&'a Value>;

pub(super) struct Raw<'a> {
    editions: [&'a Edition; 2],
    alignment: &'a Alignment<'a>,
    /// Definitions of which one stands where the other stood, and those among them that are still to be compared. It is
    /// done once for each pair, wherever they met.
    exchanged: HashSet<(&'a str, &'a str)>,
    open: Vec<(&'a str, &'a str)>,
    /// Where it is: from which of them, by which steps.
    from: Option<(&'a str, &'a str)>,
    steps: Vec<Step>,
    found: Vec<Difference<'a>>,
}

/// What the schemas of a place come to.
#[derive(Default)]
struct Spread<'a> {
    /// Schemas that say something themselves.
    inline: Vec<&'a Map<String, Value>>,
    /// What stands beside references: annotations.
    beside: Vec<&'a Map<String, Value>>,
    /// Definitions that are referred to.
    references: Vec<&'a str>,
}

impl<'a> Raw<'a> {
    pub(super) fn new((old, new): (&'a Edition, &'a Edition), alignment: &'a Alignment<'a>) -> Self {
        let (exchanged, open, steps, found) = (HashSet::new(), Vec::new(), Vec::new(), Vec::new());
        Self { editions: [old, new], alignment, exchanged, open, from: None, steps, found }
    }

    /// Where the schemas of two definitions differ.
    pub(super) fn differences(&mut self, old: &'a Value, new: &'a Value) -> Vec<Difference<'a>> {
        self.places([vec![old], vec![new]]);
        while let Some((before, after)) = self.open.pop() {
            let (old, new) = (self.named(0, before), self.named(1, after));
            self.from = Some((before, after));
            self.places([old.into_iter().collect(), new.into_iter().collect()]);
        }
        self.from = None;
        std::mem::take(&mut self.found)
    }

    fn push(&mut self, keyword: &str, old: Option<Value>, new: Option<Value>) {
        let (exchanged, steps) = (self.from, self.steps.clone());
        let difference = Difference { exchanged, steps, keyword: keyword.to_owned(), old, new };
        // What the walk reports where they met is not reported again.
        if exchanged.is_none() || !RECONCILED.contains(&keyword) || difference.is_unknown_format() {
            self.found.push(difference);
        }
    }

    /// Where the documents differ outside of their definitions. Another keyword for them has a dialect of its own.
    pub(super) fn outside(&self) -> Vec<Difference<'a>> {
        let [old, new] = self.editions.map(|edition| edition.document().as_object());
        let (Some(old), Some(new)) = (old, new) else { return Vec::new() };
        let [old_keyword, new_keyword] = self.editions.map(|edition| edition.keyword);
        let is_told = |name: &str| {
            [old_keyword, new_keyword].contains(&name)
                || PROSE.contains(&name)
                || name == "$schema" && old_keyword != new_keyword
        };
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).filter(|name| !is_told(name)).collect();
        let differs = |name: &&String| match (old.get(*name), new.get(*name)) {
            (Some(old), Some(new)) => canonical(old) != canonical(new),
            _ => true,
        };
        let difference = |name: &String| Difference {
            exchanged: None,
            steps: Vec::new(),
            keyword: name.clone(),
            old: old.get(name).cloned(),
            new: new.get(name).cloned(),
        };
        names.into_iter().filter(differs).map(difference).collect()
    }

    fn places(&mut self, schemas: [Schemas<'a>; 2]) {
        if let [[old], [new]] = schemas.each_ref().map(Vec::as_slice)
            && same_to_the_letter(old, new)
        {
            return;
        }
        if self.steps.len() >= DEPTH {
            return self.push(NESTING, None, None);
        }
        let [mut old, mut new] = [Spread::default(), Spread::default()];
        for (side, spread) in [&mut old, &mut new].into_iter().enumerate() {
            schemas.get(side).into_iter().flatten().for_each(|schema| self.spread(side, schema, spread));
        }
        self.meet(&mut old, &mut new);
        leave_same(&mut old.inline, &mut new.inline);
        self.keywords(&old, &new);
        self.inside(&old.inline, &new.inline);
    }

    /// Adds what a schema of one side says.
    fn spread(&self, side: usize, schema: &'a Value, spread: &mut Spread<'a>) {
        self.spread_into(side, schema, spread, &mut BTreeSet::new());
    }

    fn spread_into(&self, side: usize, schema: &'a Value, spread: &mut Spread<'a>, known: &mut BTreeSet<&'a str>) {
        let Value::Object(members) = schema else { return };
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            spread.beside.push(members);
            spread.references.extend(self.definition(side, reference).map(|(name, _)| name));
            return;
        }
        let branches = |keyword: &str| members.get(keyword).and_then(Value::as_array).into_iter().flatten();
        let included = branches("allOf").count();
        let says_more = members.keys().any(|keyword| keyword != "allOf" && HELD.contains(&keyword.as_str()));
        // What stands beside an `allOf` is one more branch of it.
        match members.contains_key("anyOf") || included > 0 && !says_more {
            true => spread.beside.push(members),
            false => spread.inline.push(members),
        }
        branches("anyOf").for_each(|branch| self.spread_into(side, branch, spread, known));
        for branch in branches("allOf") {
            let target = branch.get("$ref").and_then(Value::as_str).and_then(|text| self.definition(side, text));
            match target {
                // The way to say something beside a reference.
                Some((name, _)) if included == 1 && !says_more => spread.references.push(name),
                // The content is copied.
                Some((name, schema)) if known.insert(name) => self.spread_into(side, schema, spread, known),
                Some(_) => {}
                None => self.spread_into(side, branch, spread, known),
            }
        }
    }

    fn definition(&self, side: usize, reference: &str) -> Option<(&'a str, &'a Value)> {
        let edition = self.editions.get(side)?;
        let all = edition.document().get(edition.keyword)?.as_object()?;
        let (name, schema) = all.get_key_value(&referred(reference, edition.keyword)?)?;
        Some((name.as_str(), schema))
    }

    fn named(&self, side: usize, name: &str) -> Option<&'a Value> {
        let edition = self.editions.get(side)?;
        edition.document().get(edition.keyword)?.get(name)
    }

    /// Leaves out references to definitions that are one, which have their own turn. What the others lead to stands
    /// inside, if the other side has something to compare it with.
    fn meet(&mut self, old: &mut Spread<'a>, new: &mut Spread<'a>) {
        let [mut before, mut after] =
            [&mut *old, &mut *new].map(|spread| spread.references.drain(..).collect::<BTreeSet<&'a str>>());
        before.retain(|name| !self.alignment.new_name(name).is_some_and(|name| after.remove(name)));
        let has_inline = [!old.inline.is_empty(), !new.inline.is_empty()];
        if has_inline == [false, false] {
            let (mut before, mut after) = (before.into_iter(), after.into_iter());
            if let (Some(one), None, Some(other), None) = (before.next(), before.next(), after.next(), after.next())
                && self.exchanged.insert((one, other))
            {
                self.open.push((one, other));
            }
            return;
        }
        for (side, (spread, names)) in [(old, before), (new, after)].into_iter().enumerate() {
            if has_inline.get(1 - side) == Some(&true) {
                self.open_up(side, names, spread);
            }
        }
    }

    /// Adds what definitions say, and those that they are other names for.
    fn open_up(&self, side: usize, names: BTreeSet<&'a str>, spread: &mut Spread<'a>) {
        let mut known = names.clone();
        let mut open: Vec<&'a str> = names.into_iter().collect();
        while let Some(schema) = open.pop().and_then(|name| self.named(side, name)) {
            self.spread_into(side, schema, spread, &mut known);
            open.extend(spread.references.drain(..).filter(|name| known.insert(name)));
        }
    }

    /// Notes the keywords of a place in which both sides differ.
    fn keywords(&mut self, old: &Spread<'a>, new: &Spread<'a>) {
        // What only one side has has come or gone as a whole.
        let is_whole = old.inline.is_empty() != new.inline.is_empty();
        let inline = [old, new].map(|spread| spread.inline.as_slice());
        let [old, new] = [old, new].map(|spread| {
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
                self.push(keyword, together(old), together(new));
            }
        }
        if self.found.len() == seen {
            self.alternatives(inline);
        }
    }

    /// Notes that keywords have changed places between alternatives: each is still there.
    fn alternatives(&mut self, inline: [&[&'a Map<String, Value>]; 2]) {
        if inline.iter().any(|inline| inline.len() < 2) {
            return;
        }
        let [old, new] = inline.map(|inline| {
            let mut texts: Vec<String> = inline.iter().map(|schema| canonical_object(&scalars(schema))).collect();
            texts.sort();
            texts
        });
        if old != new {
            self.push(ALTERNATIVES, Some(old.into()), Some(new.into()));
        }
    }

    /// Goes on with what both sides have inside.
    fn inside(&mut self, old: &[&'a Map<String, Value>], new: &[&'a Map<String, Value>]) {
        let within = |schemas: &[&'a Map<String, Value>], keyword: &str| -> Schemas<'a> {
            schemas.iter().filter_map(|schema| schema.get(keyword)).filter(|schema| schema.is_object()).collect()
        };
        for (keyword, step) in [("items", Step::Items), ("additionalProperties", Step::Values)] {
            self.step(step, [within(old, keyword), within(new, keyword)]);
        }
        let members = |schemas: &[&'a Map<String, Value>]| {
            let mut members: BTreeMap<&'a str, Schemas<'a>> = BTreeMap::new();
            let all = schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten();
            all.for_each(|(name, schema)| members.entry(name).or_default().push(schema));
            members
        };
        let (old, mut new) = (members(old), members(new));
        for (name, before) in old {
            if let Some(after) = new.remove(name) {
                self.step(Step::Member(name.to_owned()), [before, after]);
            }
        }
    }

    fn step(&mut self, step: Step, schemas: [Schemas<'a>; 2]) {
        if schemas.iter().all(|schemas| !schemas.is_empty()) {
            self.steps.push(step);
            self.places(schemas);
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
            // Nothing is read of what stands beside it.
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

/// What a schema says besides prose and what is inside.
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

/// Leaves out the alternatives that both sides have to the letter.
fn leave_same(old: &mut Vec<&Map<String, Value>>, new: &mut Vec<&Map<String, Value>>) {
    if old.len() < 2 && new.len() < 2 {
        return;
    }
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let text = |schema: &Map<String, Value>| canonical_object(schema);
    new.iter().for_each(|schema| *known.entry(text(schema)).or_default() += 1);
    let mut gone: BTreeMap<String, usize> = BTreeMap::new();
    old.retain(|schema| {
        let text = text(schema);
        match known.get_mut(&text).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                *gone.entry(text).or_default() += 1;
                false
            }
            None => true,
        }
    });
    new.retain(|schema| match gone.get_mut(&text(schema)).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    });
}

/// A text that is the same for values that are the same: the order of members and the spelling of numbers do not count.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => canonical_object(members),
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => format!("{}", float as i64),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

fn canonical_object(members: &Map<String, Value>) -> String {
    let sorted: BTreeMap<&String, &Value> = members.iter().collect();
    let members =
        sorted.into_iter().map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), canonical(value)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// Whether two schemas are the same, in the same order: nearly all are, and nothing has to be looked up to see it.
pub(super) fn same_to_the_letter(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let is_same = |((name, value), (other, after)): ((&String, &Value), (&String, &Value))| {
                name == other && same_to_the_letter(value, after)
            };
            before.len() == after.len() && before.iter().zip(after).all(is_same)
        }
        (Value::Array(before), Value::Array(after)) => {
            let is_same = |(before, after): (&Value, &Value)| same_to_the_letter(before, after);
            before.len() == after.len() && before.iter().zip(after).all(is_same)
        }
        _ => before == after,
    }
}
