//! The step machine: what is asked of the host next, and what its answer does.

use std::sync::Arc;

use serde_json::{Value, json};

use super::budget::Limits;
use super::config::{Config, Events, fingerprint};
use super::correction;
use super::depth;
use super::error::LoopError;
use super::error_code::LoopErrorCode;
use super::events::{Event, EventKind, EventType};
use super::form::Form;
use super::host::Host;
use super::reply::{Answer, Failure, FailureKind, Reply};
use super::run::{Pending, Phase, Purpose, Run};
use super::schema::{SchemaEvaluator, SchemaSource};
use super::state::{State, StateView, Vars};
use super::step::{Step, StepKind};
use super::stop_reason::StopReason;
use super::usage::Tokens;
use super::verdict::Warning;
use super::{parse, retry};

/// A loop on its way: it says what it needs ([`Step`]), gets the answer ([`Reply`]), and
/// ends with a result or an error.
///
/// Normally one step is pending; with several candidates there are several. A loop does nothing by
/// itself: it reads no clock, waits for nothing and calls nobody.
///
/// # Example: the second attempt is accepted
///
/// ```
/// use hindscope::{Host, Loop, Reply, StepKind, reflect::Names};
/// use serde_json::json;
///
/// let config = json!({
///     "generator": {"action": "write"},
///     "evaluator": {"schema": {"type": "object", "required": ["name"]}},
/// });
/// let host = Host { actions: Names::Only(vec!["write".into()]), ..Host::default() };
/// let mut run = Loop::start(&config, &host, None)?;
/// let mut outputs = [json!({}), json!({"name": "Ada"})].into_iter();
/// while let Some(step) = run.next() {
///     assert!(matches!(step.kind, StepKind::Generate { .. }));
///     run.resume(step.id, Reply::value(outputs.next().unwrap()))?;
/// }
/// let result = run.outcome().unwrap()?;
/// assert_eq!(result["reflection_iteration"], 2);
/// assert_eq!(result["name"], "Ada");
/// # Ok::<(), hindscope::LoopError>(())
/// ```
#[derive(Debug)]
pub struct Loop {
    pub(super) form: Form,
    pub(super) config: Arc<Config>,
    pub(super) fingerprint: u64,
    /// By number of evaluator; none for those that have no schema.
    pub(super) schemas: Vec<Option<SchemaEvaluator>>,
    /// Schemas whose documents are not all there, with the number of their evaluator.
    pub(super) sources: Vec<(usize, SchemaSource)>,
    pub(super) run: Run,
}

impl Loop {
    /// Checks a configuration (docs/spec/loop.md, 2) and makes the first steps: [`Loop::steps`].
    ///
    /// `now` is the host's clock in milliseconds from any origin; it is needed for `budget.ms`,
    /// `deadline_ms` and `call_timeout_ms`.
    ///
    /// # Errors
    ///
    /// Type `config`: nothing was called. All problems are in `details.problems`.
    pub fn start(config: &Value, host: &Host, now: Option<f64>) -> Result<Self, LoopError> {
        let mut this = Self::prepare(config, host, now)?;
        this.begin(host);
        Ok(this)
    }

    /// Reads a configuration; nothing has happened yet.
    pub(super) fn prepare(value: &Value, host: &Host, now: Option<f64>) -> Result<Self, LoopError> {
        let config = Config::read(value, host, now)?;
        let mut this = Self::new(Form::Loop, config, fingerprint(value), now);
        this.compile_all()?;
        Ok(this)
    }

    /// A machine whose schemas are still to be compiled.
    pub(super) fn new(form: Form, config: Config, fingerprint: u64, now: Option<f64>) -> Self {
        let state = if form.is_single() {
            State::bare(&config.state)
        } else {
            // The rounds set the other variables.
            let max_iterations = config.options.max_iterations;
            State::starting(&config.state, Vars { max_iterations, ..Vars::default() })
        };
        let run = Run::new(&config, state, now);
        let schemas = config.evaluators.iter().map(|_| None).collect();
        Self { form, config: Arc::new(config), fingerprint, schemas, sources: Vec::new(), run }
    }

    /// The first events and steps.
    pub(super) fn begin(&mut self, host: &Host) {
        let config = Arc::clone(&self.config);
        if matches!(self.form, Form::Loop) {
            self.push_event(
                None,
                EventKind::Started { max_iterations: config.options.max_iterations },
            );
        }
        for (warning, field) in &config.warnings {
            self.warn(None, warning, Some(field.clone()));
        }
        self.remember();
        for number in 0..self.schemas.len() {
            self.warn_of_schema(number);
        }
        match &host.aborted {
            Some(reason) if self.run.end.is_none() => {
                self.stop_now(Some(reason.clone()));
            }
            _ => self.advance(),
        }
        self.run.fresh.clear();
    }

