//! A moment in which the page draws and hears before it goes on.

use js_sys::{Function, Promise};
use wasm_bindgen_futures::JsFuture;
use web_sys::window;

/// Lets the page draw and hear before a long list goes on.
pub(crate) async fn pause() {
    let turn = Promise::new(&mut |resolve: Function, _| {
        let timer = window().map(|window| window.set_timeout_with_callback(&resolve));
        debug_assert!(timer.is_some_and(|timer| timer.is_ok()), "only windows pause");
    });
    // A timer resolves it with nothing, and never rejects.
    let _ = JsFuture::from(turn).await;
}
