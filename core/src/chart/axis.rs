//! Where the iterations of a run stand on the axis of a chart.

/// A jump in the numbers: the axis breaks there, and no line is joined across it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Ordinal of the iteration behind it.
    pub before: usize,
    /// Numbers that no iteration has.
    pub missing: u64,
}

/// Slots of equal width: one for each iteration, in order of ordinals, and one for each jump in the
/// numbers as written.
///
/// # Example
///
/// ```
/// use hindscope::ChartAxis;
///
/// let axis = ChartAxis::of([1, 2, 10]);
/// assert_eq!(axis.slots(), 4);
/// assert_eq!(axis.jumps()[0].missing, 7);
/// assert_eq!((axis.slot(1), axis.slot(2)), (1, 3));
/// assert_eq!(axis.item(2), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartAxis {
    len: usize,
    jumps: Vec<Jump>,
}

impl ChartAxis {
    /// The axis of iterations with these numbers.
    pub fn of(numbers: impl IntoIterator<Item = i64>) -> Self {
        let mut axis = Self::default();
        let mut last: Option<i64> = None;
        for number in numbers {
            let missing = last.map_or(0, |last| number.abs_diff(last).saturating_sub(1));
            // Where numbers go back, nothing is missing between them; a finding reports it.
            if missing > 0 && last.is_some_and(|last| number > last) {
                axis.jumps.push(Jump { before: axis.len, missing });
            }
            last = Some(number);
            axis.len += 1;
        }
        axis
    }

    /// Iterations on it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no iteration.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Slots of iterations and jumps together.
    pub fn slots(&self) -> usize {
        self.len + self.jumps.len()
    }

    /// Jumps, in order.
    pub fn jumps(&self) -> &[Jump] {
        &self.jumps
    }

    /// Slot of an iteration, by its ordinal.
    pub fn slot(&self, item: usize) -> usize {
        item + self.jumps.partition_point(|jump| jump.before <= item)
    }

    /// Slot of the jump at a position of [`ChartAxis::jumps`].
    pub fn slot_of_jump(&self, position: usize) -> usize {
        self.jumps.get(position).map_or(self.slots(), |jump| jump.before + position)
    }

    /// Ordinal of the iteration in a slot; none for a jump, and beyond the end.
    pub fn item(&self, slot: usize) -> Option<usize> {
        let first = self.first_at(slot);
        (first < self.len && self.slot(first) == slot).then_some(first)
    }

    /// Ordinal of the first iteration at or behind a slot; [`ChartAxis::len`] if there is none.
    pub fn first_at(&self, slot: usize) -> usize {
        // Jumps whose own slot lies before this one.
        let (mut low, mut high) = (0, self.jumps.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.jumps[middle].before + middle < slot {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        slot.saturating_sub(low).min(self.len)
    }

    /// Whether the numbers jump somewhere between two iterations.
    pub fn is_broken(&self, earlier: usize, later: usize) -> bool {
        later > earlier && self.slot(later) - self.slot(earlier) > later - earlier
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_iterations_are_each_others_inverse() {
        let axis = ChartAxis::of([-3, -2, 4, 5, 6, 100, 102]);
        let missing: Vec<_> = axis.jumps().iter().map(|jump| jump.missing).collect();
        assert_eq!(missing, [5, 93, 1]);
        assert_eq!(axis.slots(), 10);
        for item in 0..axis.len() {
            assert_eq!(axis.item(axis.slot(item)), Some(item));
            assert_eq!(axis.first_at(axis.slot(item)), item);
        }
        for position in 0..3 {
            let slot = axis.slot_of_jump(position);
            assert_eq!(axis.item(slot), None);
            assert_eq!(axis.first_at(slot), axis.jumps()[position].before);
        }
        assert_eq!((axis.item(10), axis.first_at(99)), (None, 7));
        assert!(axis.is_broken(1, 2) && axis.is_broken(0, 6));
        assert!(!axis.is_broken(2, 4) && !axis.is_broken(4, 2));
    }

    #[test]
    fn equal_and_falling_numbers_are_no_jump() {
        assert_eq!(ChartAxis::of([5, 5, 2, 3]).slots(), 4);
        assert!(ChartAxis::of([i64::MIN, i64::MAX]).jumps()[0].missing == u64::MAX - 1);
        assert_eq!(ChartAxis::of([]).slots(), 0);
    }
}
