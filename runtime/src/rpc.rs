//! The JSON-RPC envelope: requests, notifications, responses, errors.

use std::fmt;

use serde::ser::{Serialize, Serializer};

use crate::body::{Body, PARAMS};
use crate::check::Checker;
use crate::decode::Wire;
use crate::envelope::MESSAGE;
use crate::json::{Json, JsonRef, Reader, transcode};
use crate::misfit::shortened;
use crate::number::Integer;
use crate::record::Need;
use crate::results::Results;
use crate::write::{Constant, ConstantValue, Name, ObjectWriter, USUAL_LENGTH, quoted_length};
use crate::{DecodeError, Extra, RequestId};

/// The code of a JSON-RPC error. The generated crates have those of their revision in `error_codes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorCode(pub i64);

impl ErrorCode {
    /// Invalid JSON was received.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// The message is JSON, but not a well-formed request.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// The receiver does not offer the method.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The parameters do not fit the method.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The receiver failed while it handled the request.
    pub const INTERNAL_ERROR: Self = Self(-32603);
}

impl fmt::Display for ErrorCode {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl From<i64> for ErrorCode {
    #[inline]
    fn from(code: i64) -> Self {
        Self(code)
    }
}

impl From<ErrorCode> for i64 {
    #[inline]
    fn from(code: ErrorCode) -> Self {
        code.0
    }
}

impl From<ErrorCode> for Integer {
    #[inline]
    fn from(code: ErrorCode) -> Self {
        code.0.into()
    }
}

impl PartialEq<i64> for ErrorCode {
    #[inline]
    fn eq(&self, other: &i64) -> bool {
        self.0 == *other
    }
}

/// The error of a JSON-RPC response, alike in every revision.
///
/// ```
/// # use mcp_wire_core::{ErrorCode, ErrorObject};
/// let error = ErrorObject::new(ErrorCode::INVALID_PARAMS, "no such city").with_data("Atlantis");
/// assert_eq!(serde_json::to_string(&error)?, r#"{"code":-32602,"message":"no such city","data":"Atlantis"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ErrorObject {
    /// What kind of error it is.
    pub code: Integer,
    /// What happened, in a sentence.
    pub message: String,
    /// Whatever else the sender tells.
    pub data: Option<Json>,
    /// Members that are not named above, kept and written back.
    pub extra: Extra,
}

impl ErrorObject {
    /// The receiver does not offer the method. Of a name longer than 200 characters, the error has the beginning.
    #[cold]
    pub fn method_not_found(method: &str) -> Self {
        Self::new(ErrorCode::METHOD_NOT_FOUND, "Method not found").with_data(&*shortened(method))
    }

    /// The parameters do not fit the method.
    #[cold]
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INVALID_PARAMS, message)
    }

    /// The receiver failed.
    #[cold]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INTERNAL_ERROR, message)
    }

    /// The code, unless it is beyond all that a machine integer holds.
    #[inline]
    pub fn code(&self) -> Option<ErrorCode> {
        self.code.as_i64().map(ErrorCode)
    }
}

impl fmt::Display for ErrorObject {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for ErrorObject {}

impl From<DecodeError> for ErrorObject {
    #[inline]
    fn from(error: DecodeError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// The parameters do not fit: what reading [`arguments`](crate::JsonObject::parse) as a type of one's own says.
impl From<serde_json::Error> for ErrorObject {
    fn from(error: serde_json::Error) -> Self {
        Self::invalid_params(error.to_string())
    }
}

/// The receiver failed: what it would answer has no form in JSON.
impl From<crate::WriteError> for ErrorObject {
    fn from(error: crate::WriteError) -> Self {
        Self::internal(error.to_string())
    }
}

crate::__record! {
    ErrorObject: "an object (`ErrorObject`)",
    new(code: impl Into<Integer>, message: impl Into<String>),
    members {
        "code" => code: required,
        "message" => message: required,
        "data" => data: optional, with_data(impl Into<Json>),
    }
}

/// What a handler gives back: a result, or the error to answer with.
pub type Handled<T> = Result<T, ErrorObject>;

/// A request message: a method with its params, and the id of its answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call<R> {
    /// Identifies the answer.
    pub id: RequestId,
    /// The method and its params.
    pub request: R,
    /// Members that are not named above, kept and written back.
    pub extra: Extra,
}

impl<R> Call<R> {
    /// Makes a request message.
    pub fn new(id: impl Into<RequestId>, request: impl Into<R>) -> Self {
        Self { id: id.into(), request: request.into(), extra: Extra::new() }
    }
}

impl<R: Body> Call<R> {
    /// The message as text on one line.
    pub fn to_text(&self) -> String {
        written(|text| self.write(text))
    }

