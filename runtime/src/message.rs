//! Whole messages: text in, typed message out, in one pass.
//!
//! Params are read as the type their method asks for, results as the type that the request they answer asks for. Most
//! messages are [plain](crate::plain), and their envelope costs next to nothing. For the others, where the deciding member
//! comes later than the one it decides about, that one is skipped over and read again when all is known.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::apart::Apart;
use crate::check::Checker;
use crate::decode::{Decoded, Fit, Misfit, Reason, Segment, Wire, expecting, shown, to_value, visit_values};
use crate::method::{Body, PARAMS, Results, params_value};
use crate::pending::{InFlight, Lookup};
use crate::plain::{self, Plain};
use crate::rpc::{Call, JSONRPC, Notice, Outcome, Response, VERSION};
use crate::text::message_text;
use crate::{ErrorCode, ErrorObject, Extra, RequestId, Violation};

/// A message as one side reads it: requests `R` and notifications `N` of the other side, results `T` of what was asked,
/// and, in the one revision that has them, batches `B`.
///
/// The generated crates have `ClientMessage`, which a server reads, and `ServerMessage`, which a client reads.
#[derive(Debug, Clone, PartialEq)]
pub enum Message<R, N, T, B = NoBatch> {
    /// Asks for something.
    Request(Call<R>),
    /// Tells something.
    Notification(Notice<N>),
    /// Answers a request.
    Response(Response<T>),
    /// Several messages at once.
    Batch(B),
}

/// What stands for batches in a revision without them: there is no such value.
pub type NoBatch = Infallible;

/// How many messages a batch may have unless another limit is set: 1000.
pub const DEFAULT_BATCH_LIMIT: usize = 1000;

/// How many messages of a batch may be no messages at all before the batch is refused as a whole: each asks for an answer
/// that is many times as long.
const GARBAGE_LIMIT: usize = 16;

/// Several messages at once. One that cannot be read does not cost the others, unless there are more than 16 without an id
/// that an answer could name.
pub type Batch<R, N, T> = Vec<Result<Message<R, N, T>, Rejection>>;

/// A message that is refused, and the answer it deserves. What is known of it are the fields of [`Refused`].
#[derive(Debug, Clone, PartialEq)]
pub struct Rejection(Box<Refused>);

/// What is known of a message that is refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Refused {
    /// The id to answer to, where one could be read; where the message is an answer itself, that of the request it answers.
    pub id: Option<RequestId>,
    /// The method, where it is one that the revision knows; where the message is an answer, that of the request it answers.
    pub method: Option<String>,
    /// JSON pointer of what is to blame, where it is a single member.
    pub pointer: Option<String>,
    /// The error to answer with.
    pub error: ErrorObject,
    /// Whether an answer is due: neither a notification nor a response ever gets one.
    pub is_answered: bool,
    /// The message, where it is JSON.
    pub value: Option<Value>,
}

impl Deref for Rejection {
    type Target = Refused;

    fn deref(&self) -> &Refused {
        &self.0
    }
}

impl Refused {
    /// The request of the receiver that the message answers, in a way that cannot be read. No other answer will come.
    #[inline]
    pub fn answers(&self) -> Option<&RequestId> {
        // A notification has no id, and everything else is answered.
        self.id.as_ref().filter(|_| !self.is_answered)
    }
}

impl Rejection {
    #[cold]
    pub(crate) fn new(error: ErrorObject) -> Self {
        Self(Box::new(Refused { id: None, method: None, pointer: None, error, is_answered: true, value: None }))
    }

