//! What a run teaches: deltas, trajectory, stuck loops, lifecycles of lessons and errors,
//! attribution, quality of reflections (docs/spec/rules.md).
//!
//! Every rule is a pure function of a [`LoadedRun`]: of columns, and of the records that
//! [`insight_rules`] says it needs. It never changes data, and a rule that lacks a record is left
//! out and named. Attribution and uptake are evidence that stands beside a change of reward; no
//! rule claims a cause.

mod actions;
pub(crate) mod aggregate;
pub(crate) mod answer;
mod attempt;
mod best;
pub(crate) mod comparison;
mod context;
mod credit;
mod errors;
mod extract;
pub(crate) mod headline;
mod items;
mod learned;
mod lesson_lifecycle;
mod lessons;
mod live;
pub(crate) mod news;
mod oscillation;
mod patterns;
mod quality;
pub(crate) mod retries;
pub(crate) mod rules;
pub(crate) mod signature;
mod similarity;
mod steps;
mod stretch;
pub(crate) mod stuck;
#[cfg(test)]
mod tests;
mod trajectory;
pub(crate) mod trust;
pub(crate) mod verdict;

pub use lesson_lifecycle::{LessonChange, LessonLifecycle, lesson_lifecycles, lessons_between};
pub use live::explain;
pub(crate) use live::explain_lines;

use crate::history::loaded_run::LoadedRun;
use crate::model::finding::Finding;
use crate::model::options::InsightOptions;
use crate::model::thresholds::REPEATED_REFLECTIONS;
use crate::sort::StableSort as _;
use answer::Explanation;
use context::InsightContext;

impl LoadedRun {
    /// What the run teaches, by the rules that `options` choose.
    ///
    /// Rules on columns are always judged. Those that need records which were not read are named
    /// in [`Explanation::left_out`]; [`LoadedRun::needs_for`] says beforehand what to read.
    ///
    /// # Example: the same reflection three times
    ///
    /// ```
    /// use hindscope::{History, InsightOptions, Profile};
    ///
    /// let lines: Vec<String> = (1..=3)
    ///     .map(|n| {
    ///         format!(
    ///             r#"{{"trial_number":{n},"loop_id":"a","outcome":"failure","reflection":"Retry."}}"#
    ///         )
    ///     })
    ///     .collect();
    /// let text = lines.join("\n");
    /// let mut history = History::new(Profile::Lenient);
    /// let source = history.open("loop.jsonl");
    /// history.push(source, text.as_bytes())?;
    /// history.finish(source)?;
    ///
    /// let options = InsightOptions { rules: vec!["stuck/*".into()], ..Default::default() };
    /// let mut loaded_run = history.loaded_run(history.runs()[0].id)?;
    /// assert!(loaded_run.explain(&options).left_out.iter().any(|rule| rule == "stuck/near-repeat"));
    /// for span in history.needs(&loaded_run) {
    ///     let (start, end) = (span.start as usize, span.end as usize);
    ///     history.load(&mut loaded_run, span.record, &text.as_bytes()[start..end])?;
    /// }
    /// let explanation = loaded_run.explain(&options);
    /// assert!(explanation.left_out.is_empty());
    /// assert_eq!(explanation.findings[0].rule, "stuck/repeated-reflection");
    /// assert_eq!(explanation.findings[0].evidence.len(), 3);
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn explain(&self, options: &InsightOptions) -> Explanation {
        self.explain_after(options, REPEATED_REFLECTIONS)
    }

    /// [`LoadedRun::explain`], where `repeated` reflections that are the same are too many.
    pub(crate) fn explain_after(&self, options: &InsightOptions, repeated: usize) -> Explanation {
        let context = InsightContext::new(self, options).repeated(repeated);
        let trajectory = trajectory::trajectory(&context);
        let has_errors = ["stuck/repeated-error", "error/", "attribution/"];
        let signatures = if has_errors.iter().any(|area| context.judges_any(area)) {
            errors::signatures(&context)
        } else {
            vec![None; self.steps.len()]
        };
        let errors = errors::lifecycles(&context, &signatures);
        let reflections = quality::rows(&context);
        let mut findings = Vec::new();
        trajectory::judge(&context, &trajectory, &mut findings);
        if context.is_chain() {
            stuck::judge(&context, &mut findings);
            actions::judge(&context, &mut findings);
            oscillation::judge(&context, &mut findings);
        }
        errors::judge(&context, &signatures, &errors, &mut findings);
        quality::judge(&context, &reflections, &mut findings);
        quality::warn_once(&mut findings);
        findings.stable_sort_by_key(|finding| (finding.iteration, rules::rank(&finding.rule)));
        let is_stuck = stuck::settle(&context, &mut findings);
        Explanation {
            run: Some(self.run),
            key: self.key.clone(),
            findings,
            is_stuck,
            missing: self.needs_for(options),
            trajectory,
            repetition: stuck::repetition(&context).filter(|r| r.pairs > 0),
            changes: steps::changes(&context, &signatures),
            lessons: lessons::rows(&context),
            errors: if context.judges("error/lifecycle") { errors } else { Vec::new() },
            patterns: patterns::patterns(&context),
            reflections,
            calibration: quality::calibration(&context),
            credits: credit::credits(&context),
            links: credit::links(&context),
            uptakes: credit::uptakes(&context),
            categories: quality::categories(&context),
            left_out: context.left_out,
        }
    }

    /// What the rules find that need no text: columns, and sketches where they were kept, hold what they
    /// compare.
    pub(crate) fn findings_without_texts(&self) -> Vec<Finding> {
        let rules =
            rules::insight_rules().iter().filter(|rule| rule.is_default && !rule.needs_texts());
        let rules = rules.map(|rule| rule.id.to_owned()).collect();
        self.explain(&InsightOptions { rules, ..InsightOptions::default() }).findings
    }

    /// How many lessons recur in the run (`pattern/recurring-lesson`). Sketches say it without a text;
    /// none while [`LoadedRun::needs_sketches`] names a record.
    pub fn recurring_lessons(&self) -> Option<u32> {
        if !self.needs_sketches().is_empty() {
            return None;
        }
        let options = InsightOptions::default();
        Some(patterns::recurring_lessons(&InsightContext::new(self, &options)))
    }
}
