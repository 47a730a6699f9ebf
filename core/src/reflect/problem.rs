//! What is wrong with a configuration.

use std::fmt;

use serde::Serialize;

use super::error_code::LoopErrorCode;

/// One thing that is wrong with a configuration.
///
/// It is found before anything is called, except for what resolves schemas: its answer can show that a schema
/// is wrong, or that a document is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// A code that begins with `config_`.
    pub code: LoopErrorCode,
    /// JSON Pointer of the place in what was handed in; empty at its root.
    pub field: String,
    /// What is wrong, as a sentence. Nothing compares it.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(
        code: LoopErrorCode,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self { code, field: field.into(), message: message.into() }
    }

    /// The same, seen from further up: `pointer` is put in front of its place.
    pub(crate) fn below(mut self, pointer: &str) -> Self {
        self.field.insert_str(0, pointer);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}
