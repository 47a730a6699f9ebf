//! What the browser puts on paper.

use gloo_events::EventListener;
use web_sys::window;

use super::dom::mark_root;

/// Calls before the browser prints by its own menu, and after any printing. Lasts as long as the
/// page.
pub(crate) fn on_print(call: impl Fn(bool) + Clone + 'static) {
    let Some(window) = window() else { return };
    for (name, is_before) in [("beforeprint", true), ("afterprint", false)] {
        let call = call.clone();
        EventListener::new(&window, name, move |_| call(is_before)).forget();
    }
}

/// Whether the page is drawn as for paper: in the light theme, whatever the screen has.
pub(crate) fn mark_paper(is_paper: bool) {
    mark_root("data-paper", is_paper.then_some(""));
}

/// Opens the browser's dialog, and comes back when that is closed.
pub(crate) fn print() {
    if let Some(window) = window() {
        let _ = window.print();
    }
}
