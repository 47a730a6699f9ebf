//! Two sides with a divider that a pointer or the arrow keys move.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;

use crate::platform;

/// Per cent of the width that the left side has at first, and may have.
const USUAL: f64 = 52.0;
const LEAST: f64 = 25.0;
const MOST: f64 = 75.0;
/// Per cent that a key moves it.
const STEP: f64 = 2.0;

/// What a key makes of a share; none if it means nothing here.
fn moved(key: &str, share: f64) -> Option<f64> {
    let moved = match key {
        "ArrowLeft" => share - STEP,
        "ArrowRight" => share + STEP,
        "Home" => LEAST,
        "End" => MOST,
        "Enter" => USUAL,
        _ => return None,
    };
    Some(moved.clamp(LEAST, MOST))
}

/// Id of the left side.
pub(crate) const SPLIT_LEFT: &str = "split-left";

/// Two sides; below 1024 pixels, one below the other.
#[component]
pub(crate) fn Split(#[prop(into)] left: ViewFn, #[prop(into)] right: ViewFn) -> impl IntoView {
    let saved = platform::saved_share().filter(|share| (LEAST..=MOST).contains(share));
    let share = RwSignal::new(saved.unwrap_or(USUAL));
    let is_held = RwSignal::new(false);
    let keep = move || platform::save_share(Some(share.get_untracked()));
    let drag = move |event: &PointerEvent| {
        if let Some(to) = platform::hold(event) {
            share.set((to * 100.0).clamp(LEAST, MOST).round());
        }
    };
    let keydown = move |event: KeyboardEvent| {
        if let Some(to) = moved(&event.key(), share.get_untracked()) {
            event.prevent_default();
            share.set(to);
            keep();
        }
    };
    view! {
        <div
            class="run-body split"
            style:grid-template-columns=move || {
                let left = share.get();
                format!("minmax(0, {left}fr) 9px minmax(0, {}fr)", 100.0 - left)
            }
        >
            <div class="run-left" id=SPLIT_LEFT data-scroller="">{left.run()}</div>
            <div
                class="divider"
                class:held=move || is_held.get()
                role="separator"
                tabindex="0"
                aria-orientation="vertical"
                aria-label="Divider"
                aria-controls=SPLIT_LEFT
                aria-valuemin=LEAST.to_string()
                aria-valuemax=MOST.to_string()
                aria-valuenow=move || share.get().to_string()
                aria-valuetext=move || format!("left side {} %", share.get())
                title="Drag, or use the arrow keys. Double click: as at first."
                on:keydown=keydown
                on:pointerdown=move |event| {
                    event.prevent_default();
                    is_held.set(true);
                    drag(&event);
                }
                on:pointermove=move |event| {
                    if is_held.get_untracked() {
                        drag(&event);
                    }
                }
                on:pointerup=move |_| {
                    is_held.set(false);
                    keep();
                }
                on:pointercancel=move |_| is_held.set(false)
                on:dblclick=move |_| {
                    share.set(USUAL);
                    platform::save_share(None);
                }
            ></div>
            <div class="run-right" data-scroller="">{right.run()}</div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_it_within_bounds() {
        assert_eq!(moved("ArrowLeft", 50.0), Some(48.0));
        assert_eq!(moved("ArrowRight", 74.5), Some(MOST));
        assert_eq!(moved("Home", 50.0), Some(LEAST));
        assert_eq!(moved("Enter", 30.0), Some(USUAL));
        assert_eq!(moved("j", 50.0), None);
    }
}
