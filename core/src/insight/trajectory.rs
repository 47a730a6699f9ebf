//! Where the rewards of a run go, and where they stop going (docs/spec/rules.md,
//! "Trajectory and best").

use super::answer::Trajectory;
use super::context::{InsightContext, list, mean};
use crate::history::Run;
use crate::history::loaded_run::LoadedStep;
use crate::model::curve::{self, Low, TrajectoryClass, relative};
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::reward::{count, points, rounded};
use crate::model::thresholds::{
    PLATEAU_MEAN, PLATEAU_MEAN_STEPS, PLATEAU_RELATIVE, PLATEAU_STEPS, STOP_CONFIDENCE,
    STOP_CONFIDENT_REWARD, STOP_FALLS, STOP_REWARD,
};
use crate::text::counted;

impl Run<'_> {
    /// Where its rewards go (`trajectory/class`), from columns: for lists of many runs.
    pub fn trajectory(&self) -> TrajectoryClass {
        let all: Vec<_> = self.rewards().iter().copied().filter(|r| !r.is_nan()).collect();
        curve::class(&all).0
    }
}

/// The answers that are numbers, whatever rules were chosen.
pub(super) fn trajectory(context: &InsightContext<'_>) -> Trajectory {
    let options = context.options;
    // Void iterations belong to the class, if they have a reward.
    let all: Vec<_> = context.steps().iter().filter_map(|step| step.reward).collect();
    let (class, [up, down, flat]) = curve::class(&all);
    let rewards: Vec<_> = context.rewarded.iter().map(|r| r.reward).collect();
    let needed = options.diminishing_steps.max(1) as usize;
    let is_verdicts = is_verdicts(context.steps());
    let diminishing = |low| {
        if is_verdicts {
            return None;
        }
        let at = curve::diminishing(&rewards, needed, low)?;
        context.rewarded.get(at).map(|r| context.number(r.k))
    };
    let (learning_rate, slope) = match (rewards.first(), rewards.last(), rewards.len()) {
        (Some(first), Some(last), n) if n >= 2 => {
            let n = f64::from(count(n));
            let gain = last - first;
            (Some(rounded(gain / n)), Some(rounded(gain / (n - 1.0))))
        }
        _ => (None, None),
    };
    Trajectory {
        class,
        up,
        down,
        flat,
        diminishing_relative: diminishing(Low::Relative(options.diminishing_relative)),
        diminishing_relative_v1: diminishing(Low::RelativeV1(options.diminishing_relative)),
        diminishing_absolute: diminishing(Low::Absolute(options.diminishing_points)),
        learning_rate,
        slope,
        ..super::best::of(context)
    }
}

/// Whether all rewards that count are verdicts, yes or no: then the size of a step says nothing.
pub(super) fn is_verdicts(steps: &[LoadedStep]) -> bool {
    let mut counts = steps.iter().filter(|step| step.outcome != Outcome::Void);
    counts.all(|step| step.reward.is_none_or(|reward| matches!(reward, 0.0 | 1.0)))
}

pub(super) fn judge(
    context: &InsightContext<'_>,
    trajectory: &Trajectory,
    findings: &mut Vec<Finding>,
) {
    diminishing(context, trajectory, findings);
    if !is_verdicts(context.steps()) {
        plateau(context, findings);
    }
    stop(context, findings);
    super::best::judge(context, trajectory, findings);
}

fn diminishing(context: &InsightContext<'_>, trajectory: &Trajectory, findings: &mut Vec<Finding>) {
    let options = context.options;
    let needed = options.diminishing_steps.max(1) as usize;
    let percent = format!("{} %", points(options.diminishing_relative));
    let kinds = [
        ("diminishing/relative", trajectory.diminishing_relative, false, percent.clone()),
        (
            "diminishing/relative-v1",
            trajectory.diminishing_relative_v1,
            false,
            format!("{percent}, where a step from 0 counts as no change"),
        ),
        (
            "diminishing/absolute",
            trajectory.diminishing_absolute,
            true,
            format!("{} points", options.diminishing_points),
        ),
    ];
    for (rule, number, is_first, limit) in kinds {
        let Some(number) = number.filter(|_| context.judges(rule)) else { continue };
        let Some(at) = context.rewarded.iter().position(|r| context.number(r.k) == number) else {
            continue;
        };
        // The steps lead to the iteration that completes them, or begin with the one reported.
        let last = if is_first { at + needed - 1 } else { at };
        let range = last.saturating_sub(needed)..=last;
        let evidence =
            context.evidence(context.rewarded.get(range).unwrap_or_default().iter().map(|r| r.k));
        let message = format!(
            "{needed} steps in a row changed the reward by less than {limit}: iterations {}.",
            list(&evidence)
        );
        let mut finding = context.finding(rule, Severity::Info, message, evidence);
        finding.iteration = Some(number);
        findings.push(finding.hint("More attempts of the same kind will probably not help."));
    }
}

