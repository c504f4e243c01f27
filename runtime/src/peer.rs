//! What a handler has at hand: the other side of the connection, and the request it works on.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ask::{Ask, AskError, DEFAULT_ASK_LIMIT, Sent, Waiter, is_cancellable};
use crate::body::Params;
use crate::connection::Side;
use crate::decode::Wire;
use crate::flight::{Flight, Unreported, Watch};
use crate::lock::{Lock, unlocked};
use crate::method::{Declared, Method, Notification, Party, Request, Undeclared};
use crate::rpc::{Handled, error_text, method_text, result_text};
use crate::{ErrorObject, Json, Number, ProgressToken, RequestId};

const PROGRESS: &str = "notifications/progress";

/// A response on its way out.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// What the two sides of a connection share, whatever their revision.
pub(crate) struct Shared {
    send: Arc<dyn Fn(String) + Send + Sync>,
    pub(crate) sent: Lock<Sent>,
    next_id: AtomicU64,
    ask_limit: usize,
    /// What was declared, where that counts.
    declared: Option<Declared>,
    methods: &'static [Method],
    party: Party,
}

/// The other side of a connection, as far as it can be spoken to at any time.
#[derive(Clone)]
pub struct Peer {
    pub(crate) shared: Arc<Shared>,
}

impl fmt::Debug for Peer {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peer").finish_non_exhaustive()
    }
}

impl Peer {
    pub(crate) fn new<S: Side>(send: impl Fn(String) + Send + Sync + 'static) -> Self {
        let shared = Shared {
            send: Arc::new(send),
            sent: Lock::default(),
            next_id: AtomicU64::new(1),
            ask_limit: DEFAULT_ASK_LIMIT,
            declared: None,
            methods: S::METHODS,
            party: S::PARTY,
        };
        Self { shared: Arc::new(shared) }
    }

    /// The same with other settings, before anything has been sent.
    pub(crate) fn with(&self, change: impl FnOnce(&mut Shared)) -> Self {
        let old = &*self.shared;
        let mut shared = Shared {
            send: Arc::clone(&old.send),
            sent: Lock::default(),
            next_id: AtomicU64::new(old.next_id.load(Ordering::Relaxed)),
            ask_limit: old.ask_limit,
            declared: old.declared.clone(),
            methods: old.methods,
            party: old.party,
        };
        change(&mut shared);
        Self { shared: Arc::new(shared) }
    }

    /// Asks the other side, and waits for the answer.
    ///
    /// ```no_run
    /// # use mcp_wire_core::{AskError, Json, JsonObject, Party, Peer, Request, json_object};
    /// # struct CreateMessageRequest;
    /// # impl Request for CreateMessageRequest {
    /// #     const METHOD: &'static str = "sampling/createMessage";
    /// #     const SENDERS: &'static [Party] = &[Party::Server];
    /// #     type Params = JsonObject;
    /// #     type Result = JsonObject;
    /// # }
    /// # async fn example(peer: &Peer, params: JsonObject) -> Result<(), AskError> {
    /// let result = peer.ask::<CreateMessageRequest>(params).await?;
    /// println!("{result}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn ask<R: Request>(&self, params: R::Params) -> Ask<R> {
        Ask::new(self.clone(), None, params)
    }

    /// Sends a notification. One that needs an undeclared capability is not sent, where the connection has gates.
    pub fn notify<N: Notification>(&self, params: N::Params) -> Result<(), Undeclared> {
        self.permits(N::METHOD)?;
        self.send(notification::<N>(params));
        Ok(())
    }

    /// Sends a message as it is.
    #[inline]
    pub fn send(&self, message: String) {
        unlocked(|| (self.shared.send)(message));
    }

    /// Whether this side may send a method.
    #[inline]
    pub(crate) fn permits(&self, method: &str) -> Result<(), Undeclared> {
        self.shared.permits(method, self.shared.party)
    }

    /// Whether the other side may.
    #[inline]
    pub(crate) fn accepts(&self, method: &str) -> Result<(), Undeclared> {
        self.shared.permits(method, self.shared.party.peer())
    }

    /// Whether this side may cancel a request with this method.
    pub(crate) fn cancels(&self, method: &str) -> bool {
        is_cancellable(self.shared.methods, self.shared.party, method)
    }

    /// An id for a request of this side.
    #[inline]
    pub(crate) fn next_id(&self) -> RequestId {
        self.shared.next_id.fetch_add(1, Ordering::Relaxed).into()
    }

    /// Takes note of a request that somebody waits for.
    pub(crate) fn note(&self, method: &'static str, waiter: &Arc<Waiter>) -> Result<Arc<RequestId>, AskError> {
        loop {
            let id = Arc::new(self.next_id());
            // The id is taken only if someone has used up all of them.
            if self.shared.sent.with(|sent| sent.note(Arc::clone(&id), method, waiter, self.shared.ask_limit))? {
                return Ok(id);
            }
        }
    }
}

impl Shared {
    #[inline]
    fn permits(&self, method: &str, sender: Party) -> Result<(), Undeclared> {
        let Some(declared) = &self.declared else { return Ok(()) };
        Method::find(self.methods, method).map_or(Ok(()), |method| declared.permits(method, sender))
    }

    pub(crate) fn declare(&mut self, declared: Declared) {
        self.declared = Some(declared);
    }

