//! The list of keys.

use leptos::prelude::*;

use crate::commands::{COMMANDS, Command, Part, cap};
use crate::platform;
use crate::state::{KEYS_DIALOG, Settings};

/// A dialog with every key and what it does.
#[component]
pub(crate) fn KeysDialog() -> impl IntoView {
    let settings = Settings::get();
    let part = |part: Part| {
        let commands = COMMANDS.iter().filter(|c| c.part == part && !c.keys.is_empty());
        view! {
            <section>
                <h3>{part.title()}</h3>
                <dl>
                    {commands
                        .map(|command| view! {
                            <div><dt><Caps command/></dt><dd>{command.title}</dd></div>
                        })
                        .collect_view()}
                </dl>
            </section>
        }
    };
    view! {
        <dialog id=KEYS_DIALOG class="dialog keys-dialog" aria-labelledby="keys-title">
            <header>
                <h2 id="keys-title">"Keys"</h2>
                <button class="small" on:click=move |_| platform::close_dialog(KEYS_DIALOG)>
                    "Close"
                </button>
            </header>
            <Show when=move || !settings.single_keys.get()>
                <p class="advice">
                    "Single-key shortcuts are off: letters, digits and signs do nothing. Settings turns them on."
                </p>
            </Show>
            <div class="keys">{Part::ALL.map(part).collect_view()}</div>
            <p class="quiet">
                "No key acts while a field has the focus. Everything here is also a button, a link, or an entry of All commands."
            </p>
        </dialog>
    }
}

/// The keys of a command.
#[component]
pub(crate) fn Caps(command: &'static Command) -> impl IntoView {
    command
        .keys
        .iter()
        .map(|keys| {
            // The space bar is a key, too.
            let parts = if *keys == " " { vec![" "] } else { keys.split(' ').collect() };
            let caps = parts.into_iter().map(|key| view! { <kbd>{cap(key)}</kbd> }).collect_view();
            view! { <span class="caps">{caps}</span> }
        })
        .collect_view()
}
