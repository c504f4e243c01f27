//! Whether a schema accepts a document, formats included.
//!
//! `cargo xtask verify` runs the program of this package beside the one that reads documents, because the jsonschema crate
//! turns on features of serde_json (`float_roundtrip`) that change how numbers are read. A verifier that is built with them
//! says what is lost by somebody else.

use std::collections::HashMap;

use base64::Engine as _;
use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A line of input for the program.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// A schema that questions are about. There is no answer to it.
    Schema {
        /// How questions refer to it.
        revision: String,
        /// The member that holds its definitions.
        keyword: String,
        /// The schema.
        schema: Value,
    },
    /// A question, to which the answer is `true` or `false`.
    Question {
        /// The schema.
        revision: String,
        /// The definitions that all have to accept the document.
        definitions: Vec<String>,
        /// The document.
        document: Value,
    },
}

/// The schemas that are known, and what was made of their definitions.
#[derive(Default)]
pub struct Schemas {
    schemas: HashMap<String, (String, Value)>,
    validators: HashMap<(String, String), Validator>,
}

impl Schemas {
    /// Takes a line in, and answers it if it is a question.
    pub fn answer(&mut self, line: Line) -> Option<Result<bool, String>> {
        match line {
            Line::Schema { revision, keyword, schema } => {
                self.validators.retain(|(known, _), _| *known != revision);
                self.schemas.insert(revision, (keyword, schema));
                None
            }
            Line::Question { revision, definitions, document } => {
                Some(definitions.iter().try_fold(true, |all, definition| {
                    Ok(self.validator(&revision, definition)?.is_valid(&document) && all)
                }))
            }
        }
    }

    fn validator(&mut self, revision: &str, definition: &str) -> Result<&Validator, String> {
        let (keyword, schema) = self.schemas.get(revision).ok_or_else(|| format!("no schema of {revision}"))?;
        let key = (revision.to_owned(), definition.to_owned());
        Ok(self.validators.entry(key).or_insert_with(|| validator(schema, keyword, definition)))
    }
}

/// What judges documents of one definition.
pub fn validator(schema: &Value, keyword: &str, definition: &str) -> Validator {
    let mut root = schema.clone();
    root["$ref"] = json!(format!("#/{keyword}/{definition}"));
    // `byte` is no format of JSON Schema, so that the validator has to be told what it means.
    let base64 = |text: &str| base64::engine::general_purpose::STANDARD.decode(text).is_ok();
    let options = jsonschema::options().should_validate_formats(true).with_format("byte", base64);
    options.build(&root).unwrap_or_else(|error| panic!("the official schema is no schema: {error}"))
}
