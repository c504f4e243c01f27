//! One connection: from bytes to a handler to bytes.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use crate::check::{Checker, Violation};
use crate::decode::{shortened, shown, to_value};
use crate::flight::{Ended, Flight, Handshake, Landing};
use crate::lock::{Lock, shield, shielded};
use crate::message::{Batching, DEFAULT_BATCH_LIMIT, Message, Rejection};
use crate::method::{Body, Declared, Method, PARAMS, Params, Party, Phase, Results, Undeclared};
use crate::peer::{Answer, Context, Gate, Peer};
use crate::pending::{Asked, InFlight, Lookup, Settling};
use crate::rpc::{Call, Handled, JSONRPC, Notice, Outcome, Response};
use crate::text::method_text;
use crate::{ErrorObject, Extra, RequestId};

/// One side of a revision: what it reads, and what it sends. The generated crates have `ServerSide` and `ClientSide`.
pub trait Side {
    /// Which side it is.
    const PARTY: Party;
    /// The revision.
    const REVISION: &'static str;
    /// The revision's methods.
    const METHODS: &'static [Method];
    /// The requests it reads.
    type Request: Body;
    /// The notifications it reads.
    type Notification: Body;
    /// The results it reads.
    type Result: Results;
    /// The batches it reads.
    type Batch: Batching<Self::Request, Self::Notification, Self::Result>;
    /// The requests it sends.
    type Ask: Body;
}

/// The messages that a side reads.
pub type MessageTo<S> =
    Message<<S as Side>::Request, <S as Side>::Notification, <S as Side>::Result, <S as Side>::Batch>;

/// A side whose messages a handler `H` can take. Implemented for all handlers of the generated crates.
pub trait Handles<H: ?Sized>: Side {
    /// Answers a request.
    fn request(handler: &H, request: Self::Request, context: &Context) -> impl Future<Output = Answer>;

    /// Takes note of a notification.
    fn notification(handler: &H, notification: Self::Notification, peer: &Peer) -> impl Future<Output = ()>;

    /// Takes the answer to what this side asked with `method`.
    fn response(handler: &H, method: &str, response: Response<Self::Result>) -> impl Future<Output = ()>;

    /// Hears of a message that could not be read or answers nothing.
    fn rejected(handler: &H, rejection: &Rejection);
}

/// One connection as one side sees it: the requests in flight in both directions, and what was agreed on.
///
/// It does no input or output of its own. Bytes that arrive go into [`dispatch`](Self::dispatch), which calls a handler
/// and returns the bytes of the answer; notifications that a handler sends meanwhile go to the function that the
/// connection was made with. All methods take `&self`, so that any number of messages can be worked on at once.
pub struct Connection<S: Side> {
    peer: Peer,
    sent: Lock<InFlight>,
    received: Lock<InFlight<Arc<Flight>>>,
    next_id: AtomicU64,
    handshake: Handshake,
    needs_handshake: bool,
    takes_odd_params: bool,
    batch_limit: usize,
    side: PhantomData<fn() -> S>,
}

impl<S: Side> fmt::Debug for Connection<S> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sent, received) = (self.sent.with(|sent| sent.len()), self.received.with(|received| received.len()));
        f.debug_struct("Connection")
            .field("party", &S::PARTY)
            .field("revision", &S::REVISION)
            .field("sent", &sent)
            .field("received", &received)
            .finish_non_exhaustive()
    }
}

impl<S: Side> Connection<S> {
    /// A connection whose outgoing notifications are given to `send`, each as text on one line.
    pub fn new(send: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self {
            peer: Peer { send: Arc::new(send), gate: None },
            sent: Lock::default(),
            received: Lock::default(),
            next_id: AtomicU64::new(1),
            handshake: Handshake::default(),
            needs_handshake: false,
            takes_odd_params: false,
            batch_limit: DEFAULT_BATCH_LIMIT,
            side: PhantomData,
        }
    }

    /// Refuses what was not declared: requests that arrive are answered with -32601, and what this side sends is not
    /// sent.
    #[must_use]
    #[inline]
    pub fn with_gates(mut self, declared: Declared) -> Self {
        self.peer.gate = Some(Arc::new(Gate { declared, methods: S::METHODS, party: S::PARTY }));
        self
    }

