//! A window as text for a prompt (docs/spec/rules.md, "Window layouts").
//!
//! Headings and labels are literal, as the tools write them that the layouts come from; the
//! sentences between them are ours.

use super::entry::{Entry, RenderOptions};
use super::layouts;
use crate::error::{Error, word_of};
use crate::labels::labels;

labels! {
    /// How a window is written. What is not known is left out.
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
        word_of("layout", Self::named(word), &Self::ALL.map(Self::as_str), word)
    }
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