fn plateau(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let rewarded = &context.rewarded;
    if let Some([a, b, c]) = rewarded.last_chunk::<{ PLATEAU_STEPS + 1 }>()
        && context.judges("plateau/relative")
        && let (Some(first), Some(second)) =
            (relative(a.reward, b.reward), relative(b.reward, c.reward))
        && first < PLATEAU_RELATIVE
        && second < PLATEAU_RELATIVE
    {
        findings.push(context.finding(
            "plateau/relative",
            Severity::Info,
            format!(
                "The last {PLATEAU_STEPS} steps changed the reward by {:.2} % and {:.2} %.",
                100.0 * first,
                100.0 * second
            ),
            context.evidence([a.k, b.k, c.k]),
        ));
    }
    if let Some([a, b, c, d]) = rewarded.last_chunk::<{ PLATEAU_MEAN_STEPS + 1 }>()
        && context.judges("plateau/mean")
    {
        // Steps up and down that cancel out are no plateau.
        let changes = [(a, b), (b, c), (c, d)].map(|(x, y)| rounded(y.reward - x.reward).abs());
        if let Some(mean) = mean(&changes).filter(|mean| *mean < PLATEAU_MEAN) {
            findings.push(context.finding(
                "plateau/mean",
                Severity::Info,
                format!(
                    "The last {PLATEAU_MEAN_STEPS} steps changed the reward by {mean:.3} on average, up or down."
                ),
                context.evidence([a.k, b.k, c.k, d.k]),
            ));
        }
    }
}

/// Where the loop could have stopped and went on: each rule once, at the first iteration that meets it.
fn stop(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let went_on = |k: usize| {
        let more = context.steps().len().saturating_sub(k + 1);
        (more > 0).then(|| counted(more, "more iteration"))
    };
    let confident = context.rewarded.iter().find_map(|r| {
        let step = context.steps().get(r.k)?;
        let confidence = context.written_at(r.k).iter().find_map(|w| w.full?.confidence)?;
        (confidence >= STOP_CONFIDENCE
            && r.reward >= STOP_CONFIDENT_REWARD
            && step.outcome == Outcome::Success)
            .then_some((r, confidence))
    });
    if let Some((r, confidence)) = confident.filter(|_| context.judges("stop/high-confidence"))
        && let Some(more) = went_on(r.k)
    {
        findings.push(context.finding(
            "stop/high-confidence",
            Severity::Info,
            format!(
                "Iteration {} succeeded with reward {:.3} and confidence {confidence}: the loop could have stopped there, but went on for {more}.",
                context.number(r.k),
                r.reward
            ),
            context.evidence([r.k]),
        ));
    }
    let enough = context.rewarded.iter().find(|r| r.k > 0 && r.reward >= STOP_REWARD);
    if let Some(r) = enough.filter(|_| context.judges("stop/quality"))
        && let Some(more) = went_on(r.k)
    {
        findings.push(context.finding(
            "stop/quality",
            Severity::Info,
            format!(
                "Iteration {} reached reward {:.3}: the loop could have stopped there, but went on for {more}.",
                context.number(r.k),
                r.reward
            ),
            context.evidence([r.k]),
        ));
    }
    let steps = context.rewarded.array_windows::<2>();
    let falls = steps.filter(|[a, b]| rounded(b.reward - a.reward) < 0.0);
    let falls: Vec<usize> = falls.map(|[_, b]| b.k).take(STOP_FALLS + 1).collect();
    if let Some(&last) = falls.get(STOP_FALLS)
        && context.judges("stop/regressions")
        && let Some(more) = went_on(last)
    {
        findings.push(context.finding(
            "stop/regressions",
            Severity::Info,
            format!(
                "The reward had fallen {} times by iteration {}, and the loop went on for {more}.",
                falls.len(),
                context.number(last)
            ),
            context.evidence(falls),
        ));
    }
}
