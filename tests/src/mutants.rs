//! Makes nearly valid JSON documents: small changes to documents that are valid.
//!
//! The changes know the words of the schema (names, tags, limits), so that a mutant often comes
//! close to another type or another branch of a union, which is where generated code goes wrong.

use super::instances::Instances;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::{discriminant, take};

/// Deterministic for a seed. Yields documents that are nearly valid: some still are, most not.
pub struct Mutants<'s> {
    random: Random,
    /// The minimal and the maximal document of every definition.
    samples: Vec<(&'s str, Value)>,
    words: Words<'s>,
    /// Values that a sample has for the members that the schema declares.
    plausible: BTreeMap<&'s str, Vec<Value>>,
}

/// What the schema speaks of, wherever that is.
#[derive(Default)]
struct Words<'s> {
    names: BTreeSet<&'s str>,
    /// The values of `const` and `enum` by the name of the member.
    tags: BTreeMap<&'s str, Vec<&'s Value>>,
    limits: Vec<f64>,
    longest: Vec<usize>,
}

/// The deepest level at which places are picked; below, changes say little about the type.
const DEEPEST: usize = 6;
/// A change may not apply to the place picked, so that several are tried.
const ATTEMPTS: usize = 20;
/// Names that the schema does not declare.
const NAMES: [&str; 6] = ["unknown", "x-y", "_", "ÿ", "$ref", ""];
/// Strings that are no enum value, URI, URI template or base64, or that are no ASCII.
const STRINGS: [&str; 9] =
    ["", "unknown", "not a uri", "http://[::1", "file:///{open", "a=b%", "日本", "\u{0}", "null"];

impl<'s> Mutants<'s> {
    pub fn new(document: &'s Value, seed: u64) -> Self {
        let instances = Instances::new(document);
        let mut words = Words::default();
        for keyword in ["$defs", "definitions"] {
            for (_, schema) in entries(document.get(keyword)) {
                words.collect(None, schema);
            }
        }
        let mut samples = Vec::new();
        for name in instances.definitions() {
            let both = [instances.minimal(name), instances.maximal(name)];
            samples.extend(both.into_iter().flatten().map(|sample| (name, sample)));
        }
        let mut plausible = BTreeMap::new();
        for (_, sample) in &samples {
            harvest(sample, &words.names, &mut plausible);
        }
        let random = Random(seed);
        Self { random, samples, words, plausible }
    }

    /// A mutant of a document of `definition`, and what was done, for failure messages.
    pub fn mutate(&mut self, definition: &str, instance: &Value) -> (Value, String) {
        let mut mutant = instance.clone();
        let changes = if self.random.one_in(5) { 2 } else { 1 };
        let mut done = Vec::new();
        for _ in 0..changes {
            let mut attempts = 0..ATTEMPTS;
            done.extend(attempts.find_map(|_| self.change(definition, &mut mutant)));
        }
        (mutant, done.join("; "))
    }

    /// Makes one change at a random place, unless the change does not apply there.
    fn change(&mut self, definition: &str, mutant: &mut Value) -> Option<String> {
        // Most undeclared members are free-form, so that changes there prove little.
        let names = (!self.random.one_in(5)).then_some(&self.words.names);
        let mut found = Vec::new();
        places(mutant, String::new(), names, &mut found);
        // Deep levels have most of the places, hence the level is picked first.
        let deepest = found.iter().map(|place| level(place)).max()?;
        let wanted = self.random.below(deepest.min(DEEPEST) + 1);
        found.retain(|place| level(place) == wanted);
        let place = self.random.pick(&found)?;
        let target = mutant.pointer_mut(place)?;
        let before = target.to_string();
        let what = match target {
            _ if self.random.one_in(3) => self.any(definition, target),
            Value::Object(object) => self.object(definition, object),
            Value::Array(array) => self.array(array),
            Value::String(text) => self.string(text),
            Value::Number(_) => self.number(target),
            Value::Bool(_) | Value::Null => self.any(definition, target),
        };
        let after = target.to_string();
        what.filter(|_| before != after).map(|what| format!("{what} at {place:?}"))
    }

    fn any(&mut self, definition: &str, target: &mut Value) -> Option<String> {
        let what = match self.random.below(6) {
            0 => {
                *target = json!([take(target)]);
                "wrap in an array".into()
            }
            1 => {
                *target = target.get_mut(0)?.take();
                "unwrap an array".into()
            }
            2 => {
                let (name, sample) = self.sample(definition)?;
                *target = sample;
                format!("replace by a {name}")
            }
            _ => {
                *target = self.other_kind(target);
                format!("replace by {target}")
            }
        };
        Some(what)
    }

