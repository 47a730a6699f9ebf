//! The checks together, and how each says what it expects and what it found.

use std::borrow::Cow;

use super::Audit;
use crate::format::extracted::Extracted;
use crate::model::finding::{Finding, Severity};
use crate::sort::StableSort as _;

/// Findings of one record, without places.
#[derive(Debug, Default)]
pub(super) struct Fired(Vec<Finding>);

impl Fired {
    /// Adds a finding: its rule, pointer, what the rule expects, what stands there, and both in a
    /// sentence.
    pub(super) fn say(
        &mut self,
        severity: Severity,
        rule: &'static str,
        pointer: impl Into<String>,
        [expected, found]: [String; 2],
        message: impl Into<String>,
    ) {
        let finding = Finding::new(rule, severity, message);
        self.0.push(finding.contrast(expected, found).pointer(pointer));
    }

    pub(super) fn warn(
        &mut self,
        rule: &'static str,
        pointer: impl Into<String>,
        contrast: [String; 2],
        message: impl Into<String>,
    ) {
        self.say(Severity::Warning, rule, pointer, contrast, message);
    }

    pub(super) fn report(
        &mut self,
        rule: &'static str,
        pointer: impl Into<String>,
        contrast: [String; 2],
        message: impl Into<String>,
    ) {
        self.say(Severity::Info, rule, pointer, contrast, message);
    }
}

/// The smallest number that stands twice in a list.
pub(super) fn repeated(list: &[i64]) -> Option<i64> {
    let mut sorted = Cow::Borrowed(list);
    if !list.is_sorted() {
        sorted.to_mut().stable_sort_by(Ord::cmp);
    }
    sorted.windows(2).find_map(|pair| match pair {
        [a, b] if a == b => Some(*a),
        _ => None,
    })
}

/// Numbers for a message: the first ten, and how many more there are.
pub(super) fn numbers(list: &[i64]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = list.iter().take(SHOWN).map(i64::to_string).collect();
    let shown = shown.join(", ");
    match list.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("[{shown} and {more} more]"),
        _ => format!("[{shown}]"),
    }
}

impl Audit {
    /// Everything that fires, without places. `now_ms` is the host's clock, if it gave one.
    pub(crate) fn findings(&self, extracted: &Extracted, now_ms: Option<f64>) -> Vec<Finding> {
        let mut fired = Fired::default();
        Self::window(extracted, &mut fired);
        self.credit(&mut fired);
        self.verdict(extracted, &mut fired);
        Self::reward(extracted, &mut fired);
        self.tests(extracted, &mut fired);
        self.actions(&mut fired);
        self.totals(&mut fired);
        self.relations(extracted, &mut fired);
        Self::change(extracted, &mut fired);
        self.times(extracted, now_ms, &mut fired);
        fired.0
    }
}
