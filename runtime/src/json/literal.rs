//! JSON written down in Rust.

use std::io;

use serde::ser::Serialize;

use super::Json;
use super::value::validated;
use crate::write::push_quoted;

/// Makes a [`Json`](crate::Json) from a literal in the syntax of JSON. Names and values may be expressions: values of all
/// types that serde can write, names that can be made into a `String`.
///
/// ```
/// # use mcp_wire_core::json_value;
/// let cities = ["Paris", "Oslo"];
/// let json = json_value!({ "cities": cities, "days": 1 + 2, "units": null, "place": { "x": 0.5, "tags": [] } });
/// assert_eq!(json.text(), r#"{"cities":["Paris","Oslo"],"days":3,"units":null,"place":{"x":0.5,"tags":[]}}"#);
/// ```
///
/// What JSON cannot express, such as a map whose keys are no strings, becomes `null`.
#[macro_export]
macro_rules! json_value {
    (null) => { $crate::Json::default() };
    ([ $($items:tt)* ]) => {{
        let mut array = $crate::__private::Literal::array();
        $crate::json_value!(@items array $($items)*);
        array.finish()
    }};
    ({ $($members:tt)* }) => {{
        let mut object = $crate::__private::Literal::object();
        $crate::json_value!(@members object $($members)*);
        object.finish()
    }};

    // Brackets, braces and `null` come first: as expressions they mean something else.
    (@items $array:ident) => {};
    (@items $array:ident null $(, $($rest:tt)*)?) => {
        $array.inner_item(&$crate::json_value!(null));
        $crate::json_value!(@items $array $($($rest)*)?);
    };
    (@items $array:ident [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $array.inner_item(&$crate::json_value!([ $($inner)* ]));
        $crate::json_value!(@items $array $($($rest)*)?);
    };
    (@items $array:ident { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $array.inner_item(&$crate::json_value!({ $($inner)* }));
        $crate::json_value!(@items $array $($($rest)*)?);
    };
    (@items $array:ident $item:expr $(, $($rest:tt)*)?) => {
        $array.item(&$item);
        $crate::json_value!(@items $array $($($rest)*)?);
    };

    (@members $object:ident) => {};
    (@members $object:ident $name:tt : null $(, $($rest:tt)*)?) => {
        $object.inner_member($name, &$crate::json_value!(null));
        $crate::json_value!(@members $object $($($rest)*)?);
    };
    (@members $object:ident $name:tt : [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $object.inner_member($name, &$crate::json_value!([ $($inner)* ]));
        $crate::json_value!(@members $object $($($rest)*)?);
    };
    (@members $object:ident $name:tt : { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $object.inner_member($name, &$crate::json_value!({ $($inner)* }));
        $crate::json_value!(@members $object $($($rest)*)?);
    };
    (@members $object:ident $name:tt : $value:expr $(, $($rest:tt)*)?) => {
        $object.member($name, &$value);
        $crate::json_value!(@members $object $($($rest)*)?);
    };

    ($value:expr) => { $crate::Json::of(&$value).unwrap_or_default() };
}

/// Makes a [`JsonObject`](crate::JsonObject) from the members of an object literal, in the syntax of [`json_value!`](crate::json_value).
///
/// ```
/// let arguments = mcp_wire_core::json_object! { "city": "Paris", "days": 3 };
/// assert_eq!(arguments.get("days").unwrap(), 3);
/// ```
#[macro_export]
macro_rules! json_object {
    ($($members:tt)*) => {
        $crate::json_value!({ $($members)* }).into_object().unwrap_or_default()
    };
}

/// A literal while it is made.
#[derive(Debug)]
pub struct Literal {
    text: String,
    end: char,
}

/// Most literals fit into it.
const USUAL_LENGTH: usize = 128;

impl Literal {
    fn begin(start: char, end: char) -> Self {
        let mut text = String::with_capacity(USUAL_LENGTH);
        text.push(start);
        Self { text, end }
    }

    /// Starts an array.
    pub fn array() -> Self {
        Self::begin('[', ']')
    }

    /// Starts an object.
    pub fn object() -> Self {
        Self::begin('{', '}')
    }

    fn separate(&mut self) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
    }

    fn name(&mut self, name: &str) {
        self.separate();
        push_quoted(&mut self.text, name);
        self.text.push(':');
    }

    /// Adds an item.
    pub fn item<T: Serialize + ?Sized>(&mut self, item: &T) {
        self.separate();
        push_value(&mut self.text, item);
    }

    /// Adds an item that is JSON already.
    pub fn inner_item(&mut self, item: &Json) {
        self.separate();
        self.text.push_str(item.text());
    }

    /// Adds a member.
    pub fn member<T: Serialize + ?Sized>(&mut self, name: impl AsRef<str>, value: &T) {
        self.name(name.as_ref());
        push_value(&mut self.text, value);
    }

    /// Adds a member that is JSON already.
    pub fn inner_member(&mut self, name: impl AsRef<str>, value: &Json) {
        self.name(name.as_ref());
        self.text.push_str(value.text());
    }

    /// Ends it.
    pub fn finish(mut self) -> Json {
        self.text.push(self.end);
        Json::from_valid(self.text)
    }
}

/// Writes a value at the end of a text: `null`, where it has no form in JSON.
fn push_value<T: Serialize + ?Sized>(text: &mut String, value: &T) {
    let start = text.len();
    let is_written = serde_json::to_writer(End(text), value).is_ok();
    if is_written && validated(text.get(start..).unwrap_or_default()).is_ok_and(|spaces| spaces == 0) {
        return;
    }
    // White space goes, and what is no JSON.
    text.truncate(start);
    text.push_str(Json::of(value).unwrap_or_default().text());
}

/// The end of a text, as what serde_json writes to: a piece of UTF-8 at a time.
struct End<'a>(&'a mut String);

impl io::Write for End<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.0.push_str(str::from_utf8(piece).map_err(io::Error::other)?);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
