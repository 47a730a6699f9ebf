//! The part of a run that its chart shows: chosen by hand, kept in the address.

use std::sync::Arc;
use std::time::Duration;

use hindscope::{ChartRange, RunId, drawn};
use leptos::prelude::*;

use crate::chart::{Shown, Span, float};
use crate::state::App;
use crate::views::run::part;

/// The address is written when nothing has moved for this long: browsers refuse to do it for each
/// step of a wheel.
const SETTLE: Duration = Duration::from_millis(250);
/// Pixels of a chart that are beside its lanes.
const BESIDE: f64 = 74.0;

/// Share of the slots in sight that is left after one step of zooming in.
pub(super) const STEP: f64 = 0.5;

/// What is in sight.
#[derive(Clone, Copy)]
pub(super) struct Viewport {
    app: App,
    /// Slots of the axis.
    pub(super) span: Memo<Span>,
    /// All slots of the run.
    pub(super) slots: Memo<usize>,
    /// Iterations to draw.
    pub(super) kept: Memo<Arc<Vec<usize>>>,
    pub(super) width: RwSignal<f64>,
    shown: Memo<Shown>,
    /// The span while it moves.
    moving: RwSignal<Option<Span>>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

/// Follows the address and the width.
pub(super) fn viewport(id: Memo<Option<RunId>>, shown: Memo<Shown>) -> Viewport {
    let app = App::get();
    let width = RwSignal::new(0.0);
    let moving = RwSignal::new(None::<Span>);
    let slots = Memo::new(move |_| shown.with(|shown| shown.axis.slots()));
    let span = Memo::new(move |_| {
        let all = float(slots.get());
        let zoom = app.place.with(|place| place.query.zoom.clone());
        let written = move || shown.with(|shown| read(shown, zoom.as_deref()?));
        moving.get().or_else(written).unwrap_or(Span(0.0, all)).inside(all)
    });
    let part = Memo::new(move |_| part(span.get(), width.get() - BESIDE, slots.get()));
    let kept = Memo::new(move |_| {
        let Some(range) = part.get() else {
            return Arc::new(around(shown, span.get()));
        };
        Arc::new(shown.with(|Shown { columns: of, axis, marks, .. }| {
            drawn(axis, &range, &of.rewards, &of.deltas, &of.outcomes, |item| {
                marks.has(item) || of.is_noted(item)
            })
        }))
    });
    let timer = StoredValue::new(None::<TimeoutHandle>);
    // What was moving belongs to the run before.
    Effect::new(move |before: Option<Option<RunId>>| {
        let id = id.get();
        if before.is_some_and(|before| before != id) {
            if let Some(timer) = timer.get_value() {
                timer.clear();
            }
            moving.set(None);
        }
        id
    });
    on_cleanup(move || {
        if let Some(Some(timer)) = timer.try_get_value() {
            timer.clear();
        }
    });
    Viewport { app, span, slots, kept, width, shown, moving, timer }
}

impl Viewport {
    /// Shows another span; the address follows when the reader is done.
    pub(super) fn set(&self, span: Span, is_done: bool) {
        self.moving.set(Some(span));
        if let Some(timer) = self.timer.get_value() {
            timer.clear();
        }
        if !is_done {
            return;
        }
        let this = *self;
        let settle = move || {
            let all = float(this.slots.get_untracked());
            let now = this.span.get_untracked();
            let zoom = this.shown.with_untracked(|shown| write(shown, now));
            let zoom = zoom.filter(|_| now.len() < all);
            this.app.choose(|query| query.zoom = zoom);
            this.moving.set(None);
        };
        self.timer.set_value(set_timeout(settle, SETTLE).ok());
    }

    /// Shows fewer or more slots around one that stays where it is.
    pub(super) fn zoom(&self, factor: f64, still: Option<f64>) {
        let (now, all) = (self.span.get_untracked(), float(self.slots.get_untracked()));
        let middle = f64::midpoint(now.0, now.1 - 1.0);
        let still = still.filter(|slot| (now.0..now.1).contains(slot)).unwrap_or(middle);
        let Span(first, end) = now.zoomed(factor, still, all);
        self.set(Span(first.floor(), end.ceil()).inside(all), true);
    }

    /// Moves by a share of what is in sight.
    pub(super) fn pan(&self, share: f64) {
        let now = self.span.get_untracked();
        let by = (share * now.len()).abs().ceil().copysign(share);
        self.set(now.moved(by, float(self.slots.get_untracked())), true);
    }

