//! Messages that are refused.

use std::fmt;
use std::ops::Deref;

use crate::json::{Json, SyntaxError};
use crate::rpc::Response;
use crate::{ErrorCode, ErrorObject, RequestId};

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
    pub value: Option<Json>,
}

impl Deref for Rejection {
    type Target = Refused;

    fn deref(&self) -> &Refused {
        &self.0
    }
}

impl Refused {
    /// The request of the receiver that the message answers, in a way that cannot be read. No other answer will come.
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
    pub(crate) fn syntax(error: &SyntaxError) -> Self {
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

    pub(crate) fn with_value(mut self, value: Option<Json>) -> Self {
        self.0.value = value;
        self
    }

    pub(crate) fn unanswered(mut self) -> Self {
        self.0.is_answered = false;
        self
    }

    /// The answer to send, where one is due.
    pub fn answer(&self) -> Option<Response<Json>> {
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
