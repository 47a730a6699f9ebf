//! Several runs beside each other: their columns in equal places, what their records have in
//! common, and two experiments over the same tasks.

use std::collections::{BTreeMap, BTreeSet};

use hindscope::{Comparison, GroupId, History, Outcome, Run, RunId, norm};

use super::explain::explain;
use super::no_answer::NoAnswer;
use super::run_list::more;
use super::session::{Session, is_experiment};
use crate::browser;
use crate::protocol::{
    Align, CompareBody, CompareRun, ErrorsAndLessonsBody, ExperimentsBody, RunAddress, RunRow,
    count,
};

/// Runs that can be compared at once.
pub(crate) const MOST: u32 = 200;
/// Runs that are drawn as lines; of more, each is a row of cells.
const LINES: usize = 8;
/// Tasks that are listed of those that two experiments solved differently.
const UNLIKE: usize = 200;
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

/// The experiments with these labels, or all that say how their tasks ended, compared with the first of them.
pub(crate) fn experiments(
    session: &mut Session,
    labels: &[String],
    attempts: Option<u32>,
) -> ExperimentsBody {
    let groups = session.groups();
    let all: Vec<_> = groups.iter().filter(|group| is_experiment(group)).collect();
    let mut body = ExperimentsBody {
        labels: all.iter().map(|group| group.label.clone()).collect(),
        ..ExperimentsBody::default()
    };
    let find = |label: &String| all.iter().find(|group| group.label == *label).copied();
    let mut chosen: Vec<_> = labels.iter().filter_map(find).collect();
    if let Some(missing) = labels.iter().find(|label| find(label).is_none()) {
        body.problem = Some(format!(
            "No open file has an experiment \u{201c}{missing}\u{201d} that says how its tasks ended."
        ));
        return body;
    }
    if labels.is_empty() {
        chosen.clone_from(&all);
    }
    if chosen.len() < 2 && all.len() > 1 {
        body.problem = Some("Choose two experiments or more.".to_owned());
        return body;
    }
    let ids: Vec<_> = chosen.iter().map(|group| group.id).collect();
    let history = &session.history;
    let compared = history.compare(&ids, None).and_then(|all| {
        let most = all.attempts;
        let some = attempts.filter(|attempts| *attempts < most);
        Ok((most, some.map_or(Ok(all), |attempts| history.compare(&ids, Some(attempts)))?))
    });
    match compared {
        Ok((most, comparison)) => {
            body.most = most;
            body.retries = retries(history, &ids, comparison.attempts);
            let (unlike, count) = unlike(session, &ids, &comparison);
            (body.unlike, body.unlike_count) = (unlike, count);
            body.comparison = Some(comparison);
        }
        // Fewer than two are nothing to compare, and no problem.
        Err(_) if all.len() < 2 => {}
        Err(error) => body.problem = Some(error.to_string()),
    }
    body
}

/// Of each experiment, tasks that its 2nd, 3rd, … attempt solved, of those that had one.
fn retries(history: &History, ids: &[GroupId], attempts: u32) -> Vec<Vec<(u32, u32)>> {
    let runs: Vec<_> = ids.iter().map(|&id| history.runs_in(id)).collect();
    let key = |id: &RunId| history.run(*id).ok().map(|run| run.key());
    let keys: Vec<BTreeSet<_>> =
        runs.iter().map(|runs| runs.iter().filter_map(key).collect()).collect();
    let of_all = |id: &RunId| key(id).is_some_and(|key| keys.iter().all(|keys| keys.contains(key)));
    let each = |runs: &Vec<RunId>| {
        let shared: Vec<_> = runs.iter().copied().filter(of_all).collect();
        let sums = history.aggregate_of(&shared).attempts;
        let pairs = sums.array_windows().take(attempts.saturating_sub(1) as usize);
        pairs.map(|[before, now]| (now.solved_after - before.solved_after, now.attempted)).collect()
    };
    runs.iter().map(each).collect()
}

/// The runs of tasks that one of two experiments solved and the other did not, and how many tasks these are.
fn unlike(
    session: &mut Session,
    ids: &[GroupId],
    comparison: &Comparison,
) -> (Vec<[RunRow; 2]>, u32) {
    let parts = comparison.headline.parts.iter();
    let runs: Vec<_> = parts.flat_map(|part| &part.runs).copied().collect();
    let rows = session.rows(&runs[..runs.len().min(UNLIKE)]);
    let keys: BTreeSet<&str> = rows.iter().map(|row| row.view.key.as_str()).collect();
    let by_key = |id: &GroupId| {
        let all = session.history.runs_in(*id).into_iter();
        let named = all.filter_map(|run| Some((session.history.run(run).ok()?.key(), run)));
        named.filter(|(key, _)| keys.contains(key)).collect::<BTreeMap<_, _>>()
    };
    let sides: Vec<_> = ids.iter().map(by_key).collect();
    let pairs = rows.iter().map(|row| {
        sides.iter().filter_map(|side| side.get(row.view.key.as_str())).copied().collect::<Vec<_>>()
    });
    let pairs: Vec<_> = pairs.collect();
    let rows = pairs.iter().filter_map(|pair| session.rows(pair).try_into().ok());
    (rows.collect(), count(runs.len()))
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