    #[cold]
    pub(crate) fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(ErrorObject::new(ErrorCode::INVALID_REQUEST, message))
    }

    /// A message that is longer than the receiver is willing to read.
    #[cold]
    pub fn too_long(limit: usize) -> Self {
        Self::invalid_request(format!("Invalid request: the message is longer than {limit} bytes"))
    }

    #[cold]
    fn syntax(error: &serde_json::Error) -> Self {
        Self::new(ErrorObject::new(ErrorCode::PARSE_ERROR, format!("Parse error: {error}")))
    }

    pub(crate) fn with_id(mut self, id: Option<RequestId>) -> Self {
        self.0.id = id;
        self
    }

    pub(crate) fn at(mut self, method: Option<&str>, pointer: Option<String>) -> Self {
        self.0.method = method.map(str::to_owned);
        self.0.pointer = pointer;
        self
    }

    pub(crate) fn with_value(mut self, value: Option<Value>) -> Self {
        self.0.value = value;
        self
    }

    /// Refusing is rare: only then is the message read again, to be kept.
    #[cold]
    fn keep_value(&mut self, text: &str) {
        self.0.value = serde_json::from_str(text).ok().or_else(|| Apart::of(text)?.to_value());
    }

    pub(crate) fn unanswered(mut self) -> Self {
        self.0.is_answered = false;
        self
    }

    /// The answer to send, where one is due.
    pub fn answer(&self) -> Option<Response<Value>> {
        self.is_answered.then(|| match &self.id {
            Some(id) => Response::new(id.clone(), Err(self.error.clone())),
            None => Response::without_id(self.error.clone()),
        })
    }

    /// The answer as text on one line, where one is due.
    pub fn to_text(&self) -> Option<String> {
        self.answer().map(|answer| answer.to_text())
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error.message)
    }
}

impl std::error::Error for Rejection {}

/// How a revision treats an array where a message is expected.
pub trait Batching<R, N, T>: Sized {
    /// Whether there are batches.
    const EXISTS: bool;

    /// The batch, from its texts.
    fn read(texts: Vec<&RawValue>, lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection>;

    /// The messages in it.
    fn messages(&self) -> &[Result<Message<R, N, T>, Rejection>];

    /// The messages in it, each on its own.
    fn into_messages(self) -> Batch<R, N, T>;
}

impl<R: Body, N: Body, T: Results> Batching<R, N, T> for NoBatch {
    const EXISTS: bool = false;

    fn read(_: Vec<&RawValue>, _: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        Err(Rejection::invalid_request("Invalid request: this revision has no batches"))
    }

    fn messages(&self) -> &[Result<Message<R, N, T>, Rejection>] {
        match *self {}
    }

    fn into_messages(self) -> Batch<R, N, T> {
        match self {}
    }
}

impl<R: Body, N: Body, T: Results> Batching<R, N, T> for Batch<R, N, T> {
    const EXISTS: bool = true;

    fn read(texts: Vec<&RawValue>, lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        if texts.is_empty() {
            return Err(Rejection::invalid_request("Invalid request: an empty batch"));
        }
        let mut batch = Vec::with_capacity(texts.len());
        let mut garbage = 0;
        for text in texts {
            let message = Message::from_str(text.get(), lookup);
            garbage += usize::from(message.as_ref().is_err_and(|refused| refused.is_answered && refused.id.is_none()));
            if garbage > GARBAGE_LIMIT {
                let problem = format!("Invalid request: a batch in which more than {GARBAGE_LIMIT} are no messages");
                return Err(Rejection::invalid_request(problem));
            }
            batch.push(message);
        }
        Ok(batch)
    }

    fn messages(&self) -> &[Result<Message<R, N, T>, Rejection>] {
        self
    }

    fn into_messages(self) -> Batch<R, N, T> {
        self
    }
}

impl<R: Body, N: Body, T: Results, B: Batching<R, N, T>> Message<R, N, T, B> {
    /// Reads a message from UTF-8 bytes.
    ///
    /// `lookup` tells what a response answers: a [`Pending`](crate::Pending) table, or `&()` where responses are to stay
    /// [raw](Outcome::Raw).
    pub fn from_slice(bytes: &[u8], lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::from_str(text, lookup),
            Err(error) => Err(Rejection::syntax(&serde_json::Error::custom(error))),
        }
    }

    /// Reads a message from text.
    pub fn from_str(text: &str, lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        if text.trim_ascii_start().starts_with('[') {
            return Self::read_batch(text, lookup);
        }
        match plain::take_apart(text).and_then(|message| Self::read_plain(message, lookup)) {
            Some(message) => Ok(message),
            None => Self::read_any(text, lookup),
        }
    }

