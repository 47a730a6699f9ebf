//! What to say of one run first: where it was stuck, and how it ended (`headline/*`).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::context::InsightContext;
use super::headline::{Headline, reward};
use super::stretch::{between, stretch_of};
use super::trajectory::is_verdicts;
use super::{oscillation, stuck};
use crate::error::Error;
use crate::history::History;
use crate::history::loaded_run::{LoadedRun, LoadedStep};
use crate::model::finding::Finding;
use crate::model::id::RunId;
use crate::model::options::InsightOptions;
use crate::model::outcome::Outcome;
use crate::model::reward::Origin;
use crate::model::thresholds::REPEATED_REFLECTIONS;
use crate::model::view::{BaseProvenance, RunView};
use crate::text::counted;

/// The rules that find a stretch in which a run may be stuck.
const STRETCHES: [&str; 5] = [
    "stuck/repeated-reflection",
    "stuck/near-repeat",
    "stuck/cycle-2",
    "stuck/cycle-3",
    "stuck/flat",
];

/// Stands behind the first number of an attempt that could be taken for a count.
const FROM_ZERO: &str = " (counted from 0)";

/// More stretches than this are counted and not listed.
const MOST_STRETCHES: usize = 3;

/// What to say of one run first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunVerdict {
    /// The run.
    pub run: RunId,
    /// Where it was stuck, in order.
    pub stuck: Vec<StuckStretch>,
    /// Whether all of its reflections have been compared. If not, it may be stuck where `stuck` does not
    /// say so.
    pub is_checked: bool,
    /// It in words.
    pub headline: Headline,
}

/// Attempts in a row that repeat each other, without a success and without a better reward.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StuckStretch {
    /// Number of the first attempt.
    pub from: i64,
    /// Number of the last one.
    pub to: i64,
    /// Id of the rule that found it.
    pub rule: Cow<'static, str>,
}

impl RunVerdict {
    /// Whether it was stuck anywhere; none while that cannot be said, because reflections were not compared.
    pub fn is_stuck(&self) -> Option<bool> {
        (self.is_checked || !self.stuck.is_empty()).then_some(!self.stuck.is_empty())
    }
}

impl History {
    /// Where a run was stuck and how it ended, in words (`headline/*`). Reflections are compared as far as
    /// they have been read: see [`LoadedRun::needs_sketches`].
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRun`](crate::ErrorCode::NoSuchRun).
    ///
    /// # Example: the same reflection three times
    ///
    /// ```
    /// use hindscope::{History, Profile};
    ///
    /// let line = |n| format!(
    ///     r#"{{"trial_number":{n},"loop_id":"a","outcome":"failure","reflection":"Retry."}}"#
    /// );
    /// let text = [line(1), line(2), line(3)].join("\n");
    /// let mut history = History::new(Profile::Lenient);
    /// let source = history.open("loop.jsonl");
    /// history.push(source, text.as_bytes())?;
    /// history.finish(source)?;
    ///
    /// let mut run = history.loaded_run(history.runs()[0].id)?;
    /// for span in history.needs(&run) {
    ///     let (start, end) = (span.start as usize, span.end as usize);
    ///     history.load(&mut run, span.record, &text.as_bytes()[start..end])?;
    /// }
    /// assert_eq!(
    ///     history.verdict(&run)?.headline.says,
    ///     "Stuck from 1 to 3: the same reflection, every attempt failed. Not solved after 3 attempts."
    /// );
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn verdict(&self, run: &LoadedRun) -> Result<RunVerdict, Error> {
        let view = self.run(run.run())?.view();
        let is_checked = run.needs_sketches().is_empty();
        let stuck = stuck_stretches(run);
        let mut headline = Headline::default();
        say_stuck(&mut headline, run, &stuck);
        say_end(&mut headline, run, &view);
        say_rewards(&mut headline, run, &view);
        let is_from_zero = run.steps.first().is_some_and(|step| step.number == 0)
            || view.base == 0 && view.base_provenance != BaseProvenance::Assumed;
        headline.keep_first(FROM_ZERO, is_from_zero);
        if !is_checked {
            headline.say("headline/stuck", "Its reflections have not been compared.");
        }
        Ok(RunVerdict { run: run.run(), stuck, is_checked, headline })
    }

    /// The same of some runs, by what is known of their reflections. Ids that are not known are left out.
    pub fn verdicts(&self, runs: &[RunId]) -> Vec<RunVerdict> {
        let verdict = |&run: &RunId| self.verdict(&self.loaded_run(run).ok()?).ok();
        runs.iter().filter_map(verdict).collect()
    }
}

