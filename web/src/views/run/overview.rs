//! A run at a glance: its chart, what changed, what is odd, and what is known of it.

use hindscope::{Origin, RunId};
use leptos::prelude::*;

use super::chart::RunChartPanel;
use super::facts::RunFacts;
use super::learn::{ReachNote, Steps, learnt};
use super::list::Iterations;
use super::part;
use super::provenance::Provenance;
use super::quality::QualityCard;
use super::step::StepCard;
use super::warnings::Warnings;
use crate::protocol::{Columns, LearnOf, Query, RunBody};
use crate::state::{App, Asked, asked};

/// Chart, iterations and cards.
#[component]
pub(crate) fn OverviewTab(
    run: Asked<RunBody>,
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let origin = move || run.answer.with(|run| Some(run.as_ref()?.row.view.reward_origin));
    let has_rewards = Memo::new(move |_| origin().is_some_and(|origin| origin != Origin::None));
    let is_derived = Memo::new(move |_| origin() == Some(Origin::Derived));
    let about = asked(
        move || Some(Query::About { run: id.get()? }),
        |answer| answer.try_as_about().map(|body| *body),
    );
    let body = learnt(id, || Some(LearnOf::Overview));
    let steps = Steps { columns, select };
    let part = part::chosen(App::get(), columns);
    let overview = move || {
        body.answer.with(|body| {
            body.as_ref()?.part.try_as_overview_ref().cloned().map(|overview| *overview)
        })
    };
    view! {
        <RunChartPanel run columns part at select has_rewards/>
        <StepCard id at steps/>
        <Iterations columns part at select is_derived/>
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
