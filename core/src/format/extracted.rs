//! What columns need of a record, gathered by the typed pass.

use super::list::List;
use super::slot::Slot;
use super::{FormatId, Reading};
use crate::format::audit::Audit;
use crate::json::double::shown;
use crate::json::numeric::whole;
use crate::json::pass::Sink;
use crate::json::scan::Text;
use crate::labels::labels;
use crate::model::datetime::{self, Time};
use crate::model::omega::{Assumption, Policy, preset};
use crate::model::reward::rounded;
use crate::text;

/// What one record said. Reused from record to record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extracted {
    pub(crate) key: Option<String>,
    pub(crate) task: Option<String>,
    pub(crate) outcome: Option<String>,
    /// A hash of each reflection's text; 0 for a blank one.
    pub(crate) reflections: Vec<u64>,
    pub(crate) window: List<i64>,
    pub(crate) injected: List<i64>,
    /// Share of passed asserts in each feedback text.
    pub(crate) feedback: Vec<Option<f64>>,
    pub(crate) said: Said,
    /// What the checks of a reflection-memory record compare.
    pub(crate) audit: Audit,
    /// Errors counted so far in the list that is being walked.
    open_errors: u32,
    is_minor: bool,
    /// Strings of the last record, to be written again.
    spare: Vec<String>,
}

/// The single values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said {
    pub(crate) number: Option<i64>,
    /// It is an integer that is too large to keep: see
    /// [`MOST_INTEGER`](crate::json::numeric::MOST_INTEGER).
    pub(crate) is_number_beyond: bool,
    pub(crate) time_ms: Option<f64>,
    pub(crate) passed: Option<bool>,
    pub(crate) verification: Option<Verification>,
    pub(crate) reward: Option<f64>,
    /// Number of errors that are neither warnings nor infos; `None` if the record has no list of them.
    pub(crate) errors: Option<u32>,
    pub(crate) tests_passed: Option<f64>,
    pub(crate) tests_failed: Option<f64>,
    pub(crate) tests_total: Option<f64>,
    pub(crate) lint_errors: Option<f64>,
    pub(crate) type_errors: Option<f64>,
    pub(crate) omega: Option<f64>,
    pub(crate) window_size: Option<i64>,
    pub(crate) window_total: Option<i64>,
    /// Position in [`POLICIES`].
    pub(crate) policy: Option<Policy>,
    pub(crate) reward_change: Option<Written>,
    pub(crate) error_change: Option<i64>,
    pub(crate) is_improvement: Option<bool>,
    pub(crate) implementations: Option<u32>,
    pub(crate) has_reflections: bool,
    /// Bits that a format gives a meaning.
    pub(crate) marks: u8,
}

/// A number and how many decimals it was written with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Written {
    pub(crate) value: f64,
    pub(crate) decimals: u8,
}

impl Written {
    /// A number of which only the value is known: its shortest spelling counts.
    pub(crate) fn of_value(value: f64) -> Self {
        Self::new(value, shown(value).as_bytes())
    }

    fn new(value: f64, lexeme: &[u8]) -> Self {
        let has_exponent = lexeme.iter().any(|b| matches!(b, b'e' | b'E'));
        let decimals = match lexeme.iter().position(|&b| b == b'.') {
            Some(dot) if !has_exponent => lexeme.len() - dot - 1,
            // An exponent says nothing about the precision meant: the finest.
            _ if has_exponent => 9,
            _ => 0,
        };
        Self { value, decimals: u8::try_from(decimals).unwrap_or(u8::MAX) }
    }
}

labels! {
    /// Kinds of verification (`evaluator_output.verification_type`).
    pub(crate) Verification {
        UnitTests = "unit_tests",
        IntegrationTests = "integration_tests",
        TypeCheck = "type_check",
        Lint = "lint",
        Compilation = "compilation",
        Heuristic = "heuristic",
        ExternalApi = "external_api",
        ManualReview = "manual_review",
        Combined = "combined",
    }
}

impl Verification {
    fn read(text: Text<'_>) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| text.is(kind.as_str()))
    }

    /// Ω that is assumed for it (`window/provenance`).
    pub(crate) const fn assumed(self) -> Assumption {
        match self {
            Self::UnitTests | Self::TypeCheck | Self::Lint => Assumption::of(1, "guide"),
            Self::IntegrationTests | Self::Combined => Assumption::of(3, "guide"),
            Self::ManualReview => Assumption::of(5, "guide"),
            Self::Compilation => Assumption::of(1, "own"),
            Self::Heuristic | Self::ExternalApi => Assumption::of(3, "own"),
        }
    }
}

