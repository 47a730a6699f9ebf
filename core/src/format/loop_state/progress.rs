//! How far an iteration or a run has come: tests, criteria, phases, and the reward that they make
//! (docs/spec/rules.md, "Reward").

use serde_json::Value;

use super::super::extracted::Said;
use super::super::members::Members;
use super::spelling::TESTS;
use super::verdict;
use crate::json::numeric::{self, Numeric};
use crate::model::details::Counter;
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::reward::{self, Scale, rounded};
use crate::model::view::RewardView;
use crate::validate::labels::shown;

/// Counts of tests and the coverage in percent.
pub(crate) fn counters(members: &mut Members<'_>) -> Vec<Counter> {
    let mut counters = tests(members);
    // A bare share between 0 and 1 may be either scale; it stays a text.
    let is_percent = |n: &Numeric| n.share().is_some() || n.value == 0.0 || n.value > 1.0;
    let percent = |value: &Value| numeric::of(value).filter(is_percent);
    if let Some((name, number)) = members.peek(&["coverage", "coverage_percentage"], percent) {
        members.numeric(&[name]);
        let value = number.share().map_or(number.value, |share| rounded(share * 100.0));
        counters.push(Counter { name: "coverage_percentage".to_owned(), value });
    }
    counters
}

/// Counts of tests; `12/15` passed gives the total too.
fn tests(members: &mut Members<'_>) -> Vec<Counter> {
    let mut counters = Vec::new();
    let mut total = None;
    for &(name, spellings) in TESTS {
        let of_whole = |value: &Value| numeric::parts(value.as_str()?);
        if let Some((spelling, (part, whole))) = members.peek(spellings, of_whole) {
            members.numeric(&[spelling]);
            counters.push(Counter { name: name.to_owned(), value: part });
            total = Some(whole);
        } else if let Some(value) = members.number(spellings) {
            counters.push(Counter { name: name.to_owned(), value });
        }
    }
    if let Some(value) = total.filter(|_| !counters.iter().any(|c| c.name == "tests_total")) {
        counters.push(Counter { name: "tests_total".to_owned(), value });
    }
    counters
}

/// Reward of a run: a percentage that it reports, else what tests, criteria or phases make.
pub(crate) fn reward(members: &mut Members<'_>, counters: &[Counter]) -> Option<RewardView> {
    reported(members)
        .or_else(|| from_tests(counters))
        .or_else(|| from_criteria(members))
        .or_else(|| from_phases(members))
}

/// Counts that stand inside another member of a state: of its phases, metrics or totals.
pub(crate) fn inner_counters(members: &Members<'_>) -> Vec<Counter> {
    let of_object = |name| members.look(&[name], |v| v.is_object().then_some(v));
    let summed = of_object("phase_results").map(of_phases).unwrap_or_default();
    if !summed.is_empty() {
        return summed;
    }
    let inner = ["metrics", "totals"].into_iter().filter_map(of_object);
    let mut counts = inner.map(|value| tests(&mut Members::of(value, "")));
    counts.find(|counters| !counters.is_empty()).unwrap_or_default()
}

/// A percentage as text; a bare number names no scale and is no reward.
fn reported(members: &mut Members<'_>) -> Option<RewardView> {
    let scaled = |value: &Value| numeric::of(value).filter(|n| n.scale.is_some());
    let names = ["pass_rate", "executable_pass_rate"];
    let (name, number) = members.peek(&names, scaled)?;
    let (_, raw) = members.peek(&[name], |value| value.as_str())?;
    members.numeric(&[name]);
    let Some(value) = number.share() else {
        out_of_range(members, name, raw);
        return None;
    };
    let scale = number.scale.unwrap_or(Scale::Percent);
    Some(RewardView::reported(value, Some(raw.to_owned()), scale))
}

/// Reward in percent as a member declares it: `completionPercentage`, `quality_score`.
pub(crate) fn percent(members: &mut Members<'_>, names: &[&str]) -> Option<RewardView> {
    let (name, number) = members.peek(names, numeric::of)?;
    let (_, raw) = members.peek(&[name], super::super::read::text)?;
    members.numeric(&[name]);
    let share = match number.scale {
        None => Some(number.value / 100.0).filter(|share| (0.0..=1.0).contains(share)),
        Some(_) => number.share(),
    };
    let Some(share) = share else {
        out_of_range(members, name, &raw);
        return None;
    };
    let scale = if number.scale == Some(Scale::Ratio) { Scale::Ratio } else { Scale::Percent };
    Some(RewardView::reported(rounded(share), Some(raw), scale))
}

