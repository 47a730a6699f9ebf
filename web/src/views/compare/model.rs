//! What is compared with what: series that may share an axis, places, ranks, what is shared.

use hindscope::{Origin, Outcome, StableSort as _};
use std::collections::BTreeMap;

use crate::protocol::{CompareBody, CompareRun, ErrorsAndLessonsBody};

/// The most runs that stay distinct as lines.
pub(super) const LINES: usize = 8;

/// Where rewards come from: only those of one series may share an axis.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Series {
    pub(super) origin: Origin,
    pub(super) rule: Option<String>,
}

impl Series {
    pub(super) fn of(run: &CompareRun) -> Self {
        let view = &run.row.view;
        let has_rewards = run.rewards.iter().any(|reward| reward.is_some());
        let origin = if has_rewards { view.reward_origin } else { Origin::None };
        let rule = view.reward_rule.clone().filter(|_| origin == Origin::Derived);
        Self { origin, rule }
    }

    /// Its name in an address and on the page.
    pub(super) fn name(&self) -> String {
        match (&self.origin, &self.rule) {
            (Origin::Derived, Some(rule)) => rule.clone(),
            (origin, _) => origin.as_str().to_owned(),
        }
    }
}

/// Positions of runs that share a series, that of the baseline first, those without rewards last.
pub(super) fn panels(runs: &[CompareRun], base: usize) -> Vec<(Series, Vec<usize>)> {
    let mut panels: BTreeMap<Series, Vec<usize>> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        panels.entry(Series::of(run)).or_default().push(at);
    }
    let mut panels: Vec<_> = panels.into_iter().collect();
    panels.stable_sort_by_key(|(series, of)| (series.origin == Origin::None, !of.contains(&base)));
    panels
}

/// Letters of runs, while there are few enough.
pub(super) fn letter(position: usize) -> Option<char> {
    ('a'..='z').nth(position).filter(|_| position < LINES)
}

/// The place that each slot stands for.
pub(super) fn places(body: &CompareBody) -> Vec<i64> {
    let per = if body.step > 1 { 2 } else { 1 };
    (0..i64::from(body.slots)).map(|slot| body.first + slot / per * i64::from(body.step)).collect()
}

/// Rewards of a run from the first slot of all on.
pub(super) fn rewards(run: &CompareRun) -> Vec<Option<f64>> {
    std::iter::repeat_n(None, run.from as usize).chain(run.rewards.iter()).collect()
}

/// Outcome letters of a run from the first slot on, `per` slots each; a space where nothing is.
pub(super) fn cells(run: &CompareRun, per: usize) -> String {
    let empty = std::iter::repeat_n(' ', run.from as usize);
    let letters: Vec<char> = empty.chain(run.outcomes.chars()).collect();
    let worst = |part: &[char]| {
        let weight = |letter: &char| "FA~>P-?".find(*letter).map_or(9, |at| at);
        part.iter().copied().min_by_key(weight).unwrap_or(' ')
    };
    letters.chunks(per.max(1)).map(worst).collect()
}

/// How a run stands against the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Versus {
    /// It is the baseline.
    Base,
    /// Change of the last reward; both are of one series.
    Change(f64),
    /// Rewards of another series, or none.
    Unlike,
}

/// The last reward of a run against that of the baseline.
pub(super) fn versus(runs: &[CompareRun], at: usize, base: usize) -> Versus {
    if at == base {
        return Versus::Base;
    }
    let last = |run: &CompareRun| run.row.view.last;
    match (last(&runs[at]), last(&runs[base])) {
        (Some(own), Some(other)) if Series::of(&runs[at]) == Series::of(&runs[base]) => {
            Versus::Change(own - other)
        }
        _ => Versus::Unlike,
    }
}

/// Whether it did worse than the baseline: a lower last reward of the same series, or a known outcome
/// other than success where the baseline has success.
pub(super) fn is_regression(runs: &[CompareRun], at: usize, base: usize) -> bool {
    let outcome = |at: usize| runs[at].row.view.outcome;
    let is_lost = outcome(base) == Outcome::Success
        && !matches!(outcome(at), Outcome::Success | Outcome::Unknown);
    at != base && (is_lost || matches!(versus(runs, at, base), Versus::Change(by) if by < -1e-9))
}

