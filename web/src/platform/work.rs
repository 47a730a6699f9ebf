//! Time, and turns of the event loop.

use wasm_bindgen::prelude::*;
use web_sys::{MessageChannel, MessagePort, Performance};

#[wasm_bindgen]
extern "C" {
    // Windows and workers both have it, but share no type that says so.
    #[wasm_bindgen(js_name = performance, thread_local_v2)]
    static PERFORMANCE: Performance;
}

/// Milliseconds since this context began.
pub(crate) fn now() -> f64 {
    PERFORMANCE.with(Performance::now)
}

/// Calls back after other messages had their turn.
///
/// A timer of 0 ms waits 4 ms after the fifth time, which is half the time that a slice takes.
pub(crate) struct Ticker {
    port: MessagePort,
    _called: Closure<dyn Fn()>,
}

impl Ticker {
    pub(crate) fn new(call: impl Fn() + 'static) -> Self {
        let channel = MessageChannel::new().expect("every browser with workers has channels");
        let called = Closure::<dyn Fn()>::new(call);
        channel.port1().set_onmessage(Some(called.as_ref().unchecked_ref()));
        Self { port: channel.port2(), _called: called }
    }

    pub(crate) fn tick(&self) {
        let sent = self.port.post_message(&JsValue::NULL);
        debug_assert!(sent.is_ok(), "null can always be cloned");
    }
}
