//! Filtering and ordering the list of runs.
//!
//! Works on views handed over in batches, and keeps one small key per row: a history of a million
//! runs is never copied whole.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hindscope::{InsightOptions, Origin, Outcome, Run, RunId, RunView, natural};

use super::categories::{self, Categories};
use super::repetition::Repetition;
use crate::protocol::{Choice, GroupBy, Heading, OUTCOMES, RewardIs, Sort, count};

/// What a row is ordered by. Missing values come last in both directions.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Number(f64),
    Text(String),
    /// Place of a failure category, and how often it was given.
    Category(u32, u32),
    Missing,
    /// It is not known yet whether there is one: after what is missing.
    Unseen,
}

/// Runs in order, and the headings above them.
#[derive(Debug)]
pub(crate) struct SortedRuns {
    pub(crate) runs: Rc<[RunId]>,
    /// Each with the position of its first run; none where the list is not divided.
    pub(crate) headings: Vec<(u32, Heading)>,
}

/// Collects the rows that a choice lets through.
pub(crate) struct RunSorter<'a> {
    choice: &'a Choice,
    /// Runs that the text, the finding and the source of the choice leave; all without one.
    among: Option<BTreeSet<RunId>>,
    categories: &'a Categories,
    repetition: &'a Repetition,
    /// Places of their names, where the list is ordered by them.
    places: Vec<u32>,
    titles: BTreeMap<String, u32>,
    /// With the place of the title, and whether the run was solved, if it says how any attempt ended.
    rows: Vec<(Key, RunId, u32, Option<bool>)>,
}

impl<'a> RunSorter<'a> {
    pub(crate) fn new(
        choice: &'a Choice,
        among: Option<BTreeSet<RunId>>,
        categories: &'a Categories,
        repetition: &'a Repetition,
    ) -> Self {
        let is_by_category = choice.sort == Some(Sort::Category);
        let places = if is_by_category { categories.places() } else { Vec::new() };
        let titles = BTreeMap::new();
        Self { choice, among, categories, repetition, places, titles, rows: Vec::new() }
    }

    /// Looks at one run. Runs come in the order of the history, which breaks all ties.
    pub(crate) fn offer(&mut self, view: &RunView, group: &str, run: Option<&Run<'_>>) {
        let choice = self.choice;
        if choice.outcome.is_some_and(|outcome| outcome != view.outcome)
            || choice.reward.is_some_and(|wanted| !has_reward(wanted, view))
            || self.among.as_ref().is_some_and(|among| !among.contains(&view.id))
        {
            return;
        }
        let key = match choice.sort {
            None => Key::Missing,
            Some(Sort::Category) => self.category(view.id),
            Some(Sort::Verdict) => {
                let stuck = self.repetition.stuck(view.id);
                stuck.map_or(Key::Unseen, |attempts| Key::Number(f64::from(attempts)))
            }
            Some(sort) => key(view, group, run, sort),
        };
        let title = match choice.by {
            None => "",
            Some(GroupBy::Group) => group,
            Some(GroupBy::Task) => view.task.as_deref().unwrap_or_default(),
            Some(GroupBy::Outcome) => view.outcome.as_str(),
            Some(GroupBy::Category) => self.categories.title(view.id),
        };
        let next = count(self.titles.len());
        let title = match self.titles.get(title) {
            Some(known) => *known,
            None => *self.titles.entry(title.to_owned()).or_insert(next),
        };
        let is_solved = view.first_success.is_some();
        let is_judged = is_solved || choice.by.is_some() && run.is_some_and(Run::is_judged);
        self.rows.push((key, view.id, title, is_judged.then_some(is_solved)));
    }

    fn category(&self, run: RunId) -> Key {
        match self.categories.place(run, &self.places) {
            Some((place, times)) => Key::Category(place, times),
            None if self.categories.is_known(run) => Key::Missing,
            None => Key::Unseen,
        }
    }

