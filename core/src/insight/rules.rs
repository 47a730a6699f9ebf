//! Every rule of insight, with what it needs read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Serialize;
use serde_with_macros::skip_serializing_none;

use crate::error::Error;
use crate::history::loaded_run::LoadedRun;
use crate::labels::labels;
use crate::model::id::RecordId;
use crate::model::options::InsightOptions;
use crate::model::outcome::Outcome;
use crate::model::rules::{rule_text, rule_threshold};
use crate::text::did_you_mean;

labels! {
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

/// A rule of [`LoadedRun::explain`].
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InsightRule {
    /// Its id, as findings carry it.
    pub id: &'static str,
    /// What it needs read.
    pub needs: Needs,
    /// Whether it is judged without being asked for.
    pub is_default: bool,
    /// Its threshold, in a few words; absent if it has none.
    pub threshold: Option<&'static str>,
    /// What it finds, with its thresholds, in one or two sentences.
    pub says: &'static str,
}

impl InsightRule {
    /// Whether records must be read for it, even if [`History::keep_sketches`](crate::History::keep_sketches)
    /// has what can be kept of their reflections.
    pub fn needs_texts(&self) -> bool {
        self.needs != Needs::Columns && !self.is_sketched()
    }

    /// Whether sketches are as good as the reflections that it needs.
    pub(crate) fn is_sketched(&self) -> bool {
        SKETCHED.contains(&self.id)
    }
}

/// Id, what it needs read, and whether it is judged without being asked for.
type Row = (&'static str, Needs, bool);

const fn on(id: &'static str, needs: Needs) -> Row {
    (id, needs, true)
}

const fn off(id: &'static str, needs: Needs) -> Row {
    (id, needs, false)
}

/// In the order of docs/spec/rules.md, in which findings of one iteration stand.
const ROWS: [Row; 52] = [
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

/// Rules on reflections that compare no more than sketches hold.
const SKETCHED: [&str; 5] = [
    "stuck/repeated-reflection",
    "stuck/recurring-reflection",
    "stuck/near-repeat",
    "stuck/cycle-2",
    "stuck/cycle-3",
];

/// With what the table of all rules says of each.
static RULES: LazyLock<Vec<InsightRule>> = LazyLock::new(|| {
    let rule = |(id, needs, is_default)| InsightRule {
        id,
        needs,
        is_default,
        threshold: rule_threshold(id),
        says: rule_text(id).unwrap_or_default(),
    };
    ROWS.into_iter().map(rule).collect()
});

/// Every rule that insight knows, in the order of docs/spec/rules.md, with what it needs read.
pub fn insight_rules() -> &'static [InsightRule] {
    &RULES
}

/// Position among the rules, by which findings of one iteration are sorted.
pub(super) fn rank(id: &str) -> usize {
    ROWS.iter().position(|row| row.0 == id).unwrap_or(ROWS.len())
}

/// Whether a name of the options chooses a rule.
fn is_chosen_by(name: &str, id: &str) -> bool {
    name.strip_suffix('*').map_or(id == name, |area| id.starts_with(area))
}

impl InsightOptions {
    /// Whether each name in `rules` chooses a rule. [`explain`](crate::explain()) ignores names that it does
    /// not know, so call this first where people write them.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`](crate::ErrorCode::InvalidOption) for a name that chooses none, with the
    /// nearest one that does.
    ///
    /// # Example: a mistyped area
    ///
    /// ```
    /// use hindscope::InsightOptions;
    ///
    /// let options = InsightOptions { rules: vec!["stuk/*".into()], ..InsightOptions::default() };
    /// let error = options.check().expect_err("there is no such area");
    /// assert!(error.to_string().contains("Did you mean `stuck/*`?"));
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        let is_unknown = |name: &&String| !ROWS.iter().any(|row| is_chosen_by(name, row.0));
        let Some(name) = self.rules.iter().find(is_unknown) else {
            return Ok(());
        };
        let area = |row: &Row| row.0.split_once('/').map(|(area, _)| format!("{area}/*"));
        let areas: BTreeSet<_> = ROWS.iter().filter_map(area).collect();
        let ids = ROWS.iter().map(|row| row.0);
        let known: Vec<_> = ids.chain(areas.iter().map(String::as_str)).collect();
        Err(Error::invalid_option(format!(
            "`rules` has {name:?}, which names no rule: expected an id such as `stuck/near-repeat`, or an area such as `stuck/*`.{}",
            did_you_mean(name, &known)
        )))
    }
}

/// Rules that the options choose.
pub(super) fn chosen(options: &InsightOptions) -> Vec<InsightRule> {
    let is_named =
        |rule: &InsightRule| options.rules.iter().any(|name| is_chosen_by(name, rule.id));
    let is_chosen = |rule: &&InsightRule| {
        if options.rules.is_empty() { rule.is_default } else { is_named(rule) }
    };
    RULES.iter().filter(is_chosen).copied().collect()
}

/// Records that a need means in a run, with their parts.
fn parts(loaded_run: &LoadedRun, needs: Needs) -> Vec<(RecordId, u32)> {
    // Logs of tasks and trials hold neither actions nor errors: there is nothing to wait for.
    let has_attempts = loaded_run.format.traits().has_actions;
    let of_reflections =
        || loaded_run.reflections().map(|r| (r.record, r.part)).collect::<Vec<_>>();
    let of_attempts = || {
        let all = (0..loaded_run.steps.len()).flat_map(|k| loaded_run.parts_at(k, has_attempts));
        all.collect::<Vec<_>>()
    };
    match needs {
        Needs::Columns => Vec::new(),
        Needs::Reflections => of_reflections(),
        Needs::Attempts => of_attempts(),
        Needs::Verdicts => loaded_run
            .steps
            .array_windows::<2>()
            .enumerate()
            .filter(|(_, [a, b])| a.outcome == Outcome::Success && b.outcome == Outcome::Failure)
            .flat_map(|(k, _)| [k, k + 1])
            .flat_map(|k| loaded_run.parts_at(k, has_attempts))
            .collect(),
        Needs::Records => of_reflections().into_iter().chain(of_attempts()).collect(),
    }
}

/// Records that a rule still lacks.
pub(super) fn missing(loaded_run: &LoadedRun, rule: &InsightRule) -> Vec<RecordId> {
    if rule.is_sketched() {
        return loaded_run.needs_sketches();
    }
    let lacks = |(record, part): &(RecordId, u32)| !loaded_run.is_loaded(*record, *part);
    parts(loaded_run, rule.needs).into_iter().filter(lacks).map(|(record, _)| record).collect()
}

impl LoadedRun {
    /// Records that the rules chosen by `options` need and that were not read yet, in order. With
    /// all of them read, [`LoadedRun::explain`] leaves no rule out.
    pub fn needs_for(&self, options: &InsightOptions) -> Vec<RecordId> {
        let mut kinds = BTreeMap::new();
        for rule in chosen(options) {
            kinds.entry((rule.needs, rule.is_sketched())).or_insert(rule);
        }
        let records: BTreeSet<_> = kinds.values().flat_map(|rule| missing(self, rule)).collect();
        records.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_no_rule_are_refused_with_the_nearest_one() {
        let check = |names: &[&str]| {
            let rules = names.iter().map(|&name| name.to_owned()).collect();
            let options = InsightOptions { rules, ..InsightOptions::default() };
            options.check().map_err(|error| error.to_string())
        };
        assert_eq!(
            check(&["*", "stuck/*", "stuck/near*", "best/*", "diminishing/absolute"]),
            Ok(())
        );
        for row in ROWS {
            assert_eq!(check(&[row.0]), Ok(()));
        }
        for (name, meant) in [
            ("stuk/*", " Did you mean `stuck/*`?"),
            ("stuck/near_repeat", " Did you mean `stuck/near-repeat`?"),
            ("Stuck/Near-Repeats", " Did you mean `stuck/near-repeat`?"),
        ] {
            let message = check(&["stuck/*", name]).expect_err("there is no such rule");
            assert!(message.contains(name) && message.ends_with(meant), "{message}");
        }
        for far in ["", "zzzz", "zzzz/*"] {
            let message = check(&[far]).expect_err("there is no such rule");
            assert!(!message.contains("Did you mean"), "{message}");
        }
    }
}
