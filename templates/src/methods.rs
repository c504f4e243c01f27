// {{ c.header }}

//! Every method: who sends it, what it carries, what answers it, what must have been declared.

use crate::*;
use mcp_wire_core::{Method, MethodKind, Notification, Party, Phase, Request};

/// All methods, sorted by name.
pub const METHODS: &[Method] = &[
{%- for m in d.rows %}
    Method {
        name: {{ m.name }},
        kind: MethodKind::{{ m.kind }},
        senders: {{ m.senders }},
        params: {{ m.params }},
        params_required: {{ m.params_required }},
        results: &[{{ m.results }}],
        client_capability: {{ m.client_capability }},
        server_capability: {{ m.server_capability }},
        phase: Phase::{{ m.phase }},
        deprecated: {{ m.deprecated }},
    },
{%- endfor %}
];

/// The row of a method.
#[inline]
pub fn method(name: &str) -> Option<&'static Method> {
    Method::find(METHODS, name)
}
{% for r in d.requests %}
impl Request for {{ r.message }} {
    const METHOD: &'static str = {{ r.method }};
    const SENDERS: &'static [Party] = {{ r.senders }};
    type Params = {{ r.params }};
    type Result = {{ r.result }};
}
{% endfor %}
{% for n in d.notifications %}
impl Notification for {{ n.message }} {
    const METHOD: &'static str = {{ n.method }};
    const SENDERS: &'static [Party] = {{ n.senders }};
    type Params = {{ n.params }};
}
{% endfor %}
