//! Exports as a host makes them.

use hindscope::{Error, ExportOptions, History, RunId};

use crate::archive;
use crate::input::{Input, bytes_of};

/// The whole text of an export.
///
/// # Errors
///
/// Whatever the history refuses.
pub fn export(
    history: &History,
    files: &[Input],
    runs: Option<&[RunId]>,
    options: &ExportOptions,
) -> Result<String, Error> {
    let mut export = history.export(runs, options.clone())?;
    let mut text = String::new();
    loop {
        for span in history.needs_of_export(&export) {
            let bytes = bytes_of(history, files, span.record);
            history.supply(&mut export, span.record, bytes)?;
        }
        match history.write(&mut export)? {
            Some(piece) => text.push_str(&piece),
            None => return Ok(text),
        }
    }
}

/// The files in an export, as a host unpacks them.
pub fn unpacked(export: &str) -> Vec<Input> {
    archive::files("all.hindscope.jsonl", export.as_bytes())
}
