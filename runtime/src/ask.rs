//! Asking the other side, and waiting for the answer.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll, Waker};

use crate::body::{CANCELLED, Params};
use crate::decode::Wire;
use crate::error::from_str;
use crate::flight::{Flight, Watch};
use crate::json::Json;
use crate::lock::{Lock, shielded, unlocked};
use crate::message::Rejection;
use crate::method::{Method, Party, Phase, Request, Undeclared};
use crate::misfit::describe;
use crate::peer::Peer;
use crate::pending::{Asked, InFlight, Settling};
use crate::rpc::{Outcome, method_text};
use crate::write::to_string;
use crate::{ErrorObject, RequestId};

/// What this side has asked and the other has not answered.
#[derive(Default)]
pub(crate) struct Sent {
    pub(crate) requests: InFlight<Option<Arc<Waiter>>>,
    is_closed: bool,
}

/// How many requests may wait for their answers at once, unless another limit is set: 10,000.
pub const DEFAULT_ASK_LIMIT: usize = 10_000;

/// One who waits for the answer to a request.
#[derive(Debug, Default)]
pub(crate) struct Waiter(Lock<Waiting>);

#[derive(Default)]
struct Waiting {
    answer: Option<Result<Json, AskError>>,
    waker: Option<Waker>,
}

impl Waiter {
    /// Gives the answer. Whoever takes the waiter out of the table calls this once.
    pub(crate) fn answer(&self, answer: Result<Json, AskError>) {
        let waker = self.0.with(|waiting| {
            waiting.answer = Some(answer);
            waiting.waker.take()
        });
        if let Some(waker) = waker {
            shielded(|| waker.wake());
        }
    }

    fn poll(&self, task: &mut Task<'_>) -> Poll<Result<Json, AskError>> {
        let is_known = |waiting: &mut Waiting| match waiting.answer.take() {
            Some(answer) => Err(answer),
            None => Ok(waiting.waker.as_ref().is_some_and(|known| known.will_wake(task.waker()))),
        };
        match self.0.with(is_known) {
            Err(answer) => return Poll::Ready(answer),
            Ok(true) => return Poll::Pending,
            Ok(false) => {}
        }
        let waker = unlocked(|| task.waker().clone());
        // An answer that has come meanwhile has found no waker.
        let (answer, unneeded) = self.0.with(|waiting| match waiting.answer.take() {
            Some(answer) => (Some(answer), Some(waker)),
            None => (None, waiting.waker.replace(waker)),
        });
        unlocked(|| drop(unneeded));
        answer.map_or(Poll::Pending, Poll::Ready)
    }
}

/// Why a request of this side was not answered with a result.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AskError {
    /// The other side has answered with an error.
    Refused(ErrorObject),
    /// There is an answer, and it cannot be read. No other will come.
    Unreadable {
        /// What is wrong with it.
        reason: String,
        /// The result, or the whole message where that is malformed.
        answer: Option<Json>,
    },
    /// A capability that the request needs has not been declared. Nothing has been sent.
    Undeclared(Undeclared),
    /// The request has been cancelled, or the one that it was made for.
    Cancelled,
    /// The connection has been closed.
    Closed,
    /// So many requests wait for answers that this one has not been sent.
    TooMany,
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => fmt::Display::fmt(error, f),
            Self::Unreadable { reason, .. } => write!(f, "the answer cannot be read: {reason}"),
            Self::Undeclared(undeclared) => fmt::Display::fmt(undeclared, f),
            Self::Cancelled => f.write_str("the request has been cancelled"),
            Self::Closed => f.write_str("the connection has been closed"),
            Self::TooMany => f.write_str("too many requests wait for answers"),
        }
    }
}

impl std::error::Error for AskError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(error) => Some(error),
            Self::Undeclared(undeclared) => Some(undeclared),
            _ => None,
        }
    }
}

/// A handler that cannot go on without an answer has failed: -32603, with what went wrong.
impl From<AskError> for ErrorObject {
    fn from(error: AskError) -> Self {
        Self::internal(error.to_string())
    }
}

/// A request to the other side: a future that gives the result.
///
/// The request is sent when the future is polled for the first time. The future always ends: with the result, with the
/// other side's error, with an answer that cannot be read, when the connection is [closed](crate::Connection::close), or when
/// the request is cancelled that it was made for. One that is dropped before tells the other side that the request is
/// cancelled, where the revision knows such a notification. So the time limit of any runtime does the right thing.
#[must_use = "nothing is sent before it is awaited"]
pub struct Ask<R: Request> {
    asking: Asking,
    /// Until the request is sent.
    params: Option<R::Params>,
}

/// Nothing in it refers to itself.
impl<R: Request> Unpin for Ask<R> {}

impl<R: Request> Ask<R> {
    pub(crate) fn new(peer: Peer, flight: Option<Arc<Flight>>, params: R::Params) -> Self {
        Self { asking: Asking { peer, watch: flight.map(Watch::new), request: None }, params: Some(params) }
    }
}

impl<R: Request> fmt::Debug for Ask<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask").field("method", &R::METHOD).finish_non_exhaustive()
    }
}

