//! The JSON-RPC envelope: requests, notifications, responses, errors.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::check::{Checker, Known};
use crate::decode::{
    Decoded, Fit, Members, Record, Source, Text, Unfit, Wire, convert_record, decode_record, deserialize,
    outline_record, resume_record, shortened,
};
use crate::encode::Writer;
use crate::method::{Body, PARAMS, Results, params_value};
use crate::number::Integer;
use crate::text::{message_text, method_text, outcome_text, unwritable};
use crate::{DecodeError, Extra, RequestId, Violation};

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
    pub data: Option<Value>,
    /// What arrived besides, and is written back.
    pub extra: Extra,
}

impl ErrorObject {
    /// Makes an error.
    pub fn new(code: impl Into<Integer>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), data: None, extra: Extra::new() }
    }

    /// Sets [`data`](Self::data).
    #[must_use]
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }

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

    /// Lists the ways in which this value departs from the schema, up to [`Violation::LIMIT`]; none means that it conforms.
    #[inline]
    pub fn check(&self) -> Vec<Violation> {
        Checker::run(self)
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

impl Wire for ErrorObject {
    const EXPECTED: &'static str = "an object (`ErrorObject`)";

    fn decode_into<'de, D: Deserializer<'de>>(deserializer: D, slot: &mut Option<Self>) -> Result<Unfit, D::Error> {
        decode_record(deserializer, slot)
    }

    #[inline]
    fn convert(value: Value) -> Fit<Self> {
        convert_record(value)
    }

    #[inline]
    fn outline(value: &Value) -> Fit<Self> {
        outline_record(value)
    }

    fn resume<'de, A: MapAccess<'de>>(object: Text<'de, A>) -> Decoded<Self, A::Error> {
        resume_record(object)
    }

    #[inline]
    fn placeholder() -> Self {
        Self::new(0, "")
    }

    #[inline]
    fn inspect(&self, checker: &mut Checker) {
        checker.misfits(self, &self.extra);
    }
}

impl Record for ErrorObject {
    const MEMBERS: &'static [Known] =
        &[Known::new::<Integer>("code"), Known::new::<String>("message"), Known::new::<Value>("data")];

    #[inline]
    fn member(name: &str) -> Option<usize> {
        match name {
            "code" => Some(0),
            "message" => Some(1),
            "data" => Some(2),
            _ => None,
        }
    }

    fn read<S: Source>(mut members: Members<S>, slot: &mut Option<Self>) -> Result<Unfit, S::Error> {
        let (mut code, mut message, mut data) = (None, None, None);
        while let Some(index) = members.next_member::<Self>()? {
            match index {
                0 => members.required("code", &mut code)?,
                1 => members.required("message", &mut message)?,
                _ => members.optional("data", &mut data)?,
            }
        }
        *slot = Some(Self {
            code: members.take("code", code),
            message: members.take("message", message),
            data,
            extra: members.extra(&[]),
        });
        members.finish(slot)
    }
}

impl Serialize for ErrorObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = Writer::new(serializer, &self.extra)?;
        members.required("code", &self.code)?;
        members.required("message", &self.message)?;
        members.optional("data", &self.data)?;
        members.end()
    }
}

impl<'de> Deserialize<'de> for ErrorObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
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
    /// What arrived besides, and is written back.
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
    #[inline]
    pub fn to_text(&self) -> String {
        match self.extra.kept() {
            None => method_text(Some(&self.id), self.request.method(), |members| self.request.write(members)),
            Some(_) => message_text(self).unwrap_or_default(),
        }
    }
}

