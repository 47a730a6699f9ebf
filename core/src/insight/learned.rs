//! What to say of several runs first: how many were solved, who got stuck, and what retries brought
//! (`headline/*`).

use std::collections::{BTreeMap, BTreeSet};

use super::headline::{Headline, reward};
use super::verdict::{RunVerdict, begins_at_first};
use crate::format::Family;
use crate::history::{History, Run};
use crate::model::id::{GroupId, RunId};
use crate::model::outcome::Outcome;
use crate::model::view::GroupView;
use crate::text::{counted, whole};

/// What a run adds to the counts.
struct Fate {
    run: RunId,
    /// Whether it, or one of its attempts, says how it ended; one that goes on may still be solved.
    is_judged: bool,
    is_solved: bool,
    /// Whether its first success is the last attempt: what it got stuck in came before.
    ends_solved: bool,
    end: Outcome,
    /// None while it is not known.
    is_stuck: Option<bool>,
    /// At which attempt it was solved, from 0; none where its first attempts are not on record.
    solved_at: Option<i64>,
    /// Attempts that count.
    attempts: usize,
    best: Option<f64>,
}

impl History {
    /// The headline of a group (`headline/*`): that of its only run, or what its runs came to. None for an
    /// unknown group.
    pub fn headline(&self, group: GroupId) -> Option<Headline> {
        let runs = self.runs_in(group);
        if runs.is_empty() {
            return Some(of_curve(self.groups().get(group.0 as usize)?));
        }
        Some(self.headline_by(&runs, &self.verdicts(&runs)))
    }

    /// The headline of some runs by their verdicts.
    pub(crate) fn headline_by(&self, runs: &[RunId], verdicts: &[RunVerdict]) -> Headline {
        let verdicts: BTreeMap<_, _> = verdicts.iter().map(|v| (v.run, v)).collect();
        self.headline_of(runs, |run| verdicts.get(&run)?.is_stuck())
    }

    /// What some runs came to, such as those that a filter leaves (`headline/*`). `is_stuck` is what
    /// [`RunVerdict::is_stuck`](crate::RunVerdict::is_stuck) says of each. Ids that are not known are left
    /// out.
    pub fn headline_of(
        &self,
        runs: &[RunId],
        is_stuck: impl Fn(RunId) -> Option<bool>,
    ) -> Headline {
        let runs: Vec<_> = runs.iter().filter_map(|&id| self.run(id).ok()).collect();
        if let [run] = &runs[..]
            && let Some(verdict) = self.verdicts(&[run.id()]).pop()
        {
            return verdict.headline;
        }
        // In several experiments, the same task may be several runs.
        let groups: BTreeSet<_> = runs.iter().map(Run::group).collect();
        let is_task = |run: &Run<'_>| run.format().family() != Family::Loops;
        let noun = if groups.len() < 2 && runs.iter().all(is_task) { "task" } else { "run" };
        let has_gaps =
            runs.iter().any(|run| run.numbers().array_windows().any(|[a, b]| a + 1 < *b));
        let fates: Vec<_> = runs.iter().map(|run| fate(run, is_stuck(run.id()))).collect();
        let fates: Vec<_> = fates.iter().collect();
        let mut headline = Headline::default();
        say_solved(&mut headline, &fates, noun);
        say_stuck(&mut headline, &fates);
        say_retries(&mut headline, &fates, has_gaps);
        say_lost(&mut headline, &fates);
        say_rewards(&mut headline, &fates);
        headline
    }
}

fn fate(run: &Run<'_>, is_stuck: Option<bool>) -> Fate {
    let view = run.view();
    let outcomes = run.outcomes();
    let has_ended = view.outcome.is_ended() || outcomes.iter().any(|outcome| outcome.is_ended());
    let is_solved = view.first_success.is_some() || view.outcome == Outcome::Success;
    let first = run.numbers().first().copied().filter(|&n| begins_at_first(&view, Some(n)));
    let solved_at = view.first_success_number.zip(first);
    Fate {
        run: run.id(),
        is_judged: is_solved || has_ended && view.outcome != Outcome::Running,
        is_solved,
        ends_solved: is_solved
            && view.first_success.is_none_or(|at| at as usize + 1 == outcomes.len()),
        end: view.outcome,
        is_stuck,
        // Of a search nothing says at which of its programs it was solved.
        solved_at: solved_at
            .filter(|_| !run.format().is_search())
            .map(|(number, first)| number.saturating_sub(first)),
        attempts: outcomes[run.counted()].iter().filter(|o| **o != Outcome::Void).count(),
        best: view.best.or(view.reward),
    }
}

