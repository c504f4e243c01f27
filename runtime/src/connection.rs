//! One connection: from bytes to a handler to bytes.

mod accept;
mod side;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use crate::ask::{self, AskError, Sent, Waiter};
use crate::body::Body;
use crate::flight::{Arrivals, Ended, Flight};
use crate::lock::{Lock, shield, shielded};
use crate::message::{Batching, DEFAULT_BATCH_LIMIT, Message, Rejection};
use crate::method::{Declared, Phase, Undeclared};
use crate::peer::{Answer, Peer};
use crate::pending::{Asked, Lookup, Settling};
use crate::rpc::{Call, Outcome, Response};
use crate::{Extra, RequestId};

pub use side::{Handles, MessageTo, Side, embedded, unsupported};

use accept::{Work, Works};
use side::invalid_params;

/// One connection as one side sees it: the requests in flight in both directions, and what was agreed on.
///
/// It does no input or output of its own. Bytes that arrive go into [`dispatch`](Self::dispatch), which calls a handler
/// and returns the bytes of the answer; notifications that a handler sends meanwhile go to the function that the
/// connection was made with. All methods take `&self`, so that any number of messages can be worked on at once.
pub struct Connection<S: Side> {
    peer: Peer,
    arrivals: Arc<Arrivals>,
    needs_handshake: bool,
    takes_odd_params: bool,
    batch_limit: usize,
    side: PhantomData<fn() -> S>,
}

impl<S: Side> fmt::Debug for Connection<S> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sent, received) =
            (self.sent().with(|sent| sent.requests.len()), self.arrivals.received.with(|received| received.len()));
        f.debug_struct("Connection")
            .field("party", &S::PARTY)
            .field("revision", &S::REVISION)
            .field("sent", &sent)
            .field("received", &received)
            .finish_non_exhaustive()
    }
}

