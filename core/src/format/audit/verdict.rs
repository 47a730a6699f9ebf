//! The verdict against errors, results, tests and reward.
#![expect(clippy::float_cmp, reason = "numbers as written are compared as written")]

use super::checks::Fired;
use super::{Audit, Status};
use crate::format::extracted::{Extracted, Verification};
use crate::json::double::Shown;
use crate::model::finding::Severity;
use crate::model::reward::rounded;
use crate::text::counted;

const PASSED: &str = "/evaluator_output/passed";
const REWARD: &str = "/evaluator_output/reward_signal";

impl Audit {
    pub(super) fn verdict(&self, extracted: &Extracted, fired: &mut Fired) {
        let Some(passed) = extracted.said.passed else { return };
        let results = self.results.get().unwrap_or_default();
        let failed =
            results.iter().filter(|r| matches!(r.status, Status::Fail | Status::Error)).count();
        let errors = usize::try_from(extracted.said.errors.unwrap_or(0)).unwrap_or(usize::MAX);
        let contrast = |expected: &str, found: String| [expected.to_owned(), found];
        if passed && errors > 0 {
            let errors = counted(errors, "error");
            fired.warn(
                "rm/passed-with-errors",
                PASSED,
                contrast("false, or no errors", format!("true with {errors}")),
                format!("The attempt passed with {errors}."),
            );
        }
        if passed && failed > 0 {
            let of = format!("{failed} of {}", counted(results.len(), "check"));
            fired.warn(
                "rm/passed-with-failed-check",
                PASSED,
                contrast("false, or no failed check", format!("true with {of} failed")),
                format!("The attempt passed although {of} did not."),
            );
        }
        if !passed && errors == 0 && failed == 0 {
            if !results.is_empty() && results.iter().all(|r| r.status == Status::Pass) {
                let checks = counted(results.len(), "check");
                fired.warn(
                    "rm/failed-all-green",
                    PASSED,
                    contrast("true, or what failed", format!("false with {checks} passed")),
                    format!("The attempt failed although {checks} passed and no error is listed."),
                );
            } else {
                fired.report(
                    "rm/failed-without-evidence",
                    PASSED,
                    contrast("an error or a failed check", "neither".to_owned()),
                    "The attempt failed, but there is no error and no failed check.",
                );
            }
        }
        // The hash of a blank text is 0.
        if passed && extracted.reflections.iter().any(|hash| *hash != 0) {
            fired.report(
                "rm/reflection-on-success",
                PASSED,
                contrast("false where there is a reflection", "true".to_owned()),
                "The attempt succeeded, but its record has a reflection. aiwg's guide asks for reflections only after failures.",
            );
        }
        let failed_tests = extracted.said.tests_failed.unwrap_or(0.0);
        if passed && failed_tests > 0.0 {
            let tests = if failed_tests == 1.0 { "test" } else { "tests" };
            let failed_tests = Shown(failed_tests);
            fired.warn(
                "rm/tests-verdict",
                PASSED,
                contrast("false, or no failed tests", format!("true with {failed_tests} failed")),
                format!("The attempt passed with {failed_tests} failed {tests}."),
            );
        } else if !passed
            && extracted.said.verification == Some(Verification::UnitTests)
            && extracted.said.tests_failed == Some(0.0)
            && errors == 0
        {
            fired.warn(
                "rm/tests-verdict",
                PASSED,
                contrast("true, or failed tests", "false with 0 failed tests".to_owned()),
                "The unit tests failed, but there are 0 failed tests and no error.",
            );
        }
    }

