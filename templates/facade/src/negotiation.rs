// {{ f.header }}

//! Which revision to speak.

use std::fmt;

use mcp_wire_core::{ErrorCode, ErrorObject, json_object};

use crate::Revision;

/// The revision a client proposes when it opens a connection by a handshake: the latest it supports that has one.
pub fn proposal(supported: &[Revision]) -> Option<&Revision> {
    supported.iter().filter(|revision| revision.has_handshake()).max()
}

/// The revision a server answers a handshake with: the requested one if the server supports it, else the latest it does
/// support. A server that supports no revision with a handshake has to refuse.
///
/// ```
/// use mcp_wire::{Revision, negotiate};
///
/// let supported = Revision::ALL;
/// assert_eq!(negotiate(&"{{ f.revisions[0].name }}".into(), supported), Ok(Revision::{{ f.revisions[0].variant }}));
/// // Something newer than the server knows is answered with the latest it does.
/// let latest = mcp_wire::proposal(supported);
/// assert_eq!(negotiate(&"2031-01-01".into(), supported).ok().as_ref(), latest);
/// ```
pub fn negotiate(requested: &Revision, supported: &[Revision]) -> Result<Revision, UnsupportedProtocolVersion> {
    if requested.has_handshake() && supported.contains(requested) {
        return Ok(requested.clone());
    }
    let latest = proposal(supported).cloned();
    latest.ok_or_else(|| UnsupportedProtocolVersion::new(requested, supported, ErrorCode::INVALID_PARAMS))
}

/// The client's decision about a server's answer: the revision to speak, or a reason to disconnect.
pub fn agree(answered: &Revision, supported: &[Revision]) -> Result<Revision, UnsupportedProtocolVersion> {
    match answered.has_handshake() && supported.contains(answered) {
        true => Ok(answered.clone()),
        false => {
            let supported = supported.iter().filter(|revision| revision.has_handshake());
            Err(UnsupportedProtocolVersion::new(answered, supported, ErrorCode::INVALID_PARAMS))
        }
    }
}

/// The revision of a request that names it, in a revision without a handshake. The error is what the request is to be
/// answered with; it lists the supported revisions that a request can name.
///
/// ```
/// use mcp_wire::{Revision, negotiate_request};
///
/// let refusal = negotiate_request(&"2031-01-01".into(), Revision::ALL).unwrap_err();
/// assert!(refusal.supported.iter().all(|revision| negotiate_request(revision, Revision::ALL).is_ok()));
/// ```
pub fn negotiate_request(requested: &Revision, supported: &[Revision]) -> Result<Revision, UnsupportedProtocolVersion> {
    match !requested.has_handshake() && supported.contains(requested) {
        true => Ok(requested.clone()),
        false => {
            let supported = supported.iter().filter(|revision| !revision.has_handshake());
            Err(UnsupportedProtocolVersion::new(requested, supported, ErrorCode({{ f.version_code }})))
        }
    }
}

/// No revision is supported by both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsupportedProtocolVersion {
    /// What the other side wants.
    pub requested: Revision,
    /// What this side supports, and the other could have chosen in this way. Where there is nothing of that kind, since a
    /// server has no revision with a handshake, all that it does support.
    pub supported: Vec<Revision>,
    /// The code of the error to answer with.
    pub code: ErrorCode,
}

impl UnsupportedProtocolVersion {
    fn new<'a>(requested: &Revision, supported: impl IntoIterator<Item = &'a Revision>, code: ErrorCode) -> Self {
        Self { requested: requested.clone(), supported: supported.into_iter().cloned().collect(), code }
    }
}

impl fmt::Display for UnsupportedProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let supported: Vec<&str> = self.supported.iter().map(Revision::as_str).collect();
        write!(f, "Unsupported protocol version {:?}; supported: {}", self.requested.as_str(), supported.join(", "))
    }
}

impl std::error::Error for UnsupportedProtocolVersion {}

impl From<UnsupportedProtocolVersion> for ErrorObject {
    fn from(error: UnsupportedProtocolVersion) -> Self {
        let supported: Vec<&str> = error.supported.iter().map(Revision::as_str).collect();
        let data = json_object! { "supported": supported, "requested": error.requested.as_str() };
        Self::new(error.code, "Unsupported protocol version").with_data(data)
    }
}