    /// Reads an array.
    #[cold]
    fn read_batch(text: &str, lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        let limit = if B::EXISTS { lookup.batch_limit() } else { 0 };
        // From the whole text: JSON knows less white space than ASCII does.
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let texts = deserializer.deserialize_seq(TextsVisitor { limit });
        let texts = texts.and_then(|texts| deserializer.end().map(|()| texts));
        let batch = match texts.map_err(|error| Rejection::syntax(&error))? {
            Texts { texts, is_cut: true } if B::EXISTS => {
                drop(texts);
                let problem = format!("Invalid request: a batch of more than {limit} messages");
                Err(Rejection::invalid_request(problem))
            }
            Texts { texts, .. } => B::read(texts, lookup),
        };
        batch.map(Self::Batch).map_err(|mut rejection| {
            rejection.keep_value(text);
            rejection
        })
    }

    /// Reads a message in its plain form, where all of it is known and fits.
    #[inline]
    fn read_plain(message: Plain<'_>, lookup: &(impl Lookup + ?Sized)) -> Option<Self> {
        let (id, extra) = (message.id.map(RequestId::from), Extra::new());
        match (message.method, id, message.body) {
            (Some(method), Some(id), plain::Body::Params(params)) => {
                let request = read_whole(params, |deserializer| R::read(R::find(method)?, deserializer).ok()?.ok())?;
                Some(Self::Request(Call { id, request, extra }))
            }
            (Some(method), Some(id), plain::Body::None) => {
                Some(Self::Request(Call { id, request: R::bare(R::find(method)?)?, extra }))
            }
            (Some(method), None, plain::Body::Params(params)) => {
                let notification =
                    read_whole(params, |deserializer| N::read(N::find(method)?, deserializer).ok()?.ok())?;
                Some(Self::Notification(Notice { notification, extra }))
            }
            (Some(method), None, plain::Body::None) => {
                Some(Self::Notification(Notice { notification: N::bare(N::find(method)?)?, extra }))
            }
            (None, Some(id), plain::Body::Result(result)) => {
                let method = T::find(&lookup.method_of(&id)?)?;
                let result = read_whole(result, |deserializer| T::read(method, deserializer).ok())?;
                Some(Self::Response(Response { id: Some(id), outcome: Outcome::Result(result), extra }))
            }
            _ => None,
        }
    }

    /// Reads whatever message it is, or says what is wrong with it.
    fn read_any(text: &str, lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        let mut envelope = Envelope::<R, N, T>::new();
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = deserializer.deserialize_any(EnvelopeVisitor { lookup, envelope: &mut envelope });
        match read.and_then(|is_object| deserializer.end().map(|()| is_object)) {
            // It may be one whose members nest as deep as they may.
            Err(error) => Self::read_apart(text, lookup).unwrap_or_else(|| Err(Rejection::syntax(&error))),
            Ok(false) => {
                let mut rejection = Rejection::invalid_request("Invalid request: a message is a JSON object");
                rejection.keep_value(text);
                Err(rejection)
            }
            // Of repeated members the last one counts, as it does in a value.
            Ok(true) if envelope.is_repeated => {
                let unread = || Err(Rejection::syntax(&serde_json::Error::custom("a member cannot be read")));
                Self::read_apart(text, lookup).unwrap_or_else(unread)
            }
            // A result that has no meaning is kept as it came, not as what was asked for.
            Ok(true) if envelope.has_needless_result() => {
                drop(envelope);
                Self::read_any(text, &() as &dyn Lookup)
            }
            Ok(true) => {
                // Changed in place, since a message is large.
                let mut message = envelope.finish(lookup);
                if let Err(rejection) = &mut message {
                    rejection.keep_value(text);
                }
                message
            }
        }
    }

    /// Reads a message member by member, if it is an object that nests no deeper than it may.
    #[cold]
    fn read_apart(text: &str, lookup: &(impl Lookup + ?Sized)) -> Option<Result<Self, Rejection>> {
        let apart = Apart::of(text)?;
        let mut envelope = Envelope::<R, N, T>::new();
        EnvelopeVisitor { lookup, envelope: &mut envelope }.visit_map(apart.members()).ok()?;
        Some(envelope.finish(lookup).map_err(|rejection| rejection.with_value(apart.to_value())))
    }

    /// Reads a message from a JSON value.
    pub fn from_value(value: &Value, lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        Self::from_str(&value.to_string(), lookup)
    }

    /// The message as text on one line.
    pub fn to_text(&self) -> String {
        match self {
            Self::Request(call) => call.to_text(),
            Self::Notification(notice) => notice.to_text(),
            Self::Response(response) => response.to_text(),
            Self::Batch(_) => message_text(self).unwrap_or_default(),
        }
    }

