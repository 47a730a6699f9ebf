//! The keys of sliders.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// Moves a position among `0..=last`, which is the last one at first, and uses the key up.
pub(crate) fn slide(event: &KeyboardEvent, at: RwSignal<Option<usize>>, last: usize) {
    let now = at.get_untracked().unwrap_or(last);
    let to = match event.key().as_str() {
        "ArrowLeft" => now.saturating_sub(1),
        "ArrowRight" => now + 1,
        "Home" => 0,
        "End" => last,
        _ => return,
    };
    at.set(Some(to.min(last)));
    event.prevent_default();
    event.stop_propagation();
}
