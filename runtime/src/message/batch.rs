//! Several messages at once, in the one revision that has them.

use std::convert::Infallible;

use super::{Message, Rejection};

/// What stands for batches in a revision without them: there is no such value.
pub type NoBatch = Infallible;

/// How many messages a batch may have unless another limit is set: 1000.
pub const DEFAULT_BATCH_LIMIT: usize = 1000;

/// How many messages of a batch may be no messages at all before the batch is refused as a whole: each asks for an answer
/// that is many times as long.
pub(super) const GARBAGE_LIMIT: usize = 16;

/// Several messages at once. One that cannot be read does not cost the others, unless there are more than 16 without an id
/// that an answer could name.
pub type Batch<R, N, T> = Vec<Result<Message<R, N, T>, Rejection>>;

/// How a revision treats an array where a message is expected.
#[doc(hidden)]
pub trait Batching<R, N, T>: Sized {
    /// Whether there are batches.
    const EXISTS: bool;

    /// The batch that these messages make.
    fn of(messages: Batch<R, N, T>) -> Result<Self, Rejection>;

    /// The messages in it.
    fn messages(&self) -> &[Result<Message<R, N, T>, Rejection>];

    /// The messages in it, each on its own.
    fn into_messages(self) -> Batch<R, N, T>;
}

impl<R, N, T> Batching<R, N, T> for NoBatch {
    const EXISTS: bool = false;

    fn of(_: Batch<R, N, T>) -> Result<Self, Rejection> {
        Err(Rejection::invalid_request("Invalid request: this revision has no batches"))
    }

    fn messages(&self) -> &[Result<Message<R, N, T>, Rejection>] {
        match *self {}
    }

    fn into_messages(self) -> Batch<R, N, T> {
        match self {}
    }
}

impl<R, N, T> Batching<R, N, T> for Batch<R, N, T> {
    const EXISTS: bool = true;

    fn of(messages: Self) -> Result<Self, Rejection> {
        if messages.is_empty() {
            return Err(Rejection::invalid_request("Invalid request: an empty batch"));
        }
        Ok(messages)
    }

    fn messages(&self) -> &[Result<Message<R, N, T>, Rejection>] {
        self
    }

    fn into_messages(self) -> Batch<R, N, T> {
        self
    }
}
