//! Which of several experiments over the same tasks solved more, and how sure that is
//! (`headline/compare`).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::headline::{Headline, p_value, signed_points};
use crate::error::Error;
use crate::history::{History, Run};
use crate::model::id::{GroupId, RunId};
use crate::model::outcome::Outcome;
use crate::model::rates::{Interval, Rate, correlation, difference, mcnemar};
use crate::model::reward::{count, points};
use crate::model::thresholds::{CHANCE, ENOUGH_RETRIES};
use crate::text::whole;

/// Experiments over the same tasks, after as many attempts each (`headline/compare`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// How many attempts of each task count.
    pub attempts: u32,
    /// Tasks that all of them have, and that all say how they ended up to there.
    pub tasks: u32,
    /// The experiments, in the order that was asked for. The first is what the others are compared with.
    pub experiments: Vec<ComparedExperiment>,
    /// It in words.
    pub headline: Headline,
}

/// One of the experiments of a [`Comparison`]. The first, and all of fewer than 5 tasks, are compared with
/// none: what compares is absent.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedExperiment {
    /// Its group.
    pub group: GroupId,
    /// The label of the group.
    pub label: String,
    /// Tasks that it solved.
    pub solved: u32,
    /// Between which shares, 0..1, its rate lies with a confidence of 95 %.
    pub interval: Option<Interval>,
    /// Tasks that it solved and the first experiment did not.
    pub only_this: Option<u32>,
    /// Tasks that the first experiment solved and it did not.
    pub only_first: Option<u32>,
    /// Difference of its rate and that of the first experiment, in points.
    pub points: Option<f64>,
    /// Between which points it lies with a confidence of 95 %: Newcombe's method for pairs.
    pub points_interval: Option<Interval>,
    /// How likely it is that the two differ at least as unevenly by chance: McNemar's exact test, two-sided,
    /// corrected by Holm's method for the number of experiments that are compared with the first.
    pub p_value: Option<f64>,
    /// Whether the difference is more than chance: its interval leaves out 0, and
    /// the p-value is less than 0.05.
    pub is_clear: Option<bool>,
}

/// Whether each task that says how it ended was solved, by its name.
type Solved<'a> = BTreeMap<&'a str, bool>;

impl History {
    /// Compares experiments over the same tasks with the first of them (`headline/compare`). Tasks are the
    /// same if their runs have the same key. So many `attempts` of each count, at most as many as the
    /// experiment with the fewest made.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`](crate::ErrorCode::InvalidOption) for fewer than two groups, for one that
    /// is unknown or named twice, for 0 attempts, and if they have no task in common.
    pub fn compare(&self, groups: &[GroupId], attempts: Option<u32>) -> Result<Comparison, Error> {
        let is_twice = |(at, group)| groups[..at].contains(group);
        if groups.len() < 2 || groups.iter().enumerate().any(is_twice) {
            return Err(Error::invalid_option(
                "A comparison needs two different groups or more. `groups()` lists them.",
            ));
        }
        if attempts == Some(0) {
            return Err(Error::invalid_option("A comparison needs at least one attempt."));
        }
        let mut experiments = Vec::new();
        for &group in groups {
            let (label, _, runs) = self.group_runs(group).ok_or_else(|| {
                Error::invalid_option(format!("No group has the id {}.", group.0))
            })?;
            // Some count their attempts from 0, and others from 1.
            let first = runs.iter().filter_map(|run| run.numbers().first()).min().copied();
            let last = runs.iter().filter_map(|run| run.numbers().last()).max().copied();
            let made = first.zip(last).map_or(0, |(first, last)| last.saturating_sub(first) + 1);
            experiments.push((group, label, runs, first.unwrap_or(0), made));
        }
        let fewest = experiments.iter().map(|(.., made)| *made).min().unwrap_or(0);
        let attempts = attempts.map_or(fewest, |attempts| fewest.min(i64::from(attempts)));
        let solved: Vec<Solved<'_>> = experiments
            .iter()
            .map(|(_, _, runs, first, _)| {
                let last = first.saturating_add(attempts - 1);
                runs.iter().filter_map(|run| Some((run.key(), is_solved(run, last)?))).collect()
            })
            .collect();
        let is_of_all = |key: &&str| solved.iter().all(|of| of.contains_key(key));
        let tasks: Vec<_> = solved[0].keys().copied().filter(is_of_all).collect();
        if tasks.is_empty() {
            return Err(Error::invalid_option(
                "These groups cannot be compared: no task with the same name says in all of them how it ended.",
            ));
        }
        let unlike = |at: usize, than: usize| {
            let only = |key: &&str| solved[at].get(key) > solved[than].get(key);
            let keys: BTreeSet<_> = tasks.iter().copied().filter(only).collect();
            let runs = experiments[at].2.iter().filter(|run| keys.contains(run.key()));
            runs.map(Run::id).collect::<Vec<_>>()
        };
        let only = (groups.len() == 2).then(|| [unlike(1, 0), unlike(0, 1)]);
        let rows = experiments.iter().zip(&solved).enumerate();
        let mut compared: Vec<_> = rows
            .map(|(at, ((group, label, ..), of))| {
                experiment(*group, label, pairs(&tasks, of, &solved[0]), at > 0)
            })
            .collect();
        correct(&mut compared);
        let (attempts, tasks) = (count(attempts), count(tasks.len()));
        let headline = said(attempts, tasks, &compared, only);
        Ok(Comparison { attempts, tasks, experiments: compared, headline })
    }
}

