//! Input formats: one file each, and the table that lists them.

pub(crate) mod analysis_file;
pub(crate) mod analytics_csv;
pub(crate) mod attempt_study;
pub(crate) mod audit;
pub(crate) mod best_output;
pub(crate) mod beyond;
mod check;
pub(crate) mod completion_report;
pub(crate) mod cross_task;
pub(crate) mod declared;
pub(crate) mod detect;
pub(crate) mod env_results;
pub(crate) mod episodic;
pub(crate) mod export_line;
pub(crate) mod extracted;
pub(crate) mod grade;
pub(crate) mod hook_iteration;
pub(crate) mod iteration_analytics;
pub(crate) mod iteration_file;
pub(crate) mod lines;
mod list;
pub(crate) mod loop_registry;
pub(crate) mod loop_state;
pub(crate) mod loop_status;
pub(crate) mod markdown;
pub(crate) mod measured;
pub(crate) mod members;
pub(crate) mod memory_config;
pub(crate) mod memory_reflection;
pub(crate) mod names;
pub(crate) mod parsed_record;
pub(crate) mod programming_log;
pub(crate) mod qa_trials;
pub(crate) mod raw;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod reflection_memory;
pub(crate) mod reflections_index;
pub(crate) mod rest;
pub(crate) mod self_refine;
pub(crate) mod slot;
pub(crate) mod submission_log;
pub(crate) mod tea_loop_result;
pub(crate) mod times;
pub(crate) mod traits;
pub(crate) mod tree_search_log;
pub(crate) mod trial_log;
pub(crate) mod trial_results;

use crate::sort::StableSort as _;
use serde::Serialize;
use serde_json::Value;

use crate::json::pass::Deviation;
use crate::json::shape::Table;
use crate::model::details::Details;
use crate::model::omega::Assumption;
use crate::source::framing::Framing;
use crate::validate::schema::Schema;
pub use check::{ValidateOptions, plain_json, validate, validate_as, validate_with};
use extracted::{Extracted, Verification};
use parsed_record::{Context, Cuts, ParsedRecord};
use slot::Slot;
use traits::{Role, Traits};

/// What people should know of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FormatInfo {
    /// Its id, the same everywhere.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What a history gets from it.
    pub gives: &'static str,
    /// What its content is known by; names decide only where this says so.
    pub known_by: &'static str,
    /// Where its writers put it.
    pub found_at: &'static str,
}

/// A row of the table.
pub(crate) struct Format {
    // What people should know of it: see [`FormatInfo`].
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) gives: &'static str,
    pub(crate) known_by: &'static str,
    pub(crate) found_at: &'static str,
    /// Whether a record is of this format.
    pub(crate) fits: fn(&Value, &Context) -> bool,
    pub(crate) traits: Traits,
    pub(crate) reading: Reading,
}

impl Format {
    const fn info(&self) -> FormatInfo {
        let Self { id, title, gives, known_by, found_at, .. } = *self;
        FormatInfo { id, title, gives, known_by, found_at }
    }
}

/// How its records are read.
pub(crate) enum Reading {
    /// In one pass along a table, without building a tree. `is_certain` says whether a record that deviates
    /// from the table is surely of this format and no other.
    Shape {
        table: fn() -> &'static Table<Slot>,
        details: fn(&Value, u32) -> Details,
        is_certain: fn(&str, &[Deviation]) -> bool,
    },
    /// Parsed as a tree.
    ParsedRecord(fn(&Value, &Context) -> ParsedRecord),
    /// Parsed as a tree, except for a record that the shape accepts. Such a record is one attempt, and its
    /// row holds everything that the columns need, so it is parsed only when someone opens it. `fits` tests
    /// what the shape cannot express, and `errors` gives the number of errors.
    Plain {
        table: fn() -> &'static Table<Slot>,
        fits: fn(&Extracted) -> bool,
        errors: fn(&Extracted) -> Option<u32>,
        parse: fn(&Value, &Context) -> ParsedRecord,
    },
    /// Texts: cut into records first. Each comes as a JSON string.
    Text { framing: Framing, cut: fn(&str) -> Cuts, parse: fn(&str, &Context) -> ParsedRecord },
}

