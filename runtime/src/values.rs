//! The plain values: strings, booleans, `null`, anything.

use std::any::Any;

use crate::check::Checker;
use crate::decode::{Member, Wire};
use crate::json::{Json, JsonObject, JsonRef, Purpose, Reader, Stop};
use crate::limits::Limits;
use crate::write::{push_quoted, push_text};

impl Wire for String {
    const EXPECTED: &'static str = "a string";
    const CONFORMS: bool = true;

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    #[inline]
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        if reader.peek() != b'"' {
            return reader.unfit(Self::EXPECTED);
        }
        *self = reader.owned_string()?;
        Ok(true)
    }

    #[inline]
    fn write(&self, text: &mut String) {
        push_quoted(text, self);
    }

    #[inline]
    fn inspect(&self, _: &mut Checker<'_>) {}

    #[inline]
    fn inspect_within(&self, limits: &Limits, checker: &mut Checker<'_>) {
        checker.text(self, limits);
    }
}

impl Wire for bool {
    const EXPECTED: &'static str = "a boolean";
    const CONFORMS: bool = true;

    #[inline]
    fn placeholder() -> Self {
        false
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        *self = reader.peek() == b't';
        match reader.peek() {
            b't' => reader.word("true")?,
            b'f' => reader.word("false")?,
            _ => return reader.unfit(Self::EXPECTED),
        }
        Ok(true)
    }

    fn write(&self, text: &mut String) {
        text.push_str(if *self { "true" } else { "false" });
    }

    #[inline]
    fn inspect(&self, _: &mut Checker<'_>) {}
}

impl Wire for Json {
    const EXPECTED: &'static str = "any value";
    const CONFORMS: bool = true;

    #[inline]
    fn placeholder() -> Self {
        Self::default()
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        match reader.purpose {
            Purpose::Value => *self = Self::read(reader)?,
            Purpose::Reason | Purpose::Outline => reader.skip()?,
        }
        Ok(true)
    }

    #[inline]
    fn write(&self, text: &mut String) {
        push_text(text, self.text());
    }

    #[inline]
    fn inspect(&self, _: &mut Checker<'_>) {}

    fn recognises(_: JsonRef<'_>) -> bool {
        true
    }

    fn member(&self, name: &str) -> Option<Member<'_>> {
        self.get(name).map(Member::Text)
    }
}

impl Wire for JsonObject {
    const EXPECTED: &'static str = "an object";
    const CONFORMS: bool = true;

    #[inline]
    fn placeholder() -> Self {
        Self::new()
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        if reader.peek() != b'{' {
            return reader.unfit(Self::EXPECTED);
        }
        match reader.purpose {
            Purpose::Value => *self = Self::read(reader)?,
            Purpose::Reason | Purpose::Outline => reader.skip()?,
        }
        Ok(true)
    }

    #[inline]
    fn write(&self, text: &mut String) {
        Self::write(self, text);
    }

    #[inline]
    fn inspect(&self, _: &mut Checker<'_>) {}

    fn member(&self, name: &str) -> Option<Member<'_>> {
        self.get(name).map(Member::Text)
    }
}

impl<T: Wire> Wire for Box<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const CONFORMS: bool = T::CONFORMS;

    #[inline]
    fn placeholder() -> Self {
        Box::new(T::placeholder())
    }

    #[inline]
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        T::read(self, reader)
    }

    #[inline]
    fn write(&self, text: &mut String) {
        T::write(self, text);
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker<'_>) {
        T::inspect(self, checker);
    }

    #[inline]
    fn inspect_within(&self, limits: &Limits, checker: &mut Checker<'_>) {
        T::inspect_within(self, limits, checker);
    }

    fn variant_name(&self) -> Option<&'static str> {
        T::variant_name(self)
    }

    fn member(&self, name: &str) -> Option<Member<'_>> {
        T::member(self, name)
    }

    fn as_any(&self) -> &dyn Any {
        T::as_any(self)
    }

    fn recognises(value: JsonRef<'_>) -> bool {
        T::recognises(value)
    }
}

/// A value that may be `null`.
impl<T: Wire> Wire for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const CONFORMS: bool = T::CONFORMS;

    #[inline]
    fn placeholder() -> Self {
        None
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        // Null comes first: a union would keep it as an unknown value.
        if reader.peek() == b'n' {
            reader.word("null")?;
            return Ok(true);
        }
        self.insert(T::placeholder()).read(reader)
    }

    fn write(&self, text: &mut String) {
        match self {
            Some(value) => value.write(text),
            None => text.push_str(Json::NULL_TEXT),
        }
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker<'_>) {
        if let Some(value) = self {
            value.inspect(checker);
        }
    }

    fn inspect_within(&self, limits: &Limits, checker: &mut Checker<'_>) {
        if let Some(value) = self {
            value.inspect_within(limits, checker);
        }
    }

    fn member(&self, name: &str) -> Option<Member<'_>> {
        self.as_ref()?.member(name)
    }

    fn as_any(&self) -> &dyn Any {
        match self {
            Some(value) => value.as_any(),
            None => self,
        }
    }

    fn recognises(value: JsonRef<'_>) -> bool {
        value.is_null() || T::recognises(value)
    }
}