impl Extracted {
    /// Empties it for the next record, keeping what was allocated.
    pub(crate) fn clear(&mut self) {
        self.spare.extend([self.key.take(), self.task.take()].into_iter().flatten());
        self.outcome = None;
        self.reflections.clear();
        self.window.clear();
        self.injected.clear();
        self.feedback.clear();
        self.said = Said::default();
        self.audit.clear();
        self.open_errors = 0;
        self.is_minor = false;
    }

    fn held(&mut self, text: Text<'_>) -> String {
        let mut held = self.spare.pop().unwrap_or_default();
        held.clear();
        held.push_str(&text.decode());
        held
    }

    /// Whether what the typed pass gathered makes a record of the format; shapes cannot say
    /// "one of these two".
    pub(crate) fn fit(&self, format: FormatId) -> bool {
        match &format.row().reading {
            Reading::Plain { fits, .. } => fits(self),
            _ => format != FormatId::ProgrammingLog || self.key.is_some(),
        }
    }
}

impl Said {
    /// `reward/derive-guide`, else `reward/derive-tests`.
    pub(crate) fn derived(&self) -> Option<(f64, &'static str)> {
        let zero = |n: f64| f64::from(u8::from(n == 0.0));
        let (passed, failed, total) = (self.tests_passed, self.tests_failed, self.tests_total);
        if self.verification == Some(Verification::Combined)
            && let (Some(passed), Some(total), Some(types), Some(lints)) =
                (passed, total, self.type_errors, self.lint_errors)
            && total > 0.0
        {
            let value = 0.5 * passed / total + 0.3 * zero(types) + 0.2 * zero(lints);
            return in_unit(value, "reward/derive-guide");
        }
        let passed = passed?;
        let all = failed.map(|failed| passed + failed).or(total)?;
        if all > 0.0 { in_unit(passed / all, "reward/derive-tests") } else { None }
    }
}

impl Sink for Extracted {
    type Slot = Slot;

    fn text(&mut self, slot: Slot, text: Text<'_>) {
        match slot {
            Slot::Key => self.key = Some(self.held(text)),
            Slot::Name if self.key.is_none() => self.key = Some(self.held(text)),
            Slot::Task => self.task = Some(self.held(text)),
            Slot::Time | Slot::ActionTime => {
                if let Some(time) = datetime::read(&text.decode()) {
                    self.time(slot, time);
                }
            }
            Slot::Outcome => self.outcome = Some(text.decode().into_owned()),
            Slot::Policy => {
                self.said.policy = Policy::ALL.into_iter().find(|one| text.is(one.as_str()));
            }
            Slot::Omega => self.said.omega = preset(&text.decode()).map(f64::from),
            Slot::Verification => self.said.verification = Verification::read(text),
            Slot::ErrorItem => self.open_errors += 1,
            Slot::ErrorSeverity => self.is_minor = text.is("warning") || text.is("info"),
            Slot::Reflection => self.reflections.push(text::hash_of(&text.decode())),
            Slot::Feedback => self.feedback.push(share_passed(&text.decode())),
            Slot::Mark(bit) => self.said.marks |= bit,
            Slot::MarkText(bit) if !text.raw.is_empty() => self.said.marks |= bit,
            Slot::Name | Slot::MarkText(_) | Slot::None => {}
            _ => self.audit.text(slot, text),
        }
    }

    /// A time that was read.
    fn time(&mut self, slot: Slot, time: Time) {
        match slot {
            Slot::Time => self.said.time_ms = Some(time.ms),
            Slot::ActionTime => self.audit.action_time(time.ms),
            _ => {}
        }
    }

