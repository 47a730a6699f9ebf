//! The switch between charts and tables.

use leptos::prelude::*;

use crate::state::App;

/// Turns charts into tables and back.
#[component]
pub(crate) fn TableButton() -> impl IntoView {
    let app = App::get();
    view! {
        <button
            class="small"
            aria-pressed=move || app.as_table.get().to_string()
            on:click=move |_| app.as_table.update(|as_table| *as_table = !*as_table)
        >
            "Table"
        </button>
    }
}
