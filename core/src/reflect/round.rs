//! A round up to its verdict: candidates are generated, parsed and judged (docs/spec/loop.md, 4).

use std::sync::Arc;

use serde_json::Value;

use super::attempt::{Attempt, Stage};
use super::combine::Combining;
use super::config::{Evaluator, Work};
use super::custom;
use super::entry::{EntryKind, Origin};
use super::events::EventKind;
use super::json::whole;
use super::machine::{Loop, failure};
use super::parse::{self, Form};
use super::reply::Answer;
use super::run::{Phase, Purpose};
use super::state::StateView;
use super::step::StepKind;
use super::stop_reason::StopReason;
use super::template_error::TemplateError;
use super::verdict::{Judged, Warning, crashed, item, settle};

impl Loop {
    /// Begins the next round, with the candidate that the corrector left or by asking for some.
    pub(super) fn begin_round(&mut self) {
        let config = Arc::clone(&self.config);
        let waiting = self.run.waiting.take();
        let limits = self.limits();
        let refused = match waiting {
            Some(_) => limits.refuses_round(),
            None => limits.refuses_call(),
        };
        if let Some(stop) = refused {
            return self.finish(stop, None, None);
        }
        self.record_last(None);
        self.run.iteration += 1;
        let iteration = self.run.iteration;
        let limits = self.limits();
        let (left, is_last) =
            (limits.left(iteration), limits.is_last(iteration, waiting.is_some()));
        let history = self.run.history.clone();
        let names = [
            "reflection_iteration",
            "reflection_candidate",
            "reflection_history",
            "reflection_max_iterations",
            "reflection_is_last",
            "reflection_budget_left",
        ];
        Arc::make_mut(&mut self.run.state).set(&names, |vars| {
            vars.iteration = iteration;
            vars.history = history;
            vars.is_last = is_last;
            vars.budget_left = left;
        });
        self.run.attempts.clear();
        self.run.cut = None;
        self.run.phase = Phase::Attempts;
        self.note_context();
        if let Some(waiting) = waiting {
            self.add_attempt(1, Origin::Corrected);
            return self.came(0, &waiting.value);
        }
        for candidate in 1..=config.options.candidates {
            // The first one was allowed above. If a later one is refused, the earlier ones go on.
            if self.limits().refuses_call().is_some() {
                break;
            }
            if let Err(error) = self.generate(candidate) {
                return self.break_off(&error);
            }
        }
    }

    fn add_attempt(&mut self, candidate: u32, origin: Origin) {
        let mut attempt = Attempt::new(candidate, origin);
        attempt.charge(Some(std::mem::take(&mut self.run.correction_tokens)), None);
        self.run.attempts.push(attempt);
    }

    fn generate(&mut self, candidate: u32) -> Result<(), TemplateError> {
        let config = Arc::clone(&self.config);
        let Some(generator) = &config.generator else { return Ok(()) };
        let view = StateView::of(&self.run.state, self.shown_candidate(candidate));
        let call = generator.call(self.run.iteration, &view)?;
        let Some(vars) = &self.run.state.vars else { return Ok(()) };
        // The same for every callback of the round (docs/spec/loop.md, 15.11).
        let (is_last, budget_left) = (vars.is_last, vars.budget_left);
        let kind = StepKind::Generate { call, is_last, budget_left };
        let step = self.step(Some(candidate), kind, Some(view));
        self.add_attempt(candidate, Origin::Generated);
        self.call(step, Purpose::Generate(self.run.attempts.len() - 1));
        Ok(())
    }

    /// The candidate's number, where there are several.
    pub(super) fn shown_candidate(&self, candidate: u32) -> Option<u32> {
        (self.config.options.candidates > 1).then_some(candidate)
    }

