//! An attempt as people describe it: its plan, its actions one by one, what it left to the next one.

use hindscope::{Action, NamedText, Outcome, Reflection, RunId};
use serde::{Deserialize, Serialize};
use strum::EnumTryAs;

use super::Rows;

/// A question about an attempt, which its number names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum AttemptAsk {
    /// Everything but its actions.
    Facts { run: RunId, number: i64 },
    /// Some of its actions. Long logs are read in steps: whoever asks again, with another `beat`,
    /// hears of more.
    Actions { run: RunId, number: i64, rows: Rows, beat: u32 },
    /// One action in full, by its position from 0, and the state when it was done.
    Action { run: RunId, number: i64, at: u32 },
}

/// The answer, in the order of the questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, EnumTryAs)]
pub(crate) enum AttemptAnswer {
    Facts(AttemptBody),
    Actions(ActionsBody),
    Action(ActionBody),
}

/// Everything of an attempt but its actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AttemptBody {
    pub(crate) run: RunId,
    pub(crate) number: i64,
    /// Attempts of the task around this one, in order.
    pub(crate) attempts: Vec<AttemptRow>,
    /// Attempts that are not listed, before and after them.
    pub(crate) left_out: (u32, u32),
    pub(crate) task: Option<String>,
    pub(crate) plan: PlanBody,
    pub(crate) end: EndBody,
    pub(crate) worked: Vec<String>,
    pub(crate) failed: Vec<String>,
    /// What happened on the way.
    pub(crate) milestones: Vec<String>,
    pub(crate) given: Given,
    pub(crate) left: Left,
    /// Actions that are recorded.
    pub(crate) actions: u32,
    /// Why a record of it could not be read.
    pub(crate) problem: Option<String>,
}

/// An attempt in the list of all attempts of its task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AttemptRow {
    pub(crate) number: i64,
    pub(crate) outcome: Outcome,
    pub(crate) detail: Option<String>,
    /// 0..1
    pub(crate) reward: Option<f64>,
    /// Recorded one by one.
    pub(crate) actions: u32,
    /// As the attempt counts them itself.
    pub(crate) counted: Option<f64>,
    pub(crate) errors: Option<u32>,
    /// Milliseconds.
    pub(crate) duration: Option<f64>,
    /// Milliseconds since 1970.
    pub(crate) start: Option<f64>,
}

/// What was planned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanBody {
    pub(crate) approach: String,
    pub(crate) steps: Vec<String>,
    /// The plan as it is written for people.
    pub(crate) written: Option<String>,
    pub(crate) estimated: Option<f64>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EndBody {
    pub(crate) outcome: Outcome,
    pub(crate) detail: Option<String>,
    pub(crate) reason: Option<String>,
    /// 0..1
    pub(crate) reward: Option<f64>,
    pub(crate) delta: Option<f64>,
    /// As written.
    pub(crate) written: Option<String>,
    /// Share that is done, 0..1.
    pub(crate) done: Option<f64>,
    pub(crate) iterations: Option<f64>,
    pub(crate) counted: Option<f64>,
    pub(crate) errors: Option<u32>,
    pub(crate) start: Option<String>,
    pub(crate) end: Option<String>,
    /// Milliseconds.
    pub(crate) duration: Option<f64>,
    /// Rated iterations inside the attempt.
    pub(crate) rated: Vec<(i64, Option<f64>)>,
}

/// What an attempt knew of earlier ones when it began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Given {
    /// No record says what was given: these are the reflections that the computed window held.
    pub(crate) is_computed: bool,
    pub(crate) lessons: Vec<Lesson>,
    /// Attempts whose reflections are among them and not listed.
    pub(crate) more: u32,
}

/// What an earlier attempt taught.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lesson {
    pub(crate) number: i64,
    /// Lessons and insights of its reflections; the text of a reflection that has neither.
    pub(crate) texts: Vec<String>,
}

/// What an attempt left behind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Left {
    pub(crate) reflections: Vec<Reflection>,
    /// What the attempt itself says for the next time.
    pub(crate) next_time: Vec<String>,
    /// The attempt after it.
    pub(crate) next: Option<i64>,
    /// Whether the attempt after it was given its reflections; `None` if there is no such attempt.
    pub(crate) took: Option<Took>,
}

/// Whether an attempt was given the reflections of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Took {
    /// Its records say so.
    Yes,
    /// Its records say that it was not.
    No,
    /// No record says it: by the computed window, it could have seen them.
    Could,
    /// No record says it: they were out of the computed window.
    CouldNot,
}

/// Some actions, and what is known of all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActionsBody {
    pub(crate) number: i64,
    pub(crate) total: u32,
    /// Actions whose records were read, from the first on; numbers below are about these.
    pub(crate) read: u32,
    pub(crate) worked: u32,
    pub(crate) failed: u32,
    /// Positions of those that failed, have an error, or are named as failing by their reflection.
    pub(crate) troubles: Vec<u32>,
    /// For each step of the plan: positions of its first actions, and how many there are.
    pub(crate) steps: Vec<(Vec<u32>, u32)>,
    /// Position of the first of `rows`.
    pub(crate) first: u32,
    pub(crate) rows: Vec<ActionRow>,
    /// Why one of the records could not be read.
    pub(crate) problem: Option<String>,
}

impl ActionsBody {
    /// The row at a position, if it is among those at hand.
    pub(crate) fn get(&self, at: u32) -> Option<&ActionRow> {
        self.rows.get(at.checked_sub(self.first)? as usize)
    }
}

/// An action in the list: the beginnings of its texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActionRow {
    pub(crate) kind: String,
    pub(crate) tool: Option<String>,
    /// Command, file or description.
    pub(crate) target: String,
    /// Milliseconds since the attempt began.
    pub(crate) offset: Option<f64>,
    pub(crate) success: Option<bool>,
    pub(crate) has_error: bool,
    pub(crate) is_credited: bool,
    pub(crate) reasoning: String,
    pub(crate) expected: Option<String>,
    pub(crate) actual: Option<String>,
}

/// One action in full.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActionBody {
    pub(crate) number: i64,
    pub(crate) at: u32,
    pub(crate) total: u32,
    pub(crate) action: Action,
    pub(crate) error: Option<String>,
    pub(crate) iteration: Option<i64>,
    /// Step of the plan, from 1.
    pub(crate) step: Option<u32>,
    pub(crate) texts: Vec<NamedText>,
    /// `path:line:column` of its record.
    pub(crate) place: Option<String>,
    pub(crate) state: ReplayState,
    /// Bytes at the ends of long texts that are not here.
    pub(crate) shortened: u32,
}

/// Where a replay stands after an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReplayState {
    pub(crate) worked: u32,
    pub(crate) failed: u32,
    /// Of these nobody says whether they worked.
    pub(crate) unsaid: u32,
    pub(crate) errors: u32,
    /// Milliseconds since the attempt began, at this action or the nearest one before it with a time.
    pub(crate) elapsed: Option<f64>,
}
