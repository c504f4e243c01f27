// {{ f.header }}

//! The Model Context Protocol as Rust types, in all its revisions.
//!
//! Each revision is a module behind a feature of its own: {% for r in f.revisions %}`{{ r.module }}`{% if !loop.last %}, {% endif %}{% endfor %}. This
//! crate adds what spans them:
//!
//! - [`Revision`]: parse it, print it, compare it;
//! - [`negotiate`], [`agree`] and [`negotiate_request`]: which one to speak;
//! - [`METHODS`]: which method exists in which revision;
//! - [`AnyClientMessage`] and [`AnyServerMessage`]: messages whose revision is known only at run time.
//!
//! What is read is written back without loss, [in this sense](mcp_wire_core#what-lossless-means).
//!
//! ```
//! use mcp_wire::{AnyClientMessage, Revision};
//!
//! let revision = Revision::LATEST;
//! let text = r#"{"jsonrpc":"2.0","id":1,"method":"vendor/hello"}"#;
//! let message = AnyClientMessage::from_slice(&revision, text.as_bytes(), &())?;
//! assert_eq!(message.method(), Some("vendor/hello"));
//! # Ok::<(), mcp_wire::AnyError>(())
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod any;
mod methods;
mod negotiation;
mod revision;

pub use any::{AnyClientMessage, AnyError, AnyServerMessage};
pub use mcp_wire_core::framing;
pub use mcp_wire_core::http;
pub use mcp_wire_core::{
    Ask, AskError, Asked, Batch, Call, Connection, Context, DEFAULT_ASK_LIMIT, DEFAULT_BATCH_LIMIT, Declared, DecodeError, Dict, DuplicateId, ErrorCode, ErrorObject, Extra, Handled, Handles,
    InFlight, Integer, Json, JsonObject, JsonRef, List, Lookup, Message, MessageTo, Method, MethodKind, NoBatch, Notice, Notification, Number, Opening,
    Outcome, Params, Party, Peek, Peer, Pending, Phase, Pointer, ProgressError, ProgressToken, Refused, Rejection, Request, RequestId,
    Response, Rule, Side, SyntaxError, Undeclared, Violation, check, from_slice, from_str, from_value, json_object, json_value, notification, request, to_string,
};
pub use methods::{METHODS, MethodHistory, method_history};
pub use negotiation::{UnsupportedProtocolVersion, agree, negotiate, negotiate_request, proposal};
pub use revision::Revision;
{%- for r in f.revisions %}
#[cfg(feature = "{{ r.module }}")]
pub use {{ r.library }} as {{ r.module }};
{%- endfor %}
