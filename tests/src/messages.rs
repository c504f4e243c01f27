//! Messages as the tests see them: what the official schema says of a method, and what was made of a message.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use mcp_wire_codegen::load::Schema;
use mcp_wire_core::__private::{Batching, Body, Results};
use mcp_wire_core::{Message, MethodKind, Outcome, Party, Violation};
use serde_json::Value;

/// The methods of a revision, as its official schema has them. Nothing here comes from the generator, which could make
/// the same mistake in the tables it writes and in the code that is tested with them.
pub struct Methods {
    /// The definition of a message, by kind, sender and method.
    definitions: BTreeMap<(bool, Party, String), String>,
    results: BTreeSet<String>,
}

impl Methods {
    pub fn new(schema: &Schema) -> Self {
        let all = schema.document[schema.keyword].as_object().expect("definitions");
        let mut definitions = BTreeMap::new();
        for (party, sender) in [(Party::Client, "Client"), (Party::Server, "Server")] {
            for (is_request, kind) in [(true, "Request"), (false, "Notification")] {
                let union = format!("{sender}{kind}");
                // A revision whose servers ask nothing has no such union.
                let Some(body) = all.get(&union) else { continue };
                for variant in body["anyOf"].as_array().map_or(std::slice::from_ref(body), Vec::as_slice) {
                    let target = variant["$ref"].as_str().and_then(|path| path.rsplit('/').next());
                    let method = &target.map_or(variant, |name| &all[name])["properties"]["method"]["const"];
                    // A union of one variant is a copy of that variant instead of a reference to it.
                    let original = || {
                        let same = |(name, body): &(&String, &Value)| {
                            **name != union && body["properties"]["method"]["const"] == *method
                        };
                        all.iter().find(same).expect("what was copied").0.as_str()
                    };
                    let definition = target.unwrap_or_else(original).to_owned();
                    let method = method.as_str().expect("a method").to_owned();
                    definitions.insert((is_request, party, method), definition);
                }
            }
        }
        let results = all.keys().filter(|name| name.ends_with("Result")).cloned().collect();
        Self { definitions, results }
    }

    /// The definition of a message.
    pub fn definition(&self, kind: MethodKind, sender: Party, method: &str) -> Option<&str> {
        let key = (kind == MethodKind::Request, sender, method.to_owned());
        self.definitions.get(&key).map(String::as_str)
    }

    /// The definition of the result that answers a method: named after the request, or else the empty one.
    pub fn result(&self, sender: Party, method: &str) -> Option<&str> {
        let request = self.definition(MethodKind::Request, sender, method)?;
        let name = request.strip_suffix("Request").expect("a request").to_owned() + "Result";
        Some(self.results.get(&name).map_or("Result", String::as_str))
    }
}

/// The name that a definition has as a variant of the enum it belongs to.
pub fn variant(definition: &str) -> &str {
    let suffixes = ["Request", "Notification", "Result"].iter();
    let short = suffixes.filter_map(|suffix| definition.strip_suffix(suffix)).find(|short| !short.is_empty());
    short.unwrap_or(definition)
}

/// What a message was read as.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub kind: Kind,
    /// The variant of the enum that holds the params or the result.
    pub variant: Option<&'static str>,
    /// The message, written again.
    pub text: String,
    pub violations: Vec<Violation>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Request(String),
    Notification(String),
    Result,
    Raw,
    Error(Option<i64>),
    Batch,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(method) => write!(f, "Request:{method}"),
            Self::Notification(method) => write!(f, "Notification:{method}"),
            Self::Result => f.write_str("Result"),
            Self::Raw => f.write_str("Result:Raw"),
            Self::Error(Some(code)) => write!(f, "Error:{code}"),
            Self::Error(None) => f.write_str("Error"),
            Self::Batch => f.write_str("Batch"),
        }
    }
}

/// What a message was read as. Its two ways back to text have to agree.
pub fn reading<R: Body, N: Body, T: Results, B: Batching<R, N, T>>(message: &Message<R, N, T, B>) -> Reading {
    let (kind, variant) = match message {
        Message::Request(call) => (Kind::Request(call.request.method().to_owned()), Some(call.request.variant_name())),
        Message::Notification(notice) => {
            (Kind::Notification(notice.notification.method().to_owned()), Some(notice.notification.variant_name()))
        }
        Message::Response(response) => match &response.outcome {
            Outcome::Result(result) => (Kind::Result, result.variant_name()),
            Outcome::Raw(_) => (Kind::Raw, None),
            Outcome::Error(error) => (Kind::Error(error.code().map(i64::from)), None),
        },
        Message::Batch(_) => (Kind::Batch, None),
    };
    let text = message.to_text();
    assert!(!text.contains('\n'), "a message is one line: {text}");
    assert_eq!(text, serde_json::to_string(message).expect("a message that can be written"));
    Reading { kind, variant, text, violations: message.check() }
}
