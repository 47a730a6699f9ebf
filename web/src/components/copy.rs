//! A button that copies text.

use leptos::prelude::*;

use crate::platform;
use crate::state::App;

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
    let done = RwSignal::new(None::<bool>);
    let label = format!("Copy {what}");
    view! {
        <button
            class="small"
            aria-label=label
            on:click=move |_| {
                platform::copy_text(
                    text.run(()),
                    move |copied| {
                        let _ = done.try_set(Some(copied));
                        app.say(if copied { "Copied." } else { "The browser refused to copy." });
                    },
                );
            }
            on:blur=move |_| done.set(None)
        >
            {move || match done.get() {
                None => title,
                Some(true) => "Copied",
                Some(false) => "Refused",
            }}
        </button>
    }
}
