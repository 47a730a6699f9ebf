//! Lists of any length: only the rows in sight exist.

use leptos::html::Div;
use leptos::prelude::*;

use super::visible_range::{VisibleRange, height, scroll_to, visible_in};
use crate::platform::{self, Frame};
use crate::state::{App, Settings};

/// A compact row has this share of the usual height, but at least `LEAST` pixels: a row is also a target
/// for pointers.
const COMPACT: f64 = 0.86;
const LEAST: f64 = 24.0;

/// Draws the rows in sight, each at its place.
#[component]
pub(crate) fn VirtualList<R>(
    #[prop(into)] total: Signal<u32>,
    /// Height of a row in pixels.
    #[prop(into)]
    row_height: Signal<f64>,
    /// Set to the rows in sight.
    visible_range: RwSignal<VisibleRange>,
    /// This row always exists, so that it keeps the focus, and is scrolled to when it changes.
    #[prop(into)]
    active: Signal<Option<u32>>,
    /// When it changes, the list is seen from its beginning again.
    #[prop(into)]
    restarts: Signal<u32>,
    /// Pixels at the upper edge that a sticky header covers.
    #[prop(optional)]
    covered: f64,
    /// The name of a list; without one the rows are those of a grid around them.
    #[prop(optional)]
    items: Option<&'static str>,
    /// Draws one row.
    row: R,
) -> impl IntoView
where
    R: Fn(u32) -> AnyView + Clone + Send + Sync + 'static,
{
    let (print, settings) = (App::get().print, Settings::get());
    print.counts(total);
    let row_height = Signal::derive(move || {
        let row = row_height.get();
        if settings.is_compact.get() { (row * COMPACT).round().max(LEAST) } else { row }
    });
    let list = NodeRef::<Div>::new();
    let (frame, watch) = (RwSignal::new(Frame::default()), StoredValue::new_local(None));
    Effect::new(move |_| {
        if let Some(list) = list.get() {
            watch.set_value(platform::on_scroll_frame(&list, move |now| frame.set(now)));
        }
    });
    Effect::new(move |_| {
        let (total, row) = (total.get(), row_height.get());
        visible_range.set(match print.rows.get() {
            Some(rows) => VisibleRange::of_all(total.min(rows), row),
            None => visible_in(total, row, frame.get()),
        });
    });
    Effect::new(move |before: Option<Option<u32>>| {
        let active = active.get();
        if let (Some(index), Some(list)) = (active, list.get_untracked())
            && before != Some(active)
        {
            let (total, row) = (total.get_untracked(), row_height.get_untracked());
            let to = scroll_to(index, total, row, frame.get_untracked(), covered);
            let may_move = frame.get_untracked().view > 0.0 && !platform::is_pressed();
            if let Some(to) = to.filter(|_| may_move) {
                platform::scroll_list_to(&list, to);
            }
        }
        active
    });
    Effect::new(move |before: Option<u32>| {
        let restarts = restarts.get();
        if let Some(list) = list.get_untracked()
            && before.is_some_and(|before| before != restarts)
            && frame.get_untracked().scroll > 0.0
        {
            platform::scroll_list_to(&list, -covered);
        }
        restarts
    });
    let indices = move || {
        let visible_in = visible_range.get();
        let mut indices: Vec<u32> = (visible_in.first..visible_in.end).collect();
        if let Some(index) = active.get().filter(|index| *index < total.get())
            && !(visible_in.first..visible_in.end).contains(&index)
        {
            indices.push(index);
        }
        indices
    };
    view! {
        <div
            class="vlist"
            role=if items.is_some() { "list" } else { "rowgroup" }
            aria-label=items
            node_ref=list
            style:height=move || format!("{}px", height(total.get(), row_height.get()))
        >
            <For each=indices key=|index| *index let:index>
                <div
                    class="vrow"
                    role=if items.is_some() { "listitem" } else { "presentation" }
                    aria-posinset=items.map(|_| (index + 1).to_string())
                    aria-setsize=move || items.map(|_| total.get().to_string())
                    style:transform=move || format!("translateY({}px)", visible_range.get().top(index))
                    style:height=move || format!("{}px", row_height.get())
                >
                    {row(index)}
                </div>
            </For>
        </div>
    }
}
