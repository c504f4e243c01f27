//! Decoding with an error that says where.

use std::fmt;

use serde::de::Error as _;
use serde_json::Value;

use crate::ErrorCode;
use crate::decode::{Reason, Wire, place};

/// Why a document could not be decoded.
///
/// ```
/// let error = mcp_wire_core::from_str::<Vec<bool>>("[true, 7]").unwrap_err();
/// assert_eq!(error.to_string(), "/1: expected a boolean, found the number 7");
/// assert_eq!(error.pointer(), Some("/1"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum DecodeError {
    /// The text is not JSON, or is nested deeper than 128 levels.
    Syntax(serde_json::Error),
    /// The JSON does not have the shape of the type.
    Shape {
        /// JSON pointer of the offending member; empty for the whole document.
        pointer: String,
        /// What the schema asks for there.
        expected: String,
        /// What stands there.
        found: String,
    },
}

impl DecodeError {
    /// JSON pointer of the offending member, where the text was JSON.
    #[inline]
    pub fn pointer(&self) -> Option<&str> {
        match self {
            Self::Syntax(_) => None,
            Self::Shape { pointer, .. } => Some(pointer),
        }
    }

    /// The JSON-RPC error code for a peer that sent this as the params of a request: parse error or invalid params.
    #[inline]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Syntax(_) => ErrorCode::PARSE_ERROR,
            Self::Shape { .. } => ErrorCode::INVALID_PARAMS,
        }
    }
}

impl fmt::Display for DecodeError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => write!(f, "not usable as JSON: {error}"),
            Self::Shape { pointer, expected, found } => {
                write!(f, "{}: expected {expected}, found {found}", place(pointer))
            }
        }
    }
}

impl std::error::Error for DecodeError {
    #[inline]
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error),
            Self::Shape { .. } => None,
        }
    }
}

impl From<Reason> for DecodeError {
    #[inline]
    fn from(reason: Reason) -> Self {
        Self::Shape {
            pointer: reason.pointer(),
            expected: reason.expected().to_owned(),
            found: reason.found().to_owned(),
        }
    }
}

/// Decodes one document from text.
pub fn from_str<T: Wire>(text: &str) -> Result<T, DecodeError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let fit = T::decode(&mut deserializer).map_err(DecodeError::Syntax)?;
    deserializer.end().map_err(DecodeError::Syntax)?;
    fit.map_err(|misfit| misfit.reason.into())
}

/// Decodes one document from UTF-8 bytes.
pub fn from_slice<T: Wire>(bytes: &[u8]) -> Result<T, DecodeError> {
    // Looking at the whole first is cheaper than looking at each string, and the code that reads exists once only.
    match std::str::from_utf8(bytes) {
        Ok(text) => from_str(text),
        Err(error) => Err(DecodeError::Syntax(serde_json::Error::custom(error))),
    }
}

/// Decodes a JSON value, moving its strings.
pub fn from_value<T: Wire>(value: Value) -> Result<T, DecodeError> {
    T::convert(value).map_err(|misfit| misfit.reason.into())
}
