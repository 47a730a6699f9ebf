//! What is pasted anywhere but into a field.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Element, File, window};

use super::FileHandle;
use super::dom::takes_keys;
use super::drop::Found;
use crate::protocol::FileItem;

/// What was on the clipboard.
pub(crate) enum Pasted {
    Files(Found),
    Text(String),
}

/// Calls with what is pasted. A paste into a field stays in the field. Lasts as long as the page.
pub(crate) fn on_paste(call: impl Fn(Pasted) + 'static) {
    let Some(window) = window() else { return };
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window, "paste", options, move |event| {
        let Some(event) = event.dyn_ref::<ClipboardEvent>() else { return };
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if target.is_some_and(|element| takes_keys(&element)) {
            return;
        }
        let Some(transfer) = event.clipboard_data() else { return };
        let files = transfer.files();
        let files: Vec<File> = files
            .iter()
            .flat_map(|files| (0..files.length()).filter_map(|at| files.item(at)))
            .collect();
        if !files.is_empty() {
            event.prevent_default();
            return call(Pasted::Files(Found::of_files(files)));
        }
        let text = transfer.get_data("text/plain").unwrap_or_default();
        if !text.trim().is_empty() {
            event.prevent_default();
            call(Pasted::Text(text));
        }
    })
    .forget();
}

impl Found {
    /// Text as a file.
    pub(crate) fn of_text(name: &str, text: &str) -> Self {
        let item = match FileHandle::of_bytes(name, text.as_bytes()) {
            Ok(handle) => FileItem::readable(name.to_owned(), handle),
            Err(reason) => FileItem::unreadable(name.to_owned(), reason),
        };
        Self { items: vec![item], is_cut: false }
    }
}
