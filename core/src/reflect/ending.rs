//! How a loop ends: the result, or the error with everything that was achieved.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::config::OnFailure;
use super::entry::Entry;
use super::error::{LoopError, LoopErrorType};
use super::error_code::LoopErrorCode;
use super::events::EventKind;
use super::machine::Loop;
use super::number;
use super::problem::Problem;
use super::result::{LoopResult, Members};
use super::run::Phase;
use super::step::{Step, StepKind};
use super::stop_reason::StopReason;
use super::template_error::TemplateError;
use crate::text::counted;

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
                "No output was accepted after {} ({}).",
                counted(self.run.iteration as usize, "round"),
                reason.as_str()
            );
            let error =
                LoopError::new(LoopErrorType::Failed, LoopErrorCode::ReflectionFailed, message);
            StepKind::Failed { error: error.with_details(self.details(reason, detail.as_deref())) }
        } else {
            StepKind::Done { result: self.result(reason, detail, winner) }
        };
        self.end(kind);
    }

    /// Ends the loop because a template could not be rendered.
    pub(super) fn fail_template(&mut self, error: &TemplateError) {
        if self.form.is_single() {
            return self.fail_single(error.code().as_str(), &error.to_string(), None);
        }
        let reason = StopReason::TemplateFailed;
        self.stopped(reason, None);
        let error = LoopError::new(
            LoopErrorType::Template,
            LoopErrorCode::TemplateFailed,
            error.to_string(),
        )
        .with_details(self.details(reason, None));
        self.end(StepKind::Failed { error });
    }

    /// Ends the loop because a call failed for good. The loop fails whatever `on_failure` says, since no
    /// output was refused.
    pub(super) fn fail_call(&mut self, who: &str, message: &str, error: Value) {
        let reason = StopReason::CallFailed;
        self.stopped(reason, Some(message));
        let mut details = self.details(reason, Some(message));
        details.insert("errors".to_owned(), Value::Array(vec![error]));
        let message = format!("The {who} failed, and such a failure is not tried again: {message}");
        let error = LoopError::new(LoopErrorType::Failed, LoopErrorCode::CallFailed, message);
        self.end(StepKind::Failed { error: error.with_details(details) });
    }

    /// Ends the loop because of something that was found in its configuration after the start.
    pub(super) fn refuse_late(&mut self, problem: Problem) {
        self.cancel_pending();
        if self.form.is_single() {
            return self.fail_single(problem.code.as_str(), &problem.message, None);
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
        let id = self.new_id();
        let step = Step { id, timeout_ms: None, ..self.step(None, kind, None) };
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
        let best = match winner {
            Some(entry) => Some((&entry.output, entry.score)),
            None => run.best.as_ref().map(|best| (&best.output, best.score)),
        };
        let best_output = best.map(|(output, _)| output);
        let output = match self.config.options.on_failure {
            OnFailure::ReturnLast if !is_valid => run.last_output.as_ref(),
            _ => best_output,
        };
        let output = output.cloned().unwrap_or_default();
        let last = run.history.last().filter(|_| !is_valid);
        let members = Members {
            success: is_valid,
            valid: is_valid,
            exhausted: (!is_valid).then_some(true),
            stop_reason: reason,
            stop_detail: detail,
            reflection_iteration: run.iteration,
            reflection_errors: last.map(|entry| Arc::clone(&entry.errors)).unwrap_or_default(),
            reflection_history: run.history.clone(),
            reflection_best: best_output.cloned().unwrap_or_default(),
            reflection_best_score: best.map(|(_, score)| score),
            reflection_suggestions: last
                .map(|entry| Arc::clone(&entry.suggestions))
                .unwrap_or_default(),
            reflection_feedback: last.map(|entry| Arc::clone(&entry.feedback)).unwrap_or_default(),
            usage: run.usage.totals(),
            warnings: run.warnings.clone(),
            records: run.memories.records.clone(),
            output: match &*output {
                Value::Object(members) => {
                    let own = members.iter().filter(|(key, _)| !RESERVED.contains(&key.as_str()));
                    own.map(|(key, value)| (key.clone(), value.clone())).collect()
                }
                output => Map::from_iter([("result".to_owned(), output.clone())]),
            },
            reflection_output: output,
        };
        members.into()
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
            "records": run.memories.records,
        });
        match details {
            Value::Object(details) => details,
            _ => Map::new(),
        }
    }
}
