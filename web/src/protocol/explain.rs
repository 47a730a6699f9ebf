//! What a run teaches.
//!
//! An explanation of a long run is large: it stays with the worker, and each part of the page asks
//! for what it draws.

use hindscope::{
    Calibration, Change, Finding, LessonChange, Origin, Pattern, ReflectionNews, ReflectionRow,
    RunId, Trajectory, Uptake,
};
use serde::{Deserialize, Serialize};
use strum::EnumTryAs;

use super::{Page, Rows};

/// A part of what a run teaches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum LearnOf {
    /// The trajectory, warnings, quality and totals.
    Overview,
    /// What changed in the step to an iteration.
    Step(i64),
    /// What became of each error; with `within`, only of errors of iterations from one number to another.
    Errors { sort: ErrorSort, is_open_only: bool, within: Option<(i64, i64)>, rows: Rows },
    /// Lessons of one iteration against those of another.
    Lessons { from: i64, to: i64 },
    /// What became of each lesson.
    Lifecycles(Rows),
    /// What recurs, and what was taken up.
    Patterns,
    /// All reflections, each with what is new in it.
    Reflections(Rows),
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LearnBody {
    pub(crate) run: RunId,
    pub(crate) reach: Reach,
    pub(crate) part: Learnt,
}

/// In the order of the questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, EnumTryAs)]
pub(crate) enum Learnt {
    Overview(Box<Overview>),
    Step(Step),
    Errors(Errors),
    Lessons(Lessons),
    Lifecycles(Page<LessonLine>),
    Patterns(Patterns),
    Reflections(Page<ReflectionLine>),
}

/// What an explanation could not look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reach {
    /// Records that were not read because there are too many.
    pub(crate) unread: u32,
    /// Records that are missing, whatever the reason.
    pub(crate) missing: u32,
    /// Rules that were not judged because of them.
    pub(crate) left_out: Vec<String>,
    /// Why one of them could not be read.
    pub(crate) problem: Option<String>,
}

/// A sum over iterations of which some may not say their part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Total {
    pub(crate) sum: f64,
    /// Iterations that say their part.
    pub(crate) known: u32,
    /// Iterations that do not.
    pub(crate) unknown: u32,
}

/// What the iterations of a run took, and when they were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) tokens: Total,
    pub(crate) cost_usd: Total,
    pub(crate) tool_calls: Total,
    pub(crate) ms: Total,
    /// Time of the first iteration that has one, as written, and of the last.
    pub(crate) first_time: Option<String>,
    pub(crate) last_time: Option<String>,
}

/// What is said of a run as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Overview {
    pub(crate) trajectory: Trajectory,
    /// Every finding of loop health and of the trajectory.
    pub(crate) warnings: Vec<Warning>,
    pub(crate) quality: Quality,
    pub(crate) totals: Totals,
}

/// A finding about a run, with the places that it is drawn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Warning {
    pub(crate) finding: Finding,
    /// `path:line` of the first pieces of its evidence, in their order.
    pub(crate) places: Vec<String>,
}

/// Lessons of two iterations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lessons {
    pub(crate) changes: Vec<LessonChange>,
    /// As the earlier iteration has them, and the later one.
    pub(crate) was: Vec<String>,
    pub(crate) is: Vec<String>,
}

/// How good its reflections are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Quality {
    /// Reflections that were judged.
    pub(crate) judged: u32,
    /// The first of those with marks of a weak one.
    pub(crate) weak: Vec<ReflectionRow>,
    /// All of those.
    pub(crate) all_weak: u32,
    /// Of each rule, how many reflections it marks; most first.
    pub(crate) marks: Vec<(String, u32)>,
    /// The first pairs of a confidence and what came next.
    pub(crate) pairs: Vec<SurePair>,
    pub(crate) calibration: Option<Calibration>,
}

/// How sure a reflection was, and whether the next iteration improved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SurePair {
    pub(crate) number: i64,
    pub(crate) confidence: f64,
    pub(crate) has_improved: bool,
}

/// What changed in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) number: i64,
    /// The iteration that it is compared with; absent for the first.
    pub(crate) from: Option<i64>,
    pub(crate) delta: Option<f64>,
    /// Iterations without reward that the delta spans.
    pub(crate) gap: u32,
    pub(crate) origin: Origin,
    /// The rule that derived the rewards.
    pub(crate) rule: Option<String>,
    /// The change as the record states it, where that differs.
    pub(crate) stored: Option<f64>,
    /// Whether the errors of both iterations are known.
    pub(crate) has_errors: bool,
    pub(crate) changes: Vec<Change>,
}

labels! {
    /// The order of errors.
    #[derive(Default)]
    pub(crate) enum ErrorSort {
        /// Those that came back, most often first.
        #[default]
        Returned,
        /// By the number of iterations that have it.
        Longest,
        /// By first sight, newest first.
        Newest,
    }
}

/// Errors of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Errors {
    pub(crate) page: Page<ErrorLine>,
    /// Those that came back at least once.
    pub(crate) returned: u32,
    /// Those that stand at the last iteration whose errors are known.
    pub(crate) open: u32,
    /// Iterations whose errors are known.
    pub(crate) known: u32,
}

/// The lifecycle of one error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ErrorLine {
    pub(crate) signature: String,
    /// Its first message, as written.
    pub(crate) message: String,
    /// A letter per iteration: `N = . R ?`, or a space before it was first seen.
    pub(crate) cells: String,
    /// Iterations that have it.
    pub(crate) seen: u32,
    pub(crate) first: i64,
    /// Where it was cleared and where it came back, in order.
    pub(crate) turns: Vec<(i64, bool)>,
    pub(crate) is_open: bool,
}

/// The lifecycle of one lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LessonLine {
    pub(crate) text: String,
    /// A letter per iteration: `N = ~ R -`, or a space where no reflection has it.
    pub(crate) cells: String,
    pub(crate) first: i64,
    /// The last iteration that has it.
    pub(crate) last: i64,
    /// Iterations that have it.
    pub(crate) seen: u32,
}

/// A reflection beside those before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReflectionLine {
    pub(crate) news: ReflectionNews,
    /// Lessons in it that had been dropped, as far as they are listed.
    pub(crate) returned: Vec<String>,
}

/// What recurs, and what was taken up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Patterns {
    /// Iterations that wrote lessons.
    pub(crate) numbers: Vec<i64>,
    pub(crate) recurring: Vec<Pattern>,
    pub(crate) all_recurring: u32,
    /// Lessons that an action took up, the first of them.
    pub(crate) uptakes: Vec<Uptake>,
    /// All of those, and lessons that could be judged.
    pub(crate) all_uptakes: u32,
    pub(crate) judged: u32,
}