/// Those of some runs that fit.
fn those<'a>(fates: &[&'a Fate], fits: impl Fn(&Fate) -> bool) -> Vec<&'a Fate> {
    fates.iter().copied().filter(|fate| fits(fate)).collect()
}

fn ids(fates: &[&Fate]) -> Vec<RunId> {
    fates.iter().map(|fate| fate.run).collect()
}

/// One word for one thing, another one for any other number of them.
fn one<'a>(n: usize, one: &'a str, other: &'a str) -> &'a str {
    if n == 1 { one } else { other }
}

fn say_solved(headline: &mut Headline, fates: &[&Fate], noun: &str) {
    let judged = those(fates, |fate| fate.is_judged);
    let solved = those(&judged, |fate| fate.is_solved);
    let running = those(fates, |fate| fate.end == Outcome::Running);
    let silent = those(fates, |fate| !fate.is_judged && fate.end != Outcome::Running);
    let n = judged.len();
    let that = if n < fates.len() { " with a recorded outcome" } else { "" };
    let text = match (n, solved.len()) {
        (0, _) if fates.is_empty() => format!("There are no {noun}s"),
        (0, _) => format!("None of the {} {noun}s has a recorded outcome", whole(fates.len())),
        (1, 0) => format!("The only {noun}{that} was not solved"),
        (_, 0) => format!("None of the {} {noun}s{that} was solved", whole(n)),
        (_, s) if s < n => {
            let was = one(s, "was", "were");
            format!("{} of {} {noun}s{that} {was} solved", whole(s), whole(n))
        }
        (1, _) => format!("The only {noun}{that} was solved"),
        (2, _) => format!("Both {noun}s{that} were solved"),
        _ => format!("All {} {noun}s{that} were solved", whole(n)),
    };
    headline.count("headline/solved", ids(if n == 0 { fates } else { &solved }), text);
    let at_once = those(&solved, |fate| fate.solved_at == Some(0));
    let is_placed = solved.iter().all(|fate| fate.solved_at.is_some());
    if judged.iter().any(|fate| fate.attempts > 1) && !solved.is_empty() {
        let text = match at_once.len() {
            0 if solved.len() > 1 && is_placed => ", none of them at the first attempt".to_owned(),
            0 => String::new(),
            1 if solved.len() == 1 => ", at the first attempt".to_owned(),
            all if all == solved.len() => ", all of them at the first attempt".to_owned(),
            some => format!(", {} of them at the first attempt", whole(some)),
        };
        if !text.is_empty() {
            headline.count("headline/solved", ids(&at_once), text);
        }
    }
    headline.say("headline/solved", ".");
    if !running.is_empty() {
        let text = match running.len() {
            all if all == fates.len() => "All of them are recorded as running.".to_owned(),
            some => format!("{} {} recorded as running.", whole(some), one(some, "is", "are")),
        };
        headline.count("headline/solved", ids(&running), text);
    }
    if n > 0 && !silent.is_empty() {
        let text = format!(
            "{} {} no recorded outcome.",
            counted(silent.len(), noun),
            one(silent.len(), "has", "have")
        );
        headline.count("headline/solved", ids(&silent), text);
    }
}

fn say_stuck(headline: &mut Headline, fates: &[&Fate]) {
    let stuck = those(fates, |fate| fate.is_stuck == Some(true));
    let solved = those(&stuck, |fate| fate.ends_solved);
    let all = stuck.len();
    let before = format!("before {} solved", one(solved.len(), "it was", "they were"));
    if all > 0 && solved.len() == all {
        headline.count(
            "headline/stuck",
            ids(&stuck),
            format!("{} got stuck {before}.", whole(all)),
        );
    } else if all > 0 {
        headline.count("headline/stuck", ids(&stuck), format!("{} got stuck", whole(all)));
        if !solved.is_empty() {
            let text = format!(", {} of them {before}", whole(solved.len()));
            headline.count("headline/stuck", ids(&solved), text);
        }
        headline.say("headline/stuck", ".");
    }
    let checked = those(fates, |fate| fate.is_stuck.is_some()).len();
    if checked < fates.len() {
        let text = format!("Checked {} of {} for repetition.", whole(checked), whole(fates.len()));
        headline.say("headline/stuck", text);
    }
}

