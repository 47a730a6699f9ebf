//! Marking a stretch of columns: a pointer that is dragged, or Shift with arrows and then Enter.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;

use super::cells::{COLUMN, moved};
use crate::platform;
use crate::protocol::{Columns, count};
use crate::state::App;

/// What is marked, and what is called with it.
#[derive(Clone, Copy)]
pub(super) struct Brush {
    app: App,
    columns: Memo<Columns>,
    /// First and last column; none where nothing can be marked.
    on_finish: Option<Callback<(usize, usize)>>,
    /// Where marking began, and where it is.
    marked: RwSignal<Option<(u32, u32)>>,
    /// Column at which the pointer was pressed.
    pressed: RwSignal<Option<u32>>,
}

impl Brush {
    pub(super) fn new(columns: Memo<Columns>, on_finish: Option<Callback<(usize, usize)>>) -> Self {
        let (marked, pressed) = (RwSignal::new(None), RwSignal::new(None));
        Self { app: App::get(), columns, on_finish, marked, pressed }
    }

    /// Left edge and width of what is marked, in pixels.
    pub(super) fn band(&self) -> Option<(f64, f64)> {
        let (first, last) = ordered(self.marked.get()?);
        Some((f64::from(first) * COLUMN, f64::from(last - first + 1) * COLUMN))
    }

    /// Uses a key if it is about marking. Gives the column that the cursor is in after it.
    pub(super) fn keydown(&self, event: &KeyboardEvent, now: u32, last: u32) -> Option<u32> {
        self.on_finish?;
        let marked = self.marked.get_untracked();
        match event.key().as_str() {
            "Shift" => return None,
            "Enter" if marked.is_some() => self.finish(),
            "Escape" if marked.is_some() => self.marked.set(None),
            key @ ("ArrowLeft" | "ArrowRight" | "Home" | "End") if event.shift_key() => {
                let (_, to) = moved(key, false, (0, now), (0, last))?;
                let from = marked.map_or(now, |(from, _)| from);
                self.marked.set(Some((from, to)));
                self.say();
                return Some(to);
            }
            _ => {
                if marked.is_some() {
                    self.marked.set(None);
                }
                return None;
            }
        }
        Some(now)
    }

    fn say(&self) {
        let Some((first, last)) = self.marked.get_untracked().map(ordered) else { return };
        let of = |column: u32| self.columns.with_untracked(|c| c.number(column as usize));
        if let (Some(first), Some(last)) = (of(first), of(last)) {
            self.app.say(format!("Iterations {first} to {last} marked. Enter shows only them."));
        }
    }

    fn finish(&self) {
        if let (Some(on_finish), Some(marked)) = (self.on_finish, self.marked.get_untracked()) {
            self.marked.set(None);
            let (first, last) = ordered(marked);
            on_finish.run((first as usize, last as usize));
        }
    }

    /// The column under a pointer; none over the names.
    fn column(&self, event: &PointerEvent, outer: NodeRef<Div>, names: f64) -> Option<u32> {
        let outer = outer.get_untracked()?;
        let (x, _) = platform::place_in(&outer, event.client_x(), event.client_y());
        let columns = self.columns.with_untracked(Columns::len);
        (x >= names).then_some(())?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a column")]
        let column = ((x - names + f64::from(outer.scroll_left())) / COLUMN) as u32;
        Some(column.min(count(columns).saturating_sub(1)))
    }

    /// Begins to mark, unless it is a finger, which scrolls. The two numbers can be typed beside the grid.
    pub(super) fn pressed(&self, event: &PointerEvent, outer: NodeRef<Div>, names: f64) {
        let is_drag =
            self.on_finish.is_some() && event.button() == 0 && event.pointer_type() != "touch";
        self.marked.set(None);
        self.pressed.set(is_drag.then(|| self.column(event, outer, names)).flatten());
    }

    pub(super) fn dragged(&self, event: &PointerEvent, outer: NodeRef<Div>, names: f64) {
        let Some(from) = self.pressed.get_untracked() else { return };
        let Some(to) = self.column(event, outer, names) else { return };
        let before = self.marked.get_untracked();
        if (before.is_some() || to != from) && before != Some((from, to)) {
            self.marked.set(Some((from, to)));
            // Only now: a click belongs to the cell.
            if let Some(outer) = outer.get_untracked().filter(|_| before.is_none()) {
                platform::capture(&outer, event.pointer_id());
            }
        }
    }

    pub(super) fn released(&self) {
        if self.pressed.get_untracked().is_some() {
            self.pressed.set(None);
            self.finish();
        }
    }

    pub(super) fn cancelled(&self) {
        self.pressed.set(None);
        self.marked.set(None);
    }
}

/// What is marked, over the cells.
#[component]
pub(super) fn Marked(brush: Brush) -> impl IntoView {
    view! {
        <Show when=move || brush.band().is_some()>
            <div
                class="wide-marked"
                aria-hidden="true"
                style:transform=move || brush.band().map(|(left, _)| format!("translateX({left}px)"))
                style:width=move || brush.band().map(|(_, width)| format!("{width}px"))
            ></div>
        </Show>
    }
}

fn ordered((from, to): (u32, u32)) -> (u32, u32) {
    (from.min(to), from.max(to))
}
