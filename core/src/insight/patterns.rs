//! Lessons, approaches and failures that recur (docs/spec/rules.md, "Patterns").

use crate::sort::StableSort as _;
use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Advice, Pattern, PatternKind};
use super::context::InsightContext;
use super::extract;
use super::stuck::classes;
use crate::model::outcome::Outcome;
use crate::model::reward::{count, share};
use crate::model::thresholds::{
    ENOUGH_USES, INJECT_FROM, INJECT_MOST, PRUNE_BELOW, RECURRING, UNUSED_DAYS,
};
use crate::text::kebab;

const DAY_MS: f64 = 24.0 * 3600.0 * 1000.0;

pub(super) fn patterns(context: &InsightContext<'_>) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    if context.judges("pattern/recurring-lesson") {
        patterns.extend(lessons(context));
    }
    if context.judges("pattern/strategy") {
        patterns.extend(extract::strategies(context));
    }
    if context.judges("pattern/antipattern") {
        patterns.extend(extract::antipatterns(context));
    }
    patterns
}

/// One class of lessons.
struct Class {
    /// Its first lesson: the position of the reflection, and which of its lessons.
    first: (usize, usize),
    /// The reflections that have it, by position.
    reflections: BTreeSet<usize>,
}

/// Lessons that recur, with the iterations that have them; texts are not needed to find them.
fn recurring(context: &InsightContext<'_>) -> Vec<(Class, Vec<i64>)> {
    let sketches = context.sketches().iter().enumerate();
    let all: Vec<_> = sketches
        .flat_map(|(at, of)| {
            of.lessons.iter().enumerate().map(move |(i, lesson)| ((at, i), lesson))
        })
        .collect();
    let of_lesson = classes(&all.iter().map(|(_, lesson)| Some(*lesson)).collect::<Vec<_>>());
    let mut classes: BTreeMap<usize, Class> = BTreeMap::new();
    for ((first, _), class) in all.into_iter().zip(of_lesson) {
        let Some(class) = class else { continue };
        let new = || Class { first, reflections: BTreeSet::new() };
        classes.entry(class).or_insert_with(new).reflections.insert(first.0);
    }
    let number = |at: usize| context.reflections.get(at).map(|r| r.at.number);
    classes
        .into_values()
        .map(|class| {
            let mut numbers: Vec<i64> =
                class.reflections.iter().filter_map(|&at| number(at)).collect();
            numbers.dedup();
            (class, numbers)
        })
        .filter(|(_, numbers)| numbers.len() >= RECURRING)
        .collect()
}

/// How many there are.
pub(super) fn recurring_lessons(context: &InsightContext<'_>) -> u32 {
    count(recurring(context).len())
}

/// A lesson as it was written.
fn text_of<'a>(context: &'a InsightContext<'_>, (at, which): (usize, usize)) -> &'a str {
    let mut declared =
        context.items().get(at).into_iter().flatten().filter(|item| item.is_declared);
    declared.nth(which).map_or("", |item| &item.text)
}

fn lessons(context: &InsightContext<'_>) -> Vec<Pattern> {
    let mut recurring = recurring(context);
    // By frequency, then by latest use.
    recurring.stable_sort_by_key(|(class, numbers)| {
        std::cmp::Reverse((class.reflections.len(), numbers.last().copied()))
    });
    let uses = uses(context, &recurring);
    let mut patterns: Vec<Pattern> = recurring
        .into_iter()
        .zip(uses)
        .map(|((class, numbers), uses)| {
            let text = text_of(context, class.first);
            Pattern {
                kind: PatternKind::Lesson,
                pattern_id: kebab(text),
                description: text.to_owned(),
                frequency: count(class.reflections.len()),
                numbers,
                uses: count(uses.all),
                successes: count(uses.good),
                success_rate: share(uses.good, uses.all).filter(|_| uses.all >= ENOUGH_USES),
                confidence: None,
                is_promotable: None,
                advice: uses.is_old.then_some(Advice::Prune),
            }
        })
        .collect();
    advise(&mut patterns);
    patterns
}

/// Iterations that could see a lesson.
#[derive(Clone, Copy, Default)]
struct Uses {
    all: usize,
    good: usize,
    /// Unused for long.
    is_old: bool,
}

/// `pattern/success-rate`.
fn uses(context: &InsightContext<'_>, recurring: &[(Class, Vec<i64>)]) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); recurring.len()];
    if !context.judges("pattern/success-rate") {
        return uses;
    }
    let mut classes_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (id, (class, _)) in recurring.iter().enumerate() {
        for &at in &class.reflections {
            classes_of.entry(at).or_default().push(id);
        }
    }
    // The latest time at which a lesson was written or seen.
    let mut times: Vec<Option<f64>> = vec![None; recurring.len()];
    for (k, step) in context.steps().iter().enumerate() {
        let classes = |positions: &mut dyn Iterator<Item = usize>| -> BTreeSet<usize> {
            positions.filter_map(|at| classes_of.get(&at)).flatten().copied().collect()
        };
        let seen = classes(&mut context.injected(k).into_iter());
        let is_good = step.outcome == Outcome::Success || step.is_improvement == Some(true);
        for &id in &seen {
            uses[id].all += 1;
            uses[id].good += usize::from(is_good);
        }
        for id in seen.into_iter().chain(classes(&mut context.range(k))) {
            // A resumed loop may go back in time: the latest counts, not the last.
            times[id] = match (times[id], step.time_ms) {
                (Some(known), Some(time)) => Some(known.max(time)),
                (known, time) => known.or(time),
            };
        }
    }
    if let Some(now) = context.options.now_ms {
        for (uses, time) in uses.iter_mut().zip(times) {
            uses.is_old = time.is_some_and(|time| now - time >= UNUSED_DAYS * DAY_MS);
        }
    }
    uses
}

fn advise(patterns: &mut [Pattern]) {
    let mut order: Vec<usize> = (0..patterns.len()).collect();
    let rate = |p: &Pattern| p.success_rate.unwrap_or(-1.0);
    order
        .stable_sort_by(|&a, &b| rate(&patterns[b]).total_cmp(&rate(&patterns[a])).then(a.cmp(&b)));
    let mut injected = 0;
    for at in order {
        let Some(pattern) = patterns.get_mut(at) else { continue };
        match pattern.success_rate {
            Some(rate) if rate < PRUNE_BELOW => pattern.advice = Some(Advice::Prune),
            Some(rate)
                if rate >= INJECT_FROM && pattern.advice.is_none() && injected < INJECT_MOST =>
            {
                injected += 1;
                pattern.advice = Some(Advice::Inject);
            }
            _ => {}
        }
    }
}
