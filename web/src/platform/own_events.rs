//! Events that the page causes itself while it changes what is shown.
//!
//! Chromium fires `change` and `blur` on an edited control inside `Element.remove()`. The signals of its view are
//! gone by then, and the address may be that of another view. The reader did not cause them, so they reach no handler.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

use any_spawner::{CustomExecutor, Executor, PinnedFuture, PinnedLocalFuture};
use gloo_events::{EventListener, EventListenerOptions};
use web_sys::window;

thread_local! {
    static IS_DRAWING: Cell<bool> = const { Cell::new(false) };
}

/// Keeps such events from every handler. To be called before anything is shown.
pub(crate) fn ignore_own_events() {
    // All changes of what is shown are made by effects, and all effects run here, as does whatever leptos spawns.
    // It fails only if another executor was set before.
    let is_ours = Executor::init_custom_executor(Watched);
    debug_assert!(is_ours.is_ok(), "the executor is set once");
    let Some(window) = window() else { return };
    for name in ["change", "blur", "focusout"] {
        let options = EventListenerOptions::run_in_capture_phase();
        EventListener::new_with_options(&window, name, options, |event| {
            if IS_DRAWING.get() {
                event.stop_immediate_propagation();
            }
        })
        .forget();
    }
    // A panic ends the drawing without a word. The reader can only act when it is over.
    for name in ["pointerdown", "keydown"] {
        let options = EventListenerOptions::run_in_capture_phase();
        EventListener::new_with_options(&window, name, options, |_| IS_DRAWING.set(false)).forget();
    }
}

/// Runs what moves the focus intentionally: its events reach the handlers.
pub(super) fn on_purpose<T>(act: impl FnOnce() -> T) -> T {
    let before = IS_DRAWING.replace(false);
    let done = act();
    IS_DRAWING.set(before);
    done
}

struct Watched;

impl CustomExecutor for Watched {
    fn spawn(&self, future: PinnedFuture<()>) {
        self.spawn_local(future);
    }

    fn spawn_local(&self, future: PinnedLocalFuture<()>) {
        wasm_bindgen_futures::spawn_local(Drawing(future));
    }

    fn poll_local(&self) {}
}

/// Says while it is polled that the page is drawing.
struct Drawing(PinnedLocalFuture<()>);

impl Future for Drawing {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        IS_DRAWING.set(true);
        let state = self.0.as_mut().poll(context);
        IS_DRAWING.set(false);
        state
    }
}
