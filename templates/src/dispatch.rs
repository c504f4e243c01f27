// {{ c.header }}

//! Messages by method, and the handlers that take them.

use std::future::Future;

use crate::*;
use mcp_wire_core::__private as wire;
use mcp_wire_core::{ErrorObject, Json, Method, Party};
{% for s in d.sides %}
/// What a {{ s.peer }} sends, as the other side reads it.
pub type {{ s.message }} = mcp_wire_core::Message<{{ s.request }}, {{ s.notification }}, {{ s.result }}{% if d.has_batches %}, {{ s.batch }}{% endif %}>;
{% endfor %}
{% for b in d.bodies %}
{% include "parts/body.rs" %}
{% endfor %}
{% for r in d.results %}
{% include "parts/results.rs" %}
{% endfor %}
{% for s in d.sides %}
{% include "parts/side.rs" %}
{% endfor %}
{% if let Some(i) = d.input %}
{% include "parts/input.rs" %}
{% endif %}
{% if let Some(error) = d.error %}
impl From<{{ error }}> for ErrorObject {
    fn from(error: {{ error }}) -> Self {
        let mut object = Self::new(error.code, error.message);
        object.data = error.data;
        object.extra = error.extra;
        object
    }
}

impl From<ErrorObject> for {{ error }} {
    fn from(object: ErrorObject) -> Self {
        Self { code: object.code, message: object.message, data: object.data, extra: object.extra }
    }
}
{% endif %}
