//! Archives, entry by entry.

use hindscope::{RefusalKind, Unpacked};
use js_sys::Uint8Array;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::wire::{self, Misuse};
use crate::{decode, encode};

/// Unpacks one archive. The entries of the package read what it wants.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Unpacker(hindscope::Unpacker);

/// Limits, and the one entry that is wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct UnpackOptions {
    total: Option<f64>,
    ratio: Option<f64>,
    ratio_after: Option<f64>,
    entries: Option<f64>,
    only: Option<f64>,
}

/// What comes next, where it is not bytes.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Step {
    Wants {
        start: u64,
        end: u64,
    },
    Entry {
        number: u32,
        path: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        size: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        stored_at: Option<u64>,
    },
    End,
    Refused {
        rule: &'static str,
        reason: String,
    },
    Done,
}

#[wasm_bindgen]
impl Unpacker {
    /// For an archive of `size` bytes.
    ///
    /// # Errors
    ///
    /// `invalid-option`.
    #[wasm_bindgen(constructor)]
    pub fn new(path: &str, size: f64, options: JsValue) -> Result<Self, Misuse> {
        let size = wire::count(Some(size), "size")?.unwrap_or_default();
        let options = decode::<UnpackOptions>(options)?;
        let usual = hindscope::UnpackLimits::default();
        let limits = hindscope::UnpackLimits {
            total: wire::count(options.total, "total")?.unwrap_or(usual.total),
            ratio: wire::count(options.ratio, "ratio")?.unwrap_or(usual.ratio),
            ratio_after: wire::count(options.ratio_after, "ratioAfter")?
                .unwrap_or(usual.ratio_after),
            entries: wire::count(options.entries, "entries")?.unwrap_or(usual.entries),
        };
        let unpacker = hindscope::Unpacker::new(path, size).limits(limits);
        Ok(Self(match wire::count(options.only, "only")? {
            Some(number) => unpacker.only(number),
            None => unpacker,
        }))
    }

    /// Whether a file that begins with these bytes is an archive.
    pub fn recognises(head: &[u8]) -> bool {
        hindscope::Unpacker::recognises(head)
    }

    /// What comes next: bytes, or an object with its `kind`.
    pub fn next(&mut self) -> JsValue {
        encode(&match self.0.next() {
            Unpacked::Data(bytes) => return Uint8Array::from(&bytes[..]).into(),
            Unpacked::Wants { start, end } => Step::Wants { start, end },
            Unpacked::Entry(entry) => Step::Entry {
                number: entry.number,
                path: entry.path,
                size: entry.size,
                stored_at: entry.stored_at,
            },
            Unpacked::End => Step::End,
            Unpacked::Refused(refusal) => {
                Step::Refused { rule: refusal.kind.as_str(), reason: refusal.reason }
            }
            Unpacked::Done => Step::Done,
        })
    }

    /// Hands over what it wants.
    ///
    /// # Errors
    ///
    /// `wrong-bytes`.
    pub fn give(&mut self, bytes: &[u8]) -> Result<(), Misuse> {
        Ok(self.0.give(bytes)?)
    }

    /// Says that what it wants cannot be read.
    pub fn fail(&mut self, reason: &str) {
        self.0.fail(reason);
    }

    /// Leaves out the rest of the entry.
    pub fn skip(&mut self) {
        self.0.skip();
    }
}

/// A refusal as it comes back from the entries of the package.
pub(crate) fn refusal(rule: &str, reason: &str) -> Result<hindscope::Refusal, Misuse> {
    Ok(hindscope::Refusal { kind: RefusalKind::parse(rule)?, reason: reason.to_owned() })
}
