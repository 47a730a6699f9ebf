//! Turns of the worker's event loop.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{MessageChannel, MessagePort};

/// Calls back after other messages had their turn.
///
/// A timer of 0 ms waits 4 ms after the fifth time, which is half the time that a slice takes.
pub(crate) struct Turns {
    port: MessagePort,
    is_due: Rc<Cell<bool>>,
    _called: Closure<dyn Fn()>,
}

impl Turns {
    pub(crate) fn new(call: impl Fn() + 'static) -> Self {
        let channel = MessageChannel::new().expect("every browser with workers has channels");
        let is_due = Rc::new(Cell::new(false));
        let due = Rc::clone(&is_due);
        let called = Closure::<dyn Fn()>::new(move || {
            due.set(false);
            call();
        });
        channel.port1().set_onmessage(Some(called.as_ref().unchecked_ref()));
        Self { port: channel.port2(), is_due, _called: called }
    }

    /// Asks for a turn. Whoever asks while one is due shares it.
    pub(crate) fn take(&self) {
        if self.is_due.replace(true) {
            return;
        }
        let sent = self.port.post_message(&JsValue::NULL);
        debug_assert!(sent.is_ok(), "null can always be cloned");
    }
}
