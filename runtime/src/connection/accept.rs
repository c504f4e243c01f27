//! A message is taken note of before its work begins.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Connection, Side, invalid_params, is_handshake};
use crate::ask;
use crate::body::Body;
use crate::check::{Checker, Violation};
use crate::flight::{Flight, Landing};
use crate::json::Json;
use crate::message::Rejection;
use crate::method::{Method, Phase};
use crate::misfit::shortened;
use crate::peer::Context;
use crate::pending::Asked;
use crate::rpc::{Call, JSONRPC, Notice, Outcome, Response};
use crate::{ErrorObject, Extra, RequestId};

impl<S: Side> Connection<S> {
    #[inline]
    pub(super) fn accept_request(&self, call: Call<S::Request>, in_batch: bool) -> Work<S> {
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
        if let Err(duplicate) = self.arrivals.received.with(|received| received.add(Arc::clone(&id), asked)) {
            let rejection = Rejection::invalid_request(format!("Invalid request: {duplicate}"));
            return Work::Rejected(rejection.with_id(Some(duplicate.0)));
        }
        let mut landing = Landing {
            arrivals: Arc::clone(&self.arrivals),
            id: Arc::clone(&id),
            flight: Arc::clone(&flight),
            opens: false,
        };
        if is_handshake && self.needs_handshake {
            // Of several that have come this far at once, one is taken.
            if !self.arrivals.handshake.begin() {
                return Work::Rejected(met_already(request.method()).with_id(Some(id.as_ref().clone())));
            }
            landing.opens = true;
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
        } else if self.needs_handshake && handshake && self.arrivals.handshake.has_come() {
            return Some(met_already(method).with_id(Some(call.id.clone())));
        } else if self.needs_handshake && !handshake && !self.arrivals.handshake.is_done() {
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
    pub(super) fn accept_notification(&self, notice: Notice<S::Notification>) -> Work<S> {
        if notice.extra.get("id").is_some() {
            let problem = "Invalid request: an id is a string or an integer";
            return Work::Rejected(Rejection::invalid_request(problem));
        }
        if let Some(version) = wrong_version(&notice.extra) {
            return Work::Rejected(Rejection::invalid_request(version).unanswered());
        }
        if self.peer.accepts(notice.notification.method()).is_err() {
            return Work::Nothing;
        }
        if let Some(id) = notice.notification.cancels() {
            let flight = self.arrivals.received.with(|received| {
                let asked = received.get(&id).filter(|asked| !is_handshake::<S>(&asked.method))?;
                Some(Arc::clone(&asked.memo))
            });
            if let Some(flight) = flight {
                flight.cancel();
            }
        }
        Work::Notification(notice.notification)
    }

    #[inline]
    pub(super) fn accept_response(&self, response: Response<S::Result>) -> Work<S> {
        let (asked, waiter) = self.end(&response).map(Asked::split).unzip();
        let waiter = waiter.flatten();
        // One of the two may be `null`, and means nothing then.
        let is_there = |name: &str| response.extra.get(name).is_some_and(|value| !value.is_null());
        if is_there("result") || is_there("error") {
            let problem = "Invalid response: both \"result\" and \"error\" are there";
            let method = asked.as_ref().map(|asked| &*asked.method);
            let rejection = Rejection::invalid_request(problem).at(method, None).unanswered();
            let rejection = rejection.with_id(response.id.clone());
            let rejection = rejection.with_value(Some(Json::from_valid(response.to_text())));
            if let Some(waiter) = waiter {
                waiter.answer(Err(ask::misanswer(&rejection)));
            }
            return Work::Rejected(rejection);
        }
        if let Some(waiter) = waiter {
            waiter.answer(match response.outcome {
                Outcome::Raw(result) => Ok(result),
                outcome => ask::answer_of(&outcome),
            });
            return Work::Nothing;
        }
        if let Some(asked) = asked {
            return Work::Response(asked.method, response);
        }
        let id = response.id.as_ref().map_or_else(|| "none".to_owned(), RequestId::to_string);
        let problem = format!("A response that nobody waits for, id {}", shortened(&id));
        drop(id);
        let rejection = Rejection::invalid_request(problem);
        Work::Rejected(rejection.unanswered().with_value(Some(Json::from_valid(response.to_text()))))
    }
}

/// What is left to do about a message that has been taken note of.
pub(super) enum Work<S: Side> {
    Request(Landing, S::Request, Context),
    Notification(S::Notification),
    Response(Cow<'static, str>, Response<S::Result>),
    Rejected(Rejection),
    Nothing,
}

/// One message as a rule, which costs no list.
pub(super) struct Works<S: Side> {
    pub(super) single: Option<Work<S>>,
    pub(super) batch: Vec<Work<S>>,
}

impl<S: Side> Works<S> {
    #[inline]
    pub(super) fn one(work: Work<S>) -> Self {
        Self { single: Some(work), batch: Vec::new() }
    }
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
