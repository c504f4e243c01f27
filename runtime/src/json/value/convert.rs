//! What JSON values are made from.

use std::borrow::Cow;

use serde_json::Value;

use super::{Json, JsonRef};
use crate::write::push_quoted;

impl<'a> From<&'a Json> for JsonRef<'a> {
    fn from(json: &'a Json) -> Self {
        json.as_ref()
    }
}

impl From<JsonRef<'_>> for Json {
    fn from(json: JsonRef<'_>) -> Self {
        json.to_json()
    }
}

impl From<&Json> for Json {
    fn from(json: &Json) -> Self {
        json.clone()
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        let mut json = String::with_capacity(text.len() + 2);
        push_quoted(&mut json, text);
        Self(json.into())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&String> for Json {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<Cow<'_, str>> for Json {
    fn from(text: Cow<'_, str>) -> Self {
        (&*text).into()
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self(if value { "true" } else { "false" }.into())
    }
}

impl From<()> for Json {
    fn from((): ()) -> Self {
        Self::default()
    }
}

/// Those that are not finite become `null`.
impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Self::from_valid(Value::from(value).to_string())
    }
}

/// What serde_json's tree holds, as it is.
impl From<Value> for Json {
    fn from(value: Value) -> Self {
        (&value).into()
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        Self::from_valid(value.to_string())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Self::default, Into::into)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Into<Json>, const N: usize> From<[T; N]> for Json {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

/// An array.
impl<T: Into<Json>> FromIterator<T> for Json {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut text = "[".to_owned();
        for item in items {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(item.into().text());
        }
        text.push(']');
        Self(text.into())
    }
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl From<$type> for Json {
            fn from(value: $type) -> Self {
                Self(value.to_string().into())
            }
        }
    )*};
}

whole!(i8, i16, i32, i64, u8, u16, u32, u64, usize);