    /// Lists the ways in which the message departs from the schema, up to [`Violation::LIMIT`]; none means that it conforms.
    pub fn check(&self) -> Vec<Violation> {
        Checker::list_of(|checker| self.inspect(checker))
    }

    fn inspect(&self, checker: &mut Checker) {
        match self {
            Self::Request(call) => call.inspect(checker),
            Self::Notification(notice) => notice.inspect(checker),
            Self::Response(response) => response.inspect(checker),
            Self::Batch(batch) => {
                for (index, message) in batch.messages().iter().enumerate() {
                    checker.at(Segment::Index(index), |checker| match message {
                        Ok(message) => message.inspect(checker),
                        Err(rejection) => checker.rejected(&rejection.error.message),
                    });
                }
            }
        }
    }
}

impl<R: Body, N: Body, T, B> Message<R, N, T, B> {
    /// The method of a request or a notification.
    pub fn method(&self) -> Option<&str> {
        match self {
            Self::Request(call) => Some(call.request.method()),
            Self::Notification(notice) => Some(notice.notification.method()),
            Self::Response(_) | Self::Batch(_) => None,
        }
    }

    /// The id of a request or a response.
    pub fn id(&self) -> Option<&RequestId> {
        match self {
            Self::Request(call) => Some(&call.id),
            Self::Response(response) => response.id.as_ref(),
            Self::Notification(_) | Self::Batch(_) => None,
        }
    }
}

impl<R: Body, N: Body, T: Results, B: Batching<R, N, T>> Message<R, N, T, B> {
    /// The kind of message, and the variant of the enum inside it: `("Request", "CallTool")`. A response whose request is
    /// not known is `("Response", "Raw")`.
    pub fn variant_name(&self) -> (&'static str, &'static str) {
        match self {
            Self::Request(call) => ("Request", call.request.variant_name()),
            Self::Notification(notice) => ("Notification", notice.notification.variant_name()),
            Self::Response(response) => match &response.outcome {
                Outcome::Result(result) => ("Response", result.variant_name().unwrap_or("Result")),
                Outcome::Raw(_) => ("Response", "Raw"),
                Outcome::Error(_) => ("Response", "Error"),
            },
            Self::Batch(_) => ("Batch", "Batch"),
        }
    }

    /// Follows a conversation from outside: notes a request among those of its sender, and forgets the request of the
    /// other side that a response answers. A request with an id that is in flight replaces the earlier one, since a
    /// recording may hold one connection after another.
    pub fn observe(&self, sender: &mut InFlight, other: &mut InFlight) {
        match self {
            Self::Request(call) => sender.replace_call(call, ()),
            Self::Response(response) => drop(other.settle(response)),
            Self::Notification(_) => {}
            Self::Batch(batch) => batch.messages().iter().for_each(|message| match message {
                Ok(message) => message.observe(sender, other),
                Err(rejection) => drop(other.settle_refused(rejection)),
            }),
        }
    }
}

impl<R: Body, N: Body, T: Results, B: Batching<R, N, T>> Serialize for Message<R, N, T, B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Request(call) => call.serialize(serializer),
            Self::Notification(notice) => notice.serialize(serializer),
            Self::Response(response) => response.serialize(serializer),
            Self::Batch(batch) => serializer.collect_seq(batch.messages().iter().map(|message| match message {
                Ok(message) => Either::Message(message),
                Err(rejection) => Either::Value(&rejection.value),
            })),
        }
    }
}

enum Either<'a, M> {
    Message(&'a M),
    Value(&'a Option<Value>),
}

impl<M: Serialize> Serialize for Either<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Message(message) => message.serialize(serializer),
            Self::Value(value) => value.serialize(serializer),
        }
    }
}

/// The texts of a batch, up to a limit, and whether there are more.
struct Texts<'de> {
    texts: Vec<&'de RawValue>,
    is_cut: bool,
}

struct TextsVisitor {
    limit: usize,
}

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts<'de>;

    expecting!("a batch");

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Texts<'de>, A::Error> {
        let mut texts = Vec::new();
        let mut is_cut = false;
        while texts.len() < self.limit
            && let Some(text) = array.next_element()?
        {
            texts.push(text);
        }
        while array.next_element::<IgnoredAny>()?.is_some() {
            is_cut = true;
        }
        Ok(Texts { texts, is_cut })
    }
}

