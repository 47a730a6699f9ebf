//! Files that another page hands over: only the one that opened this page, or holds it.

use gloo_events::EventListener;
use js_sys::{Array, ArrayBuffer, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, File, MessageEvent, Window, window};

use super::FileHandle;
use super::drop::Found;
use crate::protocol::FileItem;

/// More files than this at a time are refused.
const MOST_FILES: u32 = 10_000;

/// What is offered, and whom to answer.
#[derive(Clone)]
pub(crate) struct HandedOver {
    /// Where the other page comes from; "null" for one from a disk.
    pub(crate) origin: String,
    pub(crate) title: Option<String>,
    pub(crate) found: Found,
    /// A place of this page to go to, as after the `#`.
    pub(crate) at: Option<String>,
    sender: Window,
}

impl HandedOver {
    /// Answers the sender that its files are being opened, and nothing more.
    pub(crate) fn accept(&self) {
        answer(&self.sender, &self.origin, "hindscope/opened", None);
    }

    /// Answers the sender that they are not, and why.
    pub(crate) fn refuse(&self, code: &str) {
        answer(&self.sender, &self.origin, "hindscope/refused", Some(("code", code)));
    }
}

/// Answers pings, and calls with what is offered. Lasts as long as the page.
pub(crate) fn on_handover(version: &'static str, call: impl Fn(HandedOver) + 'static) {
    let Some(own) = window() else { return };
    let heard = own.clone();
    EventListener::new(&heard, "message", move |event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
        let Some(sender) = sender(&own, event) else { return };
        let data = event.data();
        let kind = member(&data, "type").and_then(|kind| kind.as_string()).unwrap_or_default();
        match kind.as_str() {
            "hindscope/ping" => {
                let version = Some(("version", version));
                answer(&sender, &event.origin(), "hindscope/ready", version);
            }
            "hindscope/open" => match offer(&data) {
                Ok((found, title, at)) => {
                    call(HandedOver { origin: event.origin(), title, found, at, sender });
                }
                Err(code) => {
                    let code = Some(("code", code));
                    answer(&sender, &event.origin(), "hindscope/refused", code);
                }
            },
            _ => {}
        }
    })
    .forget();
}

/// The window that a message came from, if that is one to be heard.
fn sender(own: &Window, event: &MessageEvent) -> Option<Window> {
    let source: JsValue = event.source()?.into();
    let opener = own.opener().ok().filter(JsValue::is_object);
    let parent = own.parent().ok().flatten().map(JsValue::from);
    let is_own = &source == AsRef::<JsValue>::as_ref(own);
    let is_heard = [opener, parent].into_iter().flatten().any(|window| window == source);
    // Unchecked: a window of another origin is no instance of the `Window` class of this page.
    (is_heard && !is_own).then(|| source.unchecked_into())
}

fn answer(to: &Window, origin: &str, kind: &str, more: Option<(&str, &str)>) {
    let message = Object::new();
    for (name, value) in [("type", kind)].into_iter().chain(more) {
        let _ = Reflect::set(&message, &name.into(), &value.into());
    }
    // A page from a disk has no origin that could be named. The answer holds no content.
    let origin = if origin == "null" { "*" } else { origin };
    let _ = to.post_message(&message, origin);
}

type Offered = (Found, Option<String>, Option<String>);

fn offer(data: &JsValue) -> Result<Offered, &'static str> {
    const BAD: &str = "bad-message";
    let text = |name| member(data, name).and_then(|value| value.as_string());
    let files = member(data, "files").filter(Array::is_array).ok_or(BAD)?;
    let files: Array = files.unchecked_into();
    if files.length() == 0 {
        return Err("no-files");
    }
    if files.length() > MOST_FILES {
        return Err("too-many-files");
    }
    let items: Option<Vec<FileItem>> = files.iter().map(|file| item(&file)).collect();
    let found = Found { items: items.ok_or(BAD)?, ..Found::default() };
    Ok((found, text("title"), text("at")))
}

fn item(file: &JsValue) -> Option<FileItem> {
    let path = member(file, "name")?.as_string().filter(|name| !name.is_empty())?;
    let data = member(file, "data")?;
    let part: JsValue = if data.is_string() || data.has_type::<ArrayBuffer>() {
        data
    } else {
        data.dyn_into::<Blob>().ok()?.into()
    };
    let file = File::new_with_blob_sequence(&Array::of1(&part), &path).ok()?;
    Some(FileItem::readable(path, FileHandle::new(file)))
}

fn member(of: &JsValue, name: &str) -> Option<JsValue> {
    if !of.is_object() {
        return None;
    }
    Reflect::get(of, &name.into()).ok().filter(|value| !value.is_undefined())
}