fn out_of_range(members: &mut Members<'_>, name: &str, raw: &str) {
    let finding = Finding::new(
        "reward/out-of-range",
        Severity::Error,
        format!("The percentage is {raw}, outside 0 to 100. It is not used as a reward."),
    )
    .contrast("0 to 100", shown(&Value::from(raw)))
    .pointer(members.pointer(name));
    members.findings.push(finding);
}

/// `reward/derive-tests`.
pub(super) fn from_tests(counters: &[Counter]) -> Option<RewardView> {
    let count = |name: &str| Counter::find(counters, name);
    let partial = count("tests_partial").unwrap_or(0.0);
    let extracted = Said {
        tests_passed: count("tests_passed"),
        tests_failed: count("tests_failed").map(|failed| failed + partial),
        tests_total: count("tests_total"),
        ..Said::default()
    };
    let (value, rule) = extracted.derived()?;
    Some(derived(value, rule))
}

/// `reward/derive-criteria`.
pub(crate) fn from_criteria(members: &Members<'_>) -> Option<RewardView> {
    const RULE: &str = "reward/derive-criteria";
    if let Some((met, all)) = members.look(&["criteria_status"], verdict::met) {
        return share(met, all, RULE);
    }
    let number = |name| members.look(&[name], Value::as_f64);
    let (met, all) = (number("criteria_met")?, number("criteria_total")?);
    let is_share = all > 0.0 && (0.0..=all).contains(&met);
    is_share.then(|| derived(met / all, RULE))
}

/// `reward/derive-phases`: of the phases that a state lists as done and still to do.
fn from_phases(members: &Members<'_>) -> Option<RewardView> {
    const RULE: &str = "reward/derive-phases";
    let list = |name| members.look(&[name], Value::as_array);
    let done = list("phases_completed");
    let open: Vec<_> = ["phases_pending", "phases_remaining", "phases_in_progress"]
        .into_iter()
        .filter_map(list)
        .collect();
    let phases = members.peek(&["phases"], |v| (v.is_array() || v.is_object()).then_some(v));
    match (done, phases) {
        (Some(done), _) if !open.is_empty() => {
            let listed = || open.iter().copied().flatten().chain(done);
            let under_way = members.peek(&["currentPhase"], |v| v.as_str().map(|_| v));
            let is_new = under_way.is_some_and(|(_, phase)| !listed().any(|p| p == phase));
            share(done.len(), listed().count() + usize::from(is_new), RULE)
        }
        (Some(done), Some((_, Value::Array(all)))) if done.len() <= all.len() => {
            share(done.len(), all.len(), RULE)
        }
        (None, Some((_, phases))) => {
            let words = statuses(phases);
            let is_done = |word: &&str| Outcome::read(word).0 == Outcome::Success;
            share(words.iter().copied().filter(|w| is_done(w)).count(), words.len(), RULE)
        }
        _ => None,
    }
}

/// The status of each phase, where each has one.
fn statuses(phases: &Value) -> Vec<&str> {
    let words: Option<Vec<&str>> = match phases {
        Value::Array(items) => items.iter().map(status).collect(),
        Value::Object(named) => named.values().map(|v| v.as_str().or_else(|| status(v))).collect(),
        _ => None,
    };
    words.unwrap_or_default()
}

fn status(phase: &Value) -> Option<&str> {
    phase.get("status")?.as_str()
}

/// Sums of `{pass, fail, partial, skip, total}` or `{tests, passed, failed}` over the phases.
fn of_phases(phases: &Value) -> Vec<Counter> {
    const SUMS: [(&str, [&str; 2]); 5] = [
        ("tests_passed", ["pass", "passed"]),
        ("tests_failed", ["fail", "failed"]),
        ("tests_partial", ["partial", "partial"]),
        ("tests_skipped", ["skip", "skipped"]),
        ("tests_total", ["total", "tests"]),
    ];
    let phases = || phases.as_object().into_iter().flat_map(|p| p.values());
    let sum = |(name, spellings): (&str, [&str; 2])| {
        let counts = || phases().filter_map(|p| spellings.iter().find_map(|s| p.get(s)?.as_f64()));
        let value = counts().sum();
        counts().next().map(|_| Counter { name: name.to_owned(), value })
    };
    SUMS.into_iter().filter_map(sum).collect()
}

fn share(part: usize, whole: usize, rule: &'static str) -> Option<RewardView> {
    reward::share(part, whole).map(|share| derived(share, rule))
}

fn derived(value: f64, rule: &str) -> RewardView {
    RewardView::derived(rounded(value), Scale::Ratio, rule)
}
