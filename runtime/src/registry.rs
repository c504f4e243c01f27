//! Types by name, for tools that learn at run time which one to read.

use serde_json::Value;

use crate::check::{Checker, Violation};
use crate::decode::Wire;
use crate::error::{DecodeError, from_slice, from_str, from_value};
use crate::json::Json;
use crate::write::to_string;

/// A type under the name its schema gives it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    read: fn(&str) -> Result<Probe, DecodeError>,
    read_slice: fn(&[u8]) -> Result<Probe, DecodeError>,
    convert: fn(Value) -> Result<Probe, DecodeError>,
    is_stable: fn(&str) -> bool,
    size: usize,
}

/// What became of a document that was decoded.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The document, written again.
    pub value: Json,
    /// The same as text.
    pub text: String,
    /// What the schema does not allow.
    pub violations: Vec<Violation>,
    /// The variant, for a union or an enum.
    pub variant: Option<&'static str>,
}

impl Entry {
    /// The entry of a type.
    pub const fn new<T: Wire + PartialEq>(name: &'static str) -> Self {
        Self {
            name,
            read: |text| from_str::<T>(text).map(|value| probe(&value)),
            read_slice: |bytes| from_slice::<T>(bytes).map(|value| probe(&value)),
            convert: |value| from_value::<T>(value).map(|value| probe(&value)),
            is_stable: |text| from_str::<T>(text).is_ok_and(|value| is_stable(&value)),
            size: size_of::<T>(),
        }
    }

    /// Whether a document decodes, and what is written decodes to an equal value.
    #[inline]
    pub fn is_stable(&self, text: &str) -> bool {
        (self.is_stable)(text)
    }

    /// Decodes a document from text.
    #[inline]
    pub fn read(&self, text: &str) -> Result<Probe, DecodeError> {
        (self.read)(text)
    }

    /// Decodes a document from UTF-8 bytes.
    #[inline]
    pub fn read_slice(&self, bytes: &[u8]) -> Result<Probe, DecodeError> {
        (self.read_slice)(bytes)
    }

    /// Decodes a JSON value.
    #[inline]
    pub fn convert(&self, value: Value) -> Result<Probe, DecodeError> {
        (self.convert)(value)
    }

    /// The size of the type in memory.
    #[inline]
    pub const fn size(&self) -> usize {
        self.size
    }
}

fn is_stable<T: Wire + PartialEq>(value: &T) -> bool {
    from_str::<T>(&to_string(value)).is_ok_and(|again| again == *value)
}

fn probe<T: Wire>(value: &T) -> Probe {
    let text = to_string(value);
    Probe { value: Json::from_valid(&*text), text, violations: Checker::run(value), variant: value.variant_name() }
}
