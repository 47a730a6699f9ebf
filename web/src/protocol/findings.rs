//! Findings, and what of the files was lost.

use hindscope::{Severity, SourceId, SourceView};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{Page, RunAddress};

/// A finding with the names of what it points at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FindingRow {
    pub(crate) rule: String,
    pub(crate) level: Severity,
    pub(crate) source: Option<SourceId>,
    pub(crate) path: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
    pub(crate) offset: Option<u64>,
    pub(crate) pointer: Option<String>,
    pub(crate) run: Option<RunAddress>,
    pub(crate) iteration: Option<i64>,
    pub(crate) expected: Option<String>,
    pub(crate) found: Option<String>,
    /// Numbers of the iterations that it is drawn from, the first of them.
    pub(crate) evidence: Vec<i64>,
    /// How many there are.
    pub(crate) evidence_count: u32,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

labels! {
    /// What findings are about.
    pub(crate) enum FindingKind {
        /// What a run did: it was stuck, fell back, or ran out.
        Run,
        /// What is wrong with a file or its records.
        File,
    }
}

labels! {
    /// What findings are put together by.
    pub(crate) enum FindingsBy {
        Rule,
        Run,
        Source,
    }
}

/// Which findings, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FindingChoice {
    pub(crate) level: Option<Severity>,
    pub(crate) kind: Option<FindingKind>,
    pub(crate) rule: Option<String>,
    pub(crate) run: Option<RunAddress>,
    pub(crate) source: Option<String>,
    pub(crate) text: String,
    /// Rules that are left out.
    pub(crate) muted: Vec<String>,
    pub(crate) grouped: Option<FindingsBy>,
    /// Groups whose findings are left out, by key.
    pub(crate) shut: Vec<String>,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FindingLine {
    Group(FindingGroup),
    Finding(Box<FindingRow>),
}

/// Findings of one rule, run or source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FindingGroup {
    /// Empty for findings that belong to none.
    pub(crate) key: String,
    pub(crate) label: String,
    /// Its most severe finding.
    pub(crate) level: Severity,
    pub(crate) count: u32,
    pub(crate) is_shut: bool,
}

/// How many runs were judged by the rules of insight, or looked at for their failure categories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) done: u32,
    pub(crate) total: u32,
    /// Runs that are left out: they are too long to be judged beside others, cannot be read, or come after
    /// the largest number of runs that are judged by all rules. Their own page judges them.
    pub(crate) left: u32,
}

impl Judged {
    /// Whether every run had its turn.
    pub(crate) fn is_complete(&self) -> bool {
        self.done + self.left >= self.total
    }
}

/// How many runs were checked for saying again what they said, and how many of them do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Repeats {
    pub(crate) checked: u32,
    /// Runs with a finding about repeated reflections.
    pub(crate) reflections: u32,
    /// Runs with a lesson that recurs.
    pub(crate) lessons: u32,
}

/// Findings, ordered by level, rule and place, and what the filters would leave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FindingsBody {
    /// Lines; `all` counts findings without any filter.
    pub(crate) page: Page<FindingLine>,
    /// Findings of the run that is asked for; all if none is.
    pub(crate) of_run: u32,
    /// Findings that the choice lets through, those of closed groups included.
    pub(crate) chosen: u32,
    /// Findings of insight among those of the run, or among all.
    pub(crate) insight: u32,
    /// Of all that pass the other filters: error, warning, info.
    pub(crate) levels: [u32; 3],
    /// Rules of all that pass the other filters, most severe first.
    pub(crate) rules: Vec<RuleCount>,
    /// Runs and sources of all that pass the other filters, as far as they can be listed.
    pub(crate) runs: Vec<NameCount<RunAddress>>,
    pub(crate) sources: Vec<NameCount<String>>,
    /// Findings that are left out because their rule is muted.
    pub(crate) muted: u32,
    /// Sources that lost or could not give records.
    pub(crate) damaged: u32,
    pub(crate) judged: Judged,
    pub(crate) repeats: Repeats,
    /// Why findings of insight are missing.
    pub(crate) problem: Option<String>,
}

/// A rule and how often it spoke.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RuleCount {
    pub(crate) rule: String,
    pub(crate) level: Severity,
    pub(crate) count: u32,
}

/// A run or source and how many findings it has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NameCount<T> {
    pub(crate) name: T,
    pub(crate) count: u32,
}

/// What findings are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FindingForm {
    Json,
    Csv,
}

/// A source that lost records, or could give none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DamageRow {
    pub(crate) view: SourceView,
    pub(crate) is_refused: bool,
}

/// What became of a part of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub(crate) enum DamageKind {
    Skipped,
    Repaired,
    Refused,
}

/// A part of a source that was skipped, repaired or refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DamagePart {
    pub(crate) kind: DamageKind,
    /// Its first byte and the one after its last, where it is a stretch of its own.
    pub(crate) stretch: Option<(u64, u64)>,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
    /// The byte that was met last when reading failed.
    pub(crate) offset: Option<u64>,
    pub(crate) rule: Option<String>,
    pub(crate) reason: String,
}

/// Some bytes of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BytesBody {
    /// Offset of the first one.
    pub(crate) start: u64,
    pub(crate) bytes: Vec<u8>,
    /// Bytes of the whole source.
    pub(crate) size: u64,
}

#[cfg(test)]
impl FindingRow {
    /// A line that is no JSON.
    pub(crate) fn sample() -> Self {
        Self {
            rule: "jsonl/bad-line".to_owned(),
            level: Severity::Error,
            source: Some(SourceId(0)),
            path: Some("a.jsonl".to_owned()),
            line: Some(412),
            column: Some(88),
            offset: Some(9),
            pointer: None,
            run: None,
            iteration: None,
            expected: None,
            found: None,
            evidence: Vec::new(),
            evidence_count: 0,
            message: "Expected a comma.".to_owned(),
            hint: None,
        }
    }
}
