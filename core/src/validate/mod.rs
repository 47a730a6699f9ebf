//! JSON Schemas, ours and those of users: their verdicts, and what deviates from them.

pub(crate) mod deviation;
mod formats;
pub(crate) mod lenient;
pub(crate) mod refs;
pub(crate) mod schema;
pub(crate) mod strict;
pub(crate) mod text;
pub(crate) mod uri;
pub(crate) mod validator;
pub(crate) mod words;

use serde::Serialize;

use crate::error::{Error, ErrorCode};
use crate::model::finding::Finding;
use schema::Schema;

/// The JSON Schema of reflection-memory records.
pub const SCHEMA: &str = Schema::ReflectionMemory.json();

/// Which question is answered (docs/spec/rules.md, "Validation profiles").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Is the record valid by the schema? The verdict of JSON Schema draft 2020-12 with formats
    /// asserted.
    Strict,
    /// Can the record be used, and what is odd about it?
    #[default]
    Lenient,
}

impl Profile {
    /// The lower-case word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Lenient => "lenient",
        }
    }

    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`] for anything but `strict` and `lenient`.
    pub fn parse(word: &str) -> Result<Self, Error> {
        match word {
            "strict" => Ok(Self::Strict),
            "lenient" => Ok(Self::Lenient),
            _ => Err(Error::new(
                ErrorCode::InvalidOption,
                format!("`profile` must be strict or lenient, found {word:?}"),
            )),
        }
    }
}

/// What a record is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Valid by the schema.
    Conforms,
    /// Deviates, but its number and its text or outcome are known.
    Usable,
    /// Neither.
    Unusable,
}

impl Verdict {
    /// The lower-case word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::Usable => "usable",
            Self::Unusable => "unusable",
        }
    }
}

/// The answer of [`validate()`](crate::validate()), [`validate_as`](crate::validate_as),
/// [`validate_with`](crate::validate_with) and
/// [`Validator::validate`](crate::Validator::validate).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Strict: valid by the schema. Lenient: can be used.
    pub valid: bool,
    /// The finer answer.
    pub verdict: Verdict,
    /// What is odd, in document order.
    pub findings: Vec<Finding>,
}
