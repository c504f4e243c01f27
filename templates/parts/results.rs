wire::results! {
    {{ r.name }},
{%- if r.error_needs_id %}
    error_needs_id: true,
{%- endif %}
{%- if let Some(tag) = r.tag %}
    tag {{ tag.tag }} { {{ tag.values }} },
{%- endif %}
{%- if let Some((variant, path)) = r.task %}
    task {{ variant }} [{{ path }}],
{%- endif %}
    methods {
    {%- for m in r.methods %}
        {{ m.method }} => {{ m.variant }}{{ m.or }}{{ m.condition }},
    {%- endfor %}
    },
}
