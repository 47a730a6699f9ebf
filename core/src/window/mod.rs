//! What an agent could still read when it began an iteration.
//!
//! A window at iteration `n` holds reflections written before `n`, never the one written because
//! of `n`. Gaps in numbering stay gaps: a missing iteration uses up no slot.
//!
//! This module does not guess Ω: it comes in through [`WindowRule`] or from the records, and the
//! answer repeats where it came from.

pub(crate) mod buffer;
pub(crate) mod render;

pub use buffer::{MemoryMetadata, ReflectionWindow};

use crate::error::{Error, ErrorCode};
use crate::history::view::{ReflectionRef, WindowView};

/// Which reflections stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// The last Ω, oldest first (`window/fifo`).
    #[default]
    Fifo,
}

impl Policy {
    /// The lower-case word, as `window_policy` spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
        }
    }

    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`] for a policy that is not known.
    pub fn parse(word: &str) -> Result<Self, Error> {
        match word {
            "fifo" => Ok(Self::Fifo),
            _ => Err(Error::new(ErrorCode::InvalidOption, format!("policy is fifo, not {word:?}"))),
        }
    }
}

/// How a window is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowRule {
    /// Ω, 0..=10. Without it: as recorded, else as assumed for the format (`window/provenance`).
    pub omega: Option<u8>,
    /// Policy.
    pub policy: Policy,
}

/// Ω reaches from 0, an empty window, to 10.
pub(crate) fn check_omega(omega: u8) -> Result<(), Error> {
    if omega <= 10 {
        Ok(())
    } else {
        Err(Error::new(ErrorCode::OmegaOutOfRange, format!("omega is 0 to 10, not {omega}")))
    }
}

/// Reflections in context when an iteration began.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    view: WindowView,
}

impl Window {
    /// Cuts `candidates`, oldest first, all of them written before `at`.
    pub(crate) fn fifo(
        at: i64,
        omega: Option<u8>,
        provenance: &str,
        candidates: &[ReflectionRef],
        later: usize,
    ) -> Self {
        let kept = omega.map_or(candidates.len(), usize::from).min(candidates.len());
        let (evicted, held) = candidates.split_at(candidates.len() - kept);
        Self {
            view: WindowView {
                at,
                omega,
                omega_provenance: provenance.to_owned(),
                policy: Policy::Fifo.as_str().to_owned(),
                held: held.to_vec(),
                evicted: evicted.to_vec(),
                later: u32::try_from(later).unwrap_or(u32::MAX),
            },
        }
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
}
