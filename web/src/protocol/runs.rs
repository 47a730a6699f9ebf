//! The list of runs: which, in which order, under which headings, and what they come to together.

use hindscope::{
    Attempts, CategoryCount, GroupView, Headline, Outcome, RunUsage, RunVerdict, RunView, Target,
    TrajectoryClass, Trust,
};
use serde::{Deserialize, Serialize};
use strum::EnumTryAs;

use super::columns::Floats;
use super::{Judged, Page, Query, RunAddress};

/// To add up more runs takes a while: only on demand.
pub(crate) const SUMMED: u32 = 50_000;

impl Query {
    /// Whether it is answered while files are read; all others are asked again at the end.
    pub(crate) fn is_early(&self) -> bool {
        matches!(self, Self::Runs { .. } | Self::Summary { .. })
    }
}

/// Which runs, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// A query that the runs must match. One with a mistake lets all runs through.
    pub(crate) text: String,
    pub(crate) outcome: Option<Outcome>,
    /// Path of a file that the run has a record in.
    pub(crate) source: Option<String>,
    pub(crate) reward: Option<RewardIs>,
    pub(crate) finding: Option<FindingIs>,
    pub(crate) sort: Option<Sort>,
    pub(crate) is_falling: bool,
    pub(crate) by: Option<GroupBy>,
    /// Headings whose runs are folded away, by title.
    pub(crate) closed: Vec<String>,
}

impl Choice {
    /// Whether any run may be hidden.
    pub(crate) fn is_filtered(&self) -> bool {
        !self.text.is_empty()
            || self.outcome.is_some()
            || self.source.is_some()
            || self.reward.is_some()
            || self.finding.is_some()
    }

    /// Whether runs are hidden by their failure category.
    pub(crate) fn filters_category(&self) -> bool {
        let query = hindscope::Query::parse_for(&self.text, Target::RunsWithCategory);
        query.is_ok_and(|query| query.asks_category())
    }

    /// Whether it decides which runs are shown, or where, that runs repeat themselves.
    pub(crate) fn asks_repetition(&self) -> bool {
        let query = hindscope::Query::parse_for(&self.text, Target::RunsWithCategory);
        self.sort == Some(Sort::Verdict) || query.is_ok_and(|query| query.asks_insight())
    }

    /// Whether the failure category of runs decides which are shown, or where.
    pub(crate) fn asks_category(&self) -> bool {
        self.sort == Some(Sort::Category)
            || self.by == Some(GroupBy::Category)
            || self.filters_category()
    }
}

labels! {
    /// What the reward of a run must be.
    pub(crate) enum RewardIs {
        Reported,
        Derived,
        None,
        /// The last one is below 0.5.
        Low,
        /// The last one is 0.5 or more.
        High,
    }
}

impl RewardIs {
    /// Its name on the page.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Low => "below 0.5",
            Self::High => "0.5 or more",
            other => other.into_str(),
        }
    }
}

/// What findings a run must have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FindingIs {
    Any,
    None,
    Errors,
    Warnings,
    /// One of this rule.
    Rule(String),
}

impl FindingIs {
    /// Reads its name in an address: a word, or the id of a rule.
    pub(crate) fn read(name: &str) -> Self {
        match name {
            "any" => Self::Any,
            "none" => Self::None,
            "error" => Self::Errors,
            "warning" => Self::Warnings,
            rule => Self::Rule(rule.to_owned()),
        }
    }
}

labels! {
    /// A column that the list of runs can be ordered by.
    pub(crate) enum Sort {
        #[strum(serialize = "run")]
        Key,
        Iterations,
        Outcome,
        Best,
        Last,
        /// Change from the first reward to the last.
        Trend,
        /// Attempts in which it was stuck.
        Verdict,
        Selected,
        FirstSuccess,
        Trajectory,
        Start,
        End,
        Duration,
        Tokens,
        Cost,
        Reflections,
        /// Failure category.
        Category,
        Findings,
        Group,
    }
}

labels! {
    /// What the list of runs is divided by.
    pub(crate) enum GroupBy {
        #[strum(serialize = "source")]
        Group,
        Task,
        Outcome,
        /// Failure category.
        Category,
    }
}

impl GroupBy {
    /// Its name on the page.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Category => "failure category",
            other => other.into_str(),
        }
    }
}

/// The lines of the list that were asked for: runs, and headings above them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunsBody {
    /// Runs without any filter.
    pub(crate) all: u32,
    /// Runs that the filter lets through.
    pub(crate) shown: u32,
    /// Lines; both of its counts are of lines.
    pub(crate) lines: Page<Line>,
    /// How far runs were looked at for their failure categories, where the list shows them or
    /// depends on them.
    pub(crate) categories: Option<Judged>,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, EnumTryAs)]
