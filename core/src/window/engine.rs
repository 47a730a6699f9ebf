//! One way of choosing, for windows that run along and for windows over opened runs.
//!
//! Whoever asks lists the reflections written so far; the answer names them by their positions.
//! Ω is known by then: `FormatId::assumed_omega` and the records say where it comes from.

use super::candidate::Candidate;
use super::relevance::scores;
use super::{WindowRule, budget};
use crate::model::omega::Policy;
use crate::model::outcome::Outcome;
use crate::sort::StableSort as _;

/// What is asked of the candidates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) rule: &'a WindowRule,
    /// None: unbounded.
    pub(crate) omega: Option<u8>,
    /// Ordinal of the iteration that begins.
    pub(crate) target: i64,
    /// What relevance compares with.
    pub(crate) query: &'a [String],
}

/// Positions among the candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Choice {
    /// In the order in which they are shown.
    pub(crate) held: Vec<usize>,
    /// Beyond Ω, oldest first.
    pub(crate) evicted: Vec<usize>,
    /// Within Ω and beyond the budget, in the order of `held`.
    pub(crate) dropped: Vec<usize>,
    /// Of each in `held`; empty when nothing was scored.
    pub(crate) scores: Vec<f64>,
    /// Tokens of `held`, when there is a budget.
    pub(crate) tokens: Option<u32>,
    /// Relevance was asked for and nothing is relevant (`window/no-relevance`).
    pub(crate) is_without_relevance: bool,
}

/// `window/fifo`, `window/recency`, `window/relevance-weighted`, then `window/token-budget`.
pub(crate) fn choose(candidates: &[&Candidate], ask: &Ask<'_>) -> Choice {
    let is_wanted = |c: &Candidate| !(ask.rule.failures_only && c.outcome == Outcome::Success);
    let mut oldest_first: Vec<usize> =
        (0..candidates.len()).filter(|&i| is_wanted(candidates[i])).collect();
    oldest_first.stable_sort_by(|&a, &b| {
        let (a, b) = (candidates[a], candidates[b]);
        (a.ordinal.cmp(&b.ordinal))
            .then(a.instant.total_cmp(&b.instant))
            .then(a.position.cmp(&b.position))
    });
    let places = ask.omega.map_or(oldest_first.len(), usize::from).min(oldest_first.len());
    let mut choice = Choice::default();
    let last = |order: &[usize]| order[order.len() - places..].to_vec();
    let window = match ask.rule.policy {
        Policy::Fifo => last(&oldest_first),
        Policy::Recency => {
            let mut by_time = oldest_first.clone();
            // Stable: ordinal and position decide among equal instants.
            by_time
                .stable_sort_by(|&a, &b| candidates[a].instant.total_cmp(&candidates[b].instant));
            last(&by_time)
        }
        Policy::RelevanceWeighted => {
            let ordered: Vec<_> = oldest_first.iter().map(|&i| candidates[i]).collect();
            let all = scores(&ordered, ask.query, ask.target, ask.rule.half_life);
            if all.iter().any(|s| *s > 0.0) {
                let best = best(&all, places);
                choice.scores = best.iter().map(|&i| all[i]).collect();
                best.iter().map(|&i| oldest_first[i]).collect()
            } else {
                choice.is_without_relevance = !all.is_empty();
                last(&oldest_first)
            }
        }
    };
    let mut is_in = vec![false; candidates.len()];
    for &i in &window {
        is_in[i] = true;
    }
    choice.evicted = oldest_first.into_iter().filter(|&i| !is_in[i]).collect();
    let Some(limit) = ask.rule.token_budget else {
        choice.held = window;
        return choice;
    };
    // The tokens of a text that was not read are not known: it counts as 0.
    let tokens: Vec<u32> = window.iter().map(|&i| candidates[i].tokens.unwrap_or(0)).collect();
    let (first, sum) = budget::fit(&tokens, limit);
    choice.held = window[first..].to_vec();
    choice.dropped = window[..first].to_vec();
    choice.scores = choice.scores.split_off(first.min(choice.scores.len()));
    choice.tokens = Some(sum);
    choice
}

/// Scores closer than this are equal.
const TIE: f64 = 1e-12;

