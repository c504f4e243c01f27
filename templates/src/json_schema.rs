// {{ c.header }}

//! The types as JSON schemas, for `schemars`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
{% for s in c.json_schemas %}
impl JsonSchema for crate::{{ s.name }} {
    fn schema_name() -> Cow<'static, str> {
        "{{ s.name }}".into()
    }

    fn json_schema({{ s.generator }}: &mut SchemaGenerator) -> Schema {
        json_schema!({{ s.schema }})
    }
}
{% endfor %}
/// The whole revision as one JSON schema (2020-12): every type under `$defs`.
pub fn json_schema() -> Schema {
    let mut generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
{% for s in c.json_schemas %}    generator.subschema_for::<crate::{{ s.name }}>();
{% endfor %}    let definitions = generator.take_definitions(true);
    json_schema!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions })
}
