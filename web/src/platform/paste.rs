//! What is pasted anywhere but into a field.

use web_sys::{ClipboardEvent, Element, File};

use super::FileHandle;
use super::dom::{listen, takes_keys, target_of};
use super::drop::Found;
use crate::protocol::FileItem;

/// What was on the clipboard.
pub(crate) enum Pasted {
    Files(Found),
    Text(String),
}

/// Calls with what is pasted. A paste into a field stays in the field. Lasts as long as the page.
pub(crate) fn on_paste(call: impl Fn(Pasted) + 'static) {
    listen("paste", move |event: &ClipboardEvent| {
        let target = target_of::<Element>(event);
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
    });
}

impl Found {
    /// Text as a file.
    pub(crate) fn of_text(name: &str, text: &str) -> Self {
        let item = match FileHandle::of_bytes(name, text.as_bytes()) {
            Ok(handle) => FileItem::readable(name.to_owned(), handle),
            Err(reason) => FileItem::unreadable(name.to_owned(), reason),
        };
        Self { items: vec![item], ..Self::default() }
    }
}
