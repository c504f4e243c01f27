//! The small handwritten part that every generated MCP revision shares.
//!
//! Most people meet this crate through a generated one (`mcp-wire-2025-11-25`, …), which re-exports what they need.
//! It holds:
//!
//! - [`Json`] and [`JsonObject`]: JSON of any shape, kept as text until somebody looks into it;
//! - the values that look alike in every revision: [`RequestId`], [`ProgressToken`], [`Integer`], [`Number`];
//! - [`List`] and [`Dict`], lists and maps that keep malformed items, and let go of them when somebody changes the rest;
//! - [`Extra`], the place where a generated struct keeps what its revision does not define, so that nothing is lost;
//! - [`Violation`] and friends, what `check()` reports;
//! - [`from_str`], [`from_slice`] and [`from_value`], which decode with an error that has an address ([`DecodeError`]),
//!   and [`to_string`];
//! - the protocol above the types: [`Message`], [`Peek`], [`Connection`], [`Pending`], [`Method`], [`framing`], [`http`].
//!
//! # How decoding works
//!
//! Generated types read one JSON value in one pass and never give up in the middle of it. A value of the wrong shape is
//! passed over, and its text is kept at the nearest place that can hold it: a list or a map keeps it apart from its
//! well-formed items, an object keeps an optional member in its [`Extra`], a union has its `Unknown` variant. Only one that
//! finds no such place makes the whole document fail, with the JSON pointer of the member that caused it.
//!
//! The types implement serde's traits as well. serde_json hands over text, and so loses nothing; with any other format,
//! numbers are what that format makes of them.
//!
//! # What lossless means
//!
//! Text that decodes is written back as it came. In detail:
//!
//! - **Members**: each one comes back with its value, whether the schema knows it or not and whether its value has the
//!   defined type or not. An explicit `null`, `{}` and `[]` stay, what is absent stays absent, nothing is added. The items
//!   of arrays come back in their order.
//! - **Order of members**: kept in free-form objects and in maps. A typed object is written in the order of its schema;
//!   members that the schema does not name follow, in the order they came. That goes for typed objects only: what does not
//!   fit its type comes back as it was.
//! - **Numbers** come back digit for digit, in typed fields as well: `50` and `50.0`, `1e2` and `-0`,
//!   `38.448624110701644`, and integers of a hundred digits.
//! - **Strings** come back character by character. In free-form JSON their escapes stay; in typed fields they may become
//!   others.
//! - **Repeated members**: all of them come back. Of those with one name in one object the last one counts. In free-form
//!   JSON and among unknown members they keep their places. Earlier ones of a member that a type knows are in its
//!   [`Extra`], and are written before the others.
//! - **White space** between values is not kept: text is written on one line.
//!
//! What cannot be kept is refused as text: half a surrogate pair (`"\ud800"`), which is no character, and whatever nests
//! deeper than [`MAX_DEPTH`].
//!
//! What somebody changes is written as they changed it: [`JsonObject`], [`List`] and [`Dict`] say how.
//!
//! `cargo xtask verify` judges texts by these rules, with a tokenizer of its own.
//!
//! ```
//! # use mcp_wire_core::{JsonObject, from_str, to_string};
//! let text = r#"{"z":{"b":null,"a":[50,50.0,5e1,{}]},"a":38.448624110701644,"a":"é"}"#;
//! assert_eq!(to_string(&from_str::<JsonObject>(text)?), text);
//! # Ok::<(), mcp_wire_core::DecodeError>(())
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod ask;
mod body;
mod check;
mod connection;
mod decode;
mod dict;
mod envelope;
mod error;
mod extra;
mod flight;
mod format;
pub mod framing;
mod handler;
pub mod http;
mod id;
mod json;
mod judge;
mod limits;
mod list;
mod lock;
mod map;
mod message;
mod method;
mod misfit;
mod number;
mod peek;
mod peer;
mod pending;
mod pointer;
mod record;
mod registry;
mod results;
mod rpc;
#[cfg(feature = "schemars")]
mod schemas;
mod union;
mod values;
mod write;