impl<S: Side> Connection<S> {
    /// A connection whose outgoing notifications and requests are given to `send`, each as text on one line.
    pub fn new(send: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self {
            peer: Peer::new::<S>(send),
            arrivals: Arc::default(),
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
        self.peer = self.peer.with(|shared| shared.declare(declared));
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
        self.peer = self.peer.with(|shared| shared.number_from(id));
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

    /// Lets so many requests wait for their answers at once, instead of [`DEFAULT_ASK_LIMIT`](crate::DEFAULT_ASK_LIMIT).
    /// Beyond it, [`Peer::ask`] ends with [`AskError::TooMany`].
    #[must_use]
    #[inline]
    pub fn with_ask_limit(mut self, limit: usize) -> Self {
        self.peer = self.peer.with(|shared| shared.limit_asks(limit));
        self
    }

    /// The other side: where notifications and questions to it go.
    #[inline]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    #[inline]
    fn sent(&self) -> &Lock<Sent> {
        &self.peer.shared.sent
    }

    /// Makes a request to the other side, with an id that no other has had, and notes it as in flight. It is for the caller
    /// to send it, and to [settle](Self::settle) it; [`Peer::ask`] does all of that.
    pub fn ask(&self, request: impl Into<S::Ask>) -> Result<(RequestId, String), Undeclared> {
        let request = request.into();
        self.peer.permits(request.method())?;
        let mut call = Call { id: self.peer.next_id(), request, extra: Extra::new() };
        // The id is taken only if someone has used up all of them.
        loop {
            let (id, asked) = (call.id.clone(), Asked::of(&call.request, None));
            if self.sent().with(|sent| sent.requests.add(Arc::new(id), asked)).is_ok() {
                break;
            }
            call.id = self.peer.next_id();
        }
        let text = call.to_text();
        Ok((call.id, text))
    }

    /// Gives up a request to the other side, and returns the notification that says so. The answer, should it come
    /// nevertheless, is ignored. Nothing is returned for a request that is not in flight or cannot be cancelled, such as
    /// the one that opens the connection.
    #[inline]
    pub fn cancel(&self, id: &RequestId, reason: Option<&str>) -> Option<String> {
        let asked = self.sent().with(|sent| {
            let is_cancelled = sent.requests.get(id).is_some_and(|asked| !is_handshake::<S>(&asked.method));
            if is_cancelled { sent.requests.forget(id) } else { None }
        })?;
        if let Some(waiter) = asked.memo {
            waiter.answer(Err(AskError::Cancelled));
        }
        Some(ask::cancelled(id, reason))
    }

    /// Ends the connection, because no more messages will come: whoever waits for an answer gets
    /// [`AskError::Closed`], and what is being worked on is cancelled. A connection that is dropped does the same.
    pub fn close(&self) {
        let waiters = self.sent().with(Sent::close);
        for waiter in waiters {
            waiter.answer(Err(AskError::Closed));
        }
        let flights: Vec<Arc<Flight>> =
            self.arrivals.received.with(|received| received.iter().map(|(_, asked)| Arc::clone(&asked.memo)).collect());
        for flight in flights {
            flight.cancel();
        }
    }

    /// Takes note that a request to the other side has been answered, and returns what it was. This is for those who take
    /// responses out of the stream themselves; [`dispatch`](Self::dispatch) and [`handle`](Self::handle) do it too.
    #[inline]
    pub fn settle(&self, response: &Response<S::Result>) -> Option<Asked> {
        let asked = self.end(response)?;
        let (asked, waiter) = asked.split();
        if let Some(waiter) = waiter {
            waiter.answer(ask::answer_of(&response.outcome));
        }
        Some(asked)
    }

    /// Forgets the request that a response answers.
    fn end(&self, response: &Response<S::Result>) -> Option<Asked<Option<Arc<Waiter>>>> {
        let (id, settling) = (response.id.as_ref()?, Settling::of(&response.outcome));
        let asked = self.sent().with(|sent| sent.end(id, settling))?;
        // The side that asks for the handshake has an open connection once the answer has come.
        if is_handshake::<S>(&asked.method) && !matches!(response.outcome, Outcome::Error(_)) {
            self.arrivals.handshake.complete();
        }
        Some(asked)
    }

    /// Takes note that the answer to a request of this side has come, and cannot be read: the request is not in flight any
    /// more. This is for those who [read](Self::read) messages themselves, like [`settle`](Self::settle);
    /// [`Refused::answers`](crate::Refused::answers) tells which request it was.
    pub fn settle_refused(&self, rejection: &Rejection) -> Option<Asked> {
        let id = rejection.answers()?;
        let (asked, waiter) = self.sent().with(|sent| sent.end(id, Settling::Failed))?.split();
        if let Some(waiter) = waiter {
            waiter.answer(Err(ask::misanswer(rejection)));
        }
        Some(asked)
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
    /// The handler may be given as `&H` or as `Arc<H>`. With an `Arc` the future borrows nothing, and can be spawned:
    /// `tokio::spawn(connection.dispatch(Arc::clone(&handler), line))`.
    ///
    /// A handler that panics costs its own work only, where unwinding exists: a request is answered with -32603, which says
    /// nothing of the reason, and the other messages of a batch are not touched. The panic hook reports the panic.
    pub fn dispatch<P>(&self, handler: P, bytes: &[u8]) -> impl Future<Output = Option<String>> + use<S, P>
    where
        P: Deref,
        S: Handles<P::Target>,
    {
        let works = match self.read(bytes) {
            Ok(message) => self.accept(message),
            Err(rejection) => Works::one(self.reject(rejection)),
        };
        carry_out(self.peer.clone(), handler, works)
    }

    /// Like [`dispatch`](Self::dispatch), for a message that has been [read](Self::read).
    pub fn handle<P>(&self, handler: P, message: MessageTo<S>) -> impl Future<Output = Option<String>> + use<S, P>
    where
        P: Deref,
        S: Handles<P::Target>,
    {
        carry_out(self.peer.clone(), handler, self.accept(message))
    }

    /// Tells the handler of a message that was refused, and returns the answer it deserves, if any. This is for those who
    /// refuse something themselves, such as a line that is [too long](Rejection::too_long), or [read](Self::read) messages
    /// themselves.
    pub fn refuse<H: ?Sized>(&self, handler: &H, rejection: &Rejection) -> Option<String>
    where
        S: Handles<H>,
    {
        self.settle_refused(rejection);
        refuse::<S, H>(handler, rejection)
    }

    /// Takes note of a message, of each one in a batch.
    #[inline]
    fn accept(&self, message: MessageTo<S>) -> Works<S> {
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
    fn reject(&self, rejection: Rejection) -> Work<S> {
        // What was meant as an answer, but cannot be read, is an answer all the same.
        self.settle_refused(&rejection);
        Work::Rejected(rejection)
    }
}

/// Does the work on messages that have been taken note of.
async fn carry_out<S, P>(peer: Peer, handler: P, works: Works<S>) -> Option<String>
where
    P: Deref,
    S: Handles<P::Target>,
{
    let is_batch = works.single.is_none();
    let mut answers = String::new();
    for work in works.single.into_iter().chain(works.batch) {
        let handler = &*handler;
        let answer = match work {
            Work::Request(landing, request, context) => {
                let answer = match landing.flight.run(|| S::request(handler, request, &context)).await {
                    Ended::Done(answer) => Some(answer),
                    Ended::Panicked => Some(context.failed()),
                    Ended::Cancelled => None,
                };
                // The connection is open before the request that opens it is forgotten: there is no time for another.
                if let (true, Some(Answer { is_error: false, .. })) = (landing.opens, &answer) {
                    landing.arrivals.handshake.complete();
                }
                drop(landing);
                answer.map(|answer| answer.text)
            }
            Work::Notification(notification) => {
                shield(|| S::notification(handler, notification, &peer)).await;
                None
            }
            Work::Response(method, response) => {
                shield(|| S::response(handler, &method, response)).await;
                None
            }
            Work::Rejected(rejection) => refuse::<S, _>(handler, &rejection),
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

/// Tells a handler of a message that was refused. The answer that it deserves.
fn refuse<S: Handles<H>, H: ?Sized>(handler: &H, rejection: &Rejection) -> Option<String> {
    shielded(|| S::rejected(handler, rejection));
    rejection.to_text()
}

impl<S: Side> Drop for Connection<S> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<S: Side> Lookup for Connection<S> {
    /// Nothing where somebody waits for the answer: they know best what they have asked.
    #[inline]
    fn method_of(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.sent().with(|sent| if sent.is_awaited(id) { None } else { sent.requests.method_of(id) })
    }

    #[inline]
    fn asked(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.sent().with(|sent| sent.requests.asked(id))
    }

    #[inline]
    fn batch_limit(&self) -> usize {
        self.batch_limit
    }
}

fn is_handshake<S: Side>(method: &str) -> bool {
    S::METHODS.iter().any(|row| row.phase == Phase::Handshake && row.name == method)
}
