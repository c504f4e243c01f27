//! Locks, and code of others that must never run under one.
//!
//! Whatever is given to a connection (the function that sends, handlers, wakers, values that are dropped) may come back
//! into it, from the same thread or by waiting for another one. So a lock is held for a closure of this crate only, and
//! not while another one is. Builds with debug assertions check both, wherever a lock is taken and wherever code of
//! others is called.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

/// A value that is used by one closure at a time.
#[derive(Default)]
pub(crate) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    #[inline]
    pub(crate) fn with<R>(&self, action: impl FnOnce(&mut T) -> R) -> R {
        let _held = held::take();
        // A panic elsewhere does not make the tables of a connection wrong.
        action(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Says nothing of the value: whoever prints might come back.
impl<T> fmt::Debug for Lock<T> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock(..)")
    }
}

#[cfg(debug_assertions)]
mod held {
    use std::cell::Cell;

    thread_local! {
        static IS_HELD: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) struct Held;

    pub(super) fn take() -> Held {
        refuse();
        // A thread that ends has no such cell any more, and may still drop something.
        let _ = IS_HELD.try_with(|is_held| is_held.set(true));
        Held
    }

    impl Drop for Held {
        fn drop(&mut self) {
            let _ = IS_HELD.try_with(|is_held| is_held.set(false));
        }
    }

    pub(super) fn refuse() {
        let is_held = IS_HELD.try_with(Cell::get).unwrap_or(false);
        assert!(!is_held, "a lock is held while another is taken, or while code of others is called");
    }
}

#[cfg(not(debug_assertions))]
mod held {
    #[inline(always)]
    pub(super) fn take() {}

    #[inline(always)]
    pub(super) fn refuse() {}
}

/// Calls code of others.
#[inline]
pub(crate) fn unlocked<T>(action: impl FnOnce() -> T) -> T {
    held::refuse();
    action()
}

/// Calls code of others. A panic in it goes no further, where unwinding exists; the panic hook has reported it.
#[inline]
pub(crate) fn shielded<T>(action: impl FnOnce() -> T) -> Option<T> {
    held::refuse();
    match catch_unwind(AssertUnwindSafe(action)) {
        Ok(output) => Some(output),
        Err(panic) => {
            discard(panic);
            None
        }
    }
}

/// What a panic carries may panic again when it is dropped.
#[cold]
fn discard(panic: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
}

/// Runs a future of others, which is dropped as soon as it has ended.
#[inline]
pub(crate) async fn shield<F: Future>(make: impl FnOnce() -> F) -> Option<F::Output> {
    let mut future = pin!(shielded(make));
    std::future::poll_fn(|task| poll_shielded(future.as_mut(), task)).await
}

/// Polls a future of others. One that has panicked ends with nothing.
#[inline]
pub(crate) fn poll_shielded<F: Future>(
    mut future: Pin<&mut Option<F>>,
    task: &mut Context<'_>,
) -> Poll<Option<F::Output>> {
    let polled = shielded(|| future.as_mut().as_pin_mut().map(|future| future.poll(task)));
    let output = match polled.flatten() {
        Some(Poll::Pending) => return Poll::Pending,
        Some(Poll::Ready(output)) => Some(output),
        None => None,
    };
    shielded(|| future.set(None));
    Poll::Ready(output)
}
