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