//! Misuse, identified by a stable code.
//!
//! Bad input never becomes an [`Error`]: it is a [`Finding`](crate::Finding).

use crate::labels::labels;
use std::fmt;

labels! {
    /// What was misused. The kebab-case spelling is the same in Rust, JavaScript and WIT, and is
    /// never renamed.
    #[non_exhaustive]
    ErrorCode {
        /// No source has this id.
        NoSuchSource = "no-such-source",
        /// No record has this id.
        NoSuchRecord = "no-such-record",
        /// No run has this id.
        NoSuchRun = "no-such-run",
        /// The run has no iteration of this number.
        NoSuchIteration = "no-such-iteration",
        /// A slice came after the source had been finished.
        SourceFinished = "source-finished",
        /// The bytes handed in are not those of the span that was asked for.
        WrongBytes = "wrong-bytes",
        /// Ω is not an integer from 0 to 10.
        OmegaOutOfRange = "omega-out-of-range",
        /// An option has a value that it cannot have.
        InvalidOption = "invalid-option",
        /// A JSON Schema cannot be compiled.
        InvalidSchema = "invalid-schema",
        /// An export or a search is asked to go on before the records were read that it needs.
        UnreadRecord = "unread-record",
        /// More was opened after the export or the search had been made.
        StaleExport = "stale-export",
        /// There is no task with this id.
        NoSuchTask = "no-such-task",
        /// The task has no attempt of this number.
        NoSuchAttempt = "no-such-attempt",
        /// The attempt has an outcome: nothing can be added to it.
        AttemptComplete = "attempt-complete",
        /// An id or name would lead outside its folder, or is one that some system cannot store.
        PathRefused = "path-refused",
        /// A file of a memory is not as it was when it was read: another program changed it.
        MemoryConflict = "memory-conflict",
        /// A file or folder of a memory could not be read, and nothing can be said without it.
        MemoryUnreadable = "memory-unreadable",
        /// A request to a memory that lacks what it needs, or would write what no schema allows.
        InvalidRequest = "invalid-request",
    }
}

/// A call that cannot be answered because it was made wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    code: ErrorCode,
    message: String,
}

impl Error {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { code, message: message.into() }))
    }

    /// An option that a face could not make sense of, in the face's own words.
    pub fn invalid_option(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidOption, message)
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

/// The one that a word names, for options: the error lists the words.
pub(crate) fn word_of<T>(
    what: &str,
    named: Option<T>,
    words: &[&str],
    word: &str,
) -> Result<T, Error> {
    named.ok_or_else(|| {
        let words = words.join(", ");
        Error::invalid_option(format!("`{what}` must be one of {words}, found {word:?}."))
    })
}