    /// Refuses, with -32600, requests before the one that opens the connection has been answered, and a second one of
    /// that kind. Does nothing in a revision without a handshake.
    #[must_use]
    #[inline]
    pub fn with_strict_lifecycle(mut self) -> Self {
        self.needs_handshake = S::METHODS.iter().any(|method| method.phase == Phase::Handshake);
        self
    }

    /// Numbers this side's requests from `id` on. Ids must not come back in one session, even if another connection was
    /// used to open it, in another revision.
    #[must_use]
    #[inline]
    pub fn with_next_id(mut self, id: u64) -> Self {
        self.next_id = AtomicU64::new(id);
        self
    }

    /// Gives handlers params with optional members of the wrong type, too. They are in the `extra` of their owner then;
    /// without this, such a request is answered with -32602.
    #[must_use]
    #[inline]
    pub fn with_odd_params(mut self) -> Self {
        self.takes_odd_params = true;
        self
    }

    /// Reads batches of at most so many messages, instead of [`DEFAULT_BATCH_LIMIT`]. A longer one is answered with a
    /// single -32600.
    #[must_use]
    #[inline]
    pub fn with_batch_limit(mut self, limit: usize) -> Self {
        self.batch_limit = limit;
        self
    }

    /// Where notifications to the other side go.
    #[inline]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Makes a request to the other side, with an id that no other has had, and notes it as in flight.
    pub fn ask(&self, request: impl Into<S::Ask>) -> Result<(RequestId, String), Undeclared> {
        let request = request.into();
        self.peer.permits(request.method())?;
        let mut call = Call { id: self.next_id(), request, extra: Extra::new() };
        // The id is taken only if someone has used up all of them.
        loop {
            let (id, asked) = (call.id.clone(), Asked::of(&call.request, ()));
            if self.sent.with(|sent| sent.add(Arc::new(id), asked)).is_ok() {
                break;
            }
            call.id = self.next_id();
        }
        let text = call.to_text();
        Ok((call.id, text))
    }

    #[inline]
    fn next_id(&self) -> RequestId {
        self.next_id.fetch_add(1, Ordering::Relaxed).into()
    }

    /// Gives up a request to the other side, and returns the notification that says so. The answer, should it come
    /// nevertheless, is ignored. Nothing is returned for a request that is not in flight or cannot be cancelled, such as
    /// the one that opens the connection.
    #[inline]
    pub fn cancel(&self, id: &RequestId, reason: Option<&str>) -> Option<String> {
        self.sent.with(|sent| {
            let is_cancelled = sent.get(id).is_some_and(|asked| !is_handshake::<S>(&asked.method));
            is_cancelled.then(|| sent.forget(id))
        })?;
        let mut params = crate::json_object! { "requestId": id };
        if let Some(reason) = reason {
            params.insert("reason".to_owned(), reason.into());
        }
        Some(method_text(None, CANCELLED, |members| params.write(members)))
    }

    /// Takes note that a request to the other side has been answered, and returns what it was. This is for those who take
    /// responses out of the stream themselves; [`dispatch`](Self::dispatch) and [`handle`](Self::handle) do it too.
    #[inline]
    pub fn settle(&self, response: &Response<S::Result>) -> Option<Asked> {
        let (id, settling) = (response.id.as_ref()?, Settling::of(&response.outcome));
        let asked = self.sent.with(|sent| sent.end(id, settling))?;
        // The side that asks for the handshake has an open connection once the answer has come.
        if is_handshake::<S>(&asked.method) && !matches!(response.outcome, Outcome::Error(_)) {
            self.handshake.complete();
        }
        Some(asked)
    }

    /// Takes note that the answer to a request of this side has come, and cannot be read: the request is not in flight any
    /// more. This is for those who [read](Self::read) messages themselves, like [`settle`](Self::settle);
    /// [`Refused::answers`](crate::Refused::answers) tells which request it was.
    pub fn settle_refused(&self, rejection: &Rejection) -> Option<Asked> {
        let id = rejection.answers()?;
        self.sent.with(|sent| sent.end(id, Settling::Failed))
    }

    /// Reads a message. A response is read as what its request asks for.
    #[inline]
    pub fn read(&self, bytes: &[u8]) -> Result<MessageTo<S>, Rejection> {
        Message::from_slice(bytes, self)
    }

