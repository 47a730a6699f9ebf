//! A round up to its verdict: candidates are generated, parsed and judged (docs/spec/loop.md, 4).

use std::sync::Arc;

use serde_json::Value;

use super::attempt::{Attempt, Stage};
use super::budget::StopReason;
use super::combine::Combining;
use super::config::{Callee, Work};
use super::custom;
use super::entry::{EntryKind, Origin};
use super::events::EventKind;
use super::machine::{Loop, failure_item};
use super::parse::{self, Form};
use super::reply::Answer;
use super::run::{Phase, Purpose};
use super::state::StateView;
use super::step::{Call, StepKind};
use super::template_error::TemplateError;
use super::verdict::{Judged, Warning, crashed, item, settle};

/// What an evaluator gives at once, or that it was asked.
enum Asked {
    Judged(Box<Judged>),
    Pending,
    Refused(StopReason),
    Broken(TemplateError),
}

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
        let (is_last, budget_left) = self.signals();
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

    fn is_one_of_many(&self) -> bool {
        self.config.options.candidates > 1
    }

    /// Takes the reply of a generator.
    pub(super) fn generated(&mut self, number: usize, tries: u32, answer: Answer) {
        let (iteration, is_one_of_many) = (self.run.iteration, self.is_one_of_many());
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        attempt.tries = tries;
        match answer {
            Answer::Value(value) => self.came(number, &Arc::new(value)),
            Answer::TooDeep => {
                let error = failure_item(&Answer::TooDeep, "");
                attempt.fail(iteration, is_one_of_many, EntryKind::Parse, error);
            }
            answer => {
                let error = failure_item(&answer, "generator_failed");
                attempt.fail(iteration, is_one_of_many, EntryKind::Generator, error);
            }
        }
    }

    /// A candidate is there: it is parsed, and the evaluators are asked.
    fn came(&mut self, number: usize, value: &Arc<Value>) {
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        let (candidate, origin, tries) = (attempt.candidate, attempt.origin, attempt.tries);
        attempt.raw = Some(Arc::clone(value));
        let output = self.shown(value);
        self.push_event(Some(candidate), EventKind::Generated { r#try: tries, origin, output });
        let form = match origin {
            Origin::Generated => self.config.generated_form,
            Origin::Corrected => self.config.corrected_form,
        };
        let parsed = output_of(value, form);
        let found = parsed.is_ok();
        let output = match parsed {
            Ok(output) => output,
            Err(unparsed) => {
                let (iteration, is_one_of_many) = (self.run.iteration, self.is_one_of_many());
                if let Some(attempt) = self.run.attempts.get_mut(number) {
                    attempt.output = Some(Arc::new(unparsed.output));
                    let error = item(unparsed.code, unparsed.message);
                    attempt.fail(iteration, is_one_of_many, EntryKind::Parse, error);
                }
                Arc::default()
            }
        };
        let shown = if found { self.shown(&output) } else { None };
        self.push_event(Some(candidate), EventKind::Parsed { found, output: shown });
        if found {
            self.judge(number, output);
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
                Asked::Judged(judged) => self.add_verdict(number, *judged),
                Asked::Pending => return,
                Asked::Refused(stop) => return self.cut_attempt(number, stop),
                Asked::Broken(error) => return self.break_off(&error),
            }
        }
    }

    /// Asks the evaluator whose turn it is.
    fn ask(&mut self, number: usize) -> Asked {
        let config = Arc::clone(&self.config);
        let Some(attempt) = self.run.attempts.get(number) else { return Asked::Pending };
        let output = attempt.output.clone().unwrap_or_default();
        let (candidate, is_again) = (attempt.candidate, attempt.repeats > 0);
        let Some(evaluator) = config.evaluators.get(attempt.evaluator) else {
            return Asked::Pending;
        };
        if let Work::Schema { .. } = evaluator.work {
            return match self.schemas.get(attempt.evaluator) {
                Some(Some(schema)) => Asked::Judged(Box::new(schema.judge(&output))),
                _ => Asked::Judged(Box::new(crashed("evaluator_failed", "There is no schema."))),
            };
        }
        if let Work::Unavailable(code, why) = &evaluator.work {
            return Asked::Judged(Box::new(crashed(code, why.clone())));
        }
        if let Some(stop) = self.limits().refuses_call() {
            return Asked::Refused(stop);
        }
        let mut view = StateView::of(&self.run.state, self.shown_candidate(candidate));
        view.output = Some(Arc::clone(&output));
        let label = Arc::clone(&evaluator.label);
        let (kind, view) = match &evaluator.work {
            Work::Llm(judge) => match judge.ask(&view, &output, is_again) {
                Ok(question) => {
                    let messages = Arc::new(question.messages);
                    let model = Some(question.model);
                    (StepKind::EvaluateLlm { evaluator: label, model, messages }, None)
                }
                Err(error) => return Asked::Broken(error),
            },
            Work::Custom(callee) => {
                let call = match callee {
                    Callee::Run { run, language } => {
                        Call::Run { run: Arc::clone(run), language: Arc::clone(language) }
                    }
                    Callee::Callback(callback) => {
                        Call::Callback { callback: callback.clone(), params: Arc::default() }
                    }
                    // The configuration of an evaluator never gives these.
                    Callee::Action(_) | Callee::Prompt(_) => return Asked::Pending,
                };
                view.has_output_key = true;
                (StepKind::EvaluateCustom { evaluator: label, output, call }, Some(view))
            }
            Work::Schema { .. } | Work::Unavailable(..) => return Asked::Pending,
        };
        let step = self.step(Some(candidate), kind, view);
        self.call(step, Purpose::Evaluate(number));
        Asked::Pending
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
                let error = failure_item(answer, "evaluator_failed");
                let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
                crashed(&text("code"), text("message"))
            }
        };
        self.add_verdict(number, judged);
        self.ask_evaluators(number);
    }

    fn add_verdict(&mut self, number: usize, judged: Judged) {
        let config = Arc::clone(&self.config);
        let mut settled = settle(judged, config.options.pass_score);
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        // From here on the coerced value is the output.
        let coerced = settled.output.take();
        if !settled.coercions.is_empty()
            && let Some(output) = coerced
        {
            attempt.output = Some(Arc::new(output));
            attempt.coercions.append(&mut settled.coercions);
        }
        let is_more = match (&mut attempt.combining, config.evaluators.get(attempt.evaluator)) {
            (Some(combining), Some(evaluator)) => combining.add(&evaluator.part, settled),
            _ => false,
        };
        attempt.repeats = 0;
        attempt.evaluator = if is_more { attempt.evaluator + 1 } else { usize::MAX };
    }

    /// Every evaluator that had to judge the attempt has done so.
    fn end_of_judging(&mut self, number: usize) {
        let (iteration, is_one_of_many) = (self.run.iteration, self.is_one_of_many());
        let Some(attempt) = self.run.attempts.get_mut(number) else { return };
        let Some(combining) = attempt.combining.take() else { return };
        let candidate = attempt.candidate;
        let combined = combining.finish();
        let warnings = combined.warnings.clone();
        attempt.judged(iteration, is_one_of_many, combined);
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
        let (iteration, is_one_of_many) = (self.run.iteration, self.is_one_of_many());
        if let Some(attempt) = self.run.attempts.get_mut(number) {
            attempt.cut(iteration, is_one_of_many);
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
    let is_text = value.is_string() || parse::message_text(value).is_some();
    if form == Form::Unchanged || !is_text {
        return Ok(Arc::clone(value));
    }
    let output = parse::parse((**value).clone(), form)?;
    Ok(if output == **value { Arc::clone(value) } else { Arc::new(output) })
}
