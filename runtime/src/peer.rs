//! What a handler has at hand: the other side of the connection, and the request it works on.

use std::fmt;
use std::sync::Arc;

use crate::body::Params;
use crate::decode::Wire;
use crate::flight::{Flight, Unreported, Watch};
use crate::lock::unlocked;
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

/// What may pass, given what was declared.
pub(crate) struct Gate {
    pub(crate) declared: Declared,
    pub(crate) methods: &'static [Method],
    pub(crate) party: Party,
}

impl Gate {
    #[inline]
    fn permits(&self, method: &str, sender: Party) -> Result<(), Undeclared> {
        Method::find(self.methods, method).map_or(Ok(()), |method| self.declared.permits(method, sender))
    }
}

/// The other side of a connection, as far as it can be spoken to at any time.
#[derive(Clone)]
pub struct Peer {
    pub(crate) send: Arc<dyn Fn(String) + Send + Sync>,
    pub(crate) gate: Option<Arc<Gate>>,
}

impl fmt::Debug for Peer {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peer").finish_non_exhaustive()
    }
}

impl Peer {
    /// Sends a notification. One that needs an undeclared capability is not sent, where the connection has gates.
    pub fn notify<N: Notification>(&self, params: N::Params) -> Result<(), Undeclared> {
        self.permits(N::METHOD)?;
        self.send(notification::<N>(params));
        Ok(())
    }

    /// Sends a message as it is.
    #[inline]
    pub fn send(&self, message: String) {
        unlocked(|| (self.send)(message));
    }

    /// Whether this side may send a method.
    #[inline]
    pub(crate) fn permits(&self, method: &str) -> Result<(), Undeclared> {
        self.gate.as_ref().map_or(Ok(()), |gate| gate.permits(method, gate.party))
    }

    /// Whether the other side may.
    #[inline]
    pub(crate) fn accepts(&self, method: &str) -> Result<(), Undeclared> {
        self.gate.as_ref().map_or(Ok(()), |gate| gate.permits(method, gate.party.peer()))
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
        self.flight.report(progress.as_f64(), text, &*self.peer.send).map_err(|unreported| match unreported {
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
