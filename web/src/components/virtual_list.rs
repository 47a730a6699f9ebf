//! Lists of any length: only the rows in sight exist.
//!
//! Browsers stop growing an element somewhere between 17 and 33 million pixels. Above a cap the
//! list is as tall as the cap and scrolling is scaled, so that the last of a million rows is
//! reached like any other.

use leptos::html::Div;
use leptos::prelude::*;

use crate::platform::{self, Frame};
use crate::protocol::Rows;
use crate::settings::Settings;
use crate::state::App;

/// No list is taller than this.
const CAP: f64 = 16_000_000.0;
/// Rows beyond the edges, so that scrolling shows no empty stripe.
const BEYOND: u32 = 8;

/// What of a list is in sight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sight {
    pub(crate) first: u32,
    /// The row after the last one.
    pub(crate) end: u32,
    /// Where row 0 would be, if the list were as tall as it is long.
    origin: f64,
    row: f64,
}

impl Sight {
    /// Distance of a row from the upper edge of the list.
    pub(crate) fn top(&self, index: u32) -> f64 {
        self.origin + f64::from(index) * self.row
    }
}

/// Height of the element that holds all rows.
pub(crate) fn height(total: u32, row: f64) -> f64 {
    (f64::from(total) * row).min(CAP)
}

/// Rows that a frame shows.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the list")]
pub(crate) fn sight(total: u32, row: f64, frame: Frame) -> Sight {
    let tall = f64::from(total) * row;
    let height = height(total, row);
    let scrollable = (height - frame.view).max(0.0);
    let scroll = frame.scroll.clamp(0.0, scrollable);
    // How far the true list is moved up against the element: nothing, unless it is capped.
    let origin = if tall > height && scrollable > 0.0 {
        scroll - scroll / scrollable * (tall - frame.view)
    } else {
        0.0
    };
    // What stands above the list on the page leaves less room below.
    let seen_from = scroll - origin;
    let seen_to = seen_from + frame.view + frame.scroll.min(0.0);
    let first = (seen_from / row).floor().max(0.0) as u32;
    let end = (seen_to / row).ceil().max(0.0) as u32;
    Sight {
        first: first.saturating_sub(BEYOND).min(total),
        end: end.saturating_add(BEYOND).min(total),
        origin,
        row,
    }
}

/// Scroll position at which a row is in sight, or none if it already is.
pub(crate) fn scroll_to(index: u32, total: u32, row: f64, frame: Frame, above: f64) -> Option<f64> {
    let now = sight(total, row, frame);
    let top = now.top(index) - frame.scroll;
    if top >= above && top + row <= frame.view {
        return None;
    }
    let tall = f64::from(total) * row;
    let height = height(total, row);
    let wanted = f64::from(index) * row - if top < above { above } else { frame.view - row };
    let scale = if tall > height { (height - frame.view) / (tall - frame.view) } else { 1.0 };
    Some(wanted * scale)
}

/// The block of rows to ask for when these are in sight.
pub(crate) fn rows_around(sight: &Sight, total: u32) -> Rows {
    const BLOCK: u32 = Rows::BLOCK;
    let first = sight.first / BLOCK * BLOCK;
    // One block even of an empty list: its answer says how long the list is.
    let end = sight.end.max(1).div_ceil(BLOCK).saturating_mul(BLOCK).min(total.max(BLOCK));
    Rows { first, count: end.saturating_sub(first) }
}

/// Share of its height that a compact row has, and what is left of it at least: a row is also a
/// target.
const COMPACT: f64 = 0.86;
const LEAST: f64 = 24.0;

/// Draws the rows in sight, each at its place.
#[component]
pub(crate) fn VirtualList<R>(
    #[prop(into)] total: Signal<u32>,
    /// Height of a row in pixels.
    #[prop(into)]
    row_height: Signal<f64>,
    /// Told what is in sight.
    in_sight: RwSignal<Sight>,
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
    let (paper, settings) = (App::get().paper, Settings::get());
    paper.counts(total);
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
        in_sight.set(match paper.rows.get() {
            Some(rows) => Sight { first: 0, end: total.min(rows), origin: 0.0, row },
            None => sight(total, row, frame.get()),
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
        let sight = in_sight.get();
        let mut indices: Vec<u32> = (sight.first..sight.end).collect();
        if let Some(index) = active.get().filter(|index| *index < total.get())
            && !(sight.first..sight.end).contains(&index)
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
                    style:transform=move || format!("translateY({}px)", in_sight.get().top(index))
                    style:height=move || format!("{}px", row_height.get())
                >
                    {row(index)}
                </div>
            </For>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn short_lists_are_not_scaled() {
        let sight = sight(134, 28.0, Frame { scroll: 280.0, view: 560.0 });
        assert_eq!((sight.first, sight.end), (2, 38));
        assert!(near(sight.top(10), 280.0));
        assert!(near(height(134, 28.0), 3752.0));
    }

    #[test]
    fn a_list_that_begins_below_the_edge_shows_its_first_rows() {
        let sight = sight(1000, 20.0, Frame { scroll: -300.0, view: 500.0 });
        assert_eq!((sight.first, sight.end), (0, 18));
    }

    #[test]
    fn the_last_of_a_million_rows_is_reached() {
        let (total, row, view) = (1_000_000, 28.0, 700.0);
        assert!(near(height(total, row), CAP));
        let end = sight(total, row, Frame { scroll: CAP - view, view });
        assert_eq!(end.end, total);
        assert!(near(end.top(total - 1) + row, CAP), "its lower edge is the list's");
        let start = sight(total, row, Frame { scroll: 0.0, view });
        assert!(start.first == 0 && near(start.top(0), 0.0));
        let middle = sight(total, row, Frame { scroll: (CAP - view) / 2.0, view });
        assert!(middle.first < 500_000 && middle.end > 500_000);
    }

    #[test]
    fn scrolling_to_a_row_brings_it_into_sight() {
        for total in [200u32, 1_000_000] {
            for index in [0, 7, total / 2, total - 1] {
                let from = Frame { scroll: 900.0, view: 500.0 };
                let scroll = scroll_to(index, total, 28.0, from, 30.0).unwrap_or(900.0);
                let frame =
                    Frame { scroll: scroll.clamp(0.0, height(total, 28.0) - 500.0), ..from };
                let sight = sight(total, 28.0, frame);
                let top = sight.top(index) - frame.scroll;
                assert!((-0.5..=472.5).contains(&top), "{index} of {total} stands at {top}");
            }
        }
    }

    #[test]
    fn asks_for_whole_blocks() {
        let sight = sight(1000, 20.0, Frame { scroll: 1400.0, view: 400.0 });
        assert_eq!(rows_around(&sight, 1000), Rows { first: 0, count: 128 });
        assert_eq!(rows_around(&Sight::default(), 0), Rows { first: 0, count: 64 });
    }
}
