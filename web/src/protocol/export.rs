//! Exports: what is asked for, and what comes.

use serde::{Deserialize, Serialize};

use super::{ChartPart, Choice, RunAddress};
use crate::platform::FileHandle;

/// Which runs are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ExportOf {
    /// Those that a filter lets through.
    Shown(Choice),
    /// One.
    Run(RunAddress),
}

/// What they are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ExportForm {
    Bundle,
    /// The single file with a bundle inside.
    Viewer,
    Csv,
    /// The table that opens again, of one run.
    Analytics,
    Markdown,
    /// One HTML file with charts.
    Report,
    /// The chart of one run as SVG.
    Chart(ChartPart),
    /// The list of runs.
    JsonRuns,
    /// Runs with their iterations.
    JsonRun,
    JsonFindings,
    JsonExplain,
}

/// Texts that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Include {
    /// Records as they were written, in bundles and viewer copies.
    pub(crate) originals: bool,
    /// Texts of reflections, in HTML reports.
    pub(crate) reflections: bool,
}

impl Default for Include {
    fn default() -> Self {
        Self { originals: true, reflections: true }
    }
}

/// A complete export.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Exported {
    /// What it is called in a folder.
    pub(crate) name: String,
    pub(crate) file: FileHandle,
}
