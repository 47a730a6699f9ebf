//! Rewards and verdicts that fall, oscillate or stand still (docs/spec/rules.md, "Stuck loops").

use super::context::{InsightContext, Rewarded, list};
use crate::model::details::Details;
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::reward::{points, rounded, share};
use crate::model::thresholds::{
    COVERAGE_FALL, FALL, FALL_STRETCH, FLAT_POINTS, FLAT_STEPS, LONG_FALL, MUCH_USED, NEARLY_USED,
    OSCILLATION, OSCILLATION_FEWEST, OSCILLATION_STRETCH, OSCILLATION_TURNS, STRONG_FALL,
    STRONG_LONG_FALL,
};

pub(super) fn judge(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    flat(context, findings);
    oscillation(context, findings);
    falls(context, findings);
    long_fall(context, findings);
    verdicts(context, findings);
    coverage(context, findings);
    budget(context, findings);
}

fn change(before: &Rewarded, after: &Rewarded) -> f64 {
    rounded(after.reward - before.reward)
}

fn flat(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let Some([a, b, c]) = context.rewarded.last_chunk::<{ FLAT_STEPS + 1 }>() else { return };
    let is_flat = |x, y| points(change(x, y)).abs() < FLAT_POINTS;
    // What is as good as can be cannot rise.
    let is_best = c.reward >= 1.0;
    if context.judges("stuck/flat") && !is_best && is_flat(a, b) && is_flat(b, c) {
        findings.push(context.finding(
            "stuck/flat",
            Severity::Info,
            format!(
                "The last {FLAT_STEPS} steps moved the reward by {:+.1} and {:+.1} points.",
                points(change(a, b)),
                points(change(b, c))
            ),
            context.evidence([a.k, b.k, c.k]),
        ));
    }
}

fn oscillation(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let start = context.rewarded.len().saturating_sub(OSCILLATION_STRETCH);
    let last = context.rewarded.get(start..).unwrap_or_default();
    if last.len() < OSCILLATION_FEWEST || !context.judges("oscillation/reward") {
        return;
    }
    let steps: Vec<_> = last.array_windows::<2>().map(|[a, b]| change(a, b)).collect();
    let is_strong = |change: f64| change.abs() > OSCILLATION;
    let is_turn = |[a, b]: &&[f64; 2]| a * b < 0.0 && is_strong(*a) && is_strong(*b);
    let turns = steps.array_windows::<2>().filter(is_turn).count();
    if turns >= OSCILLATION_TURNS {
        let evidence = context.evidence(last.iter().map(|r| r.k));
        let message = format!(
            "The reward changed direction {turns} times in iterations {}.",
            list(&evidence)
        );
        let finding = context.finding("oscillation/reward", Severity::Warning, message, evidence);
        findings.push(finding.hint("Two requirements may conflict. Name both in one reflection."));
    }
}

fn falls(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    if !context.judges("regression/reward") {
        return;
    }
    for [before, after] in context.rewarded.array_windows::<2>() {
        let change = change(before, after);
        if change < -FALL {
            let strong = if change < -STRONG_FALL { "strongly, " } else { "" };
            findings.push(context.finding(
                "regression/reward",
                Severity::Warning,
                format!(
                    "The reward fell {strong}by {:.3}, from {:.3} to {:.3}.",
                    change.abs(),
                    before.reward,
                    after.reward
                ),
                context.evidence([before.k, after.k]),
            ));
        }
    }
}

fn long_fall(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let Some(last) = context.rewarded.last_chunk::<FALL_STRETCH>() else { return };
    let [first, .., end] = last;
    let fall = -change(first, end);
    if context.judges("regression/stretch") && fall > LONG_FALL {
        let strong = if fall > STRONG_LONG_FALL { "strongly, " } else { "" };
        findings.push(context.finding(
            "regression/stretch",
            Severity::Warning,
            format!("Over the last {FALL_STRETCH} rewards, the reward fell {strong}by {fall:.3}."),
            context.evidence(last.iter().map(|r| r.k)),
        ));
    }
}

fn verdicts(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    if !context.judges("regression/verdict") {
        return;
    }
    for (k, [before, after]) in context.steps().array_windows::<2>().enumerate() {
        if (before.outcome, after.outcome) != (Outcome::Success, Outcome::Failure) {
            continue;
        }
        let kind = |k| context.details(k).and_then(|d| d.verification.as_deref());
        if let (Some(earlier), Some(later)) = (kind(k), kind(k + 1))
            && earlier == later
        {
            let message = format!(
                "Iteration {} failed, but iteration {} passed the same kind of verification ({later}).",
                after.number, before.number
            );
            let evidence = context.evidence([k, k + 1]);
            let finding =
                context.finding("regression/verdict", Severity::Warning, message, evidence);
            findings
                .push(finding.hint("Go back to the passing version and make a smaller change."));
        }
    }
}

/// Percentage of covered lines.
pub(super) fn coverage_of(details: &Details) -> Option<f64> {
    let is_coverage = |name: &str| matches!(name, "coverage_percentage" | "coverage");
    details.counters.iter().find(|c| is_coverage(&c.name)).map(|c| c.value)
}

fn coverage(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    if !context.judges("regression/coverage") {
        return;
    }
    let all: Vec<_> =
        (0..context.steps().len()).map(|k| context.details(k).and_then(coverage_of)).collect();
    for (k, pair) in all.windows(2).enumerate() {
        if let [Some(before), Some(after)] = pair
            && rounded(before - after) >= COVERAGE_FALL
        {
            findings.push(context.finding(
                "regression/coverage",
                Severity::Warning,
                format!("Coverage fell from {before} % to {after} %."),
                context.evidence([k, k + 1]),
            ));
        }
    }
}

fn budget(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let used = context.steps().len();
    let Some(limit) = context.options.max_iterations.filter(|limit| *limit > 0) else { return };
    let Some(share) = share(used, limit as usize) else { return };
    let (rule, severity) = if share > 1.0 {
        ("budget/over", Severity::Warning)
    } else if share >= NEARLY_USED {
        ("budget/iterations", Severity::Warning)
    } else if share >= MUCH_USED {
        ("budget/iterations", Severity::Info)
    } else {
        return;
    };
    if context.judges(rule) {
        let message = if share > 1.0 {
            let are = if limit == 1 { "is" } else { "are" };
            format!("{used} iterations were used, but only {limit} {are} allowed.")
        } else {
            format!("The run used {used} of {limit} allowed iterations.")
        };
        let evidence = context.evidence(used.checked_sub(1));
        findings.push(context.finding(rule, severity, message, evidence));
    }
}
