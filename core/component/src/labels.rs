//! Words and what they are called on the other side.

use crate::bindings::exports::hindscope::reflections::insight::{
    Advice, ChangeKind, LessonState, LinkKind, Needs, PatternKind, Selection, TrajectoryClass,
};
use crate::bindings::exports::hindscope::reflections::types::{
    ErrorCode, More, Origin, Outcome, Profile, Schema, Severity, SourceState,
};
use crate::bindings::exports::hindscope::reflections::window::{Layout, Policy};
use crate::cross::{Cross, labels};

labels!(Profile => hindscope::Profile { Strict, Lenient });
labels!(Policy => hindscope::Policy { Fifo, Recency, RelevanceWeighted });
labels!(Layout => hindscope::Layout {
    Plain, AiwgTemplate, AiwgGuide, AiwgMemory, ReflexionAlfworld, Episodic
});
labels!(Schema => hindscope::Schema {
    ReflectionMemory, TaskMetadata, Trajectory, Reflection, Attempt, Action
});
labels!(Selection => hindscope::Selection {
    HighestQualityVerified, HighestQuality, MostRecentAboveThreshold
});
labels!(Outcome => hindscope::Outcome {
    Success, Partial, Failure, Running, Aborted, Void, Unknown
});
labels!(hindscope::Outcome => Outcome {
    Success, Partial, Failure, Running, Aborted, Void, Unknown
});
labels!(hindscope::More => More { Wanted, Enough });
labels!(hindscope::Severity => Severity { Error, Warning, Info });
labels!(hindscope::Origin => Origin { Reported, Derived, None });
labels!(hindscope::SourceState => SourceState { Reading, Read, Raw, Refused });
labels!(hindscope::TrajectoryClass => TrajectoryClass {
    Improving, Declining, Stable, Fluctuating, InsufficientData
});
labels!(hindscope::ChangeKind => ChangeKind {
    ErrorCleared, ErrorNew, ErrorPersisting, Counter, Check, FileNew, FileAgain, Action, LessonNew,
    Strategy, Verification
});
labels!(hindscope::LessonState => LessonState { New, Kept, Reworded, Returned, Dropped });
labels!(hindscope::PatternKind => PatternKind { Lesson, Strategy, Antipattern });
labels!(hindscope::Advice => Advice { Inject, Prune });
labels!(hindscope::LinkKind => LinkKind { Related, Used });
labels!(hindscope::Needs => Needs { Columns, Reflections, Attempts, Verdicts, Records });

// A code that this list lacks crosses as the last word.
labels!(hindscope::ErrorCode => ErrorCode {
    NoSuchSource, NoSuchRecord, NoSuchRun, NoSuchIteration, SourceFinished, WrongBytes,
    OmegaOutOfRange, InvalidSchema, UnreadRecord, StaleExport, NoSuchTask, NoSuchAttempt,
    AttemptComplete, PathRefused, MemoryConflict, MemoryUnreadable, InvalidRequest;
    else InvalidOption
});
