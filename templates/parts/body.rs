/// {{ b.doc }}
#[derive(Debug, Clone, PartialEq)]
pub enum {{ b.name }} {
{%- for v in b.variants %}
    /// {{ v.doc }}
    {{ v.name }}({{ v.held }}),
{%- endfor %}
    /// A method that this revision does not know, as it came.
    Other {
        /// The method.
        method: String,
        /// Its params.
        params: Option<Json>,
    },
}

wire::body! {
    {{ b.name }},
{%- if let Some((method, key)) = b.fetches %}
    fetches {{ method }} by {{ key }},
{%- endif %}
    methods {
    {%- for v in b.variants %}
        {{ v.method }} => {{ v.name }}({{ v.held }}){{ v.conversions }},
    {%- endfor %}
    },
}
