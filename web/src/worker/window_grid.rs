//! The grid of the window view: which reflection was in reach at which iteration.

use std::collections::BTreeMap;

use hindscope::{ReflectionRef, RunId, WindowRule};

use crate::protocol::{Lifespan, LifespanRow, count};

/// Columns that are shown around the chosen one.
pub(crate) const COLUMNS: usize = 48;
/// Rows that are shown.
pub(crate) const ROWS: usize = 60;

/// Every window of a run by one rule: slow to find, and asked for at each step of the slider.
pub(crate) struct RunWindows {
    pub(crate) run: RunId,
    pub(crate) rule: WindowRule,
    pub(crate) reaches: Vec<Vec<ReflectionRef>>,
    /// Last number at whose beginning each reflection is held, by record and part.
    pub(crate) last: BTreeMap<(u32, u32), i64>,
}

/// What is held when one iteration begins.
pub(crate) struct Reach {
    pub(crate) at: i64,
    pub(crate) held: Vec<ReflectionRef>,
}

/// The part of a list that is shown: up to `most` of `total`, with `at` in its middle where there is
/// enough on both sides.
pub(crate) fn around(at: usize, total: usize, most: usize) -> std::ops::Range<usize> {
    let first = at.saturating_sub(most / 2).min(total.saturating_sub(most));
    first..total.min(first + most)
}

/// Builds the grid from the windows of its columns, which come in order. `total` is the number of
/// columns that the run has; `last` knows until when a reflection is held.
pub(crate) fn lifespan(
    windows: &[Reach],
    reflections: &[ReflectionRef],
    total: usize,
    last: impl Fn(&ReflectionRef) -> Option<i64>,
) -> Lifespan {
    let columns: Vec<i64> = windows.iter().map(|window| window.at).collect();
    let mut rows = Vec::new();
    for reference in reflections {
        let is_written = |window: &Reach| window.at == reference.number;
        if !windows.iter().any(|window| window.held.contains(reference) || is_written(window)) {
            continue;
        }
        let last = last(reference);
        let cell = |window: &Reach| {
            if window.held.contains(reference) {
                if last == Some(window.at) { 'l' } else { 'h' }
            } else if is_written(window) {
                'w'
            } else if window.at > reference.number {
                'o'
            } else {
                ' '
            }
        };
        let cells = windows.iter().map(cell).collect();
        rows.push(LifespanRow { reference: *reference, cells, last });
    }
    let hidden_rows = rows.len().saturating_sub(ROWS);
    // The newest are the ones that an iteration near the end could still read.
    rows.drain(..hidden_rows);
    Lifespan {
        hidden_columns: count(total - columns.len().min(total)),
        columns,
        hidden_rows: count(hidden_rows),
        rows,
    }
}

#[cfg(test)]
mod tests {
    use hindscope::RecordId;

    use super::*;

    fn reflection(number: i64) -> ReflectionRef {
        let ordinal = u32::try_from(number).expect("small");
        ReflectionRef { number, ordinal, record: RecordId(ordinal), part: 0 }
    }

    fn reach(at: i64, held: &[i64]) -> Reach {
        Reach { at, held: held.iter().map(|n| reflection(*n)).collect() }
    }

    #[test]
    fn shows_each_reflection_from_birth_to_eviction() {
        let windows = [reach(0, &[]), reach(1, &[0]), reach(2, &[0, 1]), reach(3, &[1, 2])];
        let all = [reflection(0), reflection(1), reflection(2)];
        let lifespan = lifespan(&windows, &all, 4, |it| Some(it.number + 2));
        let cells: Vec<&str> = lifespan.rows.iter().map(|row| row.cells.as_str()).collect();
        assert_eq!(cells, ["whlo", " whl", "  wh"]);
        assert_eq!((lifespan.hidden_columns, lifespan.hidden_rows), (0, 0));
    }

    #[test]
    fn keeps_the_chosen_column_inside() {
        assert_eq!(around(3, 10, 48), 0..10);
        assert_eq!(around(0, 1000, 48), 0..48);
        assert_eq!(around(500, 1000, 48), 476..524);
        assert_eq!(around(999, 1000, 48), 952..1000);
        assert_eq!(around(0, 0, 48), 0..0);
    }
}
