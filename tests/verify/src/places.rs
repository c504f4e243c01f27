//! Where in a document the order of members counts, as the official schema has it.
//!
//! Members that a schema names are written in the order of the schema. Everything else keeps its order: free-form objects,
//! maps, and the members of typed objects that no schema names. This is read from the schema, and not from the model or
//! the types, which could make the same mistake as the code that is judged.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use mcp_wire_codegen::load::Schema;
use mcp_wire_judge::Place;
use serde_json::Value;

/// The places of all documents of a revision.
pub struct Places {
    /// Every schema in the document, by number.
    parts: Vec<Part>,
    definitions: BTreeMap<String, usize>,
    /// The definitions of a message, by its method.
    methods: BTreeMap<String, Vec<usize>>,
    known: RefCell<Known>,
}

/// What a schema says of the inside of a value.
#[derive(Default)]
struct Part {
    members: BTreeMap<String, usize>,
    /// Members that have no name in the schema.
    others: Option<usize>,
    items: Option<usize>,
    /// Other schemas that speak of the same value: variants, and what is referred to.
    beside: Vec<usize>,
    /// The definition that is referred to, until its number is known.
    reference: Option<String>,
}

/// The sets of schemas that have been met, so that each is put together once.
#[derive(Default)]
struct Known {
    sets: Vec<BTreeSet<usize>>,
    numbers: HashMap<BTreeSet<usize>, usize>,
    steps: HashMap<(usize, Step), usize>,
}

/// A step into a value.
#[derive(PartialEq, Eq, Hash)]
enum Step {
    Named(String),
    /// To a member that no schema names.
    Other,
    Item,
}

/// A place in a document: all that the schema says of the value there. Nothing, where it says nothing.
#[derive(Clone, Copy)]
pub struct Spot<'p> {
    places: &'p Places,
    set: usize,
    /// Of a message: what its result is, as far as that is known from the request.
    result: Option<usize>,
}

impl Places {
    /// The places that a schema knows.
    pub fn new(schema: &Schema) -> Self {
        let mut parts = Vec::new();
        let mut definitions = BTreeMap::new();
        let mut methods: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (name, body) in schema.document[schema.keyword].as_object().into_iter().flatten() {
            let number = add(body, &mut parts);
            definitions.insert(name.clone(), number);
            if let Some(method) = body["properties"]["method"]["const"].as_str() {
                methods.entry(method.to_owned()).or_default().push(number);
            }
        }
        for part in &mut parts {
            let target = part.reference.take().and_then(|path| path.rsplit('/').next().map(str::to_owned));
            part.beside.extend(target.and_then(|name| definitions.get(&name)));
        }
        Self { parts, definitions, methods, known: RefCell::default() }
    }

    /// A document of one definition. Of a name that the schema does not have, it says nothing.
    pub fn definition(&self, name: &str) -> Spot<'_> {
        self.spot(self.definitions.get(name).copied())
    }

    /// A message, or a batch of them: each with its method, and the method of the request that it answers.
    pub fn messages<'m>(&self, messages: impl IntoIterator<Item = (Option<&'m str>, Option<&'m str>)>) -> Spot<'_> {
        let mut all: Vec<usize> = self.definitions.get("JSONRPCMessage").into_iter().copied().collect();
        let mut results = Vec::new();
        for (method, asked) in messages {
            all.extend(method.and_then(|method| self.methods.get(method)).into_iter().flatten());
            results.extend(asked.map(|asked| self.answers(asked)).into_iter().flatten());
        }
        let message = self.spot(all);
        let result = message.member("result").beside(self.spot(results));
        Spot { result: Some(result.set), ..message }
    }

    /// What may answer a method: what is named after it, and what stands for other results.
    fn answers(&self, asked: &str) -> Vec<usize> {
        let is_request = |number: &&usize| self.methods.get(asked).is_some_and(|own| own.contains(number));
        let requests = self.definitions.iter().filter(|(_, number)| is_request(number));
        let mut names: BTreeSet<String> = ["CreateTaskResult", "InputRequiredResult"].map(str::to_owned).into();
        for (name, _) in requests {
            let stem = name.strip_suffix("Request").unwrap_or(name);
            names.extend(["Result", "ResultResponse"].map(|end| format!("{stem}{end}")));
        }
        let is_named = |name: &str| names.contains(name) || asked == "tasks/result" && name.ends_with("Result");
        // The answer to a method may have a definition as a whole message.
        let result = |number: &usize| match self.parts[*number].members.get("result") {
            Some(result) => *result,
            None => *number,
        };
        self.definitions.iter().filter(|(name, _)| is_named(name)).map(|(_, number)| result(number)).collect()
    }

    /// The place of a value that all these schemas, and those beside them, speak of.
    fn spot(&self, parts: impl IntoIterator<Item = usize>) -> Spot<'_> {
        let mut set = BTreeSet::new();
        let mut open: Vec<usize> = parts.into_iter().collect();
        while let Some(part) = open.pop() {
            if set.insert(part) {
                open.extend(&self.parts[part].beside);
            }
        }
        let mut known = self.known.borrow_mut();
        let next = known.sets.len();
        let number = *known.numbers.entry(set.clone()).or_insert(next);
        if number == next {
            known.sets.push(set);
        }
        Spot { places: self, set: number, result: None }
    }
}

