//! One evaluation and one correction: the same machine, one round's part of it.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::attempt::Attempt;
use super::budget::StopReason;
use super::config::single::{self, Evaluating, Refused};
use super::config::{Config, fingerprint};
use super::correction::Correction;
use super::entry::Origin;
use super::form::{Form, Operation};
use super::host::Host;
use super::machine::Loop;
use super::parse;
use super::problem::Problem;
use super::run::{Phase, Purpose};
use super::state::StateView;
use super::step::StepKind;
use super::verdict::item;

impl Loop {
    /// The machine for one evaluation. `params` is `{data?, evaluator_type?, schema?,
    /// prompt?, model?, examples?, run?, language?, callback?, …}`, `state` an object or null.
    ///
    /// It ends with `done`, whose `result` is `{valid, score, errors, suggestions, feedback,
    /// coercions, output, usage, success}`, also where the request itself is wrong.
    pub fn evaluate(params: &Value, state: &Value, host: &Host, now: Option<f64>) -> Self {
        let mut this = Self::prepare_evaluation(params, state, host, now);
        this.begin(host);
        this
    }

    /// The machine for one correction (docs/spec/loop.md, 12). `params` is `{data?, errors?,
    /// corrector_action?, run?, language?, prompt?, callback?, …}`, `state` an object or null.
    ///
    /// It ends with `done`, whose `result` is `{corrected_output, success, …}`, also where the
    /// request itself is wrong.
    pub fn correct(params: &Value, state: &Value, host: &Host, now: Option<f64>) -> Self {
        let mut this = Self::prepare_correction(params, state, host, now);
        this.begin(host);
        this
    }

    pub(super) fn prepare_evaluation(
        params: &Value,
        state: &Value,
        host: &Host,
        now: Option<f64>,
    ) -> Self {
        let print = print_of("evaluate", params, state);
        match single::evaluate(params, state, host, now) {
            Ok(Evaluating { config, data }) => {
                Self::build_single(Form::Evaluate { data }, config, print, now)
            }
            Err(Refused { data, problem }) => {
                Self::wrong(Operation::Evaluate { data }, &problem, print)
            }
        }
    }

    pub(super) fn prepare_correction(
        params: &Value,
        state: &Value,
        host: &Host,
        now: Option<f64>,
    ) -> Self {
        let print = print_of("correct", params, state);
        match single::correct(params, state, host, now) {
            Ok(request) => {
                let config = request.config.clone();
                Self::build_single(Form::Correct(Box::new(request)), config, print, now)
            }
            Err(Refused { data, problem }) => {
                Self::wrong(Operation::Correct { data }, &problem, print)
            }
        }
    }

    fn build_single(form: Form, config: Config, print: u64, now: Option<f64>) -> Self {
        let operation = form.operation();
        Self::build(form, config, print, now)
            .unwrap_or_else(|problem| Self::wrong(operation, &problem, print))
    }

    /// A machine that has ended before it began.
    fn wrong(operation: Operation, problem: &Problem, print: u64) -> Self {
        let config = Config::bare(Map::default());
        let state = super::state::State::bare(&config.state);
        let run = super::run::Run::new(&config, state, None);
        let mut this = Self {
            form: Form::Refused(operation),
            config: Arc::new(config),
            fingerprint: print,
            schemas: Vec::new(),
            sources: Vec::new(),
            run,
        };
        this.close_refused(problem);
        this
    }

    /// Begins what a single form does, once schemas are there.
    pub(super) fn start_single(&mut self) {
        if self.run.phase == Phase::Ended {
            return;
        }
        if let Form::Evaluate { data } = &self.form {
            let data = Arc::clone(data);
            self.run.iteration = 1;
            self.run.attempts.push(Attempt::new(1, Origin::Generated));
            self.judge(0, data);
        } else if let Form::Correct(_) = &self.form {
            self.run.iteration = 1;
        }
    }

    /// The verdict of one evaluation.
    pub(super) fn close_single(&mut self) {
        if let Some(stop) = self.run.cut {
            return self.finish_single(stop, None);
        }
        let Some(entry) = self.run.attempts.first().and_then(|attempt| attempt.entry.clone())
        else {
            return self.finish_single(StopReason::Aborted, None);
        };
        let mut result = json!({
            "valid": entry.valid,
            "score": super::number::json(entry.score),
            "errors": entry.errors,
            "suggestions": entry.suggestions,
            "feedback": entry.feedback,
            "coercions": entry.coercions,
            "output": *entry.output,
            "kind": entry.kind,
            "usage": self.run.usage.totals(),
            "warnings": self.run.warnings,
            "success": true,
        });
        if let (Value::Object(result), Some(details)) = (&mut result, entry.more.get("details")) {
            result.insert("details".to_owned(), details.clone());
        }
        self.end(StepKind::Done { result: result.into() });
    }

