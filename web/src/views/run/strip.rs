//! The attempts of a run in one line, each with its outcome.

use hindscope::Outcome;
use leptos::prelude::*;

use crate::components::{Steps, outcome_class};
use crate::protocol::{Columns, RunBody};
use crate::state::{App, Asked};

/// Attempts that have a cell of their own; of a longer run, a cell stands for as many as are needed.
const CELLS: usize = 60;

/// A cell: its attempts, from the first to the last, and the outcome of all of them, if it is one.
#[derive(Debug, PartialEq)]
struct Cell {
    first: i64,
    last: i64,
    outcome: Option<Outcome>,
    /// Succeeded and failed.
    counts: (usize, usize),
}

impl Cell {
    fn says(&self) -> String {
        let Self { first, last, outcome, counts: (passed, failed) } = self;
        match outcome {
            Some(outcome) if first == last => format!("Attempt {first}: {}", outcome.as_str()),
            Some(outcome) => format!("Attempts {first} to {last}: {}", outcome.as_str()),
            None => {
                format!("Attempts {first} to {last}: {passed} succeeded, {failed} failed")
            }
        }
    }
}

fn cells(columns: &Columns) -> Vec<Cell> {
    let size = columns.len().div_ceil(CELLS).max(1);
    let ordinals: Vec<usize> = (0..columns.len()).collect();
    let cell = |part: &[usize]| {
        let outcomes: Vec<Outcome> = part.iter().map(|at| columns.outcome(*at)).collect();
        let count = |of: Outcome| outcomes.iter().filter(|outcome| **outcome == of).count();
        let is_one = outcomes.windows(2).all(|pair| pair[0] == pair[1]);
        Some(Cell {
            first: columns.number(*part.first()?)?,
            last: columns.number(*part.last()?)?,
            outcome: outcomes.first().copied().filter(|_| is_one),
            counts: (count(Outcome::Success), count(Outcome::Failure)),
        })
    };
    ordinals.chunks(size).filter_map(cell).collect()
}

/// All attempts, each leading to itself; those in which the run was stuck are underlined. One attempt needs
/// no strip.
#[component]
pub(crate) fn AttemptStrip(run: Asked<RunBody>, steps: Steps) -> impl IntoView {
    let app = App::get();
    let has_some = Memo::new(move |_| steps.columns.with(|columns| columns.len() > 1));
    let draw = move |cell: Cell| {
        let Cell { first, last, outcome, .. } = cell;
        let is_current = move || steps.number().is_some_and(|own| (first..=last).contains(&own));
        let href = move || {
            app.place.with(|place| place.href_at(place.view.tab().unwrap_or_default(), Some(first)))
        };
        let is_stuck = run.answer.with_untracked(|run| {
            let stuck = run.as_ref().map(|run| &run.verdict.stuck);
            stuck.is_some_and(|all| all.iter().any(|s| s.from <= last && first <= s.to))
        });
        let class = outcome.map_or("muted", outcome_class);
        let letter = outcome.map_or('\u{b7}', Outcome::letter);
        let says = cell.says();
        let title = if is_stuck { format!("{says}, stuck") } else { says };
        view! {
            <a
                class=format!("strip-cell {class}")
                class:stuck=is_stuck
                href=href
                title=title.clone()
                aria-label=title
                aria-current=move || is_current().then_some("true")
                tabindex=move || if is_current() { "0" } else { "-1" }
                on:click=move |event| {
                    if event.ctrl_key() || event.meta_key() || event.shift_key() {
                        return;
                    }
                    // Stepping through a run is one step back, not one per attempt.
                    if let Some(at) = steps.columns.with_untracked(|it| it.ordinal(first)) {
                        event.prevent_default();
                        steps.select.run(at);
                    }
                }
            >
                {letter.to_string()}
            </a>
        }
    };
    view! {
        <Show when=move || has_some.get()>
            <nav class="attempt-strip" aria-label="Attempts">
                {move || steps.columns.with(cells).into_iter().map(draw).collect_view()}
            </nav>
        </Show>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(outcomes: &str) -> Columns {
        let numbers = (0..outcomes.len()).map(|n| crate::protocol::float(n as u64)).collect();
        Columns { numbers, outcomes: outcomes.to_owned(), ..Columns::default() }
    }

    #[test]
    fn a_cell_stands_for_one_attempt_or_for_as_many_as_are_needed() {
        let says =
            |outcomes: &str| cells(&columns(outcomes)).iter().map(Cell::says).collect::<Vec<_>>();
        let (failure, success) = (Outcome::Failure.letter(), Outcome::Success.letter());
        let few = says(&format!("{failure}{success}"));
        assert_eq!(few, ["Attempt 0: failure", "Attempt 1: success"]);
        let many = format!("{failure}{success}{}", failure.to_string().repeat(98));
        let many = says(&many);
        assert_eq!(many.len(), 50);
        assert_eq!(
            many[..2],
            ["Attempts 0 to 1: 1 succeeded, 1 failed", "Attempts 2 to 3: failure"]
        );
    }
}
