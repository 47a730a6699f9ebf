//! Sources that say nothing new (`source/duplicate`): opened twice, opened again once they have grown,
//! dropped under another name, or part of a folder that lies beside its copy.
//!
//! Equal bytes alone prove nothing: two attempts may end with the same words, and only their paths
//! tell them apart. So equal bytes of one folder all count, and of a copied folder a source is left
//! out only with everything that its runs are made of.

use std::collections::BTreeMap;

use super::group;
use super::grouping::{Grouping, Identity, Origin, at_row};
use super::row::Table;
use crate::format::Family;
use crate::format::env_results::trial_of;
use crate::model::finding::{Finding, Severity};
use crate::model::id::{RecordId, RunId};
use crate::sort::StableSort as _;
use crate::text::hash_of;

/// By source: the one that counts instead of it. It was opened earlier, or has more records.
type Copies = Vec<Option<usize>>;

/// Groups all records, those of copies under the runs of what they are copies of.
pub(super) fn group(table: &Table, origins: &[Origin<'_>]) -> Grouping {
    let mut grouping = if may_have_copies(origins) {
        group_with_copies(table, origins)
    } else {
        group::group(table, origins, |_| false)
    };
    grouping.findings.stable_sort_by_key(|finding| finding.source);
    grouping
}

fn group_with_copies(table: &Table, origins: &[Origin<'_>]) -> Grouping {
    let mut copies = by_themselves(origins);
    mark_grown(table, origins, &mut copies);
    let mut grouping = group::group(table, origins, |source| copies[source].is_some());
    let folders = Folders::of(origins, &copies);
    if folders.has_candidates() && folders.confirm(table, &grouping, &mut copies) {
        grouping = group::group(table, origins, |source| copies[source].is_some());
    }
    join(table, origins, &copies, &mut grouping);
    grouping
}

/// Whether any two sources have the same bytes or the same path; most histories have none. (Where a digest
/// happens to be the hash of a path, they are only looked for in vain.)
fn may_have_copies(origins: &[Origin<'_>]) -> bool {
    let digests = origins.iter().filter_map(|origin| Some(origin.identity?.digest));
    let paths = origins.iter().map(|origin| hash_of(origin.path));
    let mut hashes: Vec<u64> = digests.chain(paths).collect();
    hashes.sort_unstable();
    hashes.windows(2).any(|pair| pair.first() == pair.last())
}

/// Paths that were opened again when they had more records, or fewer: the records of the one are the first of
/// the other.
fn mark_grown(table: &Table, origins: &[Origin<'_>], copies: &mut Copies) {
    let mut of_path: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (source, origin) in origins.iter().enumerate() {
        if origin.has_records && copies[source].is_none() {
            of_path.entry(origin.path).or_default().push(source);
        }
    }
    of_path.retain(|_, sources| sources.len() > 1);
    if of_path.is_empty() {
        return;
    }
    let mut is_wanted = vec![false; origins.len()];
    for &source in of_path.values().flatten() {
        is_wanted[source] = true;
    }
    let rows = rows_of(table, &is_wanted);
    let begins = |short: usize, long: usize| {
        let pairs = rows[short].iter().zip(&rows[long]);
        rows[short].len() <= rows[long].len() && pairs.clone().all(|(&a, &b)| table.is_same(a, b))
    };
    for mut by_length in of_path.into_values() {
        // The one with the most records counts, of equal ones the first.
        by_length.stable_sort_by_key(|source| std::cmp::Reverse(rows[*source].len()));
        for (at, &short) in by_length.iter().enumerate() {
            copies[short] = by_length[..at].iter().copied().find(|&long| begins(short, long));
        }
    }
}

/// The rows of some sources.
fn rows_of(table: &Table, is_wanted: &[bool]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); is_wanted.len()];
    for (at, row) in table.rows.iter().enumerate() {
        let source = row.source as usize;
        if is_wanted[source] {
            rows[source].push(at);
        }
    }
    rows
}

/// What was dropped as one: a folder or an archive, else the file itself.
fn root_of(path: &str) -> &str {
    path.split_once('/').map_or(path, |(root, _)| root)
}

/// What a path says of its records where they say nothing themselves: a number and an id.
fn said_by_path<'a>(origin: &Origin<'a>, family: Family) -> (Option<i64>, Option<&'a str>) {
    let Origin { path, named, .. } = origin;
    match family {
        Family::Loops => (named.attempt.or(named.number), named.id),
        Family::Trials => (trial_of(path), None),
        _ => (None, None),
    }
}

/// Paths that were opened twice; and files that were dropped alone, whatever their names: `log.json`
/// and `log (1).json`.
fn by_themselves(origins: &[Origin<'_>]) -> Copies {
    let mut copies: Copies = vec![None; origins.len()];
    let mut opened: BTreeMap<(Identity, &str), usize> = BTreeMap::new();
    for (source, origin) in origins.iter().enumerate() {
        if let Some(identity) = origin.identity {
            let first = *opened.entry((identity, origin.path)).or_insert(source);
            copies[source] = Some(first).filter(|first| *first != source);
        }
    }
    let mut sizes: BTreeMap<&str, u32> = BTreeMap::new();
    for (origin, copy) in origins.iter().zip(&copies) {
        if origin.has_records && copy.is_none() {
            *sizes.entry(root_of(origin.path)).or_default() += 1;
        }
    }
    let mut any: BTreeMap<Identity, usize> = BTreeMap::new();
    let mut known = BTreeMap::new();
    for (source, origin) in origins.iter().enumerate() {
        let is_alone = || sizes.get(root_of(origin.path)) == Some(&1);
        let Some(identity) = origin.identity.filter(|_| copies[source].is_none() && is_alone())
        else {
            continue;
        };
        let silent = (None, None);
        let said = said_by_path(origin, identity.format.family());
        let first = if said == silent {
            any.get(&identity)
        } else {
            known.get(&(identity, said)).or_else(|| known.get(&(identity, silent)))
        };
        copies[source] = first.copied();
        if first.is_none() {
            any.entry(identity).or_insert(source);
            known.insert((identity, said), source);
        }
    }
    copies
}

/// The sources of everything that was dropped, by what they hold and where.
struct Folders<'a> {
    /// For each source that has a content: its path below its root, and the place of the root in the
    /// order of opening.
    places: Vec<Option<(Identity, &'a str, usize)>>,
    held: BTreeMap<(Identity, &'a str, usize), usize>,
}

impl<'a> Folders<'a> {
    fn of(origins: &[Origin<'a>], copies: &Copies) -> Self {
        let mut roots: BTreeMap<&str, usize> = BTreeMap::new();
        let mut held = BTreeMap::new();
        let mut places = Vec::with_capacity(origins.len());
        for (source, (origin, copy)) in origins.iter().zip(copies).enumerate() {
            let next = roots.len();
            let root = *roots.entry(root_of(origin.path)).or_insert(next);
            let below = origin.path.split_once('/').map(|(_, below)| below);
            let place = origin.identity.filter(|_| copy.is_none()).zip(below);
            let place = place.map(|(identity, below)| (identity, below, root));
            if let Some(place) = place {
                held.insert(place, source);
            }
            places.push(place);
        }
        Self { places, held }
    }

    /// The first root that was opened before and has the same bytes at the same place.
    fn earlier(&self, source: usize) -> Option<usize> {
        let (identity, below, root) = self.places.get(source).copied().flatten()?;
        let mut roots = self.held.range((identity, below, 0)..(identity, below, root));
        roots.next().map(|((.., root), _)| *root)
    }

    fn has_candidates(&self) -> bool {
        (0..self.places.len()).any(|source| self.earlier(source).is_some())
    }

    /// Marks the sources of each unit as copies if one earlier root holds all of them. Returns whether
    /// there are any.
    fn confirm(&self, table: &Table, grouping: &Grouping, copies: &mut Copies) -> bool {
        let mut units = Units::of(table, grouping, self.places.len());
        // For each unit, the earliest root that can hold a copy of every source: the latest one among the
        // first roots in which its sources are found.
        let mut last: Vec<Option<usize>> = vec![None; self.places.len()];
        let mut is_whole = vec![true; self.places.len()];
        let earlier: Vec<_> = (0..self.places.len()).map(|source| self.earlier(source)).collect();
        for (source, root) in earlier.iter().enumerate() {
            let unit = units.find(source);
            is_whole[unit] &= root.is_some();
            last[unit] = last[unit].max(*root);
        }
        let held = |source: usize, root: usize| {
            let (identity, below, own) = self.places.get(source).copied().flatten()?;
            self.held.get(&(identity, below, root)).filter(|_| root < own).copied()
        };
        let mut found: Copies = vec![None; self.places.len()];
        for (source, place) in found.iter_mut().enumerate() {
            let unit = units.find(source);
            *place = last[unit].filter(|_| is_whole[unit]).and_then(|root| held(source, root));
            is_whole[unit] &= place.is_some();
        }
        let mut has_some = false;
        for (source, found) in found.into_iter().enumerate() {
            if is_whole[units.find(source)] && found.is_some() {
                copies[source] = found;
                has_some = true;
            }
        }
        has_some
    }
}

/// Sources that make runs together, as a forest of unions.
struct Units(Vec<usize>);

impl Units {
    fn of(table: &Table, grouping: &Grouping, sources: usize) -> Self {
        let mut units = Self((0..sources).collect());
        for group in &grouping.groups {
            let records = |run: usize| grouping.records_of(RunId::at(run)).iter();
            let row = |record: &RecordId| table.rows.get(record.index());
            // Where a record lands that has no key depends on all runs of its folder.
            let is_one =
                group.runs.clone().flat_map(records).filter_map(row).any(|row| row.key().is_none());
            let mut first = None;
            for run in group.runs.clone() {
                if !is_one {
                    first = None;
                }
                for row in records(run).filter_map(row) {
                    let source = row.source as usize;
                    units.join(*first.get_or_insert(source), source);
                }
            }
        }
        units
    }

    fn find(&mut self, source: usize) -> usize {
        let mut at = source;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[b] = a;
    }
}

/// Reports for each copy which source counts instead, and assigns the records of the copy to the runs of
/// that source.
fn join(table: &Table, origins: &[Origin<'_>], copies: &Copies, grouping: &mut Grouping) {
    if copies.iter().all(Option::is_none) {
        return;
    }
    let mut is_wanted = vec![false; origins.len()];
    let is_equal = |a: usize, b: usize| origins[a].identity == origins[b].identity;
    let counting = |source: usize| {
        // Each points to an earlier root or source, or to one with more records, so this ends.
        std::iter::successors(Some(source), |&at| copies[at]).last().unwrap_or(source)
    };
    for (source, _) in copies.iter().enumerate().filter(|(_, copy)| copy.is_some()) {
        is_wanted[source] = true;
        is_wanted[counting(source)] = true;
    }
    let rows = rows_of(table, &is_wanted);
    for (source, _) in copies.iter().enumerate().filter(|(_, copy)| copy.is_some()) {
        let original = counting(source);
        for (&left_out, &counting) in rows[source].iter().zip(&rows[original]) {
            grouping.stand_for(counting, left_out);
        }
        let Some(&first) = rows[source].first() else { continue };
        let message = match origins[original].path {
            path if path == origins[source].path && !is_equal(source, original) => {
                let when = if original > source { "later" } else { "earlier" };
                format!(
                    "All of its records are in the file of the same name that was opened {when}. They are counted once."
                )
            }
            path if path == origins[source].path => {
                "The same bytes were already opened under this name. They are counted once."
                    .to_owned()
            }
            path => format!("The file has the same bytes as {path}. Only {path} is counted."),
        };
        let finding = Finding::new("source/duplicate", Severity::Info, message);
        let finding = at_row(table, first, finding);
        grouping.findings.push(Finding { record: None, ..finding });
    }
}
