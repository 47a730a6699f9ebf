//! The answers of a [`History`](crate::History): flat rows, the same in Rust, JSON and WIT.
//!
//! Absent is absent: a member that is not known is left out, never 0 or "".

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::id::{GroupId, RecordId, RunId, SourceId};
use super::omega::{OmegaProvenance, Policy};
use super::outcome::Outcome;
use super::reward::{Origin, Scale};
use crate::labels::labels;
use crate::model::finding::Finding;

labels! {
    /// How far reading a source has come.
    SourceState {
        /// Slices may still come.
        Reading = "reading",
        /// Records were found.
        Read = "read",
        /// Text without a known format: shown as it is.
        Raw = "raw",
        /// Not interpreted; the `reason` of the source says why.
        Refused = "refused",
    }
}

labels! {
    /// How the records of a source are set apart.
    pub Framing {
        /// One JSON document.
        Json = "json",
        /// The elements of a JSON array.
        JsonArray = "json-array",
        /// A JSON document on each line.
        Jsonl = "jsonl",
        /// YAML documents.
        Yaml = "yaml",
        /// The rows of a table.
        Csv = "csv",
        /// The sections of a Markdown document.
        Markdown = "markdown",
        /// Not at all: it is text.
        Text = "text",
    }

    /// How text is encoded.
    pub Encoding {
        /// UTF-8.
        Utf8 = "utf-8",
        /// UTF-16, the low byte first.
        Utf16le = "utf-16le",
        /// UTF-16, the high byte first.
        Utf16be = "utf-16be",
    }

    /// Who says which number a run begins with.
    pub BaseProvenance {
        /// The format, or the record itself.
        Declared = "declared",
        /// The numbers that there are.
        Evidence = "evidence",
        /// No record: it is usual for the format.
        Assumed = "assumed",
    }
}

/// One opened file.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceView {
    /// Its id.
    pub id: SourceId,
    /// Name with its folders, `/` between them, as the host gave it.
    pub path: String,
    /// Format id, once recognised.
    pub format: Option<String>,
    /// Why this format was chosen: which test how many of its first records pass.
    pub why: Option<String>,
    /// How its records are set apart, once known.
    pub framing: Option<Framing>,
    /// How its text is encoded.
    pub encoding: Encoding,
    /// Bytes read so far.
    pub bytes: u64,
    /// XXH3 64 of its bytes as they were handed in, seed 0, as 16 lower-case hex digits. Absent
    /// while it is read, and where its end was not reached. Of a source out of an export, that of the
    /// file that it was exported from.
    pub digest: Option<String>,
    /// How far reading has come.
    pub state: SourceState,
    /// Why it is raw or refused.
    pub reason: Option<String>,
    /// Records that can be used, repaired ones included.
    pub kept: u32,
    /// Records among them that had to be repaired first.
    pub repaired: u32,
    /// Records that could not be read, each with a finding.
    pub skipped: u32,
}

/// What was given, added up over all sources.
///
/// Every record that framing brought up is kept or skipped, never both and never neither; each
/// source is read, raw or refused. [`SourceView`] has the same numbers for each source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Added {
    /// Sources that were opened.
    pub sources: u32,
    /// Records that can be used, repaired ones included.
    pub kept: u64,
    /// Records among the kept ones that had to be repaired first.
    pub repaired: u64,
    /// Records that could not be read or are of no known format; findings say where.
    pub skipped: u64,
    /// Sources among them that are refused: their bytes are not interpreted.
    pub refused: u32,
    /// Bytes read, of all sources.
    pub bytes: u64,
}

impl Added {
    /// What one source adds: its state, its bytes, and how many records it kept, repaired and skipped.
    pub(crate) fn source(&mut self, state: SourceState, bytes: u64, records: [u32; 3]) {
        let [kept, repaired, skipped] = records.map(u64::from);
        self.sources += 1;
        self.kept += kept;
        self.repaired += repaired;
        self.skipped += skipped;
        self.refused += u32::from(state == SourceState::Refused);
        self.bytes += bytes;
    }
}

/// Where a record stands in its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// The record.
    pub record: RecordId,
    /// Its source.
    pub source: SourceId,
    /// Path of the source.
    pub path: String,
    /// First byte, from 0, in the source as stored.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Column of the first byte, from 1, in UTF-16 code units.
    pub column: u32,
}

