//! What the page and its worker say to each other: one enum each way.
//!
//! A history never crosses as a whole. The page asks for the rows it shows, the columns of one
//! run, one body; each question has an id, so that an answer that comes too late is dropped.

/// Enums whose variants are words of addresses and menus: text to value, value to text, all of them.
macro_rules! labels {
    ($item:item) => {
        #[derive(
            Clone,
            Copy,
            Debug,
            PartialEq,
            Eq,
            Serialize,
            Deserialize,
            strum::EnumString,
            strum::IntoStaticStr,
            strum::VariantArray,
        )]
        #[strum(serialize_all = "kebab-case", const_into_str)]
        $item
    };
}

mod about;
mod attempt;
mod chart;
pub(crate) mod columns;
mod compare;
mod explain;
mod export;
mod findings;
mod inspect;
mod links;
mod numbers;
mod opening;
mod run;
mod runs;
mod search;
mod window;

use hindscope::{GroupView, RecordId, RunId, SourceId};
use serde::{Deserialize, Serialize};
use strum::EnumTryAs;

use crate::browser::FileHandle;
pub(crate) use about::{AboutBody, FilePlaces, Place as RecordPlace, Said};
pub(crate) use attempt::{
    ActionBody, ActionRow, ActionsBody, AttemptAnswer, AttemptAsk, AttemptBody, AttemptRow,
    EndBody, Given, Left, Lesson, PlanBody, ReplayState, Took,
};
pub(crate) use chart::{ChartPart, HeldBody, SeriesBody, SeriesColumns};
pub(crate) use compare::{
    Align, CompareBody, CompareRun, DifferenceBody, ErrorsAndLessonsBody, ExperimentsBody,
};
pub(crate) use explain::{
    ErrorLine, ErrorSort, Errors, LearnBody, LearnOf, Learnt, LessonLine, Lessons, Overview,
    Patterns, Quality, Reach, ReflectionLine, Step, SurePair, Total, Totals, Warning,
};
pub(crate) use export::{ExportForm, ExportOf, Exported, Include, Weights};
pub(crate) use findings::{
    BytesBody, DamageKind, DamagePart, DamageRow, FindingChoice, FindingForm, FindingGroup,
    FindingKind, FindingLine, FindingRow, FindingsBody, FindingsBy, Judged, NameCount, Repeats,
    RuleCount,
};
pub(crate) use hindscope::count;
pub(crate) use inspect::{NotesBody, RawPart, RecordRow, RecordText, VerdictBody};
pub(crate) use links::Linked;
pub(crate) use numbers::float;
pub(crate) use opening::{Ended, FileProgress, FileState, Limits, TAB_HOLDS, is_long};
pub(crate) use run::{
    Columns, Conflict, ConflictValue, IterationBody, RawText, RecordBody, RunBody, SourceRow,
    outcome_of,
};
#[cfg(test)]
pub(crate) use runs::sample_view;
pub(crate) use runs::{
    CategoriesBody, Choice, FindingIs, GroupBy, Heading, Line, OUTCOMES, RewardIs, RunCategory,
    RunMore, RunRow, RunsBody, SUMMED, Sort, SummaryBody, UNSEEN,
};
pub(crate) use search::{FoundHit, SearchBody, SearchRow, SearchSpec};
pub(crate) use window::{HeldText, Lifespan, LifespanRow, StoredText, WindowBody, WindowChoice};

/// From the page to the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker {
    /// Some of the files of an offer that is still to come.
    Part { offer: u32, items: Vec<FileItem> },
    /// Read the files of an offer, beside or instead of what is open.
    Open { offer: u32, mode: Mode, limits: Limits },
    /// Stop reading and keep what has been read; stop exporting, of which nothing is kept.
    Cancel,
    /// Stop searching and keep what was found.
    EndSearch,
    /// Answer this.
    Ask { id: u32, query: Query },
}

