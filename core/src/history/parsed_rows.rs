//! What the columns keep of a [`ParsedRecord`]: a row for each run that a record describes, and one for
//! each attempt.

use std::collections::BTreeMap;

use super::arena::{Interner, Range};
use super::budget::GROUPED_LEN;
use super::usage::UsageTable;
use crate::format::extracted::{Said, Written};
use crate::format::tree_search_log::PLACEHOLDERS;
use crate::format::trial_results::COUNTS;
use crate::model::datetime::moment_ms;
use crate::model::details::{Counter, Details, RecordedWindow};
use crate::model::omega;
use crate::model::outcome::Outcome;
use crate::model::reward::{self, Origin, Scale, rounded};
use crate::model::run_details::RunDetails;
use crate::model::view::RewardView;
use crate::text;

/// What one record says of one run.
#[derive(Clone, Debug)]
pub(crate) struct ParsedRunRow {
    /// Position of the record.
    pub(crate) row: usize,
    /// Position among the runs of the record.
    pub(crate) part: u32,
    /// Interned.
    pub(crate) key: Option<u32>,
    pub(crate) task: Option<u32>,
    pub(crate) status: Option<u32>,
    pub(crate) outcome: Option<(Outcome, Option<&'static str>)>,
    pub(crate) start_ms: Option<f64>,
    pub(crate) end_ms: Option<f64>,
    pub(crate) updated_ms: Option<f64>,
    pub(crate) max_iterations: Option<i64>,
    pub(crate) counter: Option<i64>,
    pub(crate) omega: Option<u8>,
    pub(crate) base: Option<u8>,
    pub(crate) reward: Option<StepReward>,
    /// Lessons that belong to no attempt.
    pub(crate) lessons: u32,
    /// Sums over tasks, of `trial-results`.
    pub(crate) totals: Option<Totals>,
    /// Running accuracy, 0..1, of `tree-search-log`.
    pub(crate) accuracy: Option<f64>,
    /// Texts in its list of reflections that no model wrote (`prog/placeholder`).
    pub(crate) has_placeholder: bool,
    /// Its attempts, in [`ParsedRows::steps`].
    pub(crate) steps: std::ops::Range<usize>,
}

/// A reward, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StepReward {
    pub(crate) scale: Scale,
    pub(crate) value: f64,
    pub(crate) origin: Origin,
    pub(crate) rule: Option<&'static str>,
}

/// Deltas as the record states them, and whether it was given reflections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) reward: Option<Written>,
    pub(crate) errors: Option<i64>,
    pub(crate) improvement: Option<bool>,
    /// Whether reflections of earlier attempts were put before it, where it says so.
    pub(crate) has_injected: Option<bool>,
}

impl Stored {
    pub(crate) const NONE: Self =
        Self { reward: None, errors: None, improvement: None, has_injected: None };

    /// Whether it states no delta.
    pub(crate) fn is_empty(&self) -> bool {
        self.reward.is_none() && self.errors.is_none() && self.improvement.is_none()
    }
}

/// One attempt as one record describes it.
#[derive(Clone, Debug)]
pub(crate) struct ParsedStepRow {
    pub(crate) row: usize,
    /// First of its parts.
    pub(crate) part: u32,
    pub(crate) number: Option<i64>,
    pub(crate) time_ms: Option<f64>,
    pub(crate) outcome: Outcome,
    pub(crate) detail: Option<&'static str>,
    /// The format's own reward, reported or derived.
    pub(crate) reward: Option<StepReward>,
    /// What other members of the record make of it.
    pub(crate) derived: Option<StepReward>,
    pub(crate) errors: Option<u32>,
    pub(crate) omega: Option<u8>,
    pub(crate) stored: Stored,
    /// Parts of its reflections, from `part` on; 0: it has none.
    pub(crate) reflections: u32,
}

/// Arenas of parsed runs and attempts.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParsedRows {
    pub(crate) runs: Vec<ParsedRunRow>,
    pub(crate) steps: Vec<ParsedStepRow>,
    /// What attempts say was put before them, by record and first part: interned keys and numbers.
    pub(crate) retrieved: BTreeMap<(usize, u32), Vec<(u32, i64)>>,
    /// How many entries the lists of `retrieved` have in total.
    retrieved_len: usize,
    /// What attempts took, by record and first part.
    pub(crate) usage: UsageTable,
    /// What runs took as a whole, by record and position in it.
    pub(crate) declared: UsageTable,
}

