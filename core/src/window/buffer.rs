//! The window that an agent keeps while it runs: what goes in. What comes out is in `answers.rs`.

mod answers;

use serde::Serialize;

use super::candidate::{Candidate, Terms};
use super::engine::{Ask, choose, instants};
use super::entry::Entry;
use super::provenance::dynamic_omega;
use super::relevance::{MOST_ERRORS, query};
use super::{WindowRule, budget, check_omega, no_relevance};
use crate::error::{Error, ErrorCode};
use crate::format::record::Readings;
use crate::format::reflection_memory;
use crate::json::value;
use crate::model::datetime;
use crate::model::details::Details;
use crate::model::finding::{Finding, Severity};
use crate::model::id::SourceId;
use crate::model::omega::{MOST, Policy};
use crate::model::outcome::Outcome;
use crate::source::{Chunk, lossy};
use crate::validate::Profile;

/// Ω when nobody says otherwise, as aiwg's schema and memory manager have it.
const OMEGA: u8 = 3;

/// What to store beside a record, as its `memory_metadata` (`window/metadata`). Members are spelled as in
/// the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryMetadata {
    /// Ω in force; for a window of Ω 0 it is 1, the least that the schema allows.
    pub omega_capacity: u8,
    /// Reflections held.
    pub current_memory_size: u32,
    /// Their numbers, oldest first, the new record included. A token budget cuts prompts, not this.
    pub reflections_in_context: Vec<i64>,
    /// Policy.
    pub window_policy: Policy,
    /// Reflections so far, one for each iteration that wrote any; the evicted ones count.
    pub total_reflections_generated: u32,
}

/// Keeps Ω reflections of records as they come.
///
/// With [`Policy::Fifo`] it holds ten texts at most, the largest Ω there is, so that Ω can change
/// while it runs. The other policies can bring back any earlier reflection: they keep all of them.
/// Either way a few bytes stay for each iteration.
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
    rule: WindowRule,
    omega: u8,
    /// By number.
    kept: Vec<Kept>,
    /// By number.
    attempts: Vec<(i64, Attempt)>,
    /// Of the latest record that names one, with its number.
    task: Option<(i64, String)>,
    query: Option<String>,
    now: Now,
}

/// A reflection that may be in the window.
#[derive(Clone, Debug)]
struct Kept {
    entry: Entry,
    candidate: Candidate,
}

/// What stays of every record.
#[derive(Clone, Debug)]
struct Attempt {
    time_ms: Option<f64>,
    has_reflection: bool,
    is_wanted: bool,
    category: Option<String>,
    /// Messages of its errors, where relevance asks for them.
    errors: Vec<String>,
}

/// The window as it stands, renewed after every change.
#[derive(Clone, Debug, Default)]
struct Now {
    omega: u8,
    held: Vec<Entry>,
    dropped: Vec<Entry>,
    evicted: Vec<i64>,
    tokens: Option<u32>,
    notes: Vec<Finding>,
}

impl ReflectionWindow {
    /// An empty window of `omega` places, 0..=10.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::OmegaOutOfRange`] above 10.
    pub fn new(omega: u8, policy: Policy) -> Result<Self, Error> {
        Self::with_rule(WindowRule { omega: Some(omega), policy, ..WindowRule::default() })
    }

    /// An empty window by any rule; Ω is 3 if it names none.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::OmegaOutOfRange`] above 10; [`ErrorCode::InvalidOption`] for a half-life that
    /// is not above 0.
    ///
    /// # Example: what helps with the task at hand stays
    ///
    /// ```
    /// use hindscope::{Policy, ReflectionWindow, WindowRule};
    ///
    /// let policy = Policy::RelevanceWeighted;
    /// let rule = WindowRule { omega: Some(1), policy, ..WindowRule::default() };
    /// let mut window = ReflectionWindow::with_rule(rule)?;
    /// for (n, text) in [(1, "Token expiry was ignored."), (2, "Imports were unused.")] {
    ///     let record = format!(
    ///         r#"{{"iteration": {n}, "evaluator_output": {{"passed": false}},
    ///             "self_reflection": {{"reflection_text": "{text}"}}}}"#
    ///     );
    ///     window.push(record.as_bytes());
    /// }
    /// window.set_query(Some("Fix token expiry handling"));
    /// assert_eq!(window.held(), [1]);
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn with_rule(rule: WindowRule) -> Result<Self, Error> {
        rule.check()?;
        let mut window = Self {
            rule,
            omega: rule.omega.unwrap_or(OMEGA),
            kept: Vec::new(),
            attempts: Vec::new(),
            task: None,
            query: None,
            now: Now::default(),
        };
        window.renew();
        Ok(window)
    }

