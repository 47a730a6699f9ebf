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

// tests/tests/all/contract.rs compares the two lists, so a new code cannot become the last word unnoticed.
words!(hindscope::ErrorCode => ErrorCode {
    NoSuchSource, NoSuchRecord, NoSuchRun, NoSuchIteration, SourceFinished, WrongBytes,
    OmegaOutOfRange, InvalidSchema, UnreadRecord, StaleExport, ReadOnly, NoSuchTask, NoSuchAttempt,
    AttemptComplete, PathRefused, MemoryConflict, MemoryUnreadable, InvalidRequest;
    else InvalidOption
});
