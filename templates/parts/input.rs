/// What a client does with the requests that a server embeds in a result, to be answered when the client asks again.
///
/// Each method has a default: the error -32601, method not found. There is no message to send that error in; it tells
/// the caller why the client cannot go on.
pub trait {{ i.handler }} {
{%- for h in i.methods %}
    {{ h.doc }}
    fn {{ h.name }}(&self, params: {{ h.params }}) -> impl Future<Output = Handled<{{ h.result }}>> {
        let _ = params;
        {{ h.default }}
    }
{% endfor %}
    /// A request with a method that this revision does not know.
    fn other_request(&self, method: String, params: Option<Json>) -> impl Future<Output = Handled<Json>> {
        let _ = params;
        async move { Err(ErrorObject::method_not_found(&method)) }
    }

    /// Answers one embedded request. One that is known, but does not have the shape it should have, is an error.
    fn answer_input(&self, request: {{ i.union }}) -> impl Future<Output = Handled<{{ i.response }}>> {
        async move {
            match request {
            {%- for h in i.methods %}
                {{ i.union }}::{{ h.variant }}(request) => self.{{ h.name }}(request.params).await.map(Into::into),
            {%- endfor %}
                {{ i.union }}::Unknown(value) => {
                    let known = [{% for h in i.methods %}{{ h.method }}, {% endfor %}];
                    let (method, params) = wire::embedded(value, &known, |value| {{ i.union }}::Unknown(value).check())?;
                    self.other_request(method, params).await.map({{ i.response }}::Unknown)
                }
            }
        }
    }
{% if let Some((requests, responses)) = i.maps %}
    /// Answers all embedded requests, under the keys they came with.
    fn answer_inputs(&self, requests: {{ requests }}) -> impl Future<Output = Handled<{{ responses }}>> {
        async move {
            let mut responses = {{ responses }}::default();
            for (key, request) in requests {
                responses.insert(key, self.answer_input(request).await?);
            }
            Ok(responses)
        }
    }
{% endif %}
}