    /// From bytes to the handler to bytes: the text to send back, if any.
    ///
    /// The message is read, and taken note of, before this function returns; only the handler's work is left to the
    /// future. So messages count in the order in which they are given to `dispatch`, whenever their futures are polled:
    /// a cancellation finds the request that came before it. A future that is dropped takes its request along.
    ///
    /// A handler that panics costs its own work only, where unwinding exists: a request is answered with -32603, which says
    /// nothing of the reason, and the other messages of a batch are not touched. The panic hook reports the panic.
    pub fn dispatch<'a, H>(
        &'a self,
        handler: &'a H,
        bytes: &[u8],
    ) -> impl Future<Output = Option<String>> + use<'a, S, H>
    where
        S: Handles<H>,
        H: ?Sized,
    {
        let work = match self.read(bytes) {
            Ok(message) => self.accept(message),
            Err(rejection) => Works::one(self.reject(rejection)),
        };
        self.carry_out(handler, work)
    }

    /// Like [`dispatch`](Self::dispatch), for a message that has been [read](Self::read).
    pub fn handle<'a, H>(
        &'a self,
        handler: &'a H,
        message: MessageTo<S>,
    ) -> impl Future<Output = Option<String>> + use<'a, S, H>
    where
        S: Handles<H>,
        H: ?Sized,
    {
        let work = self.accept(message);
        self.carry_out(handler, work)
    }

    /// Tells the handler of a message that was refused, and returns the answer it deserves, if any. This is for those who
    /// refuse something themselves, such as a line that is [too long](Rejection::too_long), or [read](Self::read) messages
    /// themselves.
    pub fn refuse<H: ?Sized>(&self, handler: &H, rejection: &Rejection) -> Option<String>
    where
        S: Handles<H>,
    {
        self.settle_refused(rejection);
        shielded(|| S::rejected(handler, rejection));
        rejection.to_text()
    }

    /// Takes note of a message, of each one in a batch.
    #[inline]
    fn accept(&self, message: MessageTo<S>) -> Works<'_, S> {
        match message {
            Message::Request(call) => Works::one(self.accept_request(call, false)),
            Message::Notification(notice) => Works::one(self.accept_notification(notice)),
            Message::Response(response) => Works::one(self.accept_response(response)),
            Message::Batch(batch) => {
                let accept = |message| match message {
                    Ok(Message::Request(call)) => self.accept_request(call, true),
                    Ok(Message::Notification(notice)) => self.accept_notification(notice),
                    Ok(Message::Response(response)) => self.accept_response(response),
                    Ok(Message::Batch(never)) => match never {},
                    Err(rejection) => self.reject(rejection),
                };
                let batch = batch.into_messages().into_iter().map(accept).collect();
                Works { single: None, batch }
            }
        }
    }

    #[inline]
    fn reject(&self, rejection: Rejection) -> Work<'_, S> {
        // What was meant as an answer, but cannot be read, is an answer all the same.
        self.settle_refused(&rejection);
        Work::Rejected(rejection)
    }

    async fn carry_out<H: ?Sized>(&self, handler: &H, works: Works<'_, S>) -> Option<String>
    where
        S: Handles<H>,
    {
        let is_batch = works.single.is_none();
        let mut answers = String::new();
        for work in works.single.into_iter().chain(works.batch) {
            let answer = match work {
                Work::Request(landing, request, context) => {
                    let answer = match landing.flight.run(|| S::request(handler, request, &context)).await {
                        Ended::Done(answer) => Some(answer),
                        Ended::Panicked => Some(context.failed()),
                        Ended::Cancelled => None,
                    };
                    // The connection is open before the request that opens it is forgotten: there is no time for another.
                    if let (Some(handshake), Some(Answer { is_error: false, .. })) = (landing.handshake, &answer) {
                        handshake.complete();
                    }
                    drop(landing);
                    answer.map(|answer| answer.text)
                }
                Work::Notification(notification) => {
                    shield(|| S::notification(handler, notification, &self.peer)).await;
                    None
                }
                Work::Response(method, response) => {
                    shield(|| S::response(handler, &method, response)).await;
                    None
                }
                Work::Rejected(rejection) => self.refuse(handler, &rejection),
                Work::Nothing => None,
            };
            match answer {
                Some(answer) if !is_batch => return Some(answer),
                Some(answer) => {
                    answers.push(if answers.is_empty() { '[' } else { ',' });
                    answers.push_str(&answer);
                }
                None => {}
            }
        }
        (!answers.is_empty()).then(|| answers + "]")
    }

    #[inline]
    fn accept_request(&self, call: Call<S::Request>, in_batch: bool) -> Work<'_, S> {
        let is_handshake = is_handshake::<S>(call.request.method());
        if let Some(rejection) = self.objection(&call, is_handshake, in_batch) {
            return Work::Rejected(rejection);
        }
        if let Err(undeclared) = self.peer.accepts(call.request.method()) {
            let error = ErrorObject::method_not_found(undeclared.method);
            let error = ErrorObject { message: format!("Method not found: {undeclared}"), ..error };
            return Work::Rejected(Rejection::new(error).with_id(Some(call.id)));
        }
        if let Some(violation) = self.odd_params(&call) {
            let method = call.request.method();
            let rejection = Rejection::new(invalid_params(method, Some(&violation)));
            let rejection = rejection.at(Some(method), Some(violation.pointer.to_string()));
            return Work::Rejected(rejection.with_id(Some(call.id)));
        }
        let flight = Arc::new(Flight::default());
        let (id, request) = (Arc::new(call.id), call.request);
        let asked = Asked::of(&request, Arc::clone(&flight));
        if let Err(duplicate) = self.received.with(|received| received.add(Arc::clone(&id), asked)) {
            let rejection = Rejection::invalid_request(format!("Invalid request: {duplicate}"));
            return Work::Rejected(rejection.with_id(Some(duplicate.0)));
        }
        let mut landing =
            Landing { received: &self.received, id: Arc::clone(&id), flight: Arc::clone(&flight), handshake: None };
        if is_handshake && self.needs_handshake {
            // Of several that have come this far at once, one is taken.
            if !self.handshake.begin() {
                return Work::Rejected(met_already(request.method()).with_id(Some(id.as_ref().clone())));
            }
            landing.handshake = Some(&self.handshake);
        }
        let context = Context { peer: self.peer.clone(), progress_token: request.progress_token(), id, flight };
        Work::Request(landing, request, context)
    }

    /// What speaks against a request that can be read.
    #[inline]
    fn objection(&self, call: &Call<S::Request>, handshake: bool, in_batch: bool) -> Option<Rejection> {
        let method = call.request.method();
        let problem = if let Some(version) = wrong_version(&call.extra) {
            version
        } else if handshake && in_batch {
            format!("Invalid request: `{method}` must not be part of a batch")
        } else if self.needs_handshake && handshake && self.handshake.has_come() {
            return Some(met_already(method).with_id(Some(call.id.clone())));
        } else if self.needs_handshake && !handshake && !self.handshake.is_done() {
            let phase = Method::find(S::METHODS, method).map_or(Phase::Operation, |method| method.phase);
            match phase {
                Phase::Any => return None,
                _ => format!("Invalid request: `{method}` came before the connection was opened"),
            }
        } else {
            return None;
        };
        Some(Rejection::invalid_request(problem).with_id(Some(call.id.clone())))
    }

    /// Params that could be read, but not all of them in the place they belong to. What a handler would not see, it
    /// would not obey. Formats and ranges of values are for the handler to judge.
    #[inline]
    fn odd_params(&self, call: &Call<S::Request>) -> Option<Violation> {
        if self.takes_odd_params {
            return None;
        }
        Checker::first_of(|checker| call.request.inspect(checker))
    }

    #[inline]
    fn accept_notification(&self, notice: Notice<S::Notification>) -> Work<'_, S> {
        if notice.extra.get("id").is_some() {
            let problem = "Invalid request: an id is a string, or an integer of at most 64 bits";
            return Work::Rejected(Rejection::invalid_request(problem));
        }
        if let Some(version) = wrong_version(&notice.extra) {
            return Work::Rejected(Rejection::invalid_request(version).unanswered());
        }
        if self.peer.accepts(notice.notification.method()).is_err() {
            return Work::Nothing;
        }
        if let Some(id) = notice.notification.cancels() {
            let flight = self.received.with(|received| {
                let asked = received.get(id).filter(|asked| !is_handshake::<S>(&asked.method))?;
                Some(Arc::clone(&asked.memo))
            });
            if let Some(flight) = flight {
                flight.cancel();
            }
        }
        Work::Notification(notice.notification)
    }

    #[inline]
    fn accept_response(&self, response: Response<S::Result>) -> Work<'_, S> {
        let asked = self.settle(&response);
        // One of the two may be `null`, and means nothing then.
        let is_there = |name: &str| response.extra.get(name).is_some_and(|value| !value.is_null());
        if is_there("result") || is_there("error") {
            let problem = "Invalid response: both \"result\" and \"error\" are there";
            let method = asked.as_ref().map(|asked| &*asked.method);
            let rejection = Rejection::invalid_request(problem).at(method, None).unanswered();
            let rejection = rejection.with_id(response.id.clone());
            return Work::Rejected(rejection.with_value(Some(to_value(&response))));
        }
        if let Some(asked) = asked {
            return Work::Response(asked.method, response);
        }
        let id = response.id.as_ref().map_or_else(|| "none".to_owned(), RequestId::to_string);
        let problem = format!("A response that nobody waits for, id {}", shortened(&id));
        drop(id);
        let rejection = Rejection::invalid_request(problem);
        Work::Rejected(rejection.unanswered().with_value(Some(to_value(&response))))
    }
}