    /// Takes one reflection-memory record as JSON text, judged by the lenient profile. A record
    /// that cannot be used is not kept; its findings say why. A blank reflection takes no place.
    ///
    /// Numbers decide, not the order of arrival: a resumed loop may hand in old records. Of two with
    /// one number the later one counts.
    pub fn push(&mut self, record: &[u8]) -> Vec<Finding> {
        let (Ok(findings) | Err(findings)) = self.read(record);
        self.renew();
        findings
    }

    /// Takes many records, and chooses once, after the last one: for those that a loop wrote before it
    /// was interrupted. The findings are about those that were not kept; their `source` is the position
    /// of the record.
    ///
    /// # Example: a loop goes on where it was
    ///
    /// ```
    /// use hindscope::{Policy, ReflectionWindow};
    ///
    /// let record = |n: u32| {
    ///     format!(
    ///         r#"{{"iteration": {n}, "evaluator_output": {{"passed": false}},
    ///             "self_reflection": {{"reflection_text": "Lesson {n}."}}}}"#
    ///     )
    /// };
    /// let mut window = ReflectionWindow::new(2, Policy::Fifo)?;
    /// let findings = window.push_all(&[record(1), record(2), "{}".to_owned(), record(3)]);
    /// assert_eq!(window.held(), [2, 3]);
    /// assert!(findings.iter().all(|f| f.source.is_some_and(|position| position.0 == 2)));
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn push_all(&mut self, records: &[impl AsRef<[u8]>]) -> Vec<Finding> {
        let mut all = Vec::new();
        for (position, record) in records.iter().enumerate() {
            let mut findings = self.read(record.as_ref()).err().unwrap_or_default();
            for finding in &mut findings {
                finding.source = Some(SourceId::at(position));
            }
            all.append(&mut findings);
        }
        self.renew();
        all
    }

    /// Takes a record in, and leaves the choice as it was. Findings either way; `Err`: it is not kept.
    fn read(&mut self, record: &[u8]) -> Result<Vec<Finding>, Vec<Finding>> {
        let text = lossy(record);
        let mut readings = Readings::new(Profile::Lenient);
        let is_kept = readings.read_declared(&Chunk::alone(&text, record));
        let mut findings = std::mem::take(&mut readings.findings);
        let details = (is_kept && readings.is_usable())
            .then(|| value::tolerant(&text))
            .flatten()
            .map(|value| reflection_memory::details(&value, 0));
        let Some(details) = details else {
            findings.push(
                Finding::new(
                    "lenient/unusable",
                    Severity::Error,
                    "The record is not kept: expected an iteration number, and a reflection text or an outcome.",
                )
                .contrast("an iteration number, and a reflection text or an outcome", "a record without them")
                .pointer(""),
            );
            return Err(findings);
        };
        self.take(&details);
        Ok(findings)
    }

