//! What the schemas lost, read from `schema/facts.toml` and proved against the schema it is applied to.

mod complete;
pub(crate) mod tasks;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::load::Schema;
use crate::model::Role;
use crate::stated;
pub use tasks::Task;

/// The tables of `facts.toml`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Facts {
    /// String members whose known values the schema does not list.
    pub open_enum: Vec<OpenEnum>,
    /// Values that constructors write, and that absence stands for.
    pub initial: Vec<Initial>,
    /// Enums whose values have an order.
    pub order: Vec<Order>,
    /// Required members that are absent in practice.
    pub lenient: Vec<Lenient>,
    /// Codes of JSON-RPC errors.
    pub error_code: Vec<ErrorCode>,
    /// What new code should not use.
    pub deprecated: Vec<Deprecated>,
    /// Results and capabilities of methods.
    pub method: Vec<Method>,
    /// Results that are fetched later.
    pub deferred: Vec<Deferred>,
    /// What needs a finer capability than the method around it.
    pub gate: Vec<Gate>,
    /// What a person has to find out.
    pub task: Vec<Task>,
}

/// Known values of a string member.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenEnum {
    /// Name of the enum.
    pub name: String,
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// `Definition.member` or `*.member`.
    pub members: Vec<String>,
    /// The values.
    pub values: Vec<String>,
    /// How it is known.
    pub source: String,
}

/// The value a constructor writes into a required member.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Initial {
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// `Definition.member` or `*.member`; the last entry that matches wins.
    pub members: Vec<String>,
    /// The value.
    pub value: String,
    /// How it is known.
    pub source: String,
}

/// The order of an enum's values.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The enum.
    #[serde(rename = "enum")]
    pub name: String,
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// All values, lowest first.
    pub values: Vec<String>,
    /// How it is known.
    pub source: String,
}

/// Required members that are absent in practice.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lenient {
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// `Definition.member`.
    pub members: Vec<String>,
    /// How it is known.
    pub source: String,
}

/// A code of JSON-RPC errors.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorCode {
    /// Name of the constant.
    pub name: String,
    /// The code, where the schema does not say it.
    pub code: Option<i64>,
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// What it means.
    pub doc: String,
    /// The side that sends it, where only one does.
    pub sent_by: Option<Role>,
    /// How it is known.
    pub source: String,
}

/// What new code should not use.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deprecated {
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// `Definition` or `Definition.member`.
    pub items: Vec<String>,
    /// What to use instead.
    pub note: String,
    /// How it is known.
    pub source: String,
}

/// What a method is answered with and gated by.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// The method.
    pub method: String,
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// The result of a request, where the schema does not say it.
    pub result: Option<String>,
    /// Other results of the request, where the schema does not say them.
    #[serde(default)]
    pub also: Vec<String>,
    /// What the server must have declared.
    pub server_capability: Option<String>,
    /// What the client must have declared.
    pub client_capability: Option<String>,
    /// When it may be called, where that is not "once the connection is open".
    pub phase: Option<Phase>,
    /// How it is known.
    pub source: String,
}

/// When a method may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It opens the connection: alone, before all others, never cancelled.
    Handshake,
    /// At any time.
    Any,
}

/// A result that stands for another, which is fetched later.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deferred {
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// The result that is given instead.
    pub result: String,
    /// The members that lead to the key in it.
    pub key: Vec<String>,
    /// The method that fetches the real result.
    pub method: String,
    /// The member of its params that holds the key.
    pub param: String,
    /// How it is known.
    pub source: String,
}

/// What is used only where a finer capability has been declared than the one that its method needs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Where it holds.
    pub revisions: Vec<String>,
    /// Where it was carried over to, and nobody has confirmed it.
    #[serde(default)]
    pub carried: Vec<String>,
    /// `Definition` or `Definition.member`.
    pub items: Vec<String>,
    /// What the server must have declared.
    pub server_capability: Option<String>,
    /// What the client must have declared.
    pub client_capability: Option<String>,
    /// How it is known.
    pub source: String,
}

/// A fact that holds for some revisions.
pub(crate) trait Scoped {
    /// Where it holds.
    fn revisions(&self) -> &[String];

    /// Where it was carried over to.
    fn carried(&self) -> &[String];

    /// Whether it is used for a revision, confirmed or not.
    fn is_about(&self, revision: &str) -> bool {
        self.revisions().iter().chain(self.carried()).any(|name| name == revision)
    }
}

macro_rules! scoped {
    ($($name:ty),*) => {$(
        impl Scoped for $name {
            fn revisions(&self) -> &[String] {
                &self.revisions
            }

            fn carried(&self) -> &[String] {
                &self.carried
            }
        }
    )*};
}
scoped!(OpenEnum, Initial, Order, Lenient, ErrorCode, Deprecated, Method, Deferred, Gate);

impl Facts {
    /// The facts about one revision.
    pub fn about(&self, revision: &str) -> Self {
        fn keep<T: Scoped + Clone>(entries: &[T], revision: &str) -> Vec<T> {
            entries.iter().filter(|entry| entry.is_about(revision)).cloned().collect()
        }
        Self {
            open_enum: keep(&self.open_enum, revision),
            initial: keep(&self.initial, revision),
            order: keep(&self.order, revision),
            lenient: keep(&self.lenient, revision),
            error_code: keep(&self.error_code, revision),
            deprecated: keep(&self.deprecated, revision),
            method: keep(&self.method, revision),
            deferred: keep(&self.deferred, revision),
            gate: keep(&self.gate, revision),
            task: self.task.iter().filter(|task| task.revision == revision).cloned().collect(),
        }
    }

