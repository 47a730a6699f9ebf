//! The checks themselves, each by what it compares.
#![expect(clippy::float_cmp, reason = "numbers as written are compared as written")]

use super::{Action, ActionKind, Audit, Status};
use crate::format::facts::{Facts, Verification};
use crate::history::reward::rounded;
use crate::validate::finding::{Finding, Severity};

/// A check that fired: rule, severity, pointer, message.
type Fired = (&'static str, Severity, String, String);

/// A number that stands twice in a sorted list.
fn repeated(sorted: &[i64]) -> Option<i64> {
    sorted.windows(2).find_map(|pair| match pair {
        [a, b] if a == b => Some(*a),
        _ => None,
    })
}

impl Audit {
    fn window(facts: &Facts, fired: &mut Vec<Fired>) {
        const AT: &str = "/memory_metadata";
        let list = format!("{AT}/reflections_in_context");
        if let Some(window) = &facts.window {
            let len = i64::try_from(window.len()).unwrap_or(i64::MAX);
            if let Some(size) = facts.window_size.filter(|s| *s != len) {
                fired.push((
                    "rm/window-size",
                    Severity::Warning,
                    format!("{AT}/current_memory_size"),
                    format!("The window is said to hold {size} reflections and lists {len}."),
                ));
            }
            if let Some(number) = facts.number {
                if !window.contains(&number) {
                    fired.push((
                        "rm/window-self",
                        Severity::Info,
                        list.clone(),
                        format!(
                            "The window lists {window:?} without the record's own number, {number}."
                        ),
                    ));
                }
                if let Some(future) = window.iter().find(|n| **n > number) {
                    fired.push((
                        "rm/window-future",
                        Severity::Warning,
                        list.clone(),
                        format!(
                            "The window of iteration {number} lists {future}, which comes later."
                        ),
                    ));
                }
            }
            let mut sorted = window.clone();
            sorted.sort_unstable();
            if sorted != *window {
                fired.push((
                    "rm/window-order",
                    Severity::Info,
                    list.clone(),
                    format!("The window lists {window:?}, which is not ascending."),
                ));
            }
            if let Some(twice) = repeated(&sorted) {
                fired.push((
                    "rm/window-duplicate",
                    Severity::Warning,
                    list.clone(),
                    format!("The window lists {twice} twice."),
                ));
            }
        }
        let len = facts.window.as_ref().map(Vec::len).and_then(|n| i64::try_from(n).ok());
        let held = len.max(facts.window_size);
        #[expect(clippy::cast_precision_loss, reason = "lengths of lists")]
        if let (Some(held), Some(omega)) = (held, facts.omega)
            && held as f64 > omega
        {
            fired.push((
                "rm/window-over-omega",
                Severity::Warning,
                format!("{AT}/omega_capacity"),
                format!("The window holds {held} reflections, and its capacity is {omega}."),
            ));
        }
        if let (Some(total), Some(size)) = (facts.window_total, facts.window_size)
            && total < size
        {
            fired.push((
                "rm/total-small",
                Severity::Warning,
                format!("{AT}/total_reflections_generated"),
                format!("{total} reflections were generated in all, and {size} are in the window."),
            ));
        }
    }

    fn credit(&self, fired: &mut Vec<Fired>) {
        const AT: &str = "/self_reflection/credit_assignment";
        let indices = format!("{AT}/failing_action_indices");
        let count = self.actions.len();
        if count == 0 && (self.has_cause || !self.credited.is_empty()) {
            fired.push((
                "rm/credit-empty-actions",
                Severity::Info,
                AT.to_owned(),
                "Credit is assigned, and the record lists no action.".to_owned(),
            ));
        } else if let Some(index) =
            self.credited.iter().find(|i| usize::try_from(**i).map_or(true, |i| i >= count))
        {
            fired.push((
                "rm/credit-range",
                Severity::Warning,
                indices.clone(),
                format!(
                    "Action {index} is named as failing; there are actions 0 to {}.",
                    count.saturating_sub(1)
                ),
            ));
        }
        let mut sorted = self.credited.clone();
        sorted.sort_unstable();
        if let Some(twice) = repeated(&sorted) {
            fired.push((
                "rm/credit-duplicate",
                Severity::Info,
                indices,
                format!("Action {twice} is named as failing twice."),
            ));
        }
    }

    /// Verdict against errors, results, reward and tests.
    fn verdict(&self, facts: &Facts, fired: &mut Vec<Fired>) {
        let Some(passed) = facts.passed else { return };
        let at = || "/evaluator_output/passed".to_owned();
        let results = self.results.as_deref().unwrap_or_default();
        let failed =
            results.iter().filter(|r| matches!(r.status, Status::Fail | Status::Error)).count();
        let errors = facts.errors.unwrap_or(0);
        let (warning, info) = (Severity::Warning, Severity::Info);
        if passed && errors > 0 {
            fired.push((
                "rm/passed-with-errors",
                warning,
                at(),
                format!("The attempt passed with {errors} errors."),
            ));
        }
        if passed && failed > 0 {
            fired.push((
                "rm/passed-with-failed-check",
                warning,
                at(),
                format!(
                    "The attempt passed although {failed} of {} checks did not.",
                    results.len()
                ),
            ));
        }
        if !passed && errors == 0 && failed == 0 {
            let is_green = !results.is_empty() && results.iter().all(|r| r.status == Status::Pass);
            if is_green {
                let text = format!(
                    "The attempt failed although all {} checks passed and no error is listed.",
                    results.len()
                );
                fired.push(("rm/failed-all-green", warning, at(), text));
            } else {
                let text = "The attempt failed, and neither an error nor a failed check says why.";
                fired.push(("rm/failed-without-evidence", info, at(), text.to_owned()));
            }
        }
        if let Some(reward) = facts.reward {
            let is_odd = (passed && reward < 0.5) || (!passed && reward == 1.0);
            if is_odd {
                let word = if passed { "passed" } else { "failed" };
                fired.push((
                    "rm/reward-verdict",
                    warning,
                    "/evaluator_output/reward_signal".to_owned(),
                    format!("The attempt {word} with a reward of {reward}."),
                ));
            }
            if let Some((derived, "reward/derive-guide")) = facts.derived()
                && (rounded(derived - reward)).abs() > 0.01
            {
                fired.push((
                    "rm/reward-formula",
                    info,
                    "/evaluator_output/reward_signal".to_owned(),
                    format!("The reward is {reward}; from tests, types and lints it would be {derived} (reward/derive-guide)."),
                ));
            }
        }
        if passed {
            fired.push((
                "rm/reflection-on-success",
                info,
                at(),
                "The record of a successful attempt carries a reflection; the guide asks for one after failures only.".to_owned(),
            ));
        }
        let failed_tests = facts.tests_failed.unwrap_or(0.0);
        if passed && failed_tests > 0.0 {
            fired.push((
                "rm/tests-verdict",
                warning,
                at(),
                format!("The attempt passed with {failed_tests} failed tests."),
            ));
        } else if !passed
            && facts.verification == Some(Verification::UnitTests)
            && facts.tests_failed == Some(0.0)
            && errors == 0
        {
            fired.push((
                "rm/tests-verdict",
                warning,
                at(),
                "Unit tests failed, with 0 failed tests and no error.".to_owned(),
            ));
        }
    }

    fn tests(&self, facts: &Facts, fired: &mut Vec<Fired>) {
        const AT: &str = "/evaluator_output/metrics";
        if let (Some(passed), Some(failed), Some(total)) =
            (facts.tests_passed, facts.tests_failed, facts.tests_total)
        {
            let sum = passed + failed;
            let (severity, why) = if sum > total {
                (Severity::Warning, "more than")
            } else {
                (Severity::Info, "fewer than")
            };
            if sum != total {
                fired.push((
                    "rm/tests-sum",
                    severity,
                    format!("{AT}/tests_total"),
                    format!(
                        "{passed} passed and {failed} failed tests are {why} the total of {total}."
                    ),
                ));
            }
        }
        if let Some(counter) = self.negative {
            fired.push((
                "rm/tests-negative",
                Severity::Warning,
                format!("{AT}/{counter}"),
                format!("The counter {counter} is below 0."),
            ));
        }
        for (i, result) in self.results.iter().flatten().enumerate() {
            let at = |name| format!("/evaluator_output/results/{i}/{name}");
            if let Some(code) = result.exit_code {
                let is_odd = match result.status {
                    Status::Pass => code != 0.0,
                    Status::Fail => code == 0.0,
                    Status::Error | Status::Skip => false,
                };
                if is_odd {
                    let word = if result.status == Status::Pass { "passed" } else { "failed" };
                    fired.push((
                        "rm/exit-code",
                        Severity::Warning,
                        at("exit_code"),
                        format!("The check {word} with exit code {code}."),
                    ));
                }
            }
            if let Some(duration) = result.duration_ms.filter(|d| *d < 0.0) {
                fired.push((
                    "rm/duration-negative",
                    Severity::Warning,
                    at("duration_ms"),
                    format!("The check took {duration} ms."),
                ));
            }
        }
        for (i, error) in self.errors.iter().enumerate() {
            let at = |name: &str| format!("/evaluator_output/errors/{i}{name}");
            let odd = match error.line {
                Some(line) if line < 1.0 => {
                    Some((at("/line"), format!("Line {line} is not a line: they count from 1.")))
                }
                Some(line) if !error.has_file => {
                    Some((at("/line"), format!("Line {line} of which file?")))
                }
                None if error.has_column => {
                    Some((at("/column"), "A column without a line.".to_owned()))
                }
                _ => None,
            };
            if let Some((pointer, message)) = odd {
                fired.push(("rm/error-place", Severity::Info, pointer, message));
            }
        }
    }

    fn files(&self, fired: &mut Vec<Fired>) {
        let files = self.files.as_deref();
        let mut last_time = f64::NEG_INFINITY;
        for (i, action) in self.actions.iter().enumerate() {
            let at = |name: &str| format!("/actor_output/actions/{i}{name}");
            let info = Severity::Info;
            if action.kind == ActionKind::Command && !action.has_command {
                fired.push((
                    "rm/command-missing",
                    info,
                    at(""),
                    "The action ran something, and its command is missing.".to_owned(),
                ));
            }
            if action.kind == ActionKind::File {
                match (action.path, files) {
                    (None, _) => fired.push((
                        "rm/path-missing",
                        info,
                        at(""),
                        "The action changed a file, and its path is missing.".to_owned(),
                    )),
                    (Some(path), Some(files)) if !files.contains(&path) => fired.push((
                        "rm/files-unlisted",
                        info,
                        at("/file_path"),
                        "The file of this action is missing from files_modified.".to_owned(),
                    )),
                    _ => {}
                }
            }
            if let Some((added, deleted)) = action.diff {
                let differs =
                    |said: Option<f64>, found: u32| said.is_some_and(|s| s != f64::from(found));
                if differs(action.additions, added) || differs(action.deletions, deleted) {
                    let said = |n: Option<f64>| n.map_or("unknown".to_owned(), |n| n.to_string());
                    fired.push((
                        "rm/diff-count",
                        info,
                        at("/changes/diff"),
                        format!(
                            "The diff adds {added} and deletes {deleted} lines; the record says {} and {}.",
                            said(action.additions),
                            said(action.deletions)
                        ),
                    ));
                }
            }
            if let Some(time) = action.time_ms {
                if time < last_time {
                    fired.push((
                        "rm/action-order",
                        info,
                        at("/timestamp"),
                        "The action is older than one before it.".to_owned(),
                    ));
                }
                last_time = last_time.max(time);
            }
        }
        self.totals(fired);
    }

    fn totals(&self, fired: &mut Vec<Fired>) {
        let sum = |part: fn(&Action) -> Option<f64>| {
            let files = self.actions.iter().filter(|a| a.kind == ActionKind::File);
            files.map(part).try_fold(0.0, |sum, n| Some(sum + n?))
        };
        #[expect(clippy::cast_precision_loss, reason = "lengths of lists")]
        let listed = self.files.as_ref().map(|f| f.len() as f64);
        let has_changes = self.actions.iter().any(|a| a.kind == ActionKind::File);
        let rows = [
            ("files_changed", self.files_changed, listed),
            ("lines_added", self.lines_added, sum(|a| a.additions).filter(|_| has_changes)),
            ("lines_deleted", self.lines_deleted, sum(|a| a.deletions).filter(|_| has_changes)),
        ];
        for (name, said, found) in rows {
            if let (Some(said), Some(found)) = (said, found)
                && said != found
            {
                fired.push((
                    "rm/totals",
                    Severity::Warning,
                    format!("/actor_output/total_changes/{name}"),
                    format!("{name} is {said}; the parts add up to {found}."),
                ));
            }
        }
    }

    /// What the record says of other iterations and of its own change.
    fn relations(&self, facts: &Facts, fired: &mut Vec<Fired>) {
        if let Some(number) = facts.number {
            let injected = facts.injected.as_deref().unwrap_or_default();
            for (names, pointer) in [
                (&self.related[..], "/self_reflection/related_reflections"),
                (injected, "/previous_reflections_used"),
            ] {
                if let Some(later) = names.iter().find(|n| **n >= number) {
                    fired.push((
                        "rm/related-range",
                        Severity::Warning,
                        pointer.to_owned(),
                        format!("Iteration {number} names {later}, which does not come before it."),
                    ));
                }
            }
        }
        if let (Some(flag), Some(injected)) = (self.injected_flag, &facts.injected)
            && flag == injected.is_empty()
        {
            let text = if flag {
                "Context was injected, and none is listed."
            } else {
                "No context was injected, and some is listed."
            };
            fired.push((
                "rm/context-flag",
                Severity::Warning,
                "/context_injected".to_owned(),
                text.to_owned(),
            ));
        }
        let change = facts.reward_change.map(|w| w.value);
        let errors = facts.error_change;
        let at = |name| format!("/performance_delta/{name}");
        let contradicts = match (facts.is_improvement, change) {
            (Some(true), Some(change)) => change <= 0.0 && errors.is_none_or(|e| e >= 0),
            (Some(false), Some(change)) => change > 0.0,
            _ => false,
        };
        if contradicts {
            let word = if facts.is_improvement == Some(true) { "an" } else { "no" };
            fired.push((
                "rm/improvement-sign",
                Severity::Warning,
                at("is_improvement"),
                format!(
                    "The step is called {word} improvement with a reward change of {}.",
                    change.unwrap_or_default()
                ),
            ));
        }
        if let (Some(change), Some(errors)) = (change, errors)
            && ((change > 0.0 && errors > 0) || (change < 0.0 && errors < 0))
        {
            fired.push((
                "rm/delta-signs",
                Severity::Info,
                at("error_count_change"),
                format!("The reward changed by {change} and the errors by {errors}: both go the same way."),
            ));
        }
        let late =
            |time: f64| self.actions.iter().position(|a| a.time_ms.is_some_and(|t| t > time));
        if let Some(i) = facts.time_ms.and_then(late) {
            fired.push((
                "rm/action-late",
                Severity::Warning,
                format!("/actor_output/actions/{i}/timestamp"),
                "The action is later than its record.".to_owned(),
            ));
        }
    }

    /// Everything that fires, without places.
    pub(crate) fn findings(&self, facts: &Facts) -> Vec<Finding> {
        let mut fired = Vec::new();
        Self::window(facts, &mut fired);
        self.credit(&mut fired);
        self.verdict(facts, &mut fired);
        self.tests(facts, &mut fired);
        self.files(&mut fired);
        self.relations(facts, &mut fired);
        let finding = |(rule, severity, pointer, message): Fired| {
            Finding::new(rule, severity, message).pointer(pointer)
        };
        fired.into_iter().map(finding).collect()
    }
}
