//! One language for search, for the list of runs and for findings.
//!
//! | written | means |
//! |---|---|
//! | `timeout` | the text occurs; of several words each has to |
//! | `"null check"` | the phrase occurs; inside, `\"` is a quote and `\\` a backslash |
//! | `-flaky`, `-"null check"`, `-outcome:failure` | the opposite |
//! | `run:name` | key, alias or task of the run |
//! | `source:path` | path of a source, or label of the group |
//! | `outcome:failure` | how it ended, in any spelling that records use (`failed`, `F`, `timeout`) |
//! | `reward<0.5` | reward, 0..1, of the iteration; of a run the last one |
//! | `delta<0` | change of reward |
//! | `iter:9` | number of the iteration as written |
//! | `error:text` | type, message, file or rule of an error |
//! | `category:text` | failure category of a reflection; of a run the one that is given with it |
//! | `finding:text` | rule or level of a finding; about what a run did, of rules that need no text (`finding:stuck`) |
//! | `has:reward` | it has one: `reward`, `delta`, `error`, `reflection`, `finding`, `outcome` |
//!
//! Numbers compare with `<`, `<=`, `>`, `>=`, `=` or `:`, and a range is `iter:3..9`, `iter:3..` or
//! `iter:..9`, both ends included. The value of a field may be quoted. Something is a field when it
//! begins with letters and one of `: < > =`, unless `::` or `://` follows the letters: `std::io` is a
//! word. A quote inside a word, and a `-` that stands alone, are text. An empty query lets all through.
//!
//! Texts are compared folded: case does not count (simple folding, character by character, so `K`
//! finds the Kelvin sign and `ss` does not find `ß`), and every space, tab and line break is one
//! space. Accents count, and no normal form is made.

mod excerpt;
mod fields;
mod fold;
mod hit;
mod look;
mod matching;
mod parse;
mod plan;
mod scan;
mod search;
mod sieve;
mod texts;

pub use excerpt::Mark;
pub use hit::{Hit, SearchProgress, Stretch};
pub use matching::Target;
pub use parse::{QueryError, QueryErrorCode};
pub use search::{Search, SearchOptions};
pub use texts::SearchPart;

use std::fmt;

use fields::{Field, Test};
use fold::{Needle, fold};

/// What is looked for.
///
/// Printed, it is the same query in one spelling; two queries are equal if they ask the same.
///
/// # Example: a phrase, and what must not be there
///
/// ```
/// use hindscope::{Query, QueryErrorCode};
///
/// let query = Query::parse("\"null check\" -flaky reward<0.5")?;
/// assert_eq!(query.to_string(), "\"null check\" -flaky reward<0.5");
///
/// let error = Query::parse("timeout rewrd<0.5").unwrap_err();
/// assert_eq!(error.code, QueryErrorCode::UnknownField);
/// assert_eq!((error.start, error.end), (8, 13));
/// # Ok::<(), hindscope::QueryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query {
    terms: Vec<Term>,
}

#[derive(Clone, Debug)]
struct Term {
    is_negated: bool,
    test: Test,
    /// The text that it looks for, ready; a test of a column has none.
    needle: Option<Needle>,
    /// First byte, and the byte after the last one.
    place: (usize, usize),
}

impl Term {
    fn new(is_negated: bool, test: Test, place: (usize, usize)) -> Self {
        let needle = test.text().map(Needle::new);
        Self { is_negated, test, needle, place }
    }

    /// Whether it asks the columns of iterations.
    fn is_of_column(&self) -> bool {
        !matches!(
            self.test,
            Test::Text(_)
                | Test::Holds(Field::Run | Field::Source | Field::Error | Field::Category, _)
        )
    }

    /// Whether what belongs to no run cannot fit it.
    fn is_of_run(&self) -> bool {
        let is_text = matches!(self.test, Test::Text(_) | Test::Holds(Field::Source, _));
        !is_text
            && (self.is_of_column() || self.test.field() == Some(Field::Run) || !self.is_negated)
    }

    /// Whether it is text that must not occur.
    fn is_forbidden(&self) -> bool {
        self.is_negated && self.test.is_of_text()
    }

    /// Whether some text has what it looks for.
    fn is_in(&self, texts: &[&str]) -> bool {
        let has = |needle: &Needle| texts.iter().any(|text| needle.is_in(&fold(text)));
        self.needle.as_ref().is_some_and(has)
    }
}

impl PartialEq for Query {
    fn eq(&self, other: &Self) -> bool {
        let asks = |term: &Term| (term.is_negated, term.test.clone());
        self.terms.iter().map(asks).eq(other.terms.iter().map(asks))
    }
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// [`QueryError`] for the first part that means nothing, with its place.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        parse::parse(text)
    }

    /// Whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a file without runs fits what is asked of sources.
    fn lets_path(&self, path: &str) -> bool {
        let of_source = self.terms.iter().filter(|t| t.test.field() == Some(Field::Source));
        of_source.into_iter().all(|term| term.is_in(&[path]) != term.is_negated)
    }

    /// Where its words and phrases occur in a text: first byte and the byte after the last one, in
    /// order; what overlaps is one.
    pub fn marks(&self, text: &str) -> Vec<(usize, usize)> {
        let needles = self.terms.iter().filter(|t| !t.is_negated && t.test.is_of_text());
        let folded = fold(text);
        excerpt::merged(needles.flat_map(|t| &t.needle).flat_map(|n| n.places(&folded)).collect())
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, term) in self.terms.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            let sign = if term.is_negated { "-" } else { "" };
            write!(f, "{space}{sign}{}", term.test)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