impl<R: Request> Future for Ask<R> {
    type Output = Result<R::Result, AskError>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        if let Some(params) = self.params.take() {
            let text = |id: &RequestId| method_text(Some(id), R::METHOD, |members| params.write(members));
            if let Err(error) = self.asking.start(R::METHOD, &text) {
                return Poll::Ready(Err(error));
            }
        }
        self.asking.poll(task).map(|answer| {
            let answer = answer?;
            let unreadable = |reason| AskError::Unreadable { reason, answer: Some(answer.clone()) };
            // Types that may be one thing or another keep whatever comes.
            if !answer.as_ref().is_object() {
                return Err(unreadable(format!("expected an object, found {}", describe(answer.as_ref()))));
            }
            from_str(answer.text()).map_err(|error| unreadable(error.to_string()))
        })
    }
}

/// The part of asking that is the same for all requests.
struct Asking {
    peer: Peer,
    /// The request that this one is made for.
    watch: Option<Watch<Arc<Flight>>>,
    /// From when it has been sent until it is answered.
    request: Option<(Arc<RequestId>, &'static str, Arc<Waiter>)>,
}

impl Asking {
    /// Takes note of the request, and sends it.
    fn start(&mut self, method: &'static str, text: &dyn Fn(&RequestId) -> String) -> Result<(), AskError> {
        self.peer.permits(method).map_err(AskError::Undeclared)?;
        if self.watch.as_ref().is_some_and(Watch::is_cancelled) {
            return Err(AskError::Cancelled);
        }
        let waiter = Arc::new(Waiter::default());
        let id = self.peer.note(method, &waiter)?;
        let text = text(&id);
        self.request = Some((id, method, waiter));
        self.peer.send(text);
        Ok(())
    }

    fn poll(&mut self, task: &mut Task<'_>) -> Poll<Result<Json, AskError>> {
        let Some((_, _, waiter)) = &self.request else {
            // Whoever polls a future that has ended gets no other answer.
            return Poll::Ready(Err(AskError::Cancelled));
        };
        if let Poll::Ready(answer) = waiter.poll(task) {
            self.request = None;
            return Poll::Ready(answer);
        }
        match self.watch.as_mut().map(|watch| Pin::new(watch).poll(task)) {
            Some(Poll::Ready(())) => {
                self.give_up();
                Poll::Ready(Err(AskError::Cancelled))
            }
            _ => Poll::Pending,
        }
    }

    /// Tells the other side that nobody waits any more, if it has not answered yet.
    fn give_up(&mut self) {
        let Some((id, method, waiter)) = self.request.take() else { return };
        let was_waiting = self.peer.shared.sent.with(|sent| sent.requests.forget(&id));
        if was_waiting.is_some() && self.peer.cancels(method) {
            // It may run while a panic goes by.
            shielded(|| self.peer.send(cancelled(&id, None)));
        }
        drop((was_waiting, waiter));
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// The notification that a request of this side is cancelled.
pub(crate) fn cancelled(id: &RequestId, reason: Option<&str>) -> String {
    let mut params = crate::json_object! { "requestId": id };
    if let Some(reason) = reason {
        params.insert("reason", reason);
    }
    method_text(None, CANCELLED, |members| Params::write(&params, members))
}

/// Whether a side may cancel a request of its own: not the one that opens the connection.
pub(crate) fn is_cancellable(methods: &'static [Method], party: Party, method: &str) -> bool {
    let may_cancel = Method::find(methods, CANCELLED).is_some_and(|row| row.senders.contains(&party));
    may_cancel && Method::find(methods, method).is_none_or(|row| row.phase != Phase::Handshake)
}

impl Sent {
    /// Takes note of a request that somebody waits for, under an id that no other has.
    pub(crate) fn note(
        &mut self,
        id: Arc<RequestId>,
        method: &'static str,
        waiter: &Arc<Waiter>,
        limit: usize,
    ) -> Result<bool, AskError> {
        if self.is_closed {
            return Err(AskError::Closed);
        }
        if self.requests.len() >= limit {
            return Err(AskError::TooMany);
        }
        let asked = Asked { method: method.into(), task: None, memo: Some(Arc::clone(waiter)) };
        Ok(self.requests.add(id, asked).is_ok())
    }

    /// Nothing is sent any more, and nobody is answered. Those who have waited.
    pub(crate) fn close(&mut self) -> Vec<Arc<Waiter>> {
        self.is_closed = true;
        let requests = std::mem::take(&mut self.requests);
        requests.into_memos().flatten().collect()
    }

    /// Whether somebody waits for the answer to a request.
    pub(crate) fn is_awaited(&self, id: &RequestId) -> bool {
        self.requests.get(id).is_some_and(|asked| asked.memo.is_some())
    }

    /// Forgets a request whose answer has come.
    pub(crate) fn end(&mut self, id: &RequestId, settling: Settling) -> Option<Asked<Option<Arc<Waiter>>>> {
        self.requests.end(id, settling)
    }
}

/// What the outcome of a request is for the one who waits for it.
pub(crate) fn answer_of<T: Wire>(outcome: &Outcome<T>) -> Result<Json, AskError> {
    match outcome {
        Outcome::Result(result) => Ok(Json::from_valid(to_string(result))),
        Outcome::Raw(result) => Ok(result.clone()),
        Outcome::Error(error) => Err(AskError::Refused(error.clone())),
    }
}

/// What a malformed response is for the one who waits for it.
pub(crate) fn misanswer(rejection: &Rejection) -> AskError {
    AskError::Unreadable { reason: rejection.error.message.clone(), answer: rejection.value.clone() }
}
