//! Time, and turns of the event loop.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, MessagePort, Performance, window};

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

/// Date and time in UTC as RFC 3339 writes them, by the clock of the machine.
pub(crate) fn date_time() -> String {
    js_sys::Date::new_0().to_iso_string().into()
}

/// The clock of the machine, in milliseconds since 1970-01-01T00:00:00Z.
pub(crate) fn date_ms() -> f64 {
    js_sys::Date::now()
}

/// A moment in UTC as RFC 3339 writes it; none for what is beyond all calendars.
pub(crate) fn date_of(ms: f64) -> Option<String> {
    let date = js_sys::Date::new(&ms.into());
    (!date.get_time().is_nan()).then(|| date.to_iso_string().into())
}

/// A moment to the minute, by the clock on the reader's wall: `2026-03-02 09:06`.
pub(crate) fn local_minute(ms: f64) -> String {
    let date = js_sys::Date::new(&ms.into());
    format!(
        "{}-{:02}-{:02} {:02}:{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date(),
        date.get_hours(),
        date.get_minutes()
    )
}

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

/// Calls later; in a worker.
pub(crate) fn call_in(ms: i32, call: impl FnOnce() + 'static) {
    let call = Closure::once_into_js(call);
    let scope = super::host::scope();
    let asked =
        scope.set_timeout_with_callback_and_timeout_and_arguments_0(call.unchecked_ref(), ms);
    debug_assert!(asked.is_ok(), "functions can be called later");
}

/// What stands in for a moment without work.
const SOON_MS: i32 = 200;

/// Calls once nothing else is to be done; without a browser that can tell, soon.
pub(crate) fn when_idle(call: impl FnOnce() + 'static) {
    let Some(window) = window() else { return };
    let call = Closure::once_into_js(call);
    let call = call.unchecked_ref();
    let can_tell = js_sys::Reflect::has(&window, &"requestIdleCallback".into());
    let asked = if can_tell.unwrap_or_default() {
        window.request_idle_callback(call).map(drop)
    } else {
        window.set_timeout_with_callback_and_timeout_and_arguments_0(call, SOON_MS).map(drop)
    };
    debug_assert!(asked.is_ok(), "functions can be called later");
}

/// Lets the page draw and hear before a long list goes on.
pub(crate) async fn pause() {
    let turn = Promise::new(&mut |resolve: Function, _| {
        let timer = window().map(|window| window.set_timeout_with_callback(&resolve));
        debug_assert!(timer.is_some_and(|timer| timer.is_ok()), "only windows pause");
    });
    // A timer resolves it with nothing, and never rejects.
    let _ = JsFuture::from(turn).await;
}