    /// The runs in order.
    pub(crate) fn finish(mut self) -> SortedRuns {
        if self.choice.sort.is_some() {
            let falling = self.choice.is_falling;
            self.rows.sort_by(|(a, ..), (b, ..)| compare(a, b, falling));
        }
        let Some(by) = self.choice.by else {
            return SortedRuns {
                runs: self.rows.into_iter().map(|(_, id, ..)| id).collect(),
                headings: Vec::new(),
            };
        };
        // Of a sorted list, the group of the first run comes first; else groups have their own order.
        let mut place = vec![u32::MAX; self.titles.len()];
        let mut titles: Vec<(&String, u32)> = self.titles.iter().map(|(t, at)| (t, *at)).collect();
        if self.choice.sort.is_some() {
            let mut next = 0;
            for (_, _, title, _) in &self.rows {
                let slot = &mut place[*title as usize];
                if *slot == u32::MAX {
                    *slot = next;
                    next += 1;
                }
            }
        } else {
            titles.sort_by(|(a, _), (b, _)| among_titles(by, a, b));
            (0..).zip(&titles).for_each(|(at, (_, title))| place[*title as usize] = at);
        }
        self.rows.sort_by_key(|(_, _, title, _)| place[*title as usize]);
        let mut names = vec![""; titles.len()];
        for (name, at) in &titles {
            names[*at as usize] = name;
        }
        let mut headings: Vec<(u32, Heading)> = Vec::new();
        let mut last = None;
        for (at, (_, _, title, is_solved)) in (0..).zip(&self.rows) {
            if last != Some(*title) {
                last = Some(*title);
                let title = names[*title as usize].to_owned();
                headings.push((at, Heading { title, ..Heading::default() }));
            }
            if let Some((_, heading)) = headings.last_mut() {
                heading.runs += 1;
                heading.solved += u32::from(*is_solved == Some(true));
                heading.judged += u32::from(is_solved.is_some());
            }
        }
        SortedRuns { runs: self.rows.iter().map(|(_, id, ..)| *id).collect(), headings }
    }
}

fn has_reward(wanted: RewardIs, view: &RunView) -> bool {
    match wanted {
        RewardIs::Reported => view.reward_origin == Origin::Reported,
        RewardIs::Derived => view.reward_origin == Origin::Derived,
        RewardIs::None => view.reward_origin == Origin::None,
        RewardIs::Low => view.last.is_some_and(|reward| reward < 0.5),
        RewardIs::High => view.last.is_some_and(|reward| reward >= 0.5),
    }
}

/// Groups in an order of their own; what has no title comes last.
fn among_titles(by: GroupBy, a: &str, b: &str) -> Ordering {
    let place = |title: &str| OUTCOMES.iter().position(|outcome| outcome.as_str() == title);
    match by {
        GroupBy::Outcome => place(a).cmp(&place(b)),
        GroupBy::Category => categories::by_title(a, b),
        GroupBy::Group | GroupBy::Task => {
            a.is_empty().cmp(&b.is_empty()).then_with(|| natural(a, b))
        }
    }
}

fn key(view: &RunView, group: &str, run: Option<&Run<'_>>, sort: Sort) -> Key {
    let number = |value: Option<f64>| value.map_or(Key::Missing, Key::Number);
    match sort {
        Sort::Key => Key::Text(view.key.clone()),
        Sort::Group => Key::Text(group.to_owned()),
        Sort::Iterations => Key::Number(f64::from(view.iterations)),
        Sort::Reflections => Key::Number(f64::from(view.reflections)),
        Sort::Findings => Key::Number(f64::from(view.findings)),
        Sort::Best => number(view.best),
        Sort::Last => number(view.last),
        // No columns of the history: the sorter knows them.
        Sort::Category | Sort::Verdict => Key::Missing,
        Sort::Outcome => match view.outcome {
            Outcome::Unknown => Key::Missing,
            outcome => Key::Number(f64::from(outcome as u8)),
        },
        Sort::FirstSuccess => number(view.first_success.map(f64::from)),
        Sort::Start => number(times(view, run).0),
        Sort::End => number(times(view, run).1),
        Sort::Duration => number(duration(times(view, run))),
        Sort::Tokens => number(run.and_then(|run| Some(run.usage().tokens?.sum))),
        Sort::Cost => number(run.and_then(|run| Some(run.usage().cost_usd?.sum))),
        Sort::Trend => number(run.and_then(change)),
        Sort::Trajectory => match run.map(Run::trajectory) {
            None | Some(hindscope::TrajectoryClass::InsufficientData) => Key::Missing,
            Some(trajectory) => Key::Number(f64::from(trajectory as u8)),
        },
        Sort::Selected => number(run.and_then(selected).and_then(|(_, reward)| reward)),
    }
}

