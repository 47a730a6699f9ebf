//! What waits until the page has drawn and heard.

use js_sys::{Function, Promise};
use leptos::prelude::request_animation_frame;
use wasm_bindgen_futures::JsFuture;
use web_sys::window;

/// Calls when the next picture is drawn, if the view that asks is still there.
pub(crate) fn next_frame(call: impl FnOnce() + 'static) {
    // Windows refuse no frame.
    let _ = request_animation_frame(call);
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
