//! A message whose members are read one by one, each by a deserializer of its own.
//!
//! Messages are read in one pass as a rule. serde_json counts the object around the members then, and would refuse a member
//! that is read when the message is [plain](crate::plain), where it is not counted. Such a message, and one with a member
//! twice, is taken apart first. Both are rare, and cost a second look at the text.

use indexmap::IndexMap;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, MapAccess};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Error, Value};

/// The members of a message as text. Of repeated members the last one counts.
pub(crate) struct Apart<'de>(IndexMap<String, &'de RawValue>);

impl<'de> Apart<'de> {
    /// Takes a text apart, if it is an object.
    #[cold]
    pub(crate) fn of(text: &'de str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    /// The members, to be read.
    pub(crate) fn members(&self) -> Members<'_, 'de> {
        Members { rest: self.0.iter(), value: "null" }
    }

    /// The message as a value, unless a member nests too deep.
    pub(crate) fn to_value(&self) -> Option<Value> {
        let member = |(name, text): (&String, &&RawValue)| Some((name.clone(), serde_json::from_str(text.get()).ok()?));
        self.0.iter().map(member).collect::<Option<_>>().map(Value::Object)
    }
}

/// The members that have not been read yet.
pub(crate) struct Members<'a, 'de> {
    rest: indexmap::map::Iter<'a, String, &'de RawValue>,
    value: &'de str,
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        match self.rest.next() {
            None => Ok(None),
            Some((name, value)) => {
                self.value = value.get();
                seed.deserialize(StrDeserializer::new(name)).map(Some)
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(&mut Deserializer::from_str(self.value))
    }
}
