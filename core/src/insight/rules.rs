//! Every rule of insight, with what it needs read.

use serde::Serialize;

use crate::history::story::Story;
use crate::model::id::RecordId;
use crate::model::options::InsightOptions;
use crate::model::outcome::Outcome;
use crate::words::words;

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
    /// From where on it speaks, in a few words; absent where it is no matter of degree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<&'static str>,
    /// What it says when it speaks, in one sentence.
    pub says: &'static str,
}

const fn on(
    id: &'static str,
    needs: Needs,
    threshold: Option<&'static str>,
    says: &'static str,
) -> InsightRule {
    InsightRule { id, needs, is_default: true, threshold, says }
}

const fn off(
    id: &'static str,
    needs: Needs,
    threshold: Option<&'static str>,
    says: &'static str,
) -> InsightRule {
    InsightRule { id, needs, is_default: false, threshold, says }
}

/// In the order of docs/spec/rules.md, in which findings of one iteration stand.
const RULES: [InsightRule; 52] = [
    on(
        "trajectory/class",
        Needs::Columns,
        Some("0.67 of the steps"),
        "The course is improving, declining or stable where at least 0.67 of the steps go up by more than 2 points, down by more than 2, or move by at most 2; else it fluctuates.",
    ),
    on(
        "diminishing/relative",
        Needs::Columns,
        Some("below 0.05, 2 steps"),
        "Returns diminish at the iteration that completes two steps in a row which change the reward by less than 0.05 of the reward before.",
    ),
    off(
        "diminishing/relative-v1",
        Needs::Columns,
        Some("below 0.05, 2 steps"),
        "As diminishing/relative, but a rise from 0 counts as no change.",
    ),
    off(
        "diminishing/absolute",
        Needs::Columns,
        Some("below 5 points, 2 steps"),
        "Returns diminish at the first iteration of two steps in a row that move the reward by less than 5 points.",
    ),
    on(
        "plateau/relative",
        Needs::Columns,
        Some("below 0.02, 2 steps"),
        "Both of the last two steps changed the reward by less than 0.02 of the reward before.",
    ),
    on(
        "plateau/mean",
        Needs::Columns,
        Some("mean below 0.03"),
        "With at least four rewards, the mean of the last three changes is below 0.03.",
    ),
    on(
        "stop/high-confidence",
        Needs::Reflections,
        Some("confidence 0.95, reward 0.70"),
        "A success with a reward of at least 0.70 whose reflection is at least 0.95 sure: the loop may stop here.",
    ),
    on(
        "stop/quality",
        Needs::Columns,
        Some("reward 0.95"),
        "From the second iteration on, a reward of at least 0.95: the loop may stop here.",
    ),
    on(
        "stop/regressions",
        Needs::Columns,
        Some("more than 2 falls"),
        "The reward fell in more than two steps: going on may make it worse.",
    ),
    on(
        "best/degradation",
        Needs::Columns,
        None,
        "The last iteration has a lower reward than the one that the selection takes.",
    ),
    on(
        "learning-rate",
        Needs::Columns,
        None,
        "The last reward less the first, divided by the number of rewards; beside it the slope, which divides by the number of steps.",
    ),
    on(
        "stuck/repeated-reflection",
        Needs::Reflections,
        Some("3 in a row"),
        "At least three reflections in a row say the same, apart from case, spaces and punctuation.",
    ),
    on(
        "stuck/recurring-reflection",
        Needs::Reflections,
        Some("3 in all"),
        "The same reflection stands at least three times in the run, not all of them in a row.",
    ),
    on(
        "stuck/near-repeat",
        Needs::Reflections,
        Some("3 in a row"),
        "At least three reflections in a row have most of their word sequences in common.",
    ),
    on(
        "stuck/cycle-2",
        Needs::Reflections,
        Some("4 in a row"),
        "At least four reflections in a row alternate between two that are alike to each other.",
    ),
    on(
        "stuck/cycle-3",
        Needs::Reflections,
        Some("6 in a row"),
        "At least six reflections in a row repeat every three.",
    ),
    on(
        "stuck/repeated-error",
        Needs::Attempts,
        Some("3 of 5, progress below 0.02"),
        "The same error stands in at least three of five iterations while the mean change of reward is below 0.02; without rewards, while the number of errors does not fall.",
    ),
    on(
        "stuck/repeated-action",
        Needs::Attempts,
        Some("3 in a row"),
        "At least three iterations in a row, none a success, do the same actions with the same diffs.",
    ),
    on(
        "stuck/flat",
        Needs::Columns,
        Some("each below 5 points"),
        "Each step between the last three rewards is below 5 points.",
    ),
    on(
        "oscillation/reward",
        Needs::Columns,
        Some("2 turns above 0.03"),
        "Among the last six rewards the direction changes at least twice, by more than 0.03 each way.",
    ),
    on(
        "oscillation/files",
        Needs::Attempts,
        Some("0.8 of the files, twice"),
        "Among the last six iterations, at least two touch 0.8 of the files of two iterations before, which the one between left alone.",
    ),
    on(
        "regression/reward",
        Needs::Columns,
        Some("a fall above 0.10"),
        "The reward falls by more than 0.10 in one step; strongly, above 0.20.",
    ),
    on(
        "regression/stretch",
        Needs::Columns,
        Some("a fall above 0.15 over 5"),
        "Over the last five rewards it fell by more than 0.15; strongly, above 0.25.",
    ),
    on(
        "regression/verdict",
        Needs::Verdicts,
        None,
        "A success is followed by a failure of the same kind of verification.",
    ),
    on(
        "regression/coverage",
        Needs::Attempts,
        Some("10 points"),
        "Coverage falls by at least 10 points from one iteration to the next.",
    ),
    on(
        "budget/iterations",
        Needs::Columns,
        Some("0.8 of the limit"),
        "At least 0.8 of the iterations that the loop allows itself are used; a warning from 0.95 on.",
    ),
    on(
        "budget/over",
        Needs::Columns,
        Some("above the limit"),
        "More iterations were made than the loop allows itself.",
    ),
    off(
        "drift/objective",
        Needs::Records,
        Some("2 of 3 below 0.5"),
        "At least two of the last three reflections have fewer than half of the words of the objective: a weak sign.",
    ),
    on(
        "pattern/recurring-lesson",
        Needs::Reflections,
        Some("2 reflections"),
        "A lesson that stands, in nearly the same words, in reflections of at least two iterations.",
    ),
    on(
        "pattern/success-rate",
        Needs::Reflections,
        Some("inject from 0.6, prune below 0.5"),
        "Of the iterations that had a lesson in their window, the share that was a success or an improvement; with fewer than three there is no rate.",
    ),
    on(
        "pattern/strategy",
        Needs::Attempts,
        Some("0.5 of the successes"),
        "An approach that at least half of the successful iterations share.",
    ),
    on(
        "pattern/antipattern",
        Needs::Attempts,
        Some("2 errors"),
        "A kind of error that occurs at least twice in failed iterations.",
    ),
    on(
        "pattern/gate",
        Needs::Attempts,
        Some("confidence 0.3"),
        "A strategy may be promoted with a confidence of at least 0.3 and success in at least 0.5 of its uses; an antipattern, in at most 0.2.",
    ),
    on(
        "reflection/low-confidence",
        Needs::Reflections,
        Some("below 0.5"),
        "The reflection is less than 0.5 sure, and the next iteration is no improvement.",
    ),
    on(
        "reflection/no-insights",
        Needs::Reflections,
        None,
        "The reflection names nothing that could be acted on.",
    ),
    on(
        "reflection/short",
        Needs::Reflections,
        Some("100 characters"),
        "The text has fewer than 100 characters.",
    ),
    on(
        "reflection/no-credit",
        Needs::Reflections,
        None,
        "A failed iteration whose reflection names no failing action, no root cause and no category.",
    ),
    on(
        "reflection/verbatim",
        Needs::Reflections,
        None,
        "The reflection says the same as an earlier one of the run.",
    ),
    on(
        "reflection/generic",
        Needs::Reflections,
        None,
        "Every word would fit any failure, such as \"I will be more careful next time\".",
    ),
    on(
        "reflection/cut",
        Needs::Reflections,
        Some("200 characters"),
        "A text of at least 200 characters ends in the middle of a sentence, as at a limit of tokens.",
    ),
    on(
        "reflection/overconfident",
        Needs::Records,
        Some("0.9"),
        "The reflection is at least 0.9 sure, names no cause, and its record has no errors.",
    ),
    on("reflection/blank", Needs::Records, None, "The text of the reflection is blank."),
    on(
        "reflection/low-quality",
        Needs::Reflections,
        Some("2 marks"),
        "Two or more rules about quality hold for one reflection.",
    ),
    on(
        "reflection/calibration",
        Needs::Reflections,
        Some("5 pairs"),
        "How confidence goes together with improvement at the next iteration, as a correlation; with fewer than five pairs, or one outcome only, there is none.",
    ),
    on(
        "lesson/lifecycle",
        Needs::Reflections,
        Some("0.5 of the words"),
        "A lesson is kept word for word, reworded with at least half of the words in common, returned from an older reflection, new, or dropped.",
    ),
    on(
        "error/lifecycle",
        Needs::Attempts,
        None,
        "An error by its type and message without numbers and places: first seen, persisting, cleared at the first list of errors without it, and back when it is seen again.",
    ),
    on(
        "error/came-back",
        Needs::Attempts,
        None,
        "An error is seen again after a list of errors without it.",
    ),
    on(
        "attribution/step",
        Needs::Records,
        None,
        "What changed from one attempt to the next, beside the change of reward: it happened together, and shows no cause.",
    ),
    on(
        "credit/actions",
        Needs::Records,
        None,
        "An action that the reflection names as failing, or that touches the file of an error or runs the tool of a check.",
    ),
    on(
        "credit/links",
        Needs::Records,
        None,
        "An earlier reflection that an iteration names, and whether that iteration was an improvement.",
    ),
    on(
        "credit/uptake",
        Needs::Records,
        None,
        "A later action names the same file or identifier as a lesson in its window: evidence that the lesson was acted on, no proof.",
    ),
    on(
        "aggregate/categories",
        Needs::Reflections,
        None,
        "How often reflections give each category of failure.",
    ),
];

/// Every rule that insight knows, in the order of docs/spec/rules.md, with what it needs read.
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
    let has_attempts = story.format.traits().has_actions;
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
