//! What a run teaches: deltas, trajectory, stuck loops, lifecycles of lessons and errors,
//! attribution, quality of reflections (docs/spec/rules.md).
//!
//! Every rule is a pure function of a [`Story`]: of columns, and of the records that
//! [`insight_rules`] says it needs. It never changes data, and a rule that lacks a record is left
//! out and named. Attribution and uptake are evidence that stands beside a change of reward; no
//! rule claims a cause.

mod actions;
pub(crate) mod aggregate;
mod alike;
pub(crate) mod answer;
mod best;
mod course;
mod credit;
mod errors;
mod extract;
mod ground;
mod items;
mod lessons;
mod live;
mod lives;
mod patterns;
mod quality;
pub(crate) mod retries;
pub(crate) mod rules;
pub(crate) mod signature;
mod steps;
mod stuck;
mod swing;
#[cfg(test)]
mod tests;
pub(crate) mod trust;

pub use live::explain;
pub use lives::{LessonChange, LessonLife, lesson_lives, lessons_between};

use crate::history::story::Story;
use crate::model::options::InsightOptions;
use crate::order::Order as _;
use answer::Explanation;
use ground::Ground;

impl Story {
    /// What the run teaches, by the rules that `options` choose.
    ///
    /// Rules on columns are always judged. Those that need records which were not told are named
    /// in [`Explanation::left_out`]; [`Story::needs_for`] says beforehand what to read.
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
    /// let mut story = history.story(history.runs()[0].id)?;
    /// assert!(story.explain(&options).left_out.iter().any(|rule| rule == "stuck/near-repeat"));
    /// for span in history.needs(&story) {
    ///     let (start, end) = (span.start as usize, span.end as usize);
    ///     history.tell(&mut story, span.record, &text.as_bytes()[start..end])?;
    /// }
    /// let explanation = story.explain(&options);
    /// assert!(explanation.left_out.is_empty());
    /// assert_eq!(explanation.findings[0].rule, "stuck/repeated-reflection");
    /// assert_eq!(explanation.findings[0].evidence.len(), 3);
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn explain(&self, options: &InsightOptions) -> Explanation {
        let ground = Ground::new(self, options);
        let course = course::course(&ground);
        let has_errors = ["stuck/repeated-error", "error/", "attribution/"];
        let signatures = if has_errors.iter().any(|area| ground.judges_any(area)) {
            errors::signatures(&ground)
        } else {
            vec![None; self.steps.len()]
        };
        let errors = errors::lifecycles(&ground, &signatures);
        let reflections = quality::rows(&ground);
        let mut findings = Vec::new();
        course::judge(&ground, &course, &mut findings);
        if ground.is_chain() {
            stuck::judge(&ground, &mut findings);
            actions::judge(&ground, &mut findings);
            swing::judge(&ground, &mut findings);
        }
        errors::judge(&ground, &signatures, &errors, &mut findings);
        quality::judge(&ground, &reflections, &mut findings);
        findings.order_by_key(|finding| (finding.iteration, rules::rank(&finding.rule)));
        Explanation {
            run: Some(self.run),
            key: self.key.clone(),
            findings,
            missing: self.needs_for(options),
            course,
            repetition: stuck::repetition(&ground).filter(|r| r.pairs > 0),
            changes: steps::changes(&ground, &signatures),
            lessons: lessons::rows(&ground),
            errors: if ground.judges("error/lifecycle") { errors } else { Vec::new() },
            patterns: patterns::patterns(&ground),
            reflections,
            calibration: quality::calibration(&ground),
            credits: credit::credits(&ground),
            links: credit::links(&ground),
            uptakes: credit::uptakes(&ground),
            categories: quality::categories(&ground),
            left_out: ground.left_out,
        }
    }
}
