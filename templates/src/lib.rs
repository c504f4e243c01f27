// {{ c.header }}

//! {{ c.description }}
//!
//! Every document that decodes is written back as it came: unknown members, unknown enum values and content types,
//! explicit nulls and every digit of numbers survive; [what is kept](mcp_wire_core#what-lossless-means) is said there in
//! detail. `check()` lists what the official schema does not allow.
//!
{%- if c.has_tool_result %}
//! ```
//! use {{ c.library }}::{CallToolResult, ContentBlock};
//!
//! // The second block is of a kind that no revision knows, and the result has a member of a vendor's own.
//! let text = r#"{"content":[{"type":"text","text":"22 °C"},{"type":"hologram","data":"…"}],"vendor/cost":3}"#;
//! let result: CallToolResult = {{ c.library }}::from_str(text)?;
//!
//! assert!(matches!(&result.content[0], ContentBlock::Text(block) if block.text == "22 °C"));
//! assert!(matches!(&result.content[1], ContentBlock::Unknown(_)));
//! assert!(result.check().iter().any(|violation| violation.pointer == "/content/1"));
//! assert_eq!({{ c.library }}::to_string(&result), text);
//! # Ok::<(), {{ c.library }}::DecodeError>(())
//! ```
{%- else if let Some(name) = c.first_struct %}
//! ```
//! use {{ c.library }}::{{ name }};
//!
//! // A document that does not fit is refused with the place that is to blame.
//! match {{ c.library }}::from_str::<{{ name }}>("{}") {
//!     Ok(value) => println!("{} violations", value.check().len()),
//!     Err(error) => println!("{error}"),
//! }
//! ```
{%- endif %}
//!
//! # Reading
//!
//! `serde_json::from_str` works as usual. [`from_str`], [`from_slice`] and [`from_value`] do the same with an error that
//! carries the JSON pointer of what is to blame, [`DecodeError`].
//!
//! # Writing
//!
//! `new` takes what the schema requires, `with_…` sets the rest. Constants such as `jsonrpc` and `type` are no fields,
//! yet they are written and checked. [`to_string`] gives the text that `serde_json::to_string` gives, is
//! quicker, and keeps the escapes that free-form JSON came with.
//!
{%- if let Some(d) = c.dispatch %}
//! # Messages
//!
//! [`ClientMessage`] is what a server reads, [`ServerMessage`] what a client reads: a request, a notification or a response,
//! each with the type that its method asks for. [`METHODS`] lists all methods.
//!
//! To answer messages, implement [`ServerHandler`] or [`ClientHandler`], whose methods all have a default, and give what
//! arrives to a [`Connection`]:
//!
{%- if let Some(answer) = d.tool_answer %}
//! ```
//! use {{ c.library }}::{CallToolRequestParams, CallToolResult, {% if answer != "CallToolResult" %}{{ answer }}, {% endif %}TextContent};
//! use {{ c.library }}::{Connection, Context, Handled, ServerHandler, ServerSide};
//!
//! struct Echo;
//!
//! impl ServerHandler for Echo {
//!     async fn call_tool(&self, params: CallToolRequestParams, _: &Context) -> Handled<{{ answer }}> {
//!         Ok(CallToolResult::new(vec![TextContent::new(params.name).into()]){% if answer != "CallToolResult" %}.into(){% endif %})
//!     }
//! }
//!
//! async fn answer(connection: &Connection<ServerSide>, line: &[u8]) -> Option<String> {
//!     connection.dispatch(&Echo, line).await
//! }
//! ```
//!
{%- endif %}
//! [`Context::ask`] asks the other side from inside a handler, and [`Peer::ask`] from anywhere. Both give a future of the
//! result, typed by the request.
//!
{%- endif %}
//! # Origin
//!
//! Generated from {{ c.origin }}.

#![forbid(unsafe_code)]
// What the schema does not describe has no documentation.
#![allow(missing_docs)]
// Links are spelled out so that they work from every file.
#![allow(rustdoc::redundant_explicit_links)]

{%- for t in c.topics %}
pub mod {{ t.name }};
{%- endfor %}
{%- if c.dispatch.is_some() %}
mod dispatch;
mod methods;
{%- endif %}
#[cfg(feature = "schemars")]
mod json_schema;
#[cfg(feature = "registry")]
pub mod registry;

{%- for t in c.topics %}
pub use {{ t.name }}::*;
{%- endfor %}
#[cfg(feature = "schemars")]
pub use json_schema::json_schema;
{%- if let Some(d) = c.dispatch %}
pub use dispatch::{ {% for b in d.bodies %}{{ b.name }}, {% endfor %}{% for s in d.sides %}{{ s.handler }}, {{ s.local_handler }}, {{ s.dyn_handler }}, {{ s.message }}, {{ s.side }}, {% endfor %}{% if let Some(i) = d.input %}{{ i.handler }}, {% endif %} };
pub use methods::{METHODS, method};
pub use mcp_wire_core::{Ask, AskError, Connection, Context, Declared, ErrorCode, ErrorObject, Handled, Peer, Pending, Rejection};
{%- endif %}
{%- if !c.provided.is_empty() %}
pub use mcp_wire_core::{ {{ c.provided.join(", ") }} };
{%- endif %}
pub use mcp_wire_core::{ DecodeError, Dict, Extra, Integer, Json, JsonObject, JsonRef, List, Number, Peek, Rule, SyntaxError, Violation, check, from_slice, from_str, from_value, json_object, json_value, to_string };

/// The revision of the protocol that this crate speaks.
pub const REVISION: &str = {{ c.revision }};
{%- if !c.error_codes.is_empty() %}
/// Codes of JSON-RPC errors.
pub mod error_codes {
{%- for e in c.error_codes %}
    /// {{ e.doc }}
    pub const {{ e.name }}: mcp_wire_core::ErrorCode = mcp_wire_core::ErrorCode({{ e.code }});
{%- endfor %}
}
{%- endif %}
