//! The part of a run that is looked at: marked in the chart or in a grid, kept in the address as
//! `zoom`, the same for both.

use leptos::prelude::*;

use crate::components::Steps;
use crate::platform;
use crate::protocol::{Columns, count};
use crate::state::App;

/// First and last ordinal of the part that the address names; none for the whole run.
pub(crate) fn chosen(app: App, columns: Memo<Columns>) -> Memo<Option<(usize, usize)>> {
    Memo::new(move |_| {
        let zoom = app.place.with(|place| place.query.zoom.clone())?;
        columns.with(|columns| read(&zoom, columns))
    })
}

fn read(zoom: &str, columns: &Columns) -> Option<(usize, usize)> {
    let part = ends(zoom, columns.len(), |at| columns.number(at));
    part.filter(|part| *part != (0, columns.len() - 1))
}

/// Ordinals of the first and the last iteration whose numbers a `zoom` names, of so many.
pub(crate) fn ends(
    zoom: &str,
    total: usize,
    number: impl Fn(usize) -> Option<i64>,
) -> Option<(usize, usize)> {
    let (from, to) = zoom.split_once("..")?;
    let (from, to): (i64, i64) = (from.parse().ok()?, to.parse().ok()?);
    let first = (0..total).position(|at| number(at).is_some_and(|number| number >= from))?;
    let last = (0..total).rposition(|at| number(at).is_some_and(|number| number <= to))?;
    (first <= last).then_some((first, last))
}

/// Looks at a part, or at the whole run.
pub(crate) fn choose(app: App, columns: Memo<Columns>, part: Option<(usize, usize)>) {
    let zoom = columns.with_untracked(|columns| {
        let (first, last) = part?;
        if first == 0 && last + 1 >= columns.len() {
            return None;
        }
        Some(format!("{}..{}", columns.number(first)?, columns.number(last)?))
    });
    app.choose(|query| query.zoom = zoom);
}

/// What a grid of the part alone needs: its columns, and what is selected, picked and marked by
/// position among them.
#[derive(Clone, Copy)]
pub(crate) struct PartGrid {
    pub(crate) columns: Memo<Columns>,
    pub(crate) at: Memo<Option<usize>>,
    pub(crate) select: Callback<usize>,
    pub(crate) on_brush: Callback<(usize, usize)>,
}

/// The part as a grid has it. What is marked in it becomes the part.
pub(crate) fn grid(steps: Steps, part: Memo<Option<(usize, usize)>>) -> PartGrid {
    let app = App::get();
    let Steps { columns: all, at, select, .. } = steps;
    let first = move || part.with(|part| part.map_or(0, |(first, _)| first));
    let columns = Memo::new(move |_| all.with(|all| numbers_of(all, part.get())));
    let at = Memo::new(move |_| {
        let at = at.get()?.checked_sub(first())?;
        (at < columns.with(Columns::len)).then_some(at)
    });
    let select = Callback::new(move |column: usize| select.run(untrack(first) + column));
    let on_brush = Callback::new(move |(from, to): (usize, usize)| {
        let first = untrack(first);
        choose(app, all, Some((first + from, first + to)));
    });
    PartGrid { columns, at, select, on_brush }
}

/// What a list of the part alone needs.
#[derive(Clone, Copy)]
pub(crate) struct PartRows {
    pub(crate) total: Memo<u32>,
    /// The row of the selected iteration, if the part has it.
    pub(crate) active: Memo<Option<u32>>,
    /// Changes when the part has other rows and none of them is selected.
    pub(crate) restarts: Memo<u32>,
    first: Memo<usize>,
}

impl PartRows {
    /// The ordinal of the iteration in a row.
    pub(crate) fn ordinal(&self, row: u32) -> usize {
        self.first.get() + row as usize
    }
}

/// The part as a list has it.
pub(crate) fn rows(
    columns: Memo<Columns>,
    part: Memo<Option<(usize, usize)>>,
    at: Memo<Option<usize>>,
) -> PartRows {
    let first = Memo::new(move |_| part.get().map_or(0, |(first, _)| first));
    let total = Memo::new(move |_| {
        let rows = part.get().map(|(first, last)| last - first + 1);
        count(rows.unwrap_or_else(|| columns.with(Columns::len)))
    });
    let active = Memo::new(move |_| {
        let at = at.get()?.checked_sub(first.get()).map(count)?;
        (at < total.get()).then_some(at)
    });
    let restarts = Memo::new(move |before: Option<&u32>| {
        let is_seen = active.get().is_some();
        before.copied().filter(|_| is_seen).unwrap_or_else(|| count(first.get()))
    });
    PartRows { total, active, restarts, first }
}

/// The columns of a part alone.
fn numbers_of(columns: &Columns, part: Option<(usize, usize)>) -> Columns {
    let Some((first, last)) = part else { return columns.clone() };
    let numbers = columns.numbers.iter().skip(first).take(last - first + 1).collect();
    Columns { numbers, ..Columns::default() }
}

/// The first and the last iteration that are shown, to be written as numbers, and a way back to
/// all of them.
#[component]
pub(crate) fn PartFields(
    columns: Memo<Columns>,
    part: Memo<Option<(usize, usize)>>,
) -> impl IntoView {
    let app = App::get();
    let ends = Memo::new(move |_| {
        let count = columns.with(Columns::len);
        let (first, last) = part.get().unwrap_or((0, count.saturating_sub(1)));
        columns.with(|columns| Some((columns.number(first)?, columns.number(last)?)))
    });
    let write = move |is_first: bool, text: String| {
        let (Ok(number), Some((first, last))) = (text.trim().parse::<i64>(), ends.get_untracked())
        else {
            return;
        };
        let (from, to) =
            if is_first { (number, last.max(number)) } else { (first.min(number), number) };
        let part = columns.with_untracked(|columns| read(&format!("{from}..{to}"), columns));
        choose(app, columns, part);
    };
    let field = move |is_first: bool, label: &'static str| {
        let value = move || {
            let (first, last) = ends.get()?;
            Some(if is_first { first } else { last }.to_string())
        };
        view! {
            <input
                class="field part-number"
                type="text"
                inputmode="numeric"
                aria-label=label
                prop:value=value
                on:change=move |event| write(is_first, platform::value_of(&event))
            />
        }
    };
    view! {
        <span class="part-fields" role="group" aria-label="Iterations shown">
            "Iterations "
            {field(true, "First iteration shown")}
            " to "
            {field(false, "Last iteration shown")}
            <button
                class="small"
                disabled=move || part.with(Option::is_none)
                on:click=move |_| choose(app, columns, None)
            >
                "Show all"
            </button>
        </span>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_by_numbers_and_the_whole_is_none() {
        let numbers = [1.0, 2.0, 5.0, 6.0, 9.0].into_iter().collect();
        let columns = Columns { numbers, ..Columns::default() };
        assert_eq!(read("2..6", &columns), Some((1, 3)));
        assert_eq!(read("3..4", &columns), None, "nothing is there");
        assert_eq!(read("5..5", &columns), Some((2, 2)));
        assert_eq!(read("0..9", &columns), None, "all of it");
        assert_eq!(read("6..2", &columns), None);
        let part = numbers_of(&columns, Some((1, 3)));
        assert_eq!((part.len(), part.number(0), part.number(2)), (3, Some(2), Some(6)));
    }
}
