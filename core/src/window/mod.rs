//! What an agent could still read when it began an iteration.
//!
//! A window at iteration `n` holds reflections written before `n`, never the one written because
//! of `n`. Gaps in numbering stay gaps: a missing iteration uses up no slot.
//!
//! This module does not guess Ω: it comes in through [`WindowRule`] or from the records, and the
//! answer repeats where it came from. It does not know any vendor's tokenizer either: a host that
//! has one hands its counts in.

pub(crate) mod budget;
pub(crate) mod buffer;
pub(crate) mod candidate;
pub(crate) mod check;
pub(crate) mod engine;
pub(crate) mod entry;
mod layouts;
pub(crate) mod provenance;
pub(crate) mod relevance;
pub(crate) mod render;

pub use buffer::{MemoryMetadata, ReflectionWindow};

use crate::error::{Error, ErrorCode};
use crate::json::double::Shown;
use crate::model::finding::{Finding, Severity};
use crate::model::omega::{MOST, OmegaProvenance, Policy};
use crate::model::outcome::Outcome;
use crate::model::reward::count;
use crate::model::view::{ReflectionRef, WindowView};
use candidate::Candidate;
use engine::Choice;
use serde::Serialize;

/// How a window is computed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowRule {
    /// Ω, how many reflections are held, 0 to 10. Absent: 3, and for runs as recorded, else as assumed for the
    /// format (`window/provenance`).
    pub omega: Option<u8>,
    /// Which reflections stay.
    pub policy: Policy,
    /// Whether reflections of successful iterations are left out: they are neither held nor evicted.
    pub failures_only: bool,
    /// Most tokens of what is held, cut after Ω from the newest on (`window/token-budget`); absent: no limit.
    /// Where nobody counts them, four UTF-16 code units are one.
    pub token_budget: Option<u32>,
    /// Iterations after which relevance counts half, above 0.
    pub half_life: f64,
    /// Whether Ω follows from the number of failure categories so far (`window/dynamic-omega`), and not from
    /// `omega`.
    pub dynamic_omega: bool,
}

impl Default for WindowRule {
    fn default() -> Self {
        Self {
            omega: None,
            policy: Policy::Fifo,
            failures_only: false,
            token_budget: None,
            half_life: 3.0,
            dynamic_omega: false,
        }
    }
}

impl WindowRule {
    /// Whether the columns of a run are not enough: relevance, budgets and categories are in the
    /// records. Then [`LoadedRun::window`](crate::LoadedRun::window) answers.
    pub fn needs_texts(&self) -> bool {
        self.policy == Policy::RelevanceWeighted
            || self.token_budget.is_some()
            || self.dynamic_omega
    }

    /// Whether its numbers can be.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.omega.map_or(Ok(()), check_omega)?;
        if self.half_life > 0.0 {
            return Ok(());
        }
        Err(Error::invalid_option(format!(
            "The half-life must be greater than 0 iterations, found {}.",
            Shown(self.half_life)
        )))
    }
}

/// Ω of a number, as a face is given it: an integer from 0, an empty window, to 10.
///
/// # Errors
///
/// [`ErrorCode::OmegaOutOfRange`] for any other number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0..=10")]
pub fn omega_of(number: f64) -> Result<u8, Error> {
    if (0.0..=f64::from(MOST)).contains(&number) && number.fract() == 0.0 {
        Ok(number as u8)
    } else {
        Err(Error::new(
            ErrorCode::OmegaOutOfRange,
            format!("`omega` must be an integer from 0 to {MOST}, found {}.", Shown(number)),
        ))
    }
}

pub(crate) fn check_omega(omega: u8) -> Result<(), Error> {
    omega_of(omega.into()).map(drop)
}

/// A reflection of a run that is not blank, with what its columns hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    pub(crate) at: ReflectionRef,
    /// Below 0 for what was written before the first attempt that is open.
    pub(crate) ordinal: i64,
    pub(crate) instant: f64,
    pub(crate) position: u32,
    pub(crate) outcome: Outcome,
}

