//! Several runs beside each other: their columns in equal places, what their records have in
//! common, and two experiments over the same tasks.

use std::collections::{BTreeMap, BTreeSet};

use hindscope::{GroupView, Outcome, Run, RunId, norm};

use super::explain::explain;
use super::no_answer::NoAnswer;
use super::run_list::more;
use super::session::Session;
use crate::browser;
use crate::protocol::{
    Align, CompareBody, CompareRun, ErrorsAndLessonsBody, ExperimentsBody, RunAddress, RunRow,
    count,
};

/// Runs that can be compared at once.
pub(crate) const MOST: u32 = 200;
/// Runs that are drawn as lines; of more, each is a row of cells.
const LINES: usize = 8;
/// Slots of lines, and of rows of cells.
const SLOTS: u64 = 1200;
const CELLS: u64 = 240;

/// The columns of some runs in equal places.
pub(crate) fn compare(session: &mut Session, wanted: &[RunAddress], align: Align) -> CompareBody {
    let wanted = &wanted[..wanted.len().min(MOST as usize)];
    let found = session.find_all(wanted);
    let missing = wanted.iter().zip(&found).filter(|(_, id)| id.is_none());
    let missing = missing.map(|(address, _)| address.clone()).collect();
    let mut seen = BTreeSet::new();
    let ids: Vec<RunId> = found.into_iter().flatten().filter(|id| seen.insert(*id)).collect();
    let rows = session.rows(&ids);
    let runs: Vec<Run<'_>> =
        rows.iter().filter_map(|row| session.history.run(row.view.id).ok()).collect();
    let frame = Frame::around(&runs, align);
    let now = browser::date_ms();
    let runs = runs
        .iter()
        .zip(&rows)
        .map(|(run, row)| {
            let row = RunRow { more: more(session, row, now), ..row.clone() };
            frame.place(run, row)
        })
        .collect();
    let Frame { first, step, slots, .. } = frame;
    CompareBody { first, step, slots, runs, missing }
}

/// The places that all runs share.
struct Frame {
    align: Align,
    first: i64,
    step: u32,
    slots: u32,
}

/// An iteration of a run: number, reward, outcome.
type Item = (i64, Option<f64>, Outcome);

fn items<'a>(run: &'a Run<'_>, align: Align) -> impl Iterator<Item = (i64, Item)> + use<'a> {
    let columns = run.columns();
    let len = columns.numbers.len();
    let each = columns.numbers.iter().zip(columns.rewards).zip(columns.outcomes).enumerate();
    each.map(move |(k, ((number, reward), outcome))| {
        let reward = Some(*reward).filter(|reward| !reward.is_nan());
        (align.place(k, *number, len), (*number, reward, *outcome))
    })
}

