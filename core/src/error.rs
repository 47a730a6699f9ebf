//! Misuse, told by a stable code.
//!
//! Bad input never becomes an [`Error`]: it is a [`Finding`](crate::Finding).

use std::fmt;

/// What was misused. The kebab-case spelling is the same in Rust, JavaScript and WIT, and is
/// never renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ErrorCode {
    /// No source has this id.
    NoSuchSource,
    /// No record has this id.
    NoSuchRecord,
    /// No run has this id.
    NoSuchRun,
    /// The run has no iteration of this number.
    NoSuchIteration,
    /// A slice came after the source had been finished.
    SourceFinished,
    /// The bytes handed in are not those of the span that was asked for.
    WrongBytes,
    /// Ω lies outside 0..=10.
    OmegaOutOfRange,
    /// An option has a value that it cannot have.
    InvalidOption,
    /// A JSON Schema cannot be compiled.
    InvalidSchema,
    /// An export or a search is asked to go on before the records were read that it needs.
    UnreadRecord,
    /// More was opened after the export or the search had been made.
    StaleExport,
    /// A bundle of a newer version cannot be exported again.
    ReadOnly,
    /// There is no task with this id.
    NoSuchTask,
    /// The task has no attempt of this number.
    NoSuchAttempt,
    /// The attempt has an outcome: nothing can be added to it.
    AttemptComplete,
    /// An id or name would lead outside its folder, or is one that some system cannot store.
    PathRefused,
    /// A file of a memory is not as it was when it was read: another program changed it.
    MemoryConflict,
    /// A file or folder of a memory could not be read, and nothing can be said without it.
    MemoryUnreadable,
    /// A request to a memory that lacks what it needs, or would write what no schema allows.
    InvalidRequest,
}

impl ErrorCode {
    /// Every code, sorted as in the contract.
    pub const ALL: [Self; 19] = [
        Self::NoSuchSource,
        Self::NoSuchRecord,
        Self::NoSuchRun,
        Self::NoSuchIteration,
        Self::SourceFinished,
        Self::WrongBytes,
        Self::OmegaOutOfRange,
        Self::InvalidOption,
        Self::InvalidSchema,
        Self::UnreadRecord,
        Self::StaleExport,
        Self::ReadOnly,
        Self::NoSuchTask,
        Self::NoSuchAttempt,
        Self::AttemptComplete,
        Self::PathRefused,
        Self::MemoryConflict,
        Self::MemoryUnreadable,
        Self::InvalidRequest,
    ];

    /// The stable spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoSuchSource => "no-such-source",
            Self::NoSuchRecord => "no-such-record",
            Self::NoSuchRun => "no-such-run",
            Self::NoSuchIteration => "no-such-iteration",
            Self::SourceFinished => "source-finished",
            Self::WrongBytes => "wrong-bytes",
            Self::OmegaOutOfRange => "omega-out-of-range",
            Self::InvalidOption => "invalid-option",
            Self::InvalidSchema => "invalid-schema",
            Self::UnreadRecord => "unread-record",
            Self::StaleExport => "stale-export",
            Self::ReadOnly => "read-only",
            Self::NoSuchTask => "no-such-task",
            Self::NoSuchAttempt => "no-such-attempt",
            Self::AttemptComplete => "attempt-complete",
            Self::PathRefused => "path-refused",
            Self::MemoryConflict => "memory-conflict",
            Self::MemoryUnreadable => "memory-unreadable",
            Self::InvalidRequest => "invalid-request",
        }
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
