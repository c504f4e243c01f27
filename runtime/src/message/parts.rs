//! A message is put together of the parts that its envelope holds.

use super::{Message, Rejection};
use crate::ErrorObject;
use crate::RequestId;
use crate::body::{Body, PARAMS};
use crate::envelope::{Envelope, Known, Passed, Typed};
use crate::json::{Json, JsonRef, Purpose, Reader, Stop};
use crate::misfit::{Reason, Segment, shown};
use crate::pending::Lookup;
use crate::results::Results;
use crate::rpc::{Call, ERROR, Notice, Outcome, Response};

/// The parts of a message whose types depend on the revision, and on the side that reads it.
pub(super) struct Parts<'l, R, N, T> {
    lookup: &'l dyn Lookup,
    request: Option<R>,
    notification: Option<N>,
    result: Option<T>,
}

impl<'l, R, N, T> Parts<'l, R, N, T> {
    pub(super) fn new(lookup: &'l dyn Lookup) -> Self {
        Self { lookup, request: None, notification: None, result: None }
    }
}

impl<R: Body, N: Body, T: Results> Typed for Parts<'_, R, N, T> {
    fn find(&self, method: &str) -> Option<Known> {
        R::find(method).map(Known::Request).or_else(|| N::find(method).map(Known::Notification))
    }

    fn read_params(&mut self, method: Known, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        match method {
            Known::Request(method) => {
                self.request = R::read(method, reader)?;
                Ok(self.request.is_some())
            }
            Known::Notification(method) => {
                self.notification = N::read(method, reader)?;
                Ok(self.notification.is_some())
            }
        }
    }

    fn read_result(&mut self, id: &RequestId, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        match self.lookup.method_of(id).as_deref().and_then(T::find) {
            Some(method) => {
                self.result = Some(Results::read(method, reader)?);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn forget_result(&mut self) {
        self.result = None;
    }
}

impl<R: Body, N: Body, T: Results> Parts<'_, R, N, T> {
    /// Puts the message together. All of its members are known now.
    pub(super) fn finish<B>(&mut self, envelope: &mut Envelope<'_>) -> Result<Message<R, N, T, B>, Rejection> {
        if !envelope.is_object {
            return Err(Rejection::invalid_request("Invalid request: a message is a JSON object"));
        }
        match envelope.method.take() {
            Some(method) => self.finish_method(&method, envelope),
            None => self.finish_response(envelope),
        }
    }

    fn finish_method<B>(
        &mut self,
        method: &str,
        envelope: &mut Envelope<'_>,
    ) -> Result<Message<R, N, T, B>, Rejection> {
        // Neither a result nor an error means anything beside a method.
        envelope.keep_result();
        envelope.keep_error();
        let extra = |envelope: &mut Envelope<'_>| std::mem::take(&mut envelope.extra);
        match (envelope.known, envelope.id.take()) {
            (Some(Known::Request(index)), Some(id)) => match read_body(&mut self.request, index, envelope) {
                Ok(request) => Ok(Message::Request(Call { id, request, extra: extra(envelope) })),
                Err(rejection) => Err(rejection.with_id(Some(id))),
            },
            (Some(Known::Notification(index)), None) => match read_body(&mut self.notification, index, envelope) {
                Ok(notification) => Ok(Message::Notification(Notice { notification, extra: extra(envelope) })),
                Err(rejection) => Err(rejection.unanswered()),
            },
            // A request's method without an id, a notification's with one, and methods that nobody knows.
            (_, id) => {
                let (name, params) = (method.to_owned(), envelope.params.map(Passed::to_json));
                let extra = extra(envelope);
                Ok(match id {
                    Some(id) => Message::Request(Call { id, request: R::other(name, params), extra }),
                    None => Message::Notification(Notice { notification: N::other(name, params), extra }),
                })
            }
        }
    }

    fn finish_response<B>(&mut self, envelope: &mut Envelope<'_>) -> Result<Message<R, N, T, B>, Rejection> {
        // Params mean nothing here.
        envelope.keep_params();
        let outcome = match (envelope.error, envelope.error_object.take(), envelope.result) {
            // Where both are there, one of them is `null` as a rule: the schemas do not mind a member more. Whoever gives
            // messages to a handler should.
            (_, Some(error), _) => {
                envelope.keep_result();
                Outcome::Error(*error)
            }
            (_, None, Some(result)) => {
                envelope.keep_error();
                self.outcome(result, envelope)
            }
            (Some(error), None, None) => return Err(self.unreadable_error(error, envelope)),
            (None, None, None) => return Err(self.no_message(envelope)),
        };
        let (id, extra) = (envelope.id.take(), std::mem::take(&mut envelope.extra));
        Ok(Message::Response(Response { id, outcome, extra }))
    }

    /// The result, as its request asks for it.
    fn outcome(&mut self, result: Passed<'_>, envelope: &Envelope<'_>) -> Outcome<T> {
        if let Some(result) = self.result.take() {
            return Outcome::Result(result);
        }
        let method = envelope.id.as_ref().and_then(|id| self.lookup.method_of(id));
        let read = method.as_deref().and_then(T::find).and_then(|method| {
            // It came before the id.
            Results::read(method, &mut Reader::new(result.value)).ok()
        });
        read.map_or_else(|| Outcome::Raw(result.to_json()), Outcome::Result)
    }

    #[cold]
    fn unreadable_error(&self, error: Passed<'_>, envelope: &mut Envelope<'_>) -> Rejection {
        let reason = crate::decode::explain::<ErrorObject>(JsonRef::from_valid(error.value));
        let reason = reason.within(Segment::Name(ERROR));
        let rejection = Rejection::invalid_request(format!("Invalid response: {reason}"));
        self.misanswer(rejection, Some(reason.pointer()), envelope)
    }

    #[cold]
    fn no_message(&self, envelope: &mut Envelope<'_>) -> Rejection {
        let has_method = envelope.extra.get("method").is_some();
        let problem = match has_method {
            true => "the member \"method\" is not a string",
            false => "none of the members \"method\", \"result\" and \"error\" is there",
        };
        let rejection = Rejection::invalid_request(format!("Invalid request: {problem}"));
        // A result of `undefined` leaves no trace: what has the id of a request in flight is its answer.
        let is_answer = !has_method && envelope.id.as_ref().is_some_and(|id| self.lookup.asked(id).is_some());
        match is_answer {
            true => self.misanswer(rejection, None, envelope),
            false => rejection.with_id(envelope.id.take()),
        }
    }

    /// An answer that cannot be read. The id is that of a request which the receiver has sent: it must not come back as an
    /// answer to one.
    #[cold]
    fn misanswer(&self, rejection: Rejection, pointer: Option<String>, envelope: &mut Envelope<'_>) -> Rejection {
        let id = envelope.id.take();
        let method = id.as_ref().and_then(|id| self.lookup.asked(id));
        rejection.at(method.as_deref(), pointer).with_id(id).unanswered()
    }
}

/// The params of a known method: those that have been read with the envelope, or what is there instead.
fn read_body<B: Body>(read: &mut Option<B>, method: usize, envelope: &mut Envelope<'_>) -> Result<B, Rejection> {
    match read.take() {
        Some(body) => Ok(body),
        None => read_other_body(method, envelope),
    }
}

/// The params of a known method that have not been read with the envelope.
#[cold]
fn read_other_body<B: Body>(method: usize, envelope: &mut Envelope<'_>) -> Result<B, Rejection> {
    let Some(params) = envelope.params else {
        return B::bare(method).ok_or_else(|| invalid_params::<B>(method, &Reason::missing(PARAMS)));
    };
    // They came before the method, or do not fit.
    if let Ok(Some(body)) = B::read(method, &mut Reader::new(params.value)) {
        return Ok(body);
    }
    // Some peers write `null` for nothing.
    if params.value == Json::NULL_TEXT
        && let Some(body) = B::bare(method)
    {
        envelope.keep_null_params();
        return Ok(body);
    }
    let mut reader = Reader::with_purpose(params.value, Purpose::Reason);
    let _ = B::read(method, &mut reader);
    let reason = reader.reason.map(|reason| *reason);
    let reason = reason.unwrap_or_else(|| Reason::kind("an object", JsonRef::from_valid(params.value)));
    Err(invalid_params::<B>(method, &reason.within(Segment::Name(PARAMS))))
}

#[cold]
fn invalid_params<B: Body>(method: usize, reason: &Reason) -> Rejection {
    let method = B::METHODS.get(method).copied().unwrap_or_default();
    let pointer = reason.pointer();
    let data = crate::json_object! {
        "method": method, "pointer": shown(&pointer), "expected": reason.expected(), "found": reason.found(),
    };
    let error = ErrorObject::invalid_params(format!("Invalid params: {reason}")).with_data(data);
    Rejection::new(error).at(Some(method), Some(pointer))
}
