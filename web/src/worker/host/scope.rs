//! The worker's side of the messages to the page, and the memory that it has.

use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use crate::browser::{decode_message, encode_message};
use crate::protocol::{Answer, FromWorker, ToWorker};

pub(super) fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Sends a message to the page.
pub(crate) fn post(message: &FromWorker) {
    let sent = scope().post_message(&encode_message(message));
    debug_assert!(sent.is_ok(), "messages can be cloned: {sent:?}");
}

/// Answers one of the page's questions.
pub(crate) fn answer(id: u32, answer: Answer) {
    post(&FromWorker::Answer { id, answer });
}

/// Listens to the page for as long as the worker lives, and tells it that it is ready.
pub(crate) fn on_page(hear: impl Fn(ToWorker) + 'static) {
    let heard = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        hear(decode_message(event.data()));
    });
    scope().set_onmessage(Some(heard.as_ref().unchecked_ref()));
    heard.forget();
    let _ = scope().post_message(&JsValue::NULL);
}

/// Bytes that this context has taken from the browser. WebAssembly gives none back.
#[cfg(target_arch = "wasm32")]
pub(crate) fn memory() -> u64 {
    const PAGE: u64 = 64 << 10;
    core::arch::wasm32::memory_size::<0>() as u64 * PAGE
}

/// Nothing: tests measure no memory.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn memory() -> u64 {
    0
}