/// Formats whose records make runs in one way are grouped by one routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// Runs below one root: one record an attempt, one a run, or any mixture.
    Loops,
    /// One file a trial, for all tasks.
    Trials,
    /// One row a task.
    Tasks,
    /// Questions of one file, each repeated in every trial.
    Questions,
    /// Runs of one file, separated by keys and numbers.
    Files,
    /// Sums over tasks: a curve, and no runs.
    Totals,
}

impl Reading {
    /// Along a table; a record that deviates is tried against all formats.
    pub(crate) const fn along(
        table: fn() -> &'static Table<Slot>,
        details: fn(&Value, u32) -> Details,
    ) -> Self {
        Self::Shape { table, details, is_certain: |_, _| false }
    }
}

/// The test of a format that only a path shows.
pub(crate) const BY_PATH_ALONE: fn(&Value, &Context) -> bool = |_, _| false;

/// A function that gives the table of a shape, which is made when it is first needed.
macro_rules! table_of {
    ($table:expr) => {
        || {
            static TABLE: std::sync::OnceLock<
                crate::json::shape::Table<crate::format::slot::Slot>,
            > = std::sync::OnceLock::new();
            TABLE.get_or_init(|| $table)
        }
    };
}
pub(crate) use table_of;

macro_rules! table {
    ($($id:ident = $row:expr,)*) => {
        /// A format by its row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(crate) enum FormatId { $($id,)* }

        impl FormatId {
            pub(crate) const ALL: [Self; COUNT] = [$(Self::$id,)*];
        }

        pub(crate) const COUNT: usize = [$(stringify!($id),)*].len();

        static ROWS: [Format; COUNT] = [$($row,)*];

        static INFOS: [FormatInfo; COUNT] = [$({ const ROW: Format = $row; ROW.info() },)*];
    };
}

// Tested in this order; the first that fits counts.
table! {
    TeaLoopResult = tea_loop_result::FORMAT,
    ReflectionMemory = reflection_memory::FORMAT,
    BestOutput = best_output::FORMAT,
    IterationAnalytics = iteration_analytics::FORMAT,
    AttemptStudy = attempt_study::FORMAT,
    HookIteration = hook_iteration::FORMAT,
    EpisodicReflection = episodic::reflection::FORMAT,
    EpisodicMetadata = episodic::metadata::FORMAT,
    EpisodicTrajectory = episodic::trajectory::FORMAT,
    EpisodicAttempt = episodic::attempt::FORMAT,
    EpisodicOutcome = episodic::outcome::FORMAT,
    EpisodicActions = episodic::actions::FORMAT,
    EpisodicSummary = episodic::summary::FORMAT,
    EpisodicIndex = episodic::index::FORMAT,
    EnvResults = env_results::FORMAT,
    SubmissionLog = submission_log::FORMAT,
    SelfRefine = self_refine::FORMAT,
    TreeSearchLog = tree_search_log::FORMAT,
    ProgrammingLog = programming_log::FORMAT,
    TrialResults = trial_results::FORMAT,
    CrossTask = cross_task::FORMAT,
    LoopRegistry = loop_registry::FORMAT,
    ReflectionsIndex = reflections_index::FORMAT,
    LoopStatus = loop_status::FORMAT,
    MemoryReflection = memory_reflection::FORMAT,
    AnalysisFile = analysis_file::FORMAT,
    MemoryConfig = memory_config::FORMAT,
    LoopState = loop_state::FORMAT,
    IterationFile = iteration_file::FORMAT,
    AnalyticsCsv = analytics_csv::FORMAT,
    QaTrials = qa_trials::FORMAT,
    TrialLog = trial_log::FORMAT,
    WorldLog = trial_log::WORLD,
    CompletionReport = completion_report::FORMAT,
    EpisodicPlan = episodic::plan::FORMAT,
}

/// Where nothing says of which format something is.
impl Default for FormatId {
    fn default() -> Self {
        Self::ReflectionMemory
    }
}

/// The role of records whose format has this id.
pub(crate) fn role_named(name: &str) -> Option<Role> {
    FormatId::named(name).map(FormatId::role)
}

