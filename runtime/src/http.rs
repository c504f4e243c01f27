//! Names of the HTTP headers that the protocol's transports use. Header names are case-insensitive.

/// The session that a server has opened; from 2025-03-26 to 2025-11-25.
pub const SESSION_ID: &str = "Mcp-Session-Id";

/// The revision that the two sides have agreed on; from 2025-06-18 on.
pub const PROTOCOL_VERSION: &str = "MCP-Protocol-Version";

/// The last event that a client has seen of a stream that broke off; from 2025-03-26 to 2025-11-25.
pub const LAST_EVENT_ID: &str = "Last-Event-ID";

/// The method of the message in the body, so that a gateway need not read it; from 2026-07-28 on.
pub const METHOD: &str = "Mcp-Method";

/// The name of the tool or prompt, or the URI of the resource, that the message in the body asks for; from 2026-07-28 on.
pub const NAME: &str = "Mcp-Name";

/// What the names of headers start with that repeat an argument of a tool; from 2026-07-28 on.
pub const PARAM_PREFIX: &str = "Mcp-Param-";
