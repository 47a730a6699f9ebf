//! What may still be spent, and when a loop has to stop.

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::stop_reason::StopReason;
use super::usage::{BudgetLeft, Usage};

/// The host's clock, as far as the host gave it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// The latest moment.
    now: Option<f64>,
    /// Where the budget's time was last counted from; nothing after a restore, so that a pause
    /// does not count.
    #[serde(skip)]
    counted_from: Option<f64>,
    /// Time spent.
    spent_ms: f64,
}

impl Clock {
    pub(crate) fn starting(now: Option<f64>) -> Self {
        let now = now.filter(|now| now.is_finite());
        Self { now, counted_from: now, spent_ms: 0.0 }
    }

    /// The clock does not go back: a smaller moment counts as the last one.
    pub(crate) fn tick(&mut self, now: Option<f64>) {
        let Some(now) = now else { return };
        if let Some(from) = self.counted_from {
            self.spent_ms += (now - from).max(0.0);
        }
        self.counted_from = Some(self.counted_from.map_or(now, |from| from.max(now)));
        self.now = Some(self.now.map_or(now, |last| last.max(now)));
    }
}

/// Whether limits allow what comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    pub(crate) config: &'a Config,
    pub(crate) clock: &'a Clock,
    pub(crate) usage: &'a Usage,
    /// `budget.strict`, and a reply said nothing of its usage.
    pub(crate) is_blind: bool,
}

impl Limits<'_> {
    /// Whether the deadline has come.
    pub(crate) fn refuses_round(self) -> Option<StopReason> {
        let deadline = self.config.options.deadline_ms?;
        (self.clock.now? >= deadline).then_some(StopReason::Deadline)
    }

    /// Whether a call must not be made.
    pub(crate) fn refuses_call(self) -> Option<StopReason> {
        let budget = &self.config.budget;
        let tokens = self.usage.tokens;
        let reached = |spent: f64, limit: Option<f64>| limit.is_some_and(|limit| spent >= limit);
        self.refuses_round().or_else(|| {
            (budget.calls.is_some_and(|most| self.usage.calls() + 1 > most)
                || reached(tokens.total, budget.tokens)
                || reached(tokens.cost, budget.cost)
                || reached(self.clock.spent_ms, budget.ms)
                || self.is_blind)
                .then_some(StopReason::Budget)
        })
    }

    /// Whether a wait must not be begun, because it would end too late.
    pub(crate) fn refuses_wait(self, ms: f64) -> Option<StopReason> {
        if let (Some(deadline), Some(now)) = (self.config.options.deadline_ms, self.clock.now)
            && now + ms > deadline
        {
            return Some(StopReason::Deadline);
        }
        let limit = self.config.budget.ms?;
        (self.clock.spent_ms + ms > limit).then_some(StopReason::Budget)
    }

    /// How long a call may take.
    pub(crate) fn timeout(self) -> Option<f64> {
        least([self.config.options.call_timeout_ms, self.ms_left()])
    }

    /// Milliseconds until the deadline or until the budget's time is spent.
    fn ms_left(self) -> Option<f64> {
        let options = &self.config.options;
        let until_deadline =
            options.deadline_ms.zip(self.clock.now).map(|(deadline, now)| deadline - now);
        let of_budget = self.config.budget.ms.map(|limit| limit - self.clock.spent_ms);
        least([until_deadline, of_budget]).map(|ms| ms.max(0.0))
    }

    /// What is left as round `iteration` begins.
    pub(crate) fn left(self, iteration: u32) -> BudgetLeft {
        let budget = &self.config.budget;
        let tokens = self.usage.tokens;
        BudgetLeft {
            iterations: (self.config.options.max_iterations + 1).saturating_sub(iteration),
            calls: budget.calls.map(|limit| limit.saturating_sub(self.usage.calls())),
            tokens: budget.tokens.map(|limit| (limit - tokens.total).max(0.0)),
            cost: budget.cost.map(|limit| (limit - tokens.cost).max(0.0)),
            ms: self.ms_left(),
        }
    }

    /// Whether no further round can be paid for: it is the last one, or the calls that are left do
    /// not suffice for this round and another.
    pub(crate) fn is_last(self, iteration: u32, has_candidate: bool) -> bool {
        let config = self.config;
        let judging = config.judging_calls();
        let generated = u64::from(config.options.candidates) * (1 + judging);
        let this = if has_candidate { judging } else { generated };
        let next = match (&config.corrector, config.corrector_mode) {
            (Some(_), super::correction::CorrectorMode::Replace) => 1 + judging,
            (Some(_), _) => 1 + generated,
            (None, _) => generated,
        };
        iteration >= config.options.max_iterations
            || self.left(iteration).calls.is_some_and(|calls| calls < this + next)
    }
}

fn least(limits: [Option<f64>; 2]) -> Option<f64> {
    limits.into_iter().flatten().min_by(f64::total_cmp)
}
