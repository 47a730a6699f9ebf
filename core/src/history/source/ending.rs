//! What became of a source, reported when it ends.

use super::Tally;
use crate::format::FormatId;
use crate::format::names::other_kind;
use crate::model::finding::{Finding, Severity};
use crate::source::framing::Framing;
use crate::source::position::Position;

impl Tally {
    /// What kind of file its name says, if no record was read: its first bytes only look like JSON or YAML.
    pub(super) fn other_kind(&self) -> Option<&'static str> {
        other_kind(&self.path).filter(|_| self.got.kept == 0 && self.got.skipped > 0)
    }

    /// Removes findings about JSON or YAML if its name says that it is neither.
    fn take_back(&mut self, bytes: u64) {
        let Some(kind) = self.other_kind() else { return };
        let is_syntax = |finding: &Finding| {
            ["json/", "jsonl/", "yaml/"].iter().any(|area| finding.rule.starts_with(area))
        };
        self.got.findings = self.got.findings.without(is_syntax);
        let says_why = |rule: &str| rule.starts_with("source/") || rule.starts_with("size/");
        let left = self.got.findings.without(|finding| !says_why(&finding.rule));
        if left.len() == 0 {
            self.reason = None;
            self.got.unknown = Some((Position::START, kind.to_owned()));
            self.got.skipped = 0;
            self.got.skips.clear();
            self.skip(Position::START, bytes);
        }
    }

    /// Says what became of the source as a whole.
    pub(super) fn conclude(&mut self, bytes: u64, framing: Option<Framing>, expected: &[FormatId]) {
        self.take_back(bytes);
        if let Some(chosen) = self.format() {
            let rivals: Vec<_> = self.sample.rivals(chosen).map(FormatId::as_str).collect();
            if !expected.is_empty() && !expected.contains(&chosen) {
                let expected: Vec<_> = expected.iter().map(|id| id.as_str()).collect();
                let (chosen, expected) = (chosen.as_str(), expected.join(" or "));
                self.find(
                    Finding::new(
                        "sniff/name-mismatch",
                        Severity::Info,
                        format!("The file name is typical of {expected}, but the content is {chosen}. The content is used."),
                    ),
                    Position::START,
                );
            }
            if !rivals.is_empty() {
                let (chosen, rivals) = (chosen.as_str(), rivals.join(", "));
                self.find(
                    Finding::new(
                        "sniff/ambiguous",
                        Severity::Info,
                        format!("The same number of records match {chosen} and {rivals}. {chosen} is used."),
                    ),
                    Position::START,
                );
            }
        }
        if let Some((place, nearest)) = self.got.unknown.take() {
            let is_near = nearest.starts_with("Nearest formats");
            let nearest_said = format!("{}{nearest}", if is_near { ". " } else { ": " });
            let what = match (self.got.kept, self.got.unknown_count) {
                (0, _) => "The file is not in a known format".to_owned(),
                (_, 1) => "A record is not in a known format".to_owned(),
                (_, n) => format!("{n} records are not in a known format, the first one here"),
            };
            self.find(
                Finding::new("source/unknown", Severity::Info, format!("{what}{nearest_said}."))
                    .hint("It is listed, and its text can be viewed."),
                place,
            );
            if self.got.kept == 0 && self.reason.is_none() {
                self.reason = Some(match nearest.strip_prefix("Nearest formats: ") {
                    Some(nearest) => {
                        format!("it is not in a known format; nearest: {nearest}")
                    }
                    None => nearest,
                });
            }
        }
        if self.got.kept == 0 && self.got.skipped == 0 && self.reason.is_none() {
            let what =
                if bytes == 0 { "The file is empty." } else { "The file contains no record." };
            self.find(Finding::new("source/empty", Severity::Info, what), Position::START);
        }
        if self.got.kept == 0 && self.got.skipped > 0 && self.reason.is_none() {
            let as_what = framing.map_or("text", Framing::as_str);
            self.reason =
                Some(format!("no record could be read (as {as_what}); the findings say why"));
        }
    }
}
