//! Where a pointer is, and who hears of it.

use web_sys::HtmlElement;

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
