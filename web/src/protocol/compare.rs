//! Several runs beside each other.

use hindscope::{Comparison, RunId};
use serde::{Deserialize, Serialize};

use super::columns::Floats;
use super::{RunAddress, RunRow};

labels! {
    /// What stands below each other in all runs.
    #[derive(Default)]
    pub(crate) enum Align {
        /// First attempts.
        #[default]
        Attempt,
        /// Equal numbers, as written.
        Number,
        /// Last attempts.
        End,
    }
}

impl Align {
    /// Where an iteration stands.
    pub(crate) fn place(self, ordinal: usize, number: i64, len: usize) -> i64 {
        let at = |position: usize| i64::try_from(position).unwrap_or(i64::MAX);
        match self {
            Self::Attempt => at(ordinal) + 1,
            Self::Number => number,
            Self::End => at(ordinal) - at(len) + 1,
        }
    }
}

/// Runs in columns of equal places.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CompareBody {
    /// Place of the first slot.
    pub(crate) first: i64,
    /// Places that a slot stands for. Above 1, slots come in pairs: least and greatest reward.
    pub(crate) step: u32,
    pub(crate) slots: u32,
    pub(crate) runs: Vec<CompareRun>,
    /// Addresses that no open run has.
    pub(crate) missing: Vec<RunAddress>,
}

/// A run among others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CompareRun {
    pub(crate) row: RunRow,
    /// First slot that it has a value for.
    pub(crate) from: u32,
    /// Rewards, slot by slot; NaN where there is none.
    pub(crate) rewards: Floats,
    /// Outcome letters, slot by slot; a space where there is no iteration.
    pub(crate) outcomes: String,
    /// Numbers as written, slot by slot; NaN where there is no iteration.
    pub(crate) numbers: Floats,
}

/// Errors, lessons and stuck loops of one run, which other runs may have, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ErrorsAndLessonsBody {
    pub(crate) run: RunId,
    /// Signatures of its errors, each with an original message.
    pub(crate) errors: Vec<(String, String)>,
    /// Whether any iteration has a list of errors.
    pub(crate) knows_errors: bool,
    /// Lessons, each once: what makes two the same, and the text.
    pub(crate) lessons: Vec<(String, String)>,
    /// Findings of `stuck/*`, `oscillation/*` and `regression/*`, as rule and sentence.
    pub(crate) stuck: Vec<(String, String)>,
    /// Records that were not read because there are too many, or could not be.
    pub(crate) unread: u32,
}

/// Where two runs first do something else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DifferenceBody {
    /// Place of the iteration, and position of the action in it.
    pub(crate) at: Option<(i64, u32)>,
    /// The action of each run; none where it does no more.
    pub(crate) actions: [Option<String>; 2],
    /// Places that were compared.
    pub(crate) compared: u32,
    /// Where to go on; none when all places that both runs have were compared.
    pub(crate) next: Option<u32>,
    /// Any of them has actions.
    pub(crate) has_actions: bool,
}

/// Experiments over the same tasks (`headline/compare`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExperimentsBody {
    /// Labels of all experiments that say how their tasks ended, and may be compared.
    pub(crate) labels: Vec<String>,
    /// Most attempts that can be compared: those of the experiment with the fewest.
    pub(crate) most: u32,
    pub(crate) comparison: Option<Comparison>,
    /// Why there is none.
    pub(crate) problem: Option<String>,
    /// What retries brought: for each experiment, tasks that were solved by its 2nd, 3rd, … attempt, of those that had
    /// one. Only tasks that all experiments have.
    pub(crate) retries: Vec<Vec<(u32, u32)>>,
    /// The first of the tasks that one of two experiments solved and the other did not: its runs, in their order.
    pub(crate) unlike: Vec<[RunRow; 2]>,
    pub(crate) unlike_count: u32,
}
