{{ e.doc }}
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum {{ e.name }} {
{%- for v in e.values %}
    /// {{ v.shown }}
    {{ v.name }},
{%- endfor %}
{%- if e.open %}
    /// Any other value, which is valid as well.
{%- else %}
    /// A value that this revision does not define, kept as it came.
{%- endif %}
    Unknown(String),
}

wire::string_enum! {
    {{ e.name }}: {{ e.expected }},
    values {
    {%- for v in e.values %}
        {{ v.name }} = {{ v.wire }},
    {%- endfor %}
    },
{%- if !e.open %}
    closed: {{ e.known }},
{%- endif %}
}
{% if e.ordered %}
wire::ordered! {
    {{ e.name }} { {% for v in e.values %}{{ v.name }}, {% endfor %} }
}
{% endif %}
