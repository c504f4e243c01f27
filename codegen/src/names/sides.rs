//! The two sides of a connection: what they are called, and what they read and send.

use crate::model::{MethodKind, Role};

/// What generated code calls a side, and what belongs to it.
#[derive(Debug, Clone, Copy)]
pub struct SideNames {
    /// The side in words.
    pub party: &'static str,
    /// The other side in words.
    pub peer: &'static str,
    /// The side as a type.
    pub side: &'static str,
    /// Its handlers.
    pub handler: &'static str,
    /// Those of a single thread.
    pub local_handler: &'static str,
    /// Those whose type is not known.
    pub dyn_handler: &'static str,
    /// The messages that it reads.
    pub message: &'static str,
}

/// The names of a side.
pub fn side(role: Role) -> SideNames {
    match role {
        Role::Server => SideNames {
            party: "server",
            peer: "client",
            side: "ServerSide",
            handler: "ServerHandler",
            local_handler: "LocalServerHandler",
            dyn_handler: "DynServerHandler",
            message: "ClientMessage",
        },
        Role::Client => SideNames {
            party: "client",
            peer: "server",
            side: "ClientSide",
            handler: "ClientHandler",
            local_handler: "LocalClientHandler",
            dyn_handler: "DynClientHandler",
            message: "ServerMessage",
        },
    }
}

/// The enum of the methods of a kind that a side sends, each with its params.
pub fn body(kind: MethodKind, sender: Role) -> &'static str {
    match (kind, sender) {
        (MethodKind::Notification, Role::Client) => "ClientNotification",
        (MethodKind::Notification, Role::Server) => "ServerNotification",
        (_, Role::Client) => "ClientRequest",
        (_, Role::Server) => "ServerRequest",
    }
}

/// The handler of requests that stand inside results.
pub fn embedded_handler() -> &'static str {
    "InputHandler"
}

/// The variants of the enum of the methods that a list has. `Other` is one that every enum has.
pub fn variants(list: &str, messages: &[String]) -> Vec<String> {
    let mut variants = super::variant_names(list, messages);
    for variant in variants.iter_mut().filter(|variant| *variant == "Other") {
        variant.push_str("Method");
    }
    variants
}

/// What the example on the front page of a crate needs: a method, its params, its result, and types to make one.
pub const TOOL_CALL: (&str, &str, &str, &[&str]) =
    ("tools/call", "CallToolRequestParams", "CallToolResult", &["ContentBlock", "TextContent"]);
