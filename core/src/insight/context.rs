//! What rules share: the series of a run made ready once.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::items::{Item, items_of};
use super::rules;
use crate::format::programming_log::WHOLE;
use crate::history::loaded_run::{LoadedRun, LoadedStep};
use crate::model::details::{Details, Reflection};
use crate::model::finding::{Evidence, Finding, Severity};
use crate::model::id::RecordId;
use crate::model::options::InsightOptions;
use crate::model::outcome::Outcome;
use crate::model::reward::rounded;
use crate::model::thresholds::REPEATED_REFLECTIONS;
use crate::model::view::ReflectionRef;
use crate::sketch::{ReflectionSketch, Sketch};

/// An iteration that has a reward and counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rewarded {
    /// Ordinal.
    pub(super) k: usize,
    pub(super) reward: f64,
}

/// A reflection of the run, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reflected<'a> {
    pub(super) at: ReflectionRef,
    /// Ordinal of its iteration; none for one that was written before the first.
    pub(super) k: Option<usize>,
    /// In full, if its record was read.
    pub(super) full: Option<&'a Reflection>,
}

/// A run on which rules are judged.
pub(super) struct InsightContext<'a> {
    pub(super) loaded_run: &'a LoadedRun,
    pub(super) options: &'a InsightOptions,
    /// How many reflections that are the same are too many.
    pub(super) repeated: usize,
    pub(super) rewarded: Vec<Rewarded>,
    pub(super) reflections: Vec<Reflected<'a>>,
    /// Reflections written before each iteration.
    before: Vec<usize>,
    /// Positions of those that windows can hold, and how many of them were written before each
    /// iteration.
    seated: Vec<usize>,
    seated_before: Vec<usize>,
    judged: BTreeSet<&'static str>,
    pub(super) left_out: Vec<String>,
    sketches: OnceCell<Vec<Cow<'a, ReflectionSketch>>>,
    items: OnceCell<Vec<Vec<Item>>>,
}

