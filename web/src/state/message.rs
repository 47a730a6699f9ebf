//! What is said about opening, and the details that a report about it needs.

use std::fmt::Write as _;

use crate::format::{self, counted, noun};
use crate::platform::{self, FileHandle, Found};
use crate::protocol::{Ended, Progress, Summary, count, float};

/// What is said, with a stable code for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) code: &'static str,
    pub(crate) text: String,
    /// The file it is about.
    pub(crate) place: Option<String>,
}

impl Message {
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), place: None }
    }

    /// Code, version and place: no content.
    pub(crate) fn details(&self) -> String {
        let mut details = format!("hindscope {}\ncode: {}", env!("CARGO_PKG_VERSION"), self.code);
        if let Some(place) = &self.place {
            let _ = write!(details, "\nplace: {place}");
        }
        details
    }
}

/// The question whether to open what another page offers.
pub(crate) fn offered(origin: &str, found: &Found) -> String {
    let files = count(found.items.len());
    let bytes = found.items.iter().filter_map(|item| item.handle.as_ref()).map(FileHandle::size);
    offered_sizes(origin, files, bytes.sum())
}

fn offered_sizes(origin: &str, files: u32, bytes: u64) -> String {
    let who = if origin == "null" { "A page without an address" } else { origin };
    let it = if files == 1 { ("it", "It stays") } else { ("them", "They stay") };
    format!(
        "{who} offers {} ({}). Open {}? {} in this tab.",
        counted(files, "file"),
        format::bytes(float(bytes)),
        it.0,
        it.1,
    )
}

/// Why reading ended before the files did.
pub(crate) fn ended(summary: &Summary, last: &Progress) -> Option<Message> {
    let records = counted(summary.new_records, "record");
    let (code, mut text) = match summary.ended? {
        Ended::Cancelled => {
            ("cancelled", "Reading was cancelled. What was read is kept and shown.".to_owned())
        }
        Ended::Records => (
            "first-records",
            format!("Reading ended after the first {records}, as asked. The rest was not read."),
        ),
        Ended::Memory => (
            "memory-limit",
            format!(
                "Reading stopped at {records}: no memory left. What was indexed is still here."
            ),
        ),
    };
    if summary.unread > 0 {
        let noun = noun(u64::from(summary.unread), "file");
        let _ = write!(text, " {} more {noun} not begun.", platform::whole(summary.unread));
    }
    let place = Some(last.path.clone()).filter(|path| !path.is_empty());
    Some(Message { code, text, place })
}

/// The worker is gone: by a bug that it could name, or without a word.
pub(crate) fn lost(reason: &str, progress: &Progress) -> Message {
    let place = Some(progress.path.clone()).filter(|path| !path.is_empty());
    if !reason.is_empty() {
        let text = format!(
            "The reader met a bug and stopped. {reason} What was indexed is lost; your files are as they were."
        );
        return Message { code: "reader-bug", text, place };
    }
    let at = if progress.files_total == 0 {
        String::new()
    } else {
        format!(
            " at {}, after {} of {}",
            counted(progress.records, "record"),
            format::bytes(progress.bytes_read),
            format::bytes(progress.bytes_total),
        )
    };
    let text = format!(
        "The reader stopped{at}: the browser gave it no more memory, or ended it. What was indexed is lost; your files are as they were. Open fewer files, or the first records of them."
    );
    Message { code: "reader-lost", text, place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_name_who_and_how_much() {
        assert_eq!(
            offered_sizes("https://ci.example", 2, 1_400_000),
            "https://ci.example offers 2 files (1.4 MB). Open them? They stay in this tab."
        );
        assert_eq!(
            offered_sizes("null", 1, 12),
            "A page without an address offers 1 file (12 bytes). Open it? It stays in this tab."
        );
    }

    #[test]
    fn an_early_end_is_said_with_its_reason() {
        let last = Progress { path: "a.jsonl".to_owned(), ..Progress::default() };
        let of = |ended, unread| {
            let summary =
                Summary { ended: Some(ended), unread, new_records: 812_000, ..Summary::default() };
            super::ended(&summary, &last).expect("it ended early")
        };
        let memory = of(Ended::Memory, 0);
        assert_eq!(
            memory.text,
            "Reading stopped at 812,000 records: no memory left. What was indexed is still here."
        );
        let version = env!("CARGO_PKG_VERSION");
        let details = format!("hindscope {version}\ncode: memory-limit\nplace: a.jsonl");
        assert_eq!(memory.details(), details);
        assert_eq!(
            of(Ended::Cancelled, 3).text,
            "Reading was cancelled. What was read is kept and shown. 3 more files not begun."
        );
        assert_eq!(
            of(Ended::Records, 0).text,
            "Reading ended after the first 812,000 records, as asked. The rest was not read."
        );
        assert_eq!(ended(&Summary::default(), &last), None);
    }

    #[test]
    fn a_lost_reader_says_how_far_it_came() {
        let progress = Progress {
            files_total: 1,
            records: 9,
            bytes_read: 3e6,
            bytes_total: 9e6,
            ..Progress::default()
        };
        let text = lost("", &progress).text;
        assert!(
            text.starts_with("The reader stopped at 9 records, after 3.0 MB of 9.0 MB: "),
            "{text}"
        );
        assert_eq!(lost("index out of bounds", &progress).code, "reader-bug");
    }
}
