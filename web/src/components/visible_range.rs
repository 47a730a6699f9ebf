//! Which rows of a list are in sight, and where they stand.
//!
//! Browsers stop growing an element somewhere between 17 and 33 million pixels. Above a cap the
//! list is as tall as the cap and scrolling is scaled, so that the last of a million rows is
//! reached like any other.

use crate::platform::Frame;
use crate::protocol::Rows;

/// No list is taller than this.
const CAP: f64 = 16_000_000.0;
/// Rows beyond the edges, so that scrolling shows no empty stripe.
const BEYOND: u32 = 8;

/// What of a list is in sight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct VisibleRange {
    pub(crate) first: u32,
    /// The row after the last one.
    pub(crate) end: u32,
    /// Where row 0 would be, if the list were as tall as it is long.
    origin: f64,
    row: f64,
}

impl VisibleRange {
    /// So many rows from the beginning of a list.
    pub(crate) fn of_all(total: u32, row: f64) -> Self {
        Self { first: 0, end: total, origin: 0.0, row }
    }

    /// Distance of a row from the upper edge of the list.
    pub(crate) fn top(&self, index: u32) -> f64 {
        self.origin + f64::from(index) * self.row
    }

    /// Whether a quarter or more of what is in sight goes by in a frame, at the speed of one step.
    pub(crate) fn races(&self, before: &Self, ms: f64) -> bool {
        const FRAME_MS: f64 = 1000.0 / 60.0;
        /// After more frames than this the list was at rest, so the step says nothing about speed.
        const FRAMES: f64 = 4.0;
        let rows = before.end.saturating_sub(before.first);
        let frames = (ms / FRAME_MS).max(1.0);
        let gone = f64::from(self.first.abs_diff(before.first));
        rows > 0 && frames <= FRAMES && gone / frames >= f64::from(rows) / 4.0
    }
}

/// Height of the element that holds all rows.
pub(crate) fn height(total: u32, row: f64) -> f64 {
    (f64::from(total) * row).min(CAP)
}

/// Rows that a frame shows.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the list")]
pub(crate) fn visible_in(total: u32, row: f64, frame: Frame) -> VisibleRange {
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
    VisibleRange {
        first: first.saturating_sub(BEYOND).min(total),
        end: end.saturating_add(BEYOND).min(total),
        origin,
        row,
    }
}

/// Scroll position at which a row is in sight, or none if it already is.
pub(crate) fn scroll_to(index: u32, total: u32, row: f64, frame: Frame, above: f64) -> Option<f64> {
    let now = visible_in(total, row, frame);
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
pub(crate) fn rows_around(range: &VisibleRange, total: u32) -> Rows {
    const BLOCK: u32 = Rows::BLOCK;
    let first = range.first / BLOCK * BLOCK;
    // One block even of an empty list: its answer says how long the list is.
    let end = range.end.max(1).div_ceil(BLOCK).saturating_mul(BLOCK).min(total.max(BLOCK));
    Rows { first, count: end.saturating_sub(first) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn a_quarter_of_what_is_visible_in_a_frame_is_a_race() {
        let at = |scroll| visible_in(1000, 20.0, Frame { scroll, view: 640.0 });
        let before = at(2000.0);
        assert_eq!(before.end - before.first, 48);
        assert!(!at(2000.0).races(&before, 16.0) && !at(2220.0).races(&before, 16.0));
        assert!(at(2240.0).races(&before, 16.0) && at(1760.0).races(&before, 16.0));
        assert!(!at(2400.0).races(&before, 33.4), "a page at a time, with a key that is held");
        assert!(at(4000.0).races(&before, 33.4) && !at(9000.0).races(&before, 500.0));
        assert!(!before.races(&VisibleRange::default(), 16.0), "nothing was in sight");
    }

    #[test]
    fn short_lists_are_not_scaled() {
        let range = visible_in(134, 28.0, Frame { scroll: 280.0, view: 560.0 });
        assert_eq!((range.first, range.end), (2, 38));
        assert!(near(range.top(10), 280.0));
        assert!(near(height(134, 28.0), 3752.0));
    }

    #[test]
    fn a_list_that_begins_below_the_edge_shows_its_first_rows() {
        let range = visible_in(1000, 20.0, Frame { scroll: -300.0, view: 500.0 });
        assert_eq!((range.first, range.end), (0, 18));
    }

    #[test]
    fn the_last_of_a_million_rows_is_reached() {
        let (total, row, view) = (1_000_000, 28.0, 700.0);
        assert!(near(height(total, row), CAP));
        let end = visible_in(total, row, Frame { scroll: CAP - view, view });
        assert_eq!(end.end, total);
        assert!(near(end.top(total - 1) + row, CAP), "its lower edge is the list's");
        let start = visible_in(total, row, Frame { scroll: 0.0, view });
        assert!(start.first == 0 && near(start.top(0), 0.0));
        let middle = visible_in(total, row, Frame { scroll: (CAP - view) / 2.0, view });
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
                let range = visible_in(total, 28.0, frame);
                let top = range.top(index) - frame.scroll;
                assert!((-0.5..=472.5).contains(&top), "{index} of {total} stands at {top}");
            }
        }
    }

    #[test]
    fn asks_for_whole_blocks() {
        let range = visible_in(1000, 20.0, Frame { scroll: 1400.0, view: 400.0 });
        assert_eq!(rows_around(&range, 1000), Rows { first: 0, count: 128 });
        assert_eq!(rows_around(&VisibleRange::default(), 0), Rows { first: 0, count: 64 });
    }
}