    /// The facts with other names for some definitions.
    pub fn renamed(mut self, names: &BTreeMap<String, String>) -> Self {
        let rename = |item: &mut String| {
            let (owner, member) = match item.split_once('.') {
                Some((owner, member)) => (owner, Some(member)),
                None => (item.as_str(), None),
            };
            if let Some(name) = names.get(owner) {
                *item = member.map_or_else(|| name.clone(), |member| format!("{name}.{member}"));
            }
        };
        self.open_enum.iter_mut().for_each(|entry| {
            rename(&mut entry.name);
            entry.members.iter_mut().for_each(rename);
        });
        self.initial.iter_mut().flat_map(|entry| &mut entry.members).for_each(rename);
        self.order.iter_mut().map(|entry| &mut entry.name).for_each(rename);
        self.lenient.iter_mut().flat_map(|entry| &mut entry.members).for_each(rename);
        self.deprecated.iter_mut().flat_map(|entry| &mut entry.items).for_each(rename);
        self.method.iter_mut().flat_map(|entry| entry.result.iter_mut().chain(&mut entry.also)).for_each(rename);
        self.deferred.iter_mut().map(|entry| &mut entry.result).for_each(rename);
        self.gate.iter_mut().flat_map(|entry| &mut entry.items).for_each(rename);
        self
    }

    /// The definitions that the facts name.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        let items = self.items().chain(self.order.iter().map(|entry| &entry.name));
        let items = items.chain(self.method.iter().flat_map(Method::results));
        let owners = items.map(|item| item.split_once('.').map_or(item.as_str(), |(owner, _)| owner));
        owners.filter(|owner| *owner != "*")
    }

    /// What the facts name as `Definition`, `Definition.member` or `*.member`.
    fn items(&self) -> impl Iterator<Item = &String> {
        let members = self.initial.iter().flat_map(|entry| &entry.members);
        let members = members.chain(self.lenient.iter().flat_map(|entry| &entry.members));
        let members = members.chain(self.open_enum.iter().flat_map(|entry| &entry.members));
        let items = members.chain(self.deprecated.iter().flat_map(|entry| &entry.items));
        items.chain(self.gate.iter().flat_map(|entry| &entry.items))
    }

    /// The facts about methods without results that a schema does not have: the rest of what is known of a method holds
    /// without them.
    pub fn without_lost_results(mut self, schema: &Schema) -> Self {
        for entry in &mut self.method {
            entry.also.retain(|name| schema.definitions().contains_key(name));
            if entry.result.take_if(|name| !schema.definitions().contains_key(name)).is_some() && !entry.also.is_empty()
            {
                entry.result = Some(entry.also.remove(0));
            }
        }
        self
    }

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
                "correct the entry, or its list of revisions",
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
        for entry in &self.method {
            if !known.has_method(&entry.method) {
                return fail("method", format!("no message has the method `{}`", entry.method));
            }
            if let Some(name) = entry.results().find(|name| !schema.definitions().contains_key(*name)) {
                return fail("method", format!("`{}` is answered with `{name}`, which does not exist", entry.method));
            }
            for (holder, path) in
                [("ServerCapabilities", &entry.server_capability), ("ClientCapabilities", &entry.client_capability)]
            {
                if path.as_ref().is_some_and(|path| !has_capability(schema, holder, path)) {
                    return fail(
                        "method",
                        format!(
                            "`{}` needs `{}`, which {holder} lacks",
                            entry.method,
                            path.as_deref().unwrap_or_default()
                        ),
                    );
                }
            }
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

/// The values of an entry that may hold in part, by their keys.
pub(crate) type Parts = Vec<(&'static str, Option<Vec<String>>)>;

macro_rules! parts {
    ($($name:ty: $($list:ident)*;)*) => {$(
        impl $name {
            /// What [`Facts::where_applicable`] may have left out.
            pub(crate) fn parts(&self) -> Parts {
                vec![$((stringify!($list), Some(self.$list.clone()))),*]
            }
        }
    )*};
}
parts! {
    OpenEnum: members;
    Initial: members;
    Order: ;
    Lenient: members;
    Deprecated: items;
    Deferred: ;
    Gate: items;
}

impl Method {
    /// What [`Facts::where_applicable`] may have left out.
    pub(crate) fn parts(&self) -> Parts {
        let one = |path: &Option<String>| path.clone().map(|path| vec![path]);
        vec![
            ("result", one(&self.result)),
            ("also", Some(self.also.clone())),
            ("server_capability", one(&self.server_capability)),
            ("client_capability", one(&self.client_capability)),
        ]
    }

    fn results(&self) -> impl Iterator<Item = &String> {
        self.result.iter().chain(&self.also)
    }
}

impl ErrorCode {
    /// What [`Facts::without_stated`] may have left out.
    pub(crate) fn parts(&self) -> Parts {
        if self.code.is_some() { Vec::new() } else { vec![("code", None)] }
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

/// Whether a list of `Definition.member` or `*.member` patterns names this member.
pub fn names_member(patterns: &[String], definition: &str, member: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.split_once('.') {
        Some((owner, name)) => name == member && (owner == "*" || owner == definition),
        None => false,
    })
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