/// What retries solved of what the first attempt left.
fn say_retries(headline: &mut Headline, fates: &[&Fate], has_gaps: bool) {
    let judged = those(fates, |fate| fate.is_judged);
    // Of those that do not say at which attempt they were solved, nothing is known here.
    let left = those(&judged, |fate| !fate.is_solved || fate.solved_at > Some(0));
    let again = those(&left, |fate| fate.attempts > 1);
    let solved = those(&again, |fate| fate.is_solved);
    let most = again.iter().map(|fate| fate.attempts - 1).max().unwrap_or(0);
    if most == 0 || judged.iter().all(|fate| !fate.is_solved) {
        return;
    }
    let at_once = those(&judged, |fate| fate.solved_at == Some(0));
    let text = match left.len() {
        n if at_once.len() + n < judged.len() => {
            format!("Of {} that the first attempt did not solve, ", whole(n))
        }
        1 => "Of the one that was left, ".to_owned(),
        n => format!("Of the {} that were left, ", whole(n)),
    };
    headline.count("headline/retry", ids(&left), text);
    if again.len() < left.len() {
        let text =
            format!("{} {} tried again: ", whole(again.len()), one(again.len(), "was", "were"));
        headline.count("headline/retry", ids(&again), text);
    }
    let first = those(&solved, |fate| fate.solved_at == Some(1));
    if most > 1 && !first.is_empty() && !has_gaps {
        let later = those(&solved, |fate| fate.solved_at != Some(1));
        let text = format!("the first retry solved {}", whole(first.len()));
        headline.count("headline/retry", ids(&first), text);
        if !later.is_empty() {
            let text = format!(", later ones {}", whole(later.len()));
            headline.count("headline/retry", ids(&later), text);
        }
        headline.say("headline/retry", ".");
        return;
    }
    let is_same = those(&again, |fate| !fate.is_solved && fate.attempts <= most).is_empty();
    let by = match most {
        1 => "by a retry".to_owned(),
        _ if has_gaps => "by retries".to_owned(),
        n if is_same => format!("within {n} retries each"),
        n => format!("within up to {n} retries each"),
    };
    let text = match solved.len() {
        0 => format!("none was solved {by}."),
        n => format!("{} {} solved {by}.", whole(n), one(n, "was", "were")),
    };
    headline.count("headline/retry", ids(&solved), text);
}

fn say_lost(headline: &mut Headline, fates: &[&Fate]) {
    let lost = those(fates, |fate| fate.is_solved && fate.end == Outcome::Failure);
    if !lost.is_empty() {
        let text = format!("{} ended in failure after a success.", whole(lost.len()));
        headline.count("headline/end", ids(&lost), text);
    }
}

/// Between which rewards the best of each run lie, where no run says how it ended.
fn say_rewards(headline: &mut Headline, fates: &[&Fate]) {
    if fates.iter().any(|fate| fate.is_judged) {
        return;
    }
    let rewarded = those(fates, |fate| fate.best.is_some());
    let best = || rewarded.iter().filter_map(|fate| fate.best);
    let (Some(low), Some(high)) = (best().reduce(f64::min), best().reduce(f64::max)) else {
        return;
    };
    let [low, high] = [low, high].map(reward);
    let of = match rewarded.len() {
        all if all == fates.len() => String::new(),
        some => format!(" of the {} that have one", whole(some)),
    };
    let text = if low == high {
        format!("The best reward{of} is {high}.")
    } else {
        format!("The best rewards{of} are between {low} and {high}.")
    };
    headline.count("headline/reward", ids(&rewarded), text);
}

/// Of totals of trials, which name no task.
fn of_curve(group: &GroupView) -> Headline {
    let mut headline = Headline::default();
    let (Some(all), Some(first), Some(last), Some(number)) = (
        group.attempted.first(),
        group.solved_after.first(),
        group.solved_after.last(),
        group.numbers.last(),
    ) else {
        headline.say("headline/solved", "There are no runs.");
        return headline;
    };
    if group.numbers.len() == 1 {
        let text = format!("{last} of {all} tasks were solved in trial {number}.");
        headline.say("headline/solved", text);
        return headline;
    }
    let text = format!(
        "{last} of {all} tasks were solved up to trial {number}, {first} of them in the first one."
    );
    headline.say("headline/solved", text);
    let left = all.saturating_sub(*first);
    if left > 0 {
        let solved = last.saturating_sub(*first);
        let text = format!("Of the {left} that were left, later trials solved {solved}.");
        headline.say("headline/retry", text);
    }
    headline
}
