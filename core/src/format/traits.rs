//! What grouping, windows and insight ask of a format, so that they need not name one.

use crate::model::finding::Severity;
use crate::model::omega::Assumption;
use crate::validate::schema::Schema;

use super::Family;

/// A format's answers, beside the test of its content and how it is read.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub(crate) struct Traits {
    pub(crate) family: Family,
    /// Pattern for the end of a path that shows the format where no content test does: see
    /// [`ends_like`](super::names::ends_like).
    pub(crate) path: Option<&'static str>,
    /// Members whose absence explains best why a record is not of the format.
    pub(crate) marks: &'static [&'static str],
    /// Number of the first attempt, where the format fixes it.
    pub(crate) base: Option<u8>,
    /// Of several records of one attempt, the one of the lowest rank leads.
    pub(crate) rank: u8,
    pub(crate) role: Role,
    /// The window of its attempts where nothing states one.
    pub(crate) assumed: Assumption,
    /// Patterns for the names of JSON and YAML files, without their ending, that promise it
    /// (`sniff/name-mismatch`).
    pub(crate) names: &'static [&'static str],
    /// Which part of a path repeats the number that the record states.
    pub(crate) numbered_by: NumberedBy,
    /// The schema that describes its records.
    pub(crate) schema: Option<Schema>,
    /// Whether records are checked against the schema when they are opened.
    pub(crate) is_validated: bool,
    /// How much it means that a number is missing (`series/gap`): a warning where the writer leaves
    /// out none, nothing where the reader of the format says it.
    pub(crate) gap: Option<Severity>,
    /// Whether its records can hold actions and errors.
    pub(crate) has_actions: bool,
    /// Whether its records repeat the reflections that an attempt was given, and not who wrote them.
    pub(crate) prints_retrieved: bool,
    /// Whether attempts end when the agent's own tests pass, so that `evaluator/trust` applies.
    pub(crate) is_self_tested: bool,
    /// Whether its reflections are messages of an evaluator, which every retry is told.
    pub(crate) is_told: bool,
}

impl Traits {
    /// Those of most formats.
    pub(crate) const USUAL: Self = Self {
        family: Family::Loops,
        path: None,
        marks: &[],
        base: Some(1),
        rank: 0,
        role: Role::Attempt,
        assumed: Assumption::of(3, "memory-manager"),
        names: &[],
        numbered_by: NumberedBy::Nothing,
        schema: None,
        is_validated: false,
        gap: Some(Severity::Info),
        has_actions: true,
        prints_retrieved: false,
        is_self_tested: false,
        is_told: false,
    };
}

/// What a record is to the run that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// One attempt, or several: of two records with one number the later one counts.
    Attempt,
    /// A part of an attempt: all records with one number belong together.
    Part(Part),
    /// One task of a study, with its attempts; one window spans all tasks of the file.
    Study,
    /// A submission to a judge.
    Submission,
    /// A search over attempts at one task: a record is a run.
    Search,
    /// The printed attempts of one trial.
    TrialLog,
    /// The printed sums of one trial.
    TrialSums,
    /// A table of attempts that names no run: its file does.
    Table,
    /// A report on one loop that has ended. The records beside it may be of other loops.
    Report,
    /// The state of a loop at one moment, of which the newest counts. The records below its folder
    /// belong to the loop.
    State,
    /// A task, with the number of its attempts. The records below its folder belong to it.
    Task,
    /// The summary of a task, with the number of its attempts.
    TaskSummary,
    /// The tasks of a memory, each with its status.
    TaskIndex,
    /// A list of loops, whose iterations stand in other records.
    Registry,
    /// The loops of a folder, and what holds for all of them.
    FolderIndex,
    /// Settings of all runs of a folder.
    Settings,
}

/// Files that describe one attempt together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Outcome,
    /// What was planned and suggested.
    Attempt,
    Trajectory,
    /// A line of the log.
    Action,
    Reflection,
}

impl Role {
    /// Whether it only describes a run that other records make.
    pub(crate) const fn is_description(self) -> bool {
        matches!(self, Self::Registry | Self::FolderIndex | Self::TaskIndex)
    }

    /// Whether its folder is that of one run.
    pub(crate) const fn is_root(self) -> bool {
        matches!(self, Self::State | Self::Task)
    }

    /// Whether it speaks of all runs of its folder where it names none.
    pub(crate) const fn is_of_folder(self) -> bool {
        matches!(self, Self::Settings | Self::FolderIndex)
    }

    pub(crate) const fn is_part(self) -> bool {
        matches!(self, Self::Part(_))
    }

    /// Whether it shows that an attempt began, and was not only mentioned.
    pub(crate) const fn is_beginning(self) -> bool {
        matches!(self, Self::Part(Part::Attempt | Part::Trajectory | Part::Action))
    }

    /// A line of a log: it says nothing of its run but the key.
    pub(crate) const fn is_action(self) -> bool {
        matches!(self, Self::Part(Part::Action))
    }

    /// Whether its reflections are suggestions, which add to the reflection on the attempt and stand
    /// for it only where there is none.
    pub(crate) const fn is_advice(self) -> bool {
        matches!(self, Self::Part(Part::Attempt))
    }

    pub(crate) const fn counts_attempts(self) -> bool {
        matches!(self, Self::Task | Self::TaskSummary)
    }

    /// Order of precedence among parts of an attempt whose formats have the same rank: the lowest wins.
    pub(crate) const fn weight(self) -> u8 {
        match self {
            Self::Part(Part::Outcome) => 0,
            Self::Part(Part::Attempt) => 1,
            Self::Part(Part::Trajectory) => 2,
            _ => 3,
        }
    }
}

/// Which part of a path repeats the number that the record states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberedBy {
    Nothing,
    /// The folder of the attempt (`tree/number-vs-folder`).
    Folder,
    /// The file (`iter/number-vs-name`).
    File,
}
