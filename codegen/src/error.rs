//! One error type; each variant knows its place and the next step.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a crate could not be generated. Nothing has been written when one of these is returned.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
        /// What to do.
        help: String,
    },
    /// A schema, or one of the data files beside it, cannot be used.
    Schema {
        /// The file.
        file: PathBuf,
        /// JSON pointer into it; empty for the whole file.
        pointer: String,
        /// What was found.
        found: String,
        /// What to do.
        help: String,
    },
    /// The generator contradicts itself. A schema should never be able to cause this.
    Internal {
        /// What went wrong, and where.
        found: String,
    },
}

/// The result of a stage.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn io(path: &Path, source: std::io::Error, help: impl Into<String>) -> Self {
        Self::Io { path: path.to_owned(), source, help: help.into() }
    }

    pub(crate) fn schema(
        file: &Path,
        pointer: impl Into<String>,
        found: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self::Schema { file: file.to_owned(), pointer: pointer.into(), found: found.into(), help: help.into() }
    }

    pub(crate) fn internal(found: impl Into<String>) -> Self {
        Self::Internal { found: found.into() }
    }

    /// JSON pointer of the offending place, for an error in a schema.
    pub fn pointer(&self) -> Option<&str> {
        match self {
            Self::Schema { pointer, .. } => Some(pointer),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source, help } => write!(f, "{}: {source}\n  {help}", path.display()),
            Self::Schema { file, pointer, found, help } => {
                let hash = if pointer.is_empty() { "" } else { "#" };
                write!(f, "{}{hash}{pointer}: {found}\n  {help}", file.display())
            }
            Self::Internal { found } => {
                write!(
                    f,
                    "internal: {found}\n  this is a bug of the generator: please report it with the schema that caused it"
                )
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// One step of a JSON pointer, escaped.
pub(crate) fn step(pointer: &str, name: &str) -> String {
    match name.contains(['~', '/']) {
        true => format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
        false => format!("{pointer}/{name}"),
    }
}
