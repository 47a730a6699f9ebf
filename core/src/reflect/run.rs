//! Everything about a loop that changes; a snapshot holds all of it.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attempt::Attempt;
use super::budget::Clock;
use super::config::Config;
use super::events::Event;
use super::history::History;
use super::memories::Memories;
use super::stall::{Failures, Rounds};
use super::state::State;
use super::step::Step;
use super::stop_reason::StopReason;
use super::usage::{Tokens, Usage};

/// What a loop does next, or what it waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Phase {
    /// Schemas refer to documents that are not there yet.
    #[default]
    Resolving,
    /// The next round is due.
    Round,
    /// Attempts are being made and judged.
    Attempts,
    /// The attempt of this number in the history is to be corrected.
    Correction(usize),
    /// The corrector was asked about the attempt of this number.
    Correcting(usize),
    /// It has ended.
    Ended,
}

/// What the reply to a step is for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Purpose {
    Resolve,
    /// Number of the attempt in its round, from 0.
    Generate(usize),
    Evaluate(usize),
    Correct,
    /// Then this call is made again.
    Wait(Box<Pending>),
}

/// A step that wants a reply.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub(crate) step: Step,
    pub(crate) purpose: Purpose,
}

/// A candidate that the corrector left for the next round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) value: Arc<Value>,
}

/// The attempt that no other outranks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Best {
    /// Its number in the history, from 0.
    pub(crate) index: usize,
    pub(crate) score: f64,
    pub(crate) class: u8,
    pub(crate) output: Arc<Value>,
}

/// The changing part of a loop, as snapshots keep it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) phase: Phase,
    /// The round, from 1; 0 before the first.
    pub(crate) iteration: u32,
    pub(crate) last_id: u32,
    pub(crate) pending: Vec<Pending>,
    pub(crate) cancelled: BTreeSet<u32>,
    /// Steps that the caller has not seen yet.
    #[serde(skip)]
    pub(crate) fresh: Vec<Step>,
    /// The last step, once there is one.
    pub(crate) end: Option<Step>,
    pub(crate) state: Arc<State>,
    pub(crate) history: History,
    pub(crate) attempts: Vec<Attempt>,
    /// A call of this round was refused.
    pub(crate) cut: Option<StopReason>,
    pub(crate) waiting: Option<Waiting>,
    /// Spent on a correction: part of what the next attempt cost.
    pub(crate) correction_tokens: Tokens,
    pub(crate) best: Option<Best>,
    /// Of the last attempt that has one.
    #[serde(with = "super::maybe")]
    pub(crate) last_output: Option<Arc<Value>>,
    pub(crate) clock: Clock,
    /// The latest date and time that a reply brought.
    pub(crate) at: Option<String>,
    pub(crate) usage: Usage,
    /// A reply said nothing of its usage.
    pub(crate) is_usage_unknown: bool,
    pub(crate) failures: Failures,
    pub(crate) rounds: Rounds,
    /// Refused attempts that prompts mention, by their numbers in the history: the last ones.
    pub(crate) feedback_last: VecDeque<usize>,
    /// And the best of the others, best first; the earliest of equals.
    pub(crate) feedback_best: Vec<usize>,
    pub(crate) warnings: Vec<Value>,
    pub(crate) events: Vec<Event>,
    pub(crate) last_seq: u32,
    pub(crate) memories: Memories,
    /// Documents that were resolved, in order.
    pub(crate) documents: Vec<(String, Value)>,
}

impl Run {
    /// Before round 1.
    pub(crate) fn new(config: &Config, state: State, now: Option<f64>) -> Self {
        Self {
            state: Arc::new(state),
            clock: Clock::starting(now),
            memories: Memories::new(config.memory.as_ref()),
            ..Self::default()
        }
    }
}