/// A stretch of a source whose record could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// First byte, from 0, in the source as stored.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Column of the first byte, from 1, in UTF-16 code units.
    pub column: u32,
}

/// One row of the list of runs.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Its id. Ids of runs may change when more is opened.
    pub id: RunId,
    /// Experiment or folder that it belongs to.
    pub group: GroupId,
    /// Key within its group: loop id, task id or name, after folders where other runs have the same one.
    pub key: String,
    /// Task description, if one is known without reading the record again.
    pub task: Option<String>,
    /// Format of its leading record.
    pub format: String,
    /// How it ended: as a record says of the run, else as its last iteration did.
    pub outcome: Outcome,
    /// The finer word, such as `own tests unknown`.
    pub outcome_detail: Option<String>,
    /// Where its attempts say otherwise: `succeeded at 4, ended in failure`.
    pub outcome_note: Option<String>,
    /// Its status, as a record writes it.
    pub status: Option<String>,
    /// Start, in milliseconds since 1970-01-01T00:00:00Z, where a record says it.
    pub start_ms: Option<f64>,
    /// End, likewise.
    pub end_ms: Option<f64>,
    /// Attempts that the loop itself counted; there may be records of fewer.
    pub counter: Option<i64>,
    /// Most attempts that it allowed itself.
    pub max_iterations: Option<i64>,
    /// Other ids of the same run (`group/alias`).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub aliases: Vec<String>,
    /// Lessons that belong to no single attempt.
    pub lessons: u32,
    /// Reward of the run as a whole, 0..1, where a record states one or one can be derived.
    pub reward: Option<f64>,
    /// Iterations with an own attempt; carried ones do not count.
    pub iterations: u32,
    /// Number that the first attempt has: 0 or 1.
    pub base: u8,
    /// Where `base` comes from.
    pub base_provenance: BaseProvenance,
    /// Ordinal of the first success.
    pub first_success: Option<u32>,
    /// Its number, as written.
    pub first_success_number: Option<i64>,
    /// Highest reward, 0..1, earliest on ties (`best/*`).
    pub best: Option<f64>,
    /// Number of the iteration that has it.
    pub best_number: Option<i64>,
    /// Reward of the last iteration that has one, 0..1.
    pub last: Option<f64>,
    /// Where its rewards come from.
    pub reward_origin: Origin,
    /// Rule that derived them.
    pub reward_rule: Option<String>,
    /// Reflections written in it.
    pub reflections: u32,
    /// Findings about it.
    pub findings: u32,
    /// Outcome letters of its first 60 iterations, in order: `P ~ F > A - ?`.
    pub trend: String,
    /// Ω recorded or assumed at its last iteration; absent: unbounded.
    pub omega: Option<u8>,
    /// Where `omega` comes from: it is recorded or assumed.
    pub omega_provenance: OmegaProvenance,
}

/// A reflection by its place: record, and position inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReflectionRef {
    /// Number of the iteration that wrote it.
    pub number: i64,
    /// Ordinal of that iteration.
    pub ordinal: u32,
    /// The record that holds its text.
    pub record: RecordId,
    /// Position among the reflections of that record.
    pub part: u32,
}

/// Deltas as a record states them.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredDeltas {
    /// Its `reward_change`.
    pub reward_change: Option<f64>,
    /// Its `error_count_change`.
    pub error_count_change: Option<i64>,
    /// Its `is_improvement`.
    pub is_improvement: Option<bool>,
}

/// One attempt of a run.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IterationView {
    /// Position in the run, from 0.
    pub ordinal: u32,
    /// Number as written.
    pub number: i64,
    /// How it ended.
    pub outcome: Outcome,
    /// The finer word.
    pub outcome_detail: Option<String>,
    /// End, in milliseconds since 1970-01-01T00:00:00Z.
    pub time_ms: Option<f64>,
    /// Reward, 0..1.
    pub reward: Option<f64>,
    /// Change against the nearest earlier rewarded iteration (`delta/reward`).
    pub delta: Option<f64>,
    /// Iterations without reward that the change spans.
    pub delta_gap: u32,
    /// Errors of severity error.
    pub errors: Option<u32>,
    /// Change of that count (`delta/errors`).
    pub error_delta: Option<i64>,
    /// Whether it improved on the attempt before (`delta/is-improvement`).
    pub is_improvement: Option<bool>,
    /// What the record itself says of its deltas.
    pub stored: Option<StoredDeltas>,
    /// The leading record.
    pub record: RecordId,
    /// Which iteration of that record, for records that hold several.
    pub part: u32,
    /// All records of this number, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub merged: Vec<RecordId>,
    /// Reflections written in it.
    pub reflections: Vec<ReflectionRef>,
    /// Findings about it.
    pub findings: u32,
}

