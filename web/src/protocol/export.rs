//! Exports: what is asked for, and what comes.

use serde::{Deserialize, Serialize};

use super::{ChartPart, Choice, RunAddress};
use crate::browser::FileHandle;

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
    History,
    /// The single file with a history inside.
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

impl ExportForm {
    /// Those that are made of runs alone, whatever else is on the page.
    #[rustfmt::skip] // A table.
    pub(crate) const WRITTEN: [Self; 9] = [
        Self::History, Self::Csv, Self::Analytics, Self::Markdown, Self::Report,
        Self::JsonRuns, Self::JsonRun, Self::JsonFindings, Self::JsonExplain,
    ];
}

/// Texts that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a tick of its own")]
pub(crate) struct Include {
    /// Records as they were written, in histories and viewer copies. They hold all of the rest.
    pub(crate) originals: bool,
    /// What tools, checks and stacks printed.
    pub(crate) outputs: bool,
    /// Tasks, criteria and prompts.
    pub(crate) prompts: bool,
    /// Absolute paths in full.
    pub(crate) paths: bool,
    /// Texts of reflections, in HTML reports.
    pub(crate) reflections: bool,
}

impl Default for Include {
    fn default() -> Self {
        Self { originals: false, outputs: false, prompts: true, paths: true, reflections: true }
    }
}

impl Include {
    /// With everything that goes in together with what is asked for.
    pub(crate) fn whole(self) -> Self {
        let Self { originals, outputs, prompts, paths, reflections } = self;
        Self {
            originals,
            outputs: outputs || originals,
            prompts: prompts || originals,
            paths: paths || originals,
            reflections,
        }
    }
}

/// How large exports become, in bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weights {
    /// They were all written; else some of the runs stand for the others.
    pub(crate) is_exact: bool,
    /// The records as they were written.
    pub(crate) records: f64,
    /// What each form becomes, as far as it was tried.
    pub(crate) forms: Vec<(ExportForm, f64)>,
}

/// A complete export.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Exported {
    /// What it is called in a folder.
    pub(crate) name: String,
    pub(crate) file: FileHandle,
}
