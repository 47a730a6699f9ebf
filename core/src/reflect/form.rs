//! What a machine does: a whole loop, or one round's part of it.

use std::sync::Arc;

use serde_json::Value;

use super::config::single::Correcting;
use super::correction::CorrectorMode;
use super::run::Phase;

/// Which machine it is.
#[derive(Debug)]
pub(super) enum Form {
    Loop,
    Evaluate {
        data: Arc<Value>,
    },
    Correct(Box<Correcting>),
    /// A request that was wrong from the start.
    Refused(Operation),
}

/// What a single form does.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Evaluate { data: Arc<Value> },
    Correct { data: Arc<Value> },
}

impl Form {
    pub(super) const fn is_single(&self) -> bool {
        !matches!(self, Self::Loop)
    }

    pub(super) const fn first_phase(&self) -> Phase {
        match self {
            Self::Loop => Phase::Round,
            Self::Evaluate { .. } | Self::Refused(_) => Phase::Attempts,
            Self::Correct(_) => Phase::Correction(0),
        }
    }

    /// A single correction takes an answer as the corrected output, unless the answer says otherwise.
    pub(super) const fn correction_mode(&self) -> Option<CorrectorMode> {
        match self {
            Self::Correct(_) => Some(CorrectorMode::Replace),
            _ => None,
        }
    }

    pub(super) fn operation(&self) -> Operation {
        match self {
            Self::Evaluate { data } => Operation::Evaluate { data: Arc::clone(data) },
            Self::Correct(request) => Operation::Correct { data: Arc::clone(&request.data) },
            Self::Refused(operation) => operation.clone(),
            Self::Loop => Operation::Correct { data: Arc::default() },
        }
    }
}
