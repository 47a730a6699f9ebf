//! What a record says against the reward that was counted from it (`reward/refuted`).

use serde_json::Value;

use crate::json::numeric;
use crate::model::details::{Counter, NamedText};
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, points};
use crate::model::view::RewardView;

/// Names of members that are rates.
const RATES: [&str; 4] = ["pass_rate", "passrate", "success_rate", "successrate"];
/// A rate counts where one of these words stands beside it.
const WORDS: [&str; 4] = ["pass", "succe", "overall", "test"];
/// A rate is of something else where one of these words stands beside it.
const OTHERS: [&str; 7] =
    ["coverage", "target", "goal", "baseline", "threshold", "previous", "at least"];
/// A difference up to this is one of rounding.
const ROUNDING: f64 = 0.005;

/// What the record of an attempt or a run says against `reward`, or else against the reward that its tests
/// make, in a few words; and the finding that says so. `at` is the pointer to the attempt or run.
pub(super) fn of(
    reward: Option<&RewardView>,
    counters: &[Counter],
    outcome: Option<Outcome>,
    texts: &[NamedText],
    at: &str,
) -> Option<(String, Finding)> {
    let counted = super::progress::from_tests(counters);
    let reward = reward.or(counted.as_ref()).filter(|reward| reward.origin == Origin::Derived)?;
    let stated: Vec<_> = texts.iter().filter_map(rate).collect();
    let agrees = |(_, share): &(&str, f64)| (share - reward.value).abs() <= ROUNDING;
    let mut against = Vec::new();
    if let Some((name, share)) = stated.first()
        && !stated.iter().any(agrees)
    {
        against.push(format!("`{name}` states {} %", points(*share)));
    }
    if reward.rule.as_deref() == Some("reward/derive-tests") {
        against.extend(without_result(counters));
    }
    if outcome == Some(Outcome::Aborted) && reward.value >= 1.0 {
        against.push("it was aborted".to_owned());
    }
    if against.is_empty() {
        return None;
    }
    let against = against.join("; ");
    let message = format!(
        "The reward of {:.3} was counted, but the same record says otherwise: {against}.",
        reward.value
    );
    let finding = Finding::new("reward/refuted", Severity::Warning, message)
        .hint("Trust what the record states, and count what did not run as failed.")
        .pointer(at.to_owned());
    Some((against, finding))
}

/// Tests of which the record says neither that they passed nor that they did not.
fn without_result(counters: &[Counter]) -> Option<String> {
    let count = |name: &str| Counter::find(counters, name);
    let all = count("tests_total")?;
    let parts = ["passed", "failed", "partial", "skipped", "blocked"];
    let known: f64 = parts.iter().filter_map(|part| count(&format!("tests_{part}"))).sum();
    // Of a passed count and a total alone, the reward was made of both.
    count("tests_failed")?;
    let left = all - known;
    let have = if left <= 1.0 { "has" } else { "have" };
    (left > 0.0).then(|| format!("{left} of its {all} tests {have} no result"))
}

/// A share of successes that a text states.
fn rate(text: &NamedText) -> Option<(&str, f64)> {
    let name = text.name.to_lowercase();
    if has(&name, &OTHERS) {
        return None;
    }
    let share = if RATES.iter().any(|rate| name.ends_with(rate)) {
        let number = numeric::of(&Value::from(text.text.as_str()))?;
        let bare = if number.value > 1.0 { number.value / 100.0 } else { number.value };
        number.share().or(Some(bare))
    } else {
        let mut clauses = text.text.split([',', ';', '\n', '(', ')']).flat_map(|s| s.split(". "));
        clauses.find_map(in_clause)
    };
    Some((text.name.as_str(), share.filter(|share| (0.0..=1.0).contains(share))?))
}

/// `80.2% passed`, `167 of 484 tests`.
fn in_clause(clause: &str) -> Option<f64> {
    let clause = clause.to_lowercase();
    if !has(&clause, &WORDS) || has(&clause, &OTHERS) {
        return None;
    }
    // Of a change, as from 80 % to 100 %, either may be the one that counts.
    if let Some((before, after)) = clause.split_once('%') {
        if after.contains('%') {
            return None;
        }
        let number = before.trim_end().rsplit(|c: char| !c.is_ascii_digit() && c != '.').next()?;
        return number.parse().ok().map(|percent: f64| percent / 100.0);
    }
    let words: Vec<&str> = clause.split_whitespace().collect();
    let of = words.windows(3).find_map(|three| match three {
        [part, "of", whole] => numeric::parts(&format!("{part} of {whole}")),
        _ => None,
    });
    // One of the words stands behind such a count or just before it: `tests run 11/27` names a day.
    let with_slash = |at: usize| {
        let near = words.get(at.saturating_sub(1)..)?;
        let word = words.get(at).filter(|word| word.contains('/'))?;
        numeric::parts(word).filter(|_| near.iter().any(|word| has(word, &WORDS)))
    };
    let parts = of.or_else(|| (0..words.len()).find_map(with_slash));
    parts.filter(|(_, whole)| *whole > 0.0).map(|(part, whole)| part / whole)
}

fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::loop_state::progress;

    fn against(counts: &[(&str, f64)], outcome: Outcome, texts: &[(&str, &str)]) -> Option<String> {
        let counter =
            |(name, value): &(&str, f64)| Counter { name: format!("tests_{name}"), value: *value };
        let text = |(name, text): &(&str, &str)| NamedText {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
        };
        let counters: Vec<_> = counts.iter().map(counter).collect();
        let texts: Vec<_> = texts.iter().map(text).collect();
        let reward = progress::from_tests(&counters);
        Some(of(reward.as_ref(), &counters, Some(outcome), &texts, "")?.0)
    }

    #[test]
    fn a_record_refutes_its_counts() {
        let all = [("passed", 12.0), ("failed", 0.0)];
        let states = |name, text| against(&all, Outcome::Success, &[(name, text)]);
        assert_eq!(
            states("summary", "Done: 80.2% passed.").as_deref(),
            Some("`summary` states 80.2 %")
        );
        assert_eq!(states("pass_rate", "80.2").as_deref(), Some("`pass_rate` states 80.2 %"));
        assert_eq!(
            states("result", "stopped after 3/12 tests").as_deref(),
            Some("`result` states 25 %")
        );
        for (name, text) in [
            ("summary", "All tests pass, coverage is 80.2 %"),
            ("summary", "It is 80.2 % faster"),
            ("summary", "All pass, unit tests run 11/27"),
            ("summary", "12 of 12 tests pass"),
            ("target_pass_rate", "95%"),
            ("summary", "The target is that 95 % of tests pass"),
            ("summary", "The pass rate went from 80% to 100%"),
            ("pass_rate", "1"),
            ("pass_rate", "none"),
        ] {
            assert_eq!(states(name, text), None, "{text}");
        }
        let cut = [("passed", 167.0), ("failed", 0.0), ("total", 484.0)];
        assert_eq!(
            against(&cut, Outcome::Aborted, &[]).as_deref(),
            Some("317 of its 484 tests have no result; it was aborted")
        );
        let skipped = [("passed", 167.0), ("failed", 0.0), ("skipped", 317.0), ("total", 484.0)];
        assert_eq!(against(&skipped, Outcome::Success, &[]), None);
        let one = [("passed", 11.0), ("failed", 0.0), ("total", 12.0)];
        assert_eq!(
            against(&one, Outcome::Success, &[]).as_deref(),
            Some("1 of its 12 tests has no result")
        );
        assert_eq!(against(&[("passed", 167.0), ("total", 484.0)], Outcome::Success, &[]), None);
    }
}
