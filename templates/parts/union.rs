{% for line in u.doc %}/// {{ line }}
{% endfor %}#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum {{ u.name }} {
{% for v in u.variants %}    /// {{ v.doc }}
    {{ v.name }}({{ v.held }}),
{% endfor %}    /// A value that no variant describes, kept as it came.
    Unknown(Value),
}

impl {{ u.name }} {
    /// Lists the ways in which this value departs from the schema, up to [`Violation::LIMIT`]; none means that it conforms.
    #[inline]
    pub fn check(&self) -> Vec<Violation> {
        wire::Checker::run(self)
    }
}

impl wire::Wire for {{ u.name }} {
    const EXPECTED: &'static str = {{ u.expected }};

    fn decode_into<'de, D: wire::Deserializer<'de>>(
        deserializer: D,
        slot: &mut Option<Self>,
    ) -> wire::Outcome<wire::Unfit, D::Error> {
        wire::decode_union(deserializer, slot)
    }

    #[inline]
    fn convert(value: Value) -> wire::Fit<Self> {
        Ok(wire::convert_union(value))
    }

    #[inline]
    fn outline(_: &Value) -> wire::Fit<Self> {
        Ok(wire::outline_union())
    }

    #[inline]
    fn placeholder() -> Self {
        Self::Unknown(Value::Null)
    }

    #[inline]
    fn inspect(&self, checker: &mut wire::Checker) {
        checker.union(self, |checker| match self {
{% for v in u.variants %}            Self::{{ v.name }}({% if v.checks.is_empty() %}_{% else %}value{% endif %}) => { {{ v.checks }} }
{% endfor %}            Self::Unknown(value) => checker.unknown::<Self>(value),
        });
    }

    #[inline]
    fn variant_name(&self) -> Option<&'static str> {
        match self {
{% for v in u.variants %}            Self::{{ v.name }}(_) => Some("{{ v.name }}"),
{% endfor %}            Self::Unknown(_) => Some(wire::UNKNOWN),
        }
    }

    #[inline]
    fn recognises(value: &Value) -> bool {
        wire::decide::<Self>(value).is_some()
    }
}

impl wire::Union for {{ u.name }} {
    const VARIANTS: &'static [wire::Known] = &[
{% for v in u.variants %}        wire::Known::new::<{{ v.ty }}>("{{ v.name }}"),
{% endfor %}    ];
    const EXCLUSIVE: bool = {{ u.exclusive }};
{% match u.object %}{% when Some with (variant) %}    const OBJECT: Option<usize> = Some({{ variant }});
{% when None %}{% endmatch %}{% match u.tag %}{% when Some with (tag) %}    const TAG: &'static str = {{ tag }};
{% when None %}{% endmatch %}
{% if u.tag.is_some() || !u.hints.is_empty() %}
    #[inline]
    fn hint(name: &str) -> wire::Hint {
        match name {
{% match u.tag %}{% when Some with (tag) %}            {{ tag }} => wire::Hint::Tag,
{% when None %}{% endmatch %}{% for (member, variant) in u.hints %}            {{ member }} => wire::Hint::Variant({{ variant }}, {{ member }}),
{% endfor %}            _ => wire::Hint::None,
        }
    }
{% endif %}{% if !u.tags.is_empty() %}
    #[inline]
    fn tagged(tag: &str) -> Option<(usize, &'static str)> {
        match tag {
{% for (tag, variant) in u.tags %}            {{ tag }} => Some(({{ variant }}, {{ tag }})),
{% endfor %}            _ => None,
        }
    }
{% endif %}{% if !u.kinds.is_empty() %}
    #[inline]
    fn kind(kind: wire::Kind) -> Option<usize> {
        match kind {
{% for (kind, variant) in u.kinds %}            wire::Kind::{{ kind }} => Some({{ variant }}),
{% endfor %}            _ => None,
        }
    }
{% endif %}{% if !u.decisions.is_empty() %}
    #[inline]
    fn decide(value: &Value) -> Option<usize> {
{% for (condition, variant) in u.decisions %}        if {{ condition }} {
            return Some({{ variant }});
        }
{% endfor %}        None
    }
{% endif %}
    #[inline]
    fn variant(variant: usize, value: Value) -> Self {
{% if u.variants.len() == 1 %}        let _ = variant;
        wire::fit(value, Self::{{ u.variants[0].name }})
{% else %}        match variant {
{% for v in u.variants %}            {% if loop.last %}_{% else %}{{ loop.index0 }}{% endif %} => wire::fit(value, Self::{{ v.name }}),
{% endfor %}        }
{% endif %}    }
{% if !u.objects.is_empty() %}
    fn object_variant<'de, A: wire::MapAccess<'de>>(variant: usize, object: wire::Text<'de, A>) -> wire::Outcome<Self, A::Error> {
{% if u.objects.len() == 1 %}        let _ = variant;
        wire::fit_object(object, Self::{{ u.objects[0].1 }})
{% else %}        match variant {
{% for (index, name) in u.objects %}            {% if loop.last %}_{% else %}{{ index }}{% endif %} => wire::fit_object(object, Self::{{ name }}),
{% endfor %}        }
{% endif %}    }
{% endif %}
    #[inline]
    fn unknown(value: Value) -> Self {
        Self::Unknown(value)
    }
}

impl wire::Serialize for {{ u.name }} {
    fn serialize<S: wire::Serializer>(&self, serializer: S) -> wire::Outcome<S::Ok, S::Error> {
        match self {
{% for v in u.variants %}            Self::{{ v.name }}(value) => value.serialize(serializer),
{% endfor %}            Self::Unknown(value) => value.serialize(serializer),
        }
    }
}

impl<'de> wire::Deserialize<'de> for {{ u.name }} {
    fn deserialize<D: wire::Deserializer<'de>>(deserializer: D) -> wire::Outcome<Self, D::Error> {
        wire::deserialize(deserializer)
    }
}
{% for c in u.conversions %}
impl From<{{ c.from }}> for {{ u.name }} {
    #[inline]
    fn from(value: {{ c.from }}) -> Self {
        Self::{{ c.variant }}({{ c.value }})
    }
}
{% endfor %}
