//! Whether values in memory conform to unions, each decided once.

use std::any::TypeId;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::union::{Union, decide};

/// What is known of the values inside a document that stays where it is. Without it, a union inside a union inside a union
/// would be tried as each of its variants again for each variant of those around it.
#[derive(Default)]
pub(crate) struct Judge {
    /// By the address of a value, and the union that it was compared with.
    decided: BTreeMap<(usize, TypeId), bool>,
}

impl Judge {
    /// Whether a value conforms to one of a union's variants.
    pub(crate) fn conforms<U: Union>(&mut self, value: &Value) -> bool {
        // Nothing is inside the others.
        if !value.is_array() && !value.is_object() {
            return self.decide::<U>(value);
        }
        let place = (std::ptr::from_ref(value).addr(), TypeId::of::<U>());
        if let Some(decided) = self.decided.get(&place) {
            return *decided;
        }
        let conforms = self.decide::<U>(value);
        self.decided.insert(place, conforms);
        conforms
    }

    fn decide<U: Union>(&mut self, value: &Value) -> bool {
        match U::EXCLUSIVE {
            true => {
                let variant = decide::<U>(value).and_then(|variant| U::VARIANTS.get(variant));
                variant.is_some_and(|variant| (variant.conforms)(value, self))
            }
            false => U::VARIANTS.iter().any(|variant| (variant.conforms)(value, self)),
        }
    }
}
