//! A moment in which the page draws and hears before it goes on.

use js_sys::{Function, Promise};
use wasm_bindgen_futures::JsFuture;
use web_sys::window;

/// Lets the page draw and hear before a long list goes on.
pub(crate) async fn pause() {
    rest(0).await;
}

/// Goes on after so many milliseconds; later while the page is hidden.
pub(crate) async fn rest(ms: i32) {
    let turn = Promise::new(&mut |resolve: Function, _| {
        let set = |window: web_sys::Window| {
            window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms)
        };
        let timer = window().map(set);
        debug_assert!(timer.is_some_and(|timer| timer.is_ok()), "only windows pause");
    });
    // A timer resolves it with nothing, and never rejects.
    let _ = JsFuture::from(turn).await;
}
