//! What the official schema says of a document, its errata fixed. Only documents that cannot be read are judged.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

use base64::Engine as _;
use jsonschema::Validator;
use mcp_wire::Revision;
use mcp_wire_codegen::fixups;
use mcp_wire_codegen::load::{self, Schema};
use serde_json::{Value, json};

use crate::Misuse;

/// The official schemas, each loaded when it is first needed.
pub struct Judges {
    folder: PathBuf,
    judges: RefCell<HashMap<Revision, Judge>>,
}

struct Judge {
    schema: Schema,
    validators: HashMap<String, Validator>,
}

impl Judges {
    /// From the project's `schema` folder.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, judges: RefCell::default() }
    }

    /// Whether a definition accepts a document.
    pub fn accepts(&self, revision: &Revision, definition: &str, document: &Value) -> Result<bool, Misuse> {
        self.with(revision, |judge| judge.accepts(definition, document))
    }

    /// Whether the schema accepts a message: the definition of its method does, and that of messages as such.
    pub fn accepts_message(&self, revision: &Revision, message: &Value) -> Result<bool, Misuse> {
        self.with(revision, |judge| {
            let definition = message["method"].as_str().and_then(|method| judge.message(method));
            let own = definition.is_none_or(|definition| judge.accepts(&definition, message));
            own && judge.accepts("JSONRPCMessage", message)
        })
    }

    fn with<T>(&self, revision: &Revision, ask: impl FnOnce(&mut Judge) -> T) -> Result<T, Misuse> {
        let mut judges = self.judges.borrow_mut();
        if !judges.contains_key(revision) {
            let judge = self.load(revision).map_err(|error| Misuse(format!("the schema of {revision}: {error}")))?;
            judges.insert(revision.clone(), judge);
        }
        match judges.get_mut(revision) {
            Some(judge) => Ok(ask(judge)),
            None => Err(Misuse(format!("no schema of {revision}"))),
        }
    }

    fn load(&self, revision: &Revision) -> Result<Judge, mcp_wire_codegen::Error> {
        let sources = load::sources(&self.folder)?;
        let mut schema = match sources.revisions.iter().find(|source| source.name == revision.as_str()) {
            Some(source) => load::official(&self.folder, source)?,
            None => load::file(&self.folder.join(revision.as_str()).join("schema.json"), revision.as_str())?,
        };
        fixups::fix_errata(&mut schema, &sources)?;
        Ok(Judge { schema, validators: HashMap::new() })
    }
}

/// What judges documents of one definition, formats included.
pub fn validator(schema: &Schema, definition: &str) -> Validator {
    let mut root = schema.document.clone();
    root["$ref"] = json!(format!("#/{}/{definition}", schema.keyword));
    // `byte` is no format of JSON Schema, so that the validator has to be told what it means.
    let base64 = |text: &str| base64::engine::general_purpose::STANDARD.decode(text).is_ok();
    let options = jsonschema::options().should_validate_formats(true).with_format("byte", base64);
    options.build(&root).unwrap_or_else(|error| panic!("the official schema is no schema: {error}"))
}

impl Judge {
    fn accepts(&mut self, definition: &str, document: &Value) -> bool {
        let schema = &self.schema;
        let validators = &mut self.validators;
        validators.entry(definition.to_owned()).or_insert_with(|| validator(schema, definition)).is_valid(document)
    }

    /// The definition that has a method as a constant.
    fn message(&self, method: &str) -> Option<String> {
        let definitions = self.schema.document.get(self.schema.keyword)?.as_object()?;
        let has = |body: &Value| body["properties"]["method"]["const"] == method;
        definitions.iter().find(|(_, body)| has(body)).map(|(name, _)| name.clone())
    }
}
