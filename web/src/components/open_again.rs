//! Files that are opened, or read, once more.

use leptos::prelude::*;

use super::text::RecordText;
use crate::platform;
use crate::state::App;

/// The files of the last visit, where they were to be remembered.
#[component]
pub(crate) fn OpenAgain() -> impl IntoView {
    let app = App::get();
    move || {
        let says = app.live().kept.get()?;
        Some(view! {
            <p class="open-ways open-again">
                <button class="primary" on:click=move |_| app.open_kept()>
                    <RecordText text=format!("Open again: {says}")/>
                </button>
                <button class="small" on:click=move |_| app.forget_files()>"Forget"</button>
            </p>
        })
    }
}

/// Reads what is open once more, or each second; or says why that is not possible.
#[component]
pub(crate) fn Live() -> impl IntoView {
    let app = App::get();
    let follows = move || app.live().following.with(Option::is_some);
    let why_not = if platform::has_handles() {
        "What is open cannot be read again once it has changed: only files that you drop or choose, and folders that you drop, can be, and only if no name in them holds one of < > : \" | ? * \\."
    } else {
        "This browser cannot read files again once they have changed, as Chrome and Edge can: drop them again."
    };
    view! {
        <Show
            when=move || app.live().can_reread.get()
            fallback=move || view! { <p class="quiet">{why_not}</p> }
        >
            <p class="open-ways">
                <button class="small" on:click=move |_| app.read_again()>"Read again"</button>
                <button
                    class="small"
                    aria-pressed=move || follows().to_string()
                    on:click=move |_| app.toggle_follow()
                >
                    "Follow"
                </button>
                <span class="quiet">"Follow reads again, each second, what has changed."</span>
            </p>
        </Show>
    }
}