/// Where rules find a repetition that led to nothing, in order.
fn stuck_stretches(run: &LoadedRun) -> Vec<StuckStretch> {
    let rules = STRETCHES.map(str::to_owned).into();
    let options = InsightOptions { rules, ..InsightOptions::default() };
    let context = InsightContext::new(run, &options);
    let mut findings = Vec::new();
    if context.is_chain() {
        stuck::judge(&context, &mut findings);
        oscillation::judge(&context, &mut findings);
    }
    let mut found: Vec<_> = findings.iter().filter_map(|f| stretch(&run.steps, f)).collect();
    found.sort_by_key(|stretch| (stretch.from, std::cmp::Reverse(stretch.to)));
    let mut kept: Vec<StuckStretch> = Vec::new();
    for stretch in found {
        // What lies inside of another one says nothing new.
        if kept.iter().all(|other| stretch.to > other.to) {
            kept.push(stretch);
        }
    }
    kept
}

/// Where a run was stuck, by a finding about it; none if a better reward came of it, or a success too early.
fn stretch(steps: &[LoadedStep], finding: &Finding) -> Option<StuckStretch> {
    let rule = STRETCHES.into_iter().find(|rule| *rule == finding.rule)?;
    // A verdict that stays the same says nothing but that attempts failed.
    if finding.rule == "stuck/flat" && is_verdicts(steps) {
        return None;
    }
    let (from, to) = stretch_of(steps, &finding.evidence, REPEATED_REFLECTIONS)?;
    Some(StuckStretch { from, to, rule: rule.into() })
}

/// What is the same in a stretch.
fn repeated(rule: &str, texts: &str) -> String {
    match rule {
        "stuck/repeated-reflection" => format!("the same {texts}"),
        "stuck/near-repeat" => format!("nearly the same {texts}"),
        "stuck/cycle-2" => format!("two {texts}s in turn"),
        "stuck/cycle-3" => format!("three {texts}s in turn"),
        _ => "the reward hardly moved".to_owned(),
    }
}

fn say_stuck(headline: &mut Headline, run: &LoadedRun, stuck: &[StuckStretch]) {
    let texts = if run.format.traits().is_told { "message" } else { "reflection" };
    for StuckStretch { from, to, rule } in stuck.iter().take(MOST_STRETCHES) {
        let part = headline.say("headline/stuck", format!("Stuck from {from} to {to}{FROM_ZERO}"));
        (part.from, part.to) = (Some(*from), Some(*to));
        let mut steps = between(&run.steps, *from, *to).iter();
        let is_failed = steps.all(|step| step.outcome == Outcome::Failure);
        let failed = if is_failed { ", every attempt failed" } else { "" };
        headline.say("headline/stuck", format!(": {}{failed}.", repeated(rule, texts)));
    }
    let more = stuck.len().saturating_sub(MOST_STRETCHES);
    if more > 0 {
        headline.say("headline/stuck", format!("Stuck {} more.", counted(more, "time")));
    }
}

