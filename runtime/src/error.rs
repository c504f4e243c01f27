//! Decoding with an error that says where.

use std::fmt;

use serde_json::Value;

use crate::ErrorCode;
use crate::decode::{Wire, from_text};
use crate::json::{Json, Problem, SyntaxError};
use crate::misfit::{Reason, place};

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
    /// The text is not JSON, or nests deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    Syntax(SyntaxError),
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
    pub fn pointer(&self) -> Option<&str> {
        match self {
            Self::Syntax(_) => None,
            Self::Shape { pointer, .. } => Some(pointer),
        }
    }

    /// The JSON-RPC error code for a peer that sent this as the params of a request: parse error or invalid params.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Syntax(_) => ErrorCode::PARSE_ERROR,
            Self::Shape { .. } => ErrorCode::INVALID_PARAMS,
        }
    }
}

impl fmt::Display for DecodeError {
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
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error),
            Self::Shape { .. } => None,
        }
    }
}

impl From<Reason> for DecodeError {
    fn from(reason: Reason) -> Self {
        let pointer = reason.pointer();
        let (expected, found) = reason.into_words();
        Self::Shape { pointer, expected: expected.into_owned(), found }
    }
}

/// Decodes one document from text.
pub fn from_str<T: Wire>(text: &str) -> Result<T, DecodeError> {
    from_text(text)
}

/// Decodes one document from UTF-8 bytes.
pub fn from_slice<T: Wire>(bytes: &[u8]) -> Result<T, DecodeError> {
    from_text(utf8(bytes).map_err(DecodeError::Syntax)?)
}

/// Bytes as text.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, SyntaxError> {
    str::from_utf8(bytes).map_err(|error| SyntaxError::new(Problem::Utf8, bytes, error.valid_up_to()))
}

/// Decodes what serde_json's tree holds, of which the numbers are as that has them.
pub fn from_value<T: Wire>(value: Value) -> Result<T, DecodeError> {
    let text = Json::from(&value);
    drop(value);
    from_text(text.text())
}