/// Positions of the runs: regressions first, the worst of them first; the baseline last.
pub(super) fn ranked(runs: &[CompareRun], base: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    let change = |at: usize| match versus(runs, at, base) {
        Versus::Change(by) => by,
        Versus::Base | Versus::Unlike => f64::MAX,
    };
    order.stable_sort_by(|&a, &b| {
        let group = |at: usize| (at == base, !is_regression(runs, at, base));
        group(a).cmp(&group(b)).then_with(|| change(a).total_cmp(&change(b)))
    });
    order
}

/// What several runs say, and what only one of them says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    /// Runs that were compared.
    pub(super) runs: usize,
    pub(super) in_all: Vec<String>,
    /// Said by more than one and not by all, with how many; most frequent first.
    pub(super) in_some: Vec<(String, usize)>,
    /// Position of a run, and what only it says.
    pub(super) only: Vec<(usize, Vec<String>)>,
}

/// Compares what runs say: pairs of what makes two the same, and a text.
pub(super) fn shared<'a>(of: impl IntoIterator<Item = (usize, &'a [(String, String)])>) -> Shared {
    let mut said: BTreeMap<&str, (&str, Vec<usize>)> = BTreeMap::new();
    let mut shared = Shared::default();
    for (at, all) in of {
        shared.runs += 1;
        shared.only.push((at, Vec::new()));
        for (key, text) in all {
            said.entry(key).or_insert_with(|| (text, Vec::new())).1.push(at);
        }
    }
    for (text, by) in said.into_values() {
        match by.len() {
            1 => {
                let own = shared.only.iter_mut().find(|(at, _)| *at == by[0]);
                if let Some((_, texts)) = own {
                    texts.push(text.to_owned());
                }
            }
            count if count == shared.runs => shared.in_all.push(text.to_owned()),
            count => shared.in_some.push((text.to_owned(), count)),
        }
    }
    shared.in_some.stable_sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    if shared.runs == 1 {
        // Alone, nothing is shared and nothing is special.
        shared.only.clear();
    }
    shared
}

/// Errors with their signatures as texts: messages differ in places and numbers.
pub(super) fn errors(of: &ErrorsAndLessonsBody) -> Vec<(String, String)> {
    of.errors.iter().map(|(key, _)| (key.clone(), key.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(texts: &[&str]) -> Vec<(String, String)> {
        texts.iter().map(|text| ((*text).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn what_is_said_is_divided_by_who_says_it() {
        let (a, b, c) = (said(&["x", "y", "z"]), said(&["x", "y"]), said(&["x", "w"]));
        let got = shared([(0, a.as_slice()), (1, b.as_slice()), (4, c.as_slice())]);
        assert_eq!(got.in_all, ["x"]);
        assert_eq!(got.in_some, [("y".to_owned(), 2)]);
        let only: Vec<_> = got.only.iter().map(|(at, texts)| (*at, texts.join(","))).collect();
        assert_eq!(only, [(0, "z".into()), (1, String::new()), (4, "w".into())]);
        assert_eq!(shared([(0, a.as_slice())]).only, []);
    }

    #[test]
    fn cells_keep_what_must_not_be_missed() {
        let run = |from, outcomes: &str| CompareRun {
            from,
            outcomes: outcomes.to_owned(),
            ..crate::views::compare::sample::run("a", None, Outcome::Success)
        };
        assert_eq!(cells(&run(2, "PF"), 1), "  PF");
        assert_eq!(cells(&run(1, "PPF P"), 2), "PFP");
    }

    #[test]
    fn regressions_come_first_and_the_baseline_last() {
        use crate::views::compare::sample::run;
        let runs = [
            run("base", Some(0.9), Outcome::Success),
            run("better", Some(1.0), Outcome::Success),
            run("worst", Some(0.1), Outcome::Failure),
            run("none", None, Outcome::Failure),
            run("worse", Some(0.8), Outcome::Success),
            run("unknown", None, Outcome::Unknown),
        ];
        assert_eq!(ranked(&runs, 0), [2, 4, 3, 1, 5, 0]);
        assert!(is_regression(&runs, 3, 0), "unsolved where the baseline is solved");
        assert!(!is_regression(&runs, 5, 0), "nothing is known of it");
        assert_eq!(versus(&runs, 3, 0), Versus::Unlike);
        let names: Vec<_> = panels(&runs, 0).iter().map(|(s, of)| (s.name(), of.len())).collect();
        assert_eq!(names, [("reported".to_owned(), 4), ("none".to_owned(), 2)]);
    }
}
