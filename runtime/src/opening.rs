//! A first look at a message: which revision does its sender want to speak?

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::decode::expecting;

/// What the version of a message says before the message itself can be read: a revision has to be chosen first.
///
/// ```
/// # use mcp_wire_core::Opening;
/// let text = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#;
/// assert_eq!(Opening::of(text), Opening::Handshake("2025-06-18".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// The client proposes a version, and expects the server to answer with that or another.
    Handshake(String),
    /// The request names its version, as all requests do in revisions without a handshake.
    Version(String),
    /// Nothing is said about a version.
    Silent,
}

impl Opening {
    /// Looks at a message. Whatever is not JSON says nothing about a version.
    pub fn of(bytes: &[u8]) -> Self {
        serde_json::from_slice::<Glance>(bytes).map_or(Self::Silent, |glance| {
            match (glance.proposed.filter(|_| glance.is_handshake), glance.version) {
                (Some(version), _) => Self::Handshake(version),
                (None, Some(version)) => Self::Version(version),
                (None, None) => Self::Silent,
            }
        })
    }
}

/// The few members of interest; all others are skipped.
#[derive(Default)]
struct Glance {
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