/// Change from the first reward to the last.
fn change(run: &Run<'_>) -> Option<f64> {
    let mut known = run.rewards().iter().filter(|reward| !reward.is_nan());
    let first = known.next()?;
    Some(known.next_back()? - first)
}

/// Number and reward of the iteration that is taken as the result.
pub(crate) fn selected(run: &Run<'_>) -> Option<(i64, Option<f64>)> {
    let number = run.selected(&InsightOptions::default())?;
    let at = run.numbers().iter().position(|other| *other == number)?;
    Some((number, run.rewards().get(at).copied().filter(|reward| !reward.is_nan())))
}

/// First and last time that is known of a run.
pub(crate) fn times(view: &RunView, run: Option<&Run<'_>>) -> (Option<f64>, Option<f64>) {
    let own = run.map_or(&[][..], |run| run.columns().times_ms);
    let known = || own.iter().copied().filter(|time| !time.is_nan());
    let start = view.start_ms.or_else(|| known().reduce(f64::min));
    let end = view.end_ms.or_else(|| known().reduce(f64::max));
    (start, end)
}

/// Milliseconds from the first to the last time; none unless the last is later.
pub(crate) fn duration((start, end): (Option<f64>, Option<f64>)) -> Option<f64> {
    Some(end? - start?).filter(|length| *length > 0.0)
}

