//! Files that are opened, or read, once more.

use leptos::prelude::*;

use super::link::what;
use super::text::RecordText;
use crate::platform;
use crate::state::App;

/// The files of the last visit, where they were to be remembered; or those that were open when the page was loaded
/// again after a bug.
#[component]
pub(crate) fn OpenAgain() -> impl IntoView {
    let app = App::get();
    let lost = move || {
        let lost = app.live().lost.get()?;
        let what = app.place.with(|place| what(&place.view));
        let text =
            format!("The page was loaded again after a bug. Open {lost} again to see {what}.");
        Some(view! { <p class="advice"><RecordText text/></p> })
    };
    let kept = move || {
        let says = app.live().kept.get()?;
        Some(view! {
            <p class="open-ways open-again">
                <button class="primary" on:click=move |_| app.open_kept()>
                    <RecordText text=format!("Open again: {says}")/>
                </button>
                <button class="small" on:click=move |_| app.forget_files()>"Forget"</button>
            </p>
        })
    };
    view! { {lost} {kept} }
}

/// Reads what is open once more, or each second; or says why that is not possible.
#[component]
pub(crate) fn Live() -> impl IntoView {
    let app = App::get();
    let follows = move || app.live().following.with(Option::is_some);
    let why_not = if platform::has_handles() {
        "What is open cannot be read again once it has changed: only files that you drop or choose, and folders that you drop, can be, and only if no name in them holds one of < > : \" | ? * \\."
    } else {
        "This browser cannot read files again once they have changed, as Chrome and Edge can. Drop them again, or run `hindscope view --follow`, which works in every browser."
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
