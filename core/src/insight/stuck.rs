//! Reflections that say again what was said (`stuck/*`), and that lose sight of the aim.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::Repetition;
use super::context::{InsightContext, list};
use super::similarity::SimilarityIndex;
use super::stretch::stretch_of;
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::reward::{count, share};
use crate::model::thresholds::{CYCLE_TIMES, DRIFT_OFF, DRIFT_REFLECTIONS, DRIFT_WORDS};
use crate::sketch::{NEAR, Sketch, each_word};
use crate::text::norm;

pub(super) fn judge(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    repeats(context, findings);
    recurring(context, findings);
    cycles(context, findings);
    drift(context, findings);
}

/// Whether the run is stuck now: a warning is about its latest attempt, and that was no success. Warnings about
/// earlier attempts get a sentence that says so. The latest attempt is the last one with a reflection, for
/// some writers reflect on no attempt after which there is no other.
pub(super) fn settle(context: &InsightContext<'_>, findings: &mut [Finding]) -> bool {
    if !findings.iter().any(is_warning) {
        return false;
    }
    let steps = context.steps();
    let latest = context.reflections.iter().zip(context.said()).rev();
    let latest = latest.filter(|(_, said)| said.is_some()).map(|(r, _)| r.at.number).next();
    let latest = latest.or(steps.last().map(|step| step.number));
    let is_solved = steps.last().is_some_and(|step| step.outcome == Outcome::Success);
    let mut is_stuck = false;
    for finding in findings.iter_mut().filter(|finding| is_warning(finding)) {
        let all = || finding.evidence.iter().map(|evidence| evidence.number);
        let ends = all().next().zip(all().next_back());
        // Behind a success the same again is another beginning.
        let stretch = stretch_of(steps, &finding.evidence, context.repeated).or(ends);
        if stretch.map(|(_, to)| to) >= latest && !is_solved {
            is_stuck = true;
            continue;
        }
        if let Some((from, to)) = stretch {
            let message = &finding.message;
            finding.message =
                format!("{message} The loop was stuck at attempts {from} to {to}, and moved on.");
        }
    }
    is_stuck
}

/// Whether a finding says that the run is or was stuck.
pub(crate) fn is_warning(finding: &Finding) -> bool {
    finding.severity == Severity::Warning && finding.rule.starts_with("stuck/")
}

/// Counts neighbours, where any rule compares them.
pub(super) fn repetition(context: &InsightContext<'_>) -> Option<Repetition> {
    let rules = ["stuck/repeated-reflection", "stuck/near-repeat"];
    if !context.is_chain() || !rules.iter().any(|rule| context.judges(rule)) {
        return None;
    }
    let said = context.said();
    let pairs = || said.array_windows::<2>().filter_map(|[a, b]| a.zip(*b));
    Some(Repetition {
        pairs: count(said.len().saturating_sub(1)),
        same: count(pairs().filter(|(a, b)| a.is_same(b)).count()),
        near: count(pairs().filter(|(a, b)| a.is_near(b)).count()),
    })
}

/// Stretches of at least `least` positions whose neighbours are similar, as `start..end`.
fn stretches(
    len: usize,
    least: usize,
    is_similar: impl Fn(usize) -> bool,
) -> Vec<std::ops::Range<usize>> {
    let mut stretches = Vec::new();
    let mut start = 0;
    for at in 1..=len {
        if at == len || !is_similar(at) {
            if at - start >= least {
                stretches.push(start..at);
            }
            start = at;
        }
    }
    stretches
}

fn repeats(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let rules = ["stuck/repeated-reflection", "stuck/near-repeat"];
    if !rules.iter().any(|rule| context.judges(rule)) {
        return;
    }
    let said = context.said();
    let pair = |at: usize, is_similar: &dyn Fn(&Sketch, &Sketch) -> bool| matches!((said[at - 1], said[at]), (Some(a), Some(b)) if is_similar(a, b));
    let same = stretches(said.len(), context.repeated, |at| pair(at, &Sketch::is_same));
    let mut near = stretches(said.len(), context.repeated, |at| pair(at, &Sketch::is_near));
    if context.judges(rules[0]) {
        // A near repeat inside a stretch that is reported as the same is not reported again.
        near.retain(|n| !same.iter().any(|s| s.start <= n.start && n.end <= s.end));
    }
    let texts = if context.is_told() { "messages of the evaluator" } else { "reflections" };
    let kinds = [
        (rules[0], "say the same", same),
        (rules[1], "say nearly the same from one to the next", near),
    ];
    for (rule, alike, all) in kinds {
        for stretch in all.into_iter().filter(|_| context.judges(rule)) {
            let n = stretch.len();
            let evidence = context.evidence_of(stretch);
            let message = format!("{n} {texts} in a row {alike}: {}.", list(&evidence));
            let is_stuck = stretch_of(context.steps(), &evidence, context.repeated).is_some();
            let severity = if is_stuck { Severity::Warning } else { Severity::Info };
            let finding = context.finding(rule, severity, message, evidence);
            findings.push(finding.hint(TRY_ANOTHER));
        }
    }
}

