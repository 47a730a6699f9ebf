//! What is shown while files are dragged over the window.

use crate::state::App;
use leptos::prelude::*;

/// Says that a drop opens them. Whether beside or instead of what is open is asked then.
#[component]
pub(crate) fn DropOverlay() -> impl IntoView {
    let app = App::get();
    view! {
        <div class="overlay" class:shown=move || app.is_dragged.get() aria-hidden="true">
            <div class="zone over">
                <strong>"Drop to open"</strong>
                <span>"Files and folders; nothing leaves this browser"</span>
            </div>
        </div>
    }
}
