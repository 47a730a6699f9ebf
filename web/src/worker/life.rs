//! The grid of the window view: which reflection was in reach at which iteration.

use hindscope::{ReflectionRef, WindowView};

use crate::protocol::{Life, LifeRow};

/// Columns that are shown around the chosen one.
pub(crate) const COLUMNS: usize = 48;
/// Rows that are shown.
pub(crate) const ROWS: usize = 60;

/// The part of a run's iterations that the grid shows: up to [`COLUMNS`] of `total`, with `at` in it.
pub(crate) fn columns_around(at: usize, total: usize) -> std::ops::Range<usize> {
    let first = at.saturating_sub(COLUMNS / 2).min(total.saturating_sub(COLUMNS));
    first..total.min(first + COLUMNS)
}

/// Builds the grid from the windows of its columns, which come in order.
pub(crate) fn life(windows: &[WindowView], reflections: &[ReflectionRef], total: usize) -> Life {
    let columns: Vec<i64> = windows.iter().map(|window| window.at).collect();
    let mut rows = Vec::new();
    for reference in reflections {
        let is_held = |window: &WindowView| window.held.contains(reference);
        let is_written = |window: &WindowView| window.at == reference.number;
        if !windows.iter().any(|window| is_held(window) || is_written(window)) {
            continue;
        }
        let cells = windows
            .iter()
            .map(|window| {
                if is_held(window) {
                    'h'
                } else if is_written(window) {
                    'w'
                } else if window.evicted.contains(reference) {
                    'o'
                } else {
                    ' '
                }
            })
            .collect();
        rows.push(LifeRow { reference: *reference, cells });
    }
    let hidden_rows = rows.len().saturating_sub(ROWS);
    // The newest are the ones that an iteration near the end could still read.
    rows.drain(..hidden_rows);
    Life {
        hidden_columns: count(total - columns.len().min(total)),
        columns,
        hidden_rows: count(hidden_rows),
        rows,
    }
}

/// A count that crosses to the page.
pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The last of the columns at which a reflection is still held.
pub(crate) fn held_until(life: &Life, reference: ReflectionRef) -> Option<i64> {
    let row = life.rows.iter().find(|row| row.reference == reference)?;
    let at = row.cells.rfind('h')?;
    life.columns.get(at).copied()
}

#[cfg(test)]
mod tests {
    use hindscope::RecordId;

    use super::*;

    fn reflection(number: i64) -> ReflectionRef {
        let ordinal = u32::try_from(number).expect("small");
        ReflectionRef { number, ordinal, record: RecordId(ordinal), part: 0 }
    }

    fn window(at: i64, held: &[i64], evicted: &[i64]) -> WindowView {
        let list = |numbers: &[i64]| numbers.iter().map(|n| reflection(*n)).collect();
        WindowView {
            at,
            omega: Some(2),
            omega_provenance: "assumed".to_owned(),
            policy: "fifo".to_owned(),
            held: list(held),
            evicted: list(evicted),
            later: 0,
            ..WindowView::default()
        }
    }

    #[test]
    fn shows_each_reflection_from_birth_to_eviction() {
        let windows = [
            window(0, &[], &[]),
            window(1, &[0], &[]),
            window(2, &[0, 1], &[]),
            window(3, &[1, 2], &[0]),
        ];
        let life = life(&windows, &[reflection(0), reflection(1), reflection(2)], 4);
        let cells: Vec<&str> = life.rows.iter().map(|row| row.cells.as_str()).collect();
        assert_eq!(cells, ["whho", " whh", "  wh"]);
        assert_eq!(held_until(&life, reflection(0)), Some(2));
        assert_eq!((life.hidden_columns, life.hidden_rows), (0, 0));
    }

    #[test]
    fn keeps_the_chosen_column_inside() {
        assert_eq!(columns_around(3, 10), 0..10);
        assert_eq!(columns_around(0, 1000), 0..48);
        assert_eq!(columns_around(500, 1000), 476..524);
        assert_eq!(columns_around(999, 1000), 952..1000);
    }
}