/// A notification message: a method with its params.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Notice<N> {
    /// The method and its params.
    pub notification: N,
    /// What arrived besides, and is written back. An `id` here is one that cannot be used, such as `null`.
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
    #[inline]
    pub fn to_text(&self) -> String {
        match self.extra.kept() {
            None => method_text(None, self.notification.method(), |members| self.notification.write(members)),
            Some(_) => message_text(self).unwrap_or_default(),
        }
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
    /// What arrived besides, and is written back.
    pub extra: Extra,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<T> {
    /// A result of the type that the request's method has.
    Result(T),
    /// A result whose request is not known, as it came. [`Response::resolve`] reads it later.
    Raw(Value),
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

impl<T: Serialize> Response<T> {
    /// The message as text on one line. A result of a type of one's own that has no form in JSON becomes an internal error.
    #[inline]
    pub fn to_text(&self) -> String {
        match (self.extra.kept(), &self.outcome) {
            (Some(_), _) => message_text(self).unwrap_or_else(|error| unwritable(self.id.as_ref(), &error)),
            (None, Outcome::Result(result)) => outcome_text(self.id.as_ref(), RESULT, result),
            (None, Outcome::Raw(result)) => outcome_text(self.id.as_ref(), RESULT, result),
            (None, Outcome::Error(error)) => outcome_text(self.id.as_ref(), ERROR, error),
        }
    }
}

impl<T: Results> Response<T> {
    /// Reads a raw result as that of a method, once it is known what was asked.
    #[must_use]
    #[inline]
    pub fn resolve(mut self, method: &str) -> Self {
        self.outcome = match (self.outcome, T::find(method)) {
            (Outcome::Raw(value), Some(index)) => match T::read(index, &value) {
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

impl<R: Body> Serialize for Call<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = Writer::new(serializer, &self.extra)?;
        members.constant(JSONRPC, VERSION)?;
        members.required("id", &self.id)?;
        write_method(&mut members, &self.request)?;
        members.end()
    }
}

impl<N: Body> Serialize for Notice<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = Writer::new(serializer, &self.extra)?;
        members.constant(JSONRPC, VERSION)?;
        write_method(&mut members, &self.notification)?;
        members.end()
    }
}

fn write_method<M: SerializeMap, B: Body>(members: &mut Writer<'_, M>, body: &B) -> Result<(), M::Error> {
    members.constant("method", body.method())?;
    body.write(members)
}

impl<T: Serialize> Serialize for Response<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = Writer::new(serializer, &self.extra)?;
        members.constant(JSONRPC, VERSION)?;
        members.optional("id", &self.id)?;
        match &self.outcome {
            Outcome::Result(result) => members.required(RESULT, result)?,
            Outcome::Raw(result) => members.required(RESULT, result)?,
            Outcome::Error(error) => members.required(ERROR, error)?,
        }
        members.end()
    }
}

/// The constant that every message has.
#[inline]
fn inspect_version(extra: &Extra, checker: &mut Checker) {
    checker.constant(extra, JSONRPC, VERSION, true);
}

impl<R: Body> Call<R> {
    #[inline]
    pub(crate) fn inspect(&self, checker: &mut Checker) {
        inspect_version(&self.extra, checker);
        inspect_params(&self.extra, &self.request, checker);
        self.request.inspect(checker);
    }
}

impl<N: Body> Notice<N> {
    #[inline]
    pub(crate) fn inspect(&self, checker: &mut Checker) {
        inspect_version(&self.extra, checker);
        inspect_params(&self.extra, &self.notification, checker);
        self.notification.inspect(checker);
    }
}

/// Params are an object, or absent. Those that are kept in `extra` are a `null`; those of an unknown method may be
/// anything.
fn inspect_params<B: Body>(extra: &Extra, body: &B, checker: &mut Checker) {
    let loose = || B::find(body.method()).is_none().then(|| params_value(body))?;
    match extra.get(PARAMS).cloned().or_else(loose) {
        None | Some(Value::Object(_)) => {}
        Some(params) => checker.mistyped(PARAMS, "an object", &params),
    }
}

impl<T: Results> Response<T> {
    #[inline]
    pub(crate) fn inspect(&self, checker: &mut Checker) {
        inspect_version(&self.extra, checker);
        match self.extra.get("id") {
            Some(id) => checker.mistyped("id", RequestId::EXPECTED, id),
            None if self.id.is_none() && (T::ERROR_NEEDS_ID || !matches!(self.outcome, Outcome::Error(_))) => {
                checker.missing("id");
            }
            None => {}
        }
        match &self.outcome {
            Outcome::Result(result) if result.is_foreign() => checker.field("result", result),
            Outcome::Result(result) => checker.decided("result", result),
            Outcome::Raw(result) if result.is_object() => {}
            Outcome::Raw(result) => checker.mistyped("result", "an object", result),
            Outcome::Error(error) => checker.field("error", error),
        }
    }
}