impl Frame {
    fn around(runs: &[Run<'_>], align: Align) -> Self {
        let mut ends: Option<(i64, i64)> = None;
        for (place, _) in runs.iter().flat_map(|run| items(run, align)) {
            let (first, last) = ends.unwrap_or((place, place));
            ends = Some((first.min(place), last.max(place)));
        }
        Self::of(ends, align, if runs.len() > LINES { CELLS } else { SLOTS })
    }

    fn of(ends: Option<(i64, i64)>, align: Align, most: u64) -> Self {
        let Some((first, last)) = ends else { return Self { align, first: 1, step: 1, slots: 0 } };
        let span = last.abs_diff(first).saturating_add(1);
        let (step, slots) = if span <= most {
            (1, span)
        } else {
            let step = span.div_ceil(most / 2);
            (step, span.div_ceil(step) * 2)
        };
        Self { align, first, step: count(step), slots: count(slots) }
    }

    /// Position of the slot, or of the pair of slots, that a place falls into.
    fn slot(&self, place: i64) -> usize {
        let at = place.abs_diff(self.first) / u64::from(self.step);
        usize::try_from(at).unwrap_or(usize::MAX)
    }

    fn place(&self, run: &Run<'_>, row: RunRow) -> CompareRun {
        let slots = self.slots(items(run, self.align));
        let from = slots.first_key_value().map_or(0, |(at, _)| *at);
        let end = slots.last_key_value().map_or(0, |(at, _)| *at + 1);
        let each = || (from..end).map(|at| slots.get(&at));
        #[expect(clippy::cast_precision_loss, reason = "numbers of iterations")]
        CompareRun {
            row,
            from: count(from),
            rewards: each().map(|item| item.and_then(|item| item.1)).collect(),
            outcomes: each().map(|item| item.map_or(' ', |item| item.2.letter())).collect(),
            numbers: each().map(|item| item.map(|item| item.0 as f64)).collect(),
        }
    }

    /// The item in each slot. A pair of slots holds the items with the least and the greatest reward, in
    /// their order in the run; both get the outcome of the largest [`Outcome::weight`] among all.
    fn slots(&self, items: impl Iterator<Item = (i64, Item)>) -> BTreeMap<usize, Item> {
        if self.step == 1 {
            return items.map(|(place, item)| (self.slot(place), item)).collect();
        }
        let mut pairs: BTreeMap<usize, (Item, Item, bool)> = BTreeMap::new();
        for (place, item) in items {
            let Some((least, most, is_falling)) = pairs.get_mut(&self.slot(place)) else {
                pairs.insert(self.slot(place), (item, item, false));
                continue;
            };
            let worse = if item.2.weight() > least.2.weight() { item.2 } else { least.2 };
            if item.1.is_some_and(|reward| least.1.is_none_or(|other| reward < other)) {
                *least = item;
                *is_falling = true;
            }
            if item.1.is_some_and(|reward| most.1.is_none_or(|other| reward > other)) {
                *most = item;
                *is_falling = false;
            }
            (least.2, most.2) = (worse, worse);
        }
        let both = |(at, (least, most, is_falling)): (usize, (Item, Item, bool))| {
            let (one, two) = if is_falling { (most, least) } else { (least, most) };
            [(at * 2, one), (at * 2 + 1, two)]
        };
        pairs.into_iter().flat_map(both).collect()
    }
}

/// Errors and lessons of a run, as far as its records can be read.
pub(crate) fn errors_and_lessons(
    session: &mut Session,
    run: RunId,
) -> Result<ErrorsAndLessonsBody, NoAnswer> {
    let iterations = session.iterations(run)?;
    let knows_errors = iterations.iter().any(|view| view.errors.is_some());
    let body = explain(session, run)?;
    let explanation = &body.explanation;
    let mut lessons: BTreeMap<String, String> = BTreeMap::new();
    for row in &explanation.lessons {
        let key = norm(&row.text);
        if !key.is_empty() {
            lessons.entry(key).or_insert_with(|| row.text.clone());
        }
    }
    let areas = ["stuck/", "oscillation/", "regression/"];
    let is_stuck = |rule: &str| areas.iter().any(|area| rule.starts_with(area));
    Ok(ErrorsAndLessonsBody {
        run,
        errors: explanation
            .errors
            .iter()
            .map(|row| (row.signature.clone(), row.message.clone()))
            .collect(),
        knows_errors,
        lessons: lessons.into_iter().collect(),
        stuck: explanation
            .findings
            .iter()
            .filter(|finding| is_stuck(&finding.rule))
            .map(|finding| (finding.rule.to_string(), finding.message.clone()))
            .collect(),
        unread: body.unread + u32::from(body.problem.is_some()),
    })
}

/// Two groups over the same tasks, solved up to and with a trial (`headline/compare`).
pub(crate) fn experiments(
    session: &mut Session,
    labels: &[String; 2],
    at: Option<i64>,
) -> Result<ExperimentsBody, NoAnswer> {
    let groups = session.groups();
    let find = |label: &String| {
        let group = groups.iter().find(|group| group.label == *label);
        group.ok_or_else(|| {
            NoAnswer::from(format!("No open file has the group \u{201c}{label}\u{201d}."))
        })
    };
    let [with, without] = [find(&labels[0])?, find(&labels[1])?];
    let trials = shared_trials(with, without);
    let Some(last) = trials.last().copied() else {
        return Err(NoAnswer::from("The two have no trial in common.".to_owned()));
    };
    let at = at.filter(|at| trials.contains(at)).unwrap_or(last);
    let first = without.numbers.first().copied().unwrap_or(at);
    let attempts = count(at.abs_diff(first)).saturating_add(1);
    let compared = session.history.compare(&[without.id, with.id], Some(attempts))?;
    Ok(ExperimentsBody { says: compared.headline.says, trials, at })
}

fn shared_trials(a: &GroupView, b: &GroupView) -> Vec<i64> {
    a.numbers.iter().copied().filter(|number| b.numbers.binary_search(number).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(number: i64, reward: f64, outcome: Outcome) -> (i64, Item) {
        (number, (number, Some(reward), outcome))
    }

    #[test]
    fn few_places_have_a_slot_each() {
        let frame = Frame::of(Some((-2, 0)), Align::End, 240);
        assert_eq!((frame.first, frame.step, frame.slots), (-2, 1, 3));
        let slots = frame
            .slots([item(-2, 0.1, Outcome::Failure), item(0, 0.3, Outcome::Success)].into_iter());
        assert_eq!(slots.keys().copied().collect::<Vec<_>>(), [0, 2], "a gap stays a gap");
        assert_eq!(Frame::of(None, Align::Attempt, 240).slots, 0);
    }

    #[test]
    fn many_places_keep_their_extremes() {
        let frame = Frame::of(Some((1, 1000)), Align::Attempt, 100);
        assert_eq!((frame.step, frame.slots), (20, 100));
        let all = (1..=1000).map(|n| match n {
            503 => item(n, 0.9, Outcome::Success),
            510 => item(n, 0.1, Outcome::Failure),
            _ => item(n, 0.5, Outcome::Success),
        });
        let slots = frame.slots(all);
        assert_eq!((slots[&50].1, slots[&51].1), (Some(0.9), Some(0.1)), "in the order they came");
        assert_eq!(slots[&51].2, Outcome::Failure);
        assert_eq!(slots[&52].1, Some(0.5));
        let far = Frame::of(Some((i64::MIN, i64::MAX)), Align::Number, 240);
        assert!(far.slots <= 241, "{}", far.slots);
    }

    #[test]
    fn runs_stand_below_each_other() {
        assert_eq!(Align::Attempt.place(0, 7, 3), 1);
        assert_eq!(Align::Number.place(0, 7, 3), 7);
        assert_eq!([0, 1, 2].map(|k| Align::End.place(k, 7, 3)), [-2, -1, 0]);
    }
}
