//! What a part of a query tests, and how it is written.

use std::fmt;

use crate::labels::labels;
use crate::model::outcome::Outcome;

labels! {
    /// A field by its name.
    pub(super) Field {
        Run = "run",
        Source = "source",
        Outcome = "outcome",
        Reward = "reward",
        Delta = "delta",
        Iter = "iter",
        Error = "error",
        Category = "category",
        Finding = "finding",
        Has = "has",
    }

    /// What there may be.
    pub(super) Has {
        Reward = "reward",
        Delta = "delta",
        Error = "error",
        Reflection = "reflection",
        Finding = "finding",
        Outcome = "outcome",
    }
}

impl Field {
    pub(super) const fn is_number(self) -> bool {
        matches!(self, Self::Reward | Self::Delta | Self::Iter)
    }
}

/// Which numbers fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bounds {
    Is(f64),
    Below(f64),
    AtMost(f64),
    Above(f64),
    AtLeast(f64),
    Between(f64, f64),
}

impl Bounds {
    #[expect(clippy::float_cmp, reason = "as written")]
    pub(super) fn has(self, number: f64) -> bool {
        match self {
            Self::Is(wanted) => number == wanted,
            Self::Below(most) => number < most,
            Self::AtMost(most) => number <= most,
            Self::Above(least) => number > least,
            Self::AtLeast(least) => number >= least,
            Self::Between(least, most) => (least..=most).contains(&number),
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(number) => write!(f, ":{number}"),
            Self::Below(number) => write!(f, "<{number}"),
            Self::AtMost(number) => write!(f, "<={number}"),
            Self::Above(number) => write!(f, ">{number}"),
            Self::AtLeast(number) => write!(f, ">={number}"),
            Self::Between(least, most) => write!(f, ":{least}..{most}"),
        }
    }
}

/// What one part of a query tests.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// The text occurs.
    Text(String),
    /// A field has the text: run, source, error, category or finding.
    Holds(Field, String),
    /// Outcome, and the finer word where it was asked for.
    Outcome(Outcome, Option<&'static str>),
    /// Reward, delta or iter.
    Number(Field, Bounds),
    Has(Has),
}

impl Test {
    /// The text that it looks for.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Holds(_, text) => Some(text),
            Self::Outcome(..) | Self::Number(..) | Self::Has(_) => None,
        }
    }

    /// Whether it looks at what iterations say, and not at a field alone.
    pub(super) fn is_of_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Holds(Field::Error | Field::Category, _))
    }

    pub(super) fn field(&self) -> Option<Field> {
        Some(match self {
            Self::Text(_) => return None,
            Self::Holds(field, _) | Self::Number(field, _) => *field,
            Self::Outcome(..) => Field::Outcome,
            Self::Has(_) => Field::Has,
        })
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) if is_word(text) => f.write_str(text),
            Self::Text(text) => quoted(f, text),
            Self::Holds(field, text) => {
                write!(f, "{}:", field.as_str())?;
                // `run::` and `run://` would be words.
                let needs_quotes = text.starts_with(['"', ':']) || text.starts_with("//");
                if needs_quotes || text.contains(char::is_whitespace) {
                    quoted(f, text)
                } else {
                    f.write_str(text)
                }
            }
            Self::Outcome(outcome, detail) => {
                write!(f, "outcome:{}", detail.unwrap_or(outcome.as_str()))
            }
            Self::Number(field, bounds) => write!(f, "{}{bounds}", field.as_str()),
            Self::Has(what) => write!(f, "has:{}", what.as_str()),
        }
    }
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether a text stands for itself without quotes, at any place of a query.
fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('"')
        && (!text.starts_with('-') || text == "-")
        && !text.contains(char::is_whitespace)
        && field_of(text).is_none()
}

/// The name of a field at the start of a text.
pub(super) fn field_of(text: &str) -> Option<&str> {
    let len = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, rest) = text.split_at(len);
    let is_field = len > 0
        && rest.starts_with([':', '<', '>', '='])
        && !rest.starts_with("::")
        && !rest.starts_with("://");
    is_field.then_some(name)
}
