//! `window/relevance-weighted`: what shares rare words with the task and the latest errors, is
//! recent, and was believed by its writer.

use super::candidate::{Candidate, Terms, sorted_terms};

/// How much a repeated term counts, and how much a long document loses.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Confidence of a reflection that states none, and bounds of the others.
const UNSURE: f64 = 0.5;
const LEAST_SURE: f64 = 0.05;
/// Error messages that a query takes in.
pub(crate) const MOST_ERRORS: usize = 20;

/// Distinct terms of the task and of the latest errors.
pub(crate) fn query<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut terms = sorted_terms(texts);
    terms.dedup();
    terms
}

/// BM25 x decay x confidence of each candidate. What was not read scores as an empty text.
pub(crate) fn scores(
    candidates: &[&Candidate],
    query: &[String],
    target: i64,
    half_life: f64,
) -> Vec<f64> {
    let nothing = Terms::default();
    let documents: Vec<&Terms> =
        candidates.iter().map(|c| c.terms.as_ref().unwrap_or(&nothing)).collect();
    let matches = bm25(&documents, query);
    candidates
        .iter()
        .zip(matches)
        .map(|(candidate, score)| {
            #[expect(clippy::cast_precision_loss, reason = "a number of iterations")]
            let age = target.saturating_sub(candidate.ordinal).saturating_sub(1).max(0) as f64;
            let confidence = candidate
                .confidence
                .filter(|c| c.is_finite())
                .map_or(UNSURE, |c| c.clamp(LEAST_SURE, 1.0));
            score * (-age / half_life).exp2() * confidence
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of reflections and of their words")]
fn bm25(documents: &[&Terms], query: &[String]) -> Vec<f64> {
    let n = documents.len() as f64;
    let mean = documents.iter().map(|d| f64::from(d.len())).sum::<f64>() / n;
    if documents.is_empty() || mean <= 0.0 {
        return vec![0.0; documents.len()];
    }
    let mut scores = vec![0.0; documents.len()];
    for term in query {
        let having = documents.iter().filter(|d| d.times(term) > 0).count() as f64;
        for (score, document) in scores.iter_mut().zip(documents) {
            let times = document.times(term);
            if times == 0 {
                continue;
            }
            *score += weight(n, having, f64::from(times), f64::from(document.len()) / mean);
        }
    }
    scores
}

/// BM25 of one term in one document. Of `n` documents, `having` contain the term, and this one
/// contains it `times` times. `len` is the length of the document divided by the mean length.
pub(crate) fn weight(n: f64, having: f64, times: f64, len: f64) -> f64 {
    let idf = ((n - having + 0.5) / (having + 0.5)).ln_1p();
    idf * times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::omega::Policy;
    use crate::model::outcome::Outcome;
    use crate::model::reward::rounded;
    use crate::window::WindowRule;
    use crate::window::engine::{Ask, Choice, choose};

    fn candidate(ordinal: i64, confidence: Option<f64>, text: &str) -> Candidate {
        Candidate {
            terms: Some(Terms::of([text])),
            confidence,
            ..Candidate::unread(ordinal, f64::NEG_INFINITY, 0, Outcome::Failure)
        }
    }

    fn example() -> [Candidate; 4] {
        [
            candidate(
                1,
                Some(0.9),
                "Token refresh ignored the expiry field, so the session test failed. Check expiry before refresh",
            ),
            candidate(
                2,
                Some(0.6),
                "The lint step failed on unused imports. Remove unused imports",
            ),
            candidate(
                3,
                Some(0.8),
                "Expiry check compares seconds with milliseconds. Convert expiry to milliseconds Name units in variables",
            ),
            candidate(4, Some(0.4), "Formatting only; nothing new."),
        ]
    }

    fn ask(candidates: &[Candidate], texts: [&str; 2], policy: Policy) -> Choice {
        let all: Vec<_> = candidates.iter().collect();
        let rule = WindowRule { policy, ..WindowRule::default() };
        choose(&all, &Ask { rule: &rule, omega: Some(3), target: 5, query: &query(texts) })
    }

    const TEXTS: [&str; 2] = ["Fix token expiry handling", "session expiry test: expected 401"];

    #[test]
    fn the_example_of_the_rule() {
        let candidates = example();
        let lengths: Vec<_> = candidates.iter().map(|c| c.terms.as_ref().map(Terms::len)).collect();
        assert_eq!(lengths, [Some(12), Some(8), Some(11), Some(4)]);
        let documents: Vec<_> = candidates.iter().filter_map(|c| c.terms.as_ref()).collect();
        let four = |x: f64| (x * 1e4).round() / 1e4;
        let found: Vec<_> = bm25(&documents, &query(TEXTS)).into_iter().map(four).collect();
        assert_eq!(found, [3.9984, 0.0, 0.8888, 0.0]);
        let choice = ask(&candidates, TEXTS, Policy::RelevanceWeighted);
        assert_eq!(choice.held, [0, 2, 3], "two by score, then the newest of the zeros");
        assert_eq!(choice.evicted, [1]);
        let found: Vec<_> = choice.scores.iter().map(|s| four(*s)).collect();
        assert_eq!(found, [1.7993, 0.5644, 0.0]);
        assert_eq!(ask(&candidates, TEXTS, Policy::Fifo).held, [1, 2, 3]);
        assert!(!choice.is_without_relevance);
    }

    #[test]
    fn without_a_shared_word_it_is_fifo() {
        let choice =
            ask(&example(), ["Paint the fence", "to be or not"], Policy::RelevanceWeighted);
        assert_eq!((choice.held, choice.is_without_relevance), (vec![1, 2, 3], true));
        assert!(choice.scores.is_empty());
        let choice = ask(&[], TEXTS, Policy::RelevanceWeighted);
        assert!(!choice.is_without_relevance, "there was nothing to compare");
    }

    #[test]
    fn confidence_and_half_life_count() {
        let pair = |a, b| [candidate(3, a, "token"), candidate(4, b, "token")];
        let score = |pair: &[Candidate; 2], half_life| {
            let all: Vec<_> = pair.iter().collect();
            let s = scores(&all, &query(["token"]), 5, half_life);
            rounded(s[0] / s[1])
        };
        let is = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
        assert!(is(score(&pair(None, Some(0.5)), 1.0), 0.5), "one iteration older");
        assert!(is(score(&pair(Some(0.0), Some(7.0)), f64::INFINITY), 0.05), "clamped");
    }

    #[test]
    fn terms_are_words_that_say_something() {
        assert_eq!(query(["The Cache-key was X, v2; été"]), ["cache", "key", "v2", "été"]);
    }
}
