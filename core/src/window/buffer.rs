//! The window that an agent keeps while it runs.

use serde::Serialize;

use super::render::{Entry, Layout, render};
use super::{Policy, check_omega};
use crate::error::Error;
use crate::format::{FormatId, reflection_memory};
use crate::history::outcome::Outcome;
use crate::source::framing::Content;
use crate::source::tree::Tree;
use crate::source::{Passage, lossy};
use crate::validate::Profile;
use crate::validate::finding::{Finding, Severity};
use crate::validate::record::Readings;

/// What a writer stores in `memory_metadata` after adding a record (`window/metadata`). Members
/// are spelled as in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryMetadata {
    /// Ω.
    pub omega_capacity: u8,
    /// Reflections in the window.
    pub current_memory_size: u32,
    /// Their numbers, the new record included.
    pub reflections_in_context: Vec<i64>,
    /// Policy.
    pub window_policy: &'static str,
    /// Reflections so far.
    pub total_reflections_generated: u32,
}

/// Keeps the last Ω reflections of records as they come.
///
/// # Example: the oldest reflection leaves first
///
/// ```
/// use hindscope::{Policy, ReflectionWindow};
///
/// let mut window = ReflectionWindow::new(2, Policy::Fifo)?;
/// for n in 1..=3 {
///     let record = format!(
///         r#"{{"iteration": {n}, "evaluator_output": {{"passed": false}},
///             "self_reflection": {{"reflection_text": "Lesson {n}."}}}}"#
///     );
///     window.push(record.as_bytes());
/// }
/// assert_eq!(window.held(), [2, 3]);
/// assert_eq!(window.evicted(), [1]);
/// assert_eq!(window.metadata().total_reflections_generated, 3);
/// # Ok::<(), hindscope::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReflectionWindow {
    omega: u8,
    policy: Policy,
    entries: Vec<Entry>,
    evicted: Vec<i64>,
    total: u32,
}

impl ReflectionWindow {
    /// An empty window of `omega` places.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::OmegaOutOfRange`](crate::ErrorCode::OmegaOutOfRange) above 10.
    pub fn new(omega: u8, policy: Policy) -> Result<Self, Error> {
        check_omega(omega)?;
        Ok(Self { omega, policy, entries: Vec::new(), evicted: Vec::new(), total: 0 })
    }

    /// Takes one reflection-memory record as JSON text, judged by the lenient profile. A record
    /// that cannot be used is not kept; its findings say why. A blank reflection takes no place.
    pub fn push(&mut self, record: &[u8]) -> Vec<Finding> {
        let text = lossy(record);
        let mut readings = Readings::new(Profile::Lenient);
        let expected = Some(FormatId::ReflectionMemory);
        let is_kept = readings.read(&Passage::alone(&text, record), Content::Value, expected);
        let mut findings = std::mem::take(&mut readings.findings);
        let details = (is_kept && readings.is_usable() && readings.format == expected)
            .then(|| Tree::read(&text, false).ok())
            .flatten()
            .map(|tree| reflection_memory::details(&tree.to_value(), 0));
        let Some(details) = details else {
            findings.push(
                Finding::new(
                    "lenient/unusable",
                    Severity::Error,
                    "The record is not kept: it needs a number, and a reflection text or an outcome.",
                )
                .pointer(""),
            );
            return findings;
        };
        let text = details.reflections.into_iter().next().map(|r| r.text).unwrap_or_default();
        if !text.trim().is_empty() {
            let entry = Entry {
                number: details.number.unwrap_or_default(),
                outcome: details.outcome.unwrap_or(Outcome::Unknown),
                text,
            };
            self.keep(entry);
        }
        findings
    }

    /// Numbers decide, not the order of arrival: a resumed loop may hand in old records. Of two with
    /// one number the later one counts.
    fn keep(&mut self, entry: Entry) {
        match self.entries.binary_search_by_key(&entry.number, |e| e.number) {
            Ok(at) => self.entries[at] = entry,
            Err(at) => {
                self.total = self.total.saturating_add(1);
                self.entries.insert(at, entry);
            }
        }
        while self.entries.len() > usize::from(self.omega) {
            let number = self.entries.remove(0).number;
            let at = self.evicted.partition_point(|n| *n < number);
            self.evicted.insert(at, number);
        }
    }

    /// Reflections in context, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Their numbers, oldest first.
    pub fn held(&self) -> Vec<i64> {
        self.entries.iter().map(|e| e.number).collect()
    }

    /// Numbers of all that were pushed out so far, oldest first.
    pub fn evicted(&self) -> Vec<i64> {
        self.evicted.clone()
    }

    /// The window as text for a prompt.
    pub fn render(&self, layout: Layout) -> String {
        render(&self.entries, layout)
    }

    /// What to store in the record that was added last.
    pub fn metadata(&self) -> MemoryMetadata {
        MemoryMetadata {
            omega_capacity: self.omega,
            current_memory_size: u32::try_from(self.entries.len()).unwrap_or(u32::MAX),
            reflections_in_context: self.held(),
            window_policy: self.policy.as_str(),
            total_reflections_generated: self.total,
        }
    }
}