impl Seat {
    pub(crate) fn unread(&self) -> Candidate {
        Candidate::unread(self.ordinal, self.instant, self.position, self.outcome)
    }
}

/// What a window is asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// Number of the iteration that begins.
    pub(crate) at: i64,
    pub(crate) ordinal: usize,
    /// As configured, recorded or assumed.
    pub(crate) omega: Option<u8>,
    pub(crate) provenance: OmegaProvenance,
}

impl Target {
    /// Finds the iteration, or the one after the last: what the next attempt would see. Ω is that
    /// of the rule, else what `known` says of an ordinal.
    pub(crate) fn find(
        at: i64,
        rule: &WindowRule,
        numbers: &[i64],
        key: &str,
        known: impl Fn(usize) -> (Option<u8>, OmegaProvenance),
    ) -> Result<Self, Error> {
        rule.check()?;
        let last = numbers.len().checked_sub(1);
        let is_next = last.is_some_and(|k| numbers[k].checked_add(1) == Some(at));
        let found = numbers.iter().position(|n| *n == at);
        let Some(ordinal) = found.or(last.filter(|_| is_next).map(|k| k + 1)) else {
            return Err(Error::new(
                ErrorCode::NoSuchIteration,
                format!("Run {key} has no iteration {at}."),
            ));
        };
        let (omega, provenance) = match rule.omega {
            Some(omega) => (Some(omega), OmegaProvenance::Configured),
            // The next attempt has no record yet: the last one speaks for it.
            None => known(ordinal.min(numbers.len() - 1)),
        };
        Ok(Self { at, ordinal, omega, provenance })
    }

    /// The ordinal as the engine counts.
    pub(crate) fn position(&self) -> i64 {
        i64::try_from(self.ordinal).unwrap_or(i64::MAX)
    }
}

/// Reflections in context when an iteration began.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    view: WindowView,
}

impl Window {
    /// `seats` are the candidates, `later` reflections were written at the target or after it.
    pub(crate) fn of(
        target: &Target,
        rule: &WindowRule,
        seats: &[Seat],
        choice: &Choice,
        later: usize,
    ) -> Self {
        let refs = |of: &[usize]| of.iter().map(|&i| seats[i].at).collect::<Vec<_>>();
        let note = choice.is_without_relevance.then(|| no_relevance(target.at));
        Self {
            view: WindowView {
                at: target.at,
                omega: target.omega,
                omega_provenance: target.provenance,
                policy: rule.policy,
                held: refs(&choice.held),
                evicted: refs(&choice.evicted),
                later: count(later),
                dropped: refs(&choice.dropped),
                scores: choice.scores.iter().map(|s| crate::model::reward::rounded(*s)).collect(),
                tokens: choice.tokens,
                unread: 0,
                notes: note.into_iter().collect(),
            },
        }
    }

    pub(crate) fn with_unread(mut self, unread: usize) -> Self {
        self.view.unread = count(unread);
        self
    }

    /// The window as data.
    pub fn view(&self) -> WindowView {
        self.view.clone()
    }

    /// Reflections in context, oldest first.
    pub fn held_refs(&self) -> &[ReflectionRef] {
        &self.view.held
    }

    /// Numbers of the iterations whose reflections are in context, oldest first.
    pub fn held(&self) -> Vec<i64> {
        self.view.held.iter().map(|r| r.number).collect()
    }

    /// Numbers of those that were pushed out, oldest first.
    pub fn evicted(&self) -> Vec<i64> {
        self.view.evicted.iter().map(|r| r.number).collect()
    }

    /// Numbers of those that Ω holds and the token budget does not, oldest first.
    pub fn dropped(&self) -> Vec<i64> {
        self.view.dropped.iter().map(|r| r.number).collect()
    }
}

/// `window/no-relevance`.
fn no_relevance(at: i64) -> Finding {
    let mut finding = Finding::new(
        "window/no-relevance",
        Severity::Info,
        "No earlier reflection shares a word with the task or the latest errors. The newest reflections are used instead.",
    );
    finding.iteration = Some(at);
    finding
}
