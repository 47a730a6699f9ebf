//! The numbers of a chart, row by row, of the part that it shows. What is absent is said, never written as zero.

use hindscope::Origin;
use leptos::prelude::*;

use super::labels::Tone;
use crate::components::{OutcomeMark, VirtualList, VisibleRange};
use crate::protocol::Columns;
use crate::views::run::part;

const ROW: f64 = 26.0;
const HEADER: f64 = 28.0;

/// A table of any length; only the rows in sight exist.
#[component]
pub(crate) fn ChartTable(
    columns: Memo<Columns>,
    tone: Memo<Tone>,
    part: Memo<Option<(usize, usize)>>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let visible_range = RwSignal::new(VisibleRange::default());
    let rows = part::rows(columns, part, at);
    let part::PartRows { total, active, restarts, .. } = rows;
    let row = move |index: u32| {
        let is_current = move || active.get() == Some(index);
        view! {
            <div
                class="row"
                role="row"
                class:active=is_current
                aria-rowindex=(index + 2).to_string()
                on:click=move |_| select.run(untrack(|| rows.ordinal(index)))
            >
                {move || tone.with(|tone| columns.with(|columns| cells(columns, rows.ordinal(index), tone)))}
            </div>
        }
        .into_any()
    };
    let title = move || tone.with(Tone::title);
    let heads = move || {
        let rule = tone.with(Tone::rule);
        view! {
            <div class="cell-head c-num" role="columnheader">"Iteration"</div>
            <div class="cell-head" role="columnheader">"Outcome"</div>
            <div class="cell-head c-num" role="columnheader">"Reward"</div>
            <div class="cell-head" role="columnheader">
                "Origin" {rule.map(|rule| view! { " " <code class="rule">{rule}</code> })}
            </div>
            <div class="cell-head c-num" role="columnheader">"Change"</div>
            <div class="cell-head c-num" role="columnheader">"File says"</div>
            <div class="cell-head c-num" role="columnheader">"Errors"</div>
            <div class="cell-head c-num" role="columnheader">"Findings"</div>
        }
    };
    view! {
        <div class="chart-table" data-scroller="" tabindex="0" role="region" aria-label=title>
            <div
                class="grid run-table"
                id="run-table"
                role="table"
                aria-label=title
                aria-rowcount=move || (total.get() + 1).to_string()
            >
                <div class="row head" role="row" aria-rowindex="1">{heads}</div>
                <VirtualList total row_height=ROW visible_range active restarts covered=HEADER row/>
            </div>
        </div>
    }
}

fn cells(columns: &Columns, at: usize, tone: &Tone) -> impl IntoView + use<> {
    let reward = columns.rewards.get(at);
    let origin = reward.map(|_| tone.origin.as_str());
    let none = (tone.origin != Origin::None).then_some("no reward");
    let merged = columns.merged.get(at).filter(|merged| *merged > 1.0);
    let gap = columns.gaps.get(at).filter(|gap| *gap > 0.0 && columns.deltas.get(at).is_some());
    view! {
        <div class="c-num" role="rowheader">
            {columns.number(at)}
            {merged.map(|merged| view! { " "<span class="quiet">{format!("\u{d7}{merged}")}</span> })}
        </div>
        <div role="cell"><OutcomeMark outcome=columns.outcome(at)/></div>
        <div class="c-num" role="cell">
            {match reward {
                Some(reward) => tone.reward(reward),
                None => none.unwrap_or_default().to_owned(),
            }}
        </div>
        <div role="cell" class:derived=origin == Some("derived")>{origin}</div>
        <div class="c-num" role="cell">
            {columns.deltas.get(at).map(|delta| tone.delta(delta))}
            {gap.map(|gap| view! { " "<span class="quiet">{format!("gap of {gap}")}</span> })}
        </div>
        <div class="c-num" role="cell">{columns.stored.get(at).map(|stored| tone.delta(stored))}</div>
        <div class="c-num" role="cell">{columns.errors.get(at).map(|errors| errors.to_string())}</div>
        <div class="c-num" role="cell">{columns.findings.get(at).map(|count| count.to_string())}</div>
    }
}
