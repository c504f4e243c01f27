//! What the tests share: the revisions with their schemas and registries, documents made from a schema, and comparison.

// First, since the others use its macro.
#[macro_use]
mod revisions;

include!(concat!(env!("OUT_DIR"), "/models.rs"));

pub mod documents;
pub mod ends;
pub mod instances;
pub mod messages;
pub mod mutants;
mod pinned;

/// The README's example is compiled and run, so that it works when it is pasted.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::{SystemTime, UNIX_EPOCH};

use jsonschema::Validator;
use mcp_wire_accepts::validator;
use mcp_wire_codegen::load::{self, Schema, Sources};
use mcp_wire_codegen::{fixups, model, model_of};
use mcp_wire_core::__private::Entry;
use mcp_wire_judge::{Place, Verdict, compare};
use mcp_wire_verify::Places;
pub use pinned::{ALL, assert_pinned};
pub use revisions::stateless;
use serde_json::Value;

/// A revision as the tests see it.
pub struct Revision {
    pub name: &'static str,
    pub types: &'static [Entry],
}

macro_rules! all {
    ($($revision:ident)*) => {
        /// All revisions, the oldest first. Their number is that of the facade, so that none is missing.
        pub static REVISIONS: [Revision; mcp_wire::Revision::ALL.len()] = [$(Revision {
            name: mcp_wire::$revision::REVISION,
            types: mcp_wire::$revision::registry::TYPES,
        }),*];
    };
}
revisions!(all);

/// A revision by its name.
pub fn revision(name: &str) -> &'static Revision {
    REVISIONS.iter().find(|revision| revision.name == name).unwrap_or_else(|| panic!("no revision {name}"))
}

/// A test of each revision: a module of that name, which calls a function with each.
#[macro_export]
macro_rules! each_revision {
    ($module:ident: $test:ident) => {
        mod $module {
            use super::$test as test;

            $crate::revisions! { [$crate::each_revision] @ }
        }
    };
    (@ $($revision:ident)*) => {$(
        #[test]
        fn $revision() {
            test($crate::revision(mcp_wire::$revision::REVISION));
        }
    )*};
}

impl Revision {
    /// Whether a connection is opened by a handshake.
    pub fn has_handshake(&self) -> bool {
        mcp_wire::Revision::from(self.name).has_handshake()
    }

    /// Whether messages come in batches.
    pub fn has_batches(&self) -> bool {
        mcp_wire::Revision::from(self.name).has_batches()
    }

    /// Whether a result says of which type it is.
    pub fn has_result_types(&self) -> bool {
        self.types.iter().any(|entry| entry.name == "ResultType")
    }

    /// Asserts how many definitions its schema has: wherever types are counted, there are as many.
    pub fn assert_definitions(&self, found: usize) {
        assert_pinned(self.name, "definitions", found);
    }

    /// The type of a definition.
    pub fn entry(&self, definition: &str) -> &'static Entry {
        let entry = self.types.iter().find(|entry| entry.name == definition);
        entry.unwrap_or_else(|| panic!("{} has no type for {definition}", self.name))
    }

    /// Where the order of members counts, as the official schema has it. Read once in each thread.
    pub fn places(&self) -> Rc<Places> {
        thread_local! {
            static PLACES: RefCell<BTreeMap<&'static str, Rc<Places>>> = const { RefCell::new(BTreeMap::new()) };
        }
        PLACES.with_borrow_mut(|all| {
            Rc::clone(all.entry(self.name).or_insert_with(|| Rc::new(Places::new(&self.schema()))))
        })
    }

    /// Everything in which a document of a definition came back differently.
    pub fn verdict(&self, definition: &str, before: &str, after: &str) -> Verdict {
        verdict(before, after, self.places().definition(definition))
    }

    /// The first difference, if there is one.
    pub fn difference(&self, definition: &str, before: &str, after: &str) -> Option<String> {
        difference(before, after, self.places().definition(definition))
    }

    /// The first difference of a message, which may answer a request with some method.
    pub fn message_difference(&self, before: &str, asked: Option<&str>, after: &str) -> Option<String> {
        let value: Value = serde_json::from_str(before).expect("JSON");
        let messages = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
        let places = self.places();
        difference(before, after, places.messages(messages.iter().map(|message| (message["method"].as_str(), asked))))
    }

    /// The official schema with its errata fixed.
    pub fn schema(&self) -> Schema {
        let sources = sources();
        let source = sources.revisions.iter().find(|source| source.name == self.name).expect("a listed revision");
        let mut schema = load::official(&root().join("schema"), source).expect("an official schema");
        fixups::fix_errata(&mut schema, &sources).expect("fixups that apply");
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
        let validators = &mut self.validators;
        let made = || validator(&schema.document, schema.keyword, definition);
        validators.entry(definition.to_owned()).or_insert_with(made).is_valid(document)
    }
}

/// The first place where a text came back differently, as a JSON pointer with what happened there. The texts are compared
/// by a judge that shares no code with the readers.
pub fn difference(before: &str, after: &str, place: impl Place) -> Option<String> {
    verdict(before, after, place).findings.first().map(ToString::to_string)
}

fn verdict(before: &str, after: &str, place: impl Place) -> Verdict {
    compare(before, after, place).unwrap_or_else(|error| panic!("{error}: {before}: {after}"))
}

/// The model of an official revision.
pub fn model(revision: &str) -> model::Revision {
    let sources = sources();
    let folder = root().join("schema");
    let source = sources.revisions.iter().find(|source| source.name == revision).expect("a listed revision");
    let schema = load::official(&folder, source).expect("an official schema");
    model_of(&folder, &sources, schema).expect("a model")
}

/// A number from the environment.
pub fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}

/// The seed that `MCP_WIRE_SEED` asks for, or else the one that never changes.
pub fn seed() -> u64 {
    number("MCP_WIRE_SEED").unwrap_or(20_261_116)
}

/// The seeds of a run: the one that was asked for, or else a fixed and a fresh one.
pub fn seeds() -> Vec<u64> {
    let fresh = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as u64);
    number("MCP_WIRE_SEED").map_or_else(|| vec![seed(), fresh], |seed| vec![seed])
}

/// Runs a future that has nothing to wait for.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits for something"),
    }
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
