//! One candidate on its way through a round.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::coerce::Coercion;
use super::combine::{Combined, Combining};
use super::entry::{Entry, EntryKind, Origin};
use super::usage::Tokens;
use super::verdict::item;

/// How far it has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// Its generator was asked.
    #[default]
    Generating,
    /// There is an output; evaluators are asked.
    Judging,
    /// It has an entry, or will have none.
    Finished,
}

/// A candidate and what is known of it so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// From 1.
    pub(crate) candidate: u32,
    pub(crate) origin: Origin,
    pub(crate) stage: Stage,
    #[serde(with = "super::maybe")]
    pub(crate) raw: Option<Arc<Value>>,
    #[serde(with = "super::maybe")]
    pub(crate) output: Option<Arc<Value>>,
    pub(crate) combining: Option<Combining>,
    pub(crate) coercions: Vec<Coercion>,
    /// Number of the evaluator that is asked, from 0.
    pub(crate) evaluator: usize,
    /// How often the judge was asked again.
    pub(crate) repeats: u32,
    pub(crate) tries: u32,
    pub(crate) ms: Option<f64>,
    pub(crate) tokens: Tokens,
    pub(crate) entry: Option<Arc<Entry>>,
}

impl Attempt {
    pub(crate) fn new(candidate: u32, origin: Origin) -> Self {
        Self { candidate, origin, tries: 1, ..Self::default() }
    }

    /// A call for it was answered.
    pub(crate) fn charge(&mut self, tokens: Option<Tokens>, ms: Option<f64>) {
        if let Some(tokens) = tokens {
            self.tokens.add(tokens);
        }
        if let Some(ms) = ms {
            self.ms = Some(self.ms.unwrap_or(0.0) + ms);
        }
    }

    /// It ends without an entry.
    pub(crate) fn drop_it(&mut self) {
        self.stage = Stage::Finished;
        self.entry = None;
    }

    /// It ends with an error in place of a verdict.
    pub(crate) fn fail(&mut self, kind: EntryKind, error: Value) {
        let entry = Entry { kind, errors: Arc::new(vec![error]), ..self.bare() };
        self.end(entry);
    }

    /// It ends because a limit or an abort came before the verdict.
    pub(crate) fn cut(&mut self) {
        let error = item("stopped", "The loop stopped before this output was judged.");
        self.fail(EntryKind::Unevaluated, error);
    }

    /// It ends with a verdict.
    pub(crate) fn judged(&mut self, combined: Combined) {
        let mut more = Map::new();
        if let Some(details) = combined.details {
            more.insert("details".to_owned(), details);
        }
        if !combined.warnings.is_empty() {
            more.insert("warnings".to_owned(), json!(combined.warnings));
        }
        let kind = if combined.has_crashed { EntryKind::Evaluator } else { EntryKind::Evaluation };
        let entry = Entry {
            kind,
            // Not −0: it would count as less than 0.
            score: combined.score + 0.0,
            valid: combined.valid,
            errors: Arc::new(combined.errors),
            suggestions: Arc::new(combined.suggestions),
            feedback: combined.feedback.into(),
            evaluators: combined.rows,
            more,
            ..self.bare()
        };
        self.end(entry);
    }

    fn end(&mut self, entry: Entry) {
        self.stage = Stage::Finished;
        self.combining = None;
        self.entry = Some(Arc::new(entry));
    }

    /// An entry without a verdict. Its `iteration` and `candidate` are set when it enters the history;
    /// nothing may read them before.
    fn bare(&mut self) -> Entry {
        let output = self.output.clone().unwrap_or_default();
        Entry {
            raw_output: self.raw.clone().filter(|raw| **raw != *output),
            output,
            origin: self.origin,
            coercions: self.coercions.drain(..).map(|one| json!(one)).collect(),
            usage: Arc::new(self.tokens.to_value()),
            tries: (self.tries > 1).then_some(self.tries),
            ms: self.ms,
            ..Entry::default()
        }
    }
}
