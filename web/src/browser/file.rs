//! Files that were dropped or picked. They are read in slices, in the worker.

use js_sys::{Array, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use web_sys::{Blob, DomException, File, FileReaderSync};

/// A file of the browser. Cloning it copies the handle, never the bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct FileHandle(#[serde(with = "serde_wasm_bindgen::preserve")] File);

impl FileHandle {
    pub(crate) fn new(file: File) -> Self {
        Self(file)
    }

    /// A file that exists in memory only.
    pub(crate) fn of_bytes(name: &str, bytes: &[u8]) -> Result<Self, String> {
        let parts = Array::of1(&Uint8Array::from(bytes));
        File::new_with_u8_array_sequence(&parts, name).map(Self).map_err(|error| reason(&error))
    }

    /// Bytes `start..end` as a file of their own. Nothing is read or copied.
    #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
    pub(crate) fn part(&self, name: &str, start: u64, end: u64) -> Result<Self, String> {
        let part = self.0.slice_with_f64_and_f64(start as f64, end as f64);
        let file = part.and_then(|part| File::new_with_blob_sequence(&Array::of1(&part), name));
        file.map(Self).map_err(|error| reason(&error))
    }

    /// What it is called, without folders.
    pub(crate) fn name(&self) -> String {
        self.0.name()
    }

    /// As the browser has it.
    pub(crate) fn as_js(&self) -> &JsValue {
        self.0.as_ref()
    }

    /// Its length as the browser announces it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number that is not negative"
    )]
    pub(crate) fn size(&self) -> u64 {
        self.0.size() as u64
    }

    /// When it was written last, in milliseconds since 1970.
    pub(crate) fn modified(&self) -> f64 {
        self.0.last_modified()
    }

    /// Reads bytes `start..end`. Only the worker may wait for them.
    #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
    pub(crate) fn read(&self, start: u64, end: u64) -> Result<Vec<u8>, String> {
        let read = || {
            let slice = self.0.slice_with_f64_and_f64(start as f64, end as f64)?;
            let buffer = FileReaderSync::new()?.read_as_array_buffer(&slice)?;
            Ok(Uint8Array::new(&buffer).to_vec())
        };
        let bytes = read().map_err(|error: JsValue| reason(&error))?;
        let wanted = usize::try_from(end - start).unwrap_or(usize::MAX);
        if bytes.len() == wanted {
            Ok(bytes)
        } else {
            Err("it became shorter after it was opened".to_owned())
        }
    }
}

/// Pieces that are handed to the browser from time to time: it puts large Blobs on the disk.
#[derive(Debug, Default)]
pub(crate) struct Spool {
    /// Blobs, and what was not made one yet.
    parts: Array,
    pieces: Array,
    len: usize,
}

/// Bytes that wait for becoming a Blob.
const SPOOL_LEN: usize = 8 << 20;

impl Spool {
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.pieces.push(&Uint8Array::from(bytes));
        self.len += bytes.len();
        if self.len >= SPOOL_LEN
            && let Ok(blob) = Blob::new_with_u8_array_sequence(&self.pieces)
        {
            self.parts.push(&blob);
            self.pieces = Array::new();
            self.len = 0;
        }
    }

    /// All of it as a file.
    pub(crate) fn finish(self, name: &str) -> Result<FileHandle, String> {
        let parts = self.parts.concat(&self.pieces);
        let file = File::new_with_blob_sequence(&parts, name);
        file.map(FileHandle).map_err(|error| reason(&error))
    }
}

/// Text of a file in an encoding; what cannot be read becomes U+FFFD.
#[cfg(target_arch = "wasm32")]
pub(crate) fn decode(bytes: &[u8], encoding: &str) -> String {
    let bytes = Uint8Array::from(bytes);
    web_sys::TextDecoder::new_with_label(encoding)
        .and_then(|decoder| decoder.decode_with_buffer_source(&bytes))
        .unwrap_or_default()
}

/// Text of a file in UTF-8: tests have no browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn decode(bytes: &[u8], _: &str) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What went wrong, for a sentence.
pub(crate) fn reason(error: &JsValue) -> String {
    let Some(error) = error.dyn_ref::<DomException>() else {
        return "the browser could not read it".to_owned();
    };
    let name = error.name();
    match name.as_str() {
        "NotFoundError" => format!("it was moved or deleted after it was opened ({name})"),
        "EncodingError" => format!(
            "a page from a disk may not look into dropped folders: choose the folder by the button ({name})"
        ),
        "NotReadableError" | "SecurityError" | "NotAllowedError" => format!(
            "the browser may not read it: check its permissions, or whether it changed ({name})"
        ),
        // The server of the page has a reason of its own: web/single/boot.js.
        "DataError" => error.message(),
        _ => format!("the browser could not read it ({name})"),
    }
}
