//! What waits until the page has drawn and heard. Timers of leptos end with the view that started them, and these do not.

use std::time::Duration;

use js_sys::{Function, Promise};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::window;

/// Calls when the next picture is drawn. The view that asked may be gone by then.
pub(crate) fn next_frame(call: impl FnOnce() + 'static) {
    let call = Closure::once_into_js(call);
    let frame = window().map(|window| window.request_animation_frame(call.unchecked_ref()));
    debug_assert!(frame.is_some_and(|frame| frame.is_ok()), "only windows draw");
}

/// Lets the page draw and hear before a long list goes on.
pub(crate) async fn pause() {
    pause_for(Duration::ZERO).await;
}

/// The same for at least so long.
pub(crate) async fn pause_for(least: Duration) {
    let ms = i32::try_from(least.as_millis()).unwrap_or(i32::MAX);
    let turn = Promise::new(&mut |resolve: Function, _| {
        let timer = window().map(|window| {
            window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms)
        });
        debug_assert!(timer.is_some_and(|timer| timer.is_ok()), "only windows pause");
    });
    // A timer resolves it with nothing, and never rejects.
    let _ = JsFuture::from(turn).await;
}