    fn object(&mut self, definition: &str, object: &mut Map<String, Value>) -> Option<String> {
        let names: Vec<String> = object.keys().cloned().collect();
        match self.random.below(16) {
            0..3 => {
                let name = self.random.pick(&names)?;
                object.shift_remove(name);
                Some(format!("remove {name:?}"))
            }
            3 | 4 => {
                let name = self.random.pick(&names)?;
                object.insert(name.clone(), Value::Null);
                Some(format!("set {name:?} to null"))
            }
            5 => {
                let name = *self.random.pick(&NAMES)?;
                object.insert(name.into(), self.literal());
                Some(format!("add {name:?}"))
            }
            6 | 7 => self.borrow(object),
            8 | 9 => self.rename(object, &names),
            10..13 => self.retag(object),
            13 => self.merge(definition, object),
            14 => self.reorder(object, &names),
            _ => swap(object, self.random.pick(&names)?, self.random.pick(&names)?),
        }
    }

    /// Adds a member that the schema declares, though perhaps for another type.
    fn borrow(&mut self, object: &mut Map<String, Value>) -> Option<String> {
        let names: Vec<&str> = self.plausible.keys().copied().collect();
        let name = *self.random.pick(&names)?;
        let mut value = self.random.pick(self.plausible.get(name)?)?.clone();
        let wrong = self.random.one_in(2);
        if wrong {
            value = self.other_kind(&value);
        }
        object.insert(name.to_owned(), value);
        Some(format!("add declared {name:?}, wrong kind {wrong}"))
    }

    fn rename(&mut self, object: &mut Map<String, Value>, names: &[String]) -> Option<String> {
        let old = self.random.pick(names)?;
        let new = match self.random.below(3) {
            0 => other_case(old),
            1 => format!("x{old}"),
            _ => format!("_{old}"),
        };
        for (name, value) in take(object) {
            let name = if name == *old { new.clone() } else { name };
            object.insert(name, value);
        }
        Some(format!("rename {old:?} to {new:?}"))
    }

    /// Gives a tag, such as `type` or `method`, a value that it has elsewhere in the schema.
    fn retag(&mut self, object: &mut Map<String, Value>) -> Option<String> {
        let tags = object.iter_mut().filter(|(name, _)| self.words.tags.contains_key(name.as_str()));
        let mut tags: Vec<(&String, &mut Value)> = tags.collect();
        let index = self.random.below(tags.len());
        let (name, value) = tags.get_mut(index)?;
        let others = self.words.tags.get(name.as_str())?;
        let others: Vec<_> = others.iter().filter(|other| ***other != **value).collect();
        **value = Value::clone(self.random.pick(&others)?);
        Some(format!("move tag {name:?} to {value}"))
    }

    fn merge(&mut self, definition: &str, object: &mut Map<String, Value>) -> Option<String> {
        let (name, sample) = self.sample(definition)?;
        let overwrite = self.random.one_in(2);
        for (member, value) in entries(Some(&sample)) {
            if overwrite || !object.contains_key(member) {
                object.insert(member.clone(), value.clone());
            }
        }
        sample.is_object().then(|| format!("merge a {name}, overwrite {overwrite}"))
    }

    /// The order of members has no meaning, but a reader may stumble over a tag that comes last.
    fn reorder(&mut self, object: &mut Map<String, Value>, names: &[String]) -> Option<String> {
        let tagged = names.iter().filter(|name| self.words.tags.contains_key(name.as_str()));
        let last = self.random.pick(&tagged.collect::<Vec<_>>()).copied();
        if let Some((name, value)) = last.and_then(|name| object.shift_remove_entry(name)) {
            object.insert(name, value);
            return last.map(|name| format!("move {name:?} to the end"));
        }
        let reversed: Vec<_> = take(object).into_iter().rev().collect();
        object.extend(reversed);
        Some("reverse the members".into())
    }

    fn array(&mut self, array: &mut Vec<Value>) -> Option<String> {
        let index = self.random.below(array.len());
        let item = array.get(index).cloned();
        let (what, with): (&str, Vec<Value>) = match self.random.below(5) {
            0 => ("duplicate an item", vec![item.clone()?, item?]),
            1 => ("drop an item", item.map(|_| Vec::new())?),
            2 => {
                let odd = [json!(null), json!(7), json!({}), json!([]), json!("odd")];
                let odd = self.random.pick(&odd)?.clone();
                ("insert an odd item", item.into_iter().chain([odd]).collect())
            }
            3 => {
                let most = *self.random.pick(&self.words.longest).unwrap_or(&100);
                let item = item.unwrap_or_else(|| json!("item"));
                ("lengthen beyond maxItems", vec![item; most + 1])
            }
            _ => {
                array.truncate(index);
                return Some(format!("shorten to {index} items"));
            }
        };
        array.splice(index..array.len().min(index + 1), with);
        Some(what.into())
    }

    fn string(&mut self, text: &mut String) -> Option<String> {
        let tags = self.words.tags.values().flatten();
        let tags: Vec<&str> = tags.filter_map(|tag| tag.as_str()).collect();
        let new = match self.random.below(4) {
            0 => other_case(text),
            1 => format!("{text} "),
            2 => (*self.random.pick(&tags)?).to_owned(),
            _ => (*self.random.pick(&STRINGS)?).to_owned(),
        };
        let what = format!("change {text:?} to {new:?}");
        *text = new;
        Some(what)
    }