/// Whether a run was solved up to and with the attempt of this number. A run whose last attempt up to
/// there does not say how it ended may have been.
fn is_solved(run: &Run<'_>, at: i64) -> Option<bool> {
    let ended = run.numbers().iter().zip(run.outcomes());
    let mut last = None;
    for (_, outcome) in ended.filter(|(number, _)| **number <= at) {
        match outcome {
            Outcome::Success => return Some(true),
            Outcome::Void => {}
            other => last = Some(*other),
        }
    }
    last.filter(|outcome| outcome.is_ended()).map(|_| false)
}

/// Tasks that were solved in both, in one only, in the first experiment only, and in neither.
fn pairs(tasks: &[&str], one: &Solved<'_>, first: &Solved<'_>) -> [u32; 4] {
    let mut counts = [0; 4];
    for key in tasks {
        let [one, first] = [one, first].map(|of| of.get(key) == Some(&true));
        counts[2 * usize::from(!one) + usize::from(!first)] += 1;
    }
    counts
}

/// An experiment, and how it differs from the first one if it `is_other`.
fn experiment(group: GroupId, label: &str, pairs: [u32; 4], is_other: bool) -> ComparedExperiment {
    let [both, only_this, only_first, neither] = pairs;
    let all = pairs.iter().sum();
    let (rate, of_first) =
        (Rate { part: both + only_this, all }, Rate { part: both + only_first, all });
    let correlation = correlation(both, only_this, only_first, neither);
    let is_compared = is_other && all >= ENOUGH_RETRIES;
    let between = difference(rate, of_first, correlation).filter(|_| is_compared);
    let shares = rate.share().zip(of_first.share()).filter(|_| is_compared);
    ComparedExperiment {
        group,
        label: label.to_owned(),
        solved: rate.part,
        interval: rate.interval(),
        only_this: is_other.then_some(only_this),
        only_first: is_other.then_some(only_first),
        points: shares.map(|(one, first)| points(one - first)),
        points_interval: between.map(Interval::points),
        p_value: is_compared.then(|| mcnemar(only_this, only_first)),
        is_clear: between.map(Interval::is_clear),
    }
}

/// Corrects the p-values by Holm's method: of m, the n-th smallest is multiplied by m - n + 1, and none is
/// below one before it.
fn correct(compared: &mut [ComparedExperiment]) {
    let mut order: Vec<_> = compared.iter_mut().filter(|one| one.p_value.is_some()).collect();
    order.sort_by(|a, b| a.p_value.partial_cmp(&b.p_value).unwrap_or(std::cmp::Ordering::Equal));
    let mut left = count(order.len());
    let mut least = 0.0_f64;
    for one in order {
        least = least.max((one.p_value.unwrap_or(1.0) * f64::from(left)).min(1.0));
        left -= 1;
        one.p_value = Some(least);
        one.is_clear = one.is_clear.map(|is_clear| is_clear && least < CHANCE);
    }
}

/// `only` has the runs of tasks that only the second of two experiments solved, and that only the first did.
fn said(
    attempts: u32,
    tasks: u32,
    experiments: &[ComparedExperiment],
    only: Option<[Vec<RunId>; 2]>,
) -> Headline {
    let mut headline = Headline::default();
    let Some((first, others)) = experiments.split_first() else { return headline };
    let after = match attempts {
        1 => "After one attempt each".to_owned(),
        n => format!("After {n} attempts each"),
    };
    let all = if others.len() == 1 { "both" } else { "all" };
    let of = match tasks {
        1 => format!("the only task that {all} have"),
        n => format!("the {} tasks that {all} have", whole(n)),
    };
    let text = format!("{after}, {} solved {} of {of}", first.label, whole(first.solved));
    headline.say("headline/compare", text);
    for other in others {
        let text = format!("; {} solved {}", other.label, whole(other.solved));
        headline.say("headline/compare", text);
        let compared = other.points.zip(other.points_interval).zip(other.p_value);
        let Some(((points, interval), p)) = compared else { continue };
        let [points, low, high] = [points, interval.low, interval.high].map(signed_points);
        let chance = if other.is_clear == Some(true) { "" } else { ", which may be chance" };
        let p = p_value(p);
        headline.say("headline/compare", ": ");
        let text = format!("{points} points (95 % interval {low} to {high}), {p}{chance}");
        headline.say("headline/compare", text);
    }
    let is_too_few = others.iter().all(|other| other.points.is_none());
    let end = if is_too_few { ". These are too few tasks to compare." } else { "." };
    headline.say("headline/compare", end);
    let sides = others.iter().chain([first]).map(|one| &one.label);
    let only = only.into_iter().flatten().zip(sides).filter(|(runs, _)| !runs.is_empty());
    let mut before = "";
    for (runs, label) in only {
        let text = match (runs.len(), before) {
            (n, ", ") => format!("{} by {label} only", whole(n)),
            (1, _) => format!("One task was solved by {label} only"),
            (n, _) => format!("{} tasks were solved by {label} only", whole(n)),
        };
        if !before.is_empty() {
            headline.say("headline/compare", before);
        }
        headline.count("headline/compare", runs, text);
        before = ", ";
    }
    if !before.is_empty() {
        headline.say("headline/compare", ".");
    }
    headline
}
