//! Approaches that went along with success, and errors with failure (`pattern/strategy`,
//! `pattern/antipattern`, `pattern/gate`).

use crate::sort::StableSort as _;
use std::collections::BTreeMap;

use super::answer::{Pattern, PatternKind};
use super::context::InsightContext;
use super::errors::errors_of;
use crate::model::outcome::Outcome;
use crate::model::reward::{count, share};
use crate::model::thresholds::{
    ANTIPATTERN_CONFIDENCE, ANTIPATTERN_ERRORS, GATE_ANTIPATTERN, GATE_CONFIDENCE, GATE_STRATEGY,
    STRATEGY_CONFIDENCE, STRATEGY_SHARE,
};
use crate::text::{kebab, norm};

/// Approach of an iteration: its strategy, else the one that the iteration before announced, else
/// its rationale.
fn approach<'a>(context: &InsightContext<'a>, k: usize) -> Option<&'a str> {
    let details = context.details(k)?;
    let announced = || k.checked_sub(1).and_then(|k| context.details(k)?.strategy_next.as_deref());
    details.strategy.as_deref().or_else(announced).or(details.rationale.as_deref())
}

/// The group of an approach, by its first keyword.
fn approach_group(text: &str) -> Option<String> {
    let norm = norm(text);
    let has = |word: &str| norm.contains(word);
    if has("test-driven") || (has("test") && has("first")) {
        return Some("test-first".to_owned());
    }
    if has("incremental") || has("step by step") {
        return Some("incremental".to_owned());
    }
    if has("refactor") && has("after") {
        return Some("refactor-after".to_owned());
    }
    if has("small change") || has("minimal") {
        return Some("minimal-change".to_owned());
    }
    beginning(&norm)
}

/// The first 100 characters of a text longer than 10.
fn beginning(norm: &str) -> Option<String> {
    (norm.chars().count() > 10).then(|| norm.chars().take(100).collect())
}

/// Approaches of most successes (`pattern/strategy`).
pub(super) fn strategies(context: &InsightContext<'_>) -> Vec<Pattern> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for k in 0..context.steps().len() {
        if let Some(group) = approach(context, k).and_then(approach_group) {
            groups.entry(group).or_default().push(k);
        }
    }
    let is_success = |k: usize| {
        context.steps().get(k).is_some_and(|s| {
            let is_up = s.delta.is_some_and(|d| d > 0.0);
            s.outcome == Outcome::Success && (is_up || s.reward.is_none())
        })
    };
    let successes = (0..context.steps().len()).filter(|&k| is_success(k)).count();
    let mut patterns: Vec<Pattern> = groups
        .into_iter()
        .filter_map(|(group, all)| {
            let used = all.iter().filter(|&&k| is_success(k)).count();
            let share = share(used, successes).filter(|share| *share >= STRATEGY_SHARE)?;
            let confidence = share.min(STRATEGY_CONFIDENCE);
            Some(pattern(context, PatternKind::Strategy, group, &all, used, confidence))
        })
        .collect();
    patterns.stable_sort_by_key(|p| std::cmp::Reverse(p.frequency));
    patterns
}

/// The group of an error, by its first keyword.
fn error_group(kind: &str, message: &str) -> Option<String> {
    // Not as markup: `tests_failing` is a name.
    let text = norm(&message.replace('_', " "));
    let all = format!("{} {text}", kind.to_lowercase());
    let has = |word: &str| all.contains(word);
    let groups = [
        ("syntax", has("syntax") || has("parse")),
        ("null", has("undefined") || has("null")),
        ("timeout", has("timeout") || has("timed out")),
        ("permission", has("permission") || has("access denied")),
        ("module", has("cannot find module") || (has("module") && has("not found"))),
    ];
    let named = groups.into_iter().find(|(_, is_met)| *is_met);
    named.map(|(name, _)| name.to_owned()).or_else(|| beginning(&text))
}

/// Errors of most failures (`pattern/antipattern`).
pub(super) fn antipatterns(context: &InsightContext<'_>) -> Vec<Pattern> {
    let failed = context.steps().iter().filter(|step| step.outcome == Outcome::Failure).count();
    // Errors of failed iterations by group, and every iteration that has the group.
    let mut groups: BTreeMap<String, (usize, Vec<usize>)> = BTreeMap::new();
    for (k, step) in context.steps().iter().enumerate() {
        for error in context.details(k).into_iter().flat_map(errors_of) {
            let Some(group) = error_group(&error.kind, &error.message) else { continue };
            let (errors, ordinals) = groups.entry(group).or_default();
            *errors += usize::from(step.outcome == Outcome::Failure);
            if ordinals.last() != Some(&k) {
                ordinals.push(k);
            }
        }
    }
    let mut patterns: Vec<Pattern> = groups
        .into_iter()
        .filter(|(_, (errors, _))| *errors >= ANTIPATTERN_ERRORS)
        .filter_map(|(name, (errors, ordinals))| {
            let confidence = share(errors, failed)?.min(ANTIPATTERN_CONFIDENCE);
            Some(pattern(context, PatternKind::Antipattern, name, &ordinals, errors, confidence))
        })
        .collect();
    patterns.stable_sort_by_key(|p| std::cmp::Reverse(p.frequency));
    patterns
}

/// The pattern of a group; `ordinals` are the iterations that have it.
fn pattern(
    context: &InsightContext<'_>,
    kind: PatternKind,
    name: String,
    ordinals: &[usize],
    frequency: usize,
    confidence: f64,
) -> Pattern {
    let is_success =
        |k: &&usize| context.steps().get(**k).is_some_and(|s| s.outcome == Outcome::Success);
    let successes = ordinals.iter().filter(is_success).count();
    let rate = share(successes, ordinals.len());
    let is_promotable = rate.map(|rate| {
        confidence >= GATE_CONFIDENCE
            && match kind {
                PatternKind::Antipattern => rate <= GATE_ANTIPATTERN,
                PatternKind::Strategy | PatternKind::Lesson => rate >= GATE_STRATEGY,
            }
    });
    Pattern {
        kind,
        pattern_id: kebab(&name),
        numbers: ordinals.iter().map(|&k| context.number(k)).collect(),
        description: name,
        frequency: count(frequency),
        uses: count(ordinals.len()),
        successes: count(successes),
        success_rate: rate,
        confidence: Some(confidence),
        is_promotable: is_promotable.filter(|_| context.judges("pattern/gate")),
        advice: None,
    }
}
