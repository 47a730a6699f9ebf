//! Whether what is to be opened fits, judged by the sizes of the files alone.
//!
//! The rule: the index takes a quarter of the bytes of the files, which is the most that the budget of
//! the core allows. Packed files count eight times. A tab holds what `TAB_HOLDS` says.

use crate::format;
use crate::protocol::{FileItem, count};

/// Bytes of index for each byte of a file, at most.
const INDEX_SHARE: f64 = 0.25;
/// Bytes that a packed byte may become: logs shrink to an eighth or so.
const PACKED: f64 = 8.0;
/// What packed files are called. What they are is only known once they are read.
const PACKED_ENDINGS: [&str; 3] = [".gz", ".tgz", ".zip"];
/// Records that are offered to be opened.
pub(crate) const FIRST_RECORDS: u32 = 500_000;

/// More than fits, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prediction {
    /// The only file, or how many there are.
    pub(crate) what: String,
    is_one: bool,
    bytes: f64,
    index: f64,
    holds: f64,
}

impl Prediction {
    /// What the files would need, if that is more than the tab holds.
    pub(crate) fn of(items: &[FileItem], holds: f64) -> Option<Self> {
        Self::of_sizes(items.iter().map(|item| (item.path.as_str(), item.size)), holds)
    }

    fn of_sizes<'a>(
        sizes: impl Iterator<Item = (&'a str, f64)> + Clone,
        holds: f64,
    ) -> Option<Self> {
        let bytes = sizes.clone().map(|(_, size)| size).sum();
        let index = sizes.clone().map(|(path, size)| size * factor(path)).sum();
        if index <= holds {
            return None;
        }
        let files = sizes.clone().count();
        let what = match sizes.clone().next() {
            Some((path, _)) if files == 1 => path.to_owned(),
            _ => format!("{} files", crate::platform::whole(count(files))),
        };
        Some(Self { what, is_one: files == 1, bytes, index, holds })
    }

    /// The sizes in one sentence, with what this tab can hold.
    pub(crate) fn says(&self) -> String {
        let (is, its) = if self.is_one { ("is", "its") } else { ("are", "their") };
        format!(
            "{} {is} {}; {its} index needs about {} and this tab can hold about {}.",
            self.what,
            format::bytes(self.bytes),
            format::bytes(self.index),
            format::bytes(self.holds),
        )
    }
}

fn factor(path: &str) -> f64 {
    let name = path.to_ascii_lowercase();
    let is_packed = PACKED_ENDINGS.iter().any(|ending| name.ends_with(ending));
    if is_packed { INDEX_SHARE * PACKED } else { INDEX_SHARE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::TAB_HOLDS;

    const GIB: f64 = 1_073_741_824.0;

    fn predict(sizes: &[(&str, f64)]) -> Option<String> {
        Prediction::of_sizes(sizes.iter().copied(), TAB_HOLDS).map(|found| found.says())
    }

    #[test]
    fn what_fits_is_not_asked_about() {
        assert_eq!(predict(&[("a.jsonl", 8.0 * GIB)]), None);
        assert_eq!(predict(&[("a.jsonl.gz", GIB)]), None);
        assert_eq!(predict(&[("a.jsonl", 8.0 * GIB - 1.0), ("b.jsonl", 1.0)]), None);
    }

    #[test]
    fn what_does_not_fit_is_said_with_the_amounts() {
        assert_eq!(
            predict(&[("trace.jsonl", 14e9)]).as_deref(),
            Some(
                "trace.jsonl is 14 GB; its index needs about 3.5 GB and this tab can hold about 2.1 GB."
            )
        );
        assert_eq!(
            predict(&[("a.ZIP", GIB), ("b.jsonl", GIB)]).as_deref(),
            Some(
                "2 files are 2.1 GB; their index needs about 2.4 GB and this tab can hold about 2.1 GB."
            )
        );
    }
}
