//! A request that this side works on: its cancellation, its progress, its end.

use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::ops::Deref;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll, Waker, ready};
use std::thread::{self, ThreadId};

use crate::RequestId;
use crate::lock::{Lock, poll_shielded, shielded, unlocked};
use crate::pending::InFlight;

/// A request that this side works on.
#[derive(Debug, Default)]
pub(crate) struct Flight {
    is_cancelled: AtomicBool,
    watchers: Lock<Watchers>,
    outbox: Lock<Outbox>,
}

/// Those who wait for the cancellation, each with a number.
#[derive(Default)]
struct Watchers {
    next: u64,
    wakers: BTreeMap<u64, Waker>,
}

/// What is reported about a request. One thread at a time sends, and nothing is locked meanwhile; what others report
/// then, or the function that sends itself, waits for it.
#[derive(Default)]
struct Outbox {
    last: Option<f64>,
    waiting: VecDeque<String>,
    sender: Option<ThreadId>,
    is_closed: bool,
    /// Who waits for the sender, with the answer in hand.
    answering: Option<Waker>,
}

/// How many reports wait at most. Beyond that the newest one replaces the one before it, which it supersedes.
const WAITING_REPORTS: usize = 64;

/// Why something was not reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreported {
    Over,
    NotIncreasing,
}

/// How the work on a request ended.
pub(crate) enum Ended<T> {
    Done(T),
    Cancelled,
    Panicked,
}

impl Flight {
    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    /// Cancels the request, and wakes all who wait for that.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
        let watchers = self.watchers.with(|watchers| std::mem::take(&mut watchers.wakers));
        let (_, answering) = self.outbox.with(Outbox::clear);
        // One that panics must not keep the others asleep.
        for waker in watchers.into_values().chain(answering) {
            shielded(|| waker.wake());
        }
    }

    /// What a future gives, unless the request is cancelled before it is done, or the future panics.
    #[inline]
    pub(crate) async fn run<F: Future>(&self, make: impl FnOnce() -> F) -> Ended<F::Output> {
        let mut future = pin!(shielded(make));
        let mut watch = Watch::new(self);
        let mut done = None;
        let ended = poll_fn(|task| {
            if self.is_cancelled() {
                return Poll::Ready(Ended::Cancelled);
            }
            if done.is_none() {
                match poll_shielded(future.as_mut(), task) {
                    Poll::Pending => return watch.poll_cancelled(task).map(|()| Ended::Cancelled),
                    Poll::Ready(output) => done = Some(output.map_or(Ended::Panicked, Ended::Done)),
                }
            }
            ready!(self.poll_silence(task));
            let ended = done.take().filter(|_| !self.is_cancelled());
            Poll::Ready(ended.unwrap_or(Ended::Cancelled))
        })
        .await;
        shielded(|| future.set(None));
        ended
    }

    /// Reports something with a value that must be greater than the one before. Values arrive in rising order, whichever
    /// threads they come from.
    pub(crate) fn report(&self, value: f64, text: String, send: &dyn Fn(String)) -> Result<(), Unreported> {
        let is_senders_turn = self.outbox.with(|outbox| {
            if outbox.is_closed || self.is_cancelled() {
                return Err(Unreported::Over);
            }
            if !value.is_finite() || outbox.last.is_some_and(|last| value <= last) {
                return Err(Unreported::NotIncreasing);
            }
            outbox.last = Some(value);
            if outbox.waiting.len() >= WAITING_REPORTS {
                outbox.waiting.pop_back();
            }
            outbox.waiting.push_back(text);
            let is_free = outbox.sender.is_none();
            if is_free {
                outbox.sender = Some(thread::current().id());
            }
            Ok(is_free)
        })?;
        if is_senders_turn {
            let mut turn = Turn { flight: self, is_over: false };
            while let Some(text) = turn.next() {
                unlocked(|| send(text));
            }
        }
        Ok(())
    }

    /// Lets nobody report any more, and waits until what has been reported is sent. Where the sender itself asks, there
    /// is nobody to wait for.
    #[inline]
    fn poll_silence(&self, task: &mut Context<'_>) -> Poll<()> {
        let is_silent = |outbox: &Outbox| outbox.sender.is_none_or(|sender| sender == thread::current().id());
        let is_over = self.outbox.with(|outbox| {
            outbox.is_closed = true;
            is_silent(outbox)
        });
        if is_over {
            return Poll::Ready(());
        }
        let waker = unlocked(|| task.waker().clone());
        let (is_over, unneeded) = self.outbox.with(|outbox| match is_silent(outbox) {
            true => (true, Some(waker)),
            false => (false, outbox.answering.replace(waker)),
        });
        unlocked(|| drop(unneeded));
        if is_over { Poll::Ready(()) } else { Poll::Pending }
    }

    /// After this nothing is reported about the request any more.
    #[inline]
    fn close(&self) {
        let (_, answering) = self.outbox.with(|outbox| {
            outbox.is_closed = true;
            outbox.clear()
        });
        unlocked(|| drop(answering));
    }
}