    fn take(&mut self, details: &Details) {
        let number = details.number.unwrap_or_default();
        let outcome = details.outcome.unwrap_or(Outcome::Unknown);
        let is_wanted = !(self.rule.failures_only && outcome == Outcome::Success);
        let reflection = details.reflections.first().filter(|r| !r.text.trim().is_empty());
        let is_scored = self.rule.policy == Policy::RelevanceWeighted;
        let messages = details.errors.iter().filter(|_| is_scored).take(MOST_ERRORS);
        let attempt = Attempt {
            time_ms: details.time.as_deref().and_then(datetime::read).map(|t| t.ms),
            has_reflection: reflection.is_some(),
            is_wanted,
            category: reflection.and_then(|r| r.category.clone()),
            errors: messages.map(|e| e.message.clone()).collect(),
        };
        match self.attempts.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(at) => self.attempts[at].1 = attempt,
            Err(at) => self.attempts.insert(at, (number, attempt)),
        }
        let is_latest = self.task.as_ref().is_none_or(|(latest, _)| *latest <= number);
        let task = details.task.as_ref().filter(|task| is_latest && !task.trim().is_empty());
        if let Some(task) = task {
            self.task = Some((number, task.clone()));
        }
        let kept = reflection.filter(|_| is_wanted).map(|reflection| {
            let entry = Entry::of(number, outcome, details, reflection);
            let texts = std::iter::once(&entry.text).chain(&entry.insights).chain(&entry.lessons);
            let candidate = Candidate {
                terms: is_scored.then(|| Terms::of(texts.map(String::as_str))),
                confidence: reflection.confidence,
                tokens: Some(budget::tokens_estimated(&entry)),
                ..Candidate::unread(0, f64::NEG_INFINITY, 0, outcome)
            };
            Kept { entry, candidate }
        });
        match (self.place(number), kept) {
            (Ok(at), Some(kept)) => self.kept[at] = kept,
            (Ok(at), None) => drop(self.kept.remove(at)),
            (Err(at), Some(kept)) => self.kept.insert(at, kept),
            (Err(_), None) => {}
        }
        if self.rule.policy == Policy::Fifo && self.kept.len() > usize::from(MOST) {
            self.kept.remove(0);
        }
    }

    fn place(&self, number: i64) -> Result<usize, usize> {
        self.kept.binary_search_by_key(&number, |kept| kept.entry.number)
    }

    /// Chooses again.
    fn renew(&mut self) {
        let clock = instants(self.attempts.iter().map(|(_, attempt)| attempt.time_ms));
        let mut kept = self.kept.iter_mut().peekable();
        for (ordinal, ((number, _), instant)) in (0..).zip(self.attempts.iter().zip(clock)) {
            if let Some(kept) = kept.next_if(|kept| kept.entry.number == *number) {
                kept.candidate.ordinal = ordinal;
                kept.candidate.instant = instant;
            }
        }
        let attempts = self.attempts.iter().map(|(_, attempt)| attempt);
        let reflections = attempts.clone().filter(|attempt| attempt.has_reflection);
        let omega = if self.rule.dynamic_omega {
            dynamic_omega(reflections.map(|attempt| attempt.category.as_deref()))
        } else {
            self.omega
        };
        let task = self.task.as_ref().map(|(_, task)| task.as_str());
        let errors = attempts.rev().map(|attempt| &attempt.errors[..]);
        let errors = errors.into_iter().find(|errors| !errors.is_empty()).unwrap_or_default();
        let query = match &self.query {
            Some(text) => query([text.as_str()]),
            None => query(task.into_iter().chain(errors.iter().map(String::as_str))),
        };
        let target = i64::try_from(self.attempts.len()).unwrap_or(i64::MAX);
        let ask = Ask { rule: &self.rule, omega: Some(omega), target, query: &query };
        let candidates: Vec<_> = self.kept.iter().map(|kept| &kept.candidate).collect();
        let choice = choose(&candidates, &ask);
        let entries = |of: &[usize]| of.iter().map(|&i| self.kept[i].entry.clone()).collect();
        let is_in = |number: i64| {
            let mut window = choice.dropped.iter().chain(&choice.held);
            window.any(|&i| self.kept[i].entry.number == number)
        };
        let evicted = self.attempts.iter().filter(|(number, attempt)| {
            attempt.has_reflection && attempt.is_wanted && !is_in(*number)
        });
        let last = self.attempts.last().map_or(0, |(number, _)| *number);
        let note = choice.is_without_relevance.then(|| no_relevance(last.saturating_add(1)));
        self.now = Now {
            omega,
            held: entries(&choice.held),
            dropped: entries(&choice.dropped),
            evicted: evicted.map(|(number, _)| *number).collect(),
            tokens: choice.tokens,
            notes: note.into_iter().collect(),
        };
    }

    /// Changes Ω. A larger one brings back only reflections that the window still keeps. With a
    /// dynamic Ω the value is stored but not used.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::OmegaOutOfRange`] above 10.
    pub fn set_omega(&mut self, omega: u8) -> Result<(), Error> {
        check_omega(omega)?;
        self.omega = omega;
        self.renew();
        Ok(())
    }

    /// Changes the token budget; none: no limit.
    pub fn set_token_budget(&mut self, budget: Option<u32>) {
        self.rule.token_budget = budget;
        self.renew();
    }

    /// Sets what relevance compares with; none: the task and the latest errors of the records.
    pub fn set_query(&mut self, query: Option<&str>) {
        self.query = query.map(str::to_owned);
        self.renew();
    }

    /// Takes the host's own count of a reflection's tokens, in place of the estimate. It stays
    /// with the reflection: ask [`ReflectionWindow::uncounted`] after each push.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`] if no reflection of that number is kept.
    pub fn set_tokens(&mut self, number: i64, tokens: u32) -> Result<(), Error> {
        let Ok(at) = self.place(number) else {
            return Err(Error::new(
                ErrorCode::NoSuchIteration,
                format!("The window contains no reflection of iteration {number}."),
            ));
        };
        self.kept[at].entry.tokens = Some(tokens);
        self.kept[at].candidate.tokens = Some(tokens);
        self.renew();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
