//! Moments in which the page draws and hears before it goes on.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::window;

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