/// A file of a drop or of a picker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FileItem {
    /// Name with its folders.
    pub(crate) path: String,
    /// Absent when the browser would not even hand it out.
    pub(crate) handle: Option<FileHandle>,
    /// Why it would not.
    pub(crate) problem: Option<String>,
    /// Bytes, as the browser announces them.
    pub(crate) size: f64,
    /// When it was written last, in milliseconds since 1970. Only the page compares it.
    #[serde(skip)]
    pub(crate) modified: f64,
    /// Its position among all files that are open; the worker counts.
    pub(crate) position: u32,
}

impl FileItem {
    /// A file that can be read. A picked file that is asked for its size looks at the disk: once.
    pub(crate) fn readable(path: String, handle: FileHandle) -> Self {
        let (size, modified) = (float(handle.size()), handle.modified());
        Self { path, handle: Some(handle), problem: None, size, modified, position: 0 }
    }

    /// One that cannot, and why.
    pub(crate) fn unreadable(path: String, problem: String) -> Self {
        let (size, modified) = (0.0, 0.0);
        Self { path, handle: None, problem: Some(problem), size, modified, position: 0 }
    }
}

/// What becomes of the histories that are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// They are closed.
    #[default]
    Replace,
    /// They stay.
    Add,
    /// They stay until what is read now can take their place, all at once. So many openings follow, which belong to it.
    Renew { left: usize },
}

/// From the worker to the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum FromWorker {
    /// How far reading has come.
    Progress(Progress),
    /// How many of the runs of an export are written.
    Exporting { done: u32, total: u32 },
    /// More was searched: ask again.
    Searching,
    /// How many runs were judged by the rules of insight.
    Judged(u32),
    /// How many runs were looked at for their failure categories.
    Looked(u32),
    /// Of how many runs the reflections were compared.
    Compared(u32),
    /// What is there already, while reading goes on.
    SoFar(Summary),
    /// Reading is over.
    Opened(Summary),
    /// The answer to a question.
    Answer { id: u32, answer: Answer },
    /// The worker met a bug and is gone.
    Died(String),
}

/// How far reading has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) bytes_read: f64,
    pub(crate) bytes_total: f64,
    pub(crate) files_done: u32,
    pub(crate) files_total: u32,
    pub(crate) records: u32,
    /// The file that is being read.
    pub(crate) path: String,
    /// The files that are read now and were read last.
    pub(crate) files: Vec<FileProgress>,
}

/// What is open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Grows each time the history changes, while files are read and at their end. Ids of an older version
    /// may mean something else.
    pub(crate) version: u32,
    pub(crate) sources: u32,
    /// Sources without a history in them.
    pub(crate) strangers: u32,
    /// `kept`, `repaired` and `skipped` count records as in `Added`, but only in sources with a history.
    pub(crate) kept: u32,
    pub(crate) repaired: u32,
    pub(crate) skipped: u32,
    pub(crate) refused: u32,
    pub(crate) bytes: f64,
    pub(crate) runs: u32,
    pub(crate) groups: u32,
    pub(crate) reflections: u32,
    pub(crate) findings: u32,
    pub(crate) errors: u32,
    pub(crate) warnings: u32,
    /// Files that were not begun because reading ended early.
    pub(crate) unread: u32,
    /// Why it ended early, if it did.
    pub(crate) ended: Option<Ended>,
    /// Records that were kept of what was opened last.
    pub(crate) new_records: u32,
    /// The last offer that was read.
    pub(crate) offer: u32,
    /// Bytes that the worker has taken from the browser.
    pub(crate) memory: f64,
    /// Something was open before, and still is.
    pub(crate) is_addition: bool,
    /// The address of the run, when there is one only.
    pub(crate) only_run: Option<RunAddress>,
}

/// How a run is named in an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunAddress {
    pub(crate) key: String,
    /// Label of its group, where several groups have the key and this run was not opened first.
    pub(crate) group: Option<String>,
    /// The same where it was opened first, too: people have to read it, an address need not have it.
    pub(crate) experiment: Option<String>,
}

impl RunAddress {
    /// As an address has it.
    pub(crate) fn new(key: impl Into<String>, group: Option<String>) -> Self {
        Self { key: key.into(), experiment: group.clone(), group }
    }

