//! What a corrector's answer does to the next round.

use serde_json::{Map, Value};

use super::verdict::Warning;

/// How an answer is taken that does not say it itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CorrectorMode {
    /// It is put into the state, and the generator is called.
    Regenerate,
    /// It is the next candidate.
    Replace,
}

/// A corrector's answer, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Correction {
    /// Evaluated in the next round in place of what the generator would make; still to be parsed.
    pub(crate) candidate: Option<Value>,
    /// Merged over the state.
    pub(crate) context: Map<String, Value>,
    /// The value for `reflection_correction`.
    pub(crate) correction: Option<Value>,
    /// What the corrector says about the attempt, kept on its entry (section 16): `reflection`,
    /// `insights`, `failure_category`, `confidence`, as given.
    pub(crate) remarks: Map<String, Value>,
    /// `usage` of the answer.
    pub(crate) usage: Option<Value>,
    pub(crate) warnings: Vec<Warning>,
}

/// Reads an answer (loop.md, section 11).
pub(crate) fn classify(answer: Value, mode: CorrectorMode) -> Correction {
    let _ = mode;
    Correction { candidate: Some(answer), ..Correction::default() }
}
