//! The iterations of a run, one row each.

use leptos::prelude::*;

use crate::components::{Delta, OutcomeMark, Reward, Sight, VirtualList};
use crate::protocol::Columns;
use crate::route::{self, RunTab, View};
use crate::state::App;

const ROW: f64 = 27.0;
const HEADER: f64 = 28.0;

/// A list that follows what is selected elsewhere, and selects.
#[component]
pub(crate) fn IterationList(
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
    is_derived: Memo<bool>,
) -> impl IntoView {
    let app = App::get();
    let in_sight = RwSignal::new(Sight::default());
    let total = Memo::new(move |_| u32::try_from(columns.with(Columns::len)).unwrap_or(u32::MAX));
    let active = Memo::new(move |_| at.get().and_then(|at| u32::try_from(at).ok()));
    // Where the reader is but for the iteration: a step leaves the links of all rows as they are.
    let around = Memo::new(move |_| {
        app.place.with(|place| {
            let key = place.view.run_key().unwrap_or_default().to_owned();
            place.with_view(View::Run { key, tab: RunTab::Overview, number: None })
        })
    });
    let row = move |index: u32| {
        let is_current = Memo::new(move |_| active.get() == Some(index));
        let place = move || {
            let number = columns.with(|columns| columns.number(index as usize));
            around.with(|place| {
                let key = place.view.run_key().unwrap_or_default().to_owned();
                route::write(&place.with_view(View::Run { key, tab: RunTab::Overview, number }))
            })
        };
        view! {
            <div
                class="row"
                role="row"
                class:active=move || is_current.get()
                aria-rowindex=(index + 2).to_string()
                aria-selected=move || is_current.get().to_string()
            >
                {move || {
                    columns.with(|columns| cells(columns, index as usize, place, move |event| {
                        // Stepping through a run is one step back, not one per iteration.
                        event.prevent_default();
                        select.run(index as usize);
                    }, is_current))
                }}
            </div>
        }
        .into_any()
    };
    view! {
        <div class="iterations" data-scroller="">
            <div
                class="grid iteration-grid"
                role="grid"
                aria-label="Iterations"
                aria-rowcount=move || (total.get() + 1).to_string()
            >
                <div class="row head" role="row" aria-rowindex="1">
                    <div class="cell-head c-num" role="columnheader">"Iter."</div>
                    <div class="cell-head c-outcome" role="columnheader">"Outcome"</div>
                    <div
                        class="cell-head c-num"
                        role="columnheader"
                        aria-label=move || if is_derived.get() { "Reward, derived" } else { "Reward" }
                    >
                        "Reward"
                        <Show when=move || is_derived.get()>
                            <abbr class="derived" title="derived">"d"</abbr>
                        </Show>
                    </div>
                    <div class="cell-head c-num" role="columnheader">"Change"</div>
                    <div class="cell-head c-num" role="columnheader">"Errors"</div>
                    <div class="cell-head c-num" role="columnheader">"Refl."</div>
                    <div class="cell-head c-num" role="columnheader">"Find."</div>
                </div>
                <VirtualList total row_height=ROW in_sight active restarts=0u32 covered=HEADER row/>
            </div>
        </div>
    }
}

fn cells<H, C>(
    columns: &Columns,
    at: usize,
    href: H,
    click: C,
    is_current: Memo<bool>,
) -> impl IntoView + use<H, C>
where
    H: Fn() -> String + Send + Sync + 'static,
    C: FnMut(leptos::ev::MouseEvent) + 'static,
{
    let number = columns.number(at).unwrap_or_default().to_string();
    let delta = columns.deltas.get(at);
    let tone = match delta {
        Some(delta) if delta > 0.0 => "c-num pass",
        Some(delta) if delta < 0.0 => "c-num fail",
        _ => "c-num",
    };
    let is_disputed = columns.stored.get(at).is_some();
    view! {
        <div class="c-num" role="gridcell">
            <a
                class="row-link"
                href=href
                on:click=click
                tabindex=move || if is_current.get() { "0" } else { "-1" }
                aria-label=format!("Iteration {number}")
            >
                {number.clone()}
            </a>
        </div>
        <div class="c-outcome" role="gridcell"><OutcomeMark outcome=columns.outcome(at)/></div>
        <div class="c-num" role="gridcell">
            {columns.rewards.get(at).map_or_else(|| dash().into_any(), |value| view! { <Reward value/> }.into_any())}
        </div>
        <div class=tone role="gridcell">
            {delta.map_or_else(|| dash().into_any(), |value| view! { <Delta value/> }.into_any())}
            {is_disputed.then(|| view! { <span class="disputed" title="The file says otherwise">"!"</span> })}
        </div>
        <div class="c-num" role="gridcell">{columns.errors.get(at).map_or_else(dash, |n| n.to_string())}</div>
        <div class="c-num" role="gridcell">{some(columns.reflections.get(at))}</div>
        <div class="c-num" role="gridcell">{some(columns.findings.get(at))}</div>
    }
}

fn dash() -> String {
    "\u{2013}".to_owned()
}

fn some(count: Option<f64>) -> String {
    count.filter(|count| *count > 0.0).map_or_else(dash, |count| count.to_string())
}
