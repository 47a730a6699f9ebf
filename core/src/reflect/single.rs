//! One evaluation and one correction: the same machine, one round's part of it.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::attempt::Attempt;
use super::config::{Config, fingerprint, single};
use super::correction::Correction;
use super::entry::{Entry, Origin};
use super::form::Form;
use super::host::Host;
use super::machine::Loop;
use super::run::{Phase, Purpose};
use super::state::StateView;
use super::step::StepKind;
use super::stop_reason::StopReason;
use super::verdict::item;
use super::{depth, number, parse};

impl Loop {
    /// The machine for one evaluation. `params` is `{data?, evaluator_type?, schema?,
    /// prompt?, model?, examples?, run?, language?, callback?, …}`, `state` an object or null.
    ///
    /// It ends with `done`, whose `result` is `{valid, score, errors, suggestions, feedback,
    /// coercions, output, usage, success}`, also where the request itself is wrong.
    pub fn evaluate(params: &Value, state: &Value, host: &Host, now: Option<f64>) -> Self {
        let mut this = Self::prepare_single("evaluate", params, state, host, now);
        this.begin(host);
        this
    }

    /// The machine for one correction (docs/spec/loop.md, 12). `params` is `{data?, errors?,
    /// corrector_action?, run?, language?, prompt?, callback?, …}`, `state` an object or null.
    ///
    /// It ends with `done`, whose `result` is `{corrected_output, success, …}`, also where the
    /// request itself is wrong.
    pub fn correct(params: &Value, state: &Value, host: &Host, now: Option<f64>) -> Self {
        let mut this = Self::prepare_single("correct", params, state, host, now);
        this.begin(host);
        this
    }

    /// The machine of `evaluate` or `correct`, before it begins. A request that is wrong makes one that
    /// has ended.
    pub(super) fn prepare_single(
        operation: &str,
        params: &Value,
        state: &Value,
        host: &Host,
        now: Option<f64>,
    ) -> Self {
        let is_too_deep = depth::is_too_deep(params) || depth::is_too_deep(state);
        let print = if is_too_deep { 0 } else { fingerprint(&json!([operation, params, state])) };
        let read = match operation {
            "evaluate" => single::evaluate(params, state, host, now),
            _ => single::correct(params, state, host, now),
        };
        let made = read.and_then(|(form, config)| {
            let mut this = Self::new(form, config, print, now);
            match this.compile_all() {
                Ok(()) => Ok(this),
                Err(problem) => Err((this.form, problem)),
            }
        });
        made.unwrap_or_else(|(form, problem)| {
            let mut this = Self::new(form, Config::bare(Map::new()), print, None);
            this.fail_single(problem.code.as_str(), &problem.message, None);
            this
        })
    }

    /// Begins the work of the form, once schemas are there.
    pub(super) fn begin_work(&mut self) {
        match &self.form {
            Form::Loop => self.run.phase = Phase::Round,
            Form::Evaluate(data) => {
                let data = Arc::clone(data);
                self.run.phase = Phase::Attempts;
                self.run.iteration = 1;
                self.run.attempts.push(Attempt::new(1, Origin::Generated));
                self.judge(0, data);
            }
            Form::Correct(..) => {
                self.run.phase = Phase::Correction(0);
                self.run.iteration = 1;
            }
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
        let details = entry.more.get("details").map(|details| ("details", details.clone()));
        self.end_evaluation(&entry, true, details);
    }

    /// The result of one evaluation; `more` is its last member.
    fn end_evaluation(&mut self, entry: &Entry, is_judged: bool, more: Option<(&str, Value)>) {
        let mut result = json!({
            "valid": entry.valid,
            "score": number::json(entry.score),
            "errors": entry.errors,
            "suggestions": entry.suggestions,
            "feedback": entry.feedback,
            "coercions": entry.coercions,
            "output": *entry.output,
            "kind": entry.kind,
            "usage": self.run.usage.totals(),
            "warnings": self.run.warnings,
            "success": is_judged,
        });
        if let Value::Object(members) = &mut result {
            if !is_judged {
                members.shift_remove("kind");
            }
            members.extend(more.map(|(key, value)| (key.to_owned(), value)));
        }
        self.end(StepKind::Done { result: result.into() });
    }

    /// Asks for the one correction.
    pub(super) fn ask_single_correction(&mut self) {
        let Form::Correct(data, Some(request)) = &self.form else { return };
        let view = StateView::of(&self.run.state, None);
        let call = match request.party.call(1, &view) {
            Ok(call) => call,
            Err(error) => return self.fail_template(&error),
        };
        let state = |key: &str| self.config.state.get(key);
        let kind = StepKind::Correct {
            call,
            output: Arc::clone(data),
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
        let Form::Correct(data, Some(request)) = &self.form else { return };
        let corrected = match correction.candidate {
            Some(candidate) => text_of(candidate, request.form),
            // A pure context: the output stays.
            None => Ok((**data).clone()),
        };
        let mut result = match corrected {
            Ok(output) => json!({ "corrected_output": output, "success": true }),
            Err(unparsed) => self.uncorrected(unparsed.code, &unparsed.message),
        };
        if let Value::Object(members) = &mut result {
            if !correction.context.is_empty() {
                members.insert("context".to_owned(), Value::Object(correction.context));
            }
            members.extend(correction.remarks);
        }
        self.end_correction(result);
    }

    fn uncorrected(&self, code: &str, message: &str) -> Value {
        json!({
            "corrected_output": self.form.data(),
            "success": false,
            "error": message,
            "code": code,
        })
    }

    fn end_correction(&mut self, mut result: Value) {
        if let Value::Object(members) = &mut result {
            members.insert("usage".to_owned(), self.run.usage.totals());
            members.insert("warnings".to_owned(), json!(self.run.warnings));
        }
        self.end(StepKind::Done { result: result.into() });
    }

    /// The end without an answer.
    pub(super) fn fail_single(&mut self, code: &str, message: &str, stop: Option<StopReason>) {
        if let Form::Evaluate(data) = &self.form {
            let entry = Entry {
                output: Arc::clone(data),
                errors: Arc::new(vec![item(code, message)]),
                ..Entry::default()
            };
            let stop = stop.map(|stop| ("stop_reason", Value::from(stop.as_str())));
            self.end_evaluation(&entry, false, stop);
        } else {
            let result = self.uncorrected(code, message);
            self.end_correction(result);
        }
    }

    /// A limit or an abort came first.
    pub(super) fn finish_single(&mut self, reason: StopReason, detail: Option<String>) {
        self.cancel_pending();
        let mut message = format!("It stopped: {}.", reason.as_str());
        if let Some(detail) = detail {
            message = format!("{message} {detail}");
        }
        self.fail_single("stopped", &message, Some(reason));
    }
}

/// A message gives its text, then what it is parsed as.
fn text_of(value: Value, form: parse::Form) -> Result<Value, parse::Unparsed> {
    if let Some(refusal) = parse::refusal(&value) {
        return Err(refusal);
    }
    let text = parse::message_text(&value).map(std::borrow::Cow::into_owned);
    parse::parse(text.map_or(value, Value::String), form)
}