/// Reads a text that must be one value and nothing else.
#[inline]
fn read_whole<'de, T>(
    text: &'de str,
    read: impl FnOnce(&mut serde_json::Deserializer<serde_json::de::StrRead<'de>>) -> Option<T>,
) -> Option<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    read(&mut deserializer).filter(|_| deserializer.end().is_ok())
}

/// The members of a message while it is read.
struct Envelope<'de, R, N, T> {
    id: Option<RequestId>,
    method: Option<Named>,
    params: Slot<'de, Typed<R, N>>,
    result: Slot<'de, T>,
    error: Option<Fit<Box<ErrorObject>>>,
    extra: Extra,
    /// The members of the envelope that have come, one bit each.
    seen: u8,
    /// Whether one of them came twice.
    is_repeated: bool,
}

const VERSION_SEEN: u8 = 1;
const RESULT_SEEN: u8 = 16;
const ERROR_SEEN: u8 = 32;

/// A method's name.
enum Named {
    Request(usize),
    Notification(usize),
    Other(String),
}

/// Params that were read as the method asks.
enum Typed<R, N> {
    Request(R),
    Notification(N),
}

/// A member that has a type once something else is known.
#[derive(Default)]
enum Slot<'de, T> {
    #[default]
    Absent,
    /// Skipped over, because the deciding member had not come yet.
    Skipped(&'de RawValue),
    Typed(T),
    Misfit(Box<Misfit>),
}

/// Fills in an envelope where it stands: messages are large, and moving them about costs more than reading the small ones.
struct EnvelopeVisitor<'a, 'de, R, N, T, L: ?Sized> {
    lookup: &'a L,
    envelope: &'a mut Envelope<'de, R, N, T>,
}

impl<'de, R: Body, N: Body, T: Results, L: Lookup + ?Sized> Visitor<'de> for EnvelopeVisitor<'_, 'de, R, N, T, L> {
    /// Whether it is an object at all.
    type Value = bool;

    expecting!("a message");

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E>(self, _: &str) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let envelope = self.envelope;
        while let Some(name) = map.next_key_seed(NameSeed)? {
            envelope.note(&name);
            match name {
                Name::Version => {
                    if let Some(other) = map.next_value_seed(VersionSeed)? {
                        envelope.extra.insert(JSONRPC, other);
                    }
                }
                Name::Id => match map.next_value_seed(FitSeed::<RequestId>(PhantomData))? {
                    Ok(id) if id.is_exact() => envelope.id = Some(id),
                    // An id that would not come back digit for digit answers nothing.
                    Ok(id) => drop(envelope.extra.insert("id", to_value(&id))),
                    Err(misfit) => drop(envelope.extra.insert("id", misfit.value)),
                },
                Name::Method => match map.next_value_seed(MethodSeed::<R, N>(PhantomData))? {
                    Ok(method) => envelope.method = Some(method),
                    Err(other) => drop(envelope.extra.insert("method", other)),
                },
                Name::Params => {
                    envelope.params = match &envelope.method {
                        Some(Named::Request(method)) => {
                            placed(map.next_value_seed(BodySeed(*method, PhantomData))?, Typed::Request)
                        }
                        Some(Named::Notification(method)) => {
                            placed(map.next_value_seed(BodySeed(*method, PhantomData))?, Typed::Notification)
                        }
                        Some(Named::Other(_)) | None => Slot::Skipped(map.next_value()?),
                    };
                }
                Name::Result => {
                    let asked = envelope.id.as_ref().and_then(|id| self.lookup.method_of(id));
                    envelope.result = match asked.as_deref().and_then(T::find) {
                        Some(method) => Slot::Typed(map.next_value_seed(ResultSeed(method, PhantomData))?),
                        None => Slot::Skipped(map.next_value()?),
                    };
                }
                Name::Error => envelope.error = Some(map.next_value_seed(FitSeed(PhantomData))?),
                Name::Other(name) => drop(envelope.extra.insert(name, map.next_value::<Value>()?)),
            }
        }
        Ok(true)
    }
}

fn placed<'de, B, P>(fit: Fit<B>, typed: fn(B) -> P) -> Slot<'de, P> {
    match fit {
        Ok(body) => Slot::Typed(typed(body)),
        Err(misfit) => Slot::Misfit(misfit),
    }
}

