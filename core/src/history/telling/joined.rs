//! Tellings of a piece, behind those that are there.

use super::{StepReward, StepRow, Telling, Tellings};
use crate::format::facts::Written;
use crate::history::piece::wire::{Wire, wire};
use crate::history::totals::Totals;
use crate::history::usage::Took;

impl Tellings {
    /// Takes over what was told of records that now begin at `first_row`. `word` says what an
    /// interned word is here.
    pub(crate) fn append(&mut self, other: Self, first_row: usize, word: impl Fn(u32) -> u32) {
        let first_step = self.steps.len();
        let here = |of: Option<u32>| of.map(&word);
        self.runs.extend(other.runs.into_iter().map(|telling| Telling {
            row: telling.row + first_row,
            key: here(telling.key),
            task: here(telling.task),
            status: here(telling.status),
            steps: telling.steps.start + first_step..telling.steps.end + first_step,
            ..telling
        }));
        let steps = other.steps.into_iter();
        self.steps.extend(steps.map(|step| StepRow { row: step.row + first_row, ..step }));
        let retrieved = other.retrieved.into_iter().map(|(at, entries)| {
            (at, entries.into_iter().map(|(key, number)| (word(key), number)).collect())
        });
        self.retrieved.extend(moved(retrieved, first_row));
        self.usage.extend(moved(other.usage, first_row));
        self.declared.extend(moved(other.declared, first_row));
    }
}

/// What is known of records, where they stand now.
fn moved<T>(
    entries: impl IntoIterator<Item = ((usize, u32), T)>,
    first_row: usize,
) -> impl Iterator<Item = ((usize, u32), T)> {
    entries.into_iter().map(move |((row, part), value)| ((row + first_row, part), value))
}

impl Wire for Took {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.iter().for_each(|value| value.put(out));
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(Self([Wire::take(from)?, Wire::take(from)?]))
    }
}

wire!(Tellings { runs, steps, retrieved, usage, declared });
wire!(Telling {
    row,
    part,
    key,
    task,
    status,
    outcome,
    start_ms,
    end_ms,
    updated_ms,
    max_iterations,
    counter,
    omega,
    base,
    reward,
    lessons,
    totals,
    accuracy,
    steps,
});
wire!(StepRow {
    row,
    part,
    number,
    time_ms,
    outcome,
    detail,
    reward,
    derived,
    errors,
    omega,
    stored_reward,
    stored_errors,
    stored_improvement,
    is_taught,
    reflections,
});
wire!(StepReward { scale, value, origin, rule });
wire!(Totals { correct, all });
wire!(Written { value, decimals });
