//! Whether values in a text conform to unions, each decided once.

use std::any::TypeId;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::json::JsonRef;
use crate::misfit::Segment;
use crate::union::{Union, decide};

/// What is known of the values inside a text that stays where it is. Without it, a union inside a union inside a union
/// would be tried as each of its variants again for each variant of those around it.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    /// By the address of a value, and the union that it was compared with.
    decided: BTreeMap<(usize, TypeId), bool>,
}

impl Judge {
    /// Whether a value conforms to one of a union's variants.
    pub(crate) fn conforms<U: Union>(&mut self, value: JsonRef<'_>) -> bool {
        // Nothing is inside the others.
        if !value.is_array() && !value.is_object() {
            return self.decide::<U>(value);
        }
        let place = (value.text().as_ptr().addr(), TypeId::of::<U>());
        if let Some(decided) = self.decided.get(&place) {
            return *decided;
        }
        let conforms = self.decide::<U>(value);
        self.decided.insert(place, conforms);
        conforms
    }

    fn decide<U: Union>(&mut self, value: JsonRef<'_>) -> bool {
        match U::RULES.exclusive {
            true => {
                let variant = decide(&U::RULES, value).and_then(|variant| U::VARIANTS.get(variant));
                variant.is_some_and(|variant| (variant.conforms)(value, self))
            }
            false => U::VARIANTS.iter().any(|variant| (variant.conforms)(value, self)),
        }
    }
}

/// A value in a text, and what is inside it, from when somebody looks.
#[derive(Debug)]
pub(crate) struct Place<'v> {
    value: JsonRef<'v>,
    parts: Parts<'v>,
}

#[derive(Debug)]
enum Parts<'v> {
    Unknown,
    Items(Vec<JsonRef<'v>>),
    Members(HashMap<Cow<'v, str>, JsonRef<'v>>),
}

impl<'v> Place<'v> {
    #[inline]
    pub(crate) fn new(value: JsonRef<'v>) -> Self {
        Self { value, parts: Parts::Unknown }
    }

    #[inline]
    pub(crate) fn value(&self) -> JsonRef<'v> {
        self.value
    }

    /// What stands one step further inside. The text is gone through once, however many steps are asked for.
    pub(crate) fn step(&mut self, segment: &Segment) -> Option<JsonRef<'v>> {
        if matches!(self.parts, Parts::Unknown) {
            self.parts = match self.value.is_array() {
                true => Parts::Items(self.value.items().collect()),
                // Of repeated members the last one counts.
                false => Parts::Members(self.value.members().collect()),
            };
        }
        match (&self.parts, segment) {
            (Parts::Items(items), Segment::Index(index)) => items.get(*index).copied(),
            (Parts::Members(members), Segment::Name(name)) => members.get(*name).copied(),
            (Parts::Members(members), Segment::Key(key)) => members.get(key.as_str()).copied(),
            _ => None,
        }
    }
}
