//! One attempt: what was planned and what came of it, what it left to the next one, and its actions
//! as a replay that keys step through.

mod action;
mod details;
mod labels;
mod list;
mod replay;
mod timeline;

use leptos::prelude::*;

use crate::components::{
    ClockSwitch, OutcomeMark, RecordText, Split, StepButtons, StepTitle, Steps,
};
use crate::protocol::{AttemptAsk, AttemptBody, Query};
use crate::route::{self, RunTab};
use crate::state::{App, Asked, asked};
use crate::views::attempt::action::Chosen;
use crate::views::attempt::details::Details;
use crate::views::attempt::list::ActionList;
use crate::views::attempt::replay::{Replay, ReplayBar, replay};
use crate::views::attempt::timeline::Timeline;

/// The selected attempt.
#[component]
pub(crate) fn AttemptTab(steps: Steps) -> impl IntoView {
    let number = Memo::new(move |_| steps.number());
    let facts = asked(
        move || {
            let (run, number) = (steps.id.get()?, number.get()?);
            Some(Query::Attempt(AttemptAsk::Facts { run, number }))
        },
        |answer| answer.try_as_attempt().and_then(|answer| answer.try_as_facts()),
    );
    let replay = replay(number, steps);
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
    let outcome = move || {
        facts.answer.with(|body| {
            let end = &body.as_ref()?.end;
            Some(view! { <OutcomeMark outcome=end.outcome detail=end.detail.clone()/> })
        })
    };
    let href = move || {
        app.place.with(|place| {
            let mut to = place.with_view(place.view.at(RunTab::Attempts, place.view.number()));
            to.query.lists.action = None;
            route::write(&to)
        })
    };
    view! {
        <header class="steps">
            <StepTitle steps name="Attempt"/>
            {outcome}
            <span class="steps-buttons">
                <a class="button small" href=href>"Iteration"</a>
                <StepButtons steps what="attempt" back="K" forth="J"/>
            </span>
        </header>
    }
}
