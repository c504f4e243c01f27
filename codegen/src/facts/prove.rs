//! Facts and a schema in, a proof that the one speaks of the other out, or the facts as far as they do.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use serde_json::{Map, Value};

use super::{Facts, Gate, Method};
use crate::error::{Error, Result};
use crate::load::Schema;
use crate::stated;

impl Facts {
    /// The facts as far as they speak of what a schema of one's own has.
    pub fn where_applicable(mut self, schema: &Schema) -> Self {
        let known = Known::new(schema, self.items());
        let member = |item: &String| known.has(item);
        self.open_enum.retain_mut(|entry| {
            entry.members.retain(member);
            !entry.members.is_empty()
        });
        self.initial.retain_mut(|entry| {
            entry.members.retain(member);
            !entry.members.is_empty()
        });
        self.order
            .retain(|entry| enum_values(schema, &entry.name).is_some_and(|values| same_values(&values, &entry.values)));
        self.lenient.retain_mut(|entry| {
            entry.members.retain(member);
            !entry.members.is_empty()
        });
        self.deprecated.retain_mut(|entry| {
            entry.items.retain(member);
            !entry.items.is_empty()
        });
        self.method.retain(|entry| {
            known.has_method(&entry.method) && entry.results().all(|name| schema.definitions().contains_key(name))
        });
        for entry in &mut self.method {
            entry.server_capability.take_if(|path| !has_capability(schema, "ServerCapabilities", path));
            entry.client_capability.take_if(|path| !has_capability(schema, "ClientCapabilities", path));
        }
        let codes = stated::error_codes(schema);
        self.error_code.retain(|entry| entry.code.is_some() || codes.iter().any(|code| code.name == entry.name));
        self.deferred.retain(|entry| {
            known.has_method(&entry.method)
                && entry.key.first().is_some_and(|key| known.has(&format!("{}.{key}", entry.result)))
        });
        self.gate.retain_mut(|entry| {
            entry.items.retain(member);
            !entry.items.is_empty() && entry.capability(schema).is_ok()
        });
        self
    }

    /// Proves every fact against the schema: a fact about something that does not exist is an error.
    pub fn prove(&self, file: &Path, schema: &Schema) -> Result<()> {
        let fail = |table: &str, found: String| {
            Err(Error::schema(
                file,
                "",
                format!("[[{table}]] for {}: {found}", schema.name),
                "correct the entry, or the revisions it holds for (`since`, `until`)",
            ))
        };
        let known = Known::new(schema, self.items());
        let members = |table: &str, items: &[String]| match items.iter().find(|item| !known.has(item)) {
            Some(item) => fail(table, format!("`{item}` does not exist")),
            None => Ok(()),
        };
        for entry in &self.open_enum {
            members("open_enum", &entry.members)?;
        }
        for entry in &self.initial {
            members("initial", &entry.members)?;
        }
        for entry in &self.lenient {
            members("lenient", &entry.members)?;
        }
        for entry in &self.deprecated {
            members("deprecated", &entry.items)?;
        }
        for entry in &self.order {
            let values = enum_values(schema, &entry.name).unwrap_or_default();
            if !same_values(&values, &entry.values) {
                return fail("order", format!("`{}` has the values {values:?}", entry.name));
            }
        }
        if let Some(found) = self.method.iter().find_map(|entry| known.wrong_method(entry)) {
            return fail("method", found);
        }
        if let Some((table, found)) = self.repeats(schema) {
            return fail(table, found);
        }
        for entry in &self.deferred {
            if !known.has_method(&entry.method) {
                return fail("deferred", format!("no message has the method `{}`", entry.method));
            }
            let key = format!("{}.{}", entry.result, entry.key.first().map_or("", String::as_str));
            members("deferred", &[key])?;
        }
        for entry in &self.gate {
            members("gate", &entry.items)?;
            if let Err(found) = entry.capability(schema) {
                return fail("gate", found);
            }
        }
        let covered = |method: &&String| self.method.iter().filter(|entry| entry.method == **method).count() != 1;
        match methods(schema).iter().find(covered) {
            Some(method) => fail("method", format!("`{method}` needs exactly one entry")),
            None => Ok(()),
        }
    }
}

