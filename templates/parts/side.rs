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

/// What a {{ s.party|lowercase }} does with the messages of a {{ s.peer }}.
///
/// Each method has a default: a request is answered with -32601, method not found; a notification is ignored. The
/// futures are `Send` if those of the implementation are. A method that panics costs its own message only: a request is
/// answered with -32603, internal error.
pub trait {{ s.handler }} {
{%- for h in s.requests %}
    {{ h.doc }}
    fn {{ h.name }}(&self, params: {{ h.params }}, context: &Context) -> impl Future<Output = Handled<{{ h.result }}>> {
        let _ = (params, context);
        {{ h.default }}
    }
{% endfor %}
{%- for h in s.notifications %}
    {{ h.doc }}
    fn {{ h.name }}(&self, params: {{ h.params }}, peer: &Peer) -> impl Future<Output = ()> {
        let _ = (params, peer);
        async {}
    }
{% endfor %}
    /// A request with a method that this revision does not know, of an extension for instance.
    fn other_request(&self, method: String, params: Option<Json>, context: &Context) -> impl Future<Output = Handled<Json>> {
        let _ = (params, context);
        async move { Err(ErrorObject::method_not_found(&method)) }
    }

    /// A notification with a method that this revision does not know.
    fn other_notification(&self, method: String, params: Option<Json>, peer: &Peer) -> impl Future<Output = ()> {
        let _ = (method, params, peer);
        async {}
    }

    /// The answer to something that this side has asked.
    fn response(&self, method: &str, response: Response<{{ s.result }}>) -> impl Future<Output = ()> {
        let _ = (method, response);
        async {}
    }

    /// A message that was refused, or that answers nothing: something to log. Where it is the answer to something that
    /// this side has asked, [`Refused::answers`](mcp_wire_core::Refused::answers) has the id: no other answer will come.
    fn rejected(&self, rejection: &Rejection) {
        let _ = rejection;
    }
}

impl<H: {{ s.handler }}> wire::Handles<H> for {{ s.side }} {
    async fn request(handler: &H, request: {{ s.request }}, context: &Context) -> wire::Answer {
        match request {
        {%- for h in s.requests %}
            {{ s.request }}::{{ h.variant }}(params) => context.answer(handler.{{ h.name }}({{ h.unwrap }}, context).await),
        {%- endfor %}
            {{ s.request }}::Other { method, params } => context.answer(handler.other_request(method, params, context).await),
        }
    }

    async fn notification(handler: &H, notification: {{ s.notification }}, peer: &Peer) {
        match notification {
        {%- for h in s.notifications %}
            {{ s.notification }}::{{ h.variant }}(params) => handler.{{ h.name }}({{ h.unwrap }}, peer).await,
        {%- endfor %}
            {{ s.notification }}::Other { method, params } => handler.other_notification(method, params, peer).await,
        }
    }

    async fn response(handler: &H, method: &str, response: Response<{{ s.result }}>) {
        handler.response(method, response).await;
    }

    fn rejected(handler: &H, rejection: &Rejection) {
        handler.rejected(rejection);
    }
}
