// {{ c.header }}

//! {{ t.title }}

{{ t.imports }}
{% for item in t.items %}
{% match item %}
{% when Item::Struct with (s) %}
{% include "parts/struct.rs" %}
{% when Item::Union with (u) %}
{% include "parts/union.rs" %}
{% when Item::StringEnum with (e) %}
{% include "parts/string_enum.rs" %}
{% when Item::Alias with (a) %}
{{ a.doc }}
pub type {{ a.name }} = {{ a.target }};
{% endmatch %}
{% endfor %}
