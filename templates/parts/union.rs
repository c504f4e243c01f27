{{ u.doc }}
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum {{ u.name }} {
{%- for v in u.variants %}
    /// {{ v.doc }}
    {{ v.name }}({{ v.held }}),
{%- endfor %}
    /// A value that no variant describes, kept as it came.
    Unknown(Json),
}

wire::union! {
    {{ u.name }}: {{ u.expected }},
    variants {
    {%- for v in u.variants %}
        {{ v.name }}({{ v.held }}){{ v.conversions }}{{ v.limits }},
    {%- endfor %}
    },
    rules {
    {%- for (rule, value) in u.rules %}
        {{ rule }}: {{ value }},
    {%- endfor %}
    },
}