    /// Asks for the one correction.
    pub(super) fn ask_single_correction(&mut self) {
        let Form::Correct(request) = &self.form else { return };
        let view = StateView::of(&self.run.state, None);
        let call = match request.party.call(1, &view) {
            Ok(call) => call,
            Err(error) => return self.fail_template(&error),
        };
        let state = |key: &str| self.config.state.get(key);
        let kind = StepKind::Correct {
            call,
            output: Arc::clone(&request.data),
            errors: Arc::clone(&request.errors),
            suggestions: Arc::new(
                state("reflection_suggestions")
                    .and_then(Value::as_array)
                    .cloned()
                    .unwrap_or_default(),
            ),
            feedback: state("reflection_feedback")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .into(),
            is_last: true,
            budget_left: self.limits().left(1),
        };
        let step = self.step(Some(1), kind, Some(view));
        self.run.phase = Phase::Correcting(0);
        self.call(step, Purpose::Correct);
    }

    /// What came of the one correction.
    pub(super) fn close_correction(&mut self, correction: Correction) {
        let Form::Correct(request) = &self.form else { return };
        let (data, form) = ((*request.data).clone(), request.form);
        let mut result = json!({ "corrected_output": null, "success": true });
        let put = |result: &mut Value, key: &str, value: Value| {
            if let Value::Object(members) = result {
                members.insert(key.to_owned(), value);
            }
        };
        let corrected = match correction.candidate {
            Some(candidate) => text_of(candidate, form),
            // A pure context: the output stays.
            None => Ok(data.clone()),
        };
        match corrected {
            Ok(output) => put(&mut result, "corrected_output", output),
            Err(unparsed) => {
                put(&mut result, "corrected_output", data);
                put(&mut result, "success", false.into());
                put(&mut result, "error", unparsed.message.into());
                put(&mut result, "code", unparsed.code.into());
            }
        }
        if !correction.context.is_empty() {
            put(&mut result, "context", Value::Object(correction.context));
        }
        for (key, value) in correction.remarks {
            put(&mut result, &key, value);
        }
        self.end_correction(result);
    }

    pub(super) fn close_failed_correction(&mut self, error: &Value) {
        let text = |key: &str| error[key].as_str().unwrap_or_default();
        self.uncorrected(text("code"), text("message"));
    }

    fn uncorrected(&mut self, code: &str, message: &str) {
        let (Operation::Evaluate { data } | Operation::Correct { data }) = self.form.operation();
        let result = json!({
            "corrected_output": *data,
            "success": false,
            "error": message,
            "code": code,
        });
        self.end_correction(result);
    }

    fn end_correction(&mut self, mut result: Value) {
        if let Value::Object(members) = &mut result {
            members.insert("usage".to_owned(), self.run.usage.totals());
            members.insert("warnings".to_owned(), json!(self.run.warnings));
        }
        self.end(StepKind::Done { result: result.into() });
    }

    /// The request was wrong.
    pub(super) fn close_refused(&mut self, problem: &Problem) {
        let error = item(problem.code, problem.message.clone());
        match self.form.operation() {
            Operation::Evaluate { data } => self.unevaluated(&data, &error, None),
            Operation::Correct { .. } => self.uncorrected(problem.code, &problem.message),
        }
    }

    fn unevaluated(&mut self, data: &Arc<Value>, error: &Value, stop: Option<StopReason>) {
        let mut result = json!({
            "valid": false,
            "score": 0,
            "errors": [error],
            "suggestions": [],
            "feedback": "",
            "coercions": [],
            "output": **data,
            "usage": self.run.usage.totals(),
            "warnings": self.run.warnings,
            "success": false,
        });
        if let (Value::Object(members), Some(stop)) = (&mut result, stop) {
            members.insert("stop_reason".to_owned(), stop.as_str().into());
        }
        self.end(StepKind::Done { result: result.into() });
    }

    /// A limit or an abort came first.
    pub(super) fn finish_single(&mut self, reason: StopReason, detail: Option<String>) {
        self.cancel_pending();
        let mut message = format!("It stopped: {}.", reason.as_str());
        if let Some(detail) = detail {
            message = format!("{message} {detail}");
        }
        match self.form.operation() {
            Operation::Evaluate { data } => {
                self.unevaluated(&data, &item("stopped", message), Some(reason));
            }
            Operation::Correct { .. } => self.uncorrected("stopped", &message),
        }
    }
}

/// A message gives its text, then what it is parsed as.
fn text_of(value: Value, form: parse::Form) -> Result<Value, parse::Unparsed> {
    let text = parse::message_text(&value).map(std::borrow::Cow::into_owned);
    parse::parse(text.map_or(value, Value::String), form)
}

fn print_of(operation: &str, params: &Value, state: &Value) -> u64 {
    if super::depth::is_too_deep(params) || super::depth::is_too_deep(state) {
        return 0;
    }
    fingerprint(&json!([operation, params, state]))
}