fn compare(a: &Key, b: &Key, falling: bool) -> Ordering {
    // A column has one kind of keys besides `Missing` and `Unseen`, which are last in both directions.
    let kind = |key: &Key| match key {
        Key::Number(_) => 0,
        Key::Text(_) => 1,
        Key::Category(..) => 2,
        Key::Missing => 3,
        Key::Unseen => 4,
    };
    let order = match (a, b) {
        (Key::Number(a), Key::Number(b)) => a.total_cmp(b),
        (Key::Text(a), Key::Text(b)) => natural(a, b),
        (Key::Category(a, _), Key::Category(b, _)) => a.cmp(b),
        _ => return kind(a).cmp(&kind(b)),
    };
    let order = if falling { order.reverse() } else { order };
    match (a, b) {
        // Of one category, runs that have it most stand first in both directions.
        (Key::Category(_, a), Key::Category(_, b)) => order.then(b.cmp(a)),
        _ => order,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{UNSEEN, sample_view};

    fn run(id: u32, key: &str, outcome: Outcome, last: Option<f64>) -> RunView {
        let first_success = (outcome == Outcome::Success).then_some(0);
        RunView { id: RunId(id), first_success, ..sample_view(key, outcome, last) }
    }

    fn ordered(choice: &Choice) -> SortedRuns {
        let categories = Categories::default();
        let repetition = Repetition::default();
        let mut sorter = RunSorter::new(choice, None, &categories, &repetition);
        for view in [
            run(0, "env_10", Outcome::Success, Some(0.5)),
            run(1, "env_2", Outcome::Failure, None),
            run(2, "env_1", Outcome::Success, Some(0.9)),
        ] {
            sorter.offer(&view, "logs/alf", None);
        }
        sorter.finish()
    }

    fn order(choice: &Choice) -> Vec<u32> {
        ordered(choice).runs.iter().map(|id| id.0).collect()
    }

    #[test]
    fn headings_count_their_runs() {
        let by = Some(GroupBy::Outcome);
        let list = ordered(&Choice { by, ..Choice::default() });
        let heads: Vec<_> = list
            .headings
            .iter()
            .map(|(at, h)| (*at, h.title.as_str(), h.runs, h.judged, h.solved))
            .collect();
        assert_eq!(heads, [(0, "success", 2, 2, 2), (2, "failure", 1, 0, 0)]);
        assert_eq!(*list.runs, [RunId(0), RunId(2), RunId(1)]);
        // Sorted, the group of the first run comes first.
        let sort = Some(Sort::Last);
        let list = ordered(&Choice { by, sort, is_falling: true, ..Choice::default() });
        assert_eq!(*list.runs, [RunId(2), RunId(0), RunId(1)]);
        assert_eq!(ordered(&Choice { sort, ..Choice::default() }).headings, []);
    }

    #[test]
    fn rewards_are_filtered_by_what_is_known() {
        let by = |reward| order(&Choice { reward: Some(reward), ..Choice::default() });
        assert_eq!(by(RewardIs::High), [0, 2]);
        assert_eq!(by(RewardIs::Low), [0u32; 0], "absence is not low");
        assert_eq!(by(RewardIs::None), [0, 1, 2]);
    }

    #[test]
    fn missing_is_last_in_both_directions() {
        let by = |sort, is_falling| order(&Choice { sort, is_falling, ..Choice::default() });
        assert_eq!(by(None, false), [0, 1, 2], "without a choice, the order of the history");
        assert_eq!(by(Some(Sort::Last), false), [0, 2, 1]);
        assert_eq!(by(Some(Sort::Last), true), [2, 0, 1]);
        assert_eq!(by(Some(Sort::Key), false), [2, 1, 0]);
    }

    #[test]
    fn categories_stand_as_the_schema_lists_them_and_the_unseen_last() {
        let mut categories = Categories::default();
        let count = |category: &str, reflections| hindscope::CategoryCount {
            category: category.to_owned(),
            reflections,
        };
        categories.keep(RunId(0), &[]);
        categories.keep(RunId(1), &[count("logic_error", 2)]);
        categories.keep(RunId(2), &[count("race", 9)]);
        categories.keep(RunId(3), &[count("hallucination", 1)]);
        categories.leave(RunId(4));
        categories.keep(RunId(6), &[count("logic_error", 5)]);
        let list = |choice: &Choice| {
            let repetition = Repetition::default();
            let mut sorter = RunSorter::new(choice, None, &categories, &repetition);
            for id in 0..7 {
                sorter.offer(&run(id, "x", Outcome::Failure, None), "", None);
            }
            let list = sorter.finish();
            let titles: Vec<_> = list.headings.iter().map(|(_, h)| h.title.clone()).collect();
            (list.runs.iter().map(|run| run.0).collect::<Vec<_>>(), titles)
        };
        let by = |sort, is_falling, by| list(&Choice { sort, is_falling, by, ..Choice::default() });
        assert_eq!(by(Some(Sort::Category), false, None).0, [3, 6, 1, 2, 0, 4, 5]);
        assert_eq!(by(Some(Sort::Category), true, None).0, [2, 6, 1, 3, 0, 4, 5]);
        let (runs, titles) = by(None, false, Some(GroupBy::Category));
        assert_eq!(titles, ["hallucination", "logic_error", "race", "", UNSEEN]);
        assert_eq!(runs, [3, 1, 6, 2, 0, 4, 5]);
    }

    #[test]
    fn an_outcome_is_a_filter() {
        let outcome = Some(Outcome::Success);
        assert_eq!(order(&Choice { outcome, ..Choice::default() }), [0, 2]);
    }
}
