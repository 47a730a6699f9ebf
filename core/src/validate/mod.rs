//! JSON Schemas, ours and those of users: their verdicts, and what deviates from them.

pub(crate) mod deviation;
mod formats;
pub(crate) mod labels;
pub(crate) mod lenient;
pub(crate) mod refs;
pub(crate) mod schema;
pub(crate) mod strict;
pub(crate) mod text;
pub(crate) mod uri;
pub(crate) mod validator;

use serde::Serialize;

use crate::error::{Error, word_of};
use crate::labels::labels;
use crate::model::finding::Finding;
use schema::Schema;

/// The JSON Schema of reflection-memory records.
pub const SCHEMA: &str = Schema::ReflectionMemory.json();

labels! {
    /// Which question is answered (docs/spec/rules.md, "Validation profiles").
    #[derive(Default)]
    Profile {
        /// Is the record valid by the schema? The verdict of JSON Schema draft 2020-12 with formats
        /// asserted.
        Strict = "strict",
        /// Can the record be used, and which problems does it have?
        #[default]
        Lenient = "lenient",
    }
}

impl Profile {
    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`InvalidOption`](crate::ErrorCode::InvalidOption) for anything but `strict` and `lenient`.
    pub fn parse(word: &str) -> Result<Self, Error> {
        word_of("profile", Self::named(word), &Self::ALL.map(Self::as_str), word)
    }
}

/// How a record was judged, by a schema of ours or of a user.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Whether the schema accepts it, whatever the profile.
    pub valid: bool,
    /// Whether it can be used: it is valid, or it deviates but has what matters. For reflection memory that
    /// is its number, and a text or an outcome; for other kinds `lenient/unusable` says what. By a schema of
    /// your own, the same as `valid`.
    pub usable: bool,
    /// All problems found in it, in the order of the document.
    pub findings: Vec<Finding>,
}
