//! A reflection that could be in a window, and the terms of its text.

use crate::model::outcome::Outcome;
use crate::sort::StableSort as _;
use crate::text::STOP_WORDS;

/// A reflection that could be in a window.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Position of its iteration; below 0 for what was written before the first one that is open.
    pub(crate) ordinal: i64,
    /// Milliseconds since 1970, minus infinity where it is unknown.
    pub(crate) instant: f64,
    /// Among the reflections of one iteration.
    pub(crate) position: u32,
    /// How its iteration ended.
    pub(crate) outcome: Outcome,
    /// Of text, insights and lessons; none while they were not read.
    pub(crate) terms: Option<Terms>,
    pub(crate) confidence: Option<f64>,
    pub(crate) category: Option<String>,
    /// None while the text was not read.
    pub(crate) tokens: Option<u32>,
}

impl Candidate {
    /// As columns know it.
    pub(crate) fn unread(ordinal: i64, instant: f64, position: u32, outcome: Outcome) -> Self {
        Self {
            ordinal,
            instant,
            position,
            outcome,
            terms: None,
            confidence: None,
            category: None,
            tokens: None,
        }
    }
}

/// How often each term occurs in a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Terms {
    counts: Vec<(String, u32)>,
    len: u32,
}

impl Terms {
    /// Each term with how often it occurs, in the order of the terms.
    pub(crate) fn counts(&self) -> &[(String, u32)] {
        &self.counts
    }

    /// How often a term occurs.
    pub(crate) fn times(&self, term: &str) -> u32 {
        let place = self.counts.binary_search_by(|(counted, _)| counted.as_str().cmp(term));
        place.map_or(0, |at| self.counts[at].1)
    }

    /// Terms, repeated ones too.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut counted = Self::default();
        for term in sorted_terms(texts) {
            counted.len += 1;
            match counted.counts.last_mut() {
                Some((last, times)) if *last == term => *times += 1,
                _ => counted.counts.push((term, 1)),
            }
        }
        counted
    }
}

/// The terms of texts in their order, repeated ones too.
pub(crate) fn sorted_terms<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut terms: Vec<String> = texts.into_iter().flat_map(terms_of).collect();
    terms.stable_sort_by(Ord::cmp);
    terms
}

/// Lower case, runs of letters and digits of two characters or more, without stop words; no stemming.
pub(crate) fn terms_of(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().nth(1).is_some() && STOP_WORDS.binary_search(word).is_err())
        .map(str::to_owned)
        .collect()
}
