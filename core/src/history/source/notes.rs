//! What framing tolerates, in words.

use super::{Tally, place_of};
use crate::model::finding::{Finding, Severity};
use crate::source::place::Place;

impl Tally {
    /// Takes a finding about a place.
    pub(super) fn find(&mut self, finding: Finding, place: Place) {
        let mut finding = place_of(finding, place);
        finding.source = Some(self.id);
        self.got.findings.push(finding);
    }

    /// A tolerance of the framing, or of the source as a whole.
    pub(super) fn note(&mut self, rule: &'static str, place: Place) {
        let (severity, message, hint) = match rule {
            "text/bom" if place.offset == 0 => {
                (Severity::Info, "The file begins with a byte order mark; it is skipped.", None)
            }
            "text/bom" => (
                Severity::Info,
                "A byte order mark stands inside the file; it is skipped.",
                Some("Files that were joined leave one behind."),
            ),
            "text/conflict-marker" => (
                Severity::Error,
                "A line of an unresolved conflict stands here; both sides are read, each by itself.",
                Some("Resolve the conflict, and keep one side."),
            ),
            "json/string-document" => {
                self.is_quoted = true;
                (
                    Severity::Info,
                    "The file is one JSON string; its text is read.",
                    Some("Write the text itself."),
                )
            }
            "text/utf16" => (
                Severity::Info,
                "The file is UTF-16; it is decoded.",
                Some("UTF-8 takes half the space."),
            ),
            "text/invalid-utf8" => (
                Severity::Warning,
                "The file ends in the middle of a UTF-16 unit; its last byte is left out.",
                Some("The writer was probably stopped while writing."),
            ),
            "json/concatenated" => (
                Severity::Info,
                "Several JSON values stand one after another; each is read as a record.",
                Some("JSON Lines puts each on a line of its own."),
            ),
            "json/trailing-comma" => (
                Severity::Warning,
                "A comma stands before the closing bracket; it is ignored.",
                Some("Remove it."),
            ),
            "json/fence" => (
                Severity::Info,
                "A Markdown code fence stands around the file; it is taken off.",
                None,
            ),
            "json/leading-text" => (
                Severity::Warning,
                "Text stands before the first value; it is skipped.",
                Some("Captured output often begins with a line for people."),
            ),
            "json/truncated" => (
                Severity::Warning,
                if self.is_quoted {
                    "The file ends inside the string; what was complete is kept."
                } else {
                    "The file ends inside the array; what was complete is kept."
                },
                Some("The writer was probably stopped while writing."),
            ),
            _ => (
                Severity::Error,
                "A comma between two items is missing; both are read.",
                Some("Put a comma between them."),
            ),
        };
        let mut finding = Finding::new(rule, severity, message);
        if let Some(hint) = hint {
            finding = finding.hint(hint);
        }
        self.find(finding, place);
    }
}
