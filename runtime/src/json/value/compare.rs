//! JSON values are equal if they mean the same.

use std::hash::{Hash, Hasher};

use serde_json::Value;

use super::{Json, JsonRef};
use crate::json::equal;

impl PartialEq for JsonRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        equal::same(self.text(), other.text())
    }
}

impl Eq for JsonRef<'_> {}

impl Hash for JsonRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        equal::hash(*self, state);
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl Eq for Json {}

impl Hash for Json {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_ref().hash(state);
    }
}

impl PartialEq<Json> for JsonRef<'_> {
    fn eq(&self, other: &Json) -> bool {
        *self == other.as_ref()
    }
}

impl PartialEq<JsonRef<'_>> for Json {
    fn eq(&self, other: &JsonRef<'_>) -> bool {
        self.as_ref() == *other
    }
}

/// Comparisons with what JSON values are made from.
macro_rules! equal_to {
    ($([$($lifetime:tt)?] $type:ty, $value:ident, $other:ident => $is_same:expr;)*) => {$(
        impl $(<$lifetime>)? PartialEq<$type> for JsonRef<'_> {
            #[inline]
            fn eq(&self, $other: &$type) -> bool {
                let $value = *self;
                $is_same
            }
        }
        impl $(<$lifetime>)? PartialEq<$type> for Json {
            #[inline]
            fn eq(&self, other: &$type) -> bool {
                self.as_ref() == *other
            }
        }
        impl $(<$lifetime>)? PartialEq<Json> for $type {
            #[inline]
            fn eq(&self, other: &Json) -> bool {
                other.as_ref() == *self
            }
        }
    )*};
}

equal_to! {
    [] str, value, other => value.as_str().is_some_and(|text| text == *other);
    [] String, value, other => value == **other;
    [] bool, value, other => value.as_bool() == Some(*other);
    [] f64, value, other => value.as_f64() == Some(*other);
    [] Value, value, other => equal::same(value.text(), Json::from(other).text());
}

impl PartialEq<&str> for JsonRef<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<&str> for Json {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl PartialEq<$type> for JsonRef<'_> {
            fn eq(&self, other: &$type) -> bool {
                self.as_whole().is_some_and(|value| i128::try_from(*other) == Ok(value))
            }
        }
        impl PartialEq<$type> for Json {
            fn eq(&self, other: &$type) -> bool {
                self.as_ref() == *other
            }
        }
    )*};
}

whole!(i8, i16, i32, i64, u8, u16, u32, u64, usize);
