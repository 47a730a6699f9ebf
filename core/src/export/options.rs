//! What is to be exported, and how.

use crate::labels::labels;
use serde::Serialize;

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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for by itself")]
pub struct ExportOptions {
    /// Its form.
    pub kind: ExportKind,
    /// When it is made, as a time in UTC such as `2026-03-10T12:00:00Z`: hindscope has no clock. Without it
    /// an export does not say.
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
    /// For `csv`: which table it is.
    pub profile: CsvProfile,
    /// For `json`: which answer it is.
    pub query: JsonQuery,
    /// For `records`: how they stand in their file.
    pub layout: RecordsLayout,
    /// For `records`: a JSON object with members that a record of reflection memory must have and others lack.
    pub supply: Option<String>,
    /// For `chart`: number of the first iteration that it draws; absent: from the beginning.
    pub first: Option<i64>,
    /// For `chart`: number of the last one; absent: to the end.
    pub last: Option<i64>,
    /// For `chart` and `report`: whether they write rewards as points, 0 to 100, in place of 0 to 1.
    pub points: bool,
    /// For `report`: whether it holds the texts of reflections.
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