    /// The oldest step that wants a reply; `None` once the loop has ended.
    pub fn next(&self) -> Option<Step> {
        self.run.pending.first().map(|pending| pending.step.clone())
    }

    /// Takes the reply to a step, and answers with the steps that are new. The last of a loop is
    /// `done` or `failed`; it wants no reply. A reply to a step that was cancelled is ignored.
    ///
    /// # Errors
    ///
    /// Type `usage`: `unknown_step`, `loop_finished`, `reply_invalid`. The loop is as it was.
    pub fn resume(&mut self, id: u32, reply: Reply) -> Result<Vec<Step>, LoopError> {
        let reply = deep_refused(reply);
        reply.check()?;
        let Some(index) = self.run.pending.iter().position(|pending| pending.step.id == id) else {
            if self.run.cancelled.contains(&id) {
                return Ok(Vec::new());
            }
            return Err(if self.run.end.is_some() {
                LoopError::usage(LoopErrorCode::LoopFinished, "The loop has ended.")
            } else {
                LoopError::usage(LoopErrorCode::UnknownStep, format!("No step {id} is pending."))
            });
        };
        let pending = self.run.pending.remove(index);
        self.take(pending, reply);
        self.advance();
        Ok(std::mem::take(&mut self.run.fresh))
    }

    /// The steps that want a reply, oldest first; after the end the one that says how it ended.
    pub fn steps(&self) -> Vec<Step> {
        let pending = self.run.pending.iter().map(|pending| &pending.step);
        pending.chain(&self.run.end).cloned().collect()
    }

    /// Whether the loop has ended.
    pub fn is_finished(&self) -> bool {
        self.run.end.is_some()
    }

    /// The result, or why there is none; `None` before the end.
    ///
    /// # Errors
    ///
    /// What `failed` says.
    pub fn outcome(&self) -> Option<Result<&Value, LoopError>> {
        match &self.run.end.as_ref()?.kind {
            StepKind::Done { result } => Some(Ok(result)),
            StepKind::Failed { error } => Some(Err(error.clone())),
            _ => None,
        }
    }