    /// Whether both mean one run. What people read beside it may change when another experiment is opened.
    pub(crate) fn is(&self, other: &Self) -> bool {
        (&self.key, &self.group) == (&other.key, &other.group)
    }

    /// What the run is called where people read it: with its experiment where several have the key.
    pub(crate) fn name(&self) -> String {
        match self.experiment.as_deref() {
            None | Some("") => self.key.clone(),
            Some(experiment) => format!("{} ({experiment})", self.key),
        }
    }
}

/// Rows `first..first + count`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rows {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl Rows {
    /// Rows are asked for in blocks, so that small steps ask for nothing new.
    pub(crate) const BLOCK: u32 = 64;

    /// Those of them that a list of so many rows has.
    pub(crate) fn within(self, total: u32) -> std::ops::Range<u32> {
        let first = self.first.min(total);
        first..first.saturating_add(self.count).min(total)
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Query {
    /// All sources.
    Sources(Rows),
    /// One source, by its path.
    Source { path: String },
    /// The largest groups.
    Groups,
    /// Lines of the list of runs.
    Runs {
        choice: Choice,
        rows: Rows,
        /// Where failure categories matter: runs that had been looked at when the page last heard
        /// of it. Asks again when that grows.
        looked: Option<u32>,
        /// Runs whose reflections had been compared then. Asks again when that grows.
        compared: u32,
    },
    /// What the runs shown come to together.
    Summary { choice: Choice, looked: Option<u32>, compared: u32 },
    /// Failure categories of some of the runs shown, from a position on.
    Categories { choice: Choice, from: u32 },
    /// Addresses of the first runs shown, as many as can be compared.
    Addresses { choice: Choice },
    /// The columns of several runs in equal places.
    Compare { runs: Vec<RunAddress>, align: Align },
    /// Errors and lessons of a run, for comparing them.
    ErrorsAndLessons { run: RunId },
    /// The first action in which two runs differ.
    Difference {
        runs: [RunId; 2],
        align: Align,
        /// Places that were compared before.
        from: u32,
    },
    /// Groups over the same tasks, by their labels, against the first of them; all groups if there are none.
    Experiments { labels: Vec<String>, attempts: Option<u32> },
    /// A run, and those beside it in the list of this choice.
    Run { address: RunAddress, choice: Choice },
    /// One iteration with all its records, by its position.
    Iteration { run: RunId, ordinal: u32 },
    /// The same, with texts that are too long to come without asking.
    Whole { run: RunId, ordinal: u32 },
    /// What the rules say of one iteration, by its number.
    Notes { run: RunId, number: i64 },
    /// Records that a run is made of, and which of them an address means: the one at `place`, else the
    /// leading one of iteration `number`, else the first.
    Records { run: RunId, rows: Rows, place: Option<String>, number: Option<i64> },
    /// One record as it is written, with its findings.
    Record { record: RecordId },
    /// Whether a record is valid by its schema.
    Verdict { record: RecordId },
    /// The bytes of a record, as a file.
    Save { record: RecordId },
    /// A part of an attempt.
    Attempt(AttemptAsk),
    /// A part of what a run teaches, by all rules.
    Learn { run: RunId, of: LearnOf },
    /// Where a run comes from, and what its records say of it.
    About { run: RunId },
    /// The text of a record.
    Raw { record: RecordId },
    /// The text of a whole file.
    Text { source: SourceId },
    /// What was in reach when iteration `at` began.
    Window { run: RunId, at: i64, choice: WindowChoice },
    /// The findings that a choice lets through.
    Findings {
        choice: FindingChoice,
        rows: Rows,
        /// Runs that were judged when the page last heard of it: asks again when that grows.
        judged: u32,
    },
    /// The findings that a choice lets through, as a file.
    SaveFindings { choice: FindingChoice, form: FindingForm },
    /// Sources that lost or could not give records.
    Damage(Rows),
    /// Parts of a source that were skipped, repaired or refused, in the order of the source.
    DamageOf { source: SourceId, rows: Rows },
    /// Some bytes of a source, as it is stored.
    Bytes { source: SourceId, start: u64, end: u64 },
    /// The same as a file.
    SaveBytes { source: SourceId, start: u64, end: u64, name: String },
    /// What a link that is copied says of its sources: those of a run, or all.
    LinkOf { run: Option<RunAddress> },
    /// Whether what is open is what a link means.
    Linked { run: Option<RunAddress>, src: String },
    /// What was found so far; begins the search if it is another one. A new `beat` only makes the same
    /// question a new one, asked later.
    Search { spec: SearchSpec, rows: Rows, beat: u32 },
    /// One hit of a search, by its position.
    SearchHit { spec: SearchSpec, at: u32 },
    /// Series beside the one that a run has; the values of one of them, if it is named.
    Series { run: RunId, name: Option<String> },
    /// Iterations whose reflections are in the window when iteration `at` begins.
    InWindow { run: RunId, at: i64, omega: Option<u8> },
    /// How large that becomes.
    Weigh { runs: ExportOf, include: Include },
    /// Some runs, written down again.
    Export { runs: ExportOf, form: ExportForm, include: Include },
}

impl Query {
    /// Whether the search that goes on answers it.
    pub(crate) fn is_search(&self) -> bool {
        matches!(self, Self::Search { .. } | Self::SearchHit { .. })
    }
}

/// An answer, in the order of the questions.
#[derive(Clone, Debug, Serialize, Deserialize, EnumTryAs)]
pub(crate) enum Answer {
    Sources(Page<SourceRow>),
    Source(Box<SourceRow>),
    /// The largest groups, in the order of the history.
    Groups(Page<GroupView>),
    Runs(RunsBody),
    Summary(Box<SummaryBody>),
    Categories(CategoriesBody),
    Addresses(Vec<RunAddress>),
    Compare(Box<CompareBody>),
    ErrorsAndLessons(Box<ErrorsAndLessonsBody>),
    Difference(DifferenceBody),
    Experiments(Box<ExperimentsBody>),
    Run(Box<RunBody>),
    Iteration(Box<IterationBody>),
    Notes(Box<NotesBody>),
    Records(Page<RecordRow>, Option<(u32, RecordId)>),
    Record(Box<RecordText>),
    Verdict(VerdictBody),
    Attempt(Box<AttemptAnswer>),
    Learn(Box<LearnBody>),
    About(Box<AboutBody>),
    Raw(RawText),
    Window(Box<WindowBody>),
    Findings(Box<FindingsBody>),
    Damage(Page<DamageRow>),
    DamageOf(Page<DamagePart>),
    Bytes(BytesBody),
    LinkOf(Option<String>),
    Linked(Linked),
    Search(SearchBody),
    SearchHit(Option<Box<FoundHit>>),
    Series(Box<SeriesBody>),
    InWindow(HeldBody),
    Export(Exported),
    Weights(Weights),
    /// There is none, and why.
    Failed(String),
    /// Files are being read: ask again when that is over. Ids may mean something else by then.
    Later,
}

/// Some rows of a longer list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Page<T> {
    /// Rows without any filter.
    pub(crate) all: u32,
    /// Rows that the filter lets through.
    pub(crate) total: u32,
    /// Position of the first of `rows`.
    pub(crate) first: u32,
    pub(crate) rows: Vec<T>,
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Self { all: 0, total: 0, first: 0, rows: Vec::new() }
    }
}

impl<T> Page<T> {
    /// The rows that are asked for of a list, each as the page shows it. `all` is its length: set it
    /// where the list was filtered.
    pub(crate) fn of<U>(list: &[U], rows: Rows, show: impl FnMut(&U) -> T) -> Self {
        let total = count(list.len());
        let shown = rows.within(total);
        let part = &list[shown.start as usize..shown.end as usize];
        let rows = part.iter().map(show).collect();
        Self { all: total, total, first: shown.start, rows }
    }

    /// The row at a position of the list, if it is among those at hand.
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        self.rows.get(index.checked_sub(self.first)? as usize)
    }
}
