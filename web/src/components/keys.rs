//! Help: the list of keys, and what words and signs of the page mean.

use leptos::prelude::*;

use crate::commands::{COMMANDS, Command, Part, cap};
use crate::platform;
use crate::state::{KEYS_DIALOG, Settings};

/// Words and signs that are not explained where they stand.
const WORDS: [(&str, &str); 9] = [
    ("Ω", "How many reflections the window holds at most."),
    ("Window", "The reflections that the agent is shown before an attempt."),
    ("fifo", "When the window is full, the oldest reflection leaves first."),
    ("recency", "As fifo, by the time of writing instead of the number."),
    (
        "relevance_weighted",
        "The reflections stay that share rare words with the task and the latest errors.",
    ),
    (
        "derived",
        "The file states no reward here. hindscope computed one from the verdict or the checks.",
    ),
    (
        "assumed",
        "The file does not say it. hindscope took what is usual for the tool that wrote the file.",
    ),
    ("Selected", "The attempt whose result the loop returned."),
    ("Stuck", "The same reflection, error or action came back several times, and led to nothing."),
];

/// A dialog with every key and what it does, and with the words.
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
                <h2 id="keys-title">"Keys and words"</h2>
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
            <h3>"Words and signs"</h3>
            <dl class="words">
                {WORDS
                    .map(|(word, meaning)| view! { <div><dt>{word}</dt><dd>{meaning}</dd></div> })
                    .into_iter()
                    .collect_view()}
            </dl>
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_is_explained() {
        for policy in hindscope::Policy::ALL {
            assert!(WORDS.iter().any(|(word, _)| *word == policy.as_str()), "{policy:?}");
        }
    }
}
