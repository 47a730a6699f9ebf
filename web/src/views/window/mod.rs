//! What the agent could read when an iteration began: which reflections, since when, until when,
//! and the exact text.

pub(crate) mod controls;
pub(crate) mod grid;
pub(crate) mod slider;
pub(crate) mod summary;
pub(crate) mod texts;

use leptos::prelude::*;

use crate::components::{RecordText, Steps};
use crate::platform::Key;
use crate::protocol::{Columns, Query, WindowChoice};
use crate::route;
use crate::state::{App, asked, use_keys};
use crate::views::window::controls::{Controls, LARGEST};
use crate::views::window::grid::Grid;
use crate::views::window::summary::Summary;
use crate::views::window::texts::Texts;

/// The window as the address asks for it.
pub(crate) fn choice(query: &route::Query) -> WindowChoice {
    WindowChoice {
        omega: query.omega,
        policy: query.policy.clone(),
        budget: query.budget,
        layout: query.layout.clone(),
    }
}

/// The window at the selected iteration.
#[component]
pub(crate) fn WindowTab(steps: Steps) -> impl IntoView {
    let app = App::get();
    let Steps { id, columns, at, .. } = steps;
    let chosen = Memo::new(move |_| app.place.with(|place| choice(&place.query)));
    let number = Memo::new(move |_| {
        // The attempt after the last one has a window too.
        let named = app.place.with(|place| place.view.number());
        columns.with(|columns| {
            let next = columns.len().checked_sub(1).and_then(|last| columns.number(last))? + 1;
            named
                .filter(|named| *named == next)
                .or_else(|| at.get().and_then(|at| columns.number(at)))
        })
    });
    let window = asked(
        move || Some(Query::Window { run: id.get()?, at: number.get()?, choice: chosen.get() }),
        |answer| answer.try_as_window().map(|body| *body),
    );
    let given = Memo::new(move |_| window.answer.with(|w| w.as_ref().and_then(|w| w.given)));
    let change = move |by: i8| {
        let now = chosen.with_untracked(|it| it.omega).or(given.get_untracked()).unwrap_or(LARGEST);
        let next = now.saturating_add_signed(by).min(LARGEST);
        app.choose(|query| query.omega = Some(next));
    };
    use_keys(move |key: &Key| match key.name.as_str() {
        "+" | "=" => {
            change(1);
            true
        }
        "-" => {
            change(-1);
            true
        }
        _ => false,
    });
    Effect::new(move |before: Option<Option<(i64, usize)>>| {
        let now =
            window.answer.with(|body| body.as_ref().map(|it| (it.view.at, it.view.held.len())));
        if let Some((at, held)) = now
            && before.is_some_and(|before| before.is_some() && before != now)
        {
            app.say(slider::said(at, columns.with_untracked(Columns::len), held));
        }
        now
    });
    view! {
        <div class="window-left" data-scroller="">
            <Controls window=window.answer columns number change=Callback::new(change)/>
            {move || window.problem.get().map(|problem| view! {
                <p class="advice"><RecordText text=problem/></p>
            })}
            {move || window.answer.with(|body| body.as_ref().map(|body| view! {
                <Summary body=body.clone()/>
                <Grid life=body.life.clone() at=body.view.at/>
            }))}
        </div>
        <div class="window-right" data-scroller="">
            <Texts window=window.answer/>
        </div>
    }
}
