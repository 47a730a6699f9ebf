//! A grid of letters, a row each for something that lives and a column for each iteration: only
//! what is in sight exists, and it scrolls inside of its own box.

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;

use super::virtual_list::{Sight, height, sight};
use crate::platform::{self, Frame};
use crate::protocol::Columns;

/// Height of a row, width of a column and height of the head, in pixels.
const ROW: f64 = 27.0;
const COLUMN: f64 = 26.0;
const HEAD: f64 = 27.0;
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
    view! { <p class="legend wide-legend">{letters.iter().map(one).collect_view()}</p> }
}

/// Rows of letters over the iterations of a run.
#[component]
#[expect(clippy::too_many_lines, reason = "one element, its cells and its keys")]
pub(crate) fn WideGrid(
    label: &'static str,
    /// Above the names of the rows.
    corner: &'static str,
    letters: &'static [Letter],
    columns: Memo<Columns>,
    #[prop(into)] total: Signal<u32>,
    /// The row at a position, if it is at hand.
    row: Arc<dyn Fn(u32) -> Option<GridRow> + Send + Sync>,
    /// Told which rows are in sight.
    in_sight: RwSignal<Sight>,
    /// The row that the cursor is in.
    active: RwSignal<u32>,
    /// The selected iteration.
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let outer = NodeRef::<Div>::new();
    let across = RwSignal::new(Frame::default());
    let down = RwSignal::new(Frame::default());
    let watch = StoredValue::new_local(None);
    Effect::new(move |_| {
        if let Some(outer) = outer.get() {
            watch.set_value(platform::on_scroll_box(&outer, move |x, y| {
                across.set(x);
                down.set(y);
            }));
        }
    });
    let width = Memo::new(move |_| u32::try_from(columns.with(Columns::len)).unwrap_or(u32::MAX));
    let names = Memo::new(move |_| name_width(across.get().view));
    // The names cover the left of the box, the head its top.
    let columns_seen = Memo::new(move |_| {
        let frame = across.get();
        sight(width.get(), COLUMN, Frame { view: frame.view - names.get(), ..frame })
    });
    Effect::new(move |_| {
        let frame = down.get();
        in_sight.set(sight(total.get(), ROW, Frame { view: frame.view - HEAD, ..frame }));
    });
    let cursor = RwSignal::new(0u32);
    Effect::new(move |_| {
        let column = at.get().and_then(|at| u32::try_from(at).ok()).unwrap_or_default();
        cursor.set(column);
        reveal(outer, names.get_untracked(), None, column);
    });
    let keydown = move |event: KeyboardEvent| {
        let (row, column) = (active.get_untracked(), cursor.get_untracked());
        let last =
            (total.get_untracked().saturating_sub(1), width.get_untracked().saturating_sub(1));
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            select.run(column as usize);
        } else if let Some((row, column)) =
            moved(&event.key(), event.ctrl_key() || event.meta_key(), (row, column), last)
        {
            event.prevent_default();
            active.set(row);
            cursor.set(column);
            reveal(outer, names.get_untracked(), Some(row), column);
        }
    };
    let pick = move |row: u32, column: u32| {
        active.set(row);
        select.run(column as usize);
    };
    let rows = move || {
        let seen = in_sight.get();
        (seen.first..seen.end).collect::<Vec<_>>()
    };
    let draw = move |index: u32| {
        let own = row(index);
        let name = own.as_ref().map(|own| own.name.clone()).unwrap_or_default();
        let sentence = own.as_ref().map(|own| own.sentence.clone()).unwrap_or_default();
        let title = name.clone();
        let current = Memo::new(move |_| (active.get() == index).then(|| cursor.get()));
        view! {
            <div
                class="wide-row"
                class:active=move || current.with(Option::is_some)
                role="row"
                aria-rowindex=(index + 2).to_string()
                style:transform=format!("translateY({}px)", f64::from(index) * ROW)
            >
                <div
                    class="wide-name"
                    role="rowheader"
                    aria-colindex="1"
                    aria-label=sentence
                    title=title
                    on:click=move |_| active.set(index)
                >
                    <super::RecordText text=name/>
                </div>
                {move || {
                    let seen = columns_seen.get();
                    let cells = own.as_ref().map(|own| own.cells.clone()).unwrap_or_default();
                    let current = current.get();
                    view! {
                        <div
                            class="wide-cells"
                            role="presentation"
                            style:transform=format!("translateX({}px)", f64::from(seen.first) * COLUMN)
                        >
                            {(seen.first..seen.end)
                                .map(|column| {
                                    let letter = cells.as_bytes().get(column as usize).copied();
                                    let number = columns.with(|c| c.number(column as usize));
                                    cell(letters, letter, number, column, current, move || pick(index, column))
                                })
                                .collect_view()}
                        </div>
                    }
                }}
            </div>
        }
    };
    let heads = move || {
        let seen = columns_seen.get();
        let every = columns.with(spacing);
        view! {
            <div
                class="wide-cells"
                role="presentation"
                style:transform=format!("translateX({}px)", f64::from(seen.first) * COLUMN)
            >
                {(seen.first..seen.end)
                    .map(|column| {
                        let number = columns.with(|columns| columns.number(column as usize));
                        let text = number.filter(|_| column % every == 0);
                        view! {
                            <div
                                class="wide-col"
                                class:chosen=move || at.get() == Some(column as usize)
                                role="columnheader"
                                aria-colindex=(column + 2).to_string()
                                aria-label=number.map(|number| format!("Iteration {number}"))
                                on:click=move |_| select.run(column as usize)
                            >
                                <span>{text}</span>
                            </div>
                        }
                    })
                    .collect_view()}
            </div>
        }
    };
    let draw = StoredValue::new(draw);
    view! {
        <div class="wide" node_ref=outer>
            <div
                class="wide-grid"
                role="grid"
                tabindex="0"
                aria-label=label
                aria-readonly="true"
                aria-rowcount=move || (total.get() + 1).to_string()
                aria-colcount=move || (width.get() + 1).to_string()
                aria-activedescendant=CURSOR
                on:keydown=keydown
                style:width=move || format!("{}px", names.get() + f64::from(width.get()) * COLUMN)
            >
                <div class="wide-head" role="row" aria-rowindex="1">
                    <div
                        class="wide-name"
                        role="columnheader"
                        aria-colindex="1"
                        style:width=move || format!("{}px", names.get())
                    >
                        {corner}
                    </div>
                    {heads}
                </div>
                <div
                    class="wide-rows"
                    role="rowgroup"
                    style:height=move || format!("{}px", height(total.get(), ROW))
                    style=("--names", move || format!("{}px", names.get()))
                >
                    <div
                        class="wide-band"
                        aria-hidden="true"
                        style:transform=move || {
                            let left = at.get().and_then(|at| u32::try_from(at).ok());
                            format!("translateX({}px)", f64::from(left.unwrap_or_default()) * COLUMN)
                        }
                    ></div>
                    <For each=rows key=|index| *index let:index>
                        {move || draw.with_value(|draw| draw(index))}
                    </For>
                </div>
            </div>
        </div>
    }
}

/// Id of the cell that the cursor is in.
const CURSOR: &str = "grid-cursor";

fn cell(
    letters: &'static [Letter],
    letter: Option<u8>,
    number: Option<i64>,
    column: u32,
    current: Option<u32>,
    pick: impl Fn() + 'static,
) -> impl IntoView {
    let letter = letter.map(char::from);
    let letter = letters.iter().find(|known| Some(known.code) == letter);
    let word = letter.map_or("not there", |letter| letter.word);
    let is_current = current == Some(column);
    view! {
        <div
            class=format!("wide-cell {}", letter.map_or("", |letter| letter.class))
            class:cursor=is_current
            role="gridcell"
            id=is_current.then_some(CURSOR)
            aria-colindex=(column + 2).to_string()
            aria-label=number.map(|number| format!("{number}: {word}"))
            on:click=move |_| pick()
        >
            {letter.map(|letter| letter.mark)}
        </div>
    }
}

/// The width of the names in a box.
fn name_width(view: f64) -> f64 {
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
fn moved(
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
fn reveal(outer: NodeRef<Div>, names: f64, row: Option<u32>, column: u32) {
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
