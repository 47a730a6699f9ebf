//! Long tables without virtual rows: drawn a piece at a time, so that the page can react and draw in
//! between.

use std::ops::Range;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::platform;

/// Rows of a piece: what a slow machine draws within a frame or two.
const PIECE: usize = 20;

/// Draws the rows `0..total`: the first `PIECE` of them at once, the others piece by piece.
pub(crate) fn piecemeal<V: IntoView + 'static>(
    total: usize,
    draw: impl Fn(Range<usize>) -> V + Clone + Send + Sync + 'static,
) -> impl IntoView {
    let drawn = RwSignal::new(1usize);
    let pieces = total.div_ceil(PIECE);
    spawn_local(async move {
        for piece in 2..=pieces {
            platform::pause().await;
            // The table may be gone by then.
            if drawn.try_set(piece).is_some() {
                return;
            }
        }
    });
    (0..pieces)
        .map(|piece| {
            let is_drawn = Memo::new(move |_| drawn.get() > piece);
            let draw = draw.clone();
            let rows = piece * PIECE..total.min((piece + 1) * PIECE);
            move || is_drawn.get().then(|| untrack(|| draw(rows.clone())))
        })
        .collect::<Vec<_>>()
}
