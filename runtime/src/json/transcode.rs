//! Between JSON text and any format that serde knows.
//!
//! serde_json hands over the text of a value, and takes one, in the way of its `RawValue`: as a struct, or a newtype, of
//! a name that nothing else has. So numbers keep their digits. Other formats do not know the name, and give and get the
//! parts of the value.

use std::borrow::Cow;
use std::fmt::{self, Write};

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use super::JsonRef;
use crate::decode::{Wire, from_text};
use crate::write::push_quoted;

const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// How numbers arrive from serde_json's own tree, when some crate in the build turns on `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

/// Gives the parts of a value to a serializer.
pub(crate) fn serialize<S: Serializer>(value: JsonRef<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    match value.text().as_bytes().first() {
        Some(b'"') => serializer.serialize_str(&value.as_str().unwrap_or_default()),
        Some(b'{') => {
            let mut object = serializer.serialize_map(None)?;
            for (name, value) in value.members() {
                object.serialize_entry(&*name, &value)?;
            }
            object.end()
        }
        Some(b'[') => {
            let mut array = serializer.serialize_seq(None)?;
            for item in value.items() {
                array.serialize_element(&item)?;
            }
            array.end()
        }
        Some(b't' | b'f') => serializer.serialize_bool(value.as_bool().unwrap_or_default()),
        Some(b'-' | b'0'..=b'9') => serialize_number(value.text(), serializer),
        _ => serializer.serialize_unit(),
    }
}

/// Gives a number to a serializer: as one of Rust's own where it would be written the same way again, and as text otherwise.
pub(crate) fn serialize_number<S: Serializer>(number: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(whole) = number.parse::<i64>()
        && number != "-0"
    {
        return serializer.serialize_i64(whole);
    }
    if let Ok(whole) = number.parse::<u64>() {
        return serializer.serialize_u64(whole);
    }
    match number.parse().ok().and_then(serde_json::Number::from_f64) {
        Some(float) if float.to_string() == number => serializer.serialize_f64(float.as_f64().unwrap_or_default()),
        _ => {
            let mut raw = serializer.serialize_struct(RAW_VALUE, 1)?;
            raw.serialize_field(RAW_VALUE, number)?;
            raw.end()
        }
    }
}

/// Reads a value from any format.
pub fn deserialize<'de, T: Wire, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let text = deserializer.deserialize_newtype_struct(RAW_VALUE, Capture)?;
    from_text(&text).map_err(D::Error::custom)
}

/// Gets the text of a value.
struct Capture;

/// The methods for values that say what they are.
macro_rules! visit {
    ($($method:ident($type:ty);)*) => {$(
        fn $method<E: serde::de::Error>(self, value: $type) -> Result<Cow<'de, str>, E> {
            let mut text = String::new();
            Parts(&mut text).$method(value)?;
            Ok(text.into())
        }
    )*};
}

impl<'de> Visitor<'de> for Capture {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON can express")
    }

    visit! {
        visit_bool(bool); visit_i64(i64); visit_i128(i128); visit_u64(u64); visit_u128(u128); visit_f64(f64); visit_str(&str);
        visit_bytes(&[u8]);
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Cow<'de, str>, E> {
        Ok("null".into())
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<Cow<'de, str>, E> {
        Ok("null".into())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        self.visit_newtype_struct(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        let mut text = String::new();
        deserializer.deserialize_any(Parts(&mut text))?;
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Cow<'de, str>, A::Error> {
        let mut text = String::new();
        Parts(&mut text).visit_seq(items)?;
        Ok(text.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Cow<'de, str>, A::Error> {
        match members.next_key_seed(Text)? {
            Some(name) if name == RAW_VALUE => members.next_value_seed(Text),
            name => {
                let mut text = String::new();
                Parts(&mut text).members(name, members)?;
                Ok(text.into())
            }
        }
    }
}

/// Writes the parts of a value at the end of a text.
struct Parts<'a>(&'a mut String);

impl Parts<'_> {
    fn display<E: serde::de::Error>(self, value: impl fmt::Display) -> Result<(), E> {
        write!(self.0, "{value}").map_err(E::custom)
    }

    fn members<'de, A: MapAccess<'de>>(self, first: Option<Cow<'de, str>>, mut members: A) -> Result<(), A::Error> {
        let Some(mut name) = first else {
            self.0.push_str("{}");
            return Ok(());
        };
        let start = self.0.len();
        let is_number = name == RAW_VALUE || name == NUMBER && numbers_are_objects();
        self.0.push('{');
        loop {
            push_quoted(self.0, &name);
            self.0.push(':');
            let value = self.0.len();
            members.next_value_seed(Parts(self.0))?;
            match members.next_key_seed(Text)? {
                Some(next) => name = next,
                None if is_number => {
                    if let Some(number) = quoted_number(self.0.get(value..).unwrap_or_default()).map(str::to_owned) {
                        self.0.truncate(start);
                        self.0.push_str(&number);
                        return Ok(());
                    }
                    break;
                }
                None => break,
            }
            self.0.push(',');
        }
        self.0.push('}');
        Ok(())
    }
}

/// Whether serde_json passes numbers as objects in this build. Only serde_json knows.
fn numbers_are_objects() -> bool {
    let object = MapDeserializer::<_, serde_json::Error>::new([(NUMBER, "1")].into_iter());
    serde_json::Value::deserialize(object).is_ok_and(|value| value.is_number())
}

/// The number in a string that holds nothing else.
fn quoted_number(text: &str) -> Option<&str> {
    let number = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut reader = super::Reader::new(number);
    (reader.number().is_ok() && reader.rest().is_empty()).then_some(number)
}

impl<'de> DeserializeSeed<'de> for Parts<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Parts<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Capture.expecting(f)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        self.display(value)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        self.display(value)
    }

    fn visit_i128<E: serde::de::Error>(self, value: i128) -> Result<(), E> {
        self.display(value)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        self.display(value)
    }

    fn visit_u128<E: serde::de::Error>(self, value: u128) -> Result<(), E> {
        self.display(value)
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        self.display(serde_json::Value::from(value))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        push_quoted(self.0, value);
        Ok(())
    }

    fn visit_bytes<E: serde::de::Error>(self, value: &[u8]) -> Result<(), E> {
        self.display(super::Json::from_iter(value.iter().copied()))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.display("null")
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.display("null")
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.0.push('[');
        let start = self.0.len();
        loop {
            let end = self.0.len();
            if end > start {
                self.0.push(',');
            }
            if items.next_element_seed(Parts(self.0))?.is_none() {
                self.0.truncate(end);
                break;
            }
        }
        self.0.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let first = members.next_key_seed(Text)?;
        self.members(first, members)
    }
}

/// A string, borrowed where it can be.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(text.into())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.to_owned().into())
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(text.into())
    }
}
