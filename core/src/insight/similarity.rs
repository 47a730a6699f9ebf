//! Sets that have most of their members in common, found without comparing all pairs.
//!
//! Two sets whose Jaccard index reaches a share must meet among the rarest members of both
//! (prefix filtering), so only sets that share a rare member are compared. The answer is exact if a
//! set shares rare members with at most [`COMPARED`] others. If there are more, it is compared with
//! those that share its rarest members, newest first; otherwise reflections that are mostly
//! boilerplate would all be compared.

use crate::sort::StableSort as _;
use std::collections::BTreeMap;

use crate::sketch::jaccard;

/// Sets that one set is compared with at most.
const COMPARED: usize = 128;
/// Up to so many sets, it costs less to compare all.
const FEW: usize = 16;

/// Sets to look up by likeness. Members are in order, each once.
pub(super) struct SimilarityIndex<'a> {
    share: f64,
    has_few: bool,
    /// How many of all sets have each member that more than one has, by member.
    frequencies: Vec<(u32, u32)>,
    sets: Vec<&'a [u32]>,
    /// Sets that have a member among their rarest, by member.
    by_member: BTreeMap<u32, Vec<usize>>,
    /// The last look-up that met each set.
    met: Vec<usize>,
    lookups: usize,
}

impl<'a> SimilarityIndex<'a> {
    /// `all` are the sets that will be inserted or looked up: they say which members are rare.
    pub(super) fn new(share: f64, all: impl Iterator<Item = &'a [u32]>) -> Self {
        let all: Vec<&[u32]> = all.collect();
        let has_few = all.len() <= FEW;
        let indexed = if has_few { &[][..] } else { &all[..] };
        let mut members = indexed.concat();
        members.sort_unstable();
        let mut frequencies: Vec<(u32, u32)> = Vec::new();
        for member in members {
            match frequencies.last_mut() {
                Some((last, n)) if *last == member => *n += 1,
                _ => frequencies.push((member, 1)),
            }
        }
        frequencies.retain(|(_, n)| *n > 1);
        frequencies.shrink_to_fit();
        Self {
            share,
            has_few,
            frequencies,
            sets: Vec::new(),
            by_member: BTreeMap::new(),
            met: Vec::new(),
            lookups: 0,
        }
    }

    /// The rarest members, enough that a similar set must have one of them, too.
    fn rarest(&self, set: &[u32]) -> Vec<u32> {
        let frequency = |member: u32| {
            let at = self.frequencies.binary_search_by_key(&member, |f| f.0);
            at.ok().and_then(|at| self.frequencies.get(at)).map_or(1, |f| f.1)
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
    pub(super) fn insert(&mut self, set: &'a [u32]) {
        let id = self.sets.len();
        if !self.has_few {
            for member in self.rarest(set) {
                self.by_member.entry(member).or_default().push(id);
            }
        }
        self.sets.push(set);
        self.met.push(0);
    }

    /// Inserted sets that are similar, ascending, each with the share in common.
    pub(super) fn find(&mut self, set: &[u32]) -> Vec<(usize, f64)> {
        let candidates = self.candidates(set).into_iter();
        let shared = candidates.map(|id| (id, jaccard(set, self.sets[id])));
        let mut similar: Vec<_> = shared.filter(|(_, shared)| *shared >= self.share).collect();
        similar.stable_sort_by_key(|(id, _)| *id);
        similar
    }

    /// Sets that share one of the rarest members and have about the size, each once.
    fn candidates(&mut self, set: &[u32]) -> Vec<usize> {
        if self.has_few {
            let may_be = |id: &usize| may_reach(self.share, set.len(), self.sets[*id].len());
            return (0..self.sets.len()).filter(may_be).collect();
        }
        self.lookups += 1;
        let mut candidates = Vec::new();
        for member in self.rarest(set) {
            let sets = self.by_member.get(&member).map_or(&[][..], Vec::as_slice);
            for &id in sets.iter().rev().take(COMPARED) {
                let is_met = self.met[id] == self.lookups;
                if is_met || !may_reach(self.share, set.len(), self.sets[id].len()) {
                    continue;
                }
                self.met[id] = self.lookups;
                candidates.push(id);
                if candidates.len() == COMPARED {
                    return candidates;
                }
            }
        }
        candidates
    }
}

/// Whether sets of these sizes can have enough in common.
#[expect(clippy::cast_precision_loss, reason = "sizes of sets")]
fn may_reach(share: f64, a: usize, b: usize) -> bool {
    a.min(b) as f64 >= share * a.max(b) as f64 - 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the comparison of all pairs.
    #[test]
    fn it_finds_what_comparing_all_pairs_finds() {
        let mut seed = 7_u64;
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for _ in 0..120 {
            let mut set: Vec<u32> = (0..8)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    u32::try_from((seed >> 33) % 11).unwrap_or_default()
                })
                .collect();
            set.sort_unstable();
            set.dedup();
            sets.push(set);
        }
        for all in [&sets[..FEW], &sets] {
            let mut pairs = 0;
            for share in [0.5, 0.8] {
                let mut similar = SimilarityIndex::new(share, all.iter().map(Vec::as_slice));
                for (i, set) in all.iter().enumerate() {
                    let found = similar.find(set);
                    let expected: Vec<_> = (0..i)
                        .map(|j| (j, jaccard(set, &all[j])))
                        .filter(|(_, shared)| *shared >= share)
                        .collect();
                    assert_eq!(found, expected);
                    pairs += found.len();
                    similar.insert(set);
                }
            }
            assert!(pairs > all.len(), "{pairs}");
        }
    }
}