    pub(crate) fn write(&self, text: &mut String) {
        write_message(text, Some(&self.id), &self.extra, |members| write_method(members, &self.request));
    }
}

/// A notification message: a method with its params.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Notice<N> {
    /// The method and its params.
    pub notification: N,
    /// Members that are not named above, kept and written back. An `id` here is one that cannot be used, such as `null`.
    pub extra: Extra,
}

impl<N> Notice<N> {
    /// Makes a notification message.
    pub fn new(notification: impl Into<N>) -> Self {
        Self { notification: notification.into(), extra: Extra::new() }
    }
}

impl<N: Body> Notice<N> {
    /// The message as text on one line.
    pub fn to_text(&self) -> String {
        written(|text| self.write(text))
    }

    pub(crate) fn write(&self, text: &mut String) {
        write_message(text, None, &self.extra, |members| write_method(members, &self.notification));
    }
}

/// A response message: what became of a request.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Response<T> {
    /// The id of the request. An error about something that was no readable request has none.
    pub id: Option<RequestId>,
    /// What became of it.
    pub outcome: Outcome<T>,
    /// Members that are not named above, kept and written back.
    pub extra: Extra,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<T> {
    /// A result of the type that the request's method has.
    Result(T),
    /// A result whose request is not known, as it came. [`Response::resolve`] reads it later.
    Raw(Json),
    /// An error.
    Error(ErrorObject),
}

impl<T> Response<T> {
    /// Makes the answer to a request.
    pub fn new(id: impl Into<RequestId>, outcome: Handled<T>) -> Self {
        let outcome = match outcome {
            Ok(result) => Outcome::Result(result),
            Err(error) => Outcome::Error(error),
        };
        Self { id: Some(id.into()), outcome, extra: Extra::new() }
    }

    /// Makes an answer to something that has no usable id.
    #[inline]
    pub fn without_id(error: ErrorObject) -> Self {
        Self { id: None, outcome: Outcome::Error(error), extra: Extra::new() }
    }
}

impl<T: Wire> Response<T> {
    /// The message as text on one line.
    pub fn to_text(&self) -> String {
        written(|text| self.write(text))
    }

