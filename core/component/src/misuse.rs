//! The one place where an error of the core becomes the error of `wit/`.

use crate::bindings::exports::hindscope::reflections::types::{Detail, Error, ErrorCode};

/// The error, and the numbers that the call was about.
pub(crate) fn about(error: &hindscope::Error, details: &[(&str, f64)]) -> Error {
    Error {
        code: code(error.code()),
        message: error.to_string(),
        details: details
            .iter()
            .map(|&(name, value)| Detail { name: name.to_owned(), value })
            .collect(),
    }
}

fn code(code: hindscope::ErrorCode) -> ErrorCode {
    match code {
        hindscope::ErrorCode::NoSuchSource => ErrorCode::NoSuchSource,
        hindscope::ErrorCode::NoSuchRecord => ErrorCode::NoSuchRecord,
        hindscope::ErrorCode::NoSuchRun => ErrorCode::NoSuchRun,
        hindscope::ErrorCode::NoSuchIteration => ErrorCode::NoSuchIteration,
        hindscope::ErrorCode::SourceFinished => ErrorCode::SourceFinished,
        hindscope::ErrorCode::WrongBytes => ErrorCode::WrongBytes,
        hindscope::ErrorCode::OmegaOutOfRange => ErrorCode::OmegaOutOfRange,
        hindscope::ErrorCode::InvalidSchema => ErrorCode::InvalidSchema,
        // The list is open in Rust and closed in WIT. tests/contract.rs compares the two, so a
        // new code cannot end up here unnoticed.
        _ => ErrorCode::InvalidOption,
    }
}