/// What is left to do about a message that has been taken note of.
enum Work<'a, S: Side> {
    Request(Landing<'a>, S::Request, Context),
    Notification(S::Notification),
    Response(Cow<'static, str>, Response<S::Result>),
    Rejected(Rejection),
    Nothing,
}

/// One message as a rule, which costs no list.
struct Works<'a, S: Side> {
    single: Option<Work<'a, S>>,
    batch: Vec<Work<'a, S>>,
}

impl<'a, S: Side> Works<'a, S> {
    #[inline]
    fn one(work: Work<'a, S>) -> Self {
        Self { single: Some(work), batch: Vec::new() }
    }
}

impl<S: Side> Lookup for Connection<S> {
    #[inline]
    fn method_of(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.sent.with(|sent| sent.method_of(id))
    }

    #[inline]
    fn asked(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.sent.with(|sent| sent.asked(id))
    }

    #[inline]
    fn batch_limit(&self) -> usize {
        self.batch_limit
    }
}

const CANCELLED: &str = "notifications/cancelled";

fn is_handshake<S: Side>(method: &str) -> bool {
    S::METHODS.iter().any(|row| row.phase == Phase::Handshake && row.name == method)
}

#[cold]
fn met_already(method: &str) -> Rejection {
    Rejection::invalid_request(format!("Invalid request: `{method}` must not come twice"))
}

