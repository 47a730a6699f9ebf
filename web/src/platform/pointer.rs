//! Where a pointer is, and who hears of it.

use std::cell::Cell;

use gloo_events::{EventListener, EventListenerOptions};
use web_sys::{HtmlElement, window};

thread_local! {
    static IS_PRESSED: Cell<bool> = const { Cell::new(false) };
}

/// Notes from now on whether a pointer is down. If its release is not heard, as with some menus of
/// browsers, the next key press counts as the release.
pub(crate) fn watch_presses() {
    let Some(window) = window() else { return };
    for (name, is_pressed) in
        [("pointerdown", true), ("pointerup", false), ("pointercancel", false), ("keydown", false)]
    {
        let options = EventListenerOptions::run_in_capture_phase();
        EventListener::new_with_options(&window, name, options, move |_| {
            IS_PRESSED.set(is_pressed);
        })
        .forget();
    }
}

/// Whether a pointer is down: what moves under it before it is let go is not clicked.
pub(crate) fn is_pressed() -> bool {
    IS_PRESSED.get()
}

/// A place in the window as pixels from the upper left of an element.
pub(crate) fn place_in(element: &HtmlElement, x: i32, y: i32) -> (f64, f64) {
    let frame = element.get_bounding_client_rect();
    (f64::from(x) - frame.left(), f64::from(y) - frame.top())
}

/// Lets an element hear of a pointer until it is let go, wherever it moves.
pub(crate) fn capture(element: &HtmlElement, pointer: i32) {
    // A pointer that is gone by now cannot be captured, and need not be.
    let _ = element.set_pointer_capture(pointer);
}
