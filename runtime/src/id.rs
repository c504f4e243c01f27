//! Request ids and progress tokens: a string or an integer, in every revision.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use crate::check::Checker;
use crate::decode::{Decoded, Fit, Misfit, Wire, deserialize, expecting, visit_values};
use crate::number::Integer;

macro_rules! string_or_integer {
    ($(#[$doc:meta])* $name:ident, $expected:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            /// An integer.
            Integer(Integer),
            /// A string.
            String(String),
        }

        impl $name {
            /// Lists every way in which this value departs from the schema.
            pub fn check(&self) -> Vec<crate::Violation> {
                Checker::run(self)
            }
        }

        impl Wire for $name {
            const EXPECTED: &'static str = $expected;

            fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
                struct AnyVisitor;

                impl<'de> Visitor<'de> for AnyVisitor {
                    type Value = Fit<$name>;

                    expecting!($name::EXPECTED);

                    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
                        Ok(Ok(value.into()))
                    }

                    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                        Ok(Ok(value.into()))
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                        Ok(Ok(text.into()))
                    }

                    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
                        Ok(Ok(text.into()))
                    }

                    visit_values!(float bool null array object; self, value => $name::convert(value));
                }

                deserializer.deserialize_any(AnyVisitor)
            }

            fn convert(value: Value) -> Fit<Self> {
                match value {
                    Value::String(text) => Ok(Self::String(text)),
                    Value::Number(number) if Integer::is_whole(&number) => Ok(Self::Integer(Integer::of_whole(number))),
                    other => Err(Misfit::new(other, Self::EXPECTED)),
                }
            }

            fn placeholder() -> Self {
                Self::String(String::new())
            }

            fn inspect(&self, _: &mut Checker) {}
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserialize(deserializer)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    Self::Integer(integer) => integer.serialize(serializer),
                    Self::String(text) => serializer.serialize_str(text),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::Integer(integer) => fmt::Display::fmt(integer, f),
                    Self::String(text) => f.write_str(text),
                }
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::String(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::String(text.to_owned())
            }
        }

        #[cfg(feature = "schemars")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": ["string", "integer"] })
            }
        }

        string_or_integer!(@from $name, Integer, i32, i64, u32, u64, usize);
    };
    (@from $name:ident, $($whole:ty),*) => {$(
        impl From<$whole> for $name {
            fn from(value: $whole) -> Self {
                Self::Integer(value.into())
            }
        }
    )*};
}

string_or_integer! {
    /// Identifies a request, so that its answer can be told from others.
    ///
    /// ```
    /// # use mcp_wire_core::RequestId;
    /// let id: RequestId = mcp_wire_core::from_str("18446744073709551615").unwrap();
    /// assert_eq!(id, RequestId::from(u64::MAX));
    /// ```
    RequestId, "a string or an integer"
}

impl RequestId {
    /// Whether the id comes back as it was, digit for digit: integers beyond 64 bits do not.
    pub fn is_exact(&self) -> bool {
        match self {
            Self::Integer(integer) => integer.is_exact(),
            Self::String(_) => true,
        }
    }
}

string_or_integer! {
    /// Ties progress notifications to the request that asked for them.
    ProgressToken, "a string or an integer"
}
