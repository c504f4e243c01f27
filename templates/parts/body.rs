/// {{ b.doc }}
#[derive(Debug, Clone, PartialEq)]
pub enum {{ b.name }} {
{% for v in b.variants %}    /// {{ v.doc }}
    {{ v.name }}({{ v.held }}),
{% endfor %}    /// A method that this revision does not know, as it came.
    Other {
        /// The method.
        method: String,
        /// Its params.
        params: Option<Value>,
    },
}

impl wire::Body for {{ b.name }} {
    const METHODS: &'static [&'static str] = &[{% for v in b.variants %}{{ v.method }}, {% endfor %}];

    #[inline]
    fn find({% if b.variants.is_empty() %}_{% else %}method{% endif %}: &str) -> Option<usize> {
{% if b.variants.is_empty() %}        None
{% else %}        match method {
{% for v in b.variants %}            {{ v.method }} => Some({{ loop.index0 }}),
{% endfor %}            _ => None,
        }
{% endif %}    }

{% if b.variants.is_empty() %}
    fn read<'de, D: wire::Deserializer<'de>>(_: usize, params: D) -> wire::Decoded<Self, D::Error> {
        wire::read_params(params, |params: Value| Self::Other { method: String::new(), params: Some(params) })
    }
{% else if b.variants.len() == 1 %}
    fn read<'de, D: wire::Deserializer<'de>>(_: usize, params: D) -> wire::Decoded<Self, D::Error> {
        wire::read_params(params, {{ b.variants[0].wrap }})
    }
{% else %}
    fn read<'de, D: wire::Deserializer<'de>>(method: usize, params: D) -> wire::Decoded<Self, D::Error> {
        match method {
{% for v in b.variants %}            {% if loop.last %}_{% else %}{{ loop.index0 }}{% endif %} => wire::read_params(params, {{ v.wrap }}),
{% endfor %}        }
    }
{% endif %}

{% if !b.bare.is_empty() %}    #[inline]
    fn bare(method: usize) -> Option<Self> {
        match method {
{% for (index, variant) in b.bare %}            {{ index }} => Some(Self::{{ variant }}(Default::default())),
{% endfor %}            _ => None,
        }
    }

{% endif %}    #[inline]
    fn other(method: String, params: Option<Value>) -> Self {
        Self::Other { method, params }
    }

    #[inline]
    fn method(&self) -> &str {
        match self {
{% for v in b.variants %}            Self::{{ v.name }}(_) => {{ v.method }},
{% endfor %}            Self::Other { method, .. } => method,
        }
    }

    #[inline]
    fn variant_name(&self) -> &'static str {
        match self {
{% for v in b.variants %}            Self::{{ v.name }}(_) => "{{ v.name }}",
{% endfor %}            Self::Other { .. } => "Other",
        }
    }

    fn write<M: wire::SerializeMap>(&self, members: &mut wire::Writer<'_, M>) -> wire::Outcome<(), M::Error> {
        match self {
{% for v in b.variants %}            Self::{{ v.name }}(params) => <{{ v.params }} as wire::Params>::write(params, members),
{% endfor %}            Self::Other { params, .. } => <Option<Value> as wire::Params>::write(params, members),
        }
    }

    #[inline]
    fn inspect(&self, {% if b.variants.is_empty() %}_{% else %}checker{% endif %}: &mut wire::Checker) {
{% if !b.variants.is_empty() %}        match self {
{% for v in b.variants %}            Self::{{ v.name }}(params) => <{{ v.params }} as wire::Params>::inspect(params, checker),
{% endfor %}            Self::Other { .. } => {}
        }
{% endif %}    }
{% if b.is_request %}
    #[inline]
    fn progress_token(&self) -> Option<mcp_wire_core::ProgressToken> {
        match self {
{% for (variant, token) in b.tokens %}            Self::{{ variant }}(params) => {{ token }},
{% endfor %}            Self::Other { params, .. } => wire::loose_progress_token(params.as_ref()),
{% if b.tokens.len() < b.variants.len() %}            _ => None,
{% endif %}        }
    }
{% endif %}{% match b.cancels %}{% when Some with (cancels) %}
    #[inline]
    fn cancels(&self) -> Option<&RequestId> {
        match self {
            Self::{{ cancels.0 }}(params) => {{ cancels.1 }},
            _ => None,
        }
    }
{% when None %}{% endmatch %}{% match b.fetches %}{% when Some with (fetches) %}
    #[inline]
    fn fetches(&self) -> Option<&str> {
        match self {
            Self::{{ fetches.0 }}(params) => {{ fetches.1 }},
            _ => None,
        }
    }
{% when None %}{% endmatch %}}
{% for (params, variant, value) in b.conversions %}
impl From<{{ params }}> for {{ b.name }} {
    #[inline]
    fn from(params: {{ params }}) -> Self {
        Self::{{ variant }}({{ value }})
    }
}
{% endfor %}
