//! The list of keys.

use leptos::prelude::*;

use crate::platform;

/// Id of the dialog.
pub(crate) const KEYS_DIALOG: &str = "keys";

const KEYS: [(&str, &str); 24] = [
    ("o", "Open more files"),
    ("/", "Search"),
    ("Ctrl+F", "Find in this view; again: the browser's own"),
    ("n  N", "Next, previous hit of the search"),
    ("?", "This list"),
    ("Esc", "Close, or one level up"),
    ("j  k", "Next, previous run or iteration"),
    ("\u{2193}  \u{2191}", "The same"),
    ("Enter", "Open the run"),
    ("x", "Mark the run for Compare"),
    ("g g  Home", "First"),
    ("G  End", "Last"),
    (".  ,", "Next, previous failure"),
    ("]  [", "Next, previous run"),
    ("1  2", "Overview, window"),
    ("w", "Window at this iteration"),
    ("+  \u{2212}", "Larger, smaller window; zoom of the chart"),
    ("0", "The whole chart"),
    ("d", "Chart or table"),
    ("e  E", "Next, previous finding"),
    ("y", "Copy a link to what is shown"),
    ("r", "Runs"),
    ("f", "Findings"),
    ("t", "Theme: system, light, dark"),
];

/// A dialog with every key and what it does.
#[component]
pub(crate) fn KeysDialog() -> impl IntoView {
    view! {
        <dialog id=KEYS_DIALOG class="dialog" aria-labelledby="keys-title">
            <header>
                <h2 id="keys-title">"Keys"</h2>
                <button class="small" on:click=move |_| platform::close_dialog(KEYS_DIALOG)>
                    "Close"
                </button>
            </header>
            <dl class="keys">
                {KEYS
                    .iter()
                    .map(|(keys, does)| {
                        let keys: Vec<_> = keys
                            .split("  ")
                            .map(|key| view! { <kbd>{key}</kbd> })
                            .collect();
                        view! { <div><dt>{keys}</dt><dd>{*does}</dd></div> }
                    })
                    .collect::<Vec<_>>()}
            </dl>
            <p class="quiet">
                "No key acts while a field has the focus. Everything here also has a button or a link."
            </p>
        </dialog>
    }
}