impl Outbox {
    /// Takes out what waits.
    #[inline]
    fn clear(&mut self) -> (VecDeque<String>, Option<Waker>) {
        (std::mem::take(&mut self.waiting), self.answering.take())
    }
}

/// A thread's turn to send. A function that panics while it sends loses what waits, and blocks nobody.
struct Turn<'a> {
    flight: &'a Flight,
    is_over: bool,
}

impl Turn<'_> {
    /// The next report, if there is one. The turn is over otherwise, in the same moment: what comes later has a sender of
    /// its own.
    fn next(&mut self) -> Option<String> {
        let (text, answering) = self.flight.outbox.with(|outbox| match outbox.waiting.pop_front() {
            Some(text) => (Some(text), None),
            None => {
                outbox.sender = None;
                (None, outbox.answering.take())
            }
        });
        self.is_over = text.is_none();
        wake(answering);
        text
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            let (_, answering) = self.flight.outbox.with(|outbox| {
                outbox.sender = None;
                outbox.clear()
            });
            wake(answering);
        }
    }
}

#[inline]
fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        shielded(|| waker.wake());
    }
}

/// A future that completes when a request is cancelled. It is waited for from its first poll until it is dropped.
pub(crate) struct Watch<F: Deref<Target = Flight>> {
    flight: F,
    number: Option<u64>,
}

impl<F: Deref<Target = Flight>> Watch<F> {
    #[inline]
    pub(crate) fn new(flight: F) -> Self {
        Self { flight, number: None }
    }

    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.flight.is_cancelled()
    }

    fn poll_cancelled(&mut self, task: &mut Context<'_>) -> Poll<()> {
        let Self { flight, number } = self;
        if flight.is_cancelled() {
            return Poll::Ready(());
        }
        let is_known = |watchers: &mut Watchers| {
            number.and_then(|number| watchers.wakers.get(&number)).is_some_and(|known| known.will_wake(task.waker()))
        };
        if number.is_some() && flight.watchers.with(is_known) {
            return Poll::Pending;
        }
        let waker = unlocked(|| task.waker().clone());
        // Whether it is cancelled is asked under the lock, so that a cancellation after the question finds the waker.
        let (is_cancelled, unneeded) = flight.watchers.with(|watchers| match flight.is_cancelled() {
            true => (true, Some(waker)),
            false => {
                let number = number.get_or_insert_with(|| {
                    watchers.next += 1;
                    watchers.next
                });
                (false, watchers.wakers.insert(*number, waker))
            }
        });
        unlocked(|| drop(unneeded));
        if is_cancelled { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl<F: Deref<Target = Flight> + Unpin> Future for Watch<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        self.poll_cancelled(task)
    }
}

impl<F: Deref<Target = Flight>> Drop for Watch<F> {
    #[inline]
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let waker = self.flight.watchers.with(|watchers| watchers.wakers.remove(&number));
            unlocked(|| drop(waker));
        }
    }
}

/// How far the handshake has come: one at a time is under way, and one succeeds.
#[derive(Debug, Default)]
pub(crate) struct Handshake(AtomicU8);

const AWAITED: u8 = 0;
const UNDER_WAY: u8 = 1;
const DONE: u8 = 2;

impl Handshake {
    /// Whether it has come, answered or not.
    #[inline]
    pub(crate) fn has_come(&self) -> bool {
        self.0.load(Ordering::Acquire) != AWAITED
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.0.load(Ordering::Acquire) == DONE
    }

    #[inline]
    pub(crate) fn complete(&self) {
        self.0.store(DONE, Ordering::Release);
    }

    /// Whether this is the one; of several at once, one is.
    #[inline]
    pub(crate) fn begin(&self) -> bool {
        self.0.compare_exchange(AWAITED, UNDER_WAY, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Lets another one come, unless this one has succeeded.
    #[inline]
    fn end(&self) {
        let _ = self.0.compare_exchange(UNDER_WAY, AWAITED, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// What the other side has asked, and how far the handshake has come.
#[derive(Default)]
pub(crate) struct Arrivals {
    pub(crate) received: Lock<InFlight<Arc<Flight>>>,
    pub(crate) handshake: Handshake,
}

/// Forgets a request when the work on it ends, in whichever way.
pub(crate) struct Landing {
    pub(crate) arrivals: Arc<Arrivals>,
    pub(crate) id: Arc<RequestId>,
    pub(crate) flight: Arc<Flight>,
    /// Whether the request is the one that opens the connection.
    pub(crate) opens: bool,
}

impl Drop for Landing {
    #[inline]
    fn drop(&mut self) {
        self.flight.close();
        let asked = self.arrivals.received.with(|received| received.forget(&self.id));
        drop(asked);
        if self.opens {
            self.arrivals.handshake.end();
        }
    }
}
