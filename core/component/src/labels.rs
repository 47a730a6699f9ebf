//! Words and what they are called on the other side.

use crate::bindings::exports::hindscope::reflections::insight::{
    Advice, ChangeKind, LessonState, LinkKind, Needs, PatternKind, Selection, TrajectoryClass,
};
use crate::bindings::exports::hindscope::reflections::types::{
    ErrorCode, More, Origin, Outcome, Profile, Schema, Severity, SourceState, Verdict,
};
use crate::bindings::exports::hindscope::reflections::window::{Layout, Policy};
use crate::cross::{Cross, words};

words!(Profile => hindscope::Profile { Strict, Lenient });
words!(Policy => hindscope::Policy { Fifo, Recency, RelevanceWeighted });
words!(Layout => hindscope::Layout {
    Plain, AiwgTemplate, AiwgGuide, AiwgMemory, ReflexionAlfworld, Episodic
});
words!(Schema => hindscope::Schema {
    ReflectionMemory, TaskMetadata, Trajectory, Reflection, Attempt, Action
});
words!(Selection => hindscope::Selection {
    HighestQualityVerified, HighestQuality, MostRecentAboveThreshold
});
words!(Outcome => hindscope::Outcome {
    Success, Partial, Failure, Running, Aborted, Void, Unknown
});
words!(hindscope::Outcome => Outcome {
    Success, Partial, Failure, Running, Aborted, Void, Unknown
});
words!(hindscope::More => More { Wanted, Enough });
words!(hindscope::Severity => Severity { Error, Warning, Info });
words!(hindscope::Verdict => Verdict { Conforms, Usable, Unusable });
words!(hindscope::Origin => Origin { Reported, Derived, None });
words!(hindscope::SourceState => SourceState { Reading, Read, Raw, Refused });
words!(hindscope::TrajectoryClass => TrajectoryClass {
    Improving, Declining, Stable, Fluctuating, InsufficientData
});
words!(hindscope::ChangeKind => ChangeKind {
    ErrorCleared, ErrorNew, ErrorPersisting, Counter, Check, FileNew, FileAgain, Action, LessonNew,
    Strategy, Verification
});
words!(hindscope::LessonState => LessonState { New, Kept, Reworded, Returned, Dropped });
words!(hindscope::PatternKind => PatternKind { Lesson, Strategy, Antipattern });
words!(hindscope::Advice => Advice { Inject, Prune });
words!(hindscope::LinkKind => LinkKind { Related, Used });
words!(hindscope::Needs => Needs { Columns, Reflections, Attempts, Verdicts, Records });

impl Cross<ErrorCode> for hindscope::ErrorCode {
    fn cross(self) -> ErrorCode {
        match self {
            Self::NoSuchSource => ErrorCode::NoSuchSource,
            Self::NoSuchRecord => ErrorCode::NoSuchRecord,
            Self::NoSuchRun => ErrorCode::NoSuchRun,
            Self::NoSuchIteration => ErrorCode::NoSuchIteration,
            Self::SourceFinished => ErrorCode::SourceFinished,
            Self::WrongBytes => ErrorCode::WrongBytes,
            Self::OmegaOutOfRange => ErrorCode::OmegaOutOfRange,
            Self::InvalidSchema => ErrorCode::InvalidSchema,
            Self::UnreadRecord => ErrorCode::UnreadRecord,
            Self::StaleExport => ErrorCode::StaleExport,
            Self::ReadOnly => ErrorCode::ReadOnly,
            Self::NoSuchTask => ErrorCode::NoSuchTask,
            Self::NoSuchAttempt => ErrorCode::NoSuchAttempt,
            Self::AttemptComplete => ErrorCode::AttemptComplete,
            Self::PathRefused => ErrorCode::PathRefused,
            Self::MemoryConflict => ErrorCode::MemoryConflict,
            Self::MemoryUnreadable => ErrorCode::MemoryUnreadable,
            Self::InvalidRequest => ErrorCode::InvalidRequest,
            // The list is open in Rust and closed in WIT. tests/tests/all/contract.rs compares the two, so a
            // new code cannot end up here unnoticed.
            _ => ErrorCode::InvalidOption,
        }
    }
}
