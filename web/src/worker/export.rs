//! What is open, written down again as a file, some runs at a time between other messages.

use std::collections::VecDeque;

use hindscope::{CsvProfile, Export, ExportKind, ExportOptions, JsonQuery, RunId};

use super::no_answer::NoAnswer;
use super::run_list;
use super::session::Session;
use crate::browser::{self, Spool};
use crate::protocol::{Answer, ChartPart, ExportForm, ExportOf, Exported, Include, count};

/// The options of the core for a form.
pub(super) fn options((form, include): (ExportForm, Include)) -> ExportOptions {
    use ExportForm as Form;
    let (kind, query) = match form {
        // The page puts the history into the single file.
        Form::History | Form::Viewer => (ExportKind::History, JsonQuery::default()),
        Form::Csv | Form::Analytics => (ExportKind::Csv, JsonQuery::default()),
        Form::Markdown => (ExportKind::Markdown, JsonQuery::default()),
        Form::Report => (ExportKind::Report, JsonQuery::default()),
        Form::Chart(_) => (ExportKind::Chart, JsonQuery::default()),
        Form::JsonRuns => (ExportKind::Json, JsonQuery::Runs),
        Form::JsonRun => (ExportKind::Json, JsonQuery::Run),
        Form::JsonFindings => (ExportKind::Json, JsonQuery::Findings),
        Form::JsonExplain => (ExportKind::Json, JsonQuery::Explain),
    };
    let profile = match form {
        Form::Analytics => CsvProfile::Analytics,
        _ => CsvProfile::Iterations,
    };
    let part = match form {
        Form::Chart(part) => part,
        _ => ChartPart::default(),
    };
    let ChartPart { first, last, is_points: points } = part;
    let Include { originals, outputs, prompts, paths, reflections } = include.whole();
    ExportOptions {
        kind,
        query,
        profile,
        first,
        last,
        points,
        originals,
        outputs,
        prompts,
        paths,
        reflections,
        ..ExportOptions::default()
    }
}

/// Exports that were asked for; the first is the one that is being written.
#[derive(Default)]
pub(crate) struct ExportQueue(VecDeque<Writing>);

/// An export that is being written.
struct Writing {
    question: u32,
    export: Export,
    name: String,
    spool: Spool,
    pieces: u32,
    runs: u32,
}

impl ExportQueue {
    /// Puts an export in line.
    pub(crate) fn begin(
        &mut self,
        session: &mut Session,
        question: u32,
        of: &ExportOf,
        what: (ExportForm, Include),
    ) -> Result<(), NoAnswer> {
        session.files.forget_blocks();
        let runs = runs(session, of)?;
        let options = ExportOptions { created: Some(browser::date_time()), ..options(what) };
        let export = session.history.export(Some(&runs), options)?;
        let name = export.file_name(&session.history);
        let (spool, runs) = (Spool::default(), count(runs.len()));
        self.0.push_back(Writing { question, export, name, spool, pieces: 0, runs });
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the next piece of the first in line; the answer where it is written, or cannot be.
    pub(crate) fn step(&mut self, session: &Session) -> Option<(u32, Answer)> {
        let written = self.0.front_mut()?.write(session);
        if let Ok(true) = written {
            return None;
        }
        let writing = self.0.pop_front()?;
        let question = writing.question;
        let failed = |error: NoAnswer| Answer::Failed(error.0);
        Some((question, written.map_or_else(failed, |_| writing.finish())))
    }

    /// Runs that are written of the first in line, and all of its runs.
    pub(crate) fn progress(&self) -> Option<(u32, u32)> {
        let first = self.0.front()?;
        // The first piece is what stands above the runs.
        Some((first.pieces.saturating_sub(1).min(first.runs), first.runs))
    }

    /// Forgets all of them, and gives the questions that have no answer now.
    pub(crate) fn end(&mut self) -> Vec<u32> {
        self.0.drain(..).map(|writing| writing.question).collect()
    }
}

impl Writing {
    /// Writes a piece, or says that there is none.
    fn write(&mut self, session: &Session) -> Result<bool, NoAnswer> {
        let Some(piece) = next(session, &mut self.export)? else { return Ok(false) };
        self.pieces = self.pieces.saturating_add(1);
        if !piece.is_empty() {
            self.spool.take(piece.as_bytes());
        }
        Ok(true)
    }

    fn finish(self) -> Answer {
        match self.spool.finish(&self.name) {
            Ok(file) => Answer::Export(Exported { name: self.name, file }),
            Err(reason) => Answer::Failed(format!("The export cannot be kept: {reason}.")),
        }
    }
}

/// Reads what the next piece of an export needs and writes that piece; `None` if the export is complete.
pub(super) fn next(session: &Session, export: &mut Export) -> Result<Option<String>, NoAnswer> {
    for span in session.history.needs_of_export(export) {
        let bytes = session.files.read(&span).map_err(|reason| {
            let path = &span.path;
            NoAnswer::from(format!("\u{201c}{path}\u{201d} cannot be exported: {reason}."))
        })?;
        session.history.supply(export, span.record, &bytes)?;
    }
    Ok(session.history.write(export)?)
}

pub(super) fn runs(session: &mut Session, of: &ExportOf) -> Result<Vec<RunId>, NoAnswer> {
    match of {
        ExportOf::Shown(choice) => Ok(run_list::runs(session, choice).to_vec()),
        ExportOf::Run(address) => Ok(vec![session.run_of(address)?]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_what_the_core_writes() {
        let of = |form: ExportForm| {
            let options = options((form, Include::default()));
            let is_rest_in = options.prompts && options.paths && options.reflections;
            assert!(is_rest_in && !options.outputs, "output is left out at first");
            assert!(!options.originals, "records hold it, too");
            (options.kind, options.profile, options.query)
        };
        let (iterations, runs) = (CsvProfile::Iterations, JsonQuery::Runs);
        assert_eq!(of(ExportForm::History), (ExportKind::History, iterations, runs));
        assert_eq!(of(ExportForm::Csv), (ExportKind::Csv, iterations, runs));
        assert_eq!(of(ExportForm::Analytics), (ExportKind::Csv, CsvProfile::Analytics, runs));
        assert_eq!(of(ExportForm::Markdown), (ExportKind::Markdown, iterations, runs));
        assert_eq!(of(ExportForm::JsonExplain), (ExportKind::Json, iterations, JsonQuery::Explain));
        assert_eq!(of(ExportForm::Report), (ExportKind::Report, iterations, runs));
        let part = ChartPart { first: Some(3), last: Some(9), is_points: true };
        let chart = options((ExportForm::Chart(part), Include::default()));
        assert_eq!(chart.kind, ExportKind::Chart);
        assert_eq!((chart.first, chart.last, chart.points), (Some(3), Some(9), true));
        let lean = Include { originals: true, paths: false, ..Include::default() };
        let whole = options((ExportForm::History, lean));
        assert!(whole.originals && whole.outputs && whole.paths, "records hold everything");
    }
}
