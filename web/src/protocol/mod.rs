//! What the page and its worker say to each other: one enum each way.
//!
//! A history never crosses as a whole. The page asks for the rows it shows, the columns of one
//! run, one body; each question has an id, so that an answer that comes too late is dropped.

mod about;
pub(crate) mod columns;
mod explain;
mod export;
mod findings;
mod links;
mod shown;

use hindscope::{GroupView, Outcome, RecordId, RunId, SourceId};
use serde::{Deserialize, Serialize};

use crate::platform::FileHandle;
pub(crate) use about::{AboutBody, FilePlaces, Place as RecordPlace, Said};
pub(crate) use explain::ExplainBody;
pub(crate) use export::{ExportForm, ExportOf, Exported};
pub(crate) use findings::{
    BytesBody, DamageKind, DamagePart, DamageRow, FindingChoice, FindingForm, FindingGroup,
    FindingLine, FindingRow, FindingsBody, GroupBy, Judged, NameCount, RuleCount,
};
pub(crate) use links::Linked;
pub(crate) use shown::{
    Columns, HeldText, IterationBody, Level, Life, LifeRow, RawText, RecordBody, RunBody, RunRow,
    SourceRow, WindowBody, outcome_of,
};

/// From the page to the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker {
    /// Some of the files of an offer that is still to come.
    Part { offer: u32, items: Vec<FileItem> },
    /// Read these, beside or instead of what is open.
    Open { offer: Offer, mode: Mode },
    /// Stop reading and keep what has been read; stop exporting, of which nothing is kept.
    Cancel,
    /// Answer this.
    Ask { id: u32, query: Query },
}

/// What is to be opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Offer {
    /// Files that the reader of the page chose: all parts that have this id.
    Files(u32),
    /// One of the histories that the app brings along.
    Sample(String),
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
}

/// What becomes of the histories that are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// They are closed.
    #[default]
    Replace,
    /// They stay.
    Add,
}

/// From the worker to the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum FromWorker {
    /// How far reading has come.
    Progress(Progress),
    /// How many of the runs of an export are written.
    Exporting { done: u32, total: u32 },
    /// How many runs were judged by the rules of insight.
    Judged(u32),
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
}

/// What is open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Grows with each opening; answers of an older one mean nothing.
    pub(crate) version: u32,
    pub(crate) sources: u32,
    /// Sources without a history in them.
    pub(crate) strangers: u32,
    /// Records, as in `Added`, but of those sources only that have a history in them.
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
    /// Files that were not begun because reading was cancelled.
    pub(crate) unread: u32,
    pub(crate) is_cancelled: bool,
    /// Something was open before, and still is.
    pub(crate) is_addition: bool,
    /// The address of the run, when there is one only.
    pub(crate) only_run: Option<RunAddress>,
}

/// How a run is named in an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunAddress {
    pub(crate) key: String,
    /// Label of its group, where several groups have the key.
    pub(crate) group: Option<String>,
}

/// Rows `first..first + count`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rows {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Query {
    Sources(Rows),
    /// One source, by its path.
    Source {
        path: String,
    },
    Groups,
    Runs {
        choice: Choice,
        rows: Rows,
    },
    Run {
        address: RunAddress,
        choice: Choice,
    },
    Iteration {
        run: RunId,
        ordinal: u32,
    },
    /// What a run teaches, by all rules.
    Explain {
        run: RunId,
    },
    /// Where a run comes from, and what its records say of it.
    About {
        run: RunId,
    },
    Raw {
        record: RecordId,
    },
    /// The text of a whole file.
    Text {
        source: SourceId,
    },
    Window {
        run: RunId,
        at: i64,
        omega: Option<u8>,
    },
    Findings {
        choice: FindingChoice,
        rows: Rows,
        /// Runs that were judged when the page last heard of it: asks again when that grows.
        judged: u32,
    },
    /// The findings that a choice lets through, as a file.
    SaveFindings {
        choice: FindingChoice,
        form: FindingForm,
    },
    /// Sources that lost or could not give records.
    Damage(Rows),
    /// What a source lost, in its order.
    DamageOf {
        source: SourceId,
        rows: Rows,
    },
    /// Some bytes of a source, as it is stored.
    Bytes {
        source: SourceId,
        start: u64,
        end: u64,
    },
    /// The same as a file.
    SaveBytes {
        source: SourceId,
        start: u64,
        end: u64,
        name: String,
    },
    /// What a link that is copied says of its sources: those of a run, or all.
    LinkOf {
        run: Option<RunAddress>,
    },
    /// Whether what is open is what a link means.
    Linked {
        run: Option<RunAddress>,
        src: String,
    },
    /// Some runs, written down again.
    Export {
        runs: ExportOf,
        form: ExportForm,
    },
}

/// An answer, in the order of the questions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    Sources(Page<SourceRow>),
    Source(Box<SourceRow>),
    /// The largest groups, in the order of the history.
    Groups(Page<GroupView>),
    Runs(Page<RunRow>),
    Run(Box<RunBody>),
    Iteration(Box<IterationBody>),
    Explain(Box<ExplainBody>),
    About(Box<AboutBody>),
    Raw(RawText),
    Window(Box<WindowBody>),
    Findings(Box<FindingsBody>),
    Damage(Page<DamageRow>),
    DamageOf(Page<DamagePart>),
    Bytes(BytesBody),
    LinkOf(Option<String>),
    Linked(Linked),
    Export(Exported),
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
    /// The row at a position of the list, if it is among those at hand.
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        self.rows.get(index.checked_sub(self.first)? as usize)
    }
}

/// Which runs, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// Words that must all occur in key, task or group.
    pub(crate) text: String,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) sort: Option<Sort>,
    pub(crate) is_falling: bool,
}

/// A column that the list of runs can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Sort {
    Key,
    Iterations,
    Outcome,
    Best,
    Last,
    Reflections,
    Findings,
    Group,
}

impl Sort {
    pub(crate) const ALL: [Self; 8] = [
        Self::Key,
        Self::Iterations,
        Self::Outcome,
        Self::Best,
        Self::Last,
        Self::Reflections,
        Self::Findings,
        Self::Group,
    ];

    /// Its name in an address.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Key => "run",
            Self::Iterations => "iterations",
            Self::Outcome => "outcome",
            Self::Best => "best",
            Self::Last => "last",
            Self::Reflections => "reflections",
            Self::Findings => "findings",
            Self::Group => "group",
        }
    }
}