impl<'a> InsightContext<'a> {
    pub(super) fn new(loaded_run: &'a LoadedRun, options: &'a InsightOptions) -> Self {
        let rewarded = loaded_run
            .steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.outcome != Outcome::Void)
            .filter_map(|(k, step)| Some(Rewarded { k, reward: step.reward? }))
            .collect();
        let reflected =
            |k| move |at: &ReflectionRef| Reflected { at: *at, k, full: loaded_run.reflection(at) };
        let mut reflections: Vec<_> = loaded_run.earlier.iter().map(reflected(None)).collect();
        let mut before = Vec::with_capacity(loaded_run.steps.len());
        for (k, step) in loaded_run.steps.iter().enumerate() {
            before.push(reflections.len());
            reflections.extend(step.reflections.iter().map(reflected(Some(k))));
        }
        let seats: BTreeSet<_> =
            loaded_run.seats.iter().map(|s| (s.at.record, s.at.part)).collect();
        let is_seated = |r: &Reflected<'_>| seats.contains(&(r.at.record, r.at.part));
        let seated: Vec<usize> =
            (0..).zip(&reflections).filter(|(_, r)| is_seated(r)).map(|(at, _)| at).collect();
        let seated_before =
            before.iter().map(|end| seated.partition_point(|at| at < end)).collect();
        let mut judged = BTreeSet::new();
        let mut left_out = Vec::new();
        let mut is_lacking = BTreeMap::new();
        for rule in rules::chosen(options) {
            let is_lacking = *is_lacking
                .entry((rule.needs, rule.is_sketched()))
                .or_insert_with(|| !rules::missing(loaded_run, &rule).is_empty());
            if is_lacking {
                left_out.push(rule.id.to_owned());
            } else {
                judged.insert(rule.id);
            }
        }
        Self {
            loaded_run,
            options,
            repeated: REPEATED_REFLECTIONS,
            rewarded,
            reflections,
            before,
            seated,
            seated_before,
            judged,
            left_out,
            sketches: OnceCell::new(),
            items: OnceCell::new(),
        }
    }

    /// With another number of reflections that are too many.
    pub(super) fn repeated(self, repeated: usize) -> Self {
        Self { repeated, ..self }
    }

    /// Whether a rule was chosen and has what it needs.
    pub(super) fn judges(&self, rule: &str) -> bool {
        self.judged.contains(rule)
    }

    pub(super) fn judges_any(&self, area: &str) -> bool {
        self.judged.iter().any(|rule| rule.starts_with(area))
    }

    /// Whether the reflections form a sequence. They do not where they are of many branches, as in a
    /// search, or belong to no single attempt: comparing neighbours means nothing there.
    pub(super) fn is_chain(&self) -> bool {
        let is_search = self.loaded_run.format.is_search();
        !is_search && !self.loaded_run.steps.iter().any(|step| step.part == WHOLE)
    }

    /// Whether its reflections are messages of an evaluator.
    pub(super) fn is_told(&self) -> bool {
        self.loaded_run.format.traits().is_told
    }

    pub(super) fn steps(&self) -> &'a [LoadedStep] {
        &self.loaded_run.steps
    }

    pub(super) fn number(&self, k: usize) -> i64 {
        self.loaded_run.steps.get(k).map_or(0, |step| step.number)
    }

    pub(super) fn details(&self, k: usize) -> Option<&'a Details> {
        self.loaded_run.details(self.loaded_run.steps.get(k)?)
    }

    /// Positions of the reflections of an iteration.
    pub(super) fn range(&self, k: usize) -> std::ops::Range<usize> {
        let at = |k: usize| self.before.get(k).copied().unwrap_or(self.reflections.len());
        at(k)..at(k + 1)
    }

    /// The reflections of an iteration.
    pub(super) fn written_at(&self, k: usize) -> &[Reflected<'a>] {
        self.reflections.get(self.range(k)).unwrap_or_default()
    }

    /// Sketches of the reflections: those that were kept, else of what was read.
    pub(super) fn sketches(&self) -> &[Cow<'a, ReflectionSketch>] {
        self.sketches.get_or_init(|| {
            let of = |r: &Reflected<'a>| {
                let kept = self.loaded_run.sketch(&r.at).map(Cow::Borrowed);
                kept.or_else(|| Some(Cow::Owned(r.full?.sketch()))).unwrap_or_default()
            };
            self.reflections.iter().map(of).collect()
        })
    }

    /// What was said, in order of the reflections; none for a blank one, which equals nothing.
    pub(super) fn said(&self) -> Vec<Option<&Sketch>> {
        self.sketches().iter().map(|sketch| sketch.text.as_ref()).collect()
    }

    /// Lessons of each reflection.
    pub(super) fn items(&self) -> &[Vec<Item>] {
        self.items.get_or_init(|| {
            self.reflections.iter().map(|r| r.full.map(items_of).unwrap_or_default()).collect()
        })
    }

    /// Positions of the reflections that iteration `k` could see (`window/injected-at`), ascending:
    /// those that records say it was given, unless the options set Ω; otherwise the last Ω that were
    /// written before it, or all of these if there is no Ω.
    pub(super) fn injected(&self, k: usize) -> Vec<usize> {
        let end = self.seated_before.get(k).copied().unwrap_or(0);
        let configured = self.options.omega.map(|omega| omega.min(10));
        if configured.is_none()
            && let Some(numbers) = self.loaded_run.said_at(k)
        {
            return self.seated_at(numbers, end);
        }
        let omega = configured.or_else(|| self.loaded_run.steps.get(k)?.omega);
        let start = omega.map_or(0, |omega| end.saturating_sub(usize::from(omega)));
        self.seated.get(start..end).unwrap_or_default().to_vec()
    }

    /// Positions of the reflections of some numbers, among the first `end` that windows can hold.
    fn seated_at(&self, mut numbers: Vec<i64>, end: usize) -> Vec<usize> {
        numbers.sort_unstable();
        numbers.dedup();
        let all = self.seated.get(..end).unwrap_or_default();
        let number = |at: usize| self.reflections.get(at).map_or(i64::MAX, |r| r.at.number);
        let of_number = |n: i64| {
            let from = all.partition_point(|&at| number(at) < n);
            all.get(from..).unwrap_or_default().iter().take_while(move |&&at| number(at) == n)
        };
        numbers.into_iter().flat_map(of_number).copied().collect()
    }

    /// Iterations by their ordinals.
    pub(super) fn evidence(&self, ordinals: impl IntoIterator<Item = usize>) -> Vec<Evidence> {
        let steps = ordinals.into_iter().filter_map(|k| self.loaded_run.steps.get(k));
        steps.map(|step| Evidence { record: step.record, number: step.number }).collect()
    }

    /// Iterations of reflections by their positions, each once.
    pub(super) fn evidence_of(&self, positions: impl IntoIterator<Item = usize>) -> Vec<Evidence> {
        let refs = positions.into_iter().filter_map(|p| self.reflections.get(p));
        let mut evidence: Vec<_> =
            refs.map(|r| Evidence { record: r.at.record, number: r.at.number }).collect();
        evidence.dedup_by_key(|e| e.number);
        evidence
    }

    /// A finding drawn from iterations; it stands at the last of them.
    pub(super) fn finding(
        &self,
        rule: impl Into<Cow<'static, str>>,
        severity: Severity,
        message: String,
        evidence: Vec<Evidence>,
    ) -> Finding {
        let last: Option<(RecordId, i64)> = evidence.last().map(|e| (e.record, e.number));
        let mut finding = Finding::new(rule, severity, message)
            .of_run(self.loaded_run.run, last.map(|(_, number)| number))
            .evidence(evidence);
        finding.record = last.map(|(record, _)| record);
        finding
    }
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts of what is in memory")]
    let len = values.len() as f64;
    (!values.is_empty()).then(|| rounded(values.iter().sum::<f64>() / len))
}

/// `1, 2 and 5`; of a long list the first and the last.
pub(super) fn list(evidence: &[Evidence]) -> String {
    let numbers: Vec<_> = evidence.iter().map(|e| e.number.to_string()).collect();
    match numbers.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, before)) if before.len() < 8 => format!("{} and {last}", before.join(", ")),
        Some((last, before)) => {
            let first = before.first().map_or("", String::as_str);
            format!("{first} to {last}")
        }
    }
}
