//! Sorting, compiled once.
//!
//! Every `sort_by` of the standard library is an instance of its own, about 5 KB of wasm. Nearly
//! all our sorts are of short lists and are not hot, so they share one that knows positions only:
//! a tenth of what people download.

use std::cmp::Ordering;

/// Stable sorts, as the slice's own, through one shared instance.
pub trait StableSort<T> {
    /// As `sort_by`.
    fn stable_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As `sort_by_key`.
    fn stable_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> StableSort<T> for [T] {
    fn stable_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        // Most lists come in order, and cost nothing more.
        if self.is_sorted_by(|a, b| compare(a, b).is_le()) {
            return;
        }
        let mut places = sorted(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        put(&mut places, &mut |a, b| self.swap(a, b));
    }

    fn stable_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.stable_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// For each place of the sorted list, where its item is now.
#[inline(never)]
fn sorted(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

/// Moves all items where they belong, one cycle of places after the other.
#[inline(never)]
fn put(places: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..places.len() {
        let mut at = start;
        while places[at] != start {
            let from = std::mem::replace(&mut places[at], at);
            swap(at, from);
            at = from;
        }
        places[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look shuffled, by a linear congruence.
    fn shuffled(len: usize, kinds: u64) -> Vec<(u64, usize)> {
        let mut state = 7_u64;
        let next = |at| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
            ((state >> 33) % kinds, at)
        };
        (0..len).map(next).collect()
    }

    #[test]
    fn it_sorts_as_the_standard_library_does_and_keeps_the_order_of_equals() {
        for len in [0, 1, 2, 3, 19, 20, 21, 500] {
            for kinds in [1, 2, 7, 1000] {
                let mut ours = shuffled(len, kinds);
                let mut theirs = ours.clone();
                ours.stable_sort_by_key(|item| item.0);
                theirs.sort_by_key(|item| item.0);
                assert_eq!(ours, theirs, "{len} items of {kinds} kinds");
                ours.stable_sort_by(|a, b| b.1.cmp(&a.1));
                theirs.sort_by_key(|item| std::cmp::Reverse(item.1));
                assert_eq!(ours, theirs, "{len} items of {kinds} kinds, falling");
            }
        }
    }
}
