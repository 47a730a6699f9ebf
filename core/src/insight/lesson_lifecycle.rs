//! The same lessons seen in two other ways: between any two iterations, and each over its
//! lifecycle.
//!
//! Both are read from the rows of `lesson/lifecycle` alone, so that whoever has an explanation can
//! ask without reading a record again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::answer::{LessonRow, LessonState};
use super::items::Item;
use super::lessons::{Older, Past, compare};
use crate::model::reward::rounded;
use crate::text::norm;

/// What became of a lesson between two iterations (`lesson/lifecycle`).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LessonChange {
    /// What became of it.
    pub state: LessonState,
    /// The lesson, as the later of the two has it; as the earlier has it, if dropped.
    pub text: String,
    /// As it was written before, if reworded or returned in other words.
    pub before: Option<String>,
    /// The iteration that wrote it first.
    pub since: i64,
    /// The last iteration that wrote it, if dropped.
    pub last: Option<i64>,
    /// Share of words in common with `before`, 0..1.
    pub shared: Option<f64>,
}

/// A lesson through all its wordings (`lesson/lifecycle`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LessonLifecycle {
    /// Its last wording.
    pub text: String,
    /// What became of it, by iteration, ascending.
    pub states: Vec<(i64, LessonState)>,
}

/// Compares the lessons of iteration `to` with those of iteration `from`, in the order of the rows,
/// dropped ones last. `rows` are those of one [`Explanation`](crate::Explanation). A lesson that
/// `from` lacks is a returned one only if an iteration before both had it; otherwise it is new.
///
/// # Example: over two steps
///
/// ```
/// use hindscope::{LessonRow, LessonState, lessons_between};
///
/// let row = |number, text: &str| LessonRow {
///     number,
///     state: LessonState::New,
///     text: text.into(),
///     before: None,
///     since: number,
///     shared: None,
/// };
/// let rows = [
///     row(1, "Check expiry before refresh"),
///     row(2, "Name units"),
///     row(3, "Check the expiry field before refresh"),
/// ];
/// let changes = lessons_between(&rows, 1, 3);
/// assert_eq!(changes[0].state, LessonState::Reworded);
/// assert_eq!(changes[0].before.as_deref(), Some("Check expiry before refresh"));
/// ```
pub fn lessons_between(rows: &[LessonRow], from: i64, to: i64) -> Vec<LessonChange> {
    let (before, now) = (items_at(rows, from), items_at(rows, to));
    let first = from.min(to);
    let mut older_numbers: Vec<i64> =
        rows.iter().map(|row| row.number).filter(|number| *number < first).collect();
    older_numbers.dedup();
    let older_items: Vec<_> = older_numbers.iter().map(|number| items_at(rows, *number)).collect();
    let all: Vec<&[Item]> =
        older_items.iter().chain([&now]).map(|list| list.items.as_slice()).collect();
    let mut older = Older::new(&all);
    for list in &older_items {
        list.pasts().for_each(|past| older.insert(past, 0));
    }
    let pasts: Vec<_> = before.pasts().collect();
    let (found, dropped) = compare(&pasts, &now.items);
    let mut changes = Vec::with_capacity(found.len() + dropped.len());
    for ((item, own_since), found) in now.items.iter().zip(&now.since).zip(found) {
        let (state, past, shared) = match found {
            Some((past, None)) => (LessonState::Kept, Some(past), None),
            Some((past, shared)) => (LessonState::Reworded, Some(past), shared),
            None => match older.find(item, 1) {
                Some((past, shared)) => (LessonState::Returned, Some(past), shared),
                None => (LessonState::New, None, None),
            },
        };
        changes.push(LessonChange {
            state,
            text: item.text.clone(),
            before: past.filter(|_| shared.is_some()).map(|past| past.item.text.clone()),
            since: past.map_or(*own_since, |past| past.since.min(*own_since)),
            last: None,
            shared: shared.map(rounded),
        });
    }
    let lifecycles = if dropped.is_empty() { Vec::new() } else { lifecycles(rows) };
    changes.extend(dropped.into_iter().map(|past| LessonChange {
        state: LessonState::Dropped,
        text: past.item.text.clone(),
        before: None,
        since: past.since,
        last: Some(last_seen(&lifecycles, &past.item.norm, from, to)),
        shared: None,
    }));
    changes
}

/// The last iteration before `to` that has a lesson which `from` has.
fn last_seen(lifecycles: &[Lifecycle], norm: &str, from: i64, to: i64) -> i64 {
    let is_it = |lifecycle: &&Lifecycle| lifecycle.norms.contains(norm);
    let states = lifecycles.iter().filter(is_it).flat_map(|lifecycle| &lifecycle.lesson.states);
    let is_there = |(number, state): &&(i64, LessonState)| {
        *state != LessonState::Dropped && *number >= from && *number < to
    };
    states.filter(is_there).map(|(number, _)| *number).max().unwrap_or(from)
}

/// Each lesson through its lifecycle, in order of first occurrence. `rows` are those of one
/// [`Explanation`](crate::Explanation).
pub fn lesson_lifecycles(rows: &[LessonRow]) -> Vec<LessonLifecycle> {
    lifecycles(rows).into_iter().map(|lifecycle| lifecycle.lesson).collect()
}

/// The lifecycle of a lesson, and every wording that the lesson had.
struct Lifecycle {
    lesson: LessonLifecycle,
    norms: BTreeSet<String>,
}

fn lifecycles(rows: &[LessonRow]) -> Vec<Lifecycle> {
    let mut lifecycles: Vec<Lifecycle> = Vec::new();
    let mut by_norm: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows {
        let own = norm(&row.text);
        let known = row.before.as_deref().map_or_else(|| own.clone(), norm);
        let at = by_norm.get(&known).copied().unwrap_or_else(|| {
            lifecycles.push(Lifecycle {
                lesson: LessonLifecycle { text: String::new(), states: Vec::new() },
                norms: BTreeSet::new(),
            });
            lifecycles.len() - 1
        });
        by_norm.insert(own.clone(), at);
        let Some(lifecycle) = lifecycles.get_mut(at) else { continue };
        lifecycle.lesson.text.clone_from(&row.text);
        lifecycle.lesson.states.push((row.number, row.state));
        lifecycle.norms.insert(own);
    }
    lifecycles
}

/// The lessons of one iteration, and since when there has been each.
struct ItemsAt {
    items: Vec<Item>,
    since: Vec<i64>,
}

impl ItemsAt {
    fn pasts(&self) -> impl Iterator<Item = Past<'_>> {
        self.items.iter().zip(&self.since).map(|(item, since)| Past { item, since: *since })
    }
}

/// Rows are in order of their iterations: an iteration is a stretch of them.
fn items_at(rows: &[LessonRow], number: i64) -> ItemsAt {
    let start = rows.partition_point(|row| row.number < number);
    let own = rows.get(start..).unwrap_or_default();
    let own = own.iter().take_while(|row| row.number == number);
    let mut seen = BTreeSet::new();
    let (items, since) = own
        .filter(|row| row.state != LessonState::Dropped)
        .filter_map(|row| Some((Item::new(&row.text, true)?, row.since)))
        .filter(|(item, _)| seen.insert(item.norm.clone()))
        .unzip();
    ItemsAt { items, since }
}
