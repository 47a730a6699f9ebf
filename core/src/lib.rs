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
mod fences;
mod format;
mod history;
mod insight;
mod json;
mod labels;
mod memory;
mod model;
mod query;
pub mod reflect;
mod sketch;
mod sort;
mod source;
mod text;
mod validate;
mod wasm_memory;
mod window;

pub use chart::{
    Brush, ChartAxis, ChartColumns, ChartLook, ChartMarks, ChartRange, ChartScale, ChartScene, Ink,
    Jump, NamedSeries, Side, Stroke, Svg, drawn, round_step,
};
pub use error::{Error, ErrorCode};
pub use export::{
    CSV_COLUMNS, CsvProfile, Export, ExportKind, ExportOptions, JsonQuery, RecordsLayout, csv_cell,
};
pub use format::reflection_memory::FAILURE_CATEGORIES;
pub use format::{
    FormatInfo, ValidateOptions, assumption, assumptions, formats, is_action_log, plain_json,
    schema_of, validate, validate_as, validate_with,
};
pub use history::injected::Injected;
pub use history::loaded_run::LoadedRun;
pub use history::outline::{LogEntry, Outline, PlanOutline};
pub use history::usage::{RunUsage, UsageSum};
pub use history::{History, MOST_MEMORY_MB, More, Run};
pub use insight::aggregate::{Aggregate, AttemptSum, Attempts, failure_categories};
pub use insight::answer::{
    Advice, Calibration, CategoryCount, Change, ChangeKind, Credit, ErrorRow, Explanation,
    LessonRow, LessonState, Link, LinkKind, Pattern, PatternKind, ReflectionRow, Repetition,
    Trajectory, Uptake,
};
pub use insight::comparison::{ComparedExperiment, Comparison};
pub use insight::headline::{Headline, HeadlinePart, p_value};
pub use insight::news::ReflectionNews;
pub use insight::retries::Retries;
pub use insight::rules::{InsightRule, Needs, insight_rules};
pub use insight::signature::signature as error_signature;
pub use insight::trust::Trust;
pub use insight::verdict::{RunVerdict, StuckStretch};
pub use insight::{LessonChange, LessonLifecycle, explain, lesson_lifecycles, lessons_between};
pub use json::double::shown as shown_number;
pub use memory::{
    ActionAnswer, AddReflection, AddResult, AttemptAnswer, AttemptHistory, AttemptOutcome,
    CompleteAttempt, CompletedAnswer, Doctor, FolderNames, FoundReflection, FoundTask, FoundTasks,
    HealthAnswer, HookSettings, ImprovementAnswer, InitTask, IterationAnswer, IterationResults,
    LogAction, MemoryAnswer, MemoryCall, MemoryDone, MemoryFinding, MemoryFound, MemoryIndex,
    MemoryRead, MemoryRequest, MemoryWrite, Milestone, Plan, QueryHistory, ReadKind, Record,
    Reflect, ReflectedAnswer, ReflectionText, ReflectionType, ResultAnswer, ResultFile,
    SearchTasks, SetStatus, SimilarTasks, StartAttempt, StoredLine, TaskAnswer, TaskHistory,
    TaskLesson, TaskStatus, TrackImprovement, Trigger, WriteKind, memory_json,
};
pub use model::curve::TrajectoryClass;
pub use model::datetime::moment_ms;
pub use model::details::{
    Action, Check, Counter, Details, ErrorDetails, NamedReward, NamedText, RecordedWindow,
    Reflection, Retrieved, SubStep, Usage,
};
pub use model::finding::{Evidence, Finding, FindingGroup, Severity};
pub use model::id::{GroupId, RecordId, RunId, SourceId};
pub use model::natural::natural;
pub use model::omega::{Assumption, InjectedOrigin, OmegaProvenance, PRESETS, Policy};
pub use model::options::{InsightOptions, Selection};
pub use model::outcome::Outcome;
pub use model::rates::Interval;
pub use model::reward::{Origin, Scale, count};
pub use model::rules::{rule_text, rules};
pub use model::run_details::{Declared, RunDetails};
pub use model::view::{
    Added, BaseProvenance, Encoding, Framing, GroupView, IterationView, ReflectionRef, RewardView,
    RunColumns, RunView, Skipped, SourceState, SourceView, Span, StoredDeltas, WindowView,
};
pub use query::{
    Hit, Mark, Query, QueryError, QueryErrorCode, Search, SearchOptions, SearchPart,
    SearchProgress, Stretch, Target,
};
pub use reflect::{
    Coerced, Coercion, Host, Loop, LoopError, LoopErrorCode, LoopErrorType, Problem, RecordContext,
    Reply, Step, StepKind, TemplateError, coerce, reflection_from_yaml, render_template, to_record,
};
pub use sort::StableSort;
pub use source::container::{ArchiveEntry, Refusal, RefusalKind, UnpackLimits, Unpacked, Unpacker};
pub use source::limits::Limits;
pub use text::norm;
pub use validate::schema::Schema;
pub use validate::validator::{FormatUse, Validator, ValidatorOptions};
pub use validate::{Profile, SCHEMA, Validation};
pub use window::budget::tokens_estimated;
pub use window::entry::{Entry, RenderOptions};
pub use window::provenance::{OMEGA_ADVICE, OmegaAdvice, Pace, auto_scale, file_scope};
pub use window::render::{Layout, render, render_with};
pub use window::{MemoryMetadata, ReflectionWindow, Window, WindowRule, omega_of};

/// The README's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
