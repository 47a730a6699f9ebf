//! The resource `exporter`.

use std::cell::RefCell;
use std::rc::Rc;

use hindscope::RecordId;

use crate::cross::{Cross, Over, labels, options};
use crate::misuse;
use crate::wit::histories::{GuestExporter, Span};
use crate::wit::types::Error;
use crate::wit::writing::{CsvProfile, ExportKind, ExportOptions, JsonQuery, RecordsLayout};

labels!(ExportKind => hindscope::ExportKind { History, Csv, Markdown, Json, Records, Chart, Report });
labels!(CsvProfile => hindscope::CsvProfile { Iterations, Analytics });
labels!(JsonQuery => hindscope::JsonQuery { Runs, Run, Findings, Explain });
labels!(RecordsLayout => hindscope::RecordsLayout { Lines, Array, Document });

options! {
    ExportOptions {
        kind, created, originals, outputs, prompts, paths, profile, query, layout, supply, first,
        last, points, reflections
    }
}

/// An export, and the history that it writes down.
pub(crate) struct Exporter {
    history: Rc<RefCell<hindscope::History>>,
    export: RefCell<hindscope::Export>,
}

impl Exporter {
    pub(crate) fn new(history: Rc<RefCell<hindscope::History>>, export: hindscope::Export) -> Self {
        Self { history, export: RefCell::new(export) }
    }
}

impl GuestExporter for Exporter {
    fn name(&self) -> String {
        self.export.borrow().file_name(&self.history.borrow())
    }

    fn needs(&self) -> Vec<Span> {
        self.history.borrow().needs_of_export(&self.export.borrow()).cross()
    }

    fn supply(&self, record: u32, bytes: Vec<u8>) -> Result<(), Error> {
        let mut export = self.export.borrow_mut();
        let supplied = self.history.borrow().supply(&mut export, RecordId(record), &bytes);
        supplied.map_err(misuse::one("record", record))
    }

    fn write(&self) -> Result<Option<String>, Error> {
        let piece = self.history.borrow().write(&mut self.export.borrow_mut());
        piece.map_err(misuse::plain())
    }
}
