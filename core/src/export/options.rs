//! What is to be exported, and how.

/// What an export is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ExportKind {
    /// Everything, to be opened again: `*.hindscope.json`.
    #[default]
    Bundle,
    /// A table, one row an iteration.
    Csv,
    /// A report for people.
    Markdown,
    /// An answer of the history, in an envelope.
    Json,
    /// Reflection memory records (formats.md, 4.1).
    Records,
    /// The chart of one run, as SVG.
    Chart,
    /// A report for people as one HTML file, with charts; it asks nothing of a network.
    Report,
}

/// Which table a CSV is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CsvProfile {
    /// The columns of [`CSV_COLUMNS`](crate::CSV_COLUMNS), for any number of runs.
    #[default]
    Iterations,
    /// The header of `analytics-csv`, for one run; it opens again.
    Analytics,
}

/// Which answer is written as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum JsonQuery {
    /// The list of runs.
    #[default]
    Runs,
    /// Runs with their iterations, each in full.
    Run,
    /// What is odd.
    Findings,
    /// What the runs show.
    Explain,
}

/// How records stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RecordsLayout {
    /// JSON Lines.
    #[default]
    Lines,
    /// A JSON array.
    Array,
    /// One JSON document: there must be one record.
    Document,
}

/// How an export is made.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// What it is.
    pub kind: ExportKind,
    /// When, as RFC 3339 in UTC, ending in `Z`: the core has no clock.
    pub created: Option<String>,
    /// Whether a bundle keeps the records as they were written. Without them it is not lossless.
    pub originals: bool,
    /// Which table a CSV is.
    pub profile: CsvProfile,
    /// Which answer JSON is.
    pub query: JsonQuery,
    /// How records stand in their file.
    pub layout: RecordsLayout,
    /// A JSON object: what records of reflection memory must have and other formats do not tell.
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

macro_rules! words {
    ($name:ident: $($variant:ident = $word:literal,)*) => {
        impl $name {
            /// All of them, in their order.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// The lower-case word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// The one with this word.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == word)
            }
        }
    };
}

words! { ExportKind:
    Bundle = "bundle",
    Csv = "csv",
    Markdown = "markdown",
    Json = "json",
    Records = "records",
    Chart = "chart",
    Report = "report",
}

words! { CsvProfile:
    Iterations = "iterations",
    Analytics = "analytics",
}

words! { JsonQuery:
    Runs = "runs",
    Run = "run",
    Findings = "findings",
    Explain = "explain",
}

words! { RecordsLayout:
    Lines = "lines",
    Array = "array",
    Document = "document",
}
