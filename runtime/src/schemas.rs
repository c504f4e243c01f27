//! JSON schemas of the generated types, for the `schemars` feature.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

/// The schema of one type: its name, its text, and how other types find it.
#[derive(Debug)]
pub struct JsonSchemaOf {
    name: &'static str,
    text: &'static str,
    reference: fn(&mut SchemaGenerator) -> Schema,
}

impl JsonSchemaOf {
    /// A type whose schema is this text.
    pub const fn new<T: JsonSchema>(name: &'static str, text: &'static str) -> Self {
        Self { name, text, reference: SchemaGenerator::subschema_for::<T> }
    }

    /// The schema of a type, given those of all types that it may refer to.
    pub fn of(&self, all: &[Self], generator: &mut SchemaGenerator) -> Schema {
        let mut schema = serde_json::from_str(self.text).unwrap_or_default();
        refer(&mut schema, all, generator);
        Schema::try_from(schema).unwrap_or_default()
    }

    /// All types as one JSON schema.
    pub fn all(all: &[Self]) -> Schema {
        let mut generator = SchemaSettings::draft2020_12().into_generator();
        for schema in all {
            (schema.reference)(&mut generator);
        }
        let definitions = generator.take_definitions(true);
        json_schema!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions })
    }
}

/// Turns references to types, which hold their names, into those that the generator gives.
fn refer(schema: &mut Value, all: &[JsonSchemaOf], generator: &mut SchemaGenerator) {
    let target = schema.get("$ref").and_then(Value::as_str);
    if let Some(target) = target.and_then(|name| all.iter().find(|other| other.name == name)) {
        *schema = (target.reference)(generator).to_value();
        return;
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| refer(item, all, generator)),
        Value::Object(members) => members.values_mut().for_each(|member| refer(member, all, generator)),
        _ => {}
    }
}

/// Makes JSON schemas of a table: a type and the text of its schema in each row. The schemas may also refer to types that have
/// one already.
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schemas {
    (
        provided { $($provided:ident),* },
        $($type:ident = $text:literal,)*
    ) => {
        static SCHEMAS: &[$crate::__private::JsonSchemaOf] = &[
            $($crate::__private::JsonSchemaOf::new::<$provided>(stringify!($provided), ""),)*
            $($crate::__private::JsonSchemaOf::new::<$type>(stringify!($type), $text),)*
        ];

        $(impl $crate::__private::schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(
                generator: &mut $crate::__private::schemars::SchemaGenerator,
            ) -> $crate::__private::schemars::Schema {
                $crate::__private::JsonSchemaOf::new::<Self>(stringify!($type), $text).of(SCHEMAS, generator)
            }
        })*

        /// The whole revision as one JSON schema (2020-12): every type under `$defs`.
        pub fn json_schema() -> $crate::__private::schemars::Schema {
            $crate::__private::JsonSchemaOf::all(SCHEMAS)
        }
    };
}
