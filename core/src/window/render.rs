//! A window as text for a prompt (docs/spec/rules.md, "Window layouts").
//!
//! Headings and labels are literal, as the tools write them that the layouts come from; the
//! sentences between them are ours.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::layouts;
use crate::error::{Error, word_of};
use crate::model::details::{Details, Reflection};
use crate::model::outcome::Outcome;
use crate::words::words;

/// One reflection as a window shows it. Only the first three are needed; layouts leave out what is
/// absent.
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

words! {
    /// How a window is laid out. Absent members are not known.
    #[derive(Default)]
    #[non_exhaustive]
    Layout {
        /// `[number] outcome: text`, a blank line between.
        #[default]
        Plain = "plain",
        /// `## Lessons from Previous Iterations` with outcome, reflection and strategy change of each,
        /// and instructions: the prompt template of aiwg.
        AiwgTemplate = "aiwg-template",
        /// `## Previous Reflections` with text and lessons of each: the guide of aiwg.
        AiwgGuide = "aiwg-guide",
        /// `## Reflection Memory (Recent Learnings)` with kind and effectiveness of each: the memory
        /// manager of aiwg.
        AiwgMemory = "aiwg-memory",
        /// `Your memory for the task below:` with a `Trial` each: the `ALFWorld` runs of Reflexion.
        ReflexionAlfworld = "reflexion-alfworld",
        /// `## Reflection on Attempt` with observation, analysis, learning and action items of each.
        Episodic = "episodic",
    }
}

impl Layout {
    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`InvalidOption`](crate::ErrorCode::InvalidOption) for a layout that is not known.
    pub fn parse(word: &str) -> Result<Self, Error> {
        word_of("layout", &Self::ALL, Self::as_str, word)
    }
}

/// What a layout says beside the reflections, and how.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenderOptions {
    /// Inner lines stay as they are. Otherwise, in layouts with headings, one that starts with `#`
    /// gets a backslash, so that a reflection cannot open a section of its own.
    pub verbatim: bool,
    /// `reflexion-alfworld`: numbers as written instead of positions inside the window.
    pub absolute_numbers: bool,
    /// `aiwg-template`: finished attempts before the one that begins.
    pub attempts: Option<u32>,
    /// `reflexion-alfworld`: the task; without it, its heading is left out too.
    pub task: Option<String>,
    /// `aiwg-memory`: reflections so far; absent: those in the window.
    pub total: Option<u32>,
    /// `aiwg-memory`: Ω; absent: `unbounded`.
    pub omega: Option<u8>,
}

/// Lays out a window, oldest first. An empty window is an empty text; any other ends with a line
/// break. Lines end in LF.
///
/// # Example: two reflections
///
/// ```
/// use hindscope::{Entry, Layout, Outcome, render};
///
/// let window = [
///     Entry::new(1, Outcome::Failure, "Clear cache first."),
///     Entry::new(2, Outcome::Partial, " Cache cleared; port wrong. "),
/// ];
/// assert_eq!(
///     render(&window, Layout::Plain),
///     "[1] failure: Clear cache first.\n\n[2] partial: Cache cleared; port wrong.\n",
/// );
/// assert_eq!(render(&[], Layout::Plain), "");
/// ```
pub fn render(entries: &[Entry], layout: Layout) -> String {
    render_with(entries, layout, &RenderOptions::default())
}

/// [`render`], with what a layout says beside the reflections.
///
/// # Example: the task below its memory
///
/// ```
/// use hindscope::{Entry, Layout, Outcome, RenderOptions, render_with};
///
/// let window = [Entry::new(7, Outcome::Failure, "Look in the drawer first.")];
/// let options = RenderOptions { task: Some("Find a pen.".into()), ..RenderOptions::default() };
/// assert_eq!(
///     render_with(&window, Layout::ReflexionAlfworld, &options),
///     "\nYour memory for the task below:\n\
///      Trial 0:\nLook in the drawer first.\n\
///      Here is the task:\nFind a pen.\n",
/// );
/// ```
pub fn render_with(entries: &[Entry], layout: Layout, options: &RenderOptions) -> String {
    if entries.is_empty() {
        return String::new();
    }
    match layout {
        Layout::Plain => layouts::plain(entries),
        Layout::AiwgTemplate => layouts::aiwg_template(entries, options),
        Layout::AiwgGuide => layouts::aiwg_guide(entries, options),
        Layout::AiwgMemory => layouts::aiwg_memory(entries, options),
        Layout::ReflexionAlfworld => layouts::reflexion_alfworld(entries, options),
        Layout::Episodic => layouts::episodic(entries, options),
    }
}
