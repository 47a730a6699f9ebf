//! Every run that is open, and above them what they come to together.

mod category;
mod choice;
mod columns;
pub(crate) mod curve;
mod damage;
pub(crate) mod facts;
mod filters;
pub(crate) mod groups;
pub(crate) mod list;
mod row;
mod summary;

use leptos::prelude::*;

use crate::format::counted;
use crate::platform;
use crate::protocol::{Answer, ExportOf, Query};
use crate::state::{App, HEADING, MOST_MARKED, Phase, compare_href};
use crate::views::export::ExportMenu;
pub(crate) use crate::views::runs::choice::choice;
use crate::views::runs::columns::ColumnsMenu;
use crate::views::runs::damage::Damage;
use crate::views::runs::filters::{Counts, Filters};
use crate::views::runs::list::RunsList;
use crate::views::runs::summary::Summary;

/// The list of runs with its summary and filters.
#[component]
pub(crate) fn Runs() -> impl IntoView {
    let app = App::get();
    platform::set_title("Runs - hindscope");
    let choice = Memo::new(move |_| app.place.with(|place| choice(&place.query)));
    Effect::new(move |_| app.choice.set(choice.get()));
    let counts = RwSignal::new(Counts::default());
    let wanted = RwSignal::new(columns::kept());
    let hidden = RwSignal::new(0usize);
    let shown = Memo::new(move |_| counts.get().shown);
    let is_reading = Memo::new(move |_| app.phase.get() == Phase::Reading);
    let is_empty = Memo::new(move |_| !app.phase.with(Phase::is_busy) && !app.has_runs());
    view! {
        <div class="page runs">
            <header class="runs-head">
                <h1 id=HEADING tabindex="-1">
                    {move || {
                        let runs = app.summary.with(|summary| summary.runs);
                        if is_reading.get() && runs == 0 {
                            return "Reading runs".to_owned();
                        }
                        let runs = counted(runs, "run");
                        if is_reading.get() { format!("{runs} so far") } else { runs }
                    }}
                </h1>
                <p class="quiet">
                    {move || {
                        if is_reading.get() && !app.has_runs() {
                            return "The first ones are shown as soon as they are there.".to_owned();
                        }
                        app.summary.with(subtitle)
                    }}
                </p>
                <Show when=move || !is_empty.get()>
                    <div class="runs-tools">
                        <Marks shown/>
                        <Show when=move || !app.is_narrow.get()>
                            <ColumnsMenu wanted hidden=Memo::new(move |_| hidden.get())/>
                        </Show>
                        <ExportMenu
                            label="Export the runs shown"
                            runs=move || ExportOf::Shown(choice.get_untracked())
                            count=Signal::derive(move || shown.get())
                        />
                    </div>
                </Show>
            </header>
            <Show
                when=move || !is_empty.get()
                fallback=|| {
                    view! {
                        <p class="advice">
                            "No run is open. "<a href="#/">"Open files or a sample"</a>"."
                        </p>
                    }
                }
            >
                <Summary choice counts/>
                <Filters choice counts/>
                <RunsList choice counts wanted hidden/>
                <Damage/>
            </Show>
        </div>
    }
}

/// What is marked for being compared, and the way there.
#[component]
fn Marks(shown: Memo<u32>) -> impl IntoView {
    let app = App::get();
    let count = Memo::new(move |_| app.marks.with(Vec::len));
    let mark_shown = move |_| {
        let choice = app.choice.get_untracked();
        app.ask_for_page(Query::Addresses { choice }, move |answer| {
            if let Answer::Addresses(runs) = answer {
                app.say(format!("{} runs marked.", runs.len()));
                app.marks.set(runs);
            }
        });
    };
    let most = move || usize::try_from(shown.get()).unwrap_or(usize::MAX).min(MOST_MARKED);
    let is_cut = move || usize::try_from(shown.get()).unwrap_or(usize::MAX) > MOST_MARKED;
    view! {
        <Show
            when=move || { count.get() > 0 }
            fallback=move || {
                view! {
                    <button
                        class="small"
                        disabled=move || most() < 2
                        on:click=mark_shown
                    >
                        {move || if is_cut() {
                            format!("Mark the first {MOST_MARKED}")
                        } else {
                            format!("Mark all {}", most())
                        }}
                    </button>
                }
            }
        >
            <a
                class="button small compare-button"
                class:primary=move || { count.get() > 1 }
                href=move || app.marks.with(|marks| compare_href(marks))
            >
                {move || format!("Compare {}", count.get())}
            </a>
            <button class="small" on:click=move |_| app.marks.set(Vec::new())>"Unmark"</button>
        </Show>
    }
}

fn subtitle(summary: &crate::protocol::Summary) -> String {
    let groups = match summary.groups {
        0 | 1 => String::new(),
        several => format!(" in {}", counted(several, "group")),
    };
    format!(
        "from {}{groups}, with {}",
        counted(summary.sources, "file"),
        counted(summary.reflections, "reflection"),
    )
}
