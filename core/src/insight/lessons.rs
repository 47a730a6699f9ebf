//! What became of each lesson from reflection to reflection (`lesson/lifecycle`).

use crate::sort::StableSort as _;
use std::collections::BTreeMap;

use super::answer::{LessonRow, LessonState};
use super::context::InsightContext;
use super::items::Item;
use super::similarity::SimilarityIndex;
use crate::model::details::Reflection;
use crate::model::reward::rounded;
use crate::model::thresholds::REWORDED;

/// A lesson where it was written last.
#[derive(Clone, Copy)]
pub(super) struct Past<'a> {
    pub(super) item: &'a Item,
    /// The iteration that wrote it first.
    pub(super) since: i64,
}

/// Everything that older reflections had.
pub(super) struct Older<'a> {
    similar: SimilarityIndex<'a>,
    /// What each set in `similar` is, and the reflection that had it first.
    lessons: Vec<(Past<'a>, usize)>,
    by_norm: BTreeMap<&'a str, usize>,
}

impl<'a> Older<'a> {
    pub(super) fn new(all: &[&'a [Item]]) -> Self {
        let distinct: BTreeMap<&str, &[u32]> =
            all.iter().copied().flatten().map(|i| (i.norm.as_str(), i.words.as_slice())).collect();
        Self {
            similar: SimilarityIndex::new(REWORDED, distinct.into_values()),
            lessons: Vec::new(),
            by_norm: BTreeMap::new(),
        }
    }

    pub(super) fn insert(&mut self, past: Past<'a>, reflection: usize) {
        if self.by_norm.contains_key(past.item.norm.as_str()) {
            return;
        }
        self.by_norm.insert(&past.item.norm, self.lessons.len());
        self.similar.insert(&past.item.words);
        self.lessons.push((past, reflection));
    }

    /// The lesson of a reflection before `limit` that says the same, else the most similar one.
    pub(super) fn find(&mut self, item: &Item, limit: usize) -> Option<(Past<'a>, Option<f64>)> {
        let found = self.by_norm.get(item.norm.as_str()).copied();
        let similar = if found.is_some() { Vec::new() } else { self.similar.find(&item.words) };
        let at = |id: usize| self.lessons.get(id).filter(|l| l.1 < limit).map(|l| l.0);
        if let Some(past) = found.and_then(at) {
            return Some((past, None));
        }
        let similar = similar.into_iter().filter_map(|(id, shared)| Some((at(id)?, shared)));
        similar
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
            .map(|(past, shared)| (past, Some(shared)))
    }
}

/// A row for each lesson of each iteration, dropped ones last.
pub(super) fn rows(context: &InsightContext<'_>) -> Vec<LessonRow> {
    if !context.judges("lesson/lifecycle") || !context.is_chain() {
        return Vec::new();
    }
    let all: Vec<&[Item]> = context.items().iter().map(Vec::as_slice).collect();
    let mut older = Older::new(&all);
    let mut rows = Vec::new();
    let mut before: Vec<Past<'_>> = Vec::new();
    let is_blank = |full: &Reflection| full.text.trim().is_empty();
    let said = all
        .iter()
        .zip(&context.reflections)
        .filter(|(items, reflected)| !(items.is_empty() && reflected.full.is_none_or(is_blank)));
    // Blank reflections are not counted, so that position minus 1 is the reflection compared with.
    for (reflection, (items, reflected)) in said.enumerate() {
        let number = reflected.at.number;
        let (kept, dropped) = compare(&before, items);
        let mut now = Vec::with_capacity(items.len());
        for (item, kept) in items.iter().zip(kept) {
            let (state, past, shared) = match kept {
                Some((past, None)) => (LessonState::Kept, Some(past), None),
                Some((past, shared)) => (LessonState::Reworded, Some(past), shared),
                None => match older.find(item, reflection.saturating_sub(1)) {
                    Some((past, shared)) => (LessonState::Returned, Some(past), shared),
                    None => (LessonState::New, None, None),
                },
            };
            let since = past.map_or(number, |past| past.since);
            rows.push(LessonRow {
                number,
                state,
                text: item.text.clone(),
                before: past.filter(|_| shared.is_some()).map(|past| past.item.text.clone()),
                since,
                shared: shared.map(rounded),
            });
            now.push(Past { item, since });
        }
        rows.extend(dropped.into_iter().map(|past| LessonRow {
            number,
            state: LessonState::Dropped,
            text: past.item.text.clone(),
            before: None,
            since: past.since,
            shared: None,
        }));
        for past in &now {
            older.insert(*past, reflection);
        }
        before = now;
    }
    rows
}

/// For each item the lesson that it was before, if any, with the share of words in common if it was
/// reworded. Then the lessons that are gone.
pub(super) type Compared<'a> = (Vec<Option<(Past<'a>, Option<f64>)>>, Vec<Past<'a>>);

pub(super) fn compare<'a>(before: &[Past<'a>], now: &'a [Item]) -> Compared<'a> {
    let by_norm: BTreeMap<&str, usize> =
        before.iter().enumerate().map(|(at, past)| (past.item.norm.as_str(), at)).collect();
    let mut is_taken = vec![false; before.len()];
    let mut found: Vec<Option<(usize, Option<f64>)>> = vec![None; now.len()];
    for (item, found) in now.iter().zip(&mut found) {
        if let Some(&at) = by_norm.get(item.norm.as_str()) {
            is_taken[at] = true;
            *found = Some((at, None));
        }
    }
    let rest: Vec<usize> = (0..before.len()).filter(|&at| !is_taken[at]).collect();
    let sets = rest.iter().map(|&at| before[at].item.words.as_slice());
    let mut similar =
        SimilarityIndex::new(REWORDED, sets.clone().chain(now.iter().map(|i| i.words.as_slice())));
    sets.for_each(|set| similar.insert(set));
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (at, item) in now.iter().enumerate().filter(|(at, _)| found[*at].is_none()) {
        let found = similar.find(&item.words).into_iter();
        pairs.extend(found.map(|(id, shared)| (shared, rest[id], at)));
    }
    pairs.stable_sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (shared, past, at) in pairs {
        if !is_taken[past] && found[at].is_none() {
            is_taken[past] = true;
            found[at] = Some((past, Some(shared)));
        }
    }
    let dropped = before.iter().zip(is_taken).filter(|(_, taken)| !taken).map(|(past, _)| *past);
    let dropped = dropped.collect();
    let found = found.into_iter().map(|f| f.map(|(at, shared)| (before[at], shared))).collect();
    (found, dropped)
}
