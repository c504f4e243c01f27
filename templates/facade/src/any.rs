// {{ f.header }}

//! Messages whose revision is known only at run time.

use std::fmt;

use mcp_wire_core::__private::Asking;
use mcp_wire_core::{InFlight, Lookup, Rejection, RequestId, Violation};
use serde::ser::{Serialize, Serializer};

use crate::Revision;

/// Why a message could not be read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AnyError {
    /// The revision is unknown, or its feature is not enabled.
    Disabled(Revision),
    /// The message is refused.
    Rejected(Rejection),
}

impl fmt::Display for AnyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled(revision) if revision.is_known() => {
                write!(f, "revision {revision} is not compiled in; enable its feature of mcp-wire")
            }
            Self::Disabled(revision) => write!(f, "revision {:?} is not known", revision.as_str()),
            Self::Rejected(rejection) => fmt::Display::fmt(rejection, f),
        }
    }
}

impl std::error::Error for AnyError {}

impl From<Rejection> for AnyError {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}
{%- for (any, message, who) in f.messages %}
/// What a {{ who }} sends, in whichever revision.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum {{ any }} {
{%- for r in f.revisions %}
    /// In {{ r.name }}.
    #[cfg(feature = "{{ r.module }}")]
    {{ r.variant }}(Box<crate::{{ r.module }}::{{ message }}>),
{%- endfor %}
}

impl {{ any }} {
    /// Reads a message from UTF-8 bytes. `lookup` tells what a response answers, as with the messages of one revision.
    pub fn from_slice(revision: &Revision, bytes: &[u8], lookup: &(impl Lookup + ?Sized)) -> Result<Self, AnyError> {
        Self::read_slice(revision, bytes, &Asking(lookup))
    }

    /// Reads a message from text.
    pub fn from_str(revision: &Revision, text: &str, lookup: &(impl Lookup + ?Sized)) -> Result<Self, AnyError> {
        Self::read_str(revision, text, &Asking(lookup))
    }

    // What is not generic is compiled here, once for all who depend on this crate.

    #[allow(unused_variables, reason = "without any revision there is nothing to read")]
    fn read_slice(revision: &Revision, bytes: &[u8], lookup: &dyn Lookup) -> Result<Self, AnyError> {
        match revision {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Revision::{{ r.variant }} => Ok(Self::{{ r.variant }}(Box::new(crate::{{ r.module }}::{{ message }}::from_slice(bytes, lookup)?))),
{%- endfor %}
            _ => Err(AnyError::Disabled(revision.clone())),
        }
    }

    #[allow(unused_variables, reason = "without any revision there is nothing to read")]
    fn read_str(revision: &Revision, text: &str, lookup: &dyn Lookup) -> Result<Self, AnyError> {
        match revision {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Revision::{{ r.variant }} => Ok(Self::{{ r.variant }}(Box::new(crate::{{ r.module }}::{{ message }}::from_str(text, lookup)?))),
{%- endfor %}
            _ => Err(AnyError::Disabled(revision.clone())),
        }
    }

    /// The revision it was read in.
    pub fn revision(&self) -> Revision {
        match *self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }}(_) => Revision::{{ r.variant }},
{%- endfor %}
        }
    }

    /// The method of a request or a notification.
    pub fn method(&self) -> Option<&str> {
        match *self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }}(ref message) => message.method(),
{%- endfor %}
        }
    }

    /// The id of a request or a response.
    pub fn id(&self) -> Option<&RequestId> {
        match *self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }}(ref message) => message.id(),
{%- endfor %}
        }
    }

    /// The kind of message, and the variant of the enum inside it: `("Request", "CallTool")`.
    pub fn variant_name(&self) -> (&'static str, &'static str) {
        match *self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }}(ref message) => message.variant_name(),
{%- endfor %}
        }
    }

    /// Follows a conversation from outside, as with the messages of one revision.
    #[allow(unused_variables, reason = "without any revision there is nothing to follow")]
    pub fn observe(&self, sender: &mut InFlight, other: &mut InFlight) {
        match *self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }}(ref message) => message.observe(sender, other),
{%- endfor %}
        }
    }

    /// The message as text on one line.
    pub fn to_text(&self) -> String {
        match *self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }}(ref message) => message.to_text(),
{%- endfor %}
        }
    }

    /// Lists the ways in which the message departs from the schema of its revision, up to [`Violation::LIMIT`]; none means
    /// that it conforms.
    pub fn check(&self) -> Vec<Violation> {
        match *self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }}(ref message) => message.check(),
{%- endfor %}
        }
    }
}

impl Serialize for {{ any }} {
    #[allow(unused_variables, reason = "without any revision there is nothing to write")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }}(ref message) => message.serialize(serializer),
{%- endfor %}
        }
    }
}
{%- for r in f.revisions %}
#[cfg(feature = "{{ r.module }}")]
impl From<crate::{{ r.module }}::{{ message }}> for {{ any }} {
    fn from(message: crate::{{ r.module }}::{{ message }}) -> Self {
        Self::{{ r.variant }}(Box::new(message))
    }
}
{%- endfor %}
{%- endfor %}
