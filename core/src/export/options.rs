//! What is to be exported, and how.

use crate::labels::labels;

labels! {
    /// The form of an export.
    #[derive(Default)]
    ExportKind {
        /// Records as JSON Lines, to be opened again: `*.hindscope.jsonl`.
        #[default]
        History = "history",
        /// A table, one row an iteration.
        Csv = "csv",
        /// A report for people.
        Markdown = "markdown",
        /// An answer of the history, in an envelope.
        Json = "json",
        /// Reflection memory records.
        Records = "records",
        /// The chart of one run, as SVG.
        Chart = "chart",
        /// A report for people as one HTML file, with charts; it loads nothing from a network.
        Report = "report",
    }
}

labels! {
    /// Which table a CSV is. A text cell that a spreadsheet would take for a formula gets an apostrophe in
    /// front, also where semicolons or tabs would separate its cells.
    #[derive(Default)]
    CsvProfile {
        /// One row an iteration, for any number of runs: `group`, `run`, `number`, `ordinal`, `outcome`,
        /// `outcome_detail`, `reward`, `reward_origin`, `reward_rule`, `delta`, `errors`, `error_delta`,
        /// `is_improvement`, `time`, `ms`, `tests_passed`, `tests_failed`, `tests_total`, `tokens`,
        /// `cost_usd`, `reflections`, `findings`, `source`, `line`, `verdict`.
        #[default]
        Iterations = "iterations",
        /// One run, with the header of the format `analytics-csv`: it can be opened again.
        Analytics = "analytics",
    }
}

labels! {
    /// Which answer is written as JSON.
    #[derive(Default)]
    JsonQuery {
        /// The list of runs.
        #[default]
        Runs = "runs",
        /// Runs with their iterations, each in full.
        Run = "run",
        /// The findings: problems in what was opened.
        Findings = "findings",
        /// What the runs show.
        Explain = "explain",
    }
}

labels! {
    /// How records stand in a file.
    #[derive(Default)]
    RecordsLayout {
        /// JSON Lines.
        #[default]
        Lines = "lines",
        /// A JSON array.
        Array = "array",
        /// One JSON document: there must be one record.
        Document = "document",
    }
}

/// How an export is made.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for by itself")]
pub struct ExportOptions {
    /// What it is.
    pub kind: ExportKind,
    /// When, as RFC 3339 in UTC, ending in `Z`: the core has no clock.
    pub created: Option<String>,
    /// Whether a history keeps the records as they were written. If false, the parsed fields are written
    /// instead. Also false when outputs, prompts or paths are left out, because the originals contain them.
    pub originals: bool,
    /// Whether a history and JSON hold what tools, checks and stacks printed.
    pub outputs: bool,
    /// Whether a history, JSON and reports hold what the agent was asked: tasks, criteria and prompts.
    pub prompts: bool,
    /// Whether absolute paths are written in full, and not as `…/name`. Records of reflection memory
    /// and charts are as they are.
    pub paths: bool,
    /// Which table a CSV is.
    pub profile: CsvProfile,
    /// Which answer JSON is.
    pub query: JsonQuery,
    /// How records stand in their file.
    pub layout: RecordsLayout,
    /// A JSON object: what records of reflection memory must have and other formats lack.
    pub supply: Option<String>,
    /// Number of the first iteration that a chart draws; absent: from the beginning.
    pub first: Option<i64>,
    /// Number of the last one; absent: to the end.
    pub last: Option<i64>,
    /// Whether charts and reports write rewards as points, 0 to 100, in place of 0 to 1.
    pub points: bool,
    /// Whether a report holds the texts of reflections.
    pub reflections: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            kind: ExportKind::default(),
            created: None,
            originals: true,
            outputs: true,
            prompts: true,
            paths: true,
            profile: CsvProfile::default(),
            query: JsonQuery::default(),
            layout: RecordsLayout::default(),
            supply: None,
            first: None,
            last: None,
            points: false,
            reflections: true,
        }
    }
}
