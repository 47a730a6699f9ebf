//! One run and one iteration in full, and the list of sources.

use hindscope::{
    BaseProvenance, Details, Headline, IterationView, Origin, Outcome, RunId, RunVerdict,
    SourceView, Span, WindowView,
};
use serde::{Deserialize, Serialize};

use super::columns::Floats;
use super::{FindingRow, OUTCOMES, RunAddress, RunRow};

/// A row of the list of sources.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SourceRow {
    pub(crate) view: SourceView,
    /// Position of the file that was opened for it, and the path of that: an archive has many sources.
    pub(crate) file: Option<(u32, String)>,
    /// Its most severe findings, three at most.
    pub(crate) worst: Vec<FindingRow>,
    pub(crate) findings: u32,
}

/// Everything that the chart and the list of iterations need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunBody {
    pub(crate) row: RunRow,
    pub(crate) columns: Columns,
    /// Where it was stuck, and how it ended.
    pub(crate) verdict: RunVerdict,
    /// Its actions stand in logs of their own.
    pub(crate) has_log: bool,
    /// Runs before and after it in the list as it was filtered and sorted.
    pub(crate) previous: Option<RunAddress>,
    pub(crate) next: Option<RunAddress>,
    /// Position in that list, from 1, and its length.
    pub(crate) position: Option<(u32, u32)>,
    /// Path and digest of the file in which it begins.
    pub(crate) path: String,
    pub(crate) digest: Option<String>,
}

/// One value per iteration; NaN where there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Columns {
    pub(crate) numbers: Floats,
    pub(crate) rewards: Floats,
    pub(crate) deltas: Floats,
    /// Iterations without reward that the delta spans.
    pub(crate) gaps: Floats,
    pub(crate) errors: Floats,
    pub(crate) reflections: Floats,
    pub(crate) findings: Floats,
    /// The change as the record states it, where it differs from ours.
    pub(crate) stored: Floats,
    /// Records that speak of the same number.
    pub(crate) merged: Floats,
    /// A letter each, as `Outcome::letter` gives them.
    pub(crate) outcomes: String,
}

impl Columns {
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Number as written.
    #[expect(clippy::cast_possible_truncation, reason = "it was an i64 before it crossed")]
    pub(crate) fn number(&self, ordinal: usize) -> Option<i64> {
        self.numbers.get(ordinal).map(|number| number as i64)
    }

    /// Position of a number; of equal ones the first.
    pub(crate) fn ordinal(&self, number: i64) -> Option<usize> {
        (0..self.len()).find(|at| self.number(*at) == Some(number))
    }

    pub(crate) fn outcome(&self, ordinal: usize) -> Outcome {
        self.outcomes
            .as_bytes()
            .get(ordinal)
            .map_or(Outcome::Unknown, |letter| outcome_of(char::from(*letter)))
    }
}

/// The outcome that a letter of [`Outcome::letter`] stands for.
pub(crate) fn outcome_of(letter: char) -> Outcome {
    let known = OUTCOMES.into_iter().find(|outcome| outcome.letter() == letter);
    known.unwrap_or(Outcome::Unknown)
}

/// One iteration in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct IterationBody {
    pub(crate) run: RunId,
    pub(crate) view: IterationView,
    /// Where the rewards of the run come from, and the rule that derived them.
    pub(crate) origin: (Origin, Option<String>),
    /// What is said of it first.
    pub(crate) headline: Headline,
    /// What could be seen when it began, for the window as recorded or assumed.
    pub(crate) window: Option<WindowView>,
    /// The leading record first.
    pub(crate) records: Vec<RecordBody>,
    pub(crate) findings: Vec<FindingRow>,
    /// Bytes at the ends of long texts that did not come.
    pub(crate) shortened: u32,
    /// Number that the first attempt of the run has, and where that is from.
    pub(crate) base: (u8, BaseProvenance),
    /// What several records of the iteration say differently.
    pub(crate) conflicts: Vec<Conflict>,
}

/// One record of an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordBody {
    pub(crate) span: Option<Span>,
    /// Line and column after its last character, from 1.
    pub(crate) end: Option<(u32, u32)>,
    pub(crate) details: Option<Details>,
    pub(crate) raw: Option<RawText>,
    /// Why the file could not be read again.
    pub(crate) problem: Option<String>,
}

/// A value that the records of one iteration state differently (`merge/conflict`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Conflict {
    pub(crate) name: String,
    /// One for each record that states it, the leading one first.
    pub(crate) values: Vec<ConflictValue>,
}

/// What one record says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConflictValue {
    /// `path:line:column`
    pub(crate) place: String,
    pub(crate) text: String,
}

/// Text of a record, perhaps not all of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RawText {
    pub(crate) head: String,
    /// The end, for texts too long to be shown whole.
    pub(crate) tail: String,
    /// Bytes between the two.
    pub(crate) hidden: u32,
}
