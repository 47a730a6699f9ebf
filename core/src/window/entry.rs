//! What a layout takes in.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use crate::model::details::{Details, Reflection};
use crate::model::outcome::Outcome;

/// One reflection of a window, with its text. Only the first three members are needed; layouts leave out
/// what is absent.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Number of the iteration that wrote it.
    pub number: i64,
    /// How that iteration ended.
    pub outcome: Outcome,
    /// The text, untouched.
    pub text: String,
    /// Insights; they count with the text in budgets and relevance.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub insights: Vec<String>,
    /// Lessons.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lessons: Vec<String>,
    /// What the next attempt should do differently.
    pub strategy: Option<String>,
    /// Kind of reflection, in the writer's words.
    pub kind: Option<String>,
    /// How well it worked, in the writer's words.
    pub effectiveness: Option<String>,
    /// What was seen; absent: the text says it.
    pub observation: Option<String>,
    /// Why it happened.
    pub analysis: Option<String>,
    /// What follows from it.
    pub learning: Option<String>,
    /// What to do, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub action_items: Vec<String>,
    /// Tokens as the host counts them; absent: estimated.
    pub tokens: Option<u32>,
}

impl Entry {
    /// An entry of what all of them have.
    pub fn new(number: i64, outcome: Outcome, text: impl Into<String>) -> Self {
        Self {
            number,
            outcome,
            text: text.into(),
            insights: Vec::new(),
            lessons: Vec::new(),
            strategy: None,
            kind: None,
            effectiveness: None,
            observation: None,
            analysis: None,
            learning: None,
            action_items: Vec::new(),
            tokens: None,
        }
    }

    /// What a record says of one of its reflections.
    pub(crate) fn of(
        number: i64,
        outcome: Outcome,
        details: &Details,
        reflection: &Reflection,
    ) -> Self {
        Self {
            insights: reflection.insights.clone(),
            lessons: reflection.lessons.clone(),
            strategy: details.strategy_next.clone(),
            ..Self::new(number, outcome, reflection.text.as_str())
        }
    }
}

/// What a layout says beside the reflections, and how.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenderOptions {
    /// Whether inner lines stay as they are. Otherwise, in layouts with headings, one that starts with `#`
    /// gets a backslash, so that a reflection cannot open a section of its own.
    pub verbatim: bool,
    /// `reflexion-alfworld`: whether numbers are as written, and not positions in the window.
    pub absolute_numbers: bool,
    /// `aiwg-template`: finished attempts before the one that begins; absent: as known.
    pub attempts: Option<u32>,
    /// `reflexion-alfworld`: the task; absent: as known, else its heading is left out, too.
    pub task: Option<String>,
    /// `aiwg-memory`: reflections so far; absent: as known, else those in the window.
    pub total: Option<u32>,
    /// `aiwg-memory`: Ω, 0 to 10; absent: as known, else `unbounded`.
    pub omega: Option<u8>,
}
