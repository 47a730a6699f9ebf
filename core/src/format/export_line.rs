//! A line of our own export: one record, and the file that it stood in (docs/spec/export.schema.json).
//!
//! A record is written as it stood there, and read again by the reader of its format. If the original may
//! not be written, the line holds the parsed fields instead (`runs`).

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::FormatId;
use super::extracted::{Extracted, Verification, Written};
use super::parsed_record::{ParsedRecord, ParsedRun};
use crate::json::write::from_base64;
use crate::model::datetime::moment_ms;
use crate::model::details::{Counter, Details};
use crate::model::omega::Policy;
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, Scale, count};
use crate::model::run_details::RunDetails;
use crate::source::container::export;
use crate::text;

/// A line of an export.
#[expect(clippy::struct_excessive_bools, reason = "each stands in the line by itself")]
#[skip_serializing_none]
#[expect(
    clippy::struct_field_names,
    reason = "the line that a record stood in is called so everywhere"
)]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line {
    pub(crate) hindscope: u32,
    /// The file that the record stood in. The first three members are in this order: an unpacker divides
    /// an export by them.
    pub(crate) path: String,
    /// Digest of that file.
    pub(crate) source: Option<String>,
    pub(crate) format: String,
    /// Position among the records of the file, and how many of them were read.
    pub(crate) index: u32,
    pub(crate) records: u32,
    /// Place of the first byte in the file.
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// It was an item of a list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) item: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) yaml: bool,
    /// The file ended inside of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) cut: bool,
    /// It stood on the second side of a conflict.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) theirs: bool,
    /// What stood around it in a text: the number of its trial, and the verdict of its section.
    pub(crate) number: Option<i64>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) outcome_detail: Option<String>,
    /// The record as it was written; its bytes in base64 if they are not valid UTF-8.
    pub(crate) raw: Option<String>,
    pub(crate) base64: Option<String>,
    /// What it says, where it is not there as it was written.
    pub(crate) runs: Option<Vec<Fields>>,
}

/// What a record says of one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Fields {
    #[serde(default)]
    pub(crate) about: RunDetails,
    #[serde(default)]
    pub(crate) iterations: Vec<Details>,
}

impl Line {
    /// An empty line for the record of a file.
    pub(crate) fn of(path: String, source: Option<String>, format: FormatId) -> Self {
        let format = format.as_str().to_owned();
        Self { hindscope: export::VERSION, path, source, format, ..Self::default() }
    }

    /// Reads a line. `None` if the text is not a line of an export.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let line: Self = serde_json::from_str(text).ok()?;
        (line.hindscope == export::VERSION).then_some(line)
    }

    /// The record as it was written, if it is there.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        let raw = self.raw.as_ref().map(|raw| raw.as_bytes().to_vec());
        raw.or_else(|| from_base64(self.base64.as_deref()?))
    }

    /// Whether it is there by its fields only.
    pub(crate) const fn is_lean(&self) -> bool {
        self.runs.is_some()
    }

    pub(crate) fn format_id(&self) -> Option<FormatId> {
        FormatId::named(&self.format)
    }

    /// The record by its fields.
    pub(crate) fn parsed(self) -> ParsedRecord {
        let run = |fields: Fields| ParsedRun { about: fields.about, steps: fields.iterations };
        ParsedRecord {
            runs: self.runs.into_iter().flatten().map(run).collect(),
            findings: Vec::new(),
        }
    }
}

impl Extracted {
    /// The columns of a record that is one attempt, of what it says.
    pub(crate) fn of(details: &Details) -> Self {
        let mut extracted = Self::default();
        extracted.key.clone_from(&details.key);
        extracted.task.clone_from(&details.task);
        extracted.outcome = details.outcome.map(|outcome| outcome.as_str().to_owned());
        extracted.reflections =
            details.reflections.iter().map(|r| text::hash_of(&r.text)).collect();
        let counter = |name: &str| Counter::find(&details.counters, name);
        let is_error = |severity: Option<&str>| !matches!(severity, Some("warning" | "info"));
        let errors = details.errors.iter().filter(|e| is_error(e.severity.as_deref())).count();
        let reported = details.reward.as_ref().filter(|reward| reward.origin == Origin::Reported);
        let said = &mut extracted.said;
        said.number = details.number;
        said.time_ms = details.time.as_deref().and_then(moment_ms);
        said.verification = details.verification.as_deref().and_then(Verification::named);
        said.reward = reported.map(|reward| match reward.scale {
            Scale::Percent => reward.value * 100.0,
            _ => reward.value,
        });
        said.errors = (!details.errors.is_empty()).then(|| count(errors));
        said.tests_passed = counter("tests_passed");
        said.tests_failed = counter("tests_failed");
        said.tests_total = counter("tests_total");
        said.lint_errors = counter("lint_errors");
        said.type_errors = counter("type_errors");
        if let Some(window) = &details.window {
            #[expect(clippy::cast_precision_loss, reason = "clamped to 0..=10")]
            let omega = window.omega.map(|omega| omega as f64);
            said.omega = omega;
            said.window_size = window.size;
            said.window_total = window.total;
            said.policy = window.policy.as_deref().and_then(Policy::named);
            let lists = [
                (&mut extracted.window, &window.after),
                (&mut extracted.injected, &window.injected),
            ];
            for (list, numbers) in lists {
                let Some(numbers) = numbers else { continue };
                for number in numbers {
                    list.push(*number);
                }
                list.end();
            }
        }
        if let Some(stored) = &details.stored {
            said.reward_change = stored.reward_change.map(Written::of_value);
            said.error_change = stored.error_count_change;
            said.is_improvement = stored.is_improvement;
        }
        extracted
    }
}
