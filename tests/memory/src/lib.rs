//! Counts the memory that a thread holds, and the most it has held. A package of its own, because an allocator serves the
//! whole program, and because it needs `unsafe`.

pub mod shapes;

// Only the implementor of `GlobalAlloc` sees every request for memory, and that trait is unsafe to implement. Everything
// is handed on to the system's allocator as it came.
#[allow(unsafe_code)]
mod allocator {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::cell::Cell;

    struct Counting;

    // Each thread counts for itself, so that tests do not disturb each other.
    thread_local! {
        static HELD: Cell<isize> = const { Cell::new(0) };
        static MOST: Cell<isize> = const { Cell::new(0) };
    }

    fn add(bytes: isize) {
        HELD.set(HELD.get() + bytes);
        MOST.set(MOST.get().max(HELD.get()));
    }

    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            add(layout.size() as isize);
            unsafe { System.alloc(layout) }
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            add(layout.size() as isize);
            unsafe { System.alloc_zeroed(layout) }
        }

        unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            add(size as isize - layout.size() as isize);
            unsafe { System.realloc(memory, layout, size) }
        }

        unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
            add(-(layout.size() as isize));
            unsafe { System.dealloc(memory, layout) }
        }
    }

    #[global_allocator]
    static ALLOCATOR: Counting = Counting;

    /// The most memory that is held at once while something is done, and what it gives. What it gives counts.
    pub fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
        let before = HELD.get();
        MOST.set(before);
        let output = work();
        ((MOST.get() - before) as usize, output)
    }
}

pub use allocator::peak;