    fn number(&mut self, target: &mut Value) -> Option<String> {
        let old = target.as_f64()?;
        let limit = self.random.pick(&self.words.limits).copied().unwrap_or(0.0);
        let beyond = [limit - 1.0, limit + 1.0];
        let whole = [i64::MIN, i64::MAX, beyond[0] as i64, beyond[1] as i64];
        let real = [-0.0, 1e300, -1e300, 2e19, limit - 0.5, limit + 0.5];
        let new = match self.random.below(7) {
            0 => json!(target.as_i64()?.wrapping_add(1)),
            1 => json!(target.as_i64()?.wrapping_sub(1)),
            2 => json!(old.trunc()),
            3 => json!(old + 0.5),
            4 => json!(self.random.pick(&whole)?),
            5 => json!(u64::MAX),
            _ => json!(self.random.pick(&real)?),
        };
        let what = format!("change {target} to {new}");
        *target = new;
        Some(what)
    }

    /// A document of another definition.
    fn sample(&mut self, definition: &str) -> Option<(&'s str, Value)> {
        let (name, sample) = self.random.pick(&self.samples)?;
        (*name != definition).then(|| (*name, sample.clone()))
    }

    fn literal(&mut self) -> Value {
        let mut all = json!([null, true, -3, 2.5, "text", [], ["a", 1], {}, { "b": 1, "a": null }]);
        all[self.random.below(9)].take()
    }

    fn other_kind(&mut self, value: &Value) -> Value {
        let mut other = self.literal();
        while discriminant(&other) == discriminant(value) {
            other = self.literal();
        }
        other
    }
}

impl<'s> Words<'s> {
    /// Walks schemas only, since a member may have the name of a keyword.
    fn collect(&mut self, name: Option<&'s str>, schema: &'s Value) {
        let number = |keyword| schema.get(keyword).and_then(Value::as_f64);
        self.limits.extend(number("minimum").into_iter().chain(number("maximum")));
        self.longest.extend(number("maxItems").map(|n| n as usize));
        let list = |keyword| {
            let entries = schema.get(keyword).and_then(Value::as_array);
            entries.into_iter().flatten()
        };
        if let Some(name) = name {
            for value in schema.get("const").into_iter().chain(list("enum")) {
                self.tags.entry(name).or_default().push(value);
            }
        }
        for (name, member) in entries(schema.get("properties")) {
            self.names.insert(name);
            self.collect(Some(name), member);
        }
        let single = ["items", "additionalProperties"].map(|keyword| schema.get(keyword));
        let several = list("anyOf").chain(list("allOf"));
        for inner in single.into_iter().flatten().chain(several) {
            self.collect(name, inner);
        }
    }
}

/// Finds values for the declared members in a sample.
fn harvest<'s>(sample: &Value, names: &BTreeSet<&'s str>, found: &mut BTreeMap<&'s str, Vec<Value>>) {
    for (name, value) in entries(Some(sample)) {
        if let Some(name) = names.get(name.as_str()) {
            let known = found.entry(name).or_default();
            if !known.contains(value) {
                known.push(value.clone());
            }
        }
        harvest(value, names, found);
    }
    for item in sample.as_array().into_iter().flatten() {
        harvest(item, names, found);
    }
}

/// The pointers to all values; only below members with one of the names, if these are given.
fn places(value: &Value, at: String, names: Option<&BTreeSet<&str>>, found: &mut Vec<String>) {
    for (name, member) in entries(Some(value)) {
        if names.is_none_or(|names| names.contains(name.as_str())) {
            let name = name.replace('~', "~0").replace('/', "~1");
            places(member, format!("{at}/{name}"), names, found);
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        places(item, format!("{at}/{index}"), names, found);
    }
    found.push(at);
}

fn level(place: &str) -> usize {
    place.matches('/').count()
}

fn entries(object: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    object.and_then(Value::as_object).into_iter().flatten()
}

fn swap(object: &mut Map<String, Value>, one: &str, other: &str) -> Option<String> {
    let first = object.get(one)?.clone();
    let second = object.get(other).filter(|second| **second != first)?.clone();
    object.insert(one.to_owned(), second);
    object.insert(other.to_owned(), first);
    Some(format!("swap the values of {one:?} and {other:?}"))
}

/// Changes the case of the first letter, as a wrong naming convention would.
fn other_case(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter();
    let first: String = match text.starts_with(char::is_uppercase) {
        true => first.flat_map(char::to_lowercase).collect(),
        false => first.flat_map(char::to_uppercase).collect(),
    };
    first + rest.as_str()
}

/// SplitMix64, which is small and gives the same numbers everywhere.
pub struct Random(u64);

impl Random {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `count`; zero if there is none.
    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}
