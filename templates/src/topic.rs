// {{ c.header }}

//! {{ t.title }}

{% if !t.core_imports.is_empty() %}use mcp_wire_core::{ {{ t.core_imports.join(", ") }} };
{% endif %}{% if t.has_impls() %}use mcp_wire_core::wire;
{% endif %}{% if !t.crate_imports.is_empty() %}use crate::{ {{ t.crate_imports.join(", ") }} };
{% endif %}
{% for item in t.items %}{% match item %}
{% when Item::Struct with (s) %}{% include "parts/struct.rs" %}
{% when Item::Union with (u) %}{% include "parts/union.rs" %}
{% when Item::StringEnum with (e) %}{% include "parts/string_enum.rs" %}
{% when Item::Alias with (a) %}{% for line in a.doc %}/// {{ line }}
{% endfor %}pub type {{ a.name }} = {{ a.target }};
{% endmatch %}{% endfor %}