    fn number(&mut self, slot: Slot, value: f64, lexeme: Option<&str>) {
        match slot {
            Slot::Number => {
                self.said.number = whole(value);
                self.said.is_number_beyond = self.said.number.is_none();
            }
            Slot::Reward => self.said.reward = Some(value),
            Slot::TestsPassed => self.said.tests_passed = Some(value),
            Slot::TestsFailed => self.said.tests_failed = Some(value),
            Slot::TestsTotal => self.said.tests_total = Some(value),
            Slot::LintErrors => self.said.lint_errors = Some(value),
            Slot::TypeErrors => self.said.type_errors = Some(value),
            Slot::Omega => self.said.omega = Some(value),
            Slot::WindowSize => self.said.window_size = whole(value),
            Slot::WindowTotal => self.said.window_total = whole(value),
            Slot::WindowItem => {
                if let Some(item) = whole(value) {
                    self.window.push(item);
                }
            }
            Slot::InjectedItem => {
                if let Some(item) = whole(value) {
                    self.injected.push(item);
                }
            }
            Slot::RewardChange => {
                let written = |lexeme: &str| Written::new(value, lexeme.as_bytes());
                self.said.reward_change =
                    Some(lexeme.map_or_else(|| Written::of_value(value), written));
            }
            Slot::ErrorChange => self.said.error_change = whole(value),
            _ => {}
        }
        self.audit.number(slot, value);
    }

    fn flag(&mut self, slot: Slot, flag: bool) {
        match slot {
            Slot::Passed => self.said.passed = Some(flag),
            Slot::IsImprovement => self.said.is_improvement = Some(flag),
            Slot::MarkFalse(bit) => self.said.marks |= if flag { 0 } else { bit },
            _ => self.audit.flag(slot, flag),
        }
    }

    /// An object ended. `place` is its position in the list around it.
    fn close(&mut self, slot: Slot, place: u32) {
        if slot == Slot::ErrorItem {
            self.open_errors += u32::from(!self.is_minor);
            self.is_minor = false;
        }
        if let Slot::Mark(bit) = slot {
            self.said.marks |= bit;
        }
        self.audit.close(slot, place);
    }

    /// A list of `count` items ended.
    fn list(&mut self, slot: Slot, count: usize) {
        match slot {
            Slot::Errors => self.said.errors = Some(std::mem::take(&mut self.open_errors)),
            Slot::WindowItems => self.window.end(),
            Slot::Injected => self.injected.end(),
            Slot::Reflections => self.said.has_reflections = true,
            Slot::Implementations => self.said.implementations = u32::try_from(count).ok(),
            _ => self.audit.list(slot),
        }
    }

    fn drops_fraction(&self, slot: Slot) -> bool {
        slot == Slot::Omega
    }

    fn knows_word(&self, slot: Slot, word: &str) -> bool {
        slot == Slot::Omega && preset(word).is_some()
    }
}

fn in_unit(value: f64, rule: &'static str) -> Option<(f64, &'static str)> {
    (0.0..=1.0).contains(&value).then(|| (rounded(value), rule))
}

/// `reward/derive-feedback`: passed asserts / all asserts of a test feedback text.
pub(crate) fn share_passed(text: &str) -> Option<f64> {
    let (passed, failed) = text.split_once("Tests failed:").unwrap_or((text, ""));
    let (_, passed) = passed.split_once("Tested passed:")?;
    let count = |part: &str| {
        part.lines().filter(|l| l.starts_with("assert") || l.starts_with("# assert")).count()
    };
    let (passed, failed) = (count(passed), count(failed));
    #[expect(clippy::cast_precision_loss, reason = "counts of lines")]
    let share = passed as f64 / (passed + failed) as f64;
    (passed + failed > 0).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feedback_is_a_share_of_asserts() {
        let text = "Tested passed:\nassert f(1) == 1\nassert f(2) == 2\nassert f(3)\nassert f(4)\n\nTests failed:\nassert g() # output: 1\nassert h()";
        assert_eq!(share_passed(text), Some(4.0 / 6.0));
        assert_eq!(share_passed("no tests"), None);
        assert_eq!(share_passed("Tested passed:\n\nTests failed:\n"), None);
    }

    #[test]
    fn derives_the_examples_of_the_rules() {
        let extracted = Said {
            verification: Some(Verification::Combined),
            tests_passed: Some(8.0),
            tests_total: Some(10.0),
            type_errors: Some(0.0),
            lint_errors: Some(3.0),
            ..Said::default()
        };
        assert_eq!(extracted.derived(), Some((0.7, "reward/derive-guide")));
        let extracted =
            Said { tests_passed: Some(552.0), tests_failed: Some(3.0), ..Said::default() };
        assert_eq!(extracted.derived(), Some((0.994_594_595, "reward/derive-tests")));
        assert_eq!(
            Said { tests_passed: Some(0.0), tests_failed: Some(0.0), ..Said::default() }.derived(),
            None
        );
        assert_eq!(Said { tests_passed: Some(1.0), ..Said::default() }.derived(), None);
    }
}