/// Positions of the `places` best scores, oldest first; of equal ones the newer.
fn best(scores: &[f64], places: usize) -> Vec<usize> {
    let mut best = Vec::with_capacity(places);
    let mut rest: Vec<usize> = (0..scores.len()).collect();
    while best.len() < places && !rest.is_empty() {
        let top = rest.iter().map(|&i| scores[i]).fold(f64::NEG_INFINITY, f64::max);
        // A score of zero ranks after every positive one, however small.
        let is_top = |i: usize| scores[i] >= top - TIE && (scores[i] > 0.0) == (top > 0.0);
        let Some(at) = rest.iter().rposition(|&i| is_top(i)) else { break };
        best.push(rest.remove(at));
    }
    best.stable_sort_by(Ord::cmp);
    best
}

/// The instant of each iteration in order: its own time, else the largest before it.
pub(crate) fn instants(times_ms: impl IntoIterator<Item = Option<f64>>) -> Vec<f64> {
    let mut largest = f64::NEG_INFINITY;
    times_ms
        .into_iter()
        .map(|time| {
            let instant = time.filter(|t| t.is_finite()).unwrap_or(largest);
            largest = largest.max(instant);
            instant
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ordinal: i64, instant: f64) -> Candidate {
        Candidate::unread(ordinal, instant, 0, Outcome::Failure)
    }

    fn held(candidates: &[Candidate], omega: Option<u8>, rule: WindowRule) -> Vec<i64> {
        let all: Vec<_> = candidates.iter().collect();
        let ask = Ask { rule: &rule, omega, target: 99, query: &[] };
        choose(&all, &ask).held.into_iter().map(|i| candidates[i].ordinal).collect()
    }

    fn rule(policy: Policy) -> WindowRule {
        WindowRule { policy, ..WindowRule::default() }
    }

    #[test]
    fn fifo_is_numeric() {
        let candidates: Vec<_> = (1..=12).rev().map(|n| at(n, 0.0)).collect();
        assert_eq!(held(&candidates, Some(3), rule(Policy::Fifo)), [10, 11, 12]);
        assert_eq!(held(&candidates, Some(0), rule(Policy::Fifo)), [0_i64; 0]);
        assert_eq!(held(&candidates, None, rule(Policy::Fifo)).len(), 12);
    }

    #[test]
    fn one_iteration_is_ordered_by_time_then_position() {
        let mut candidates = [at(1, 5.0), at(1, 4.0), at(1, 5.0)];
        candidates[2].position = 1;
        candidates[1].position = 2;
        let all: Vec<_> = candidates.iter().collect();
        let rule = WindowRule::default();
        let ask = Ask { rule: &rule, omega: None, target: 2, query: &[] };
        assert_eq!(choose(&all, &ask).held, [1, 0, 2]);
    }

    #[test]
    fn recency_follows_the_clock() {
        let resumed = [at(0, 10.0), at(1, 12.0), at(2, 11.0)];
        assert_eq!(held(&resumed, Some(2), rule(Policy::Recency)), [2, 1]);
        assert_eq!(held(&resumed, Some(2), rule(Policy::Fifo)), [1, 2]);
        let steady = [at(0, 10.0), at(1, 11.0), at(2, 12.0)];
        assert_eq!(held(&steady, Some(2), rule(Policy::Recency)), [1, 2]);
        let unknown = f64::NEG_INFINITY;
        let timeless = [at(0, unknown), at(1, unknown), at(2, unknown)];
        assert_eq!(held(&timeless, Some(2), rule(Policy::Recency)), [1, 2]);
    }

    #[test]
    fn an_iteration_without_a_time_is_as_late_as_what_went_before() {
        let found = instants([None, Some(7.0), Some(5.0), None, Some(f64::NAN)]);
        assert_eq!(found, [f64::NEG_INFINITY, 7.0, 5.0, 7.0, 7.0]);
    }

    #[test]
    fn successes_can_be_left_out() {
        let mut candidates = [at(0, 0.0), at(1, 0.0), at(2, 0.0)];
        candidates[1].outcome = Outcome::Success;
        let failures = WindowRule { failures_only: true, ..WindowRule::default() };
        assert_eq!(held(&candidates, Some(2), failures), [0, 2]);
        assert_eq!(held(&candidates, Some(2), WindowRule::default()), [1, 2]);
        // A partial one failed too, and an unknown one may have.
        candidates[1].outcome = Outcome::Partial;
        assert_eq!(held(&candidates, Some(2), failures), [1, 2]);
    }

    #[test]
    fn equal_scores_go_to_the_newer() {
        assert_eq!(best(&[0.5, 0.5 + 1e-13, 0.5], 2), [1, 2]);
        assert_eq!(best(&[0.6, 0.5, 0.5], 2), [0, 2]);
        assert_eq!(best(&[1e-13, 0.0], 1), [0]);
        assert_eq!(best(&[0.1], 3), [0]);
    }
}
