//! The interface `types`, which all worlds have.

use crate::cross::{Cross, given, labels, rows};
use crate::wit::types::{
    ErrorCode, Evidence, Finding, Outcome, Profile, ReflectionRef, Severity, Validation,
};

labels!(Profile => hindscope::Profile { Strict, Lenient });
labels!(Outcome => hindscope::Outcome {
    Success, Partial, Failure, Running, Aborted, Void, Unknown
});
labels!(hindscope::Outcome => Outcome {
    Success, Partial, Failure, Running, Aborted, Void, Unknown
});
labels!(hindscope::Severity => Severity { Error, Warning, Info });

// A code that this list lacks crosses as the last word.
labels!(hindscope::ErrorCode => ErrorCode {
    NoSuchSource, NoSuchRecord, NoSuchRun, NoSuchIteration, SourceFinished, WrongBytes,
    OmegaOutOfRange, InvalidSchema, UnreadRecord, StaleExport, NoSuchTask, NoSuchAttempt,
    AttemptComplete, PathRefused, MemoryConflict, MemoryUnreadable, InvalidRequest;
    else InvalidOption
});

rows! {
    Evidence { record, number }
    Finding {
        rule, severity, source, record, run, iteration, line, column, offset, pointer, expected,
        found, evidence, message, hint,
    }
    Validation { valid, usable, findings }
    ReflectionRef { number, ordinal, record, part }
}
given! {
    ReflectionRef { number, ordinal, record, part }
}
