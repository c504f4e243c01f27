//! Messages that are only looked at: by proxies, for routing, to choose a revision.

use std::borrow::Cow;

use crate::RequestId;
use crate::body::PARAMS;
use crate::decode::read_valid;
use crate::error::utf8;
use crate::json::{JsonRef, Problem, Reader, Stop, SyntaxError};
use crate::rpc::{ERROR, RESULT};

/// A message that is only looked at. Nothing of it is copied: its members are borrowed from the text, and of what is
/// inside them only that is read which somebody asks for. The text is made sure to be JSON all the same.
///
/// ```
/// # use mcp_wire_core::Peek;
/// let text = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"q":"mcp"}}}"#;
/// let message = Peek::of(text)?;
/// assert_eq!(message.method.as_deref(), Some("tools/call"));
/// assert_eq!(message.name.as_deref(), Some("search"));
/// assert_eq!(message.id.unwrap(), 7);
/// assert_eq!(message.params.unwrap().pointer("/arguments/q").unwrap(), "mcp");
/// # Ok::<(), mcp_wire_core::SyntaxError>(())
/// ```
///
/// Of repeated members the last one counts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Peek<'a> {
    /// The whole message as it came.
    pub text: &'a str,
    /// The id of a request or a response.
    pub id: Option<JsonRef<'a>>,
    /// The method of a request or a notification.
    pub method: Option<Cow<'a, str>>,
    /// What the method is called with.
    pub params: Option<JsonRef<'a>>,
    /// The result of a response.
    pub result: Option<JsonRef<'a>>,
    /// The error of a response.
    pub error: Option<JsonRef<'a>>,
    /// What is called or read: the name of a tool or a prompt, the URI of a resource.
    pub name: Option<Cow<'a, str>>,
}

impl<'a> Peek<'a> {
    /// Looks at a message.
    pub fn of(text: &'a str) -> Result<Self, SyntaxError> {
        // The object around the members does not count.
        let mut reader = Reader::with_room(text, crate::MAX_DEPTH + 1);
        let mut peek = Self { text, id: None, method: None, params: None, result: None, error: None, name: None };
        match peek.read(&mut reader) {
            Ok(()) => Ok(peek),
            Err(Stop) => Err(reader.error()),
        }
    }

    /// Looks at a message in UTF-8 bytes.
    pub fn from_slice(bytes: &'a [u8]) -> Result<Self, SyntaxError> {
        Self::of(utf8(bytes)?)
    }

    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Stop> {
        if reader.peek() != b'{' {
            return reader.stop(Problem::Object);
        }
        let mut has_more = reader.enter(b'}')?;
        let mut spare = String::new();
        while has_more {
            let name = reader.name(&mut spare)?;
            let start = reader.start();
            match name {
                "method" if reader.peek() == b'"' => {
                    self.method = Some(reader.string()?);
                }
                PARAMS => {
                    self.read_params(reader)?;
                    self.params = Some(JsonRef::from_valid(reader.since(start)));
                }
                _ => {
                    reader.skip()?;
                    let value = Some(JsonRef::from_valid(reader.since(start)));
                    match name {
                        "id" => self.id = value,
                        "method" => self.method = None,
                        RESULT => self.result = value,
                        ERROR => self.error = value,
                        _ => {}
                    }
                }
            }
            has_more = reader.more(b'}')?;
        }
        reader.end()
    }

    /// Passes the params, and remembers the member that nearly everybody asks for.
    fn read_params(&mut self, reader: &mut Reader<'a>) -> Result<(), Stop> {
        self.name = None;
        if reader.peek() != b'{' {
            return reader.skip();
        }
        let mut has_more = reader.enter(b'}')?;
        let mut spare = String::new();
        while has_more {
            let name = reader.name(&mut spare)?;
            if matches!(name, "name" | "uri") && reader.peek() == b'"' {
                self.name = Some(reader.string()?);
            } else {
                reader.skip()?;
            }
            has_more = reader.more(b'}')?;
        }
        Ok(())
    }
}

/// What a message says about versions. It takes a revision to read a message, and a message to choose the revision.
///
/// ```
/// # use mcp_wire_core::Opening;
/// let text = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#;
/// let opening = Opening::of(text);
/// assert!(opening.is_handshake);
/// assert_eq!(opening.version.as_deref(), Some("2025-06-18"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opening {
    /// The id of a request.
    pub id: Option<RequestId>,
    /// Whether the client proposes a version, and expects the server to answer with that or another. Otherwise the
    /// request names its version, as all requests do in revisions without a handshake.
    pub is_handshake: bool,
    /// The version, where the message says something about it.
    pub version: Option<String>,
}

impl Opening {
    /// Looks at a message. Whatever is not JSON says nothing.
    pub fn of(bytes: &[u8]) -> Self {
        let Ok(message) = Peek::from_slice(bytes) else { return Self::default() };
        let is_handshake = message.method.as_deref() == Some("initialize");
        let version = message.params.and_then(|params| match is_handshake {
            true => params.get("protocolVersion"),
            false => params.get("_meta")?.get("io.modelcontextprotocol/protocolVersion"),
        });
        Self {
            id: message.id.and_then(read_valid),
            is_handshake,
            version: version.and_then(JsonRef::as_str).map(Cow::into_owned),
        }
    }
}
