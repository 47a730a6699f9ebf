//! Text to query.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fields::{Bounds, Field, Has, Test, field_of};
use super::{Query, Term};
use crate::labels::labels;
use crate::model::outcome::Outcome;
use crate::model::reward::count;

labels! {
    /// Why a part of a query means nothing. The kebab-case spelling is the same in Rust, JavaScript
    /// and WIT.
    #[non_exhaustive]
    QueryErrorCode {
        /// No field has this name.
        UnknownField = "unknown-field",
        /// A phrase has no end.
        UnclosedQuote = "unclosed-quote",
        /// A field, a comparison or a phrase has nothing in it.
        MissingValue = "missing-value",
        /// What is compared is no number.
        BadNumber = "bad-number",
        /// The end of a range lies before its start.
        EmptyRange = "empty-range",
        /// The field holds no number to compare.
        NotANumber = "not-a-number",
        /// No such outcome, or nothing that `has:` knows.
        UnknownValue = "unknown-value",
        /// The list that is filtered does not know the field.
        NotHere = "not-here",
    }
}

/// A part of a query that means nothing, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryError {
    /// Which mistake.
    pub code: QueryErrorCode,
    /// What is wrong and what would be right, in a sentence or two.
    pub message: String,
    /// First UTF-16 code unit of that part, from 0.
    pub start: u32,
    /// The unit after its last one.
    pub end: u32,
    /// First byte of that part in UTF-8, from 0.
    pub start_byte: u32,
    /// The byte after its last one.
    pub end_byte: u32,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for QueryError {}

