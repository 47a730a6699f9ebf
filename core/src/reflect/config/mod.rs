//! The configuration of a loop, checked as a whole before anything is called: the first problem is
//! the error, and all of them are listed in it.

pub(super) mod calls;
mod evaluators;
mod fingerprint;
pub(super) mod options;
mod read;
pub(super) mod single;

use std::sync::Arc;

use serde_json::{Map, Value};

use super::correction::CorrectorMode;
use super::depth;
use super::error::LoopError;
use super::host::Host;
use super::parse::Form;
use super::problem::Problem;
use super::record::loop_id;
use super::usage::Usage;
use super::verdict::Warning;
use crate::validate::labels::shown;

use super::error_code::LoopErrorCode;
pub(crate) use calls::Party;
use calls::Role;
pub(crate) use evaluators::{Evaluator, Work};
pub(crate) use fingerprint::fingerprint;
pub(crate) use options::{
    Budget, Events, FailureLimits, FeedbackRule, Memory, OnFailure, Options, Retry, RetryOn, Stall,
    StallBy,
};
use options::{Known, Mode, Parsing, UnknownKeys};
use read::{ConfigObject, Reader};

/// Parts of a loop, in the order in which their problems are listed.
const PARTS: [&str; 4] = ["state", "generator", "evaluator", "corrector"];

/// A configuration that can be run.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) state: Arc<Map<String, Value>>,
    /// Absent in single evaluations.
    pub(crate) generator: Option<Party>,
    pub(crate) evaluators: Vec<Evaluator>,
    pub(crate) corrector: Option<Party>,
    pub(crate) corrector_mode: CorrectorMode,
    /// What texts of the generator are turned into.
    pub(crate) generated_form: Form,
    /// What texts of the corrector are turned into.
    pub(crate) corrected_form: Form,
    pub(crate) options: Options,
    pub(crate) retry: Retry,
    pub(crate) budget: Budget,
    pub(crate) stall: Option<Stall>,
    pub(crate) failure_limits: FailureLimits,
    pub(crate) feedback: FeedbackRule,
    pub(crate) memory: Option<Memory>,
    /// Found at the start, each with its field.
    pub(crate) warnings: Vec<(Warning, String)>,
}

impl Config {
    /// Reads the configuration of a loop.
    pub(crate) fn read(value: &Value, host: &Host, now: Option<f64>) -> Result<Self, LoopError> {
        let refused =
            |message: &str| Err(Problem::new(LoopErrorCode::ConfigValue, "", message).into());
        if depth::is_too_deep(value) {
            return refused("The configuration is nested deeper than 128 levels.");
        }
        let Value::Object(members) = value else {
            let found = shown(value);
            return refused(&format!("The configuration must be an object, found {found}."));
        };
        let mut reader = Reader::new(host);
        let mut config = read(ConfigObject { members, pointer: "" }, now, &mut reader);
        if !reader.problems.is_empty() {
            return Err(LoopError::of_problems(reader.problems, &Usage::default()));
        }
        config.warnings = reader.warnings;
        Ok(config)
    }

    /// One round with neither generator nor corrector.
    pub(crate) fn bare(state: Map<String, Value>) -> Self {
        Self {
            state: Arc::new(state),
            generator: None,
            evaluators: Vec::new(),
            corrector: None,
            corrector_mode: CorrectorMode::Regenerate,
            generated_form: Form::Unchanged,
            corrected_form: Form::Unchanged,
            options: Options { max_iterations: 1, ..Options::default() },
            retry: Retry::default(),
            budget: Budget::default(),
            stall: None,
            failure_limits: FailureLimits::default(),
            feedback: FeedbackRule::default(),
            memory: None,
            warnings: Vec::new(),
        }
    }

    /// Calls of one evaluation.
    pub(crate) fn judging_calls(&self) -> u64 {
        let calls =
            self.evaluators.iter().filter(|one| matches!(one.work, Work::Llm(_) | Work::Custom(_)));
        calls.count() as u64
    }

    /// Reads the limits of retries, time and cost.
    fn limit(&mut self, top: ConfigObject<'_>, now: Option<f64>, reader: &mut Reader<'_>) {
        self.retry = reader.object(top, "retry", false).unwrap_or_default();
        self.budget = reader.object(top, "budget", true).unwrap_or_default();
        let has_clock = reader.host.clock && now.is_some_and(f64::is_finite);
        for (field, limit) in [
            ("/budget/ms", self.budget.ms),
            ("/deadline_ms", self.options.deadline_ms),
            ("/call_timeout_ms", self.options.call_timeout_ms),
        ] {
            if limit.is_some() && !has_clock {
                let message = "A time limit needs a host that declares a clock, and the time \
                               `now` at the start.";
                reader.wrong(LoopErrorCode::ConfigClockMissing, field.to_owned(), message);
            }
        }
    }
}

