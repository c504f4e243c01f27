//! Methods: who may call what, with which params, to which end.

use std::fmt;

use serde::de::Deserializer;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::check::Checker;
use crate::decode::{Decoded, Wire};
use crate::encode::Writer;
use crate::id::{ProgressToken, RequestId};
use crate::{Extra, JsonObject};

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
    client: Value,
    server: Value,
}

impl Declared {
    /// From the `ClientCapabilities` and the `ServerCapabilities` of any revision.
    pub fn new(client: &impl Wire, server: &impl Wire) -> Self {
        Self { client: crate::decode::to_value(client), server: crate::decode::to_value(server) }
    }

    /// Whether a side has declared a capability: each member on the path is there, and not `false`.
    #[inline]
    pub fn has(&self, party: Party, capability: &str) -> bool {
        let mut place = match party {
            Party::Client => &self.client,
            Party::Server => &self.server,
        };
        for name in capability.split('.') {
            match place.get(name) {
                None | Some(Value::Null | Value::Bool(false)) => return false,
                Some(inner) => place = inner,
            }
        }
        true
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

/// The params of a method: a type of the revision, or an `Option` of one where they may be absent.
pub trait Params: Sized {
    /// Whether a message without them is invalid.
    const REQUIRED: bool;

    /// What stands for absent params, where they may be.
    fn absent() -> Option<Self>;

    /// Reads them.
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error>;

    /// Writes the member `params`, if there is one.
    fn write<M: SerializeMap>(&self, members: &mut Writer<'_, M>) -> Result<(), M::Error>;

    /// Reports departures from the schema, at the member `params`.
    fn inspect(&self, checker: &mut Checker);
}

/// A type that params can have. Generated code says so of each that a method takes.
pub trait ParamsObject: Wire {}

impl ParamsObject for JsonObject {}

impl ParamsObject for Value {}

impl<T: ParamsObject> Params for T {
    const REQUIRED: bool = true;

    #[inline]
    fn absent() -> Option<Self> {
        None
    }

    #[inline]
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        T::decode(deserializer)
    }

    #[inline]
    fn write<M: SerializeMap>(&self, members: &mut Writer<'_, M>) -> Result<(), M::Error> {
        members.required(PARAMS, self)
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        checker.field(PARAMS, self);
    }
}

impl<T: ParamsObject> Params for Option<T> {
    const REQUIRED: bool = false;

    #[inline]
    fn absent() -> Option<Self> {
        Some(None)
    }

    #[inline]
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        T::decode(deserializer).map(|fit| fit.map(Some))
    }

    #[inline]
    fn write<M: SerializeMap>(&self, members: &mut Writer<'_, M>) -> Result<(), M::Error> {
        members.optional(PARAMS, self)
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        if let Some(params) = self {
            checker.field(PARAMS, params);
        }
    }
}

pub(crate) const PARAMS: &str = "params";

/// Methods with their params: the enum of what one side may ask, or of what it may notify about.
pub trait Body: Sized {
    /// The methods, in the order of their numbers.
    const METHODS: &'static [&'static str];

    /// The number of a method.
    fn find(method: &str) -> Option<usize>;

    /// Reads the params of a method.
    fn read<'de, D: Deserializer<'de>>(method: usize, params: D) -> Decoded<Self, D::Error>;

    /// A message without params, where the method allows that.
    #[inline]
    fn bare(_method: usize) -> Option<Self> {
        None
    }

    /// A method that the revision does not know for this side.
    fn other(method: String, params: Option<Value>) -> Self;

    /// The method.
    fn method(&self) -> &str;

    /// The variant's name.
    fn variant_name(&self) -> &'static str;

    /// Writes the params.
    fn write<M: SerializeMap>(&self, members: &mut Writer<'_, M>) -> Result<(), M::Error>;

    /// Reports departures from the schema.
    fn inspect(&self, checker: &mut Checker);

    /// The token under which the sender of a request wants to hear of its progress.
    #[inline]
    fn progress_token(&self) -> Option<ProgressToken> {
        None
    }

    /// The request that a notification cancels.
    #[inline]
    fn cancels(&self) -> Option<&RequestId> {
        None
    }

    /// The task whose result a request fetches.
    #[inline]
    fn fetches(&self) -> Option<&str> {
        None
    }
}

/// Reads params into a variant of a [`Body`].
#[inline]
pub fn read_params<'de, P: Params, B, D: Deserializer<'de>>(
    deserializer: D,
    variant: impl FnOnce(P) -> B,
) -> Decoded<B, D::Error> {
    P::decode(deserializer).map(|fit| fit.map(variant))
}

/// What answers the requests of one side: the enum of its results.
pub trait Results: Wire {
    /// Whether even an error about something unreadable must have an id.
    const ERROR_NEEDS_ID: bool = false;

    /// The number of a method that is answered with one of them.
    fn find(method: &str) -> Option<usize>;

    /// Reads the result of a method.
    fn read<'de, D: Deserializer<'de>>(method: usize, result: D) -> Result<Self, D::Error>;

    /// Keeps a result as it came.
    fn raw(value: Value) -> Self;

    /// Whether a result says that it is of a kind which the revision does not have, of an extension for instance.
    #[inline]
    fn is_foreign(&self) -> bool {
        false
    }

    /// The task that was created instead of a result.
    #[inline]
    fn task(&self) -> Option<&str> {
        None
    }
}

/// Reads a result as the variant that its method asks for. One that turns out to be of another kind, because it says so
/// or because it does not fit, is given to `otherwise`.
#[inline]
pub fn read_result<'de, W: Wire, T, D: Deserializer<'de>>(
    deserializer: D,
    variant: fn(W) -> T,
    is_meant: fn(&W) -> bool,
    otherwise: fn(Value) -> T,
) -> Result<T, D::Error> {
    Ok(match W::decode(deserializer)? {
        Ok(result) if is_meant(&result) => variant(result),
        Ok(result) => otherwise(crate::decode::to_value(&result)),
        Err(misfit) => otherwise(misfit.value),
    })
}

/// The results of a side that is never asked anything.
impl Results for Value {
    #[inline]
    fn find(_: &str) -> Option<usize> {
        None
    }

    fn read<'de, D: Deserializer<'de>>(_: usize, result: D) -> Result<Self, D::Error> {
        serde::de::Deserialize::deserialize(result)
    }

    #[inline]
    fn raw(value: Value) -> Self {
        value
    }
}

/// The progress token in the `_meta` of params whose type does not declare it.
#[inline]
pub fn undeclared_progress_token(extra: &Extra) -> Option<ProgressToken> {
    let token = extra.get("_meta")?.get("progressToken")?;
    ProgressToken::convert(token.clone()).ok()
}

/// The progress token in params of a method that nobody knows.
#[inline]
pub fn loose_progress_token(params: Option<&Value>) -> Option<ProgressToken> {
    let token = params?.get("_meta")?.get("progressToken")?;
    ProgressToken::convert(token.clone()).ok()
}

/// The params of a method as one value, where there are any.
pub(crate) fn params_value<B: Body>(body: &B) -> Option<Value> {
    struct Only<'a, B>(&'a B);
    impl<B: Body> serde::Serialize for Only<'_, B> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let extra = Extra::new();
            let mut members = Writer::new(serializer, &extra)?;
            self.0.write(&mut members)?;
            members.end()
        }
    }
    match crate::decode::to_value(&Only(body)) {
        Value::Object(mut members) => members.remove(PARAMS),
        _ => None,
    }
}