#[inline]
fn wrong_version(extra: &Extra) -> Option<String> {
    (extra.is_omitted(JSONRPC) || extra.get(JSONRPC).is_some())
        .then(|| "Invalid request: the member \"jsonrpc\" must be \"2.0\"".to_owned())
}

/// The default answer of a handler.
#[doc(hidden)]
pub async fn unsupported<T>(method: &'static str) -> Handled<T> {
    Err(ErrorObject::method_not_found(method))
}

/// The method and the params of an embedded request that no variant describes. One whose method is known has params
/// that do not fit, which is an error.
#[doc(hidden)]
pub fn embedded(
    mut value: Value,
    known: &[&str],
    check: impl FnOnce(Value) -> Vec<Violation>,
) -> Handled<(String, Option<Value>)> {
    let method = value.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
    if known.contains(&method.as_str()) {
        return Err(invalid_params(&method, check(value).first()));
    }
    let params = value.as_object_mut().and_then(|members| members.remove(PARAMS));
    Ok((method, params))
}

/// The error for params that depart from the schema.
#[cold]
fn invalid_params(method: &str, violation: Option<&Violation>) -> ErrorObject {
    let Some(violation) = violation else { return ErrorObject::invalid_params("Invalid params") };
    ErrorObject::invalid_params(format!("Invalid params: {violation}")).with_data(crate::json_object! {
        "method": method,
        "pointer": shown(&violation.pointer),
        "expected": violation.expected,
        "found": violation.found,
    })
}
