// {{ c.header }}

//! The types as JSON schemas, for `schemars`.

use crate::*;
use mcp_wire_core::__private as wire;

wire::json_schemas! {
    provided { {{ c.provided.join(", ") }} },
{%- for s in c.json_schemas %}
    {{ s.name }} = {{ s.schema }},
{%- endfor %}
}
