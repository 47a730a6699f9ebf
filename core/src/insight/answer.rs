//! What an explanation says: flat rows, the same in Rust, JSON and WIT.
//!
//! Iterations are named by their numbers as written, rewards are 0..1, shares are 0..1. Absent is
//! absent: a member that is not known is left out.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use crate::labels::labels;
use crate::model::curve::TrajectoryClass;
use crate::model::finding::Finding;
use crate::model::id::{RecordId, RunId};

/// What one run teaches: findings, and the rows that they are drawn from.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The run; absent when nothing could be read.
    pub run: Option<RunId>,
    /// Its key: loop id, task id or name.
    pub key: String,
    /// Findings, in the order of the last iteration that each is about.
    pub findings: Vec<Finding>,
    /// Whether the run is stuck now: a warning of `stuck/*` is about its latest attempt, and that was no
    /// success. Where a run was stuck before, the warning says that it moved on.
    pub is_stuck: bool,
    /// Records that chosen rules need and that were not read, in order.
    pub missing: Vec<RecordId>,
    /// Ids of chosen rules that were not judged because of them.
    pub left_out: Vec<String>,
    /// How the rewards moved.
    pub trajectory: Trajectory,
    /// How much its reflections repeat each other; absent where they were not read, or form no
    /// chain.
    pub repetition: Option<Repetition>,
    /// What changed in each step (`attribution/step`), by iteration: evidence, never a cause.
    pub changes: Vec<Change>,
    /// What became of each lesson (`lesson/lifecycle`), by iteration.
    pub lessons: Vec<LessonRow>,
    /// What became of each error (`error/lifecycle`), by first sight.
    pub errors: Vec<ErrorRow>,
    /// Lessons, strategies and failures that recur (`pattern/*`).
    pub patterns: Vec<Pattern>,
    /// Every reflection with the indicators of its quality (`reflection/*`).
    pub reflections: Vec<ReflectionRow>,
    /// Whether confidence predicted improvement (`reflection/calibration`).
    pub calibration: Option<Calibration>,
    /// Actions that a reflection blames, or that belong to an error or a check (`credit/*`).
    pub credits: Vec<Credit>,
    /// Earlier reflections that an iteration names (`credit/*`).
    pub links: Vec<Link>,
    /// Lessons that an action took up (`credit/uptake`): evidence, never proof.
    pub uptakes: Vec<Uptake>,
    /// Failure categories of its reflections, most frequent first.
    pub categories: Vec<CategoryCount>,
}

/// How the rewards of a run moved (docs/spec/rules.md, "Trajectory and best").
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trajectory {
    /// `trajectory/class`.
    pub class: TrajectoryClass,
    /// Steps that count as up (`trajectory/class`).
    pub up: u32,
    /// Steps that count as down.
    pub down: u32,
    /// All other steps.
    pub flat: u32,
    /// Iteration that completes the first low steps in a row (`diminishing/relative`). The options
    /// say how many steps that are.
    pub diminishing_relative: Option<i64>,
    /// As `diminishing_relative`, but a step from a reward of 0 counts as no change
    /// (`diminishing/relative-v1`).
    pub diminishing_relative_v1: Option<i64>,
    /// Iteration that ends the first of these steps, where a step is low if it changes the reward by
    /// few points (`diminishing/absolute`).
    pub diminishing_absolute: Option<i64>,
    /// Iteration of the highest reward, earliest on ties (`best/*`).
    pub best: Option<i64>,
    /// Its reward.
    pub best_reward: Option<f64>,
    /// Iteration that the selection takes.
    pub selected: Option<i64>,
    /// Its reward.
    pub selected_reward: Option<f64>,
    /// The last iteration.
    pub last: Option<i64>,
    /// Its reward.
    pub last_reward: Option<f64>,
    /// Reward that is lost by taking the last attempt instead of the selected one, above 0
    /// (`best/degradation`).
    pub degradation: Option<f64>,
    /// (last - first reward) / rewards, as the guide defines it (`learning-rate`).
    pub learning_rate: Option<f64>,
    /// (last - first reward) / steps.
    pub slope: Option<f64>,
}

/// Neighbouring reflections that repeat each other: the measure behind `stuck/*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repetition {
    /// Reflections with one before them.
    pub pairs: u32,
    /// Pairs that say the same.
    pub same: u32,
    /// Pairs that say nearly the same, the same ones included.
    pub near: u32,
}

labels! {
    /// What changed between two attempts.
    ChangeKind {
        /// An error of the earlier attempt is gone; `text` is its signature.
        ErrorCleared = "error-cleared",
        /// An error that the earlier attempt did not have.
        ErrorNew = "error-new",
        /// An error that both have.
        ErrorPersisting = "error-persisting",
        /// A count of tests or the coverage, by its name.
        Counter = "counter",
        /// A check whose status differs; `text` is the tool.
        Check = "check",
        /// A file that the earlier attempt did not touch.
        FileNew = "file-new",
        /// A file that both touched.
        FileAgain = "file-again",
        /// An action of the attempt.
        Action = "action",
        /// A lesson that the attempt could see and the earlier one could not.
        LessonNew = "lesson-new",
        /// The strategy.
        Strategy = "strategy",
        /// The kind of verification: the change of reward may not compare.
        Verification = "verification",
    }
}

