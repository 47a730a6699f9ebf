//! Findings: problems in the input, and what else is worth knowing about it, as data.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use crate::labels::labels;
use crate::model::id::{RecordId, RunId, SourceId};

labels! {
    /// How much a [`Finding`] matters (docs/spec/rules.md, "Terms").
    Severity {
        /// Data is missing, unreadable or contradicts itself: a shown number may be wrong.
        Error = "error",
        /// Probably a mistake, or a loop in trouble.
        Warning = "warning",
        /// Worth knowing.
        Info = "info",
    }
}

/// One thing that a rule has to say, with its place.
///
/// Absent members are not known or do not apply; they are never filled with 0 or "".
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Id of the rule, `area/rule`.
    pub rule: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// The source that it is about.
    pub source: Option<SourceId>,
    /// The record that it is about.
    pub record: Option<RecordId>,
    /// The run that it is about.
    pub run: Option<RunId>,
    /// The iteration, by its number as written.
    pub iteration: Option<i64>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column, from 1, in UTF-16 code units.
    pub column: Option<u32>,
    /// Offset from the first byte of the source as stored.
    pub offset: Option<u64>,
    /// JSON pointer (RFC 6901) of the value inside its record.
    pub pointer: Option<String>,
    /// What the rule expects here, in a few words.
    pub expected: Option<String>,
    /// What stands here instead, shortened.
    pub found: Option<String>,
    /// The iterations that it is drawn from, for rules that look at several.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub evidence: Vec<Evidence>,
    /// What was found, in one or two sentences.
    pub message: String,
    /// What to do about it.
    pub hint: Option<Cow<'static, str>>,
}

/// Findings of one rule about one member of records: a history of 100,000 records may have a million
/// findings, and a few kinds of them.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FindingGroup {
    /// Id of the rule, `area/rule`.
    pub rule: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// JSON pointer of the values inside their records, with `*` for every place in a list.
    pub pointer: Option<String>,
    /// How many findings there are.
    pub count: u32,
    /// The first ones, three at most.
    pub first: Vec<Finding>,
}

/// An iteration that a finding is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The record that holds it.
    pub record: RecordId,
    /// Its number as written.
    pub number: i64,
}

/// Characters of a sentence. The name or the reason in it may come from a file, and be of any length.
const MOST_CHARS: usize = 500;

fn bounded(mut text: String) -> String {
    if text.len() > MOST_CHARS
        && let Some((at, _)) = text.char_indices().nth(MOST_CHARS)
    {
        text.truncate(at);
        text.push('…');
    }
    text
}

impl Finding {
    /// A finding without a place yet.
    pub(crate) fn new(
        rule: impl Into<Cow<'static, str>>,
        severity: Severity,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule: rule.into(),
            severity,
            source: None,
            record: None,
            run: None,
            iteration: None,
            line: None,
            column: None,
            offset: None,
            pointer: None,
            expected: None,
            found: None,
            evidence: Vec::new(),
            message: bounded(message.into()),
            hint: None,
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What a rule expects, and what stands there instead.
    pub(crate) fn contrast(
        mut self,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        self.expected = Some(bounded(expected.into()));
        self.found = Some(bounded(found.into()));
        self
    }

    pub(crate) fn evidence(mut self, evidence: Vec<Evidence>) -> Self {
        self.evidence = evidence;
        self
    }

    pub(crate) fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    pub(crate) fn of_run(mut self, run: RunId, iteration: Option<i64>) -> Self {
        self.run = Some(run);
        self.iteration = iteration;
        self
    }
}
