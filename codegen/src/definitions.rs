//! Definitions: the names that the generator has to know, and the part that each of them plays. No schema says this.

use crate::model::{MethodKind, Role};

/// The part that a definition plays in every revision that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The union of all messages.
    Message,
    /// Several messages in one array.
    Batch,
    /// An answer that is an error.
    ErrorResponse,
    /// The base of messages with the members that JSON-RPC adds.
    Envelope(MethodKind),
    /// The base of messages, without the members that JSON-RPC adds.
    Base(MethodKind),
    /// The base of results.
    BaseResult,
    /// A result without content.
    EmptyResult,
    /// What a side can do.
    Capabilities(Role),
    /// The list of the messages of a kind that a side sends.
    Sent(MethodKind, Role),
    /// The list of the results that answer these messages.
    Answers(MethodKind, Role),
}

/// The order of the lists counts: the first list that has a message decides what kind of message it is.
const PARTS: &[(&str, Part)] = &[
    ("JSONRPCMessage", Part::Message),
    ("JSONRPCBatchRequest", Part::Batch),
    ("JSONRPCBatchResponse", Part::Batch),
    ("JSONRPCErrorResponse", Part::ErrorResponse),
    ("JSONRPCError", Part::ErrorResponse),
    ("JSONRPCRequest", Part::Envelope(MethodKind::Request)),
    ("JSONRPCNotification", Part::Envelope(MethodKind::Notification)),
    ("Request", Part::Base(MethodKind::Request)),
    ("Notification", Part::Base(MethodKind::Notification)),
    ("Result", Part::BaseResult),
    ("EmptyResult", Part::EmptyResult),
    ("ClientCapabilities", Part::Capabilities(Role::Client)),
    ("ServerCapabilities", Part::Capabilities(Role::Server)),
    ("ClientRequest", Part::Sent(MethodKind::Request, Role::Client)),
    ("ServerRequest", Part::Sent(MethodKind::Request, Role::Server)),
    ("ClientNotification", Part::Sent(MethodKind::Notification, Role::Client)),
    ("ServerNotification", Part::Sent(MethodKind::Notification, Role::Server)),
    ("InputRequest", Part::Sent(MethodKind::Embedded, Role::Server)),
    ("ServerResult", Part::Answers(MethodKind::Request, Role::Client)),
    ("ClientResult", Part::Answers(MethodKind::Request, Role::Server)),
    ("InputResponse", Part::Answers(MethodKind::Embedded, Role::Server)),
];

impl Part {
    /// The part of a definition, if it plays one.
    pub fn of(definition: &str) -> Option<Self> {
        PARTS.iter().find(|(name, _)| *name == definition).map(|(_, part)| *part)
    }

    /// The definition that plays the part, the first of several. Empty if there is none in any revision.
    pub fn name(self) -> &'static str {
        PARTS.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }

    /// The list of the results that a side sends.
    pub fn answers_of(side: Role) -> Self {
        match side {
            Role::Client => Self::Answers(MethodKind::Request, Role::Server),
            Role::Server => Self::Answers(MethodKind::Request, Role::Client),
        }
    }

    /// The lists of messages: name, kind of message, sender.
    pub fn lists() -> impl Iterator<Item = (&'static str, MethodKind, Role)> {
        PARTS.iter().filter_map(|(name, part)| match part {
            Self::Sent(kind, role) => Some((*name, *kind, *role)),
            _ => None,
        })
    }

    /// The lists of requests, each with the list of the results that answer them.
    pub fn answered() -> impl Iterator<Item = (&'static str, &'static str)> {
        let requests = Self::lists().filter(|(_, kind, _)| *kind != MethodKind::Notification);
        requests.map(|(name, kind, role)| (name, Self::Answers(kind, role).name()))
    }
}

/// Whether a definition lists what a side sends or answers.
pub fn is_list_of_messages(definition: &str) -> bool {
    matches!(Part::of(definition), Some(Part::Sent(..) | Part::Answers(..)))
}
