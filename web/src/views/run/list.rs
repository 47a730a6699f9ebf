//! The iterations of a run, or of the part of it that is looked at, one row each.

use leptos::prelude::*;

use super::part::{self, PartFields};
use crate::components::{Delta, OutcomeMark, Reward, Steps, VirtualList, VisibleRange};
use crate::platform;
use crate::protocol::{Columns, count};
use crate::route::RunTab;
use crate::state::App;

const ROW: f64 = 27.0;
const HEADER: f64 = 28.0;
/// The chart always shows a run of at most this many iterations whole, so no part of it is offered.
const FEW: usize = 3;

/// The list, and which part of the run it is.
#[component]
pub(crate) fn Iterations(
    steps: Steps,
    part: Memo<Option<(usize, usize)>>,
    is_derived: Memo<bool>,
) -> impl IntoView {
    let Steps { columns, at, .. } = steps;
    let count = move || columns.with(|columns| counted(columns, part.get(), at.get()));
    let has_parts = Memo::new(move |_| part.get().is_some() || columns.with(Columns::len) > FEW);
    view! {
        <section class="panel iteration-panel" aria-labelledby="iterations-title">
            <header class="panel-head">
                <h2 id="iterations-title">"Iterations"</h2>
                <p class="quiet" role="status">{count}</p>
                <Show when=move || has_parts.get()><PartFields columns part/></Show>
            </header>
            <IterationList steps part is_derived/>
        </section>
    }
}

/// How many iterations are listed, of how many.
fn counted(columns: &Columns, part: Option<(usize, usize)>, at: Option<usize>) -> String {
    let whole = |rows: usize| platform::whole(count(rows));
    let all = whole(columns.len());
    let Some((first, last)) = part else { return all };
    let listed = format!("{} of {all}", whole(last - first + 1));
    match at.filter(|at| !(first..=last).contains(at)).and_then(|at| columns.number(at)) {
        Some(number) => format!("{listed}; {number}, selected, is not among them"),
        None => listed,
    }
}

/// A list that follows what is selected elsewhere, and selects.
#[component]
fn IterationList(
    steps: Steps,
    part: Memo<Option<(usize, usize)>>,
    is_derived: Memo<bool>,
) -> impl IntoView {
    let app = App::get();
    let Steps { columns, at, select, .. } = steps;
    let visible_range = RwSignal::new(VisibleRange::default());
    let rows = part::rows(columns, part, at);
    let part::PartRows { total, active, restarts, .. } = rows;
    // One row can be reached by Tab, whatever is selected.
    let stop = Memo::new(move |_| active.get().unwrap_or_else(|| visible_range.get().first));
    // The address without its iteration, so that a step does not change the links of all rows.
    let around = Memo::new(move |_| {
        app.place.with(|place| place.with_view(place.view.at(RunTab::Attempts, None)))
    });
    let row = move |index: u32| {
        let is_current = Memo::new(move |_| active.get() == Some(index));
        let is_stop = Memo::new(move |_| stop.get() == index);
        let place = move || {
            let number = columns.with(|columns| columns.number(rows.ordinal(index)));
            around.with(|place| place.href_at(RunTab::Attempts, number))
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
                    let ordinal = rows.ordinal(index);
                    columns.with(|columns| cells(columns, ordinal, place, move |event| {
                        // Stepping through a run is one step back, not one per iteration.
                        event.prevent_default();
                        select.run(ordinal);
                    }, is_stop))
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
                <VirtualList total row_height=ROW visible_range active restarts covered=HEADER row/>
            </div>
        </div>
    }
}

fn cells<H, C>(
    columns: &Columns,
    at: usize,
    href: H,
    click: C,
    is_stop: Memo<bool>,
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
                tabindex=move || if is_stop.get() { "0" } else { "-1" }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_says_what_it_leaves_out() {
        let numbers = (1..=1200).map(f64::from).collect();
        let columns = Columns { numbers, ..Columns::default() };
        assert_eq!(counted(&columns, None, Some(4)), "1,200");
        assert_eq!(counted(&columns, Some((4, 9)), Some(4)), "6 of 1,200");
        assert_eq!(
            counted(&columns, Some((4, 9)), Some(1)),
            "6 of 1,200; 2, selected, is not among them"
        );
        assert_eq!(counted(&columns, Some((4, 9)), None), "6 of 1,200");
    }
}
