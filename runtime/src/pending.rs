//! Requests in flight: what a response answers, and which ids are taken.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use crate::RequestId;
use crate::body::Body;
use crate::message::{DEFAULT_BATCH_LIMIT, Rejection};
use crate::misfit::shortened;
use crate::results::Results;
use crate::rpc::{Call, Outcome, Response};

/// Tells what a response answers.
pub trait Lookup {
    /// The method whose result the answer to the request with this id has.
    fn method_of(&self, id: &RequestId) -> Option<Cow<'static, str>>;

    /// The method of the request with this id. It is another one where the request fetches the result of a task.
    #[inline]
    fn asked(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.method_of(id)
    }

    /// How many messages a batch may have.
    #[inline]
    fn batch_limit(&self) -> usize {
        DEFAULT_BATCH_LIMIT
    }
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

    #[inline]
    fn asked(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        self.sent.asked(id)
    }
}

/// The requests in flight in one direction, each with whatever its owner wants to remember of it.
#[derive(Debug, Clone)]
pub struct InFlight<E = ()> {
    /// Ids are shared with those who work on the requests: they may be as long as messages.
    ///
    /// In order, since the peer chooses them: no id can make looking up others slow.
    requests: BTreeMap<Arc<RequestId>, Asked<E>>,
    tasks: Tasks,
}

/// The methods of requests that were answered with a task: its result has their type. The other side chooses the ids and
/// may never let a task end, so the oldest are forgotten when all of them together become too large.
#[derive(Debug, Clone, Default)]
struct Tasks {
    /// By the id, with a number that rises.
    methods: HashMap<Arc<str>, (u64, Cow<'static, str>)>,
    ids: BTreeMap<u64, Arc<str>>,
    next: u64,
    /// What they take.
    size: usize,
}

/// What remembered tasks take at most, in bytes: their ids, and a place in the tables for each.
const TASKS_SIZE: usize = 1 << 20;
const TASK_PLACE: usize = 128;

impl Tasks {
    #[inline]
    fn method(&self, id: &str) -> Option<&Cow<'static, str>> {
        self.methods.get(id).map(|(_, method)| method)
    }

    fn insert(&mut self, id: &str, method: Cow<'static, str>) {
        self.remove(id);
        let size = id.len().saturating_add(TASK_PLACE);
        if size > TASKS_SIZE {
            return;
        }
        while self.size + size > TASKS_SIZE
            && let Some(oldest) = self.ids.first_key_value().map(|(_, id)| Arc::clone(id))
        {
            self.remove(&oldest);
        }
        let id: Arc<str> = id.into();
        self.next += 1;
        self.size += size;
        self.ids.insert(self.next, Arc::clone(&id));
        self.methods.insert(id, (self.next, method));
    }

    fn remove(&mut self, id: &str) {
        if let Some((number, _)) = self.methods.remove(id) {
            self.ids.remove(&number);
            self.size = self.size.saturating_sub(id.len() + TASK_PLACE);
        }
    }
}

/// What the answer to a request means for the table of requests.
pub(crate) enum Settling {
    /// A result.
    Done,
    /// A task, which is worked on.
    Task(String),
    /// A result that nobody has looked into.
    Unread,
    /// An error, or an answer that cannot be read.
    Failed,
}

impl Settling {
    #[inline]
    pub(crate) fn of<T: Results>(outcome: &Outcome<T>) -> Self {
        match outcome {
            Outcome::Result(result) => result.task().map_or(Self::Done, Self::Task),
            Outcome::Raw(_) => Self::Unread,
            Outcome::Error(_) => Self::Failed,
        }
    }
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

impl<E> Asked<E> {
    /// What is remembered of a request.
    #[inline]
    pub(crate) fn of<R: Body>(request: &R, memo: E) -> Self {
        let known = R::find(request.method()).and_then(|index| R::METHODS.get(index));
        let method = known.map_or_else(|| Cow::Owned(request.method().to_owned()), |name| Cow::Borrowed(*name));
        Self { method, task: request.fetches(), memo }
    }
}

impl<E> Asked<E> {
    /// The request, and what its owner remembers.
    pub(crate) fn split(self) -> (Asked, E) {
        (Asked { method: self.method, task: self.task, memo: () }, self.memo)
    }
}

impl<E> Default for InFlight<E> {
    #[inline]
    fn default() -> Self {
        Self { requests: BTreeMap::new(), tasks: Tasks::default() }
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
        self.add(Arc::new(id.into()), Asked { method: method.into(), task: None, memo })
    }

    /// Notes a request message.
    pub fn insert_call<R: Body>(&mut self, call: &Call<R>, memo: E) -> Result<(), DuplicateId> {
        self.add(Arc::new(call.id.clone()), Asked::of(&call.request, memo))
    }

    /// Notes a request message; one with the same id is forgotten.
    pub fn replace_call<R: Body>(&mut self, call: &Call<R>, memo: E) {
        self.forget(&call.id);
        // The id is free now.
        let _ = self.insert_call(call, memo);
    }

    #[inline]
    pub(crate) fn add(&mut self, id: Arc<RequestId>, asked: Asked<E>) -> Result<(), DuplicateId> {
        match self.requests.entry(id) {
            Entry::Occupied(taken) => Err(DuplicateId(taken.key().as_ref().clone())),
            Entry::Vacant(free) => {
                free.insert(asked);
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
    /// what became of it has been fetched, be it a result or an error. Tasks that are never fetched are remembered as long
    /// as their ids take little memory all together.
    pub fn settle<T: Results>(&mut self, response: &Response<T>) -> Option<Asked<E>> {
        self.end(response.id.as_ref()?, Settling::of(&response.outcome))
    }

    /// Forgets the request whose answer has come, and cannot be read.
    pub fn settle_refused(&mut self, rejection: &Rejection) -> Option<Asked<E>> {
        self.end(rejection.answers()?, Settling::Failed)
    }

    #[inline]
    pub(crate) fn end(&mut self, id: &RequestId, settling: Settling) -> Option<Asked<E>> {
        let asked = self.requests.remove(id)?;
        match (&asked.task, settling) {
            (Some(task), Settling::Done | Settling::Task(_) | Settling::Failed) => self.tasks.remove(task),
            (None, Settling::Task(task)) => self.tasks.insert(&task, asked.method.clone()),
            (_, Settling::Unread) | (None, Settling::Done | Settling::Failed) => {}
        }
        Some(asked)
    }

    /// What is remembered of all requests.
    pub(crate) fn into_memos(self) -> impl Iterator<Item = E> {
        self.requests.into_values().map(|asked| asked.memo)
    }

    /// All requests in flight, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (&RequestId, &Asked<E>)> {
        self.requests.iter().map(|(id, asked)| (&**id, asked))
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
        let created = asked.task.as_ref().and_then(|task| self.tasks.method(task));
        Some(created.unwrap_or(&asked.method).clone())
    }

    #[inline]
    fn asked(&self, id: &RequestId) -> Option<Cow<'static, str>> {
        Some(self.requests.get(id)?.method.clone())
    }
}

/// An id that is in flight already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateId(pub RequestId);

impl fmt::Display for DuplicateId {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a request with the id {:?} is in flight already", shortened(&self.0.to_string()))
    }
}

impl std::error::Error for DuplicateId {}
