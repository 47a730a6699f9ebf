//! One iteration in full. The order never changes: how it ended, what came next,
//! the reflection, actions, errors, output, raw.

pub(crate) mod actions;
pub(crate) mod cache;
pub(crate) mod conflict;
pub(crate) mod copies;
pub(crate) mod empty;
pub(crate) mod errors;
pub(crate) mod head;
pub(crate) mod learn;
pub(crate) mod memory;
pub(crate) mod outputs;
pub(crate) mod raw;
pub(crate) mod reflection;
pub(crate) mod scores;
pub(crate) mod step;

use std::sync::Arc;

use hindscope::RunId;
use leptos::html::Section;
use leptos::prelude::*;

use crate::components::{
    ClockSwitch, FindingItem, RecordText, StepButtons, StepTitle, Steps, length,
};
use crate::platform::Key;
use crate::protocol::{IterationBody, NotesBody, Query, RecordBody};
use crate::state::{App, asked, use_keys};
use crate::views::iteration::actions::Actions;
use crate::views::iteration::cache::{BodyCache, cache};
use crate::views::iteration::conflict::Conflicts;
use crate::views::iteration::copies::CopyIteration;
use crate::views::iteration::empty::EmptyFields;
use crate::views::iteration::errors::Errors;
use crate::views::iteration::head::Head;
use crate::views::iteration::memory::{Memory, Seen};
use crate::views::iteration::outputs::{Checks, Rest};
use crate::views::iteration::raw::Raw;
use crate::views::iteration::reflection::ReflectionsOf;
use crate::views::iteration::scores::{Given, Scores};
use crate::views::iteration::step::StepChanges;

/// Runs up to this length are judged by all rules without asking.
const JUDGED: usize = 2000;

/// Id of the part of the page that shows an iteration.
pub(crate) const INSPECTOR: &str = "inspector";

/// The selected iteration.
#[component]
pub(crate) fn Inspector(steps: Steps) -> impl IntoView {
    let app = App::get();
    let section = NodeRef::<Section>::new();
    let cache = cache(steps, section);
    let notes = notes(steps);
    use_keys(move |key: &Key| {
        let is_f = key.name == "f" && !key.is_repeated;
        if is_f {
            app.choose(|query| query.is_full = !query.is_full);
        }
        is_f
    });
    view! {
        <section class="inspector" aria-label="Iteration" id=INSPECTOR tabindex="-1" node_ref=section>
            <StepHead steps/>
            {move || cache.problem.get().map(|problem| view! {
                <p class="advice"><RecordText text=problem/></p>
            })}
            {move || cache.body.get().map(|body| view! { <Body id=steps.id cache body notes/> })}
        </section>
    }
}

/// What the rules say of the selected iteration; in long runs only if it is asked for.
fn notes(steps: Steps) -> RwSignal<Option<NotesBody>> {
    let Steps { id, columns, at, .. } = steps;
    let notes = asked(
        move || {
            let run = id.get()?;
            let number = columns.with(|columns| {
                (columns.len() <= JUDGED).then(|| columns.number(at.get()?)).flatten()
            })?;
            Some(Query::Notes { run, number })
        },
        |answer| answer.try_as_notes().map(|body| *body),
    );
    notes.answer
}

/// Which iteration it is, and the steps to its neighbours.
#[component]
fn StepHead(steps: Steps) -> impl IntoView {
    let app = App::get();
    let is_full = Memo::new(move |_| app.place.with(|place| place.query.is_full));
    view! {
        <header class="steps">
            <StepTitle steps name="Iteration"/>
            <span class="steps-buttons">
                <button
                    class="small maximise"
                    aria-pressed=move || is_full.get().to_string()
                    on:click=move |_| app.choose(|query| query.is_full = !query.is_full)
                >
                    <kbd aria-hidden="true">"f"</kbd>
                    {move || if is_full.get() { "Side panel" } else { "Maximise" }}
                </button>
                <StepButtons steps what="iteration" back="k" forth="j"/>
            </span>
        </header>
    }
}

#[component]
fn Body(
    id: Memo<Option<RunId>>,
    cache: BodyCache,
    body: Arc<IterationBody>,
    notes: RwSignal<Option<NotesBody>>,
) -> impl IntoView {
    let details =
        body.records.first().and_then(|record| record.details.clone()).unwrap_or_default();
    let problems: Vec<_> = body
        .records
        .iter()
        .filter_map(|record| record.problem.clone())
        .map(|problem| view! { <p class="advice"><RecordText text=problem/></p> })
        .collect();
    let findings = body.findings.clone();
    let has_texts = !details.reflections.is_empty();
    let number = body.view.number;
    // The notes of the iteration before may still be there.
    let notes = Memo::new(move |_| {
        notes.with(|notes| notes.clone().filter(|notes| notes.number == number))
    });
    view! {
        <Head body=Arc::clone(&body) details=details.clone()/>
        {problems}
        {(!findings.is_empty()).then(|| view! {
            <div class="findings-here">
                {findings
                    .into_iter()
                    .map(|finding| view! { <FindingItem finding is_here=true/> })
                    .collect::<Vec<_>>()}
            </div>
        })}
        <Conflicts conflicts=body.conflicts.clone()/>
        <div class="inspector-parts">
            <div class="inspector-part">
                <Seen body=Arc::clone(&body) notes/>
                {(!has_texts).then(|| view! { <p class="none-written">"No reflection was written in this iteration."</p> })}
                <ReflectionsOf details=details.clone() notes/>
                {further(&body.records)}
                <Memory id number/>
                <StepChanges id number/>
                <Given retrieved=details.retrieved.clone().unwrap_or_default()/>
                <Scores details=details.clone()/>
            </div>
            <div class="inspector-part">
                <Actions details=details.clone() number notes/>
                <Errors errors=details.errors.clone() notes/>
            </div>
        </div>
        {(body.shortened > 0).then(|| view! { <Shortened cache hidden=body.shortened/> })}
        <Checks checks=details.checks.clone()/>
        <Rest details=details.clone()/>
        <EmptyFields details/>
        <Raw records=body.records.clone()/>
        <footer class="inspector-foot">
            <CopyIteration body/>
            <ClockSwitch/>
        </footer>
    }
}

/// What is missing at the ends of long texts, and the way to it.
#[component]
fn Shortened(cache: BodyCache, hidden: u32) -> impl IntoView {
    let size = length(hidden as usize);
    view! {
        <p class="advice shortened">
            {format!("{size} at the ends of long texts are not here yet. ")}
            <button class="small" on:click=move |_| cache.ask_whole()>"Get all of it"</button>
        </p>
    }
}

/// Reflections of the other records that speak of this iteration, each with its place.
fn further(records: &[RecordBody]) -> Vec<AnyView> {
    records
        .iter()
        .skip(1)
        .filter_map(|record| {
            let details = record.details.clone()?;
            let span = record.span.as_ref()?;
            let place = format!("Also at {}:{}:{}", span.path, span.line, span.column);
            (!details.reflections.is_empty()).then(|| {
                view! {
                    <p class="quiet"><RecordText text=place/></p>
                    <ReflectionsOf details notes=Memo::new(|_| None)/>
                }
                .into_any()
            })
        })
        .collect()
}
