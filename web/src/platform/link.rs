//! The line to the worker.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{
    Blob, BlobPropertyBag, ErrorEvent, MessageEvent, Url, Worker, WorkerOptions, WorkerType, window,
};

use super::dom::meta;
use crate::browser::{decode_message, encode_message};
use crate::protocol::{FromWorker, ToWorker};

/// Where the script of the worker is, if the page does not say.
const SCRIPT: &str = "./worker.js";
/// The global name under which the single file keeps what its worker starts from: the text of a
/// classic script as a blob, and the compiled module.
const WORKER_PARTS: &str = "hindscopeWorker";

/// A worker that can be let go and started anew.
#[derive(Default)]
pub(crate) struct Link {
    running: RefCell<Option<Running>>,
}

struct Running {
    worker: Worker,
    /// Messages that wait until the worker listens.
    waiting: Rc<RefCell<Option<Vec<JsValue>>>>,
    _heard: Closure<dyn Fn(MessageEvent)>,
    _failed: Closure<dyn Fn(ErrorEvent)>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Link {
    /// Starts a worker, in place of the one before. What ends it without a word of its own, as
    /// memory that is used up does, is heard as `Died` too.
    pub(crate) fn start(&self, hear: impl Fn(FromWorker) + 'static) {
        *self.running.borrow_mut() = None;
        let hear = Rc::new(hear);
        let running = begin(Rc::clone(&hear) as Rc<dyn Fn(FromWorker)>).ok();
        if running.is_none() {
            hear(FromWorker::Died("The browser could not start a worker.".to_owned()));
        }
        *self.running.borrow_mut() = running;
    }

    /// Sends a message; before the worker is ready it waits in line.
    pub(crate) fn send(&self, message: &ToWorker) {
        let running = self.running.borrow();
        let Some(running) = &*running else { return };
        let message = encode_message(message);
        if let Some(waiting) = &mut *running.waiting.borrow_mut() {
            waiting.push(message);
        } else {
            let sent = running.worker.post_message(&message);
            debug_assert!(sent.is_ok(), "messages can be cloned: {sent:?}");
        }
    }
}

fn begin(hear: Rc<dyn Fn(FromWorker)>) -> Result<Running, JsValue> {
    let worker = spawn()?;
    let waiting = Rc::new(RefCell::new(Some(Vec::new())));
    let heard = Closure::<dyn Fn(MessageEvent)>::new({
        let (worker, waiting, hear) = (worker.clone(), Rc::clone(&waiting), Rc::clone(&hear));
        move |event: MessageEvent| {
            let data = event.data();
            if !data.is_null() {
                hear(decode_message(data));
                return;
            }
            // The first word of the worker: it listens now.
            for message in waiting.borrow_mut().take().into_iter().flatten() {
                let sent = worker.post_message(&message);
                debug_assert!(sent.is_ok(), "messages can be cloned: {sent:?}");
            }
        }
    });
    let failed = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
        // It is shown on the page, with a way on.
        event.prevent_default();
        hear(FromWorker::Died(String::new()));
    });
    worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
    Ok(Running { worker, waiting, _heard: heard, _failed: failed })
}

/// A worker from a blob, so that the policy of the page holds in it: one from an address would
/// not inherit it. It is a module, because only then does its glue start without a deprecated
/// call that would speak in the console; in the single file, where modules do not load, it is a
/// classic script that waits for the compiled module.
fn spawn() -> Result<Worker, JsValue> {
    let global = js_sys::global();
    let carried = Reflect::get(&global, &WORKER_PARTS.into())?;
    if carried.is_object() {
        let script: Blob = Reflect::get(&carried, &"script".into())?.dyn_into()?;
        let worker = Worker::new(&Url::create_object_url_with_blob(&script)?)?;
        worker.post_message(&carried)?;
        return Ok(worker);
    }
    let window = window().ok_or(JsValue::NULL)?;
    let script = meta("hindscope-worker").unwrap_or_else(|| SCRIPT.to_owned());
    let script = Url::new_with_base(&script, &window.location().href()?)?.href();
    let text = format!("import init from '{script}'; await init();");
    let about = BlobPropertyBag::new();
    about.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &about)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(&address, &options)
}
