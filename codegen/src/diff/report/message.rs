//! Message: what changed, as a sentence.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::diff::path::Path;

/// The sentence that says what changed: the path, what is said of it, and the number of places.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The path of the change.
    pub path: Path<'static>,
    /// What the sentence says of it.
    pub says: String,
    /// How many places it is said of.
    pub places: Places,
}

/// The number of places that a sentence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// All places of the change.
    All(usize),
    /// The places that are left, and how many there were.
    Left(usize, usize),
}

impl Message {
    /// A sentence about all places.
    pub fn new(path: Path<'static>, says: impl Into<String>, places: usize) -> Self {
        Self { path, says: says.into(), places: Places::All(places) }
    }

    /// The sentence without the path.
    pub fn remainder(&self) -> Cow<'_, str> {
        match self.places {
            Places::All(1) => self.says.as_str().into(),
            Places::All(all) => format!("{} ({all} places)", self.says).into(),
            Places::Left(left, all) => format!("{} ({left} of its {all} places)", self.says).into(),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path, self.remainder())
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// In JSON it is a string.
impl JsonSchema for Message {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
