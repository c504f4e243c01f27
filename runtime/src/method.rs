//! Methods: who may call what, with which params, to which end.

use std::fmt;

use crate::body::Params;
use crate::decode::Wire;
use crate::json::{Json, JsonRef};
use crate::write::to_string;

/// The two sides of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Party {
    /// The side that connects: an AI application.
    Client,
    /// The side that offers tools and data.
    Server,
}

impl Party {
    /// The other side.
    #[inline]
    pub const fn peer(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

impl fmt::Display for Party {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Client => "client",
            Self::Server => "server",
        })
    }
}

/// What a message with a method is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodKind {
    /// It has an id and is answered.
    Request,
    /// It has no id and is not answered.
    Notification,
    /// A request that stands inside a result instead of being a message of its own.
    Embedded,
}

/// When in the life of a connection a method may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// It opens the connection: alone, before all others, never cancelled.
    Handshake,
    /// At any time.
    Any,
    /// Once the connection is open.
    Operation,
}

/// One row of a revision's table of methods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Its name on the wire.
    pub name: &'static str,
    /// What its messages are.
    pub kind: MethodKind,
    /// Who may send it.
    pub senders: &'static [Party],
    /// The type of its params, where the schema has one.
    pub params: Option<&'static str>,
    /// Whether a message without params is invalid.
    pub params_required: bool,
    /// The types of its results: the usual one first, none for a notification.
    pub results: &'static [&'static str],
    /// What the client must have declared, as a path with dots.
    pub client_capability: Option<&'static str>,
    /// What the server must have declared, as a path with dots.
    pub server_capability: Option<&'static str>,
    /// When it may be called.
    pub phase: Phase,
    /// Whether new code should do without it.
    pub deprecated: bool,
}

impl Method {
    /// The row of a method in a table that is sorted by name.
    #[inline]
    pub fn find(table: &'static [Self], name: &str) -> Option<&'static Self> {
        table.binary_search_by(|row| row.name.cmp(name)).ok().and_then(|index| table.get(index))
    }

    /// The capability that gates the method when `sender` sends it, and whose it is.
    ///
    /// Where both sides could be asked, the one that does the work counts: the receiver of a request, the sender of a
    /// notification.
    #[inline]
    pub fn gate(&self, sender: Party) -> Option<(Party, &'static str)> {
        let of = |party: Party| match party {
            Party::Client => self.client_capability,
            Party::Server => self.server_capability,
        };
        let worker = if self.kind == MethodKind::Notification { sender } else { sender.peer() };
        let found = |party: Party| of(party).map(|capability| (party, capability));
        found(worker).or_else(|| found(worker.peer()))
    }
}

/// What both sides have declared that they can do.
///
/// ```
/// # use mcp_wire_core::{Declared, Method, MethodKind, Phase, Party, json_object};
/// # const LIST_TOOLS: Method = Method {
/// #     name: "tools/list", kind: MethodKind::Request, senders: &[Party::Client], params: None, params_required: false,
/// #     results: &["ListToolsResult"], client_capability: None, server_capability: Some("tools"),
/// #     phase: Phase::Operation, deprecated: false,
/// # };
/// let declared = Declared::new(&json_object! {}, &json_object! { "tools": {} });
/// assert!(declared.permits(&LIST_TOOLS, Party::Client).is_ok());
///
/// let declared = Declared::new(&json_object! {}, &json_object! { "prompts": {} });
/// let missing = declared.permits(&LIST_TOOLS, Party::Client).unwrap_err();
/// assert_eq!(missing.to_string(), "`tools/list` needs the capability `tools`, which the server has not declared");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declared {
    client: Json,
    server: Json,
}

impl Declared {
    /// From the `ClientCapabilities` and the `ServerCapabilities` of any revision.
    pub fn new(client: &impl Wire, server: &impl Wire) -> Self {
        Self { client: Json::from_valid(to_string(client)), server: Json::from_valid(to_string(server)) }
    }

    /// Whether a side has declared a capability: each member on the path is there, and not `false`.
    #[inline]
    pub fn has(&self, party: Party, capability: &str) -> bool {
        let declared = match party {
            Party::Client => &self.client,
            Party::Server => &self.server,
        };
        let is_there = |value: &JsonRef<'_>| !value.is_null() && value.as_bool() != Some(false);
        let mut names = capability.split('.');
        names.try_fold(declared.as_ref(), |place, name| place.get(name).filter(is_there)).is_some()
    }

    /// Whether `sender` may send the method, given what was declared.
    #[inline]
    pub fn permits(&self, method: &Method, sender: Party) -> Result<(), Undeclared> {
        match method.gate(sender) {
            Some((party, capability)) if !self.has(party, capability) => {
                Err(Undeclared { method: method.name, party, capability })
            }
            _ => Ok(()),
        }
    }
}

/// A capability that a method needs has not been declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undeclared {
    /// The method.
    pub method: &'static str,
    /// The side that should have declared it.
    pub party: Party,
    /// The capability, as a path with dots.
    pub capability: &'static str,
}

impl fmt::Display for Undeclared {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, party, capability } = self;
        write!(f, "`{method}` needs the capability `{capability}`, which the {party} has not declared")
    }
}

impl std::error::Error for Undeclared {}

/// A request of some revision, as a type: what it is called, what it takes, what it gives.
///
/// It is implemented by the message types of the generated crates (`CallToolRequest`), so that code can be written once
/// for several revisions.
pub trait Request {
    /// The method.
    const METHOD: &'static str;
    /// Who may send it.
    const SENDERS: &'static [Party];
    /// Its params; an `Option` where they may be absent.
    type Params: Params;
    /// What answers it.
    type Result: Wire;
}

/// A notification of some revision, as a type.
pub trait Notification {
    /// The method.
    const METHOD: &'static str;
    /// Who may send it.
    const SENDERS: &'static [Party];
    /// Its params; an `Option` where they may be absent.
    type Params: Params;
}
