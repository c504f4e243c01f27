//! Why a text cannot be read, and where.

use std::fmt;

use crate::MAX_DEPTH;

/// Why a text is not JSON, or JSON that cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    problem: Problem,
    line: usize,
    column: usize,
}

/// What is wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    End,
    Value,
    Object,
    Name,
    Colon,
    Separator,
    Number,
    Control,
    Escape,
    Surrogate,
    Depth,
    Trailing,
    Utf8,
}

impl SyntaxError {
    /// What is wrong at a place in a text.
    #[cold]
    pub(crate) fn new(problem: Problem, text: &[u8], at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Self { problem, line, column: before.len() - line_start + 1 }
    }

    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The byte in its line, from 1.
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.problem {
            Problem::End => "the text ends too early",
            Problem::Value => "expected a value",
            Problem::Object => "expected an object",
            Problem::Name => "expected the name of a member",
            Problem::Colon => "expected a colon",
            Problem::Separator => "expected a comma or the end of the array or object",
            Problem::Number => "not a number as JSON writes it",
            Problem::Control => "a control character in a string must be escaped",
            Problem::Escape => "not an escape that JSON has",
            Problem::Surrogate => "half a surrogate pair is no character",
            Problem::Depth => return write!(f, "nested deeper than {MAX_DEPTH} levels{}", Place(self)),
            Problem::Trailing => "something follows the value",
            Problem::Utf8 => "not UTF-8",
        })?;
        fmt::Display::fmt(&Place(self), f)
    }
}

struct Place<'a>(&'a SyntaxError);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " at line {} column {}", self.0.line, self.0.column)
    }
}

impl std::error::Error for SyntaxError {}
