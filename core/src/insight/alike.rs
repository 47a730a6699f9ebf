//! Sets that have most of their members in common, found without comparing all pairs.
//!
//! Two sets whose Jaccard index reaches a share must meet among the rarest members of both
//! (prefix filtering), so only sets that share a rare member are compared. The answer is exact.

use std::collections::BTreeMap;

use crate::text::jaccard;

/// Sets to look up by likeness. Members are in order, each once.
pub(super) struct Alike<'a> {
    share: f64,
    /// How many of all sets have each member, by member.
    frequencies: Vec<(u64, u32)>,
    sets: Vec<&'a [u64]>,
    /// Sets that have a member among their rarest, by member.
    by_member: BTreeMap<u64, Vec<usize>>,
}

impl<'a> Alike<'a> {
    /// `all` are the sets that will be inserted or looked up: they say which members are rare.
    pub(super) fn new(share: f64, all: impl Iterator<Item = &'a [u64]>) -> Self {
        let mut members: Vec<u64> = all.flatten().copied().collect();
        members.sort_unstable();
        let mut frequencies: Vec<(u64, u32)> = Vec::new();
        for member in members {
            match frequencies.last_mut() {
                Some((last, n)) if *last == member => *n += 1,
                _ => frequencies.push((member, 1)),
            }
        }
        Self { share, frequencies, sets: Vec::new(), by_member: BTreeMap::new() }
    }

    /// The rarest members, enough that an alike set must have one of them, too.
    fn rarest(&self, set: &[u64]) -> Vec<u64> {
        let frequency = |member: u64| {
            let at = self.frequencies.binary_search_by_key(&member, |f| f.0);
            at.ok().and_then(|at| self.frequencies.get(at)).map_or(0, |f| f.1)
        };
        let mut members: Vec<_> = set.iter().map(|&m| (frequency(m), m)).collect();
        members.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "a share of a count"
        )]
        let common = (self.share * set.len() as f64 - 1e-9).ceil().max(0.0) as usize;
        members.truncate(set.len().saturating_sub(common) + 1);
        members.into_iter().map(|(_, member)| member).collect()
    }

    /// Adds a set; sets are numbered from 0.
    pub(super) fn insert(&mut self, set: &'a [u64]) {
        let id = self.sets.len();
        for member in self.rarest(set) {
            self.by_member.entry(member).or_default().push(id);
        }
        self.sets.push(set);
    }

    /// Inserted sets that are alike, ascending, each with the share in common.
    pub(super) fn find(&self, set: &[u64]) -> impl Iterator<Item = (usize, f64)> + '_ {
        let rarest = self.rarest(set);
        let mut candidates: Vec<usize> =
            rarest.iter().filter_map(|m| self.by_member.get(m)).flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let set = set.to_vec();
        candidates.into_iter().filter_map(move |id| {
            let other = self.sets.get(id)?;
            if !self.may_reach(set.len(), other.len()) {
                return None;
            }
            let shared = jaccard(&set, other);
            (shared >= self.share).then_some((id, shared))
        })
    }

    /// Whether sets of these sizes can have enough in common.
    #[expect(clippy::cast_precision_loss, reason = "sizes of sets")]
    fn may_reach(&self, a: usize, b: usize) -> bool {
        a.min(b) as f64 >= self.share * a.max(b) as f64 - 1e-9
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the comparison of all pairs.
    #[test]
    fn it_finds_what_comparing_all_pairs_finds() {
        let mut seed = 7_u64;
        let mut sets: Vec<Vec<u64>> = Vec::new();
        for _ in 0..300 {
            let mut set: Vec<u64> = (0..8)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 33) % 14
                })
                .collect();
            set.sort_unstable();
            set.dedup();
            sets.push(set);
        }
        for share in [0.5, 0.8] {
            let mut alike = Alike::new(share, sets.iter().map(Vec::as_slice));
            let mut pairs = 0;
            for (i, set) in sets.iter().enumerate() {
                let found: Vec<_> = alike.find(set).collect();
                let all: Vec<_> = (0..i)
                    .map(|j| (j, jaccard(set, &sets[j])))
                    .filter(|(_, shared)| *shared >= share)
                    .collect();
                assert_eq!(found, all);
                pairs += found.len();
                alike.insert(set);
            }
            assert!(pairs > 50, "{pairs}");
        }
    }
}
