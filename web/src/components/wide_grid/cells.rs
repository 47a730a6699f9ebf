//! Cells of a grid of letters, where they stand, and where keys lead among them.

use leptos::html::Div;
use leptos::prelude::*;

use crate::components::VisibleRange;
use crate::platform;
use crate::protocol::Columns;

/// Height of a row, width of a column and height of the head, in pixels.
pub(super) const ROW: f64 = 27.0;
pub(super) const COLUMN: f64 = 26.0;
pub(super) const HEAD: f64 = 27.0;
/// Rows that a page key moves.
const PAGE: u32 = 10;

/// What a letter means.
pub(crate) struct Letter {
    pub(crate) code: char,
    /// As it is drawn.
    pub(crate) mark: &'static str,
    pub(crate) class: &'static str,
    pub(crate) word: &'static str,
}

/// A row as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GridRow {
    /// What lives, on one line.
    pub(crate) name: String,
    /// Its life in a sentence, which names the row.
    pub(crate) sentence: String,
    /// A letter per column.
    pub(crate) cells: String,
}

/// The explanation of the marks.
#[component]
pub(crate) fn Legend(letters: &'static [Letter]) -> impl IntoView {
    let one = |letter: &'static Letter| {
        view! {
            <span class="legend-one">
                <b class=format!("wide-mark {}", letter.class)>{letter.mark}</b>
                " "
                {letter.word}
            </span>
        }
    };
    view! { <p class="wide-legend">{letters.iter().map(one).collect_view()}</p> }
}

/// Id of the cell that the cursor of a grid is in: a page can have several grids.
pub(super) fn cursor_id(label: &str) -> String {
    format!("cursor-{}", label.to_lowercase().replace(' ', "-"))
}

/// Numbers of the columns in sight, as far as there is room for them.
pub(super) fn heads(
    columns: Memo<Columns>,
    seen: VisibleRange,
    at: Memo<Option<usize>>,
    pick: Callback<usize>,
) -> impl IntoView {
    let every = columns.with(spacing);
    let one = move |column: u32| {
        let number = columns.with(|columns| columns.number(column as usize));
        let text = number.filter(|_| column.is_multiple_of(every));
        view! {
            <div
                class="wide-col"
                class:chosen=move || at.get() == Some(column as usize)
                role="columnheader"
                aria-colindex=(column + 2).to_string()
                aria-label=number.map(|number| format!("Iteration {number}"))
                on:click=move |_| pick.run(column as usize)
            >
                <span>{text}</span>
            </div>
        }
    };
    view! {
        <div
            class="wide-cells"
            role="presentation"
            style:transform=format!("translateX({}px)", f64::from(seen.first) * COLUMN)
        >
            {(seen.first..seen.end).map(one).collect_view()}
        </div>
    }
}

pub(super) fn cell(
    letters: &'static [Letter],
    letter: Option<u8>,
    number: Option<i64>,
    column: u32,
    cursor: Option<String>,
    pick: impl Fn() + 'static,
) -> impl IntoView {
    let letter = letter.map(char::from);
    let letter = letters.iter().find(|known| Some(known.code) == letter);
    let word = letter.map_or("not there", |letter| letter.word);
    view! {
        <div
            class=format!("wide-cell {}", letter.map_or("", |letter| letter.class))
            class:cursor=cursor.is_some()
            role="gridcell"
            id=cursor
            aria-colindex=(column + 2).to_string()
            aria-label=number.map(|number| format!("{number}: {word}"))
            on:click=move |_| pick()
        >
            {letter.map(|letter| letter.mark)}
        </div>
    }
}

/// Moves what stands at the first column to another.
pub(super) fn shift(column: Option<usize>) -> String {
    let column = column.and_then(|column| u32::try_from(column).ok()).unwrap_or_default();
    format!("translateX({}px)", f64::from(column) * COLUMN)
}

/// The width of the names in a box.
pub(super) fn name_width(view: f64) -> f64 {
    (view * 0.42).clamp(110.0, 320.0).round()
}

/// Every how many columns a number has room.
fn spacing(columns: &Columns) -> u32 {
    let last = columns.len().checked_sub(1).and_then(|last| columns.number(last));
    match last.unwrap_or_default().to_string().len() {
        0..=3 => 1,
        4..=6 => 2,
        _ => 5,
    }
}

/// Where a key moves the cursor; none if it means nothing here.
pub(super) fn moved(
    key: &str,
    has_control: bool,
    (row, column): (u32, u32),
    (last_row, last_column): (u32, u32),
) -> Option<(u32, u32)> {
    Some(match key {
        "ArrowLeft" => (row, column.saturating_sub(1)),
        "ArrowRight" => (row, (column + 1).min(last_column)),
        "ArrowUp" => (row.saturating_sub(1), column),
        "ArrowDown" => ((row + 1).min(last_row), column),
        "PageUp" => (row.saturating_sub(PAGE), column),
        "PageDown" => ((row + PAGE).min(last_row), column),
        "Home" if has_control => (0, 0),
        "End" if has_control => (last_row, last_column),
        "Home" => (row, 0),
        "End" => (row, last_column),
        _ => return None,
    })
}

/// Scrolls the box so that a cell is in sight.
pub(super) fn reveal(outer: NodeRef<Div>, names: f64, row: Option<u32>, column: u32) {
    let Some(outer) = outer.get_untracked() else { return };
    let (left, top) = (f64::from(outer.scroll_left()), f64::from(outer.scroll_top()));
    let inside = |start: f64, size: f64, scroll: f64, view: f64| {
        if start < scroll { start } else { scroll.max(start + size - view) }
    };
    let to_left =
        inside(f64::from(column) * COLUMN, COLUMN, left, f64::from(outer.client_width()) - names);
    let to_top = row.map_or(top, |row| {
        inside(f64::from(row) * ROW, ROW, top, f64::from(outer.client_height()) - HEAD)
    });
    platform::scroll_box_to(&outer, to_left, to_top);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_the_cursor_within_the_grid() {
        let at = |key, control| moved(key, control, (3, 5), (4, 9));
        assert_eq!(at("ArrowDown", false), Some((4, 5)));
        assert_eq!(at("PageDown", false), Some((4, 5)));
        assert_eq!(at("PageUp", false), Some((0, 5)));
        assert_eq!(at("Home", false), Some((3, 0)));
        assert_eq!(at("End", true), Some((4, 9)));
        assert_eq!(at("j", false), None);
    }

    #[test]
    fn numbers_get_the_room_that_they_need() {
        let of = |last: f64| {
            let numbers = [1.0, last].into_iter().collect();
            spacing(&Columns { numbers, ..Columns::default() })
        };
        assert_eq!((of(14.0), of(9999.0), of(1e7)), (1, 2, 5));
    }
}