/// The columns of a run, one element per iteration in order of ordinals. Absent is NaN.
#[derive(Clone, Debug, PartialEq)]
pub struct RunColumns<'a> {
    /// Numbers as written.
    pub numbers: &'a [i64],
    /// Rewards 0..1; NaN where there is none.
    pub rewards: &'a [f64],
    /// Changes of reward; NaN where there is none.
    pub deltas: &'a [f64],
    /// Error counts; NaN where unknown.
    pub errors: &'a [f64],
    /// Outcomes.
    pub outcomes: &'a [Outcome],
    /// Milliseconds since 1970; NaN where unknown.
    pub times_ms: &'a [f64],
}

/// Runs of one experiment or folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupView {
    /// Its id.
    pub id: GroupId,
    /// Folder, or file.
    pub label: String,
    /// Format of its runs.
    pub format: String,
    /// Runs in it.
    pub runs: u32,
    /// Those that say how any of their attempts ended.
    pub judged: u32,
    /// Reflections in all of them.
    pub reflections: u32,
    /// Numbers of the attempts that any run made, ascending. A number that no run has is no
    /// attempt: a missing file leaves a gap here. A tree search is one attempt.
    pub numbers: Vec<i64>,
    /// Runs solved at or before each of `numbers`, carried ones included
    /// (`aggregate/solved-after`). Empty when no run has an outcome.
    pub solved_after: Vec<u32>,
    /// Runs that had an attempt of their own at each of `numbers`.
    pub attempted: Vec<u32>,
}

/// What an agent could still read when an iteration began.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowView {
    /// Number of the iteration that begins.
    pub at: i64,
    /// Ω; absent: unbounded.
    pub omega: Option<u8>,
    /// Where `omega` comes from.
    pub omega_provenance: OmegaProvenance,
    /// Policy.
    pub policy: Policy,
    /// Reflections in context, oldest first.
    pub held: Vec<ReflectionRef>,
    /// Written earlier and pushed out, oldest first.
    pub evicted: Vec<ReflectionRef>,
    /// Reflections written at or after `at`.
    pub later: u32,
    /// Within Ω and beyond the token budget, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub dropped: Vec<ReflectionRef>,
    /// Relevance of each in `held`, from 0; there is none for other policies than `relevance_weighted`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub scores: Vec<f64>,
    /// Tokens of `held`, estimated where the host did not count, if there is a budget.
    pub tokens: Option<u32>,
    /// Earlier reflections whose texts the rule asks for and that are not read yet.
    pub unread: u32,
    /// What there is to say about the choice: `window/no-relevance`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<Finding>,
}

/// A reward with where it came from.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RewardView {
    /// Value, 0..1.
    pub value: f64,
    /// As written.
    pub raw: Option<String>,
    /// Scale of the written form.
    pub scale: Scale,
    /// Reported or derived.
    pub origin: Origin,
    /// Rule that derived it.
    pub rule: Option<String>,
}

impl RewardView {
    /// One that a record states.
    pub(crate) fn reported(value: f64, raw: Option<String>, scale: Scale) -> Self {
        Self { value, raw, scale, origin: Origin::Reported, rule: None }
    }

    /// One that a rule makes of other members.
    pub(crate) fn derived(value: f64, scale: Scale, rule: &str) -> Self {
        Self { value, raw: None, scale, origin: Origin::Derived, rule: Some(rule.to_owned()) }
    }

    /// As the record spells it, where that is no other spelling of the value: `62/100`, `55`.
    pub fn written(&self) -> Option<String> {
        self.raw.clone().filter(|raw| raw.trim().parse() != Ok(self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_of_the_value_itself_says_nothing_new() {
        let of = |raw: &str| {
            let reward = RewardView {
                value: 0.5,
                raw: Some(raw.to_owned()),
                scale: Scale::Unit,
                origin: Origin::Reported,
                rule: None,
            };
            reward.written()
        };
        assert_eq!((of("0.5"), of("0.50")), (None, None));
        assert_eq!(of("50/100").as_deref(), Some("50/100"));
        assert_eq!(of("0.5000000001").as_deref(), Some("0.5000000001"));
    }
}
