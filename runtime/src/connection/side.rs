//! What a revision says about one of its sides, and what handlers have in common.

use crate::ErrorObject;
use crate::body::{Body, PARAMS};
use crate::check::Violation;
use crate::json::{Json, JsonRef};
use crate::message::{Batching, Message, Rejection};
use crate::method::{Method, Party};
use crate::misfit::shown;
use crate::peer::{Answer, Context, Peer};
use crate::results::Results;
use crate::rpc::{Handled, Response};

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

/// The default answer of a handler.
#[doc(hidden)]
pub async fn unsupported<T>(method: &'static str) -> Handled<T> {
    Err(ErrorObject::method_not_found(method))
}

/// The method and the params of an embedded request that no variant describes. One whose method is known has params
/// that do not fit, which is an error.
#[doc(hidden)]
pub fn embedded(
    value: Json,
    known: &[&str],
    check: impl FnOnce(Json) -> Vec<Violation>,
) -> Handled<(String, Option<Json>)> {
    let method = value.get("method").and_then(JsonRef::as_str).unwrap_or_default().into_owned();
    if known.contains(&method.as_str()) {
        return Err(invalid_params(&method, check(value).first()));
    }
    let params = value.get(PARAMS).map(JsonRef::to_json);
    Ok((method, params))
}

/// The error for params that depart from the schema.
#[cold]
pub(super) fn invalid_params(method: &str, violation: Option<&Violation>) -> ErrorObject {
    let Some(violation) = violation else { return ErrorObject::invalid_params("Invalid params") };
    ErrorObject::invalid_params(format!("Invalid params: {violation}")).with_data(crate::json_object! {
        "method": method,
        "pointer": shown(&violation.pointer),
        "expected": violation.expected,
        "found": violation.found,
    })
}
