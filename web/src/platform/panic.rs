//! A bug must not end in a blank page.

use std::cell::{Cell, RefCell};
use std::panic::Location;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, window};

use super::address::hash;
use super::dom::document;
use super::reload::{after_reload, reload_on_click};
use crate::browser::{Bug, on_panic};

/// Most characters shown of a message.
const MOST_SHOWN: usize = 300;

thread_local! {
    static LAST_ACT: RefCell<Option<Event>> = const { RefCell::new(None) };
    static OWN_PLACE: Cell<Option<&'static Location<'static>>> = const { Cell::new(None) };
}

/// Shows on top of everything else that the page met a bug: where, and after which action.
pub(crate) fn show_panics() {
    note_acts();
    on_panic(|bug| {
        show(&bug, OWN_PLACE.take());
    });
}

/// Does what was begun at a place of our own. A panic in it names that place where its own is in the framework.
pub(crate) fn within<T>(place: &'static Location<'static>, act: impl FnOnce() -> T) -> T {
    let before = OWN_PLACE.replace(Some(place));
    let done = act();
    OWN_PLACE.set(before);
    done
}

/// Notes the reader's last action: the place of a panic is often inside the framework.
fn note_acts() {
    let Some(window) = window() else { return };
    for name in ["click", "keydown", "change", "drop"] {
        let options = EventListenerOptions::run_in_capture_phase();
        let note = |event: &Event| LAST_ACT.set(Some(event.clone()));
        EventListener::new_with_options(&window, name, options, note).forget();
    }
}

/// `click on Copy raw record`
fn said(event: &Event) -> String {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let control = target.and_then(|target| {
        target.closest("a, button, input, select, textarea, [aria-label]").ok().flatten()
    });
    let label = control
        .and_then(|control| control.get_attribute("aria-label").or_else(|| control.text_content()));
    match label.filter(|label| !label.trim().is_empty()) {
        Some(label) => format!("{} on {}", event.type_(), shortened(label.trim(), 40)),
        None => event.type_(),
    }
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

/// `web/src/state/app.rs:12:5, at #/runs, after click on Runs: message`
fn report(bug: &Bug, own: Option<&Location<'_>>, hash: &str, act: &str) -> String {
    let called = own.filter(|_| !bug.is_own()).map(|own| format!(", called from {own}"));
    let called = called.unwrap_or_default();
    let message = shortened(&bug.message, MOST_SHOWN);
    format!("{}{called}, at {hash}, after {act}: {message}", bug.place)
}

fn show(bug: &Bug, own: Option<&Location<'_>>) -> Option<()> {
    let document = document()?;
    if let Ok(Some(before)) = document.query_selector(".fatal") {
        before.remove();
    }
    // While a modal dialog is open, only what is inside it can be used.
    let dialog = document.query_selector("dialog[open]").ok().flatten();
    let parent = dialog.or_else(|| document.body().map(Into::into))?;
    let make = |tag: &str, class: &str, text: &str| {
        let element = document.create_element(tag).ok()?;
        element.set_class_name(class);
        element.set_text_content(Some(text));
        Some(element)
    };
    let banner = make("div", "fatal", "")?;
    banner.set_attribute("role", "alert").ok()?;
    let close = make("button", "", "Close")?;
    let gone = banner.clone();
    EventListener::once(&close, "click", move |_| gone.remove()).forget();
    let reload = make("button", "", "Reload")?;
    reload_on_click(&reload);
    let advice = format!(
        "The page may have stopped working. If it still reacts, save what you need. Then reload. {}",
        after_reload()
    );
    let act = LAST_ACT.with_borrow(|act| act.as_ref().map_or("the start".to_owned(), said));
    let parts = [
        make("strong", "", "hindscope met a bug.")?,
        make("p", "", &advice)?,
        make("p", "code", &report(bug, own, &hash(), &act))?,
        close,
        reload,
    ];
    for part in parts {
        banner.append_child(&part).ok()?;
    }
    parent.append_child(&banner).ok()?;
    Some(())
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    use super::*;

    #[test]
    fn a_panic_in_the_framework_names_our_own_place() {
        let here = Location::caller();
        assert_eq!(within(here, || 7), 7);
        assert_eq!(OWN_PLACE.take(), None, "it went well");
        let ended = catch_unwind(AssertUnwindSafe(|| within(here, || resume_unwind(Box::new(())))));
        assert!(ended.is_err());
        let own = OWN_PLACE.take().expect("noted");
        let message = "Tried to access a reactive value";
        let bug = |place: &str| Bug { place: place.to_owned(), message: message.to_owned() };
        let told = |place: &str| report(&bug(place), Some(own), "#/runs", "click on Runs");
        assert_eq!(
            told("reactive_graph-0.3.0/src/traits.rs:87:9"),
            format!(
                "reactive_graph-0.3.0/src/traits.rs:87:9, called from {here}, at #/runs, after click on Runs: {message}"
            )
        );
        assert_eq!(
            told("core/src/a.rs:1:2"),
            format!("core/src/a.rs:1:2, at #/runs, after click on Runs: {message}")
        );
    }
}
