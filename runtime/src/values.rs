//! The plain values: strings, booleans, numbers, `null`, anything.

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::JsonObject;
use crate::check::{Checker, Rule};
use crate::decode::{
    Decoded, Fit, Misfit, ObjectVisitor, Text, Unfit, Wire, convert_object, convert_text, decode_text, deserialize,
    expecting, visit_values,
};
use crate::number::{Integer, Number};

impl Wire for String {
    const EXPECTED: &'static str = "a string";

    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        decode_text(deserializer)
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        convert_text(value)
    }

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    #[inline]
    fn inspect(&self, _: &mut Checker) {}
}

impl Wire for bool {
    const EXPECTED: &'static str = "a boolean";

    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        struct PlainVisitor;

        impl<'de> Visitor<'de> for PlainVisitor {
            type Value = Fit<bool>;

            expecting!(bool::EXPECTED);

            fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Ok(value))
            }

            visit_values!(number string null array object; self, value => bool::convert(value));
        }

        deserializer.deserialize_any(PlainVisitor)
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        match value {
            Value::Bool(value) => Ok(value),
            other => Err(Misfit::new(other, Self::EXPECTED)),
        }
    }

    #[inline]
    fn placeholder() -> Self {
        false
    }

    #[inline]
    fn inspect(&self, _: &mut Checker) {}
}

impl Wire for Integer {
    const EXPECTED: &'static str = "an integer";

    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        struct PlainVisitor;

        impl<'de> Visitor<'de> for PlainVisitor {
            type Value = Fit<Integer>;

            expecting!(Integer::EXPECTED);

            fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Ok(value.into()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Ok(value.into()))
            }

            visit_values!(float bool string null array object; self, value => Integer::convert(value));
        }

        deserializer.deserialize_any(PlainVisitor)
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        match value {
            Value::Number(number) if Self::is_whole(&number) => Ok(Self::of_whole(number)),
            other => Err(Misfit::new(other, Self::EXPECTED)),
        }
    }

    #[inline]
    fn placeholder() -> Self {
        0.into()
    }

    #[inline]
    fn inspect(&self, _: &mut Checker) {}
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl Wire for Number {
    const EXPECTED: &'static str = "a number";

    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        struct PlainVisitor;

        impl<'de> Visitor<'de> for PlainVisitor {
            type Value = Fit<Number>;

            expecting!(Number::EXPECTED);

            fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Ok(value.into()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Ok(value.into()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Ok(value.into()))
            }

            visit_values!(bool string null array object; self, value => Number::convert(value));
        }

        deserializer.deserialize_any(PlainVisitor)
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        match value {
            Value::Number(number) => Ok(number.into()),
            other => Err(Misfit::new(other, Self::EXPECTED)),
        }
    }

    #[inline]
    fn placeholder() -> Self {
        0.into()
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        if !self.is_finite() {
            checker.report(Rule::Type, Self::EXPECTED, self.to_string());
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl Wire for Value {
    const EXPECTED: &'static str = "any value";

    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        Value::deserialize(deserializer).map(Ok)
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        Ok(value)
    }

    #[inline]
    fn outline(_: &Value) -> Fit<Self> {
        Ok(Self::Null)
    }

    #[inline]
    fn placeholder() -> Self {
        Self::Null
    }

    #[inline]
    fn inspect(&self, _: &mut Checker) {}
}

impl Wire for JsonObject {
    const EXPECTED: &'static str = "an object";

    fn decode_into<'de, D: Deserializer<'de>>(deserializer: D, slot: &mut Option<Self>) -> Result<Unfit, D::Error> {
        deserializer.deserialize_any(ObjectVisitor(slot))
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        convert_object(value)
    }

    #[inline]
    fn outline(value: &Value) -> Fit<Self> {
        match value {
            Value::Object(_) => Ok(Self::new()),
            other => Err(Misfit::outlined(other, Self::EXPECTED)),
        }
    }

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    #[inline]
    fn inspect(&self, _: &mut Checker) {}
}

impl<T: Wire> Wire for Box<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        Ok(T::decode(deserializer)?.map(Box::new))
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        T::convert(value).map(Box::new)
    }

    #[inline]
    fn outline(value: &Value) -> Fit<Self> {
        T::outline(value).map(Box::new)
    }

    fn resume<'de, A: MapAccess<'de>>(object: Text<'de, A>) -> Decoded<Self, A::Error> {
        Ok(T::resume(object)?.map(Box::new))
    }

    #[inline]
    fn placeholder() -> Self {
        Box::new(T::placeholder())
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        T::inspect(self, checker);
    }
}

/// A value that may be `null`.
impl<T: Wire> Wire for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Decoded<Self, D::Error> {
        // Null comes first: a union would keep it as an unknown value.
        Value::deserialize(deserializer).map(Self::convert)
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        match value {
            Value::Null => Ok(None),
            value => T::convert(value).map(Some),
        }
    }

    #[inline]
    fn outline(value: &Value) -> Fit<Self> {
        match value {
            Value::Null => Ok(None),
            value => T::outline(value).map(Some),
        }
    }

    #[inline]
    fn placeholder() -> Self {
        None
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        if let Some(value) = self {
            value.inspect(checker);
        }
    }
}