impl ParsedRows {
    pub(crate) fn of(&self, range: Range) -> &[ParsedRunRow] {
        range.of(&self.runs)
    }

    /// The memory that it takes, together with what grouping makes of it.
    pub(super) fn held(&self) -> usize {
        /// A number or two under a key, in a tree.
        const NODE: usize = 64;
        let Self { runs, steps, retrieved, retrieved_len, usage, declared } = self;
        runs.len() * (size_of::<ParsedRunRow>() + GROUPED_LEN)
            + steps.len() * (size_of::<ParsedStepRow>() + GROUPED_LEN)
            + (retrieved.len() + usage.len() + declared.len()) * NODE
            + retrieved_len * size_of::<(u32, i64)>()
    }

    /// Keeps what an attempt says was put before it.
    pub(crate) fn keep_retrieved(
        &mut self,
        row: usize,
        part: u32,
        details: &Details,
        texts: &mut Interner,
    ) {
        if let Some(entries) = &details.retrieved {
            let names = entries.iter().map(|entry| (texts.intern(&entry.key), entry.number));
            self.retrieved.insert((row, part), names.collect());
            self.retrieved_len += entries.len();
        }
    }

    pub(crate) fn steps_of(&self, parsed_run: &ParsedRunRow) -> &[ParsedStepRow] {
        self.steps.get(parsed_run.steps.clone()).unwrap_or_default()
    }
}

/// The counts of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(super) correct: u32,
    /// Correct or not.
    pub(super) all: u32,
}

impl Totals {
    pub(crate) fn of(about: &RunDetails) -> Option<Self> {
        let count = |name: &str| {
            let value = Counter::find(&about.counters, name)?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates"
            )]
            Some(value as u32)
        };
        let [correct, incorrect, halted] = COUNTS.map(count);
        let all = correct?.saturating_add(incorrect?).saturating_add(halted.unwrap_or(0));
        Some(Self { correct: correct?, all })
    }
}

/// The columns of a run.
pub(crate) fn run_row(
    row: usize,
    part: u32,
    about: &RunDetails,
    texts: &mut Interner,
) -> ParsedRunRow {
    let mut intern = |text: &Option<String>| text.as_deref().map(|t| texts.intern(t));
    ParsedRunRow {
        row,
        part,
        key: intern(&about.key),
        task: intern(&about.task),
        status: intern(&about.status),
        outcome: about.outcome.map(|outcome| (outcome, word(about.outcome_detail.as_deref()))),
        start_ms: about.start.as_deref().and_then(moment_ms),
        end_ms: about.end.as_deref().and_then(moment_ms),
        updated_ms: about.updated.as_deref().and_then(moment_ms),
        max_iterations: about.max_iterations,
        counter: about.counter,
        omega: about.omega.and_then(omega::used),
        base: about.base,
        reward: about.reward.as_ref().and_then(reward),
        lessons: reward::count(about.lessons.len()),
        totals: Totals::of(about),
        accuracy: Counter::find(&about.counters, "acc"),
        has_placeholder: Counter::find(&about.counters, PLACEHOLDERS).is_some(),
        steps: 0..0,
    }
}

