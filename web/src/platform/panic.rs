//! A bug must not end in a blank page.

use std::cell::RefCell;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, window};

use super::address::hash;
use super::dom::document;
use crate::browser::on_panic;

/// Most characters shown of a message: some end with a whole stack trace.
const MOST_SHOWN: usize = 300;

thread_local! {
    static LAST_ACT: RefCell<Option<Event>> = const { RefCell::new(None) };
}

/// Shows on top of everything else that the page met a bug: where, and after which action.
pub(crate) fn show_panics() {
    note_acts();
    on_panic(|line| {
        show(&line);
    });
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

fn show(line: &str) -> Option<()> {
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
    let reload = make("a", "button", "Reload")?;
    reload.set_attribute("href", "?").ok()?;
    let advice = "The page may have stopped working. If it still reacts, save what you need. Then reload. Files must be opened again \
                  after that.";
    let act = LAST_ACT.with_borrow(|act| act.as_ref().map_or("the start".to_owned(), said));
    let report = format!("At {}, after {act}: {}", hash(), shortened(line, MOST_SHOWN));
    let parts = [
        make("strong", "", "hindscope met a bug.")?,
        make("p", "", advice)?,
        make("p", "code", &report)?,
        close,
        reload,
    ];
    for part in parts {
        banner.append_child(&part).ok()?;
    }
    parent.append_child(&banner).ok()?;
    Some(())
}