impl<'de, R: Body, N: Body, T: Results> Envelope<'de, R, N, T> {
    fn new() -> Self {
        Self {
            id: None,
            method: None,
            params: Slot::Absent,
            result: Slot::Absent,
            error: None,
            extra: Extra::new(),
            seen: 0,
            is_repeated: false,
        }
    }

    fn note(&mut self, name: &Name) {
        let bit = match name {
            Name::Version => VERSION_SEEN,
            Name::Id => 2,
            Name::Method => 4,
            Name::Params => 8,
            Name::Result => RESULT_SEEN,
            Name::Error => ERROR_SEEN,
            Name::Other(_) => return,
        };
        self.is_repeated |= self.seen & bit != 0;
        self.seen |= bit;
    }

    /// Whether a result was read as its request asks for, although there is an error or a method as well.
    #[inline]
    fn has_needless_result(&self) -> bool {
        matches!(self.result, Slot::Typed(_)) && (self.method.is_some() || matches!(self.error, Some(Ok(_))))
    }

    /// All members are known now. They are taken out one by one, because an envelope is large.
    #[inline]
    fn finish<B>(&mut self, lookup: &(impl Lookup + ?Sized)) -> Result<Message<R, N, T, B>, Rejection> {
        if self.seen & VERSION_SEEN == 0 {
            self.extra.omit(JSONRPC);
        }
        match self.method.take() {
            Some(method) => self.finish_method(method),
            None => self.finish_response(lookup),
        }
    }

    /// A result has no meaning beside a method, and an error neither.
    #[cold]
    fn keep_answer(&mut self) -> Result<(), Rejection> {
        match std::mem::take(&mut self.result) {
            Slot::Absent | Slot::Misfit(_) => {}
            Slot::Skipped(text) => drop(self.extra.insert("result", value_of(text)?)),
            Slot::Typed(result) => drop(self.extra.insert("result", to_value(&result))),
        }
        match self.error.take() {
            None => {}
            Some(Ok(error)) => drop(self.extra.insert("error", to_value(&error))),
            Some(Err(misfit)) => drop(self.extra.insert("error", misfit.value)),
        }
        Ok(())
    }

    #[inline]
    fn finish_method<B>(&mut self, method: Named) -> Result<Message<R, N, T, B>, Rejection> {
        if self.seen & (RESULT_SEEN | ERROR_SEEN) != 0 {
            self.keep_answer()?;
        }
        match (method, self.id.take()) {
            (Named::Request(index), Some(id)) => {
                let params = match std::mem::take(&mut self.params) {
                    Slot::Typed(Typed::Request(request)) => {
                        return Ok(Message::Request(Call { id, request, extra: std::mem::take(&mut self.extra) }));
                    }
                    other => other.untyped(),
                };
                match body::<R>(index, params, &mut self.extra) {
                    Ok(request) => Ok(Message::Request(Call { id, request, extra: std::mem::take(&mut self.extra) })),
                    Err(rejection) => Err(rejection.with_id(Some(id))),
                }
            }
            (Named::Notification(index), None) => {
                let params = match std::mem::take(&mut self.params) {
                    Slot::Typed(Typed::Notification(notification)) => {
                        return Ok(Message::Notification(Notice {
                            notification,
                            extra: std::mem::take(&mut self.extra),
                        }));
                    }
                    other => other.untyped(),
                };
                match body::<N>(index, params, &mut self.extra) {
                    Ok(notification) => {
                        Ok(Message::Notification(Notice { notification, extra: std::mem::take(&mut self.extra) }))
                    }
                    Err(rejection) => Err(rejection.unanswered()),
                }
            }
            // A request's method without an id, a notification's with one, and methods that nobody knows.
            (method, id) => {
                let params = match std::mem::take(&mut self.params) {
                    Slot::Absent => None,
                    Slot::Skipped(text) => Some(value_of(text)?),
                    Slot::Typed(Typed::Request(request)) => params_value(&request),
                    Slot::Typed(Typed::Notification(notification)) => params_value(&notification),
                    Slot::Misfit(misfit) => Some(misfit.value),
                };
                let name = match method {
                    Named::Request(index) => R::METHODS.get(index).copied().unwrap_or_default().to_owned(),
                    Named::Notification(index) => N::METHODS.get(index).copied().unwrap_or_default().to_owned(),
                    Named::Other(name) => name,
                };
                Ok(match id {
                    Some(id) => Message::Request(Call {
                        id,
                        request: R::other(name, params),
                        extra: std::mem::take(&mut self.extra),
                    }),
                    None => Message::Notification(Notice {
                        notification: N::other(name, params),
                        extra: std::mem::take(&mut self.extra),
                    }),
                })
            }
        }
    }

