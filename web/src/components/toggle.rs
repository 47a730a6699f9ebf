//! A button that stays pressed, or keeps something open.

use leptos::prelude::*;

/// Turns something on and off.
#[component]
pub(crate) fn Toggle(
    is_on: RwSignal<bool>,
    #[prop(default = "small")] class: &'static str,
    /// It shows what is closed otherwise.
    #[prop(optional)]
    opens: bool,
    children: Children,
) -> impl IntoView {
    view! {
        <button
            class=class
            aria-pressed=move || (!opens).then(|| is_on.get().to_string())
            aria-expanded=move || opens.then(|| is_on.get().to_string())
            on:click=move |_| is_on.update(|is| *is = !*is)
        >
            {children()}
        </button>
    }
}
