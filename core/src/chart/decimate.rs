//! Which iterations a chart draws where several share a pixel.

use std::ops::Range;

use super::axis::ChartAxis;
use crate::model::outcome::Outcome;

/// What of a run is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartRange {
    /// Slots of a [`ChartAxis`].
    pub slots: Range<usize>,
    /// Columns of pixels that they share.
    pub columns: usize,
}

/// Ordinals of the iterations to draw, ascending.
///
/// If each slot has a column of its own, these are all iterations in the range. Otherwise each column
/// keeps its lowest and highest reward and change, its most severe outcome, its first iteration
/// without a reward, both sides of its first jump, and everything marked; the first and the last
/// iteration of the range are always drawn. So one bad iteration among a million is drawn, and the
/// choice does not depend on chance.
///
/// `rewards` and `deltas` are by ordinal, NaN where there is none; `marked` says what must be drawn.
pub fn drawn(
    axis: &ChartAxis,
    range: &ChartRange,
    rewards: &[f64],
    deltas: &[f64],
    outcomes: &[Outcome],
    marked: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let (from, to) = (range.slots.start, range.slots.end.min(axis.slots()));
    let items = axis.first_at(from)..axis.first_at(to);
    let columns = range.columns.max(1);
    let slots = to.saturating_sub(from);
    if slots <= columns {
        return items.collect();
    }
    let mut kept = Vec::with_capacity(columns.saturating_mul(4).min(items.len()));
    kept.extend(items.clone().next());
    let mut column = Column::default();
    let mut jumps = axis.jumps().partition_point(|jump| jump.before < items.start);
    let mut border = 0;
    let mut slot = axis.slot(items.start);
    for item in items.clone() {
        let has_jump = axis.jumps().get(jumps).is_some_and(|jump| jump.before == item);
        if has_jump {
            jumps += 1;
            slot = axis.slot(item);
        }
        if slot - from >= border {
            column.end(&mut kept);
            // 128 bits: slots times pixels may not fit into what wasm counts with.
            let at = (slot - from) as u128 * columns as u128 / slots as u128;
            border = usize::try_from(((at + 1) * slots as u128).div_ceil(columns as u128))
                .unwrap_or(usize::MAX);
        }
        if has_jump && !column.has_jump && item > items.start {
            column.has_jump = true;
            column.kept.extend([item - 1, item]);
        }
        let value = |list: &[f64]| list.get(item).copied().filter(|value| !value.is_nan());
        match value(rewards) {
            Some(reward) => column.reward.take(item, reward),
            None if !column.has_hole => {
                column.has_hole = true;
                column.kept.push(item);
            }
            None => {}
        }
        if let Some(delta) = value(deltas) {
            column.delta.take(item, delta);
        }
        let weight = outcomes.get(item).map_or(0, |outcome| outcome.weight());
        if column.outcome.is_none_or(|(_, heaviest)| weight > heaviest) {
            column.outcome = Some((item, weight));
        }
        if marked(item) {
            column.kept.push(item);
        }
        slot += 1;
    }
    column.end(&mut kept);
    kept.extend(items.last());
    // A jump keeps the iteration before it, which may belong to the column before.
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// One column of pixels.
#[derive(Default)]
struct Column {
    kept: Vec<usize>,
    reward: Ends,
    delta: Ends,
    outcome: Option<(usize, u8)>,
    has_hole: bool,
    has_jump: bool,
}

impl Column {
    fn end(&mut self, kept: &mut Vec<usize>) {
        kept.append(&mut self.kept);
        kept.extend(self.reward.items());
        kept.extend(self.delta.items());
        kept.extend(self.outcome.map(|(item, _)| item));
        let empty = std::mem::take(&mut self.kept);
        *self = Self { kept: empty, ..Self::default() };
    }
}

/// Lowest and highest value, the earliest of equal ones.
#[derive(Default)]
struct Ends {
    lowest: Option<(usize, f64)>,
    highest: Option<(usize, f64)>,
}

impl Ends {
    fn take(&mut self, item: usize, value: f64) {
        if self.lowest.is_none_or(|(_, lowest)| value < lowest) {
            self.lowest = Some((item, value));
        }
        if self.highest.is_none_or(|(_, highest)| value > highest) {
            self.highest = Some((item, value));
        }
    }

    fn items(&self) -> impl Iterator<Item = usize> {
        [self.lowest, self.highest].into_iter().flatten().map(|(item, _)| item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look like chance and are the same each time.
    fn noise(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        }
    }

    struct Case {
        axis: ChartAxis,
        rewards: Vec<f64>,
        deltas: Vec<f64>,
        outcomes: Vec<Outcome>,
    }

    fn case(seed: u64, len: usize) -> Case {
        let mut next = noise(seed);
        let mut number = 0;
        let mut numbers = Vec::new();
        let mut case = Case {
            axis: ChartAxis::default(),
            rewards: Vec::new(),
            deltas: Vec::new(),
            outcomes: Vec::new(),
        };
        for _ in 0..len {
            number += if next().is_multiple_of(50) { 4 } else { 1 };
            numbers.push(number);
            let share = |n: u64| f64::from(u32::try_from(n % 1000).expect("small")) / 1000.0;
            case.rewards.push(if next().is_multiple_of(9) { f64::NAN } else { share(next()) });
            case.deltas.push(if next().is_multiple_of(7) { f64::NAN } else { share(next()) - 0.5 });
            let few = next().is_multiple_of(300);
            case.outcomes.push(if few { Outcome::Failure } else { Outcome::Success });
        }
        case.axis = ChartAxis::of(numbers);
        case
    }

    fn all(case: &Case, slots: Range<usize>, columns: usize, marked: &[usize]) -> Vec<usize> {
        drawn(
            &case.axis,
            &ChartRange { slots, columns },
            &case.rewards,
            &case.deltas,
            &case.outcomes,
            |item| marked.contains(&item),
        )
    }

    #[test]
    fn spikes_marks_ends_and_order_survive() {
        for seed in 1..60 {
            let case = case(seed, 500 + usize::try_from(seed).expect("small") * 37);
            let mut next = noise(seed + 1000);
            let mut below = |n: usize| usize::try_from(next() % n as u64).expect("small");
            let from = below(case.axis.slots() / 2);
            let slots = from..from + 1 + below(case.axis.slots() - from);
            let columns = 1 + below(120);
            let marked = [below(case.axis.len()), below(case.axis.len())];
            let kept = all(&case, slots.clone(), columns, &marked);
            assert!(kept.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once");
            let items = case.axis.first_at(slots.start)..case.axis.first_at(slots.end);
            assert_eq!(
                (kept.first().copied(), kept.last().copied()),
                (items.clone().next(), items.clone().last())
            );
            for mark in marked.iter().filter(|mark| items.contains(mark)) {
                assert!(kept.contains(mark), "a mark is drawn");
            }
            if slots.len() <= columns {
                assert_eq!(kept, items.collect::<Vec<_>>());
                continue;
            }
            // Column by column, what is drawn reaches as far as what is there.
            let column = |item: usize| (case.axis.slot(item) - slots.start) * columns / slots.len();
            for at in 0..columns {
                let there: Vec<_> = items.clone().filter(|item| column(*item) == at).collect();
                let here: Vec<_> =
                    kept.iter().copied().filter(|item| column(*item) == at).collect();
                for list in [&case.rewards, &case.deltas] {
                    let ends = |of: &[usize]| {
                        let known = of.iter().map(|item| list[*item]).filter(|v| !v.is_nan());
                        known.fold(None, |ends: Option<(f64, f64)>, v| {
                            Some(ends.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
                        })
                    };
                    assert_eq!(ends(&there), ends(&here));
                }
                let worst =
                    |of: &[usize]| of.iter().map(|item| case.outcomes[*item].weight()).max();
                assert_eq!(worst(&there), worst(&here));
                let has_hole = |of: &[usize]| of.iter().any(|item| case.rewards[*item].is_nan());
                assert_eq!(has_hole(&there), has_hole(&here));
            }
            assert!(kept.len() <= columns * 10 + 4);
        }
    }

    #[test]
    fn one_bad_iteration_among_a_hundred_thousand_is_drawn() {
        let len = 100_000;
        let mut rewards = vec![0.9; len];
        rewards[77_777] = 0.0;
        let mut outcomes = vec![Outcome::Success; len];
        outcomes[33_333] = Outcome::Failure;
        let axis = ChartAxis::of((0..).take(len));
        let range = ChartRange { slots: 0..len, columns: 640 };
        let kept = drawn(&axis, &range, &rewards, &[], &outcomes, |_| false);
        assert!(kept.contains(&77_777) && kept.contains(&33_333));
        assert!(kept.len() < 2000, "{}", kept.len());
    }

    #[test]
    fn a_line_is_broken_wherever_the_numbers_jump() {
        let numbers = (0..5000).map(|n| if n < 2500 { n } else { n + 10 });
        let axis = ChartAxis::of(numbers);
        let range = ChartRange { slots: 0..axis.slots(), columns: 50 };
        let kept = drawn(&axis, &range, &vec![0.5; 5000], &[], &[], |_| false);
        assert!(kept.contains(&2499) && kept.contains(&2500));
    }
}
