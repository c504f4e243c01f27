//! What the tests share: the revisions with their schemas and registries, documents made from a schema, and comparison.

pub mod documents;
pub mod ends;
pub mod instances;
pub mod messages;
pub mod mutants;

/// The README's example is compiled and run, so that it works when it is pasted.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use jsonschema::Validator;
use mcp_wire_codegen::load::{self, Schema, Sources};
use mcp_wire_codegen::{fixups, newest};
use mcp_wire_core::wire::Entry;
use serde_json::{Value, json};

/// A revision as the tests see it.
pub struct Revision {
    pub name: &'static str,
    /// How many definitions its schema has, asserted wherever types are counted.
    pub definitions: usize,
    pub types: &'static [Entry],
}

/// All revisions. A new one has to be added here by hand, so that nobody forgets what it must satisfy.
pub static REVISIONS: [Revision; 5] = [
    Revision { name: "2024-11-05", definitions: 79, types: mcp_wire_2024_11_05::registry::TYPES },
    Revision { name: "2025-03-26", definitions: 83, types: mcp_wire_2025_03_26::registry::TYPES },
    Revision { name: "2025-06-18", definitions: 91, types: mcp_wire_2025_06_18::registry::TYPES },
    Revision { name: "2025-11-25", definitions: 145, types: mcp_wire_2025_11_25::registry::TYPES },
    Revision { name: "2026-07-28", definitions: 155, types: mcp_wire_2026_07_28::registry::TYPES },
];

impl Revision {
    /// The type of a definition.
    pub fn entry(&self, definition: &str) -> &'static Entry {
        let entry = self.types.iter().find(|entry| entry.name == definition);
        entry.unwrap_or_else(|| panic!("{} has no type for {definition}", self.name))
    }

    /// The official schema with its errata fixed.
    pub fn schema(&self) -> Schema {
        let sources = sources();
        let source = sources.revisions.iter().find(|source| source.name == self.name).expect("a listed revision");
        let mut schema = load::official(&root().join("schema"), source).expect("an official schema");
        fixups::fix_errata(&mut schema, newest(&sources)).expect("fixups that apply");
        schema
    }
}

/// The project's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project's folder").to_owned()
}

/// The project's `schema` folder.
pub fn sources() -> Sources {
    load::sources(&root().join("schema")).expect("the schema folder")
}

/// Judges documents against the definitions of a schema, formats included.
pub struct Judge<'s> {
    schema: &'s Schema,
    validators: BTreeMap<String, Validator>,
}

impl<'s> Judge<'s> {
    pub fn new(schema: &'s Schema) -> Self {
        Self { schema, validators: BTreeMap::new() }
    }

    pub fn accepts(&mut self, definition: &str, document: &Value) -> bool {
        let schema = self.schema;
        let validator = self.validators.entry(definition.to_owned()).or_insert_with(|| {
            let mut root = schema.document.clone();
            root["$ref"] = json!(format!("#/{}/{definition}", schema.keyword));
            // `byte` is no format of JSON Schema, so that the validator has to be told what it means.
            let base64 = |text: &str| base64::engine::general_purpose::STANDARD.decode(text).is_ok();
            let options = jsonschema::options().should_validate_formats(true).with_format("byte", base64);
            options.build(&root).expect("a valid schema")
        });
        validator.is_valid(document)
    }
}

/// The first place where two documents differ, as a JSON pointer with both values.
pub fn difference(before: &Value, after: &Value) -> Option<String> {
    fn walk(before: &Value, after: &Value, pointer: &mut String) -> Option<String> {
        let length = pointer.len();
        match (before, after) {
            (Value::Object(left), Value::Object(right)) => {
                for name in left.keys().chain(right.keys().filter(|name| !left.contains_key(*name))) {
                    pointer.push('/');
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                    let found = match (left.get(name), right.get(name)) {
                        (Some(left), Some(right)) => walk(left, right, pointer),
                        (left, right) => Some(format!("{pointer}: {left:?} became {right:?}")),
                    };
                    if found.is_some() {
                        return found;
                    }
                    pointer.truncate(length);
                }
                None
            }
            (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
                for (index, (left, right)) in left.iter().zip(right).enumerate() {
                    pointer.push_str(&format!("/{index}"));
                    let found = walk(left, right, pointer);
                    if found.is_some() {
                        return found;
                    }
                    pointer.truncate(length);
                }
                None
            }
            _ if before == after => None,
            _ => Some(format!("{pointer}: {before} became {after}")),
        }
    }
    walk(before, after, &mut String::new())
}

/// Material that lies beside a checkout on some machines only. Tests that need it say so when they skip.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = root().join("../shared").join(path);
    if folder.exists() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}
