//! How a loop ends: the result, or the error with everything that was achieved.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::budget::StopReason;
use super::config::OnFailure;
use super::entry::Entry;
use super::error::{LoopError, LoopErrorType};
use super::events::EventKind;
use super::machine::Loop;
use super::number;
use super::problem::Problem;
use super::result::LoopResult;
use super::run::Phase;
use super::step::{Step, StepKind};
use super::template_error::TemplateError;

/// Keys of a result that an output never overwrites.
const RESERVED: [&str; 16] = [
    "success",
    "valid",
    "exhausted",
    "stop_reason",
    "stop_detail",
    "reflection_iteration",
    "reflection_output",
    "reflection_errors",
    "reflection_history",
    "reflection_best",
    "reflection_best_score",
    "reflection_suggestions",
    "reflection_feedback",
    "usage",
    "warnings",
    "records",
];

impl Loop {
    /// Ends the loop. `winner` is the accepted attempt.
    pub(super) fn finish(
        &mut self,
        reason: StopReason,
        detail: Option<String>,
        winner: Option<&Arc<Entry>>,
    ) {
        if self.form.is_single() {
            return self.finish_single(reason, detail);
        }
        self.stopped(reason, detail.as_deref());
        let kind = if winner.is_none() && self.config.options.on_failure == OnFailure::Raise {
            let message = format!(
                "No output was accepted after {} rounds ({}).",
                self.run.iteration,
                reason.as_str()
            );
            let error = LoopError::new(LoopErrorType::Failed, "reflection_failed", message);
            StepKind::Failed { error: error.with_details(self.details(reason, detail.as_deref())) }
        } else {
            StepKind::Done { result: self.result(reason, detail, winner) }
        };
        self.end(kind);
    }

    /// Ends the loop because a template could not be rendered.
    pub(super) fn fail_template(&mut self, error: &TemplateError) {
        if self.form.is_single() {
            let problem = Problem::new(error.code(), "", error.to_string());
            return self.close_refused(&problem);
        }
        let reason = StopReason::TemplateFailed;
        self.stopped(reason, None);
        let error = LoopError::new(LoopErrorType::Template, "template_failed", error.to_string())
            .with_details(self.details(reason, None));
        self.end(StepKind::Failed { error });
    }

    /// Ends the loop because of something that was found in its configuration after the start.
    pub(super) fn refuse_late(&mut self, problem: Problem) {
        self.cancel_pending();
        if self.form.is_single() {
            return self.close_refused(&problem);
        }
        let error = LoopError::of_problems(vec![problem], &self.run.usage);
        self.end(StepKind::Failed { error });
    }

    fn stopped(&mut self, reason: StopReason, detail: Option<&str>) {
        self.cancel_pending();
        self.record_last(Some(reason));
        self.push_event(
            None,
            EventKind::Stopped { stop_reason: reason, stop_detail: detail.map(Arc::from) },
        );
    }

    /// The last step.
    pub(super) fn end(&mut self, kind: StepKind) {
        let step = Step {
            id: self.new_id(),
            iteration: self.run.iteration,
            candidate: None,
            r#try: 1,
            timeout_ms: None,
            kind,
            view: None,
        };
        self.run.phase = Phase::Ended;
        self.run.fresh.push(step.clone());
        self.run.end = Some(step);
    }

    fn result(
        &self,
        reason: StopReason,
        detail: Option<String>,
        winner: Option<&Arc<Entry>>,
    ) -> LoopResult {
        let is_valid = winner.is_some();
        let run = &self.run;
        let best = run.best.as_ref();
        let output = match winner {
            Some(entry) => Some(&entry.output),
            None if self.config.options.on_failure == OnFailure::ReturnLast => {
                run.last_output.as_ref()
            }
            None => best.map(|best| &best.output),
        };
        let output = output.map(|output| (**output).clone()).unwrap_or_default();
        let last = run.history.last().filter(|_| !is_valid);
        let (best, best_score) = match winner {
            Some(entry) => ((*entry.output).clone(), number::json(entry.score)),
            None => best.map_or((Value::Null, Value::Null), |best| {
                ((*best.output).clone(), number::json(best.score))
            }),
        };
        let (mut before, mut after) = (Map::new(), Map::new());
        let mut put = |key: &str, value: Value| {
            before.insert(key.to_owned(), value);
        };
        put("success", is_valid.into());
        put("valid", is_valid.into());
        if !is_valid {
            put("exhausted", true.into());
        }
        put("stop_reason", reason.as_str().into());
        if let Some(detail) = detail {
            put("stop_detail", detail.into());
        }
        put("reflection_iteration", run.iteration.into());
        put("reflection_output", output.clone());
        put("reflection_errors", last.map_or_else(|| json!([]), |entry| json!(entry.errors)));
        let mut put = |key: &str, value: Value| {
            after.insert(key.to_owned(), value);
        };
        put("reflection_best", best);
        put("reflection_best_score", best_score);
        put(
            "reflection_suggestions",
            last.map_or_else(|| json!([]), |entry| json!(entry.suggestions)),
        );
        put("reflection_feedback", last.map_or_else(|| json!(""), |entry| json!(entry.feedback)));
        put("usage", run.usage.totals());
        put("warnings", json!(run.warnings));
        put("records", run.memories.shown());
        match output {
            Value::Object(members) => {
                for (key, value) in members {
                    if !RESERVED.contains(&key.as_str()) {
                        after.insert(key, value);
                    }
                }
            }
            output => {
                after.insert("result".to_owned(), output);
            }
        }
        LoopResult::new(before, run.history.clone(), after)
    }

    /// What an error carries: nothing that was achieved is lost with it.
    fn details(&self, reason: StopReason, detail: Option<&str>) -> Map<String, Value> {
        let run = &self.run;
        let best = run.best.as_ref();
        let last = run.history.last();
        let details = json!({
            "history": run.history,
            "best": best.map_or(Value::Null, |best| (*best.output).clone()),
            "best_score": best.map_or(Value::Null, |best| number::json(best.score)),
            "errors": last.map_or_else(|| json!([]), |entry| json!(entry.errors)),
            "iterations": run.iteration,
            "usage": run.usage.totals(),
            "stop_reason": reason.as_str(),
            "stop_detail": detail,
            "warnings": run.warnings,
            "records": run.memories.shown(),
        });
        match details {
            Value::Object(details) => details,
            _ => Map::new(),
        }
    }
}
