//! The dialog that asks how much of a long list is printed.

use leptos::prelude::*;

use crate::format::counted;
use crate::platform;
use crate::state::{App, PRINT_DIALOG, PRINTED, print};

/// Asks how much of a long list goes on paper.
#[component]
pub(crate) fn PrintDialog() -> impl IntoView {
    let app = App::get();
    let longest = RwSignal::new(0u32);
    let choose = move |rows: u32| {
        platform::close_dialog(PRINT_DIALOG);
        print(app, rows);
    };
    view! {
        <dialog
            id=PRINT_DIALOG
            class="dialog"
            aria-labelledby="print-title"
            on:toggle=move |_| longest.set(app.print.longest())
        >
            <header>
                <h2 id="print-title">"Print"</h2>
                <button class="small" on:click=move |_| platform::close_dialog(PRINT_DIALOG)>
                    "Cancel"
                </button>
            </header>
            <p>
                {move || {
                    format!("The list has {}. How many of them?", counted(longest.get(), "row"))
                }}
            </p>
            <p class="toolbar">
                <button class="primary" on:click=move |_| choose(PRINTED)>
                    {format!("The first {PRINTED}")}
                </button>
                <button on:click=move |_| choose(longest.get_untracked())>
                    {move || format!("All {}", platform::whole(longest.get()))}
                </button>
            </p>
        </dialog>
    }
}
