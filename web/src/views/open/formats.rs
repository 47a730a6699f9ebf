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

/// A sentence of ours in which backticks stand around names of members.
#[component]
pub(crate) fn Ticked(#[prop(into)] text: String) -> impl IntoView {
    // Between the first and the second backtick is a name, between the second and the third none.
    text.split('`')
        .enumerate()
        .map(|(at, piece)| {
            let piece = piece.to_owned();
            if at % 2 == 1 { view! { <code>{piece}</code> }.into_any() } else { piece.into_any() }
        })
        .collect::<Vec<_>>()
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
            <p class="quiet">"Known by "<Ticked text=info.known_by/>"."</p>
            <p class="quiet">"Found at "<span class="format-at">{info.found_at}</span></p>
        </li>
    }
}
