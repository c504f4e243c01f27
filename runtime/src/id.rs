//! Request ids and progress tokens: a string or an integer, in every revision.

use std::fmt;

use crate::check::Checker;
use crate::decode::Wire;
use crate::json::{Json, Purpose, Reader, Stop};
use crate::number::Integer;
use crate::write::push_quoted;

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
            const CONFORMS: bool = true;

            #[inline]
            fn placeholder() -> Self {
                Self::String(String::new())
            }

            fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
                match reader.peek() {
                    b'"' if reader.purpose == Purpose::Outline => reader.skip()?,
                    b'"' => *self = Self::String(reader.owned_string()?),
                    b'-' | b'0'..=b'9' => {
                        let start = reader.mark();
                        let mut integer = Integer::placeholder();
                        if !integer.read(reader)? {
                            reader.reset(start);
                            return reader.unfit(Self::EXPECTED);
                        }
                        *self = Self::Integer(integer);
                    }
                    _ => return reader.unfit(Self::EXPECTED),
                }
                Ok(true)
            }

            fn write(&self, text: &mut String) {
                match self {
                    Self::Integer(integer) => integer.write(text),
                    Self::String(string) => push_quoted(text, string),
                }
            }

            fn inspect(&self, _: &mut Checker<'_>) {}
        }

        $crate::__serde!([] $name);

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

        impl From<$name> for Json {
            fn from(value: $name) -> Self {
                Json::from_valid(crate::to_string(&value))
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

string_or_integer! {
    /// Ties progress notifications to the request that asked for them.
    ProgressToken, "a string or an integer"
}
