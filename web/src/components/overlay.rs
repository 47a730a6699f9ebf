//! What is shown while files are dragged over the window.

use leptos::prelude::*;

use crate::platform::Zone;
use crate::state::App;

/// Says where a drop would go. When something is open, there are two places.
#[component]
pub(crate) fn DropOverlay() -> impl IntoView {
    let app = App::get();
    let is_shown = Memo::new(move |_| app.zone.get() != Zone::None);
    let has_open = Memo::new(move |_| app.summary.with(|summary| summary.sources > 0));
    view! {
        <div class="overlay" class:shown=move || is_shown.get() aria-hidden="true">
            <div class="zone" class:over=move || app.zone.get() == Zone::Replace>
                <strong>
                    {move || if has_open.get() { "Open instead" } else { "Drop to open" }}
                </strong>
                <span>
                    {move || {
                        if has_open.get() {
                            "What is open now is closed"
                        } else {
                            "Files and folders; nothing leaves this browser"
                        }
                    }}
                </span>
            </div>
            <Show when=move || has_open.get()>
                <div
                    class="zone"
                    data-zone="add"
                    class:over=move || app.zone.get() == Zone::Add
                >
                    <strong>"Add"</strong>
                    <span>"Beside what is open now"</span>
                </div>
            </Show>
        </div>
    }
}
