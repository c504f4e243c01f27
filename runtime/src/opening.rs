//! A first look at a message: which revision does its sender want to speak?

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::RequestId;
use crate::decode::{Wire, expecting};

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
    #[inline]
    pub fn of(bytes: &[u8]) -> Self {
        serde_json::from_slice::<Glance>(bytes).map_or_else(
            |_| Self::default(),
            |glance| {
                let version = if glance.is_handshake { glance.proposed } else { glance.version };
                Self { id: glance.id, is_handshake: glance.is_handshake, version }
            },
        )
    }
}

/// The few members of interest; all others are skipped.
#[derive(Default)]
struct Glance {
    id: Option<RequestId>,
    is_handshake: bool,
    proposed: Option<String>,
    version: Option<String>,
}

/// Where in a message we are.
#[derive(Clone, Copy)]
enum Place {
    Message,
    Params,
    Meta,
}

impl<'de> Deserialize<'de> for Glance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut glance = Self::default();
        deserializer.deserialize_any(Look { place: Place::Message, glance: &mut glance })?;
        Ok(glance)
    }
}

struct Look<'a> {
    place: Place,
    glance: &'a mut Glance,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    expecting!("anything");

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match (self.place, name.as_str()) {
                (Place::Message, "method") => {
                    self.glance.is_handshake = text(&mut map)?.as_deref() == Some("initialize")
                }
                (Place::Message, "id") => {
                    self.glance.id = RequestId::convert(map.next_value()?).ok().filter(RequestId::is_exact);
                }
                (Place::Message, "params") => {
                    map.next_value_seed(Look { place: Place::Params, glance: &mut *self.glance })?;
                }
                (Place::Params, "protocolVersion") => self.glance.proposed = text(&mut map)?,
                (Place::Params, "_meta") => {
                    map.next_value_seed(Look { place: Place::Meta, glance: &mut *self.glance })?;
                }
                (Place::Meta, "io.modelcontextprotocol/protocolVersion") => self.glance.version = text(&mut map)?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// A string, or nothing where something else stands.
fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
    Ok(match map.next_value()? {
        serde_json::Value::String(text) => Some(text),
        _ => None,
    })
}
