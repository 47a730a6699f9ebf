//! Free bytes in the memory of a wasm, reserved in large steps.
//!
//! Each time a memory grows, a JavaScript engine makes a new buffer of the whole length, and the old one
//! becomes garbage of that length. If an allocator asks for no more than it needs, the engine collects
//! garbage again and again: that took two thirds of the time to read ten million rows.

/// Reserves an eighth more once the memory has grown; whoever takes in much calls it now and
/// then. Where no more can be had, nothing happens.
#[cfg(target_arch = "wasm32")]
pub(crate) fn grow() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    const PAGE_LEN: usize = 1 << 16;
    /// Pages that the memory had after the last step.
    static PAGES: AtomicUsize = AtomicUsize::new(0);

    let pages = || core::arch::wasm32::memory_size::<0>();
    if pages() == PAGES.load(Relaxed) {
        return;
    }
    let mut spare: Vec<u8> = Vec::new();
    // A memory never shrinks: what is given back is there for whatever comes next.
    let _is_there = spare.try_reserve_exact(pages() / 8 * PAGE_LEN);
    drop(std::hint::black_box(spare));
    PAGES.store(pages(), Relaxed);
}

/// Elsewhere memory is not counted so.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const fn grow() {}
