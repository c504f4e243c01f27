{% for line in e.doc %}/// {{ line }}
{% endfor %}#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum {{ e.name }} {
{% for v in e.values %}    /// {{ v.shown }}
    {{ v.name }},
{% endfor %}{% if e.open %}    /// Any other value, which is valid as well.
{% else %}    /// A value that this revision does not define, kept as it came.
{% endif %}    Unknown(String),
}

impl {{ e.name }} {
    /// The value on the wire.
    #[inline]
    pub fn as_str(&self) -> &str {
        match self {
{% for v in e.values %}            Self::{{ v.name }} => {{ v.wire }},
{% endfor %}            Self::Unknown(value) => value,
        }
    }

    /// The variant of a known value.
    #[inline]
    fn known(value: &str) -> Option<Self> {
        match value {
{% for v in e.values %}            {{ v.wire }} => Some(Self::{{ v.name }}),
{% endfor %}            _ => None,
        }
    }
{% if e.ordered %}
    /// The place of a known value in the order of all, from 0.
    #[inline]
    pub fn rank(&self) -> Option<usize> {
        match self {
{% for v in e.values %}            Self::{{ v.name }} => Some({{ loop.index0 }}),
{% endfor %}            Self::Unknown(_) => None,
        }
    }
{% endif %}
    /// Lists the ways in which this value departs from the schema, up to [`Violation::LIMIT`]; none means that it conforms.
    #[inline]
    pub fn check(&self) -> Vec<Violation> {
        wire::Checker::run(self)
    }
}

impl wire::Wire for {{ e.name }} {
    const EXPECTED: &'static str = {{ e.expected }};

    fn decode<'de, D: wire::Deserializer<'de>>(deserializer: D) -> wire::Decoded<Self, D::Error> {
        wire::decode_text(deserializer)
    }

    #[inline]
    fn convert(value: wire::Value) -> wire::Fit<Self> {
        wire::convert_text(value)
    }

    #[inline]
    fn placeholder() -> Self {
        Self::Unknown(String::new())
    }
{% if e.open %}
    #[inline]
    fn inspect(&self, _: &mut wire::Checker) {}
{% else %}
    #[inline]
    fn inspect(&self, checker: &mut wire::Checker) {
        if let Self::Unknown(value) = self
            && Self::known(value).is_none()
        {
            checker.unknown_value({{ e.known }}, value);
        }
    }
{% endif %}
    #[inline]
    fn variant_name(&self) -> Option<&'static str> {
        match self {
{% for v in e.values %}            Self::{{ v.name }} => Some("{{ v.name }}"),
{% endfor %}            Self::Unknown(_) => Some(wire::UNKNOWN),
        }
    }
}

impl From<&str> for {{ e.name }} {
    #[inline]
    fn from(value: &str) -> Self {
        Self::known(value).unwrap_or_else(|| Self::Unknown(value.to_owned()))
    }
}

impl From<String> for {{ e.name }} {
    #[inline]
    fn from(value: String) -> Self {
        Self::known(&value).unwrap_or(Self::Unknown(value))
    }
}

impl std::fmt::Display for {{ e.name }} {
    #[inline]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}
{% if e.ordered %}
/// Known values have an order; an unknown one is comparable with itself only.
impl PartialOrd for {{ e.name }} {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self.rank(), other.rank()) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => (self == other).then_some(std::cmp::Ordering::Equal),
        }
    }
}
{% endif %}
impl wire::Serialize for {{ e.name }} {
    fn serialize<S: wire::Serializer>(&self, serializer: S) -> wire::Outcome<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> wire::Deserialize<'de> for {{ e.name }} {
    fn deserialize<D: wire::Deserializer<'de>>(deserializer: D) -> wire::Outcome<Self, D::Error> {
        wire::deserialize(deserializer)
    }
}
