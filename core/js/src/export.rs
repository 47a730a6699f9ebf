//! Exports, piece by piece.

use hindscope::{RecordId, RunId};
use wasm_bindgen::prelude::*;

use crate::decode;
use crate::history::History;
use crate::wire::{ExportOptions, Misuse};

/// An export while it is written.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Export(hindscope::Export);

#[wasm_bindgen]
impl History {
    /// Begins an export of some runs, or of everything.
    ///
    /// # Errors
    ///
    /// `invalid-option`, `no-such-run`.
    pub fn export(&self, runs: Option<Vec<u32>>, options: JsValue) -> Result<Export, Misuse> {
        let options = decode::<ExportOptions>(options)?.asked()?;
        let runs: Option<Vec<RunId>> = runs.map(|ids| ids.into_iter().map(RunId).collect());
        Ok(Export(self.inner().export(runs.as_deref(), options)?))
    }

    /// Hands over a record that the next piece needs.
    ///
    /// # Errors
    ///
    /// `no-such-record`, `wrong-bytes`, `stale-export`.
    pub fn supply(&self, export: &mut Export, record: u32, bytes: &[u8]) -> Result<(), Misuse> {
        let supplied = self.inner().supply(&mut export.0, RecordId(record), bytes);
        supplied.map_err(Misuse::one("record", record))
    }

    /// The next piece; nothing when it is complete.
    ///
    /// # Errors
    ///
    /// `unread-record`, `stale-export`, `invalid-option`.
    pub fn write(&self, export: &mut Export) -> Result<Option<String>, Misuse> {
        Ok(self.inner().write(&mut export.0)?)
    }

    /// What an export is called in a folder.
    #[wasm_bindgen(js_name = exportName)]
    pub fn export_name(&self, export: &Export) -> String {
        export.0.file_name(self.inner())
    }
}

#[wasm_bindgen]
impl Export {
    /// Records that the next piece needs.
    pub fn needs(&self) -> Vec<u32> {
        self.0.needs().iter().map(|record| record.0).collect()
    }
}
