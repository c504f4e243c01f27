impl crate::{{ r.name }} {
    /// A result that is not of the kind its method usually gives.
    #[inline]
    fn unusual(value: Value) -> Self {
{% match r.tag %}{% when Some with (tag) %}{% for (tagged, variant) in tag.special %}        if wire::tag_is(&value, {{ tag.tag }}, &[{{ tagged }}], false) {
            return wire::fit(value, Self::{{ variant }});
        }
{% endfor %}{% when None %}{% endmatch %}        Self::Unknown(value)
    }
}

/// The method that was asked decides.
impl wire::Results for crate::{{ r.name }} {
{% if r.error_needs_id %}    const ERROR_NEEDS_ID: bool = true;

{% endif %}    #[inline]
    fn find({% if r.methods.is_empty() %}_{% else %}method{% endif %}: &str) -> Option<usize> {
{% if r.methods.is_empty() %}        None
{% else %}        match method {
{% for m in r.methods %}            {{ m.method }} => Some({{ loop.index0 }}),
{% endfor %}            _ => None,
        }
{% endif %}    }

    fn read<'de, D: wire::Deserializer<'de>>(method: usize, result: D) -> wire::Outcome<Self, D::Error> {
        match method {
{% for m in r.methods %}            {{ loop.index0 }} => wire::read_result(result, Self::{{ m.variant }}, {{ m.is_meant }}, {% if m.also.is_empty() %}Self::unusual{% else %}|value| {% for (condition, variant) in m.also %}if {{ condition }} {
                wire::fit(value, Self::{{ variant }})
            } else {% endfor %}{ Self::unusual(value) }{% endif %}),
{% endfor %}            _ => wire::Deserialize::deserialize(result).map(Self::unusual),
        }
    }

    #[inline]
    fn raw(value: Value) -> Self {
        Self::Unknown(value)
    }
{% match r.tag %}{% when Some with (tag) %}
    #[inline]
    fn is_foreign(&self) -> bool {
        match self {
            Self::Unknown(value) => wire::tag_is_other(value, {{ tag.tag }}, &[{{ tag.values }}]),
            _ => false,
        }
    }
{% when None %}{% endmatch %}{% match r.task %}{% when Some with (task) %}
    #[inline]
    fn task(&self) -> Option<&str> {
        match self {
            Self::{{ task.0 }}(result) => {{ task.1 }},
            _ => None,
        }
    }
{% when None %}{% endmatch %}}

