//! Counts how often one message asks for memory; `cargo xtask bench` runs it for all of them.
//!
//! A program of its own, so that the times of the other one are not those of a counting allocator.

// Only the implementor of `GlobalAlloc` sees every request for memory, and that trait is unsafe to implement. Everything
// is handed on to the system's allocator as it came.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use mcp_wire_bench::{Subject, contenders};

struct Counting;

/// Requests for memory so far. One that grows counts like a new one: both are a trip to the allocator.
static REQUESTS: AtomicU64 = AtomicU64::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [subject, order] = &arguments[..] else { return usage() };
    let Some((subject, order)) = Subject::named(subject, order) else { return usage() };
    for (contender, make) in contenders::ALL {
        let work = make(subject, order);
        let each = |run: &dyn Fn(u32)| {
            // Once before: what is made once and kept is not the message's doing.
            run(1);
            let before = REQUESTS.load(Ordering::Relaxed);
            run(1);
            (REQUESTS.load(Ordering::Relaxed) - before) as f64 / subject.messages() as f64
        };
        let parse = work.as_ref().map(|work| each(&work.parse));
        let write = work.as_ref().and_then(|work| work.write.as_ref()).map(|write| each(write));
        println!("{}", serde_json::json!({ "contender": contender, "parse": parse, "write": write }));
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: allocations SUBJECT ORDER");
    ExitCode::from(2)
}