    pub(crate) fn write(&self, text: &mut String) {
        write_message(text, self.id.as_ref(), &self.extra, |members| match &self.outcome {
            Outcome::Result(result) => members.required(RESULT_NAME, result),
            Outcome::Raw(result) => members.required(RESULT_NAME, result),
            Outcome::Error(error) => members.required(ERROR_NAME, error),
        });
    }
}

impl<T: Results> Response<T> {
    /// Reads a raw result as that of a method, once it is known what was asked.
    #[must_use]
    #[inline]
    pub fn resolve(mut self, method: &str) -> Self {
        self.outcome = match (self.outcome, T::find(method)) {
            (Outcome::Raw(value), Some(index)) => match Results::read(index, &mut Reader::trusted(value.text())) {
                Ok(result) => Outcome::Result(result),
                Err(_) => Outcome::Raw(value),
            },
            (outcome, _) => outcome,
        };
        self
    }
}

pub(crate) const JSONRPC: &str = "jsonrpc";
pub(crate) const VERSION: &str = "2.0";
pub(crate) const RESULT: &str = "result";
pub(crate) const ERROR: &str = "error";

const VERSION_MEMBER: Constant = Constant::new(
    Name::new(JSONRPC, ",\"jsonrpc\":"),
    ConstantValue::String(VERSION),
    ",\"jsonrpc\":\"2.0\"",
    Need::Required,
    0,
);
const ID_NAME: Name = Name::new("id", ",\"id\":");
const METHOD_NAME: Name = Name::new("method", ",\"method\":");
const RESULT_NAME: Name = Name::new(RESULT, ",\"result\":");
const ERROR_NAME: Name = Name::new(ERROR, ",\"error\":");

/// What a function writes.
#[inline]
pub(crate) fn written(write: impl FnOnce(&mut String)) -> String {
    let mut text = String::with_capacity(USUAL_LENGTH);
    write(&mut text);
    text
}

/// Writes a message on one line. The other members are written by a function.
#[inline]
fn write_message(text: &mut String, id: Option<&RequestId>, extra: &Extra, write: impl FnOnce(&mut ObjectWriter<'_>)) {
    if let Some(RequestId::String(id)) = id
        && id.len() > USUAL_LENGTH
    {
        // Room that doubles would be room for a long id once more.
        text.reserve_exact(quoted_length(id).saturating_add(USUAL_LENGTH));
    }
    let mut members = ObjectWriter::begin(text, extra, &MESSAGE);
    members.constant(&VERSION_MEMBER);
    if let Some(id) = id {
        members.required(ID_NAME, id);
    }
    write(&mut members);
    members.end();
}

fn write_method<B: Body>(members: &mut ObjectWriter<'_>, body: &B) {
    members.method(METHOD_NAME, body.method());
    body.write(members);
}

/// A request or a notification as text on one line. `params` writes that member, if there is one.
pub(crate) fn method_text(id: Option<&RequestId>, method: &str, params: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    written(|text| {
        write_message(text, id, &Extra::new(), |members| {
            members.method(METHOD_NAME, method);
            params(members);
        });
    })
}

/// A response as text on one line.
pub(crate) fn result_text<T: Wire>(id: &RequestId, result: &T) -> String {
    written(|text| write_message(text, Some(id), &Extra::new(), |members| members.required(RESULT_NAME, result)))
}

/// The response that is an error, as text on one line.
pub(crate) fn error_text(id: &RequestId, error: &ErrorObject) -> String {
    written(|text| write_message(text, Some(id), &Extra::new(), |members| members.required(ERROR_NAME, error)))
}

macro_rules! serialize_text {
    ($([$generics:ident: $bound:ident] $type:ty),*) => {$(
        impl<$generics: $bound> Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                transcode::serialize(JsonRef::from_valid(&self.to_text()), serializer)
            }
        }
    )*};
}

serialize_text!([R: Body] Call<R>, [N: Body] Notice<N>, [T: Wire] Response<T>);

impl<R: Body> Call<R> {
    pub(crate) fn inspect(&self, checker: &mut Checker<'_>) {
        inspect_method(&self.extra, &self.request, checker);
    }
}

impl<N: Body> Notice<N> {
    pub(crate) fn inspect(&self, checker: &mut Checker<'_>) {
        inspect_method(&self.extra, &self.notification, checker);
    }
}

/// Params are an object, or absent. Those that are kept in `extra` are a `null`; those of an unknown method may be
/// anything.
fn inspect_method<B: Body>(extra: &Extra, body: &B, checker: &mut Checker<'_>) {
    let other = || body.other_params().map(Json::as_ref);
    let params = match extra.kept().is_some_and(|kept| kept.concerns(&MESSAGE)) {
        false => other(),
        true => {
            let [version, params] = extra.find([JSONRPC, PARAMS]);
            checker.version(version, extra);
            params.or_else(other)
        }
    };
    if let Some(params) = params.filter(|params| !params.is_object()) {
        checker.mistyped(PARAMS, "an object", params);
    }
    body.inspect(checker);
}

impl<T: Results> Response<T> {
    pub(crate) fn inspect(&self, checker: &mut Checker<'_>) {
        let mut id = None;
        if self.extra.kept().is_some_and(|kept| kept.concerns(&MESSAGE)) {
            let [version, odd_id] = self.extra.find([JSONRPC, "id"]);
            checker.version(version, &self.extra);
            id = odd_id;
        }
        match id {
            Some(id) => checker.mistyped("id", RequestId::EXPECTED, id),
            None if self.id.is_none() && (T::ERROR_NEEDS_ID || !matches!(self.outcome, Outcome::Error(_))) => {
                checker.missing("id");
            }
            None => {}
        }
        match &self.outcome {
            Outcome::Result(result) if result.is_foreign() => checker.typed("result", result),
            Outcome::Result(result) => checker.decided("result", result),
            Outcome::Raw(result) if result.is_object() => {}
            Outcome::Raw(result) => checker.mistyped("result", "an object", result.as_ref()),
            Outcome::Error(error) => checker.typed("error", error),
        }
    }
}
