//! A window as text for a prompt (rules.md, section 5).

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode};
use crate::history::outcome::Outcome;

/// One reflection as a window shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Number of the iteration that wrote it.
    pub number: i64,
    /// How that iteration ended.
    pub outcome: Outcome,
    /// The text, untouched.
    pub text: String,
}

/// How a window is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// `[number] outcome: text`, a blank line between.
    #[default]
    Plain,
}

impl Layout {
    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
        }
    }

    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`] for a layout that is not known.
    pub fn parse(word: &str) -> Result<Self, Error> {
        match word {
            "plain" => Ok(Self::Plain),
            _ => {
                Err(Error::new(ErrorCode::InvalidOption, format!("layout is plain, not {word:?}")))
            }
        }
    }
}

/// Lays out a window, oldest first. An empty window is an empty text; any other ends with a line
/// break.
///
/// # Example: two reflections
///
/// ```
/// use hindscope::{Entry, Layout, Outcome, render};
///
/// let entry = |number, outcome, text: &str| Entry { number, outcome, text: text.into() };
/// let window = [
///     entry(1, Outcome::Failure, "Clear cache first."),
///     entry(2, Outcome::Partial, " Cache cleared; port wrong. "),
/// ];
/// assert_eq!(
///     render(&window, Layout::Plain),
///     "[1] failure: Clear cache first.\n\n[2] partial: Cache cleared; port wrong.\n",
/// );
/// assert_eq!(render(&[], Layout::Plain), "");
/// ```
pub fn render(entries: &[Entry], layout: Layout) -> String {
    match layout {
        Layout::Plain => {
            let blocks: Vec<_> = entries
                .iter()
                .map(|e| {
                    format!(
                        "[{}] {}: {}\n",
                        e.number,
                        e.outcome.as_str(),
                        e.text.trim().replace("\r\n", "\n")
                    )
                })
                .collect();
            blocks.join("\n")
        }
    }
}