/// One thing that changed in a step (`attribution/step`).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The iteration.
    pub number: i64,
    /// The earlier iteration that it is compared with: the one of its change of reward, else its
    /// neighbour.
    pub from: i64,
    /// What changed.
    pub kind: ChangeKind,
    /// Signature, name, tool, path, action or lesson.
    pub text: String,
    /// As it was.
    pub before: Option<String>,
    /// As it is.
    pub after: Option<String>,
    /// Change of a counter, in its own unit.
    pub amount: Option<f64>,
    /// Position of the action, from 0.
    pub action: Option<u32>,
    /// Lines that the action added.
    pub added: Option<i64>,
    /// Lines that the action removed.
    pub removed: Option<i64>,
}

labels! {
    /// What became of a lesson.
    LessonState {
        /// Never seen before.
        New = "new",
        /// Word for word as before.
        Kept = "kept",
        /// Half of the words or more as before.
        Reworded = "reworded",
        /// Not in the previous reflection, but in an older one.
        Returned = "returned",
        /// In the previous reflection, and no longer.
        Dropped = "dropped",
    }
}

/// A lesson of an iteration against the reflection before (`lesson/lifecycle`).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LessonRow {
    /// The iteration that wrote the reflection.
    pub number: i64,
    /// What became of it there.
    pub state: LessonState,
    /// The lesson, as written.
    pub text: String,
    /// As it was written before, if reworded or returned in other words.
    pub before: Option<String>,
    /// The iteration that wrote it first.
    pub since: i64,
    /// Share of words in common with `before`.
    pub shared: Option<f64>,
}

/// An error by its signature (`error/lifecycle`). Lists are iterations, ascending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorRow {
    /// `type|rule`, or `type|` and the message without its numbers and places.
    pub signature: String,
    /// Its first message, as written.
    pub message: String,
    /// Where it was seen.
    pub seen: Vec<i64>,
    /// First known to lack it after it was seen.
    pub cleared: Vec<i64>,
    /// Seen again after it was cleared.
    pub came_back: Vec<i64>,
}

labels! {
    /// What recurs.
    PatternKind {
        /// A lesson (`pattern/recurring-lesson`).
        Lesson = "lesson",
        /// An approach of successful iterations (`pattern/strategy`).
        Strategy = "strategy",
        /// An error of failed iterations (`pattern/antipattern`).
        Antipattern = "antipattern",
    }
}

labels! {
    /// What to do with a lesson (`pattern/success-rate`).
    Advice {
        /// Inject it: it went along with success.
        Inject = "inject",
        /// Prune it: it did not, or has not been used for long.
        Prune = "prune",
    }
}

/// Something that recurs, as an index of patterns lists it (docs/spec/rules.md, "Patterns").
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// The first six words of its earliest text in kebab-case, or the name of its group.
    pub pattern_id: String,
    /// Its earliest text, or the name of its group.
    pub description: String,
    /// Reflections, iterations or errors that have it.
    pub frequency: u32,
    /// Iterations that have it, ascending.
    pub numbers: Vec<i64>,
    /// Iterations that success was counted over.
    pub uses: u32,
    /// Those that were a success; for lessons, or an improvement.
    pub successes: u32,
    /// `successes / uses`; absent with too few uses of a lesson (`pattern/success-rate`).
    pub success_rate: Option<f64>,
    /// 0..1; absent for lessons, where no rule gives one.
    pub confidence: Option<f64>,
    /// `pattern/gate`; absent for lessons.
    pub is_promotable: Option<bool>,
    /// What to do with a lesson.
    pub advice: Option<Advice>,
}

/// A reflection with the indicators of its quality.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReflectionRow {
    /// The iteration that wrote it.
    pub number: i64,
    /// The record that holds it.
    pub record: RecordId,
    /// Position among the reflections of that record.
    pub part: u32,
    /// Ids of the rules `reflection/*` that it meets; empty for a good one.
    pub marks: Vec<Cow<'static, str>>,
    /// Confidence, as written.
    pub confidence: Option<f64>,
}

/// Confidence against improvement (`reflection/calibration`).
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Calibration {
    /// Pairs of a confidence and what the next iteration made of it.
    pub pairs: u32,
    /// Pearson correlation, -1..1; absent when there are too few pairs, only one outcome, or only one
    /// confidence.
    pub correlation: Option<f64>,
}

/// An action with what points at it (`credit/*`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credit {
    /// The iteration.
    pub number: i64,
    /// Position of the action, from 0.
    pub action: u32,
    /// Whether the reflection of the same record names it as failing.
    pub is_failing: bool,
    /// Positions of errors in the file that it touched, the first 100.
    pub errors: Vec<u32>,
    /// Positions of checks whose tool its command runs, the first 100.
    pub checks: Vec<u32>,
}

labels! {
    /// How an iteration names an earlier reflection.
    LinkKind {
        /// The record lists it in `related_reflections`.
        Related = "related",
        /// The record lists it in `previous_reflections_used`.
        Used = "used",
    }
}

/// An earlier reflection that an iteration names.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The iteration that names it.
    pub number: i64,
    /// The iteration that is named.
    pub to: i64,
    /// How.
    pub kind: LinkKind,
    /// Whether the naming iteration was an improvement; absent when unknown.
    pub has_helped: Option<bool>,
}

/// A lesson that names something in the code, and the first action that names it, too.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Uptake {
    /// The iteration that wrote the lesson.
    pub number: i64,
    /// The lesson.
    pub text: String,
    /// The iteration that took it up; absent: none has.
    pub taken_up: Option<i64>,
    /// Position of the action that did, from 0.
    pub action: Option<u32>,
    /// The name that both have; absent: none has.
    pub name: Option<String>,
}

/// How often reflections gave a failure category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CategoryCount {
    /// The category, as written.
    pub category: String,
    /// Reflections that gave it.
    pub reflections: u32,
}
