/// What a client does with the requests that a server embeds in a result, to be answered when the client asks again.
///
/// Each method has a default: the error -32601, method not found. There is no message to send that error in; it tells
/// the caller why the client cannot go on.
pub trait InputHandler {
{% for h in i.methods %}{% for line in h.doc %}    /// {{ line }}
{% endfor %}    fn {{ h.name }}(&self, params: {{ h.params }}) -> impl Future<Output = Handled<{{ h.result }}>> {
        let _ = params;
        {{ h.default }}
    }

{% endfor %}    /// A request with a method that this revision does not know.
    fn other_request(&self, method: String, params: Option<Value>) -> impl Future<Output = Handled<Value>> {
        let _ = params;
        async move { Err(ErrorObject::method_not_found(&method)) }
    }

    /// Answers one embedded request. One that is known, but does not have the shape it should have, is an error.
    fn answer_input(&self, request: crate::{{ i.union }}) -> impl Future<Output = Handled<crate::{{ i.response }}>> {
        async move {
            match request {
{% for h in i.methods %}                crate::{{ i.union }}::{{ h.variant }}(request) => self.{{ h.name }}(request.params).await.map(Into::into),
{% endfor %}                crate::{{ i.union }}::Unknown(value) => {
                    let known = [{% for h in i.methods %}{{ h.method }}, {% endfor %}];
                    let (method, params) = wire::embedded(value, &known, |value| crate::{{ i.union }}::Unknown(value).check())?;
                    self.other_request(method, params).await.map(crate::{{ i.response }}::Unknown)
                }
            }
        }
    }
{% match i.requests %}{% when Some with (requests) %}{% match i.responses %}{% when Some with (responses) %}
    /// Answers all embedded requests, under the keys they came with.
    fn answer_inputs(&self, requests: crate::{{ requests }}) -> impl Future<Output = Handled<crate::{{ responses }}>> {
        async move {
            let mut responses = crate::{{ responses }}::default();
            for (key, request) in requests {
                responses.insert(key, self.answer_input(request).await?);
            }
            Ok(responses)
        }
    }
{% when None %}{% endmatch %}{% when None %}{% endmatch %}}