    fn finish_response<B>(&mut self, lookup: &(impl Lookup + ?Sized)) -> Result<Message<R, N, T, B>, Rejection> {
        // Params have no meaning here.
        if let Slot::Skipped(text) = self.params {
            self.extra.insert(PARAMS, value_of(text)?);
        }
        let outcome = match (std::mem::take(&mut self.result), self.error.take()) {
            (Slot::Typed(result), None) => Outcome::Result(result),
            (Slot::Skipped(text), None) => {
                let asked = self.id.as_ref().and_then(|id| lookup.method_of(id));
                match asked.as_deref().and_then(T::find) {
                    Some(method) => {
                        let mut deserializer = serde_json::Deserializer::from_str(text.get());
                        let result = T::read(method, &mut deserializer);
                        Outcome::Result(result.map_err(|error| Rejection::syntax(&error))?)
                    }
                    None => Outcome::Raw(value_of(text)?),
                }
            }
            (Slot::Absent, Some(Ok(error))) => Outcome::Error(*error),
            (Slot::Absent, Some(Err(misfit))) => {
                let reason = misfit.reason.within(Segment::Name("error"));
                let rejection = Rejection::invalid_request(format!("Invalid response: {reason}"));
                return Err(self.misanswer(lookup, rejection, Some(reason.pointer())));
            }
            (Slot::Absent | Slot::Misfit(_), None) => {
                let problem = match self.extra.get("method") {
                    Some(_) => "the member \"method\" is not a string",
                    None => "none of the members \"method\", \"result\" and \"error\" is there",
                };
                let rejection = Rejection::invalid_request(format!("Invalid request: {problem}"));
                // A result of `undefined` leaves no trace: what has the id of a request in flight is its answer.
                let is_answer =
                    self.extra.get("method").is_none() && self.id.as_ref().is_some_and(|id| lookup.asked(id).is_some());
                return Err(match is_answer {
                    true => self.misanswer(lookup, rejection, None),
                    false => rejection.with_id(self.id.take()),
                });
            }
            // Both are there, of which one is `null` as a rule: the schemas do not mind a member more. Whoever gives
            // messages to a handler should.
            (result, Some(Ok(error))) => {
                let result = match result {
                    Slot::Skipped(text) => value_of(text)?,
                    Slot::Typed(result) => to_value(&result),
                    Slot::Absent | Slot::Misfit(_) => Value::Null,
                };
                self.extra.insert("result", result);
                Outcome::Error(*error)
            }
            (result, Some(Err(misfit))) => {
                self.extra.insert("error", misfit.value);
                self.error = None;
                self.result = result;
                return self.finish_response(lookup);
            }
        };
        Ok(Message::Response(Response { id: self.id.take(), outcome, extra: std::mem::take(&mut self.extra) }))
    }

    /// An answer that cannot be read. The id is that of a request which the receiver has sent: it must not come back as an
    /// answer to one.
    #[cold]
    fn misanswer(
        &mut self,
        lookup: &(impl Lookup + ?Sized),
        rejection: Rejection,
        pointer: Option<String>,
    ) -> Rejection {
        let id = self.id.take();
        let method = id.as_ref().and_then(|id| lookup.asked(id));
        rejection.at(method.as_deref(), pointer).with_id(id).unanswered()
    }
}

impl<'de, T> Slot<'de, T> {
    /// What is left of the slot where it does not hold the type that is asked for.
    fn untyped(self) -> Slot<'de, Infallible> {
        match self {
            Self::Absent | Self::Typed(_) => Slot::Absent,
            Self::Skipped(text) => Slot::Skipped(text),
            Self::Misfit(misfit) => Slot::Misfit(misfit),
        }
    }
}

