//! What is written is what serde_json writes: values of every form that serde has, strings, and whatever JSON the bytes may
//! be.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_wire::{AnyClientMessage, AnyServerMessage, Json, Revision, to_string};
use mcp_wire_judge::{FreeForm, compare};
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Value;

/// A call of a serializer.
enum Form {
    Bool(bool),
    I8(i8),
    I64(i64),
    I128(i128),
    U16(u16),
    U64(u64),
    U128(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Str(String),
    Bytes(Vec<u8>),
    None,
    Some(Box<Form>),
    Unit,
    UnitStruct,
    UnitVariant(&'static str),
    NewtypeStruct(Box<Form>),
    NewtypeVariant(&'static str, Box<Form>),
    Seq(Vec<Form>),
    Tuple(Vec<Form>),
    TupleStruct(Vec<Form>),
    TupleVariant(&'static str, Vec<Form>),
    Map(Vec<(Form, Form)>),
    Struct(Vec<(&'static str, Form)>),
    StructVariant(&'static str, Vec<(&'static str, Form)>),
    Displayed(String),
}

const NAMES: [&str; 5] = ["a", "", "b\"\\", "\u{1f}é", "$serde"];

/// Choices from bytes; nothing but zeros after the last one.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
            [] => 0,
        }
    }

    fn eight(&mut self) -> u64 {
        (0..8).fold(0, |value, _| value << 8 | u64::from(self.byte()))
    }

    fn name(&mut self) -> &'static str {
        NAMES[usize::from(self.byte()) % NAMES.len()]
    }

    fn text(&mut self) -> String {
        let length = usize::from(self.byte()).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    fn list<T>(&mut self, depth: usize, item: impl Fn(&mut Self, usize) -> T) -> Vec<T> {
        let length = if depth == 0 { 0 } else { self.byte() % 5 };
        (0..length).map(|_| item(self, depth - 1)).collect()
    }

    fn form(&mut self, depth: usize) -> Form {
        let inner = |bytes: &mut Self| Box::new(bytes.form(depth.saturating_sub(1)));
        // Those that contain others come last.
        match self.byte() % if depth == 0 { 17 } else { 27 } {
            0 => Form::Bool(self.byte() % 2 == 0),
            1 => Form::I8(self.byte() as i8),
            2 => Form::I64(self.eight() as i64),
            3 => Form::I128(i128::from(self.eight()) * i128::from(self.eight() as i64)),
            4 => Form::U16(self.eight() as u16),
            5 => Form::U64(self.eight() >> (self.byte() % 64)),
            6 => Form::U128(u128::from(self.eight()) * u128::from(self.eight())),
            7 => Form::F32(f32::from_bits(self.eight() as u32)),
            8 => Form::F64(f64::from_bits(self.eight())),
            9 => Form::Char(char::from_u32(self.eight() as u32 % 0x11_0000).unwrap_or('\0')),
            10 => Form::Str(self.text()),
            11 => Form::Bytes(self.text().into_bytes()),
            12 => Form::None,
            13 => Form::Unit,
            14 => Form::UnitStruct,
            15 => Form::UnitVariant(self.name()),
            16 => Form::Displayed(self.text()),
            17 => Form::Some(inner(self)),
            18 => Form::NewtypeStruct(inner(self)),
            19 => Form::NewtypeVariant(self.name(), inner(self)),
            20 => Form::Seq(self.list(depth, Self::form)),
            21 => Form::Tuple(self.list(depth, Self::form)),
            22 => Form::TupleStruct(self.list(depth, Self::form)),
            23 => Form::TupleVariant(self.name(), self.list(depth, Self::form)),
            24 => Form::Map(self.list(depth, |bytes, depth| (bytes.form(depth), bytes.form(depth)))),
            25 => Form::Struct(self.list(depth, |bytes, depth| (bytes.name(), bytes.form(depth)))),
            _ => Form::StructVariant(self.name(), self.list(depth, |bytes, depth| (bytes.name(), bytes.form(depth)))),
        }
    }
}

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Writes what is inside with the method that its kind has.
        macro_rules! inside {
            ($items:ident, $into:expr, $method:ident) => {{
                let mut into = $into;
                for item in $items {
                    into.$method(item)?;
                }
                into.end()
            }};
            ($items:ident, $into:expr, $method:ident, pairs) => {{
                let mut into = $into;
                for (name, item) in $items {
                    into.$method(name, item)?;
                }
                into.end()
            }};
        }
        match self {
            Self::Bool(value) => to.serialize_bool(*value),
            Self::I8(value) => to.serialize_i8(*value),
            Self::I64(value) => to.serialize_i64(*value),
            Self::I128(value) => to.serialize_i128(*value),
            Self::U16(value) => to.serialize_u16(*value),
            Self::U64(value) => to.serialize_u64(*value),
            Self::U128(value) => to.serialize_u128(*value),
            Self::F32(value) => to.serialize_f32(*value),
            Self::F64(value) => to.serialize_f64(*value),
            Self::Char(value) => to.serialize_char(*value),
            Self::Str(value) => to.serialize_str(value),
            Self::Bytes(value) => to.serialize_bytes(value),
            Self::None => to.serialize_none(),
            Self::Some(inner) => to.serialize_some(inner),
            Self::Unit => to.serialize_unit(),
            Self::UnitStruct => to.serialize_unit_struct("Unit"),
            Self::UnitVariant(name) => to.serialize_unit_variant("Enum", 0, name),
            Self::NewtypeStruct(inner) => to.serialize_newtype_struct("Newtype", inner),
            Self::NewtypeVariant(name, inner) => to.serialize_newtype_variant("Enum", 0, name, inner),
            Self::Seq(items) => inside!(items, to.serialize_seq(Some(items.len()))?, serialize_element),
            Self::Tuple(items) => inside!(items, to.serialize_tuple(items.len())?, serialize_element),
            Self::TupleStruct(items) => inside!(items, to.serialize_tuple_struct("T", items.len())?, serialize_field),
            Self::TupleVariant(name, items) => {
                inside!(items, to.serialize_tuple_variant("Enum", 0, name, items.len())?, serialize_field)
            }
            Self::Map(items) => inside!(items, to.serialize_map(None)?, serialize_entry, pairs),
            Self::Struct(items) => inside!(items, to.serialize_struct("Struct", items.len())?, serialize_field, pairs),
            Self::StructVariant(name, items) => {
                inside!(items, to.serialize_struct_variant("Enum", 0, name, items.len())?, serialize_field, pairs)
            }
            Self::Displayed(text) => to.collect_str(text),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let form = Bytes(data).form(4);
    match (serde_json::to_string(&form), Json::of(&form)) {
        (Ok(text), Ok(json)) => assert_eq!(json.text(), text),
        // Names that say it is raw text are taken at their word by serde_json.
        (written, json) => assert!(written.is_err() && json.is_err(), "{written:?}"),
    }
    let text = String::from_utf8_lossy(data).into_owned();
    assert_eq!(to_string(&text), serde_json::to_string(&text).expect("a string"));
    let Some((first, bytes)) = data.split_first() else { return };
    let revision = &Revision::ALL[usize::from(*first) % Revision::ALL.len()];
    if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        assert_eq!(to_string(&Json::from(&value)), value.to_string());
    }
    // serde_json undoes escapes that nobody needs, and is given parts; nothing else may differ.
    let same = |ours: &str, theirs: &str| {
        let verdict = compare(ours, theirs, FreeForm).expect("JSON");
        assert_eq!(verdict.findings.first(), None, "{ours}");
    };
    if let Ok(message) = AnyClientMessage::from_slice(revision, bytes, &()) {
        same(&message.to_text(), &serde_json::to_string(&message).expect("a message"));
    }
    if let Ok(message) = AnyServerMessage::from_slice(revision, bytes, &()) {
        same(&message.to_text(), &serde_json::to_string(&message).expect("a message"));
    }
    let types = revision.types();
    let entry = &types[usize::from(*first) / Revision::ALL.len() % types.len()];
    if let Ok(probe) = entry.read_slice(bytes) {
        same(&probe.text, &serde_json::to_string(&probe.value).expect("a value"));
    }
});
