//! Whole messages: text in, typed message out, in one pass.
//!
//! Params are read as the type their method asks for, results as the type that the request they answer asks for. The
//! [envelope](crate::envelope) around them is the same for all.

mod batch;
mod parts;
mod rejection;

use std::borrow::Cow;

use serde::ser::{Serialize, Serializer};

use crate::MAX_DEPTH;
use crate::body::Body;
use crate::check::Checker;
use crate::decode::Wire;
use crate::envelope::{self, Envelope};
use crate::error::utf8;
use crate::json::{Json, JsonRef, Reader, Stop, compact, transcode};
use crate::misfit::Segment;
use crate::pending::{InFlight, Lookup};
use crate::results::Results;
use crate::rpc::{Call, Notice, Outcome, Response, written};
use crate::{RequestId, Violation};

use batch::GARBAGE_LIMIT;
pub use batch::{Batch, Batching, DEFAULT_BATCH_LIMIT, NoBatch};
use parts::Parts;
pub use rejection::{Refused, Rejection};

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

impl<R: Body, N: Body, T: Results, B: Batching<R, N, T>> Message<R, N, T, B> {
    /// Reads a message from UTF-8 bytes.
    ///
    /// `lookup` tells what a response answers: a [`Pending`](crate::Pending) table, or `&()` where responses are to stay
    /// [raw](Outcome::Raw).
    pub fn from_slice(bytes: &[u8], lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        match utf8(bytes) {
            Ok(text) => Self::from_str(text, lookup),
            Err(error) => Err(Rejection::syntax(&error)),
        }
    }

    /// Reads a message from text.
    pub fn from_str(text: &str, lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        // The object around the members does not count.
        let mut reader = Reader::with_room(text, MAX_DEPTH + 1);
        if reader.peek() == b'[' {
            return Self::read_batch(text, &Asking(lookup));
        }
        let asking = Asking(lookup);
        let mut parts = Parts::new(&asking);
        let mut envelope = Envelope::default();
        match envelope::read(&mut envelope, &mut reader, &mut parts, true).and_then(|()| reader.end()) {
            Ok(()) => parts.finish(&mut envelope).map_err(|rejection| rejection.with_value(Some(whole(text)))),
            Err(Stop) => Err(Rejection::syntax(&reader.error())),
        }
    }

    /// Reads an array.
    #[cold]
    fn read_batch(text: &str, lookup: &dyn Lookup) -> Result<Self, Rejection> {
        let limit = if B::EXISTS { lookup.batch_limit() } else { 0 };
        // Nor does the array around the messages. Where there are no batches, nothing is read of one.
        let mut reader = Reader::with_room(text, if B::EXISTS { MAX_DEPTH + 2 } else { usize::MAX });
        let messages = Self::read_messages(&mut reader, limit, lookup);
        let messages = messages.and_then(|messages| reader.end().map(|()| messages));
        let batch = match messages {
            Err(Stop) => return Err(Rejection::syntax(&reader.error())),
            Ok(messages) => messages.and_then(B::of),
        };
        batch.map(Self::Batch).map_err(|rejection| rejection.with_value(Some(whole(text))))
    }

    /// Reads the messages of a batch. Beyond the limit it is only made sure that they are JSON.
    fn read_messages(
        reader: &mut Reader<'_>,
        limit: usize,
        lookup: &dyn Lookup,
    ) -> Result<Result<Batch<R, N, T>, Rejection>, Stop> {
        let mut batch = Vec::new();
        let (mut count, mut garbage) = (0, 0);
        reader.peek();
        let mut has_more = reader.enter(b']')?;
        while has_more {
            if count < limit && garbage <= GARBAGE_LIMIT {
                let message = Message::read_one(reader, lookup)?;
                garbage +=
                    usize::from(message.as_ref().is_err_and(|refused| refused.is_answered && refused.id.is_none()));
                batch.push(message);
            } else {
                batch = Vec::new();
                reader.skip()?;
            }
            count += 1;
            has_more = reader.more(b']')?;
        }
        if count > limit && B::EXISTS {
            let problem = format!("Invalid request: a batch of more than {limit} messages");
            return Ok(Err(Rejection::invalid_request(problem)));
        }
        if garbage > GARBAGE_LIMIT {
            let problem = format!("Invalid request: a batch in which more than {GARBAGE_LIMIT} are no messages");
            return Ok(Err(Rejection::invalid_request(problem)));
        }
        Ok(Ok(batch))
    }

    /// Reads a message from a JSON value.
    pub fn from_value(value: &serde_json::Value, lookup: &(impl Lookup + ?Sized)) -> Result<Self, Rejection> {
        Self::from_str(&value.to_string(), lookup)
    }

    /// The message as text on one line.
    pub fn to_text(&self) -> String {
        written(|text| self.write(text))
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Request(call) => call.write(text),
            Self::Notification(notice) => notice.write(text),
            Self::Response(response) => response.write(text),
            Self::Batch(batch) => {
                text.push('[');
                for (index, message) in batch.messages().iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    match message {
                        Ok(message) => message.write(text),
                        Err(rejection) => rejection.value.write(text),
                    }
                }
                text.push(']');
            }
        }
    }

    /// Lists the ways in which the message departs from the schema, up to [`Violation::LIMIT`]; none means that it conforms.
    pub fn check(&self) -> Vec<Violation> {
        Checker::list_of(&mut |checker| self.inspect(checker))
    }

    fn inspect(&self, checker: &mut Checker<'_>) {
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

impl<R: Body, N: Body, T: Results> Message<R, N, T> {
    /// Reads one of the messages of a batch. One that nests too deep does not cost the others.
    fn read_one(reader: &mut Reader<'_>, lookup: &dyn Lookup) -> Result<Result<Self, Rejection>, Stop> {
        reader.peek();
        let (start, spaces) = (reader.mark(), reader.spaces());
        let mut parts = Parts::new(lookup);
        let mut envelope = Envelope::default();
        if envelope::read(&mut envelope, reader, &mut parts, false).is_err() {
            let error = reader.error();
            reader.skip_too_deep(start)?;
            return Ok(Err(Rejection::syntax(&error)));
        }
        let value = || Json::from_passed(reader.since(start.at), reader.spaces() - spaces);
        Ok(parts.finish(&mut envelope).map_err(|rejection| rejection.with_value(Some(value()))))
    }
}

/// A whole text as a value.
#[cold]
fn whole(text: &str) -> Json {
    Json::from_valid(compact(text, text.len()))
}

/// A lookup of any kind as one of a known size.
#[doc(hidden)]
pub struct Asking<'l, L: ?Sized>(pub &'l L);

impl<L: Lookup + ?Sized> Lookup for Asking<'_, L> {
    fn method_of(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.0.method_of(id)
    }

    fn asked(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.0.asked(id)
    }

    fn batch_limit(&self) -> usize {
        self.0.batch_limit()
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
        transcode::serialize(JsonRef::from_valid(&self.to_text()), serializer)
    }
}