    pub(crate) fn number_from(&mut self, id: u64) {
        self.next_id = AtomicU64::new(id);
    }

    pub(crate) fn limit_asks(&mut self, limit: usize) {
        self.ask_limit = limit;
    }
}

/// A notification as text on one line.
///
/// ```
/// # struct InitializedNotification;
/// # impl mcp_wire_core::Notification for InitializedNotification {
/// #     const METHOD: &'static str = "notifications/initialized";
/// #     const SENDERS: &'static [mcp_wire_core::Party] = &[mcp_wire_core::Party::Client];
/// #     type Params = Option<mcp_wire_core::JsonObject>;
/// # }
/// let text = mcp_wire_core::notification::<InitializedNotification>(None);
/// assert_eq!(text, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
/// ```
pub fn notification<N: Notification>(params: N::Params) -> String {
    method_text(None, N::METHOD, |members| params.write(members))
}

/// A request as text on one line. [`Connection::ask`](crate::Connection::ask) also takes note of it, and gives it an id of its own.
pub fn request<R: Request>(id: impl Into<RequestId>, params: R::Params) -> String {
    method_text(Some(&id.into()), R::METHOD, |members| params.write(members))
}

/// What a handler knows of the request it works on, besides its params.
#[derive(Debug, Clone)]
pub struct Context {
    pub(crate) peer: Peer,
    pub(crate) id: Arc<RequestId>,
    pub(crate) progress_token: Option<ProgressToken>,
    pub(crate) flight: Arc<Flight>,
}

impl Context {
    /// The request's id.
    #[inline]
    pub fn id(&self) -> &RequestId {
        &self.id
    }

    /// The token under which the sender wants to hear of progress, if it does.
    #[inline]
    pub fn progress_token(&self) -> Option<&ProgressToken> {
        self.progress_token.as_ref()
    }

    /// The other side.
    #[inline]
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Asks the sender of the request, and waits for the answer. If the request is cancelled meanwhile, so is the question.
    pub fn ask<R: Request>(&self, params: R::Params) -> Ask<R> {
        Ask::new(self.peer.clone(), Some(Arc::clone(&self.flight)), params)
    }

    /// Sends a notification. One that needs an undeclared capability is not sent, where the connection has gates.
    pub fn notify<N: Notification>(&self, params: N::Params) -> Result<(), Undeclared> {
        self.peer.notify::<N>(params)
    }

    /// Tells the sender how far the work has come. Each value must be greater than the one before.
    ///
    /// Nothing is sent if the sender did not ask for it; that is the error [`ProgressError::NotWanted`], which most
    /// handlers will want to ignore.
    ///
    /// Several threads may report about one request. One of them sends at a time, in rising order. What is reported
    /// meanwhile is sent next, by the same thread, and this function does not wait for it; of more than 64 such reports,
    /// a newer one replaces the one before it. The answer comes after all of them: it waits, without blocking a thread,
    /// until a report that another thread is sending has been sent.
    pub fn progress(
        &self,
        progress: impl Into<Number>,
        total: Option<Number>,
        message: Option<&str>,
    ) -> Result<(), ProgressError> {
        let token = self.progress_token.as_ref().ok_or(ProgressError::NotWanted)?;
        let progress = progress.into();
        let mut params = crate::json_object! { "progressToken": token, "progress": progress };
        // A total that is no number would be written as `null`, which the schema does not allow.
        if let Some(total) = total.filter(|total| total.as_f64().is_finite()) {
            params.insert("total", total);
        }
        if let Some(message) = message {
            params.insert("message", message);
        }
        let text = method_text(None, PROGRESS, |members| Params::write(&params, members));
        self.flight.report(progress.as_f64(), text, &*self.peer.shared.send).map_err(|unreported| match unreported {
            Unreported::Over => ProgressError::Over,
            Unreported::NotIncreasing => ProgressError::NotIncreasing,
        })
    }

    /// Whether the sender has cancelled the request. Its handler is not polled again then, and its answer is not sent;
    /// work that goes on elsewhere should ask from time to time, or await [`cancelled`](Self::cancelled).
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.flight.is_cancelled()
    }

    /// Completes when the sender cancels the request.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + use<> {
        Watch::new(Arc::clone(&self.flight))
    }

    /// The answer to the request.
    pub fn answer<T: Wire>(&self, handled: Handled<T>) -> Answer {
        match handled {
            Ok(result) => Answer { text: result_text(&self.id, &result), is_error: false },
            Err(error) => Answer { text: error_text(&self.id, &error), is_error: true },
        }
    }

    /// The answer to a request whose handler has panicked. What the panic says is not for the other side.
    #[cold]
    pub(crate) fn failed(&self) -> Answer {
        self.answer::<Json>(Err(ErrorObject::internal("Internal error")))
    }
}

/// Why a progress notification was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgressError {
    /// The request has no progress token.
    NotWanted,
    /// The request has been answered or cancelled.
    Over,
    /// The value is not greater than the one before.
    NotIncreasing,
}

impl fmt::Display for ProgressError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotWanted => "the request has no progress token",
            Self::Over => "the request has been answered or cancelled",
            Self::NotIncreasing => "progress must increase with each notification",
        })
    }
}

impl std::error::Error for ProgressError {}