fn say_end(headline: &mut Headline, run: &LoadedRun, view: &RunView) {
    let steps = &run.steps;
    let is_search = run.format.is_search();
    let attempts = steps.iter().filter(|step| step.outcome != Outcome::Void).count();
    let is_from_first = begins_at_first(view, steps.first().map(|step| step.number));
    // What the loop itself counted, where nothing else is known.
    let counter = view.counter.and_then(|n| usize::try_from(n).ok());
    let counter = counter.filter(|n| *n > 0 && attempts == 0);
    let attempts = match (attempts, counter) {
        (0, Some(n)) => format!(" after {}; none is recorded", counted(n, "attempt")),
        (0, None) => "; no attempt is recorded".to_owned(),
        (n, _) => format!(" after {}", counted(n, "attempt")),
    };
    let is_limit = view.outcome_detail.as_deref() == Some("limit_reached");
    let only = steps.first().filter(|_| steps.len() == 1).map(|step| step.number);
    let text = match (view.outcome, view.first_success_number) {
        // A row keeps the first and the last program of a search, however many it tried.
        (Outcome::Success, Some(_)) if is_search => {
            let which = if view.first_success == Some(0) { "first" } else { "last" };
            format!("Solved by its {which} program.")
        }
        (Outcome::Failure, None) if is_search => {
            let which = if steps.len() > 1 { "last" } else { "first" };
            format!("Not solved by its {which} program.")
        }
        (Outcome::Success, Some(_)) if view.first_success == Some(0) && is_from_first => {
            "Solved at the first attempt.".to_owned()
        }
        (Outcome::Success, Some(number)) if only.is_some() => {
            format!("Solved at {number}, the only attempt on record.")
        }
        (Outcome::Success, Some(number)) => {
            format!("Solved at {number}{FROM_ZERO}.")
        }
        (Outcome::Success, None) => format!("Solved{attempts}."),
        (Outcome::Partial, Some(at)) => {
            format!("Solved at {at}{FROM_ZERO}, but ended in a partial success.")
        }
        (Outcome::Partial, None) => format!("Partly solved{attempts}."),
        (Outcome::Failure, None) if only.is_some() && is_from_first => {
            "Failed at the only attempt on record.".to_owned()
        }
        (Outcome::Failure, None) if let Some(number) = only => {
            format!("Failed at {number}, the only attempt on record.")
        }
        (Outcome::Failure, None) => format!("Not solved{attempts}."),
        (Outcome::Failure, Some(number)) if is_limit => {
            format!("Solved at {number}{FROM_ZERO}; the loop ended at its limit.")
        }
        (Outcome::Failure, Some(number)) => {
            format!("Solved at {number}{FROM_ZERO}, but ended in failure.")
        }
        (Outcome::Running, Some(at)) => {
            format!("Solved at {at}{FROM_ZERO}; recorded as running.")
        }
        (Outcome::Running, None) if let Some(n) = counter => {
            format!("Recorded as running, at attempt {n}.")
        }
        (Outcome::Running, None) => format!("Recorded as running{attempts}."),
        (Outcome::Aborted, Some(at)) => {
            format!("Solved at {at}{FROM_ZERO}, but was aborted.")
        }
        (Outcome::Aborted, None) => format!("Aborted{attempts}."),
        (Outcome::Void, _) => "Does not count.".to_owned(),
        (Outcome::Unknown, Some(number)) => {
            format!("Solved at {number}{FROM_ZERO}, but the last attempt has no verdict.")
        }
        (Outcome::Unknown, None) if view.outcome_detail.as_deref() == Some("no verdict") => {
            "The judge gave no verdict.".to_owned()
        }
        (Outcome::Unknown, None) => "No outcome is recorded.".to_owned(),
    };
    let success = view.first_success_number;
    let last = steps.last().map(|step| step.number);
    let part = headline.say("headline/end", text);
    part.from = success.or(last);
    part.to = part.from;
}

/// Whether the first attempt on record is the first one that was made. Where the number of the first attempt
/// is assumed, it may be 0 or 1.
pub(super) fn begins_at_first(view: &RunView, first: Option<i64>) -> bool {
    let is_assumed = view.base_provenance == BaseProvenance::Assumed;
    first.is_some_and(|n| n == i64::from(view.base) || is_assumed && (0..=1).contains(&n))
}

/// From which reward to which, where they are more than verdicts.
fn say_rewards(headline: &mut Headline, run: &LoadedRun, view: &RunView) {
    let counts = run.steps.iter().filter(|step| step.outcome != Outcome::Void);
    let rewarded: Vec<_> = counts.filter_map(|step| Some((step.number, step.reward?))).collect();
    if is_verdicts(&run.steps) {
        return;
    }
    let (Some((from, first)), Some((to, last))) = (rewarded.first(), rewarded.last()) else {
        return;
    };
    let [begin, end] = [first, last].map(|r| reward(*r));
    let what = if view.reward_origin == Origin::Derived { "derived reward" } else { "reward" };
    // Where the last attempt has none, the end is not the end.
    let at_last = match run.steps.last() {
        Some(step) if step.number != *to => {
            format!("; none is recorded after {to}{FROM_ZERO}")
        }
        _ => String::new(),
    };
    let text = match (view.best, view.best_number) {
        _ if from == to => format!("The {what} was {end}."),
        (Some(best), Some(at)) if reward(best) != end && reward(best) != begin => {
            let best = reward(best);
            format!(
                "The {what} went from {begin} to {end}; the best was {best}, at {at}{FROM_ZERO}."
            )
        }
        _ if begin == end => format!("The {what} was {begin} at the beginning and at the end."),
        _ if last > first => format!("The {what} rose from {begin} to {end}{at_last}."),
        _ => format!("The {what} fell from {begin} to {end}{at_last}."),
    };
    let part = headline.say("headline/reward", text);
    (part.from, part.to) = (Some(*from), Some(*to));
}