    /// What happened since this was last asked.
    pub fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.run.events)
    }

    /// Ends the loop with what it has: pending steps are cancelled. Answers with
    /// the last step; after the end with nothing.
    pub fn abort(&mut self, reason: impl Into<String>) -> Vec<Step> {
        if self.run.end.is_none() {
            self.stop_now(Some(reason.into()));
        }
        std::mem::take(&mut self.run.fresh)
    }

    /// Goes on until a reply is needed, or the loop has ended.
    fn advance(&mut self) {
        loop {
            match self.run.phase {
                Phase::Resolving if self.run.pending.is_empty() => self.resolve(),
                Phase::Round => self.begin_round(),
                Phase::Attempts if self.is_round_complete() => self.close_round(),
                Phase::Correction(index) => self.ask_correction(index),
                Phase::Resolving | Phase::Attempts | Phase::Correcting(_) | Phase::Ended => return,
            }
        }
    }

    fn take(&mut self, pending: Pending, reply: Reply) {
        self.run.clock.tick(reply.now);
        if reply.at.is_some() {
            self.run.at.clone_from(&reply.at);
        }
        let Reply { mut answer, usage, ms, not_finite, .. } = reply;
        if let Answer::Aborted { reason } = answer {
            // What the call cost is known, though nothing came of it.
            if let Some(usage) = &usage {
                self.charge(&pending, Tokens::read(usage), ms);
            }
            return self.stop_now(reason);
        }
        let of_message = match &answer {
            Answer::Value(value) => message_usage(value),
            _ => None,
        };
        let corrected = match (&pending.purpose, &mut answer) {
            (Purpose::Correct, Answer::Value(value)) => {
                Some(correction::classify(std::mem::take(value), self.config.corrector_mode))
            }
            _ => None,
        };
        let own = corrected.as_ref().and_then(|correction| correction.usage.as_ref()?.as_object());
        let read = |usage: Option<&_>| usage.and_then(Tokens::read);
        let tokens = read(usage.as_ref()).or_else(|| read(own)).or(of_message);
        self.charge(&pending, tokens, ms);
        match answer {
            Answer::Error(Failure { fatal: true, .. }) if self.is_ended_by(&pending) => {
                self.fail_for_good(&pending, &answer);
            }
            Answer::Error(failure) if self.is_tried_again(&pending, &failure) => {
                self.wait(pending, failure.retry_after_ms);
            }
            answer => match pending.purpose {
                Purpose::Wait(call) => self.again(*call),
                Purpose::Resolve => self.resolved(&pending.step, answer),
                Purpose::Generate(number) => self.generated(number, pending.step.r#try, answer),
                Purpose::Evaluate(number) => self.judged(number, &answer, &not_finite),
                Purpose::Correct => match corrected {
                    Some(correction) => self.corrected(correction),
                    None => self.correction_failed(&answer),
                },
            },
        }
    }

    fn charge(&mut self, pending: &Pending, tokens: Option<Tokens>, ms: Option<f64>) {
        // Inline code reaches no network, so it asks no model.
        let tokens = tokens.or_else(|| pending.step.is_code().then_some(Tokens::NONE));
        match &pending.purpose {
            Purpose::Wait(_) => return,
            // Documents normally need no model: without `usage`, such a call counts as free, not unknown.
            Purpose::Resolve if tokens.is_none() => return,
            Purpose::Resolve => {}
            Purpose::Generate(number) | Purpose::Evaluate(number) => {
                if let Some(attempt) = self.run.attempts.get_mut(*number) {
                    attempt.charge(tokens, ms);
                }
            }
            Purpose::Correct => {
                if let Some(tokens) = tokens {
                    self.run.correction_tokens.add(tokens);
                }
            }
        }
        self.run.usage.charge(tokens, ms);
        let budget = &self.config.budget;
        // What is not known of a limit that is set, or of all of them.
        let lacks_tokens = budget.tokens.is_some() && tokens.is_none_or(|one| !one.has_total);
        let lacks_cost = budget.cost.is_some() && tokens.is_none_or(|one| !one.has_cost);
        let is_unknown = lacks_tokens || lacks_cost || (budget.strict && tokens.is_none());
        if is_unknown && !self.run.is_usage_unknown {
            self.run.is_usage_unknown = true;
            let what = match (lacks_tokens, lacks_cost) {
                (true, false) => "tokens",
                (false, true) => "cost",
                _ => "tokens and cost",
            };
            let message = format!(
                "The `usage` of a reply does not say its {what}, so the budget does not count them. \
                 Report them with the reply, or set `budget.calls`."
            );
            self.warn(None, &Warning::new("usage_unknown", message), None);
        }
    }

    /// Whether a call that fails for good ends a loop. Documents and single forms have their own end, and
    /// an evaluator that only warns ends nothing.
    fn is_ended_by(&self, pending: &Pending) -> bool {
        let is_call = match pending.purpose {
            Purpose::Resolve | Purpose::Wait(_) => false,
            Purpose::Generate(_) | Purpose::Correct => true,
            Purpose::Evaluate(number) => {
                let attempt = self.run.attempts.get(number);
                let evaluator = attempt.and_then(|one| self.config.evaluators.get(one.evaluator));
                evaluator.is_none_or(|evaluator| !evaluator.part.is_advisory)
            }
        };
        is_call && !self.form.is_single()
    }

    fn is_tried_again(&self, pending: &Pending, failure: &Failure) -> bool {
        failure.retryable
            && !failure.fatal
            && pending.step.r#try <= self.config.retry.max
            && retry::covers(&self.config.retry, &pending.step.kind)
    }

    /// Waits, then makes a call again, unless limits refuse one or the other.
    fn wait(&mut self, pending: Pending, retry_after_ms: Option<f64>) {
        let step = &pending.step;
        let name = step.kind.as_str();
        let place = format!("{}.{}.{name}", step.iteration, step.candidate.unwrap_or(0));
        let config = Arc::clone(&self.config);
        let ms =
            retry::delay_ms(&config.retry, config.options.seed, &place, step.r#try, retry_after_ms);
        let is_call = !matches!(pending.purpose, Purpose::Resolve);
        let limits = self.limits();
        let refused = if is_call { limits.refuses_call() } else { limits.refuses_round() };
        if let Some(stop) = refused.or_else(|| limits.refuses_wait(ms)) {
            return self.refused(&pending, stop);
        }
        let (candidate, r#try) = (step.candidate, step.r#try + 1);
        self.push_event(candidate, EventKind::Retry { step: name, r#try, delay_ms: ms });
        let wait = Step { timeout_ms: None, ..self.step(candidate, StepKind::Wait { ms }, None) };
        self.emit(wait, Purpose::Wait(Box::new(pending)));
    }

    /// Makes a call again after its wait.
    fn again(&mut self, pending: Pending) {
        let is_call = !matches!(pending.purpose, Purpose::Resolve);
        let limits = self.limits();
        let refused = if is_call { limits.refuses_call() } else { limits.refuses_round() };
        if let Some(stop) = refused {
            return self.refused(&pending, stop);
        }
        let timeout_ms = limits.timeout();
        let Pending { mut step, purpose } = pending;
        step.r#try += 1;
        step.timeout_ms = timeout_ms;
        self.call(step, purpose);
    }

    /// Gives up what a call was for, because limits do not allow a retry.
    fn refused(&mut self, pending: &Pending, stop: StopReason) {
        match pending.purpose {
            Purpose::Generate(number) => {
                self.run.cut = self.run.cut.or(Some(stop));
                if let Some(attempt) = self.run.attempts.get_mut(number) {
                    attempt.drop_it();
                }
            }
            Purpose::Evaluate(number) => self.cut_attempt(number, stop),
            Purpose::Resolve | Purpose::Correct | Purpose::Wait(_) => {
                self.finish(stop, None, None);
            }
        }
    }

    /// The limits of the configuration, and what was spent so far.
    pub(super) fn limits(&self) -> Limits<'_> {
        Limits {
            config: &self.config,
            clock: &self.run.clock,
            usage: &self.run.usage,
            is_blind: self.config.budget.strict && self.run.is_usage_unknown,
        }
    }

    /// Asks the host for a call, and counts it.
    pub(super) fn call(&mut self, step: Step, purpose: Purpose) {
        match purpose {
            Purpose::Generate(_) => self.run.usage.generate += 1,
            Purpose::Evaluate(_) => self.run.usage.evaluate += 1,
            Purpose::Correct => self.run.usage.correct += 1,
            Purpose::Resolve | Purpose::Wait(_) => {}
        }
        self.emit(step, purpose);
    }

    fn emit(&mut self, mut step: Step, purpose: Purpose) {
        step.id = self.new_id();
        self.run.fresh.push(step.clone());
        self.run.pending.push(Pending { step, purpose });
    }

    pub(super) fn new_id(&mut self) -> u32 {
        self.run.last_id += 1;
        self.run.last_id
    }

    /// A first step of its kind; its id comes with [`Loop::call`].
    pub(super) fn step(
        &self,
        candidate: Option<u32>,
        kind: StepKind,
        view: Option<StateView>,
    ) -> Step {
        Step {
            id: 0,
            iteration: self.run.iteration,
            candidate,
            r#try: 1,
            timeout_ms: self.limits().timeout(),
            kind,
            view,
        }
    }

    /// Adds an event about one of several candidates or about the round.
    pub(super) fn push_event(&mut self, candidate: Option<u32>, kind: EventKind) {
        self.run.last_seq += 1;
        self.run.events.push(Event {
            seq: self.run.last_seq,
            r#type: EventType::named(kind.into_str()).expect("each kind has its type"),
            iteration: self.run.iteration,
            candidate: candidate.filter(|_| self.config.options.candidates > 1),
            kind,
        });
    }

    pub(super) fn warn(
        &mut self,
        candidate: Option<u32>,
        warning: &Warning,
        field: Option<String>,
    ) {
        let mut shown = json!({ "code": warning.code, "message": warning.message });
        if let (Value::Object(members), Some(field)) = (&mut shown, &field) {
            members.insert("field".to_owned(), json!(field));
        }
        self.run.warnings.push(shown);
        let (code, message) = (warning.code.to_string(), warning.message.clone());
        self.push_event(candidate, EventKind::Warning { code, message, field });
    }

    /// Full events show outputs.
    pub(super) fn shown(&self, output: &Arc<Value>) -> Option<Arc<Value>> {
        (self.config.options.events == Events::Full).then(|| Arc::clone(output))
    }
}

/// What stands for a value that is nested too deeply.
fn deep_refused(mut reply: Reply) -> Reply {
    if let Answer::Value(value) = &mut reply.answer
        && depth::is_too_deep(value)
    {
        depth::bury(std::mem::take(value));
        reply.answer = Answer::TooDeep;
    }
    reply
}

/// The `usage` of a message.
fn message_usage(value: &Value) -> Option<Tokens> {
    let usage = value.get("usage")?.as_object()?;
    if parse::is_message(value) { Tokens::read(usage) } else { None }
}

/// Code and message of a failed call; `code` is for failures of no special kind.
pub(super) fn failure<'a>(answer: &Answer, code: &'a str) -> (&'a str, String) {
    let (code, message) = match answer {
        Answer::Error(failure) => (
            match failure.kind {
                FailureKind::Timeout => "timeout",
                FailureKind::Unavailable => "unavailable",
                FailureKind::Error | FailureKind::Cancelled => code,
            },
            failure.message.clone(),
        ),
        _ => ("too_deep", "The value is nested deeper than 128 levels.".to_owned()),
    };
    (code, if message.trim().is_empty() { "The call failed.".to_owned() } else { message })
}