impl QueryError {
    pub(super) fn new(
        text: &str,
        (start, end): (usize, usize),
        code: QueryErrorCode,
        message: impl Into<String>,
    ) -> Self {
        let units = |end: usize| count(text.get(..end).unwrap_or(text).encode_utf16().count());
        Self {
            code,
            message: message.into(),
            start: units(start),
            end: units(end),
            start_byte: count(start),
            end_byte: count(end),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

pub(super) fn parse(text: &str) -> Result<Query, QueryError> {
    let mut parser = Parser { text, at: 0 };
    let mut terms = Vec::new();
    while let Some(term) = parser.term()? {
        terms.push(term);
    }
    Ok(Query { terms })
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn eat(&mut self, what: &str) -> bool {
        let is_next = self.rest().starts_with(what);
        if is_next {
            self.at += what.len();
        }
        is_next
    }

    fn error(
        &self,
        place: (usize, usize),
        code: QueryErrorCode,
        message: impl Into<String>,
    ) -> QueryError {
        QueryError::new(self.text, place, code, message)
    }

    fn term(&mut self) -> Result<Option<Term>, QueryError> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        let start = self.at;
        let rest = self.rest();
        if rest.is_empty() {
            return Ok(None);
        }
        let stands_alone = rest
            .strip_prefix('-')
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        let is_negated = !stands_alone && self.eat("-");
        let test = match field_of(self.rest()) {
            Some(name) => self.field(name)?,
            None => Test::Text(self.value(start)?),
        };
        Ok(Some(Term::new(is_negated, test, (start, self.at))))
    }

    /// A word, or a phrase in quotes.
    fn value(&mut self, start: usize) -> Result<String, QueryError> {
        if self.rest().starts_with('"') {
            return self.phrase(start);
        }
        let rest = self.rest();
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        self.at += word.len();
        Ok(word.to_owned())
    }

    fn phrase(&mut self, start: usize) -> Result<String, QueryError> {
        let quote = self.at;
        self.at += 1;
        let mut phrase = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            let next = || self.rest().get(at + 1..).and_then(|rest| rest.chars().next());
            match c {
                '"' => {
                    self.at += at + 1;
                    if phrase.is_empty() {
                        return Err(self.error(
                            (start, self.at),
                            QueryErrorCode::MissingValue,
                            "The quotes are empty.",
                        ));
                    }
                    return Ok(phrase);
                }
                '\\' if matches!(next(), Some('"' | '\\')) => {
                    phrase.extend(chars.next().map(|(_, c)| c));
                }
                c => phrase.push(c),
            }
        }
        let place = (quote, self.text.len());
        Err(self.error(place, QueryErrorCode::UnclosedQuote, "The phrase has no closing quote."))
    }

    fn field(&mut self, name: &str) -> Result<Test, QueryError> {
        let start = self.at;
        let Some(field) = Field::named(&name.to_ascii_lowercase()) else {
            let word = self.rest().split(char::is_whitespace).next().unwrap_or_default();
            let known = Field::ALL.map(Field::as_str).join(", ");
            return Err(self.error(
                (start, start + name.len()),
                QueryErrorCode::UnknownField,
                format!(
                    "Unknown field \u{201c}{name}\u{201d}. The fields are {known}. To search for it as text, write \"{}\".",
                    word.replace('"', "")
                ),
            ));
        };
        self.at += name.len();
        let operator_at = self.at;
        let signs = ["<=", ">=", "<", ">", "=", ":"];
        let operator = signs.into_iter().find(|sign| self.eat(sign)).unwrap_or(":");
        let value_at = self.at;
        let value = self.value(start)?;
        let place = (start, self.at);
        if value.is_empty() {
            let message = format!("Expected a value after \u{201c}{name}{operator}\u{201d}.");
            return Err(self.error(place, QueryErrorCode::MissingValue, message));
        }
        if field.is_number() {
            return self.number(field, operator, &value, value_at);
        }
        if !matches!(operator, ":" | "=") {
            return Err(self.error(
                (operator_at, operator_at + operator.len()),
                QueryErrorCode::NotANumber,
                format!(
                    "\u{201c}{name}\u{201d} cannot be compared as a number. Write {name}:{value}."
                ),
            ));
        }
        match field {
            Field::Outcome => self.outcome(&value, value_at),
            Field::Has => {
                let found = Has::named(&value.to_ascii_lowercase());
                found.map(Test::Has).ok_or_else(|| {
                    let known = Has::ALL.map(Has::as_str).join(", ");
                    let message = format!("Expected one of {known} after \u{201c}has:\u{201d}.");
                    self.error((value_at, self.at), QueryErrorCode::UnknownValue, message)
                })
            }
            field => Ok(Test::Holds(field, value)),
        }
    }

    fn outcome(&self, value: &str, value_at: usize) -> Result<Test, QueryError> {
        let of_letter = |o: &Outcome| value.eq_ignore_ascii_case(&o.letter().to_string());
        if let Some(outcome) = Outcome::ALL.into_iter().find(of_letter) {
            return Ok(Test::Outcome(outcome, None));
        }
        match Outcome::read(value) {
            (Outcome::Unknown, None) if !value.eq_ignore_ascii_case("unknown") => {
                let names = Outcome::ALL.map(Outcome::as_str).join(", ");
                let message =
                    format!("Unknown outcome \u{201c}{value}\u{201d}. The outcomes are {names}.");
                Err(self.error((value_at, self.at), QueryErrorCode::UnknownValue, message))
            }
            (outcome, detail) => {
                // Only what is read again as the same can be written down.
                let detail = detail.filter(|word| Outcome::read(word) == (outcome, detail));
                Ok(Test::Outcome(outcome, detail))
            }
        }
    }

    fn number(
        &self,
        field: Field,
        operator: &str,
        value: &str,
        value_at: usize,
    ) -> Result<Test, QueryError> {
        let error = |code, message: &str| self.error((value_at, self.at), code, message);
        let number = |text: &str| -> Result<f64, QueryError> {
            let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
            let read = text.parse::<f64>().ok().filter(|n| is_plain && n.is_finite());
            read.ok_or_else(|| {
                let message = format!(
                    "\u{201c}{text}\u{201d} is not a number. Write {0}<0.5, {0}:3 or {0}:3..9.",
                    field.as_str()
                );
                error(QueryErrorCode::BadNumber, &message)
            })
        };
        let is_equal = matches!(operator, ":" | "=");
        let bounds = match value.split_once("..").filter(|_| is_equal) {
            Some(("", "")) => {
                let message = "The range has neither a start nor an end.";
                return Err(error(QueryErrorCode::MissingValue, message));
            }
            Some(("", most)) => Bounds::AtMost(number(most)?),
            Some((least, "")) => Bounds::AtLeast(number(least)?),
            Some((least, most)) => {
                let (least, most) = (number(least)?, number(most)?);
                if least > most {
                    let message = "The range ends before it starts.";
                    return Err(error(QueryErrorCode::EmptyRange, message));
                }
                Bounds::Between(least, most)
            }
            None => {
                let number = number(value)?;
                match operator {
                    "<" => Bounds::Below(number),
                    "<=" => Bounds::AtMost(number),
                    ">" => Bounds::Above(number),
                    ">=" => Bounds::AtLeast(number),
                    _ => Bounds::Is(number),
                }
            }
        };
        Ok(Test::Number(field, bounds))
    }
}
