//! Helpers of the worker: more workers of the same script and the same compiled module, that begin
//! with another name.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, ErrorEvent, MessageEvent, Url, Worker, WorkerOptions, WorkerType};

use super::scope::scope;
use crate::browser::{ByteBlock, HELPER, WORKER_PARTS, decode_message, encode_message};
use crate::protocol::{ReadStretch, Stretch};

/// What is heard of a helper.
pub(crate) enum Heard {
    /// It listens.
    Ready,
    Read(ReadStretch),
    /// It ended, or never began.
    Lost,
}

/// A helper; it ends when it is dropped.
pub(crate) struct Helper {
    worker: Worker,
    _heard: Closure<dyn Fn(MessageEvent)>,
    _failed: Closure<dyn Fn(ErrorEvent)>,
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Helper {
    /// Starts one. Nothing where the browser has none to give.
    pub(crate) fn start(hear: impl Fn(Heard) + Clone + 'static) -> Option<Self> {
        let worker = spawn().ok()?;
        let lost = hear.clone();
        let heard = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let data = event.data();
            hear(if data.is_null() { Heard::Ready } else { Heard::Read(decode_message(data)) });
        });
        let failed = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
            // The worker goes on alone, and nobody needs to know.
            event.prevent_default();
            lost(Heard::Lost);
        });
        worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Some(Self { worker, _heard: heard, _failed: failed })
    }

    /// Hands it a stretch. False: it cannot be handed over.
    pub(crate) fn ask(&self, stretch: &Stretch) -> bool {
        self.worker.post_message(&encode_message(stretch)).is_ok()
    }
}

/// A worker from what this one was made of. From a disk no worker may use the address of another,
/// and makes one itself.
fn spawn() -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    options.set_name(HELPER);
    let own = Reflect::get(&scope(), &WORKER_PARTS.into())?;
    let (address, start) = if own.is_object() {
        let script: Blob = Reflect::get(&own, &"script".into())?.dyn_into()?;
        (Url::create_object_url_with_blob(&script)?, own)
    } else {
        options.set_type(WorkerType::Module);
        let start = Object::new();
        Reflect::set(&start, &"module".into(), &wasm_bindgen::module())?;
        (scope().location().href(), start.into())
    };
    let worker = Worker::new_with_options(&address, &options)?;
    worker.post_message(&start)?;
    Ok(worker)
}

/// Whether this context is a helper.
pub(crate) fn is_helper() -> bool {
    scope().name() == HELPER
}

/// Reads what the worker asks for, as long as it lives, and tells it so.
pub(crate) fn on_stretches(read: impl Fn(Stretch) -> ReadStretch + 'static) {
    let heard = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let done = read(decode_message(event.data()));
        let blocks = done.made.iter().flat_map(|made| [&made.bytes, &made.piece]);
        let handed: Array = blocks.map(ByteBlock::buffer).collect();
        let sent = scope().post_message_with_transfer(&encode_message(&done), &handed);
        debug_assert!(sent.is_ok(), "messages can be cloned: {sent:?}");
    });
    scope().set_onmessage(Some(heard.as_ref().unchecked_ref()));
    heard.forget();
    let _ = scope().post_message(&JsValue::NULL);
}
