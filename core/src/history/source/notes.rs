//! What framing tolerates, in words.

use super::{Tally, place_of};
use crate::model::finding::{Finding, Severity};
use crate::source::position::Position;

impl Tally {
    /// Takes a finding about a place.
    pub(super) fn find(&mut self, finding: Finding, place: Position) {
        let mut finding = place_of(finding, place);
        finding.source = Some(self.id);
        self.got.findings.push(finding);
    }

    /// A tolerance of the framing, or of the source as a whole.
    pub(super) fn note(&mut self, rule: &'static str, place: Position) {
        let (severity, message, hint) = match rule {
            "text/bom" if place.offset == 0 => {
                (Severity::Info, "The file starts with a byte order mark. It is ignored.", None)
            }
            "text/bom" => (
                Severity::Info,
                "There is a byte order mark inside the file. It is ignored.",
                Some("This happens when files are joined."),
            ),
            "text/conflict-marker" => (
                Severity::Error,
                "The file contains an unresolved merge conflict. Both sides are read. Records of the second side are in a group of their own.",
                Some("Resolve the conflict."),
            ),
            "json/string-document" => {
                self.is_quoted = true;
                (
                    Severity::Info,
                    "The file is one JSON string. The content of the string is read.",
                    Some("Write the content without the quotes around it."),
                )
            }
            "text/utf16" => (
                Severity::Info,
                "The file is encoded in UTF-16. It is decoded.",
                Some("UTF-8 usually needs half the space."),
            ),
            "text/invalid-utf8" => (
                Severity::Warning,
                "The file ends in the middle of a UTF-16 unit. Its last byte is ignored.",
                Some("The program that wrote the file was probably stopped."),
            ),
            "json/concatenated" => (
                Severity::Info,
                "Several JSON values follow each other. Each is read as a record.",
                Some("JSON Lines has each value on its own line."),
            ),
            "json/trailing-comma" => (
                Severity::Warning,
                "There is a comma before the closing bracket. It is ignored.",
                Some("Remove it."),
            ),
            "json/fence" => (
                Severity::Info,
                "The file is wrapped in a Markdown code fence. The fence is ignored.",
                None,
            ),
            "json/leading-text" => (
                Severity::Warning,
                "There is text before the first value. It is skipped.",
                Some("Captured output often starts with a message."),
            ),
            "json/truncated" => (
                Severity::Warning,
                if self.is_quoted {
                    "The file ends inside the string. Everything before is read."
                } else {
                    "The file ends inside the array. Everything up to the last complete element is read."
                },
                Some("The program that wrote the file was probably stopped."),
            ),
            _ => (
                Severity::Error,
                "A comma between two items is missing. Both are read.",
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
