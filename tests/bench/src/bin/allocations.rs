//! Counts what memory one message asks for; `cargo xtask bench` runs it for all of them.
//!
//! A program of its own, so that the times of the other one are not those of a counting allocator.

// Only the implementor of `GlobalAlloc` sees every request for memory, and that trait is unsafe to implement. Everything
// is handed on to the system's allocator as it came.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use mcp_wire_bench::{Subject, contenders};
use serde_json::{Value, json};

struct Counting;

/// Requests for memory so far. One that grows counts like a new one: both are a trip to the allocator.
static REQUESTS: AtomicU64 = AtomicU64::new(0);
/// The bytes of all of them. One that grows counts with its new size, since all of it may have to be moved.
static BYTES: AtomicU64 = AtomicU64::new(0);
/// The bytes that are held now, and the most that were held at once.
static HELD: AtomicU64 = AtomicU64::new(0);
static MOST: AtomicU64 = AtomicU64::new(0);

fn asked(size: usize, given_back: usize) {
    let (size, given_back) = (size as u64, given_back as u64);
    REQUESTS.fetch_add(1, Ordering::Relaxed);
    BYTES.fetch_add(size, Ordering::Relaxed);
    // A little more than is held for a moment, and never less than nothing.
    let held = HELD.fetch_add(size, Ordering::Relaxed) + size - given_back;
    HELD.fetch_sub(given_back, Ordering::Relaxed);
    MOST.fetch_max(held, Ordering::Relaxed);
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        asked(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        asked(layout.size(), 0);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        asked(size, layout.size());
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (subject, order, only) = match &arguments[..] {
        [subject, order] => (subject, order, None),
        [subject, order, contender] => (subject, order, Some(contender)),
        _ => return usage(),
    };
    let Some((subject, order)) = Subject::named(subject, order) else { return usage() };
    let text = subject.text(order).len();
    for contender in contenders::ALL.iter().filter(|it| only.is_none_or(|only| it.name == only)) {
        let work = contender.work(subject, order);
        let parse = work.as_ref().map(|work| measure(subject, &work.parse));
        let write = work.as_ref().and_then(|work| work.write.as_ref()).map(|write| measure(subject, write));
        println!("{}", json!({ "contender": contender.name, "text": text, "parse": parse, "write": write }));
    }
    ExitCode::SUCCESS
}

/// Requests and bytes per message, and the most bytes that were held at once beyond those held before.
fn measure(subject: Subject, run: &dyn Fn(u32)) -> Value {
    // Once before: what is made once and kept is not the message's doing.
    run(1);
    let now = || [&REQUESTS, &BYTES, &HELD].map(|counter| counter.load(Ordering::Relaxed));
    let [requests, bytes, held] = now();
    MOST.store(held, Ordering::Relaxed);
    run(1);
    let ([more_requests, more_bytes, _], most) = (now(), MOST.load(Ordering::Relaxed));
    let each = |sum: u64| sum as f64 / subject.messages() as f64;
    json!({ "requests": each(more_requests - requests), "bytes": each(more_bytes - bytes), "peak": most - held })
}

fn usage() -> ExitCode {
    eprintln!("usage: allocations SUBJECT ORDER [CONTENDER]");
    ExitCode::from(2)
}