pub(crate) enum Line {
    Heading(Heading),
    Run(Box<RunRow>),
}

/// What stands above the runs of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Heading {
    /// Empty for runs that have no such thing.
    pub(crate) title: String,
    pub(crate) runs: u32,
    /// Those with a successful attempt.
    pub(crate) solved: u32,
    /// Those that say how any of their attempts ended.
    pub(crate) judged: u32,
    pub(crate) is_closed: bool,
    /// More runs may come below it, or leave it.
    pub(crate) is_so_far: bool,
}

/// Title of the heading above runs that were not looked at. No category is called so: blank ones count
/// as none.
pub(crate) const UNSEEN: &str = " ";

/// The failure category that most reflections of a run give.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RunCategory {
    /// Its reflections were not looked at yet.
    #[default]
    NotYet,
    /// They are too long to be looked at beside others, or cannot be read.
    Left,
    /// None of them gives one.
    None,
    Is {
        name: String,
        /// Reflections that give it.
        times: u32,
        /// Reflections that give any.
        of: u32,
    },
}

/// A row of the list of runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRow {
    pub(crate) view: RunView,
    pub(crate) address: RunAddress,
    /// Label of its group.
    pub(crate) group: String,
    /// Filled where the list shows it.
    pub(crate) more: RunMore,
}

/// What a row of the list shows beyond the run's own view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunMore {
    /// Rewards in order, few enough for a cell; both extremes of each stretch are among them.
    pub(crate) spark: Floats,
    pub(crate) trajectory: TrajectoryClass,
    /// Number and reward of the iteration that is taken as the result.
    pub(crate) selected: Option<(i64, Option<f64>)>,
    /// Times of the first and the last record or statement, in milliseconds.
    pub(crate) start_ms: Option<f64>,
    pub(crate) end_ms: Option<f64>,
    /// Tokens and US dollars, as far as records say.
    pub(crate) usage: RunUsage,
    pub(crate) category: RunCategory,
    /// Where it was stuck, and how it ended.
    pub(crate) verdict: Option<RunVerdict>,
    /// It runs, and its newest time is more than a day ago.
    pub(crate) is_stale: bool,
    /// File of its first record.
    pub(crate) path: String,
}

/// What the runs shown come to together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SummaryBody {
    /// What is said first.
    pub(crate) headline: Headline,
    pub(crate) attempts: Attempts,
    /// Their groups, with those runs only; the largest hundred.
    pub(crate) groups: Page<GroupView>,
    /// Label of a group, and how far its internal tests can be believed. Of whole groups.
    pub(crate) trusts: Vec<(String, Trust)>,
}

/// Failure categories of some of the runs shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CategoriesBody {
    /// Runs that were looked at, from the one that was asked for on.
    pub(crate) looked: u32,
    /// Runs shown.
    pub(crate) total: u32,
    /// Records that were not read: they cannot be, or all records of their run together are too long.
    pub(crate) unread: u32,
    pub(crate) counts: Vec<CategoryCount>,
}

/// All outcomes, in the order in which they are offered and headed.
pub(crate) const OUTCOMES: [Outcome; 7] = [
    Outcome::Success,
    Outcome::Partial,
    Outcome::Failure,
    Outcome::Running,
    Outcome::Aborted,
    Outcome::Void,
    Outcome::Unknown,
];

/// A run with one iteration, invented for tests.
#[cfg(test)]
pub(crate) fn sample_view(key: &str, outcome: Outcome, last: Option<f64>) -> RunView {
    RunView {
        id: hindscope::RunId(0),
        group: hindscope::GroupId(0),
        key: key.to_owned(),
        task: None,
        format: "env-results".to_owned(),
        outcome,
        outcome_detail: None,
        outcome_note: None,
        status: None,
        start_ms: None,
        end_ms: None,
        counter: None,
        max_iterations: None,
        aliases: Vec::new(),
        lessons: 0,
        reward: None,
        iterations: 1,
        base: 0,
        base_provenance: hindscope::BaseProvenance::Declared,
        first_success: None,
        first_success_number: None,
        best: last,
        best_number: None,
        last,
        reward_origin: hindscope::Origin::None,
        reward_rule: None,
        reflections: 0,
        findings: 0,
        trend: String::new(),
        omega: None,
        omega_provenance: hindscope::OmegaProvenance::Assumed,
    }
}