impl Gate {
    /// The capability, if there is exactly one and the schema declares it; otherwise what is wrong with it.
    fn capability(&self, schema: &Schema) -> std::result::Result<&str, String> {
        let (holder, path) = match (&self.server_capability, &self.client_capability) {
            (Some(path), None) => ("ServerCapabilities", path),
            (None, Some(path)) => ("ClientCapabilities", path),
            _ => return Err(format!("`{}` needs exactly one capability", self.items.join("`, `"))),
        };
        match has_capability(schema, holder, path) {
            true => Ok(path),
            false => Err(format!("`{}` needs `{path}`, which {holder} lacks", self.items.join("`, `"))),
        }
    }
}

/// A schema, and what has been looked for in all of its definitions at once.
struct Known<'a> {
    schema: &'a Schema,
    /// Those of the members wanted as `*.member` that some definition has.
    members: BTreeSet<String>,
    methods: HashSet<&'a str>,
}

impl<'a> Known<'a> {
    fn new<'b>(schema: &'a Schema, items: impl Iterator<Item = &'b String>) -> Self {
        let mut wanted: Vec<String> = items.filter_map(|item| Some(item.strip_prefix("*.")?.to_owned())).collect();
        let (mut members, mut methods) = (BTreeSet::new(), HashSet::new());
        for properties in schema.definitions().values().filter_map(properties) {
            methods.extend(method(properties));
            members.extend(wanted.extract_if(.., |member| properties.contains_key(member.as_str())));
        }
        Self { schema, members, methods }
    }

    /// Whether there is a `Definition`, a `Definition.member` or a `*.member`.
    fn has(&self, item: &str) -> bool {
        let definition = |name: &str| self.schema.definitions().get(name);
        match item.split_once('.') {
            None => definition(item).is_some(),
            Some(("*", member)) => self.members.contains(member),
            Some((owner, member)) => {
                definition(owner).and_then(properties).is_some_and(|members| members.contains_key(member))
            }
        }
    }

    /// What is wrong with a fact about a method.
    fn wrong_method(&self, entry: &Method) -> Option<String> {
        let method = &entry.method;
        if !self.has_method(method) {
            return Some(format!("no message has the method `{method}`"));
        }
        if let Some(name) = entry.results().find(|name| !self.schema.definitions().contains_key(*name)) {
            return Some(format!("`{method}` is answered with `{name}`, which does not exist"));
        }
        let needed =
            [("ServerCapabilities", &entry.server_capability), ("ClientCapabilities", &entry.client_capability)];
        needed.into_iter().find_map(|(holder, path)| {
            let path = path.as_ref().filter(|path| !has_capability(self.schema, holder, path))?;
            Some(format!("`{method}` needs `{path}`, which {holder} lacks"))
        })
    }

    /// Whether some message has the method.
    fn has_method(&self, method: &str) -> bool {
        self.methods.contains(method)
    }
}

fn properties(definition: &Value) -> Option<&Map<String, Value>> {
    definition.get("properties")?.as_object()
}

/// The method that an object with these members fixes by a constant.
fn method(properties: &Map<String, Value>) -> Option<&str> {
    properties.get("method")?.get("const")?.as_str()
}

fn enum_values(schema: &Schema, name: &str) -> Option<Vec<String>> {
    let values = schema.definitions().get(name)?.get("enum")?.as_array()?;
    values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

fn same_values(left: &[String], right: &[String]) -> bool {
    let sorted = |values: &[String]| {
        let mut values = values.to_vec();
        values.sort();
        values
    };
    sorted(left) == sorted(right)
}

/// Every method that some definition fixes by a constant, sorted.
pub(crate) fn methods(schema: &Schema) -> Vec<String> {
    let mut methods: Vec<String> = schema
        .definitions()
        .values()
        .filter_map(|definition| method(properties(definition)?))
        .map(str::to_owned)
        .collect();
    methods.sort();
    methods.dedup();
    methods
}

fn has_capability(schema: &Schema, holder: &str, path: &str) -> bool {
    let mut place = schema.definitions().get(holder);
    for name in path.split('.') {
        place = place.and_then(|place| place.get("properties")?.get(name));
    }
    place.is_some()
}