    pub(super) fn reward(extracted: &Extracted, fired: &mut Fired) {
        let (Some(passed), Some(reward)) = (extracted.said.passed, extracted.said.reward) else {
            return;
        };
        if (passed && reward < 0.5) || (!passed && reward == 1.0) {
            let (word, expected) =
                if passed { ("passed", "0.5 or more") } else { ("failed", "less than 1") };
            let found = Shown(reward);
            fired.warn(
                "rm/reward-verdict",
                REWARD,
                [expected.to_owned(), found.to_string()],
                format!("The attempt {word}, but its reward is {found}; expected {expected}."),
            );
        }
        if let Some((derived, "reward/derive-guide")) = extracted.said.derived()
            && (rounded(derived - reward)).abs() > 0.01
        {
            let (derived, reward) = (Shown(derived), Shown(reward));
            fired.report(
                "rm/reward-formula",
                REWARD,
                [derived.to_string(), reward.to_string()],
                format!("The reward is {reward}, but tests, types and lint errors give {derived} (reward/derive-guide)."),
            );
        }
    }

    pub(super) fn tests(&self, extracted: &Extracted, fired: &mut Fired) {
        const AT: &str = "/evaluator_output/metrics";
        if let (Some(passed), Some(failed), Some(total)) =
            (extracted.said.tests_passed, extracted.said.tests_failed, extracted.said.tests_total)
        {
            let sum = passed + failed;
            let (severity, why) = if sum > total {
                (Severity::Warning, "more than")
            } else {
                (Severity::Info, "fewer than")
            };
            if sum != total {
                let [sum, passed, failed, total] = [sum, passed, failed, total].map(Shown);
                fired.say(
                    severity,
                    "rm/tests-sum",
                    format!("{AT}/tests_total"),
                    [sum.to_string(), total.to_string()],
                    format!(
                        "{passed} passed and {failed} failed tests are {why} the total of {total}."
                    ),
                );
            }
        }
        if let Some((counter, value)) = self.said.negative {
            let value = Shown(value);
            fired.warn(
                "rm/tests-negative",
                format!("{AT}/{counter}"),
                ["0 or more".to_owned(), value.to_string()],
                format!("`{counter}` is {value}. A counter cannot be below 0."),
            );
        }
        self.results(fired);
        self.error_places(fired);
    }

    fn results(&self, fired: &mut Fired) {
        for result in self.results.get().unwrap_or_default() {
            let at = |name| format!("/evaluator_output/results/{}/{name}", result.place);
            if let Some(code) = result.exit_code {
                let unexpected = match result.status {
                    Status::Pass if code != 0.0 => Some(("0", "passed")),
                    Status::Fail if code == 0.0 => Some(("a number other than 0", "failed")),
                    _ => None,
                };
                let code = Shown(code);
                if let Some((expected, word)) = unexpected {
                    fired.warn(
                        "rm/exit-code",
                        at("exit_code"),
                        [expected.to_owned(), code.to_string()],
                        format!("The check {word} with exit code {code}."),
                    );
                }
            }
            if let Some(duration) = result.duration_ms.filter(|d| *d < 0.0).map(Shown) {
                fired.warn(
                    "rm/duration-negative",
                    at("duration_ms"),
                    ["0 or more".to_owned(), duration.to_string()],
                    format!("The duration of the check is {duration} ms, which is below 0."),
                );
            }
        }
    }

    fn error_places(&self, fired: &mut Fired) {
        for error in &self.errors {
            let at = |name: &str| format!("/evaluator_output/errors/{}/{name}", error.place);
            let is_low = error.line.is_some_and(|line| line < 1.0);
            let (pointer, contrast, message) = match error.line.map(Shown) {
                Some(line) if is_low => (
                    at("line"),
                    ["1 or more".to_owned(), line.to_string()],
                    format!("Line {line} does not exist: lines are counted from 1."),
                ),
                Some(line) if !error.has_file => (
                    at("line"),
                    ["a file beside it".to_owned(), format!("line {line} alone")],
                    format!("The error has line {line}, but no file."),
                ),
                None if error.has_column => (
                    at("column"),
                    ["a line beside it".to_owned(), "a column alone".to_owned()],
                    "The error has a column, but no line.".to_owned(),
                ),
                _ => continue,
            };
            fired.report("rm/error-place", pointer, contrast, message);
        }
    }
}
