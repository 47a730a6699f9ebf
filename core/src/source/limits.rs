//! How much of a source is read. Callers of the Rust crate may ask for more, or for less.

/// Limits of what is read, each for one source. Whatever is above them is refused with a finding
/// (`source/refused`), and what was read before is kept. Only callers of the Rust crate can change
/// them, by [`History::limit`](crate::History::limit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// One JSON record or line, in bytes of UTF-8. By default 256 MiB.
    pub record_len: usize,
    /// One YAML document or one text, in bytes of UTF-8. By default 32 MiB.
    pub document_len: usize,
    /// Records of one source. By default 20,000,000.
    pub records: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { record_len: 256 << 20, document_len: 32 << 20, records: 20_000_000 }
    }
}

impl Limits {
    pub(crate) fn too_long_record(self) -> String {
        let len = size(self.record_len);
        format!(
            "a record is longer than the limit of {len}, which only callers of the Rust crate can raise"
        )
    }

    pub(crate) fn too_long_document(self) -> String {
        let len = size(self.document_len);
        format!(
            "a document is longer than the limit of {len} for YAML and text; split it into several files"
        )
    }

    pub(crate) fn too_many_records(self) -> String {
        let count = self.records;
        format!("the file has more records than the limit of {count}; split it into several files")
    }
}

/// A number of bytes, for people.
fn size(len: usize) -> String {
    if len >= 1 << 20 && len.is_multiple_of(1 << 20) {
        format!("{} MiB", len >> 20)
    } else {
        format!("{len} bytes")
    }
}