impl FormatId {
    pub(crate) fn row(self) -> &'static Format {
        &ROWS[self as usize]
    }

    pub(crate) fn as_str(self) -> &'static str {
        self.row().id
    }

    /// The format of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.as_str() == name)
    }

    pub(crate) fn traits(self) -> &'static Traits {
        &self.row().traits
    }

    pub(crate) fn role(self) -> Role {
        self.traits().role
    }

    /// Whether its runs are searches: of the programs that each tried, a log keeps the first and the last.
    pub(crate) fn is_search(self) -> bool {
        self.role() == Role::Search
    }

    /// Whether its records are checked against a schema when they are opened.
    pub(crate) fn is_validated(self) -> bool {
        self.traits().is_validated
    }

    /// Ω that is assumed of its attempts (`window/provenance`): by the kind of their verification
    /// where the records can state one, else by the format. The word says which of them it is.
    fn assumed(self, verification: Option<Verification>) -> (&'static str, Assumption) {
        match verification.filter(|_| self.is_validated()) {
            Some(kind) => (kind.as_str(), kind.assumed()),
            None => (self.as_str(), self.traits().assumed),
        }
    }

    /// That Ω; none: unbounded.
    pub(crate) fn assumed_omega(self, verification: Option<Verification>) -> Option<u8> {
        self.assumed(verification).1.omega
    }

    pub(crate) fn family(self) -> Family {
        self.traits().family
    }

    /// Every format whose test a record passes, in order.
    pub(crate) fn fitting<'a>(
        value: &'a Value,
        context: &'a Context,
    ) -> impl Iterator<Item = Self> + use<'a> {
        Self::ALL.into_iter().filter(|id| (id.row().fits)(value, context))
    }

    /// Recognises one parsed record by the formats that it fits; by its path where none does.
    pub(crate) fn sniff(value: &Value, fitting: &[Self], path: &str) -> Option<Self> {
        let by_path = || Self::named_by(path).next().filter(|_| value.is_object());
        fitting.first().copied().or_else(by_path)
    }

    /// Formats of records that a path may be of.
    fn named_by(path: &str) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |id| !id.is_text() && id.is_at(path))
    }

    /// The format that has this path and no content test. It takes precedence over what the content
    /// shows: otherwise a summary would be taken for what it sums up.
    pub(crate) fn by_path_alone(path: &str) -> Option<Self> {
        Self::named_by(path).find(|id| id.traits().marks.is_empty())
    }

    /// Recognises a text that is neither JSON nor YAML.
    pub(crate) fn of_text(text: &str, path: &str) -> Option<Self> {
        let value = Value::String(text.to_owned());
        let context = Context::default();
        let texts = || Self::ALL.into_iter().filter(|id| id.is_text());
        let by_content = texts().find(|id| (id.row().fits)(&value, &context));
        by_content.or_else(|| texts().find(|id| id.is_at(path)))
    }

    /// How a text of it is divided, in words for people.
    pub(crate) fn text_framing(self) -> Option<Framing> {
        let Reading::Text { framing, .. } = &self.row().reading else { return None };
        Some(*framing)
    }

    /// Whether its records are read along a shape: each is an attempt.
    pub(crate) fn is_shape(self) -> bool {
        matches!(self.row().reading, Reading::Shape { .. })
    }

    /// The table that its records are tried along first.
    pub(crate) fn table(self) -> Option<&'static Table<Slot>> {
        match &self.row().reading {
            Reading::Shape { table, .. } | Reading::Plain { table, .. } => Some(table()),
            Reading::ParsedRecord(_) | Reading::Text { .. } => None,
        }
    }

    /// Whether a record that was read along the table is of this format for certain.
    fn is_certain(self, text: &str, deviations: &[Deviation]) -> bool {
        match &self.row().reading {
            Reading::Shape { is_certain, .. } => {
                deviations.is_empty() || is_certain(text, deviations)
            }
            _ => deviations.is_empty(),
        }
    }

    /// Whether some of its records have no parsed run, as their rows say it all.
    pub(crate) fn is_plain(self) -> bool {
        matches!(self.row().reading, Reading::Plain { .. })
    }

    pub(crate) fn is_text(self) -> bool {
        matches!(self.row().reading, Reading::Text { .. })
    }

    /// Whether a path says that a text is of some format, whatever it holds.
    pub(crate) fn is_text_path(path: &str) -> bool {
        Self::ALL.into_iter().any(|id| id.is_text() && id.is_at(path))
    }

    /// Whether a path alone says that what it leads to is of this format.
    fn is_at(self, path: &str) -> bool {
        self.traits().path.is_some_and(|pattern| names::ends_like(path, pattern))
    }

    /// What a record says, for formats that are not read along a shape.
    pub(crate) fn parse(self, value: &Value, context: &Context) -> Option<ParsedRecord> {
        let mut parsed = match &self.row().reading {
            Reading::Shape { .. } => return None,
            Reading::ParsedRecord(parse) | Reading::Plain { parse, .. } => parse(value, context),
            Reading::Text { parse, .. } => parse(value.as_str()?, context),
        };
        beyond::refuse(&mut parsed, value);
        Some(parsed)
    }
}

