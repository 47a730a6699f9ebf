//! The attempts of a run: their chart, their list, its warnings, and what is known of it.

use hindscope::Origin;
use leptos::prelude::*;

use super::chart::RunChartPanel;
use super::facts::RunFacts;
use super::list::Iterations;
use super::part;
use super::provenance::Provenance;
use super::quality::QualityCard;
use super::warnings::Warnings;
use crate::components::Steps;
use crate::protocol::{LearnOf, Query, RunBody};
use crate::state::{App, Asked, asked};
use crate::views::iteration::learn::{ReachNote, learnt};

/// Chart, iterations and cards.
#[component]
pub(crate) fn AttemptsTab(run: Asked<RunBody>, steps: Steps) -> impl IntoView {
    let origin = move || run.answer.with(|run| Some(run.as_ref()?.row.view.reward_origin));
    let has_rewards = Memo::new(move |_| origin().is_some_and(|origin| origin != Origin::None));
    let is_derived = Memo::new(move |_| origin() == Some(Origin::Derived));
    let about = asked(
        move || Some(Query::About { run: steps.id.get()? }),
        |answer| answer.try_as_about().map(|body| *body),
    );
    let body = learnt(steps.id, || Some(LearnOf::Overview));
    let has_several = Memo::new(move |_| steps.columns.with(|columns| columns.len() > 1));
    let part = part::chosen(App::get(), steps.columns);
    let overview = move || {
        body.answer.with(|body| {
            body.as_ref()?.part.try_as_overview_ref().cloned().map(|overview| *overview)
        })
    };
    view! {
        // One attempt stands beside this already: there is nothing to compare.
        <Show when=move || has_several.get()>
            <RunChartPanel run steps part has_rewards/>
            <Iterations steps part is_derived/>
        </Show>
        <div class="run-cards">
            {move || body.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
            {move || overview().map(|overview| view! { <Warnings overview steps/> })}
            {move || body.answer.with(|body| body.as_ref().map(|body| {
                view! { <ReachNote reach=body.reach.clone()/> }
            }))}
            <RunFacts run about learnt=body steps/>
            {move || overview().map(|overview| view! { <QualityCard overview steps/> })}
            <Provenance about/>
        </div>
    }
}