const TRY_ANOTHER: &str =
    "Ask for a different approach, or remove these reflections from the memory.";

fn recurring(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    if !context.judges("stuck/recurring-reflection") {
        return;
    }
    let mut alike: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, said) in context.said().into_iter().enumerate() {
        if let Some(said) = said {
            alike.entry(said.same).or_default().push(at);
        }
    }
    let mut found: Vec<_> = alike
        .into_values()
        .filter(|all| all.len() >= context.repeated)
        .filter(|all| all.windows(2).any(|w| matches!(w, [a, b] if a + 1 != *b)))
        .collect();
    found.sort_unstable();
    for positions in found {
        let n = positions.len();
        let evidence = context.evidence_of(positions);
        let message =
            format!("The same reflection occurs {n} times: iterations {}.", list(&evidence));
        findings.push(context.finding(
            "stuck/recurring-reflection",
            Severity::Info,
            message,
            evidence,
        ));
    }
}

fn cycles(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let kinds = [("stuck/cycle-2", 2), ("stuck/cycle-3", 3)];
    if !kinds.iter().any(|(rule, _)| context.judges(rule)) {
        return;
    }
    let classes = classes(&context.said());
    for (rule, period) in kinds {
        for stretch in periodic(&classes, period) {
            let kinds: BTreeSet<_> = classes[stretch.clone()].iter().collect();
            if kinds.len() < 2 || !context.judges(rule) {
                continue;
            }
            let evidence = context.evidence_of(stretch);
            let message =
                format!("The reflections repeat every {period} iterations: {}.", list(&evidence));
            let finding = context.finding(rule, Severity::Warning, message, evidence);
            findings.push(finding.hint(TRY_ANOTHER));
        }
    }
}

/// Longest stretches that repeat with a period.
fn periodic(classes: &[Option<usize>], period: usize) -> Vec<std::ops::Range<usize>> {
    let len = classes.len().saturating_sub(period);
    let is_again = |at: usize| classes[at].is_some() && classes[at] == classes[at + period];
    let mut found = Vec::new();
    let mut start = None;
    for at in 0..=len {
        if at < len && is_again(at) {
            start.get_or_insert(at);
        } else if let Some(first) = start.take()
            && at - first >= (CYCLE_TIMES - 1) * period
        {
            found.push(first..at + period);
        }
    }
    found
}

/// Classes of texts that are near each other: each joins the first earlier class whose first text
/// it is near to, else it begins one. None for texts that are blank or not read.
pub(super) fn classes(texts: &[Option<&Sketch>]) -> Vec<Option<usize>> {
    let mut known: BTreeMap<u64, usize> = BTreeMap::new();
    let long = texts.iter().flatten().filter(|said| said.has_enough_words());
    let distinct: BTreeMap<u64, &[u32]> = long.map(|said| (said.same, &said.windows[..])).collect();
    let mut similar = SimilarityIndex::new(NEAR, distinct.values().copied());
    // Class of each set in `similar`.
    let mut leads = Vec::new();
    let mut next = 0;
    texts
        .iter()
        .map(|said| {
            let said = (*said)?;
            if let Some(&class) = known.get(&said.same) {
                return Some(class);
            }
            let is_long = said.has_enough_words();
            let near = if is_long { similar.find(&said.windows) } else { Vec::new() };
            let joined = near.first().and_then(|(lead, _)| leads.get(*lead).copied());
            let class = joined.unwrap_or(next);
            if class == next {
                next += 1;
                if is_long {
                    similar.insert(&said.windows);
                    leads.push(class);
                }
            }
            known.insert(said.same, class);
            Some(class)
        })
        .collect()
}

/// `drift/objective`: a weak sign, judged only when asked for.
fn drift(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    if !context.judges("drift/objective") {
        return;
    }
    let of_record = || (0..context.steps().len()).find_map(|k| context.details(k)?.task.as_deref());
    let objective = context.options.objective.as_deref().or(context.loaded_run.task.as_deref());
    let Some(objective) = objective.or_else(of_record).map(norm) else { return };
    let mut aim = BTreeSet::new();
    each_word(&objective, |word| {
        aim.insert(word);
    });
    let start = context.reflections.len().saturating_sub(DRIFT_REFLECTIONS);
    let off: Vec<usize> = (start..context.reflections.len())
        .filter(|&at| {
            let said =
                context.reflections.get(at).and_then(|r| r.full).map(|full| norm(&full.text));
            let Some(said) = said.filter(|said| !said.is_empty()) else { return false };
            let mut left = aim.clone();
            each_word(&said, |word| {
                left.remove(word);
            });
            let shared = share(aim.len() - left.len(), aim.len());
            shared.is_some_and(|shared| shared < DRIFT_WORDS)
        })
        .collect();
    if off.len() >= DRIFT_OFF {
        let message = format!(
            "{} of the last {} reflections contain less than {DRIFT_WORDS} of the words of the objective.",
            off.len(),
            context.reflections.len() - start
        );
        let evidence = context.evidence_of(off);
        findings.push(context.finding("drift/objective", Severity::Info, message, evidence));
    }
}