/// The formats that can be opened, in the order in which they are tested.
pub fn formats() -> &'static [FormatInfo] {
    &INFOS
}

/// The schema that describes the records of a format, by the format's id.
pub fn schema_of(format: &str) -> Option<Schema> {
    FormatId::named(format)?.traits().schema
}

/// Whether a format's records are the lines of a log, with one action each, by the format's id.
pub fn is_action_log(format: &str) -> bool {
    FormatId::named(format).is_some_and(|id| id.role().is_action())
}

/// Ω that is assumed where neither a user nor a record states one (docs/spec/rules.md, "Window"), by
/// kind of verification and by format.
///
/// # Example: the hook's profile of five
///
/// ```
/// use hindscope::{Policy, ReflectionWindow, assumptions};
///
/// let (_, hook) = assumptions().find(|(by, _)| *by == "hook-iteration").expect("it is listed");
/// let window = ReflectionWindow::new(hook.omega.expect("it is bounded"), Policy::Fifo)?;
/// assert_eq!(window.omega(), 5);
/// # Ok::<(), hindscope::Error>(())
/// ```
pub fn assumptions() -> impl Iterator<Item = (&'static str, Assumption)> {
    let kinds = Verification::ALL.into_iter().map(|kind| (kind.as_str(), kind.assumed()));
    kinds.chain(FormatId::ALL.into_iter().map(|id| id.assumed(None)))
}

/// The one of [`assumptions`] that applies to an attempt, by its format's id and by the kind of its
/// verification. A kind counts only if the records of the format can state one.
pub fn assumption(format: &str, verification: Option<&str>) -> Option<(&'static str, Assumption)> {
    Some(FormatId::named(format)?.assumed(verification.and_then(Verification::named)))
}

/// Members that records of any kind have: they bring a value near no format.
const GENERAL: [&str; 9] =
    ["id", "type", "status", "content", "task", "tasks", "action", "result", "info"];

/// Whether no format has any of its members.
pub(crate) fn is_near_none(value: &Value) -> bool {
    let has_mark = |format: &Format| format.traits.marks.iter().any(|m| value.get(m).is_some());
    match value {
        Value::Array(items) => items.iter().all(is_near_none),
        _ => !ROWS.iter().any(has_mark),
    }
}

/// The three nearest formats, with the members that each of them misses, or why there is none.
pub(crate) fn nearest(value: &Value) -> String {
    let missing = |format: &Format| {
        let marks = format.traits.marks.iter().copied();
        marks.filter(|m| value.get(m).is_none()).collect::<Vec<_>>()
    };
    let is_near = |format: &&Format| {
        let mut marks = format.traits.marks.iter();
        marks.any(|mark| !GENERAL.contains(mark) && value.get(mark).is_some())
    };
    let near = ROWS.iter().filter(is_near);
    let mut rows: Vec<_> = near.map(|f| (f.id, missing(f), f.traits.marks.len())).collect();
    if rows.is_empty() {
        return "it has none of the properties that identify a format".to_owned();
    }
    rows.stable_sort_by_key(|(_, missing, marks)| (missing.len(), std::cmp::Reverse(*marks)));
    rows.truncate(3);
    let text = |(id, missing, _): &(&str, Vec<&str>, usize)| match missing.as_slice() {
        [] => format!("{id} (its properties have other types)"),
        names => format!("{id} (no `{}`)", names.join("`, `")),
    };
    format!("Nearest formats: {}", rows.iter().map(text).collect::<Vec<_>>().join(", "))
}
