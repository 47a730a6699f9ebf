//! What a machine does: a whole loop, or one round's part of it.

use std::sync::Arc;

use serde_json::Value;

use super::config::calls::Party;
use super::parse;

/// What is called for a correction.
#[derive(Debug)]
pub(crate) struct Correcting {
    pub(crate) party: Party,
    pub(crate) errors: Arc<Vec<Value>>,
    /// What its answer is turned into.
    pub(crate) form: parse::Form,
}

/// Which machine it is.
#[derive(Debug)]
pub(crate) enum Form {
    Loop,
    /// One evaluation of this.
    Evaluate(Arc<Value>),
    /// One correction of this; nothing to call if the request was wrong from the start.
    Correct(Arc<Value>, Option<Box<Correcting>>),
}

impl Form {
    pub(super) const fn is_single(&self) -> bool {
        !matches!(self, Self::Loop)
    }

    /// What a single form is about.
    pub(super) fn data(&self) -> &Value {
        match self {
            Self::Evaluate(data) | Self::Correct(data, _) => data,
            Self::Loop => &Value::Null,
        }
    }
}
