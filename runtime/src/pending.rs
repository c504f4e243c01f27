//! Requests in flight: what a response answers, and which ids are taken.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use crate::RequestId;
use crate::method::{Body, Results};
use crate::rpc::{Call, Outcome, Response};

/// Tells what a response answers.
pub trait Lookup {
    /// The method of the request with this id.
    fn method_of(&self, id: &RequestId) -> Option<Cow<'static, str>>;
}

/// Knows of no request: every response stays raw.
impl Lookup for () {
    #[inline]
    fn method_of(&self, _: &RequestId) -> Option<Cow<'static, str>> {
        None
    }
}

/// The requests in flight on one connection, in both directions. Each direction has ids of its own.
///
/// ```
/// # use mcp_wire_core::Pending;
/// let mut pending = Pending::new();
/// pending.sent.insert(1, "tools/list", ()).unwrap();
/// assert!(pending.sent.insert(1, "ping", ()).is_err(), "the id is taken");
/// assert!(pending.received.insert(1, "roots/list", ()).is_ok(), "the other side has ids of its own");
///
/// assert_eq!(pending.sent.forget(&1.into()).unwrap().method, "tools/list");
/// assert!(pending.sent.insert(1, "ping", ()).is_ok());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pending {
    /// What this side asked and the other has not answered.
    pub sent: InFlight,
    /// What the other side asked and this one has not answered.
    pub received: InFlight,
}

impl Pending {
    /// Nothing in flight.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Responses answer what was sent.
impl Lookup for Pending {
    #[inline]
    fn method_of(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.sent.method_of(id)
    }
}

/// The requests in flight in one direction, each with whatever its owner wants to remember of it.
#[derive(Debug, Clone)]
pub struct InFlight<E = ()> {
    requests: HashMap<RequestId, Asked<E>>,
    /// The methods of requests that were answered with a task: its result has their type.
    tasks: HashMap<String, Cow<'static, str>>,
}

/// A request in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asked<E = ()> {
    /// The method.
    pub method: Cow<'static, str>,
    /// The task whose result it fetches.
    pub task: Option<String>,
    /// What its owner remembers.
    pub memo: E,
}

impl<E> Default for InFlight<E> {
    #[inline]
    fn default() -> Self {
        Self { requests: HashMap::new(), tasks: HashMap::new() }
    }
}

impl<E> InFlight<E> {
    /// Notes a request. An id that is in flight already is refused.
    pub fn insert(
        &mut self,
        id: impl Into<RequestId>,
        method: impl Into<Cow<'static, str>>,
        memo: E,
    ) -> Result<(), DuplicateId> {
        self.add(id.into(), method.into(), None, memo)
    }

    /// Notes a request message.
    pub fn insert_call<R: Body>(&mut self, call: &Call<R>, memo: E) -> Result<(), DuplicateId> {
        let known = R::find(call.request.method()).and_then(|index| R::METHODS.get(index));
        let method = known.map_or_else(|| Cow::Owned(call.request.method().to_owned()), |name| Cow::Borrowed(*name));
        self.add(call.id.clone(), method, call.request.fetches().map(str::to_owned), memo)
    }

    /// Notes a request message; one with the same id is forgotten.
    pub fn replace_call<R: Body>(&mut self, call: &Call<R>, memo: E) {
        self.forget(&call.id);
        // The id is free now.
        let _ = self.insert_call(call, memo);
    }

    #[inline]
    fn add(
        &mut self,
        id: RequestId,
        method: Cow<'static, str>,
        task: Option<String>,
        memo: E,
    ) -> Result<(), DuplicateId> {
        match self.requests.entry(id) {
            Entry::Occupied(taken) => Err(DuplicateId(taken.key().clone())),
            Entry::Vacant(free) => {
                free.insert(Asked { method, task, memo });
                Ok(())
            }
        }
    }

    /// The request with this id.
    #[inline]
    pub fn get(&self, id: &RequestId) -> Option<&Asked<E>> {
        self.requests.get(id)
    }

    /// Forgets a request, because it was answered or cancelled.
    #[inline]
    pub fn forget(&mut self, id: &RequestId) -> Option<Asked<E>> {
        self.requests.remove(id)
    }

    /// Forgets the request that a response answers. A task that was created instead of a result is remembered until
    /// its result has been fetched.
    pub fn settle<T: Results>(&mut self, response: &Response<T>) -> Option<Asked<E>> {
        let asked = self.requests.remove(response.id.as_ref()?)?;
        if let Outcome::Result(result) = &response.outcome {
            if let Some(task) = &asked.task {
                self.tasks.remove(task);
            } else if let Some(task) = result.task() {
                self.tasks.insert(task.to_owned(), asked.method.clone());
            }
        }
        Some(asked)
    }

    /// All requests in flight, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&RequestId, &Asked<E>)> {
        self.requests.iter()
    }

    /// How many requests are in flight.
    #[inline]
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether no request is in flight.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }
}

impl<E> Lookup for InFlight<E> {
    /// The method whose result the answer has: for a request that fetches the result of a task, that of the request
    /// which created the task.
    #[inline]
    fn method_of(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        let asked = self.requests.get(id)?;
        let created = asked.task.as_ref().and_then(|task| self.tasks.get(task));
        Some(created.unwrap_or(&asked.method).clone())
    }
}

/// An id that is in flight already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateId(pub RequestId);

impl fmt::Display for DuplicateId {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a request with the id {:?} is in flight already", self.0.to_string())
    }
}

impl std::error::Error for DuplicateId {}
