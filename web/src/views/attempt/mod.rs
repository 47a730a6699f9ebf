//! One attempt: what was planned and what came of it, what it left to the next one, and its actions
//! as a replay that keys step through.

mod action;
mod details;
mod labels;
mod list;
mod replay;
mod timeline;

use hindscope::RunId;
use leptos::prelude::*;

use crate::components::{ClockSwitch, OutcomeMark, RecordText, Split};
use crate::protocol::{AttemptAsk, AttemptBody, Columns, Query};
use crate::route::{self, RunTab};
use crate::state::{App, Asked, asked};
use crate::views::attempt::action::Chosen;
use crate::views::attempt::details::Details;
use crate::views::attempt::list::ActionList;
use crate::views::attempt::replay::{Replay, ReplayBar, Steps, replay};
use crate::views::attempt::timeline::Timeline;

/// The selected attempt.
#[component]
pub(crate) fn AttemptTab(
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let number = Memo::new(move |_| columns.with(|columns| columns.number(at.get()?)));
    let facts = asked(
        move || {
            let (run, number) = (id.get()?, number.get()?);
            Some(Query::Attempt(AttemptAsk::Facts { run, number }))
        },
        |answer| answer.try_as_attempt().and_then(|answer| answer.try_as_facts()),
    );
    let steps = Steps { columns, at, select };
    let replay = replay(id, number, steps);
    let left = move || view! { <Known facts steps replay/> };
    let right = move || {
        view! {
            <section class="replay" aria-label="Actions">
                <ReplayBar replay/>
                <ActionList replay/>
                <Chosen replay/>
            </section>
        }
    };
    view! { <Split left right/> }
}

/// Everything of the attempt but its actions.
#[component]
fn Known(facts: Asked<AttemptBody>, steps: Steps, replay: Replay) -> impl IntoView {
    view! {
        <section class="attempt" aria-label="Attempt">
            <Head facts steps/>
            {move || facts.problem.get().map(|text| view! { <p class="advice"><RecordText text/></p> })}
            {move || facts.answer.get().map(|body| view! {
                {body.problem.clone().map(|text| view! { <p class="advice"><RecordText text/></p> })}
                <Timeline
                    attempts=body.attempts.clone()
                    left_out=body.left_out
                    number=body.number
                />
                <Details body replay/>
            })}
            <footer class="inspector-foot"><ClockSwitch/></footer>
        </section>
    }
}

/// Which attempt it is, and the steps to its neighbours.
#[component]
fn Head(facts: Asked<AttemptBody>, steps: Steps) -> impl IntoView {
    let app = App::get();
    let Steps { columns, at, .. } = steps;
    let title = move || {
        let at = at.get()?;
        columns.with(|columns| {
            let number = columns.number(at)?;
            Some(view! {
                <h2>{format!("Attempt {number}")}</h2>
                <span class="quiet">{format!("{} of {}", at + 1, columns.len())}</span>
            })
        })
    };
    let outcome = move || {
        facts.answer.with(|body| {
            let end = &body.as_ref()?.end;
            Some(view! { <OutcomeMark outcome=end.outcome detail=end.detail.clone()/> })
        })
    };
    let href = move || {
        app.place.with(|place| {
            let mut to = place.with_view(place.view.at(RunTab::Overview, place.view.number()));
            to.query.lists.action = None;
            route::write(&to)
        })
    };
    view! {
        <header class="steps">
            {title}
            {outcome}
            <span class="steps-buttons">
                <a class="button small" href=href>"Iteration"</a>
                <button
                    class="small"
                    disabled=move || steps.before().is_none()
                    on:click=move |_| steps.go(false)
                >
                    <span class="spoken">"Previous attempt"</span>
                    <kbd aria-hidden="true">"K"</kbd>
                    <span aria-hidden="true">"\u{2191}"</span>
                </button>
                <button
                    class="small"
                    disabled=move || steps.after().is_none()
                    on:click=move |_| steps.go(true)
                >
                    <span class="spoken">"Next attempt"</span>
                    <kbd aria-hidden="true">"J"</kbd>
                    <span aria-hidden="true">"\u{2193}"</span>
                </button>
            </span>
        </header>
    }
}