    pub(super) fn show_all(&self) {
        self.set(Span(0.0, float(self.slots.get_untracked())), true);
    }

    /// Whether a part of the run is out of sight.
    pub(super) fn is_zoomed(&self) -> bool {
        self.span.get().len() < float(self.slots.get())
    }
}

/// The slots to thin out; `None` where each has a pixel of its own. The part is larger than what is in
/// sight and ends at multiples of a large step, so that moving the chart rarely needs another part.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "slots of a run")]
fn part(span: Span, pixels: f64, slots: usize) -> Option<ChartRange> {
    if pixels < 1.0 || span.len() <= pixels {
        return None;
    }
    let step = (span.len() / 4.0).max(1.0).log2().floor().exp2();
    let all = float(slots);
    let first = ((span.0 / step).floor() - 1.0).max(0.0) * step;
    let end = (((span.1 / step).ceil() + 1.0) * step).min(all);
    let columns = (pixels * (end - first) / span.len()).round();
    Some(ChartRange { slots: first as usize..end as usize, columns: columns as usize })
}

/// All iterations of a span, and one on each side of it, to which the line goes on.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "slots of a run")]
fn around(shown: Memo<Shown>, span: Span) -> Vec<usize> {
    shown.with(|shown| {
        let first = shown.axis.first_at((span.0.floor() - 1.0).max(0.0) as usize);
        let end = shown.axis.first_at((span.1.ceil() + 1.0).max(0.0) as usize);
        (first..end).collect()
    })
}

/// Numbers of the first and the last iteration in sight.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "slots of a run")]
pub(super) fn ends(shown: &Shown, span: Span) -> Option<(i64, i64)> {
    let first = shown.axis.first_at(span.0.round().max(0.0) as usize);
    let end = shown.axis.first_at(span.1.round().max(0.0) as usize);
    let numbers = shown.columns.numbers.get(first..end)?;
    Some((*numbers.first()?, *numbers.last()?))
}

fn write(shown: &Shown, span: Span) -> Option<String> {
    let (first, last) = ends(shown, span)?;
    Some(format!("{first}..{last}"))
}

fn read(shown: &Shown, text: &str) -> Option<Span> {
    let numbers = &shown.columns.numbers;
    let (first, last) = part::ends(text, numbers.len(), |at| numbers.get(at).copied())?;
    Some(Span(float(shown.axis.slot(first)), float(shown.axis.slot(last)) + 1.0))
}

#[cfg(test)]
mod tests {
    use hindscope::ChartColumns;

    use super::*;

    fn shown(numbers: &[i64]) -> Shown {
        let columns = ChartColumns { numbers: numbers.to_vec(), ..ChartColumns::default() };
        Shown { axis: Arc::new(columns.axis()), columns: Arc::new(columns), ..Shown::default() }
    }

    #[test]
    fn a_span_survives_the_address() {
        let shown = shown(&[-2, -1, 0, 5, 6, 7]);
        assert_eq!(shown.axis.slots(), 7);
        for span in [Span(0.0, 3.0), Span(4.0, 7.0), Span(1.0, 6.0)] {
            let text = write(&shown, span).expect("iterations are in it");
            assert_eq!(read(&shown, &text), Some(span), "{text}");
        }
        assert_eq!(read(&shown, "1..4"), None, "nothing is there");
        assert_eq!(read(&shown, "9..12"), None);
        assert_eq!(read(&shown, "x..2"), None);
        assert_eq!(read(&shown, "-9..99"), Some(Span(0.0, 7.0)));
    }

    #[test]
    fn small_moves_thin_out_nothing_anew() {
        assert_eq!(part(Span(0.0, 500.0), 600.0, 100_000), None);
        let whole = part(Span(0.0, 100_000.0), 600.0, 100_000);
        assert_eq!(whole, Some(ChartRange { slots: 0..100_000, columns: 600 }));
        let at = |from: f64| part(Span(from, from + 20_000.0), 600.0, 100_000).expect("dense");
        assert_eq!(at(41_000.0), at(41_050.0));
        let part = at(41_000.0);
        assert!(part.slots.start <= 41_000 && part.slots.end >= 61_000);
        // As many pixels a slot as are in sight.
        let share = float(part.columns) / float(part.slots.len());
        assert!((share - 600.0 / 20_000.0).abs() < 1e-3);
    }
}