/// The columns of an attempt; hashes of its reflections go to `hashes`, one for each part.
pub(crate) fn step(
    row: usize,
    part: u32,
    details: &Details,
    hashes: &mut Vec<u64>,
) -> ParsedStepRow {
    let outcome = details.outcome.unwrap_or(Outcome::Unknown);
    let texts = details.reflections.iter().map(|r| r.text.as_str());
    hashes.extend(texts.map(text::hash_of));
    if details.reflections.is_empty() {
        hashes.push(0);
    }
    let is_error = |severity: Option<&str>| !matches!(severity, Some("warning" | "info"));
    let errors = details.errors.iter().filter(|e| is_error(e.severity.as_deref())).count();
    let errors = reward::count(errors);
    let is_known = !details.errors.is_empty() || outcome == Outcome::Success;
    let stored = details.stored.as_ref();
    ParsedStepRow {
        row,
        part,
        number: details.number,
        time_ms: details.time.as_deref().and_then(moment_ms).or_else(|| {
            let start = details.start.as_deref().and_then(moment_ms)?;
            Some(start + details.duration_ms.unwrap_or(0.0))
        }),
        outcome,
        detail: word(details.outcome_detail.as_deref()),
        reward: details.reward.as_ref().and_then(reward),
        derived: derived(details),
        errors: is_known.then_some(errors),
        omega: details.window.as_ref().and_then(|w| w.omega).and_then(|n| {
            #[expect(clippy::cast_precision_loss, reason = "clamped to 0..=10")]
            omega::used(n as f64)
        }),
        stored: Stored {
            reward: stored
                .and_then(|s| s.reward_change)
                .map(|change| written(change, details.reward.as_ref())),
            errors: stored.and_then(|s| s.error_count_change),
            improvement: stored.and_then(|s| s.is_improvement),
            has_injected: details.window.as_ref().and_then(RecordedWindow::has_injected),
        },
        reflections: u32::try_from(details.reflections.len()).unwrap_or(0),
    }
}

/// `reward/derive-guide`, else `reward/derive-tests`, of named counts.
fn derived(details: &Details) -> Option<StepReward> {
    let count = |name: &str| Counter::find(&details.counters, name);
    let partial = count("tests_partial").unwrap_or(0.0);
    let facts = Said {
        tests_passed: count("tests_passed"),
        // A test that passed in part did not pass.
        tests_failed: count("tests_failed").map(|failed| failed + partial),
        tests_total: count("tests_total"),
        lint_errors: count("lint_errors"),
        type_errors: count("type_errors"),
        ..Said::default()
    };
    let (value, rule) = facts.derived()?;
    Some(StepReward { scale: Scale::Ratio, value, origin: Origin::Derived, rule: Some(rule) })
}

/// A change beside a reward in percent was written in percentage points: one decimal place of those is
/// three places on the scale 0..1 (docs/spec/rules.md, "Deltas").
fn written(change: f64, reward: Option<&RewardView>) -> Written {
    let written = Written::of_value(change);
    let least = if reward.is_some_and(|r| r.scale == Scale::Percent) { 3 } else { 0 };
    Written { decimals: written.decimals.max(least), ..written }
}

fn reward(view: &RewardView) -> Option<StepReward> {
    let is_known = view.origin != Origin::None && (0.0..=1.0).contains(&view.value);
    is_known.then(|| StepReward {
        scale: view.scale,
        value: rounded(view.value),
        origin: view.origin,
        rule: rule(view.rule.as_deref()),
    })
}

/// Finer words of outcomes that columns can hold; others are seen when a record is looked at.
const DETAILS: [&str; 17] = [
    "attempts-unknown",
    "crash",
    "error",
    "generator-error",
    "halted",
    "incomplete",
    "own tests failed",
    "own tests unknown",
    "own tests passed",
    "interrupted",
    "limit_reached",
    "no verdict",
    "paused",
    "search",
    "skipped",
    "timeout",
    "void",
];

/// A finer word, for the columns.
pub(crate) fn word(text: Option<&str>) -> Option<&'static str> {
    DETAILS.into_iter().find(|word| Some(*word) == text)
}

/// Rules that derive rewards.
const RULES: [&str; 9] = [
    "reward/derive-guide",
    "reward/derive-quality",
    "reward/derive-tests",
    "reward/derive-criteria",
    "reward/derive-dense",
    "reward/derive-feedback",
    "reward/derive-verdict",
    "reward/derive-ordinal",
    "reward/derive-phases",
];

pub(crate) fn rule(text: Option<&str>) -> Option<&'static str> {
    RULES.into_iter().find(|rule| Some(*rule) == text)
}

/// How early a rule stands in `reward/series`.
pub(crate) fn rank_of_rule(rule: Option<&str>) -> usize {
    RULES.iter().position(|r| Some(*r) == rule).unwrap_or(RULES.len())
}