/// Adds a schema and all schemas inside it.
fn add(schema: &Value, parts: &mut Vec<Part>) -> usize {
    let number = parts.len();
    parts.push(Part::default());
    let mut part = Part { reference: schema["$ref"].as_str().map(str::to_owned), ..Part::default() };
    for (name, body) in schema["properties"].as_object().into_iter().flatten() {
        part.members.insert(name.clone(), add(body, parts));
    }
    part.others = schema.get("additionalProperties").filter(|inner| inner.is_object()).map(|inner| add(inner, parts));
    // A member may be required without being described.
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let other = part.others;
        part.members.entry(name.to_owned()).or_insert_with(|| other.unwrap_or_else(|| add(&Value::Null, parts)));
    }
    part.items = schema.get("items").filter(|inner| inner.is_object()).map(|inner| add(inner, parts));
    for variants in ["anyOf", "oneOf", "allOf"] {
        for variant in schema[variants].as_array().into_iter().flatten() {
            part.beside.push(add(variant, parts));
        }
    }
    parts[number] = part;
    number
}

impl<'p> Spot<'p> {
    fn beside(self, other: Self) -> Self {
        let all: Vec<usize> = {
            let sets = &self.places.known.borrow().sets;
            sets[self.set].union(&sets[other.set]).copied().collect()
        };
        self.places.spot(all)
    }

    /// Where a step leads: to a member, or to an item.
    fn step(self, name: Option<&str>) -> Self {
        let step = match name {
            Some(name) if self.names(name) => Step::Named(name.to_owned()),
            Some(_) => Step::Other,
            None => Step::Item,
        };
        let key = (self.set, step);
        if let Some(set) = self.places.known.borrow().steps.get(&key) {
            return Self { set: *set, result: None, ..self };
        }
        let inside = |part: &usize| {
            let part = &self.places.parts[*part];
            match &key.1 {
                Step::Named(name) => part.members.get(name).copied().or(part.others),
                Step::Other => part.others,
                Step::Item => part.items,
            }
        };
        let parts: Vec<usize> = self.places.known.borrow().sets[self.set].iter().filter_map(inside).collect();
        let spot = self.places.spot(parts);
        self.places.known.borrow_mut().steps.insert(key, spot.set);
        spot
    }
}

impl Place for Spot<'_> {
    fn names(&self, name: &str) -> bool {
        let known = self.places.known.borrow();
        known.sets[self.set].iter().any(|part| self.places.parts[*part].members.contains_key(name))
    }

    fn member(&self, name: &str) -> Self {
        match self.result {
            Some(set) if name == "result" => Self { set, result: None, ..*self },
            _ => self.step(Some(name)),
        }
    }

    fn item(&self) -> Self {
        // A batch has messages as its items.
        if self.result.is_some() { *self } else { self.step(None) }
    }
}
