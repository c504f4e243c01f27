{{ s.doc }}
#[derive({{ s.derives }})]
#[non_exhaustive]
pub struct {{ s.name }} {
{%- for f in s.fields %}
    {{ f.doc }}
    pub {{ f.name }}: {{ f.ty }},
{%- endfor %}
    /// Members the schema does not name, and known ones with a malformed value: kept and written back.
    pub extra: Extra,
}

wire::record! {
    {{ s.name }}: {{ s.expected }},
    new({{ s.parameters }}),
{%- if !s.constants.is_empty() %}
    constants {
    {%- for c in s.constants %}
        {{ c.wire }} = {{ c.value }}: {{ c.need }} at {{ c.position }},
    {%- endfor %}
    },
{%- endif %}
{%- if !s.fields.is_empty() %}
    members {
    {%- for f in s.fields %}
        {{ f.wire }} => {{ f.name }}: {{ f.need }}{{ f.limits }}{{ f.setter }},
    {%- endfor %}
    },
{%- endif %}
{%- if !s.others.is_empty() %}
    others { {{ s.others }} },
{%- endif %}
}
{% if s.new_is_default %}
impl Default for {{ s.name }} {
    fn default() -> Self {
        Self::new()
    }
}
{% endif %}
