//! A grid of letters, a row each for something that lives and a column for each iteration: only
//! what is in sight exists, and it scrolls inside of its own box.

mod brush;
mod cells;

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;

use super::visible_range::{VisibleRange, height, visible_in};
use crate::platform::{self, Frame};
use crate::protocol::{Columns, count};
use brush::{Brush, Marked};
use cells::{COLUMN, HEAD, ROW, cell, cursor_id, heads, moved, name_width, reveal, shift};

pub(crate) use cells::{GridRow, Legend, Letter};

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
    /// Set to the rows in sight.
    visible_range: RwSignal<VisibleRange>,
    /// The row that the cursor is in.
    active: RwSignal<u32>,
    /// The selected iteration.
    at: Memo<Option<usize>>,
    select: Callback<usize>,
    /// Called with the first and the last column of a stretch that was marked.
    #[prop(optional)]
    on_brush: Option<Callback<(usize, usize)>>,
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
    let width = Memo::new(move |_| count(columns.with(Columns::len)));
    let names = Memo::new(move |_| name_width(across.get().view));
    // The names cover the left of the box, the head its top.
    let columns_seen = Memo::new(move |_| {
        let frame = across.get();
        visible_in(width.get(), COLUMN, Frame { view: frame.view - names.get(), ..frame })
    });
    Effect::new(move |_| {
        let frame = down.get();
        visible_range.set(visible_in(total.get(), ROW, Frame { view: frame.view - HEAD, ..frame }));
    });
    let cursor = RwSignal::new(0u32);
    Effect::new(move |_| {
        let column = at.get().and_then(|at| u32::try_from(at).ok()).unwrap_or_default();
        cursor.set(column);
        reveal(outer, names.get_untracked(), None, column);
    });
    let brush = Brush::new(columns, on_brush);
    let keydown = move |event: KeyboardEvent| {
        let (row, column) = (active.get_untracked(), cursor.get_untracked());
        let last =
            (total.get_untracked().saturating_sub(1), width.get_untracked().saturating_sub(1));
        if let Some(column) = brush.keydown(&event, column, last.1) {
            event.prevent_default();
            cursor.set(column);
            reveal(outer, names.get_untracked(), Some(row), column);
        } else if matches!(event.key().as_str(), "Enter" | " ") {
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
    let cursor_in_sight = move || {
        let seen = columns_seen.get();
        (seen.first..seen.end).contains(&cursor.get())
            && visible_range.with(|seen| (seen.first..seen.end).contains(&active.get()))
    };
    let rows = move || visible_range.with(|seen| (seen.first..seen.end).collect::<Vec<_>>());
    let draw = move |index: u32| {
        let own = row(index);
        let (name, sentence) =
            own.as_ref().map(|own| (own.name.clone(), own.sentence.clone())).unwrap_or_default();
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
                                    let cursor = (current == Some(column)).then(|| cursor_id(label));
                                    cell(letters, letter, number, column, cursor, move || pick(index, column))
                                })
                                .collect_view()}
                        </div>
                    }
                }}
            </div>
        }
    };
    let heads = move || heads(columns, columns_seen.get(), at, select);
    let draw = StoredValue::new(draw);
    view! {
        <div
            class="wide"
            node_ref=outer
            on:pointerdown=move |event| brush.pressed(&event, outer, names.get_untracked())
            on:pointermove=move |event| brush.dragged(&event, outer, names.get_untracked())
            on:pointerup=move |_| brush.released()
            on:pointercancel=move |_| brush.cancelled()
        >
            <div
                class="wide-grid"
                role="grid"
                tabindex="0"
                aria-label=label
                aria-readonly="true"
                aria-rowcount=move || (total.get() + 1).to_string()
                aria-colcount=move || (width.get() + 1).to_string()
                aria-activedescendant=move || cursor_in_sight().then(|| cursor_id(label))
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
                    <Marked brush/>
                    <div
                        class="wide-band"
                        aria-hidden="true"
                        hidden=move || at.get().is_none()
                        style:transform=move || shift(at.get())
                    ></div>
                    <For each=rows key=|index| *index let:index>
                        {move || draw.with_value(|draw| draw(index))}
                    </For>
                </div>
            </div>
        </div>
    }
}
