//! A button that copies text.

use leptos::prelude::*;

use crate::platform;
use crate::state::App;

/// Copies a text, and says aloud and on the button whether that was possible.
pub(super) fn copy_text(app: App, text: String, done: RwSignal<Option<&'static str>>) {
    platform::copy_text(text, move |copied| {
        // The button may be gone by then.
        let _ = done.try_set(Some(if copied { "Copied" } else { "Refused" }));
        app.say(if copied { "Copied." } else { "The browser refused to copy." });
    });
}

/// Copies what `text` gives when it is pressed.
#[component]
pub(crate) fn CopyButton(
    #[prop(into)] text: Callback<(), String>,
    /// What is copied, for those who cannot see where the button stands.
    #[prop(into)]
    what: String,
    /// What stands on it.
    #[prop(default = "Copy")]
    title: &'static str,
) -> impl IntoView {
    let app = App::get();
    let done = RwSignal::new(None::<&'static str>);
    let label = format!("Copy {what}");
    view! {
        <button
            class="small"
            aria-label=label
            on:click=move |_| copy_text(app, text.run(()), done)
            on:blur=move |_| done.set(None)
        >
            {move || done.get().unwrap_or(title)}
        </button>
    }
}