pub use ask::{Ask, AskError, DEFAULT_ASK_LIMIT};
pub use body::Params;
use check::Checker;
pub use check::{Rule, Violation};
pub use connection::{Connection, Handles, MessageTo, Side};
use decode::Wire;
pub use dict::Dict;
pub use error::{DecodeError, from_slice, from_str, from_value};
pub use extra::Extra;
pub use id::{ProgressToken, RequestId};
pub use json::{Items, Iter, Json, JsonObject, JsonRef, Members, SyntaxError, WriteError};
pub use list::List;
pub use map::{Entries, EntriesMut, Map};
pub use message::{Batch, DEFAULT_BATCH_LIMIT, Message, NoBatch, Refused, Rejection};
pub use method::{Declared, Method, MethodKind, Notification, Party, Phase, Request, Undeclared};
pub use number::{Integer, Number};
pub use peek::{Opening, Peek};
pub use peer::{Context, Peer, ProgressError, notification, request};
pub use pending::{Asked, DuplicateId, InFlight, Lookup, Pending};
pub use pointer::Pointer;
pub use rpc::{Call, ErrorCode, ErrorObject, Handled, Notice, Outcome, Response};
pub use write::to_string;

/// How many levels a value may nest: arrays and objects in each other, the outermost one included. Text that nests deeper is
/// refused.
///
/// A document that is read as one type is such a value. So is each member of a message (`params`, `result`, `error`, …): the
/// object around the members and the array around the messages of a batch do not count. Values in memory are not counted.
pub const MAX_DEPTH: usize = 127;

/// Checks a value against the official schema of its revision: an empty list means that it conforms. A list has
/// [`Violation::LIMIT`] violations at most, and says at its end if there are more.
///
/// Generated types have a method of the same name; this function also serves lists, maps and plain values.
pub fn check<T: Wire>(value: &T) -> Vec<Violation> {
    Checker::run(value)
}

/// What generated code is made of. It changes with the generator and is no part of the interface.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "schemars")]
    pub use crate::__json_schemas as json_schemas;
    pub use crate::body::{Body, Params, ParamsObject, read_no_params, read_params};
    pub use crate::check::{Checker, Known, conforms};
    pub use crate::connection::{Handles, embedded, unsupported};
    pub use crate::decode::{AnyWire, Member, Wire};
    pub use crate::format::{is_base64, is_uri, is_uri_template};
    pub use crate::handler::{BoxFuture, Held};
    pub use crate::json::transcode::deserialize;
    pub use crate::json::{Json, JsonObject, JsonRef, Literal, Reader, Stop};
    pub use crate::limits::Limits;
    pub use crate::message::{Asking, Batching};
    pub use crate::misfit::{Reason, Segment};
    pub use crate::peer::Answer;
    pub use crate::record::{
        Field, Layout, Members, Need, Record, explain_optional, explain_required, inspect_kept, member_of, read_record,
    };
    pub use crate::registry::{Entry, Probe};
    pub use crate::results::{Results, read_other_result, read_result, task_id};
    #[cfg(feature = "schemars")]
    pub use crate::schemas::JsonSchemaOf;
    pub use crate::union::{
        Kind, Recognises, Rules, Signature, UNKNOWN, Union, as_variant, has, is_any, position, read_enum, read_union,
        skip, write_str,
    };
    pub use crate::write::{Constant, ConstantValue, Name, ObjectWriter, serialize};
    pub use crate::{
        __body as body, __handler as handler, __ordered as ordered, __record as record, __results as results,
        __string_enum as string_enum, __union as union,
    };
    #[cfg(feature = "schemars")]
    pub use schemars;
    pub use serde::de::{Deserialize, Deserializer};
    pub use serde::ser::{Serialize, Serializer};

    /// The standard `Result`, whose name the protocol uses for something else.
    pub type StdResult<T, E> = std::result::Result<T, E>;
}
