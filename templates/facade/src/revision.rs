// {{ f.header }}

//! The revisions of the protocol.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use mcp_wire_core::Method;

/// A revision of the protocol, known or not. Later ones are greater.
///
/// ```
/// use mcp_wire::Revision;
///
/// let revision = Revision::from("{{ f.revisions[0].name }}");
/// assert!(revision.is_known() && revision < Revision::LATEST);
/// assert_eq!(revision.to_string(), "{{ f.revisions[0].name }}");
///
/// let unknown = Revision::from("1999-12-31");
/// assert!(!unknown.is_known() && unknown < revision);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revision {
{%- for r in f.revisions %}
    /// {{ r.name }}.
    {{ r.variant }},
{%- endfor %}
    /// A revision that this version of the crate does not know, by its name.
    Unknown(String),
}

impl Revision {
    /// The latest released revision that is known.
    pub const LATEST: Self = Self::{{ f.latest.variant }};

    /// All known revisions, the oldest first.
    pub const ALL: &'static [Self] = &[{% for r in f.revisions %}Self::{{ r.variant }}, {% endfor %}];

    /// The revisions whose feature is enabled, the oldest first.
    pub const ENABLED: &'static [Self] = &[{% for r in f.revisions %}
        #[cfg(feature = "{{ r.module }}")]
        Self::{{ r.variant }}, {% endfor %}
    ];

    /// The name on the wire.
    pub fn as_str(&self) -> &str {
        match self {
{%- for r in f.revisions %}
            Self::{{ r.variant }} => "{{ r.name }}",
{%- endfor %}
            Self::Unknown(name) => name,
        }
    }

    /// Whether this version of the crate knows the revision.
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown(_))
    }

    /// Whether the revision's feature is enabled.
    pub fn is_enabled(&self) -> bool {
        Self::ENABLED.contains(self)
    }

    /// Whether a connection is opened by a handshake in which both sides agree on the revision. Without one, each request
    /// names its revision.
    pub fn has_handshake(&self) -> bool {
        matches!(self, {{ f.handshakes }})
    }

    /// Whether several messages may be sent as one array.
    pub fn has_batches(&self) -> bool {
        matches!(self, {{ f.batches }})
    }

    /// The methods of an enabled revision; none of any other.
    pub fn methods(&self) -> &'static [Method] {
        match self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }} => crate::{{ r.module }}::METHODS,
{%- endfor %}
            _ => &[],
        }
    }

    /// Every definition of an enabled revision by name; none of any other.
    #[cfg(feature = "registry")]
    pub fn types(&self) -> &'static [mcp_wire_core::__private::Entry] {
        match self {
{%- for r in f.revisions %}
            #[cfg(feature = "{{ r.module }}")]
            Self::{{ r.variant }} => crate::{{ r.module }}::registry::TYPES,
{%- endfor %}
            _ => &[],
        }
    }

    /// A method of an enabled revision.
    pub fn method(&self, name: &str) -> Option<&'static Method> {
        Method::find(self.methods(), name)
    }

    fn known(name: &str) -> Option<Self> {
        match name {
{%- for r in f.revisions %}
            "{{ r.name }}" => Some(Self::{{ r.variant }}),
{%- endfor %}
            _ => None,
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<&str> for Revision {
    fn from(name: &str) -> Self {
        Self::known(name).unwrap_or_else(|| Self::Unknown(name.to_owned()))
    }
}

impl From<String> for Revision {
    fn from(name: String) -> Self {
        Self::known(&name).unwrap_or(Self::Unknown(name))
    }
}

impl From<Revision> for String {
    fn from(revision: Revision) -> Self {
        match revision {
            Revision::Unknown(name) => name,
            known => known.as_str().to_owned(),
        }
    }
}

impl FromStr for Revision {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(name.into())
    }
}

/// Names are dates, so that the order of names is that of time.
impl Ord for Revision {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Revision {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
