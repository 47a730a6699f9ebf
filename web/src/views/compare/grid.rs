//! Runs by attempt: a row of outcomes for each, all in the same places.

use std::collections::BTreeSet;

use leptos::prelude::*;

use crate::components::{OutcomeMark, RecordText, outcome_class, piecemeal};
use crate::format;
use crate::platform::{self, Key};
use crate::protocol::{CompareBody, outcome_of};
use crate::route::{self, run_place};
use crate::state::{App, use_keys};
use crate::views::compare::compared::{Compared, chosen, run_name};
use crate::views::compare::model::{cells, places, ranked};

/// Columns of the grid; beyond, a column stands for several places.
const COLUMNS: usize = 240;

/// Outcome letters in columns, equal neighbours in one piece.
pub(super) fn outcome_cells(letters: &str) -> impl IntoView + use<> {
    let letters: Vec<char> = letters.trim_end().chars().collect();
    let pieces: Vec<_> = letters
        .chunk_by(|a, b| a == b)
        .map(|piece| {
            let class = match piece[0] {
                ' ' => "gap".to_owned(),
                letter => format!("is {}", outcome_class(outcome_of(letter))),
            };
            view! { <span class=class>{piece.iter().collect::<String>()}</span> }
        })
        .collect();
    view! { <span class="cells">{pieces}</span> }
}

/// All runs in rows, regressions first.
#[component]
pub(super) fn Grid(compared: Compared) -> impl IntoView {
    let app = App::get();
    let active = RwSignal::new(0usize);
    let count = Memo::new(move |_| compared.count());
    use_keys(move |key: &Key| {
        let last = count.get_untracked().saturating_sub(1);
        let now = active.get_untracked();
        let to = match key.name.as_str() {
            "ArrowDown" => (now + 1).min(last),
            "ArrowUp" => now.saturating_sub(1),
            "Home" => 0,
            "End" => last,
            _ => return false,
        };
        active.set(to);
        platform::focus_id(&row_id(to))
    });
    let rows = move || {
        let base = compared.base.get();
        let order = compared.with(|body| {
            let shown: BTreeSet<usize> =
                chosen(app, body, base).into_iter().flat_map(|(_, of)| of).collect();
            let order = ranked(&body.runs, base).into_iter().filter(|at| shown.contains(at));
            order.collect::<Vec<usize>>()
        })?;
        Some(piecemeal(order.len(), move |rows| {
            compared.peek(|body| {
                let per = (body.slots as usize).div_ceil(COLUMNS).max(1);
                let row = |row: usize| draw(body, row, order[row], per, base, active);
                rows.map(row).collect::<Vec<_>>()
            })
        }))
    };
    let head = move || compared.with(|body| head(body, compared.align.get().into_str()));
    let note = move || {
        compared.with(|body| {
            let per = (body.slots as usize).div_ceil(COLUMNS).max(1);
            let per = per * body.step as usize / if body.step > 1 { 2 } else { 1 };
            (per > 1).then(|| {
                let text = format!(
                    "A column stands for {per} attempts and shows the outcome that must not be missed."
                );
                view! { <p class="lane-note">{text}</p> }
            })
        })
    };
    view! {
        <div
            class="panel compare-grid"
            role="grid"
            aria-label="Runs by attempt"
            aria-rowcount=move || (count.get() + 1).to_string()
        >
            {head}
            {rows}
        </div>
        {note}
    }
}

fn row_id(row: usize) -> String {
    format!("compare-row-{row}")
}

/// The row of headings, with places above the columns of outcomes.
fn head(body: &CompareBody, unit: &'static str) -> impl IntoView + use<> {
    let all = places(body);
    let per = all.len().div_ceil(COLUMNS).max(1);
    let columns: Vec<i64> = all.chunks(per).filter_map(|part| part.first().copied()).collect();
    view! {
        <div class="compare-row head" role="row" aria-rowindex="1">
            <span class="cells-name" role="columnheader">{format!("Run, by {unit}")}</span>
            <span role="columnheader">"Outcome"</span>
            <span class="num" role="columnheader">"Final"</span>
            <span class="cells" role="columnheader">{scale(&columns)}</span>
        </div>
    }
}

/// Places written above columns one letter wide: the first, and then round ones.
fn scale(columns: &[i64]) -> String {
    let longest = columns.iter().map(|place| place.to_string().len()).max().unwrap_or(1);
    let step = if longest < 3 { 5 } else { 10 };
    let mut text: Vec<char> = Vec::new();
    for (at, place) in columns.iter().enumerate() {
        let is_round = at == 0 || place.rem_euclid(step) == 0;
        if is_round && (at == 0 || text.len() < at) {
            text.resize(at, ' ');
            text.extend(place.to_string().chars());
        }
    }
    text.into_iter().collect()
}

fn draw(
    body: &CompareBody,
    row: usize,
    at: usize,
    per: usize,
    base: usize,
    active: RwSignal<usize>,
) -> impl IntoView + use<> {
    let run = &body.runs[at];
    let view = &run.row.view;
    let name = run_name(at, run, body.runs.len());
    let href = route::write(&run_place(&run.row.address, None));
    let tabindex = move || if active.get() == row { "0" } else { "-1" };
    let last = view.last.map(format::reward);
    view! {
        <div class="compare-row" role="row" aria-rowindex=(row + 2).to_string()>
            <span class="cells-name" role="gridcell">
                <a id=row_id(row) href=href tabindex=tabindex on:focus=move |_| active.set(row)>
                    <RecordText text=name/>
                </a>
                {(at == base).then(|| view! { <span class="quiet">" baseline"</span> })}
            </span>
            <span role="gridcell"><OutcomeMark outcome=view.outcome/></span>
            <span class="num" role="gridcell">
                {last.unwrap_or_else(|| "none".to_owned())}
            </span>
            <span role="gridcell">{outcome_cells(&cells(run, per))}</span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_above_their_columns() {
        let columns: Vec<i64> = (1..=12).collect();
        assert_eq!(scale(&columns), "1   5    10");
        let from_end: Vec<i64> = (-6..=0).collect();
        assert_eq!(scale(&from_end), "-6    0", "-5 has no room");
        assert_eq!(scale(&[]), "");
    }
}
