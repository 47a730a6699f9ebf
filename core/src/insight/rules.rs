//! Every rule of insight, with what it needs read.

use serde::Serialize;

use super::options::InsightOptions;
use super::words::words;
use crate::format::FormatId;
use crate::history::id::RecordId;
use crate::history::outcome::Outcome;
use crate::history::story::Story;

words! {
    /// What a rule needs beyond the columns.
    Needs {
        /// Nothing.
        Columns = "columns",
        /// The reflections.
        Reflections = "reflections",
        /// What was done and judged in each iteration.
        Attempts = "attempts",
        /// Iterations of a success and of the failure after it.
        Verdicts = "verdicts",
        /// Reflections and iterations.
        Records = "records",
    }
}

/// A rule of [`Story::explain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InsightRule {
    /// Its id, as findings carry it.
    pub id: &'static str,
    /// What it needs read.
    pub needs: Needs,
    /// Whether it is judged without being asked for.
    pub is_default: bool,
}

const fn on(id: &'static str, needs: Needs) -> InsightRule {
    InsightRule { id, needs, is_default: true }
}

const fn off(id: &'static str, needs: Needs) -> InsightRule {
    InsightRule { id, needs, is_default: false }
}

/// In the order of rules.md, in which findings of one iteration stand.
const RULES: [InsightRule; 52] = [
    on("trajectory/class", Needs::Columns),
    on("diminishing/relative", Needs::Columns),
    off("diminishing/relative-v1", Needs::Columns),
    off("diminishing/absolute", Needs::Columns),
    on("plateau/relative", Needs::Columns),
    on("plateau/mean", Needs::Columns),
    on("stop/high-confidence", Needs::Reflections),
    on("stop/quality", Needs::Columns),
    on("stop/regressions", Needs::Columns),
    on("best/degradation", Needs::Columns),
    on("learning-rate", Needs::Columns),
    on("stuck/repeated-reflection", Needs::Reflections),
    on("stuck/recurring-reflection", Needs::Reflections),
    on("stuck/near-repeat", Needs::Reflections),
    on("stuck/cycle-2", Needs::Reflections),
    on("stuck/cycle-3", Needs::Reflections),
    on("stuck/repeated-error", Needs::Attempts),
    on("stuck/repeated-action", Needs::Attempts),
    on("stuck/flat", Needs::Columns),
    on("oscillation/reward", Needs::Columns),
    on("oscillation/files", Needs::Attempts),
    on("regression/reward", Needs::Columns),
    on("regression/stretch", Needs::Columns),
    on("regression/verdict", Needs::Verdicts),
    on("regression/coverage", Needs::Attempts),
    on("budget/iterations", Needs::Columns),
    on("budget/over", Needs::Columns),
    off("drift/objective", Needs::Records),
    on("pattern/recurring-lesson", Needs::Reflections),
    on("pattern/success-rate", Needs::Reflections),
    on("pattern/strategy", Needs::Attempts),
    on("pattern/antipattern", Needs::Attempts),
    on("pattern/gate", Needs::Attempts),
    on("reflection/low-confidence", Needs::Reflections),
    on("reflection/no-insights", Needs::Reflections),
    on("reflection/short", Needs::Reflections),
    on("reflection/no-credit", Needs::Reflections),
    on("reflection/verbatim", Needs::Reflections),
    on("reflection/generic", Needs::Reflections),
    on("reflection/cut", Needs::Reflections),
    on("reflection/overconfident", Needs::Records),
    on("reflection/blank", Needs::Records),
    on("reflection/low-quality", Needs::Reflections),
    on("reflection/calibration", Needs::Reflections),
    on("lesson/lifecycle", Needs::Reflections),
    on("error/lifecycle", Needs::Attempts),
    on("error/came-back", Needs::Attempts),
    on("attribution/step", Needs::Records),
    on("credit/actions", Needs::Records),
    on("credit/links", Needs::Records),
    on("credit/uptake", Needs::Records),
    on("aggregate/categories", Needs::Reflections),
];

/// Every rule that insight knows, in the order of rules.md, with what it needs read.
pub fn insight_rules() -> &'static [InsightRule] {
    &RULES
}

/// Position among the rules, by which findings of one iteration are sorted.
pub(super) fn rank(id: &str) -> usize {
    RULES.iter().position(|rule| rule.id == id).unwrap_or(RULES.len())
}

/// Rules that the options choose.
pub(super) fn chosen(options: &InsightOptions) -> Vec<InsightRule> {
    let is_named = |rule: &InsightRule| {
        options.rules.iter().any(|name| match name.strip_suffix('*') {
            Some(area) => rule.id.starts_with(area),
            None => rule.id == name,
        })
    };
    let is_chosen = |rule: &&InsightRule| {
        if options.rules.is_empty() { rule.is_default } else { is_named(rule) }
    };
    RULES.iter().filter(is_chosen).copied().collect()
}

/// Records that a need means in a run, with their parts.
fn parts(story: &Story, needs: Needs) -> Vec<(RecordId, u32)> {
    // Logs of tasks and trials hold neither actions nor errors: there is nothing to wait for.
    let has_attempts = !matches!(story.format, FormatId::EnvResults | FormatId::ProgrammingLog);
    let of_reflections = || {
        let own = story.steps.iter().flat_map(|step| &step.reflections);
        story.earlier.iter().chain(own).map(|r| (r.record, r.part)).collect::<Vec<_>>()
    };
    let of_attempts = || {
        let all = (0..story.steps.len()).flat_map(|k| story.parts_at(k, has_attempts));
        all.collect::<Vec<_>>()
    };
    match needs {
        Needs::Columns => Vec::new(),
        Needs::Reflections => of_reflections(),
        Needs::Attempts => of_attempts(),
        Needs::Verdicts => story
            .steps
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| {
                matches!(pair, [a, b] if a.outcome == Outcome::Success && b.outcome == Outcome::Failure)
            })
            .flat_map(|(k, _)| [k, k + 1])
            .flat_map(|k| story.parts_at(k, has_attempts))
            .collect(),
        Needs::Records => of_reflections().into_iter().chain(of_attempts()).collect(),
    }
}

/// Records that a need still lacks, in order.
pub(super) fn missing(story: &Story, needs: Needs) -> Vec<RecordId> {
    let mut missing: Vec<_> = parts(story, needs)
        .into_iter()
        .filter(|(record, part)| !story.is_told(*record, *part))
        .map(|(record, _)| record)
        .collect();
    missing.sort_unstable();
    missing.dedup();
    missing
}

impl Story {
    /// Records that the rules chosen by `options` need and that were not told yet, in order. With
    /// all of them told, [`Story::explain`] leaves no rule out.
    pub fn needs_for(&self, options: &InsightOptions) -> Vec<RecordId> {
        let mut needs: Vec<_> = chosen(options).iter().map(|rule| rule.needs).collect();
        needs.sort_unstable();
        needs.dedup();
        let mut records: Vec<_> =
            needs.into_iter().flat_map(|needs| missing(self, needs)).collect();
        records.sort_unstable();
        records.dedup();
        records
    }
}
