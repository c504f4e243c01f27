/// The side of a {{ s.party|lowercase }}: what it reads and what it sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum {{ s.side }} {}

impl mcp_wire_core::Side for {{ s.side }} {
    const PARTY: Party = Party::{{ s.party }};
    const REVISION: &'static str = crate::REVISION;
    const METHODS: &'static [Method] = crate::METHODS;
    type Request = {{ s.request }};
    type Notification = {{ s.notification }};
    type Result = {{ s.result }};
    type Batch = {{ s.batch }};
    type Ask = {{ s.ask }};
}

wire::handler! {
    /// What a {{ s.party|lowercase }} does with the messages of a {{ s.peer }}.
    {{ s.handler }}, {{ s.local_handler }}, {{ s.dyn_handler }} for {{ s.side }},
    requests {{ s.request }} {
    {%- for h in s.requests %}
        {{ h.doc|trim|indent(8) }}
        {{ h.variant }} => {{ h.name }}({{ h.params }}) -> {{ h.result }} = {{ h.default }},
    {% endfor %}
    }
    notifications {{ s.notification }} {
    {%- for h in s.notifications %}
        {{ h.doc|trim|indent(8) }}
        {{ h.variant }} => {{ h.name }}({{ h.params }}),
    {% endfor %}
    }
    results {{ s.result }}
}
