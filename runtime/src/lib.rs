//! The small handwritten part that every generated MCP revision shares.
//!
//! Most people meet this crate through a generated one (`mcp-wire-2025-11-25`, …), which re-exports what they need.
//! It holds:
//!
//! - the values that look alike in every revision: [`RequestId`], [`ProgressToken`], [`Integer`], [`Number`];
//! - [`List`] and [`Dict`], lists and maps that keep malformed items, and let go of them when somebody changes the rest;
//! - [`Extra`], the place where a generated struct keeps what its revision does not define, so that nothing is lost;
//! - [`Violation`] and friends, what `check()` reports;
//! - [`from_str`], [`from_slice`] and [`from_value`], which decode with an error that has an address ([`DecodeError`]);
//! - the protocol above the types: [`Message`], [`Connection`], [`Pending`], [`Method`], [`framing`], [`http`];
//! - [`wire`], the machinery under the generated `Serialize` and `Deserialize` implementations.
//!
//! # How decoding works
//!
//! Generated types read one JSON value in one pass and never give up in the middle of it. A value of the wrong shape
//! becomes a *misfit*, which travels outwards to the nearest place that can hold it: a list or a map keeps it apart from
//! its well-formed items, an object keeps an optional member in its [`Extra`], a union has its `Unknown` variant. Only a misfit that finds no such place
//! makes the whole document fail, with the JSON pointer of the member that caused it.
//!
//! # What lossless means
//!
//! Text that decodes is written back as it came. In detail:
//!
//! - **Members**: each one comes back with its value, whether the schema knows it or not and whether its value has the
//!   defined type or not. An explicit `null`, `{}` and `[]` stay, what is absent stays absent, nothing is added. The items
//!   of arrays come back in their order.
//! - **Order of members**: kept in free-form objects and in maps. A typed object is written in the order of its schema;
//!   members that the schema does not name follow, in the order they came. That goes for objects in the place of a typed
//!   one, too, whose members do not fit.
//! - **Numbers** come back with their value and their form: 50 stays 50, 50.0 stays 50.0. Other spellings, `1e2` or `1.50`,
//!   become the shortest one of the same form. What is kept of a number has 64 bits, however, which is not enough for all:
//!   - an integer beyond 64 bits becomes the floating-point number beside it, and `-0` becomes `-0.0`;
//!   - a decimal comes back exactly if it has up to 15 digits, and the point or the exponent moves them by up to 22 places;
//!     with more it may become another one in the last digit (`38.448624110701644`, `38.44862411070165`).
//! - **Strings** come back character by character, though perhaps with other escapes.
//! - **Repeated members**: of those with one name in one object the last one counts, and the others are gone. Where they
//!   stood among the others is not kept either.
//! - **White space** between values is not kept: text is written on one line.
//!
//! What cannot be kept at all is refused as text: numbers beyond the range of 64-bit floating point, half a surrogate pair
//! (`"\ud800"`), and whatever nests deeper than [`MAX_DEPTH`].
//!
//! `cargo xtask verify` judges texts by these rules. It calls a changed number, a changed form and a dropped duplicate what
//! they are: a loss.
//!
//! ```
//! # use mcp_wire_core::{JsonObject, from_str, to_string};
//! let text = r#"{"z":{"b":null,"a":[50,50.0,{}]},"a":"é"}"#;
//! assert_eq!(to_string(&from_str::<JsonObject>(text)?), text);
//! # Ok::<(), mcp_wire_core::DecodeError>(())
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod apart;
mod check;
mod connection;
mod decode;
mod dict;
mod encode;
mod error;
mod extra;
mod flight;
mod format;
pub mod framing;
pub mod http;
mod id;
mod judge;
mod list;
mod lock;
mod message;
mod method;
mod number;
mod opening;
mod peer;
mod pending;
mod plain;
mod pointer;
mod registry;
mod rpc;
mod text;
mod union;
mod values;

pub use check::{Rule, Violation};
pub use connection::{Connection, Handles, MessageTo, Side};
pub use dict::Dict;
pub use error::{DecodeError, from_slice, from_str, from_value};
pub use extra::Extra;
pub use id::{ProgressToken, RequestId};
pub use list::List;
pub use message::{Batch, DEFAULT_BATCH_LIMIT, Message, NoBatch, Refused, Rejection};
pub use method::{Declared, Method, MethodKind, Notification, Params, Party, Phase, Request, Undeclared};
pub use number::{Integer, Number};
pub use opening::Opening;
pub use peer::{Context, Peer, ProgressError, notification, request};
pub use pending::{Asked, DuplicateId, InFlight, Lookup, Pending};
pub use pointer::Pointer;
pub use rpc::{Call, ErrorCode, ErrorObject, Handled, Notice, Outcome, Response};
pub use serde_json;
pub use serde_json::Value;
pub use text::to_string;

/// How many levels a value may nest: arrays and objects in each other, the outermost one included. Text that nests deeper is
/// refused.
///
/// A document that is read as one type is such a value. So is each member of a message (`params`, `result`, `error`, …): the
/// object around the members and the array around the messages of a batch do not count. Values in memory are not counted.
pub const MAX_DEPTH: usize = 127;

/// A JSON object with any members, in the order they came.
pub type JsonObject = serde_json::Map<String, Value>;

/// Makes a [`JsonObject`] from the members of an object literal, in the syntax of [`serde_json::json!`].
///
/// ```
/// let arguments = mcp_wire_core::json_object! { "city": "Paris", "days": 3 };
/// assert_eq!(arguments["days"], 3);
/// ```
#[macro_export]
macro_rules! json_object {
    ($($members:tt)*) => {
        match $crate::serde_json::json!({ $($members)* }) {
            $crate::serde_json::Value::Object(object) => object,
            _ => $crate::JsonObject::new(),
        }
    };
}

/// Checks a value against the official schema of its revision: an empty list means that it conforms. A list has
/// [`Violation::LIMIT`] violations at most, and says at its end if there are more.
///
/// Generated types have a method of the same name; this function also serves lists, maps and plain values.
pub fn check<T: wire::Wire>(value: &T) -> Vec<Violation> {
    wire::Checker::run(value)
}

/// The machinery under generated code. Its items change with the generator; depend on the generated types instead.
pub mod wire {
    pub use crate::JsonObject;
    pub use crate::check::{Checker, Known, conforms};
    pub use crate::connection::{Handles, embedded, unsupported};
    pub use crate::decode::{
        Decoded, Fit, Members, Misfit, Reason, Record, Segment, Source, Text, Unfit, Wire, convert_record,
        convert_text, decode_record, decode_text, deserialize, outline_record, resume_record,
    };
    pub use crate::encode::Writer;
    pub use crate::format::{is_base64, is_uri, is_uri_template};
    pub use crate::message::Batching;
    pub use crate::method::{
        Body, Params, ParamsObject, Results, loose_progress_token, read_params, read_result, undeclared_progress_token,
    };
    pub use crate::peer::Answer;
    pub use crate::registry::{Entry, Probe};
    pub use crate::union::{
        Hint, Kind, UNKNOWN, Union, convert_union, decide, decode_union, fit, fit_object, has, has_any, has_inside,
        outline_union, tag_is, tag_is_other,
    };
    pub use serde::de::{Deserialize, Deserializer, MapAccess};
    pub use serde::ser::{Serialize, SerializeMap, Serializer};
    pub use serde_json::Value;

    /// The standard `Result`, whose name the protocol uses for something else.
    pub type Outcome<T, E> = std::result::Result<T, E>;
}