/// The params of a known method, where they have not been read with the rest.
fn body<B: Body>(method: usize, params: Slot<'_, Infallible>, extra: &mut Extra) -> Result<B, Rejection> {
    let fit = match params {
        Slot::Typed(never) => match never {},
        Slot::Absent => None,
        Slot::Misfit(misfit) => Some(Err(misfit)),
        Slot::Skipped(text) => {
            let mut deserializer = serde_json::Deserializer::from_str(text.get());
            Some(B::read(method, &mut deserializer).map_err(|error| Rejection::syntax(&error))?)
        }
    };
    let bare = || B::bare(method);
    let reason = match fit {
        Some(Ok(body)) => return Ok(body),
        Some(Err(misfit)) => match bare() {
            // Some peers write `null` for nothing.
            Some(body) if misfit.value.is_null() => {
                extra.insert(PARAMS, misfit.value);
                return Ok(body);
            }
            _ => misfit.reason.within(Segment::Name(PARAMS)),
        },
        None => match bare() {
            Some(body) => return Ok(body),
            None => Reason::missing(PARAMS),
        },
    };
    Err(invalid_params(B::METHODS.get(method).copied().unwrap_or_default(), &reason))
}

#[cold]
fn invalid_params(method: &str, reason: &Reason) -> Rejection {
    let pointer = reason.pointer();
    let data = crate::json_object! {
        "method": method, "pointer": shown(&pointer), "expected": reason.expected(), "found": reason.found(),
    };
    let error = ErrorObject::invalid_params(format!("Invalid params: {reason}")).with_data(data);
    Rejection::new(error).at(Some(method), Some(pointer))
}

/// A member that was skipped over, as a value. It is JSON, though possibly nested deeper than the limit.
fn value_of(text: &RawValue) -> Result<Value, Rejection> {
    serde_json::from_str(text.get()).map_err(|error| Rejection::syntax(&error))
}

/// A member's name.
enum Name {
    Version,
    Id,
    Method,
    Params,
    Result,
    Error,
    Other(String),
}

struct NameSeed;

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Name;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NameSeed {
    type Value = Name;

    expecting!("a member name");

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(match name {
            JSONRPC => Name::Version,
            "id" => Name::Id,
            "method" => Name::Method,
            PARAMS => Name::Params,
            "result" => Name::Result,
            "error" => Name::Error,
            other => Name::Other(other.to_owned()),
        })
    }
}

/// The version of JSON-RPC; another value than the constant is what reading it gives.
struct VersionSeed;

impl<'de> DeserializeSeed<'de> for VersionSeed {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for VersionSeed {
    type Value = Option<Value>;

    expecting!("a version");

    fn visit_str<E>(self, version: &str) -> Result<Self::Value, E> {
        Ok((version != VERSION).then(|| version.into()))
    }

    visit_values!(bool number null array object; self, value => Some(value));
}

/// The method: its number where it is known, its name otherwise, or what stands there instead of a name.
struct MethodSeed<R, N>(PhantomData<(R, N)>);

impl<'de, R: Body, N: Body> DeserializeSeed<'de> for MethodSeed<R, N> {
    type Value = Result<Named, Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Body, N: Body> Visitor<'de> for MethodSeed<R, N> {
    type Value = Result<Named, Value>;

    expecting!("a method");

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Ok(if let Some(index) = R::find(name) {
            Named::Request(index)
        } else if let Some(index) = N::find(name) {
            Named::Notification(index)
        } else {
            Named::Other(name.to_owned())
        }))
    }

    visit_values!(bool number null array object; self, value => Err(value));
}

/// A value of a type that is known beforehand.
struct FitSeed<W>(PhantomData<W>);

impl<'de, W: Wire> DeserializeSeed<'de> for FitSeed<W> {
    type Value = Fit<W>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Decoded<W, D::Error> {
        W::decode(deserializer)
    }
}

/// The params of a known method.
struct BodySeed<B>(usize, PhantomData<B>);

impl<'de, B: Body> DeserializeSeed<'de> for BodySeed<B> {
    type Value = Fit<B>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Decoded<B, D::Error> {
        B::read(self.0, deserializer)
    }
}

/// The result of a known method.
struct ResultSeed<T>(usize, PhantomData<T>);

impl<'de, T: Results> DeserializeSeed<'de> for ResultSeed<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::read(self.0, deserializer)
    }
}
