//! Ω and the policy of a window, as records write them (docs/spec/rules.md, "Window").

use crate::error::{Error, word_of};
use crate::labels::labels;

/// The largest Ω.
pub(crate) const MOST: u8 = 10;

/// Words for Ω, as aiwg's memory manager has them.
pub const PRESETS: &[(&str, u8)] =
    &[("simple", 1), ("moderate", 3), ("complex", 5), ("maximum", 10)];

/// Ω where neither a user nor a record states one (`window/provenance`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Ω; absent: unbounded.
    pub omega: Option<u8>,
    /// Who says so: `guide`, `hook`, `memory-manager`, `Reflexion`, `study logs`, `episodic`,
    /// `the_edge_agent`, `own`.
    pub origin: &'static str,
    /// What else to know about it.
    pub note: Option<&'static str>,
}

impl Assumption {
    pub(crate) const fn of(omega: u8, origin: &'static str) -> Self {
        Self { omega: Some(omega), origin, note: None }
    }

    pub(crate) const fn unbounded(origin: &'static str) -> Self {
        Self { omega: None, origin, note: None }
    }

    pub(crate) const fn noting(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }
}

/// Ω that a word stands for (`window/provenance`).
pub(crate) fn preset(word: &str) -> Option<u8> {
    PRESETS.iter().find(|(name, _)| *name == word).map(|(_, omega)| *omega)
}

/// What a number is used as: fractions are cut, above 10 is 10, negative is none
/// (`window/provenance`).
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0..=10")]
pub(crate) fn used(number: f64) -> Option<u8> {
    (number >= 0.0).then(|| number.floor().min(f64::from(MOST)) as u8)
}

labels! {
    /// Which reflections stay when the window is full.
    #[derive(Default)]
    #[non_exhaustive]
    Policy {
        /// The last Ω, by number (`window/fifo`).
        #[default]
        Fifo = "fifo",
        /// The last Ω, by the time at which they were written (`window/recency`).
        Recency = "recency",
        /// Those that share rare words with the task and the latest errors, weighed by age and by the
        /// confidence of their writer (`window/relevance-weighted`).
        RelevanceWeighted = "relevance_weighted",
    }
}

labels! {
    /// Where Ω comes from (`window/provenance`).
    #[derive(Default)]
    pub OmegaProvenance {
        /// The caller set it.
        Configured = "configured",
        /// A record states it.
        Recorded = "recorded",
        /// It is usual for the format.
        #[default]
        Assumed = "assumed",
        /// It follows from the failures so far (`window/dynamic-omega`).
        Dynamic = "dynamic",
    }

    /// Who says which reflections were in context (`window/injected-at`).
    pub InjectedOrigin {
        /// The log lists what it injected.
        Retrieved = "retrieved",
        /// The record lists them as `previous_reflections_used`.
        Stated = "stated",
        /// The record before it stored its window.
        PreviousWindow = "previous-window",
        /// No record: they are what the window gives.
        Computed = "computed",
    }
}

impl Policy {
    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`](crate::ErrorCode::InvalidOption) for a policy that is not known.
    pub fn parse(word: &str) -> Result<Self, Error> {
        word_of("policy", Self::named(word), &Self::ALL.map(Self::as_str), word)
    }
}
