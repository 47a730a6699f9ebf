//! Reads what agent loops remember.
//!
//! Records stay bytes: one streaming pass over a source checks every record and writes a row of
//! columns for it. Everything that people see first is a query over columns; a record is parsed
//! in full only when someone looks at it, from its span.
//!
//! The core is handed slices and says which spans it needs. It does no I/O, reads no clock and
//! draws no random numbers.
#![forbid(unsafe_code)]

mod chart;
mod error;
mod export;
mod format;
mod history;
mod insight;
mod memory;
mod order;
mod query;
pub mod reflect;
mod room;
mod source;
mod text;
mod validate;
mod window;
mod words;

pub use chart::{
    Brush, ChartAxis, ChartColumns, ChartLook, ChartMarks, ChartRange, ChartScene, Ink, Jump,
    NamedSeries, Side, Stroke, Svg, drawn,
};
pub use error::{Error, ErrorCode};
pub use export::{
    CSV_COLUMNS, CsvProfile, Export, ExportKind, ExportOptions, JsonQuery, Original, RecordsLayout,
};
pub use format::reflection_memory::FAILURE_CATEGORIES;
pub use format::{FormatInfo, formats};
pub use history::details::{
    Action, Check, Counter, Details, ErrorDetails, NamedReward, NamedText, RecordedWindow,
    Reflection, Retrieved, SubStep, Usage,
};
pub use history::id::{GroupId, RecordId, RunId, SourceId};
pub use history::outcome::Outcome;
pub use history::outline::{LogEntry, Outline, PlanOutline};
pub use history::piece::{Continuation, Piece, PieceReader};
pub use history::reward::{Origin, Scale};
pub use history::run_details::{Declared, RunDetails};
pub use history::story::Story;
pub use history::usage::{RunUsage, UsageSum};
pub use history::view::{
    Added, GroupView, IterationView, ReflectionRef, RewardView, RunColumns, RunView, Skipped,
    SourceState, SourceView, Span, StoredDeltas, WindowView,
};
pub use history::{History, More, Run};
pub use insight::aggregate::{Aggregate, AttemptSum, Attempts, failure_categories};
pub use insight::answer::{
    Advice, Calibration, CategoryCount, Change, ChangeKind, Course, Credit, ErrorRow, Explanation,
    LessonRow, LessonState, Link, LinkKind, Pattern, PatternKind, ReflectionRow, Repetition,
    Trajectory, Uptake,
};
pub use insight::options::{InsightOptions, Selection};
pub use insight::retries::Retries;
pub use insight::rules::{InsightRule, Needs, insight_rules};
pub use insight::signature::signature as error_signature;
pub use insight::trust::Trust;
pub use insight::{LessonChange, LessonLife, explain, lesson_lives, lessons_between};
pub use memory::{
    ActionAnswer, AddReflection, AttemptAnswer, AttemptHistory, AttemptOutcome, CompleteAttempt,
    CompletedAnswer, Doctor, FolderNames, FoundTask, FoundTasks, HealthAnswer, ImprovementAnswer,
    InitTask, IterationAnswer, LogAction, MemoryAnswer, MemoryCall, MemoryDone, MemoryFinding,
    MemoryFound, MemoryIndex, MemoryRead, MemoryRequest, MemoryWrite, Milestone, Plan,
    QueryHistory, ReadKind, Record, Reflect, ReflectedAnswer, ReflectionText, ReflectionType,
    SearchTasks, SetStatus, SimilarTasks, StartAttempt, StoredLine, TaskAnswer, TaskHistory,
    TaskLesson, TaskStatus, TrackImprovement, Trigger, WriteKind,
};
pub use order::Order;
pub use query::{
    Hit, Mark, Query, QueryError, QueryErrorCode, Search, SearchOptions, SearchPart,
    SearchProgress, Stretch, Target,
};
pub use reflect::{
    Coerced, Coercion, Host, Loop, LoopError, LoopErrorType, Problem, RecordContext, Reply, Step,
    StepKind, TemplateError, coerce, reflection_from_yaml, render_template, to_record,
};
pub use source::container::{ArchiveEntry, Refusal, RefusalKind, UnpackLimits, Unpacked, Unpacker};
pub use source::limits::Limits;
pub use text::norm;
pub use validate::datetime::moment_ms;
pub use validate::finding::{Evidence, Finding, Severity};
pub use validate::rules::rule_text;
pub use validate::schema::Schema;
pub use validate::validator::Validator;
pub use validate::{
    Profile, SCHEMA, ValidateOptions, Validation, Verdict, validate, validate_as, validate_with,
};
pub use window::budget::tokens_estimated;
pub use window::provenance::{
    ASSUMPTIONS, Assumption, OMEGA_ADVICE, OmegaAdvice, PRESETS, Pace, auto_scale, file_scope,
};
pub use window::render::{Entry, Layout, RenderOptions, render, render_with};
pub use window::{Injected, MemoryMetadata, Policy, ReflectionWindow, Window, WindowRule};

/// The README's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
