//! What can be opened: every format, with what it gives and where its writers put it.

use hindscope::FormatInfo;
use leptos::prelude::*;

/// The list, folded until someone asks.
#[component]
pub(crate) fn Formats() -> impl IntoView {
    let formats = hindscope::formats();
    view! {
        <details class="formats opens">
            <summary>
                <h2>"What opens here"</h2>
                <span>{format!("{} formats, recognised by content", formats.len())}</span>
            </summary>
            <ul>{formats.iter().map(|info| view! { <FormatRow info=*info/> }).collect::<Vec<_>>()}</ul>
        </details>
        <p class="quiet">
            "Damaged files are read as far as they go: a bad line hides nothing else, and is listed with its line and column."
        </p>
    }
}

#[component]
fn FormatRow(info: FormatInfo) -> impl IntoView {
    view! {
        <li class="format">
            <div class="format-head">
                <strong>{info.title}</strong>
                <code class="kind">{info.id}</code>
            </div>
            <p>{format!("Gives {}.", info.gives)}</p>
            <p class="quiet">"Known by "{info.known_by}"."</p>
            <p class="quiet">"Found at "<span class="format-at">{info.found_at}</span></p>
        </li>
    }
}
