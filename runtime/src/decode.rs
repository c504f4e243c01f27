//! Reading values without giving up half-way.
//!
//! Every type reads any JSON value: [`Wire::read`] stops only where the text itself is at fault. A value of another shape is
//! passed all the same, so that whoever asked for it can keep its text, and decides what becomes of it.

use std::any::Any;

use crate::check::Checker;
use crate::error::DecodeError;
use crate::json::{JsonRef, Purpose, Reader, Stop};
use crate::limits::Limits;
use crate::misfit::Reason;

/// A type that reads and writes one JSON value without loss.
#[doc(hidden)]
pub trait Wire: Sized + 'static {
    /// What the schema asks for, in words that follow "expected".
    const EXPECTED: &'static str;

    /// Whether every value of the type conforms to its schema, so that there is nothing to inspect.
    const CONFORMS: bool = false;

    /// Some value, to be read into.
    fn placeholder() -> Self;

    /// Reads a value into this placeholder, and says whether it has the type. If not, nothing is said about what is in the
    /// placeholder; the reader has passed the value.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop>;

    /// Writes the value at the end of a text.
    fn write(&self, text: &mut String);

    /// Reports every departure from the schema that the type itself does not rule out.
    fn inspect(&self, checker: &mut Checker<'_>);

    /// The same, where the schema asks for more than the type says.
    #[inline]
    fn inspect_within(&self, limits: &Limits, checker: &mut Checker<'_>) {
        let _ = limits;
        self.inspect(checker);
    }

    /// The variant, for a union or an enum.
    fn variant_name(&self) -> Option<&'static str> {
        None
    }

    /// A member of an object, for code that does not know the type.
    fn member(&self, name: &str) -> Option<Member<'_>> {
        let _ = name;
        None
    }

    /// The value itself, whatever stands around it.
    fn as_any(&self) -> &dyn Any {
        self
    }

    /// Whether a value looks like one of this type.
    fn recognises(value: JsonRef<'_>) -> bool {
        let mut reader = Reader::with_purpose(value.text(), Purpose::Outline);
        Self::placeholder().read(&mut reader).unwrap_or(false)
    }
}

/// A member of an object whose type is not known.
#[derive(Clone, Copy)]
pub enum Member<'a> {
    /// It has a typed place.
    Typed(&'a dyn AnyWire),
    /// It is kept as text.
    Text(JsonRef<'a>),
}

/// A value of some type.
#[doc(hidden)]
pub trait AnyWire {
    /// A member of it.
    fn any_member(&self, name: &str) -> Option<Member<'_>>;

    /// The value itself.
    fn any(&self) -> &dyn Any;
}

impl<T: Wire> AnyWire for T {
    fn any_member(&self, name: &str) -> Option<Member<'_>> {
        self.member(name)
    }

    fn any(&self) -> &dyn Any {
        self.as_any()
    }
}

impl<'a> Member<'a> {
    /// A member of the member.
    pub fn member(self, name: &str) -> Option<Self> {
        match self {
            Self::Typed(value) => value.any_member(name),
            Self::Text(value) => value.get(name).map(Self::Text),
        }
    }

    /// The value as a type, if it has it.
    pub fn read<T: Wire + Clone>(self) -> Option<T> {
        match self {
            Self::Typed(value) => value.any().downcast_ref::<T>().cloned(),
            Self::Text(value) => read_valid(value),
        }
    }
}

impl Reader<'_> {
    /// Passes a value that does not have the type.
    #[cold]
    #[inline(never)]
    pub(crate) fn unfit(&mut self, expected: &'static str) -> Result<bool, Stop> {
        let start = self.position();
        self.skip()?;
        if self.purpose == Purpose::Reason {
            self.reason = Some(Box::new(Reason::kind(expected, JsonRef::from_valid(self.since(start)))));
        }
        Ok(false)
    }
}

/// Reads a whole text as a value of a type; nothing, where the value does not have it.
pub(crate) fn read_text<T: Wire>(text: &str) -> Result<Option<T>, DecodeError> {
    let mut reader = Reader::new(text);
    let mut value = T::placeholder();
    reader.peek();
    match value.read(&mut reader).and_then(|fits| reader.end().map(|()| fits)) {
        Ok(fits) => Ok(fits.then_some(value)),
        Err(Stop) => Err(DecodeError::Syntax(reader.error())),
    }
}

/// Reads a whole text as a value of a type.
pub(crate) fn from_text<T: Wire>(text: &str) -> Result<T, DecodeError> {
    read_text(text)?.ok_or_else(|| explain::<T>(JsonRef::from_valid(text.trim_ascii())).into())
}

/// Reads valid text as a value of a type.
pub(crate) fn read_valid<T: Wire>(value: JsonRef<'_>) -> Option<T> {
    let mut reader = Reader::trusted(value.text());
    let mut value = T::placeholder();
    value.read(&mut reader).unwrap_or(false).then_some(value)
}

/// Why a value does not have the type.
#[cold]
pub(crate) fn explain<T: Wire>(value: JsonRef<'_>) -> Reason {
    explain_into(&mut T::placeholder(), T::EXPECTED, value)
}

/// The same, without the type: the code for it exists once.
#[cold]
fn explain_into(outline: &mut dyn Outline, expected: &'static str, value: JsonRef<'_>) -> Reason {
    let mut reader = Reader::with_purpose(value.text(), Purpose::Reason);
    let _ = outline.read_outline(&mut reader);
    reader.reason.map_or_else(|| Reason::kind(expected, value), |reason| *reason)
}

/// A value of some type, to be read and inspected.
pub(crate) trait Outline {
    fn read_outline(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop>;
    fn inspect_outline(&self, checker: &mut Checker<'_>);
}

impl<T: Wire> Outline for T {
    fn read_outline(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        self.read(reader)
    }

    fn inspect_outline(&self, checker: &mut Checker<'_>) {
        self.inspect(checker);
    }
}

/// The implementations of serde's traits for a type that reads and writes itself.
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $crate::__private::Serialize for $type {
            fn serialize<S: $crate::__private::Serializer>(&self, serializer: S) -> $crate::__private::StdResult<S::Ok, S::Error> {
                $crate::__private::serialize(self, serializer)
            }
        }

        impl<'de, $($generics)*> $crate::__private::Deserialize<'de> for $type {
            fn deserialize<D: $crate::__private::Deserializer<'de>>(deserializer: D) -> $crate::__private::StdResult<Self, D::Error> {
                $crate::__private::deserialize(deserializer)
            }
        }
    };
}