fn read(top: ConfigObject<'_>, now: Option<f64>, reader: &mut Reader<'_>) -> Config {
    reader.know(top, &[Options::NAMES]);
    let state = match top.members.get("state") {
        None => Map::new(),
        Some(Value::Object(state)) => state.clone(),
        found => {
            reader.unexpected(LoopErrorCode::ConfigValue, top.at("state"), "an object", found);
            Map::new()
        }
    };
    let attempts = attempt_params(top, reader);
    let generator = match top.members.get("generator") {
        Some(Value::Object(members)) => {
            let place = ConfigObject { members, pointer: "/generator" };
            calls::party(place, Role::Generator, &attempts, reader)
        }
        found => {
            let expected = "an object with `action`, `run` or a callback";
            reader.unexpected(LoopErrorCode::ConfigGenerator, top.at("generator"), expected, found);
            None
        }
    };
    let options: Options = reader.read(top);
    let context = evaluators::Context {
        llm_defaults: reader.object(top, "llm_defaults", false).unwrap_or_default(),
        score_scale: options.score_scale,
        is_single: false,
    };
    let evaluators = evaluators::evaluators(top.members.get("evaluator"), &context, reader);
    let corrector = match top.given("corrector") {
        None => None,
        Some(Value::Object(members)) if members.is_empty() => None,
        Some(Value::Object(members)) => {
            let place = ConfigObject { members, pointer: "/corrector" };
            calls::party(place, Role::Corrector, &[], reader)
        }
        found => {
            let expected = "an object with `action`, `run`, `prompt` or a callback, or null";
            reader.unexpected(LoopErrorCode::ConfigCorrector, top.at("corrector"), expected, found);
            None
        }
    };
    let has_schema = evaluators.iter().any(Evaluator::is_schema);
    let is_model = |party: &Option<Party>| party.as_ref().is_some_and(Party::is_model);
    let form = |party| match options.parse {
        Parsing::Json => Form::Json,
        Parsing::None => Form::Unchanged,
        Parsing::Auto if has_schema && is_model(party) => Form::Json,
        Parsing::Auto if has_schema => Form::IfJson,
        Parsing::Auto if !is_model(party) => Form::Unchanged,
        Parsing::Auto | Parsing::Text => Form::Text,
    };
    let mut config = Config {
        generated_form: form(&generator),
        corrected_form: form(&corrector),
        corrector_mode: match options.corrector_mode {
            Mode::Auto if is_model(&corrector) => CorrectorMode::Replace,
            Mode::Auto if corrector.as_ref().is_some_and(Party::is_function) => {
                CorrectorMode::Returned
            }
            Mode::Replace => CorrectorMode::Replace,
            Mode::Auto | Mode::Regenerate => CorrectorMode::Regenerate,
        },
        generator,
        evaluators,
        corrector,
        options,
        stall: stall(top, reader),
        failure_limits: reader.object(top, "failure_limits", true).unwrap_or_default(),
        feedback: reader.object(top, "feedback", false).unwrap_or_default(),
        memory: memory(top, reader),
        ..Config::bare(state)
    };
    config.limit(top, now, reader);
    // The parts of a loop come first, then its options.
    reader.problems.sort_by_key(|problem| {
        let key = problem.field.split('/').nth(1).unwrap_or_default();
        PARTS.iter().position(|part| *part == key).unwrap_or(PARTS.len())
    });
    reader.report_unknown(config.options.unknown_keys == UnknownKeys::Error);
    config
}

/// What is merged over the generator's parameters, for one round each.
fn attempt_params<'a>(
    top: ConfigObject<'a>,
    reader: &mut Reader<'_>,
) -> Vec<&'a Map<String, Value>> {
    let given = top.members.get("attempt_params");
    let list = match given {
        None => Some(Vec::new()),
        Some(Value::Array(list)) => list.iter().map(Value::as_object).collect(),
        Some(_) => None,
    };
    list.unwrap_or_else(|| {
        reader.unexpected(
            LoopErrorCode::ConfigValue,
            top.at("attempt_params"),
            "an array of objects",
            given,
        );
        Vec::new()
    })
}

fn stall(top: ConfigObject<'_>, reader: &mut Reader<'_>) -> Option<Stall> {
    let stall: Stall = reader.object(top, "stall", true)?;
    if stall.after == 0 && !reader.problems.iter().any(|one| one.field == "/stall/after") {
        let field = "/stall/after".to_owned();
        reader.unexpected(LoopErrorCode::ConfigValue, field, "an integer from 2 to 1000", None);
    }
    if stall.by.is_empty() {
        let message = "`by` must contain at least one of `output`, `errors`, `score`.";
        reader.wrong(LoopErrorCode::ConfigValue, "/stall/by".to_owned(), message);
    }
    Some(stall)
}

fn memory(top: ConfigObject<'_>, reader: &mut Reader<'_>) -> Option<Memory> {
    let mut memory: Memory = reader.object(top, "memory", true)?;
    if reader.problems.iter().all(|one| one.code != LoopErrorCode::ConfigLoopId) {
        match loop_id(memory.loop_id.as_deref(), memory.name.as_deref(), &reader.host.loop_suffix) {
            Ok(id) => memory.loop_id = Some(id),
            Err(mut problem) => {
                problem.message =
                    problem.message.replacen("loop_id", reader.host.spelled("loop_id"), 1);
                reader.problems.push(problem.below("/memory"));
            }
        }
    }
    Some(memory)
}
