//! What was in reach when an iteration began.

use hindscope::{
    Injected, OmegaProvenance, Outcome, RecordedWindow, ReflectionRef, RunId, WindowView,
};
use serde::{Deserialize, Serialize};

use super::FindingRow;

/// A window as the reader chose it; absent is as recorded, else as assumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WindowChoice {
    pub(crate) omega: Option<u8>,
    /// As `Policy` spells it.
    pub(crate) policy: Option<String>,
    /// Tokens.
    pub(crate) budget: Option<u32>,
    /// As `Layout` spells it.
    pub(crate) layout: Option<String>,
}

/// What was in reach when an iteration began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WindowBody {
    pub(crate) run: RunId,
    pub(crate) view: WindowView,
    /// Ω without a choice of the reader, and where it comes from.
    pub(crate) given: Option<u8>,
    pub(crate) given_provenance: OmegaProvenance,
    /// The record that states it, or for what and after whom it is assumed.
    pub(crate) given_place: String,
    /// The policy without a choice of the reader, and whether a record states it.
    pub(crate) given_policy: (String, bool),
    pub(crate) layout: String,
    /// The held ones, oldest first.
    pub(crate) held: Vec<HeldText>,
    /// Held ones whose text was left out because there are too many.
    pub(crate) left_out: u32,
    /// Estimated tokens of all that is held.
    pub(crate) tokens: u32,
    /// What the agent would have been given, in the layout; none where it is too long.
    pub(crate) rendered: Option<String>,
    pub(crate) life: Lifespan,
    /// Numbers of reflections that no attempt of the run could see, the next one included; none
    /// where the run is too long to look.
    pub(crate) never: Option<Vec<i64>>,
    /// What the record of this iteration says of its window.
    pub(crate) recorded: Option<RecordedWindow>,
    /// `window/injected-at`
    pub(crate) injected: Option<Injected>,
    /// The text of what records say was given, where they say it.
    pub(crate) stored: Option<StoredText>,
    /// What contradicts the computed window, with names of places.
    pub(crate) notes: Vec<FindingRow>,
    /// Why something is missing.
    pub(crate) problem: Option<String>,
}

/// The text of what an attempt was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredText {
    pub(crate) text: String,
    /// Numbers that records name and that are not open.
    pub(crate) absent: Vec<i64>,
}

/// A held reflection with its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HeldText {
    pub(crate) reference: ReflectionRef,
    pub(crate) outcome: Outcome,
    pub(crate) text: String,
    /// Last number at whose beginning it is still held, within the columns shown.
    pub(crate) until: Option<i64>,
    /// Estimated: UTF-16 units / 4, rounded up.
    pub(crate) tokens: u32,
    /// Relevance, for the policy that asks for it.
    pub(crate) score: Option<f64>,
}

/// Which reflection was in reach at which iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lifespan {
    /// Numbers of the columns; the last may be the attempt that comes next.
    pub(crate) columns: Vec<i64>,
    /// Columns of the run that are not among them.
    pub(crate) hidden_columns: u32,
    pub(crate) rows: Vec<LifespanRow>,
    pub(crate) hidden_rows: u32,
}

/// The lifespan of one reflection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LifespanRow {
    pub(crate) reference: ReflectionRef,
    /// A letter per column: `w` written, `h` held, `l` held for the last time, `o` out, space not
    /// yet.
    pub(crate) cells: String,
    /// Last number at whose beginning it is held; none if it never is.
    pub(crate) last: Option<i64>,
}