    /// Takes the reply of a generator.
    pub(super) fn generated(&mut self, number: usize, tries: u32, answer: Answer) {
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        attempt.tries = tries;
        let kind = match answer {
            Answer::Value(value) => return self.came(number, &Arc::new(value)),
            Answer::TooDeep => EntryKind::Parse,
            Answer::Error(_) | Answer::Aborted { .. } => EntryKind::Generator,
        };
        let (code, message) = failure(&answer, "generator_failed");
        attempt.fail(kind, item(code, message));
    }

    /// A candidate is there: it is parsed, and the evaluators are asked.
    fn came(&mut self, number: usize, value: &Arc<Value>) {
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        let (candidate, origin, tries) = (attempt.candidate, attempt.origin, attempt.tries);
        attempt.raw = Some(Arc::clone(value));
        let output = self.shown(value);
        self.push_event(Some(candidate), EventKind::Generated { r#try: tries, origin, output });
        let form = self.form_of(origin);
        let json = if form == Form::IfJson { self.json_of(value) } else { None };
        if json.is_some() {
            self.warn_of_text(candidate);
        }
        match json.map_or_else(|| output_of(value, form), |json| Ok(Arc::new(json))) {
            Ok(output) => {
                let shown = self.shown(&output);
                self.push_event(Some(candidate), EventKind::Parsed { found: true, output: shown });
                self.judge(number, output);
            }
            Err(unparsed) => {
                if let Some(attempt) = self.run.attempts.get_mut(number) {
                    // A refusal leaves nothing to correct.
                    let kind = match unparsed.code {
                        "refused" => EntryKind::Generator,
                        _ => EntryKind::Parse,
                    };
                    attempt.output = Some(Arc::new(unparsed.output));
                    attempt.fail(kind, item(unparsed.code, unparsed.message));
                }
                self.push_event(Some(candidate), EventKind::Parsed { found: false, output: None });
            }
        }
    }

    /// The JSON that a text is, unless a schema may want the text itself. The loop cannot look into a schema
    /// of the host: beside one, only objects and arrays are parsed.
    fn json_of(&self, value: &Value) -> Option<Value> {
        let text = value.as_str()?;
        let has_members = text.trim_start().starts_with(['{', '[']);
        let mut schemas = self.config.evaluators.iter().zip(&self.schemas);
        let is_wanted = schemas.all(|(evaluator, schema)| match schema {
            Some(schema) => !schema.takes_texts,
            None => has_members || !evaluator.is_schema(),
        });
        if is_wanted { whole(text)?.value(text) } else { None }
    }

    /// Says once that texts are parsed.
    fn warn_of_text(&mut self, candidate: u32) {
        const CODE: &str = "text_parsed";
        if !self.run.warnings.iter().any(|warning| warning["code"] == CODE) {
            let message = "The output is a text that is JSON, so it was parsed for the schema. Set \
                           `parse: 'json'` if that is meant, `parse: 'none'` to judge the text.";
            self.warn(Some(candidate), &Warning::new(CODE, message), None);
        }
    }

    /// Begins the evaluation of an output.
    pub(super) fn judge(&mut self, number: usize, output: Arc<Value>) {
        let config = Arc::clone(&self.config);
        if let Some(attempt) = self.run.attempts.get_mut(number) {
            attempt.output = Some(output);
            attempt.stage = Stage::Judging;
            attempt.combining = Some(Combining::new(
                config.options.combine,
                config.options.pass_score,
                config.evaluators.len() > 1,
            ));
        }
        self.ask_evaluators(number);
    }

    /// Asks one evaluator after the other, until one has to be waited for.
    fn ask_evaluators(&mut self, number: usize) {
        loop {
            let Some(attempt) = self.run.attempts.get(number) else { return };
            if attempt.stage != Stage::Judging {
                return;
            }
            if attempt.evaluator >= self.config.evaluators.len() {
                return self.end_of_judging(number);
            }
            match self.ask(number) {
                Ok(Some(judged)) => self.add_verdict(number, judged),
                Ok(None) => return,
                Err(error) => return self.break_off(&error),
            }
        }
    }

    /// Asks the evaluator whose turn it is; what it gives, if it need not be waited for. Nothing where its
    /// answer is waited for, and where there is no turn: a limit refused the call, and the attempt is cut.
    /// Schemas and unavailable evaluators need no call, so no limit refuses them.
    fn ask(&mut self, number: usize) -> Result<Option<Judged>, TemplateError> {
        let config = Arc::clone(&self.config);
        let Some(attempt) = self.run.attempts.get(number) else { return Ok(None) };
        let output = attempt.output.clone().unwrap_or_default();
        let (candidate, is_again) = (attempt.candidate, attempt.repeats > 0);
        let Some(evaluator) = config.evaluators.get(attempt.evaluator) else { return Ok(None) };
        let mut view = StateView::of(&self.run.state, self.shown_candidate(candidate));
        view.output = Some(Arc::clone(&output));
        let label = Arc::clone(&evaluator.label);
        let (kind, view) = match (&evaluator.work, self.limits().refuses_call()) {
            (Work::Schema { .. }, _) => {
                return Ok(Some(match self.schemas.get(attempt.evaluator) {
                    Some(Some(schema)) => schema.judge(&output),
                    _ => crashed("evaluator_failed", "There is no schema."),
                }));
            }
            (Work::Unavailable(code, why), _) => return Ok(Some(crashed(code, why.clone()))),
            (_, Some(stop)) => {
                self.cut_attempt(number, stop);
                return Ok(None);
            }
            (Work::Llm(judge), None) => {
                let question = judge.ask(&view, &output, is_again)?;
                let (model, messages) = (Some(question.model), Arc::new(question.messages));
                (StepKind::EvaluateLlm { evaluator: label, model, messages }, None)
            }
            (Work::Custom(party), None) => {
                let call = party.call(self.run.iteration, &view)?;
                view.has_output_key = true;
                (StepKind::EvaluateCustom { evaluator: label, output, call }, Some(view))
            }
        };
        let step = self.step(Some(candidate), kind, view);
        self.call(step, Purpose::Evaluate(number));
        Ok(None)
    }

    /// Takes the reply of an evaluator.
    pub(super) fn judged(&mut self, number: usize, answer: &Answer, not_finite: &[String]) {
        let config = Arc::clone(&self.config);
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        let work = config.evaluators.get(attempt.evaluator).map(|evaluator| &evaluator.work);
        let judged = match (answer, work) {
            (Answer::Value(value), Some(Work::Llm(judge))) => {
                let verdict = judge.read(value);
                if verdict.is_unparsable && attempt.repeats < config.options.judge_retries {
                    attempt.repeats += 1;
                    return self.ask_evaluators(number);
                }
                unless_finite(verdict.judged, not_finite)
            }
            (Answer::Value(value), _) => {
                unless_finite(custom::read(value, config.options.score_scale), not_finite)
            }
            _ => {
                let (code, message) = failure(answer, "evaluator_failed");
                crashed(code, message)
            }
        };
        self.add_verdict(number, judged);
        self.ask_evaluators(number);
    }

    /// Whether the evaluator whose turn it is judges a text by a schema that does not speak of texts,
    /// because `parse` was not set.
    fn is_text_left(&self, number: usize) -> bool {
        let Some(attempt) = self.run.attempts.get(number) else { return false };
        let evaluator = self.config.evaluators.get(attempt.evaluator);
        let schema = self.schemas.get(attempt.evaluator).and_then(Option::as_ref);
        self.form_of(attempt.origin) == Form::IfJson
            && attempt.output.as_ref().is_some_and(|output| output.is_string())
            && evaluator.is_some_and(Evaluator::is_schema)
            && !schema.is_some_and(|schema| schema.takes_texts)
    }

    /// What an output of this origin is turned into.
    fn form_of(&self, origin: Origin) -> Form {
        match origin {
            Origin::Generated => self.config.generated_form,
            Origin::Corrected => self.config.corrected_form,
        }
    }

    fn add_verdict(&mut self, number: usize, mut judged: Judged) {
        let config = Arc::clone(&self.config);
        let is_text_left = self.is_text_left(number);
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        if is_text_left && judged.verdict == Some(false) {
            advise_parsing(&mut judged.errors);
        }
        // From here on the coerced value is the output.
        let coerced = judged.output.take();
        if !judged.coercions.is_empty()
            && let Some(output) = coerced
        {
            attempt.output = Some(Arc::new(output));
            attempt.coercions.append(&mut judged.coercions);
        }
        let settled = settle(judged, config.options.pass_score);
        let is_more = match (&mut attempt.combining, config.evaluators.get(attempt.evaluator)) {
            (Some(combining), Some(evaluator)) => combining.add(&evaluator.part, settled),
            _ => false,
        };
        attempt.repeats = 0;
        attempt.evaluator = if is_more { attempt.evaluator + 1 } else { usize::MAX };
    }

    /// Every evaluator that had to judge the attempt has done so.
    fn end_of_judging(&mut self, number: usize) {
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        let Some(combining) = attempt.combining.take() else { return };
        let candidate = attempt.candidate;
        let combined = combining.finish();
        let warnings = combined.warnings.clone();
        attempt.judged(combined);
        let is_valid = attempt.entry.as_ref().is_some_and(|entry| entry.valid);
        for warning in &warnings {
            self.warn(Some(candidate), warning, None);
        }
        if is_valid && self.config.options.early_stop {
            self.cancel_pending();
            for attempt in &mut self.run.attempts {
                if attempt.stage != Stage::Finished {
                    attempt.drop_it();
                }
            }
        }
    }

    /// A call that an evaluation needs is refused.
    pub(super) fn cut_attempt(&mut self, number: usize, stop: StopReason) {
        self.run.cut = self.run.cut.or(Some(stop));
        if let Some(attempt) = self.run.attempts.get_mut(number) {
            attempt.cut();
        }
    }

    pub(super) fn is_round_complete(&self) -> bool {
        self.run.attempts.iter().all(|attempt| attempt.stage == Stage::Finished)
    }

    /// Steps that nobody needs any more.
    pub(super) fn cancel_pending(&mut self) {
        let ids = self.run.pending.drain(..).map(|pending| pending.step.id);
        self.run.cancelled.extend(ids);
    }
}

/// Adds to the first error about the whole output what would help more than another attempt.
fn advise_parsing(errors: &mut [Value]) {
    let is_whole = |error: &&mut Value| error["path"].as_str().is_none_or(str::is_empty);
    let Some(error) = errors.iter_mut().find(is_whole) else { return };
    if let Some(Value::String(message)) = error.get_mut("message") {
        message.push_str(" The output is a text: to read the JSON in it, set `parse: 'json'`.");
    }
}

/// Sets a score that is NaN or infinite to 0, and adds a warning.
fn unless_finite(mut judged: Judged, not_finite: &[String]) -> Judged {
    if not_finite.iter().any(|pointer| pointer == "/score" || pointer.is_empty()) {
        judged.score = Some(0.0);
        judged.warnings.push(Warning::new("score_not_finite", "The score is not a finite number."));
    }
    judged
}

/// What came, as output: the same value where nothing is to be parsed.
fn output_of(value: &Arc<Value>, form: Form) -> Result<Arc<Value>, parse::Unparsed> {
    if let Some(refusal) = parse::refusal(value) {
        return Err(refusal);
    }
    let is_text = value.is_string() || parse::message_text(value).is_some();
    if matches!(form, Form::Unchanged | Form::IfJson) || !is_text {
        return Ok(Arc::clone(value));
    }
    let output = parse::parse((**value).clone(), form)?;
    Ok(if output == **value { Arc::clone(value) } else { Arc::new(output) })
}
