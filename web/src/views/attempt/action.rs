//! The chosen action in full, and where the replay stands after it.

use hindscope::NamedText;
use leptos::prelude::*;

use super::labels;
use super::replay::Replay;
use crate::components::{Diff, LongText, NamedText, Output, RecordText, TimeText, length};
use crate::format::duration;
use crate::json_layout::pretty;
use crate::protocol::ActionBody;
use crate::route::{self, RunTab};
use crate::state::App;

/// The action that the replay stands at.
#[component]
pub(super) fn Chosen(replay: Replay) -> impl IntoView {
    let one = replay.one;
    // What was heard of another attempt is not shown.
    let body = move || one.answer.get().filter(|_| replay.total.get() > 0);
    view! {
        <section class="chosen-action" aria-label="Action" tabindex="0">
            {move || one.problem.get().map(|text| view! { <p class="advice"><RecordText text/></p> })}
            {move || body().map(|body| view! { <Body body/> })}
        </section>
    }
}

#[component]
fn Body(body: ActionBody) -> impl IntoView {
    let ActionBody { at, action, error, iteration, step, texts, place, state, shortened, .. } =
        body;
    let (tone, mark, word) = labels::said(action.success);
    let elapsed = state.elapsed.map(|ms| format!("{} elapsed", duration(ms.max(0.0))));
    let counts = labels::state(&state);
    let so_far: Vec<String> = elapsed.into_iter().chain([counts]).collect();
    let part = [
        iteration.map(|number| format!("iteration {number} of the attempt")),
        step.map(|step| format!("step {step} of the plan")),
    ];
    let part: Vec<String> = part.into_iter().flatten().collect();
    let has_diff = action.diff.is_some();
    view! {
        <h3>{format!("Action {}", at + 1)}</h3>
        <div class="action-head">
            <code class="kind"><RecordText text=action.kind/></code>
            {action.tool.map(|tool| view! { <code class="file"><RecordText text=tool/></code> })}
            {action.path.map(|path| view! { <code class="file"><RecordText text=path/></code> })}
            <b class=tone>{word}</b>
            {action.is_credited.then(|| view! { <b class="failing-word">"named as failing by the reflection"</b> })}
            {action.time.map(|text| view! { <span class="quiet"><TimeText text/></span> })}
        </div>
        <p class="so-far"><strong>"So far: "</strong>{so_far.join(" \u{b7} ")}</p>
        {(!part.is_empty()).then(|| view! { <p class="quiet">{part.join(", ")}</p> })}
        {(!action.description.is_empty()).then(|| view! { <LongText text=action.description/> })}
        {action.command.map(|command| view! {
            <div class="command"><span aria-hidden="true">"$ "</span><RecordText text=command/></div>
        })}
        {action.reasoning.map(|text| view! { <NamedText name="Reasoning" text/> })}
        <div class=format!("beside expectation {tone}")>
            <div class="named">
                <h4>"Expected"</h4>
                {said(action.expected, "No expectation is recorded.")}
            </div>
            <b class=format!("act-mark {tone}") title=format!("As recorded: {word}") aria-hidden="true">{mark}</b>
            <div class="named">
                <h4>"Actual: "<span class=tone>{word}</span></h4>
                {error.map(|text| view! { <div class="error-text"><LongText text is_code=true/></div> })}
                {actual(action.output.filter(|text| !text.trim().is_empty()), has_diff)}
            </div>
        </div>
        {action.params.map(|text| view! { <NamedText name="Arguments" text=pretty(&text).unwrap_or(text) is_code=true/> })}
        {action.diff.map(|text| view! { <Diff text/> })}
        {texts.into_iter().map(other).collect_view()}
        {(shortened > 0).then(|| view! {
            <p class="advice">
                {format!("{} at the ends of long texts are not shown; the record has them.", length(shortened as usize))}
            </p>
        })}
        {place.map(record_link)}
    }
}

fn said(text: Option<String>, none: &'static str) -> AnyView {
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => view! { <LongText text/> }.into_any(),
        None => view! { <p class="none">{none}</p> }.into_any(),
    }
}

fn actual(output: Option<String>, has_diff: bool) -> AnyView {
    match output {
        Some(text) => view! { <Output name="Output" text/> }.into_any(),
        None if has_diff => {
            view! { <p class="none">"No output; the change is below."</p> }.into_any()
        }
        None => view! { <p class="none">"No output is recorded."</p> }.into_any(),
    }
}

/// What else the record says.
fn other(NamedText { name, text }: NamedText) -> impl IntoView {
    view! {
        <div class="named">
            <h4><RecordText text=name/></h4>
            <LongText text=pretty(&text).unwrap_or(text)/>
        </div>
    }
}

/// The way to the record as it is written.
fn record_link(place: String) -> impl IntoView {
    let app = App::get();
    let to = place.clone();
    let href = move || {
        app.place.with(|here| {
            let mut there = here.with_view(here.view.at(RunTab::Data, here.view.number()));
            there.query.record = Some(to.clone());
            route::write(&there)
        })
    };
    view! { <p class="place"><a href=href><RecordText text=place/></a></p> }
}
