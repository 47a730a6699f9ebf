//! The dialog that asks what has to be known before anything is read.

use leptos::prelude::*;

use crate::components::RecordText;
use crate::format::counted;
use crate::platform;
use crate::protocol::{Limits, Mode, count};
use crate::state::{App, FIRST_RECORDS, Prediction, Question};

const DIALOG: &str = "intake";
/// What has the focus when something is asked.
const FIRST: &str = "ask-first";
/// The names of runs that are wanted.
const RUNS: &str = "ask-runs";

/// One question at a time. Esc opens nothing.
#[component]
pub(crate) fn IntakeDialog() -> impl IntoView {
    let app = App::get();
    let question = app.intake().question;
    Effect::new(move |_| {
        if question.with(Option::is_some) {
            platform::open_dialog(DIALOG);
            platform::focus_id(FIRST);
        } else {
            platform::close_dialog(DIALOG);
        }
    });
    let body = move || match question.get()? {
        Question::Mode { files } => Some(view! { <AskMode files/> }.into_any()),
        Question::TooBig(prediction) => Some(view! { <AskSize prediction/> }.into_any()),
    };
    view! {
        <dialog
            id=DIALOG
            class="dialog ask"
            aria-labelledby="ask-title"
            on:close=move |_| {
                if question.with_untracked(Option::is_some) {
                    app.forget_waiting();
                }
            }
        >
            {body}
        </dialog>
    }
}

#[component]
fn AskMode(files: usize) -> impl IntoView {
    let app = App::get();
    let is_for_all = RwSignal::new(false);
    let files = counted(count(files), "file");
    let open = move || app.summary.with_untracked(|summary| summary.sources);
    let answer = move |mode| app.answer_mode(mode, is_for_all.get_untracked());
    view! {
        <h2 id="ask-title">{format!("Open {files}")}</h2>
        <p>
            {move || {
                format!("Add to the {} open now, or replace what is open?", open_files(open()))
            }}
        </p>
        <label class="tick">
            <input
                type="checkbox"
                prop:checked=move || is_for_all.get()
                on:change=move |_| is_for_all.update(|is| *is = !*is)
            />
            "Do not ask again in this tab"
        </label>
        <div class="ask-ways">
            <button class="primary" id=FIRST on:click=move |_| answer(Mode::Add)>"Add"</button>
            <button on:click=move |_| answer(Mode::Replace)>"Replace"</button>
            <button class="ask-cancel" on:click=move |_| app.forget_waiting()>"Cancel"</button>
        </div>
    }
}

#[component]
fn AskSize(prediction: Prediction) -> impl IntoView {
    let app = App::get();
    let records = RwSignal::new(FIRST_RECORDS);
    // The run that a link waits for is the likeliest to be wanted.
    let awaited = app.place.with_untracked(|place| place.view.run_key().map(str::to_owned));
    let runs = RwSignal::new(awaited.unwrap_or_default());
    let names = move || runs.with(|runs| names(runs));
    let first = move |_| {
        let records = Some(records.get_untracked().max(1));
        app.answer_size(Limits { records, ..Limits::default() });
    };
    let some_runs = move |_| {
        let runs = untrack(names);
        if runs.is_empty() {
            platform::focus_id(RUNS);
        } else {
            app.answer_size(Limits { runs, ..Limits::default() });
        }
    };
    view! {
        <h2 id="ask-title">"More than this tab can hold"</h2>
        <p><RecordText text=prediction.says()/></p>
        <p>
            "Open the first "
            <input
                class="ask-number"
                type="number"
                min="1"
                step="1000"
                aria-label="Records to open"
                id=FIRST
                prop:value=FIRST_RECORDS.to_string()
                on:input=move |event| {
                    if let Ok(count) = platform::value_of(&event).parse() {
                        records.set(count);
                    }
                }
            />
            " records, choose runs, or cancel? Nothing has been read yet."
        </p>
        <p>
            <label>
                "Only runs with this in their name "
                <input
                    class="ask-runs"
                    type="text"
                    id=RUNS
                    placeholder="one, or several with commas"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || runs.get()
                    on:input=move |event| runs.set(platform::value_of(&event))
                />
            </label>
        </p>
        <p class="quiet">
            "The estimate is a quarter of the bytes, those in .zip, .gz and .tgz counted eight times. Opening all of it stops when the memory is used up, and keeps what was indexed."
        </p>
        <div class="ask-ways">
            <button class="primary" on:click=first>"Open the first records"</button>
            <button aria-disabled=move || names().is_empty().to_string() on:click=some_runs>
                "Open these runs"
            </button>
            <button on:click=move |_| app.answer_size(Limits::default())>
                "Open until memory is full"
            </button>
            <button class="ask-cancel" on:click=move |_| app.forget_waiting()>"Cancel"</button>
        </div>
    }
}

/// The names in a list with commas between them.
fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn open_files(count: u32) -> String {
    if count == 1 {
        "file that is".to_owned()
    } else {
        format!("{} files that are", platform::whole(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_between_commas() {
        assert_eq!(names(" a b , ,c,"), ["a b", "c"]);
        assert!(names(" , ").is_empty());
    }
}
