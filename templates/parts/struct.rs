{% for line in s.doc %}/// {{ line }}
{% endfor %}#[derive(Debug, Clone, PartialEq{% if s.derives_default %}, Default{% endif %})]
#[non_exhaustive]
pub struct {{ s.name }} {
{% for f in s.fields %}{% for line in f.doc %}    /// {{ line }}
{% endfor %}    pub {{ f.name }}: {{ f.ty }},
{% endfor %}    /// Unknown members, and known ones with a malformed value: what arrived besides, and is written back.
    pub extra: Extra,
}

impl {{ s.name }} {
    /// Makes a value from what the schema requires.
{% if s.too_many_parameters %}    #[allow(clippy::too_many_arguments)]
{% endif %}    pub fn new({{ s.parameters }}) -> Self {
        Self { {% for f in s.fields %}{{ f.initial }}, {% endfor %}extra: Extra::new() }
    }
{% for f in s.fields %}{% match f.setter %}{% when Some with (setter) %}
    /// Sets [`{{ f.name }}`](Self::{{ f.name }}).
    #[must_use]
    pub fn {{ setter.name }}(mut self, {{ f.name }}: {{ setter.parameter }}) -> Self {
        self.{{ f.name }} = {{ setter.value }};
        self
    }
{% when None %}{% endmatch %}{% endfor %}
    /// Lists the ways in which this value departs from the schema, up to [`Violation::LIMIT`]; none means that it conforms.
    #[inline]
    pub fn check(&self) -> Vec<Violation> {
        wire::Checker::run(self)
    }
}
{% if s.new_is_default %}
impl Default for {{ s.name }} {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}
{% endif %}
impl wire::Wire for {{ s.name }} {
    const EXPECTED: &'static str = {{ s.expected }};

    fn decode_into<'de, D: wire::Deserializer<'de>>(
        deserializer: D,
        slot: &mut Option<Self>,
    ) -> wire::Outcome<wire::Unfit, D::Error> {
        wire::decode_record(deserializer, slot)
    }

    #[inline]
    fn convert(value: wire::Value) -> wire::Fit<Self> {
        wire::convert_record(value)
    }

    #[inline]
    fn outline(value: &wire::Value) -> wire::Fit<Self> {
        wire::outline_record(value)
    }

    fn resume<'de, A: wire::MapAccess<'de>>(object: wire::Text<'de, A>) -> wire::Decoded<Self, A::Error> {
        wire::resume_record(object)
    }

    #[inline]
    fn placeholder() -> Self {
        Self { {% for f in s.fields %}{{ f.name }}: {{ f.placeholder }}, {% endfor %}extra: Extra::new() }
    }

    #[inline]
    fn inspect(&self, {% if s.checks.is_empty() %}_{% else %}checker{% endif %}: &mut wire::Checker) {
        {{ s.checks }}
    }
}

impl wire::Record for {{ s.name }} {
    const MEMBERS: &'static [wire::Known] = &[
{% for (wire, ty) in s.known %}        wire::Known::new::<{{ ty }}>({{ wire }}),
{% endfor %}    ];
{% if !s.defaulted.is_empty() %}    const DEFAULTED: &'static [&'static str] = &[{{ s.defaulted }}];
{% endif %}
{% if s.members.is_empty() %}    #[inline]
    fn member(_: &str) -> Option<usize> {
        None
    }
{% else %}    #[inline]
    fn member(name: &str) -> Option<usize> {
        match name {
{% for m in s.members %}            {{ m.wire }} => Some({{ loop.index0 }}),
{% endfor %}            _ => None,
        }
    }
{% endif %}
    fn read<S: wire::Source>(
        mut members: wire::Members<S>,
        slot: &mut Option<Self>,
    ) -> wire::Outcome<wire::Unfit, S::Error> {
{% for f in s.fields %}        let mut {{ f.name }} = None;
{% endfor %}{% if s.members.is_empty() %}        while members.next_member::<Self>()?.is_some() {}
{% else if s.members.len() == 1 %}        while members.next_member::<Self>()?.is_some() {
            {{ s.members[0].read }}?;
        }
{% else %}        while let Some(index) = members.next_member::<Self>()? {
            match index {
{% for m in s.members %}                {% if loop.last %}_{% else %}{{ loop.index0 }}{% endif %} => {{ m.read }}?,
{% endfor %}            }
        }
{% endif %}        *slot = Some(Self {
{% for f in s.fields %}            {% if f.taken == f.name %}{{ f.name }}{% else %}{{ f.name }}: {{ f.taken }}{% endif %},
{% endfor %}            extra: members.extra(&[{{ s.constants }}]),
        });
        members.finish(slot)
    }
}

impl wire::Serialize for {{ s.name }} {
    fn serialize<S: wire::Serializer>(&self, serializer: S) -> wire::Outcome<S::Ok, S::Error> {
        let {% if !s.members.is_empty() %}mut {% endif %}members = wire::Writer::new(serializer, &self.extra)?;
{% for m in s.members %}        {{ m.write }}
{% endfor %}        members.end()
    }
}

impl<'de> wire::Deserialize<'de> for {{ s.name }} {
    fn deserialize<D: wire::Deserializer<'de>>(deserializer: D) -> wire::Outcome<Self, D::Error> {
        wire::deserialize(deserializer)
    }
}
