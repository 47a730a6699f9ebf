//! Whether memory made retries better (docs/spec/rules.md, "Evaluator and retries"), from columns.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::headline::signed_points;
use crate::history::{History, Run};
use crate::model::id::GroupId;
use crate::model::outcome::Outcome;
use crate::model::rates::{Interval, Rate, difference};
use crate::model::reward::{points, rounded};
use crate::model::thresholds::{ENOUGH_RETRIES, RETRY_AIM};

/// Successes with and without memory (`retry/improvement`). What does not say how it ended is on neither
/// side.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Retries {
    /// Retries that have ended, or tasks, with reflections in the window.
    pub with: u32,
    /// Those that were a success.
    pub with_successes: u32,
    /// Between which shares, 0..1, the rate of success lies with a confidence of 95 %; absent if there
    /// are none.
    pub with_interval: Option<Interval>,
    /// Retries that have ended, or tasks, without.
    pub without: u32,
    /// Those that were a success.
    pub without_successes: u32,
    /// As `with_interval`.
    pub without_interval: Option<Interval>,
    /// Whether one side has fewer than 5: then nothing is compared.
    pub is_too_few: bool,
    /// Difference of the success rates in points.
    pub points: Option<f64>,
    /// Between which points it lies with a confidence of 95 %.
    pub points_interval: Option<Interval>,
    /// Whether the difference is more than chance: its interval leaves out 0.
    pub is_clear: Option<bool>,
    /// Difference as a share of the rate without: 0.2 for a fifth more. A small rate makes it large.
    pub relative: Option<f64>,
    /// Whether that reaches the stated aim of 0.2.
    pub is_aim_met: Option<bool>,
    /// All of it in words, for people.
    pub says: String,
}

impl Retries {
    /// From four counts: retries with memory, their successes, retries without, their successes.
    pub(crate) fn new([with, with_successes, without, without_successes]: [u32; 4]) -> Self {
        let with = Rate { part: with_successes, all: with };
        let without = Rate { part: without_successes, all: without };
        let is_too_few = with.all < ENOUGH_RETRIES || without.all < ENOUGH_RETRIES;
        // Only the result is rounded: from rounded rates, a gain of exactly 0.2 could come out lower.
        let rates = with.share().zip(without.share()).filter(|_| !is_too_few);
        let relative = rates.filter(|(_, b)| *b > 0.0).map(|(a, b)| rounded((a - b) / b));
        let interval = difference(with, without, 0.0).filter(|_| !is_too_few);
        let mut retries = Self {
            with: with.all,
            with_successes: with.part,
            with_interval: with.interval(),
            without: without.all,
            without_successes: without.part,
            without_interval: without.interval(),
            is_too_few,
            points: rates.map(|(a, b)| points(a - b)),
            points_interval: interval.map(Interval::points),
            is_clear: interval.map(Interval::is_clear),
            relative,
            is_aim_met: relative.map(|relative| relative >= RETRY_AIM),
            says: String::new(),
        };
        retries.says = retries.said(with, without);
        retries
    }

    fn said(&self, with: Rate, without: Rate) -> String {
        let (what, help) = ("Successful retries", "reflections");
        let lacks = if with.all == 0 { help } else { "" };
        let sides = [side(with, "with", help), side(without, "without", lacks)];
        let sides: Vec<_> = sides.into_iter().flatten().collect();
        let end = match sides.len() {
            0 => return format!("{what}: none to count."),
            1 => "Nothing to compare with.",
            _ => "Too few to compare.",
        };
        let sides = format!("{what}: {}.", sides.join(", "));
        let (Some(points), Some(interval)) = (self.points, self.points_interval) else {
            return format!("{sides} {end}");
        };
        let is_clear = self.is_clear == Some(true);
        let verdict = if is_clear { "Difference" } else { "The difference may be chance" };
        format!(
            "{sides} {verdict}: {} points (95 % interval {} to {}).",
            signed_points(points),
            signed_points(interval.low),
            signed_points(interval.high)
        )
    }
}

/// `8 of 10 without (80 %, 95 % interval 49 to 94)`; few have no rate, and 0 have no text.
fn side(rate: Rate, word: &str, help: &str) -> Option<String> {
    let Rate { part, all } = rate;
    let (share, Interval { low, high }) = rate.share().zip(rate.interval())?;
    let mut text = format!("{part} of {all} {word} {help}").trim_end().to_owned();
    if all >= ENOUGH_RETRIES {
        let [share, low, high] = [share, low, high].map(percent);
        let _ = write!(text, " ({share} %, 95 % interval {low} to {high})");
    }
    Some(text)
}

/// A share that is not 0 is not written as 0, and one that is not 1 is not written as 100.
fn percent(share: f64) -> String {
    match points(share) {
        few if few > 0.0 && few < 1.0 => format!("{:.1}", few.max(0.1)),
        most if most > 99.0 && most < 100.0 => format!("{:.1}", most.min(99.9)),
        other => format!("{other:.0}"),
    }
}

impl History {
    /// Retries of a group with and without reflections in their windows (`retry/improvement`).
    /// Stored memory does not prove that it was injected. None for an unknown group.
    pub fn retries(&self, group: GroupId) -> Option<Retries> {
        let (_, _, runs) = self.group_runs(group)?;
        Some(retries(runs.iter()))
    }
}

fn retries<'a>(runs: impl Iterator<Item = &'a Run<'a>>) -> Retries {
    let mut counts = [0_u32; 4];
    // Where every retry is told what the evaluator said, none is without. Of a search, a log keeps the first
    // program, judged by its own tests, and the last, judged by hidden ones: not what one retry changed.
    let is_comparable =
        |run: &&Run<'_>| !run.format().traits().is_told && !run.format().is_search();
    for run in runs.filter(is_comparable) {
        // Where no record says it: reflections written before each attempt, all are candidates.
        let reflections = run.reflections();
        let outcomes = run.outcomes();
        let solved = outcomes.iter().position(|outcome| *outcome == Outcome::Success);
        // What comes after a success is no retry.
        let end = solved.map_or(outcomes.len(), |at| at + 1);
        for (k, outcome) in outcomes[..end].iter().enumerate().skip(1) {
            if !outcome.is_ended() {
                continue;
            }
            let has_earlier = reflections.first().is_some_and(|r| (r.ordinal as usize) < k);
            let has_place = run.omega_at(k).0 != Some(0);
            let has_injected = run.has_injected_at(k).unwrap_or(has_earlier && has_place);
            let side = if has_injected { 0 } else { 2 };
            counts[side] += 1;
            counts[side + 1] += u32::from(*outcome == Outcome::Success);
        }
    }
    Retries::new(counts)
}
