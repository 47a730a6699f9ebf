//! A field for text, for whoever has no shortcut for pasting.

use leptos::prelude::*;

use crate::platform::{self, Pasted};
use crate::state::App;

pub(crate) const PASTE_DIALOG: &str = "paste";

/// Takes text and opens it as a file called "pasted 1" and so on.
#[component]
pub(crate) fn PasteDialog() -> impl IntoView {
    let app = App::get();
    let text = RwSignal::new(String::new());
    let close = move || {
        text.set(String::new());
        platform::close_dialog(PASTE_DIALOG);
    };
    view! {
        <dialog id=PASTE_DIALOG class="dialog ask paste" aria-labelledby="paste-title">
            <h2 id="paste-title">"Paste text"</h2>
            <p class="quiet">
                "JSON, JSON Lines, YAML, CSV or a log: the content decides the format, as with a file. Files and text can also be pasted anywhere outside of a field."
            </p>
            <textarea
                class="paste-text"
                aria-label="Text to open"
                rows="12"
                spellcheck="false"
                prop:value=move || text.get()
                on:input=move |event| text.set(platform::value_of(&event))
            ></textarea>
            <div class="ask-ways">
                <button
                    class="primary"
                    disabled=move || text.with(|text| text.trim().is_empty())
                    on:click=move |_| {
                        let pasted = text.get_untracked();
                        close();
                        app.paste(Pasted::Text(pasted));
                    }
                >
                    "Open"
                </button>
                <button class="ask-cancel" on:click=move |_| close()>"Cancel"</button>
            </div>
        </dialog>
    }
}
