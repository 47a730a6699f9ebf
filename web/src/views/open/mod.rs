//! The first view: what can be opened, how, and whether that is safe. Later, what is open.

pub(crate) mod formats;
pub(crate) mod intake_dialog;
pub(crate) mod paste;
pub(crate) mod reading;
pub(crate) mod safety;
pub(crate) mod said;
pub(crate) mod sources;

use leptos::prelude::*;

use crate::components::RecordText;
use crate::components::{Live, OpenAgain};
use crate::platform;
use crate::route::View;
use crate::samples::SAMPLES;
use crate::state::{App, HEADING, Phase, What, added_sentence, opened_sentence};
use crate::views::open::formats::Formats;
use crate::views::open::paste::{PASTE_DIALOG, PasteDialog};
use crate::views::open::reading::Reading;
use crate::views::open::safety::Safety;
use crate::views::open::sources::Sources;

/// Ways in, and the list of what came in.
#[component]
pub(crate) fn Open() -> impl IntoView {
    let app = App::get();
    platform::set_title("hindscope");
    let has_open = Memo::new(move |_| app.summary.with(|summary| summary.sources > 0));
    let has_runs = Memo::new(move |_| app.summary.with(|summary| summary.runs > 0));
    view! {
        <div class="page open" class:has-open=move || has_open.get()>
            <section class="open-in" aria-labelledby=HEADING>
                <h1 id=HEADING tabindex="-1">
                    {move || if has_open.get() { "Open more" } else { "Open run histories" }}
                </h1>
                <Show when=move || {
                    app.place.with(|place| place.view != View::Open) && !has_open.get()
                        && app.live().lost.with(Option::is_none)
                }>
                    <p class="advice">
                        "Nothing is open. When a page is loaded again, the browser forgets its files: open them again."
                    </p>
                </Show>
                <Show when=move || !has_open.get()><OpenAgain/></Show>
                <Ways/>
                <Safety/>
                <PasteDialog/>
            </section>
            <Show when=move || has_open.get() fallback=|| view! { <About/> }>
                <section class="open-list" aria-labelledby="open-title">
                    <h2 id="open-title">{move || app.summary.with(opened_sentence)}</h2>
                    <p class="quiet">{move || app.summary.with(added_sentence)}</p>
                    <p class="open-ways">
                        <button class="small" on:click=move |_| app.close_all()>"Close all files"</button>
                        {move || app.undo.change.get().filter(|_| !app.undo.is_new.get()).map(|change| view! {
                            <button class="small" on:click=move |_| app.undo()>
                                <RecordText text=format!("Undo: {change}")/>
                            </button>
                        })}
                    </p>
                    <Live/>
                    <Show when=move || !has_runs.get()>
                        <p class="advice">
                            "Nothing here is a history that hindscope knows. The reason stands beside each file; the formats it reads are listed below."
                        </p>
                    </Show>
                    <Sources/>
                    <Formats/>
                </section>
            </Show>
        </div>
    }
}

/// Drop target, pickers and samples.
#[component]
fn Ways() -> impl IntoView {
    let app = App::get();
    let listing = move |listed| app.phase.set(Phase::Listing(listed));
    let found = move |found| app.take(What::Files(found));
    let pick = move |event: leptos::ev::Event| {
        platform::on_picked(&event, listing, found);
        platform::clear_value(&event);
    };
    // A dialog that gives handles comes before the field's own.
    let choose = move |event: leptos::ev::MouseEvent| {
        if platform::pick(&event, listing, found) {
            event.prevent_default();
        }
    };
    view! {
        <div class="target">
            <p class="target-title">"Drop files or folders anywhere in this window"</p>
            <p class="quiet">"JSON, JSON Lines, YAML, CSV, logs, and zip, tar and gz of them. The content decides the format."</p>
            <div class="ways">
                <label class="button primary">
                    "Choose files"
                    <input
                        class="file-input"
                        type="file"
                        id="choose-files"
                        multiple
                        on:click=choose
                        on:change=pick
                    />
                </label>
                <label class="button">
                    "Choose folder"
                    <input
                        class="file-input"
                        type="file"
                        id="choose-folder"
                        prop:webkitdirectory=true
                        on:change=pick
                    />
                </label>
                <button class="button" on:click=move |_| platform::open_dialog(PASTE_DIALOG)>
                    "Paste text"
                </button>
            </div>
        </div>
        <Reading/>
        <div class="samples">
            <h2>"Or look at a sample"</h2>
            <ul>
                {SAMPLES
                    .iter()
                    .map(|sample| {
                        let open = move |_| app.take(What::Sample(sample.name.to_owned()));
                        view! {
                            <li>
                                <button class="sample" data-sample=sample.name on:click=open>
                                    <strong>{sample.title}</strong>
                                    <span>{sample.about}</span>
                                </button>
                            </li>
                        }
                    })
                    .collect::<Vec<_>>()}
            </ul>
        </div>
    }
}

/// What a newcomer wants to know.
#[component]
fn About() -> impl IntoView {
    const QUESTIONS: [(&str, &str); 5] = [
        (
            "Did the runs improve, and where did they stop?",
            "Runs: how many were solved after each attempt.",
        ),
        (
            "What could the agent read at iteration n?",
            "Window: what it held, what was pushed out, and the exact text.",
        ),
        (
            "Did a reflection change what came next?",
            "Iteration: each reflection beside the attempt that followed.",
        ),
        (
            "Which actions failed, and with what error?",
            "Iteration: diffs, errors and output, with the blamed ones marked.",
        ),
        ("What is wrong with this file?", "Findings: rule, line, column, and what to do about it."),
    ];
    view! {
        <div class="about">
            <section class="formats" aria-labelledby="questions-title">
                <h2 id="questions-title">"What it answers"</h2>
                <dl>
                    {QUESTIONS
                        .iter()
                        .map(|(question, answer)| {
                            view! { <div><dt>{*question}</dt><dd>{*answer}</dd></div> }
                        })
                        .collect::<Vec<_>>()}
                </dl>
            </section>
            <Formats/>
        </div>
    }
}
