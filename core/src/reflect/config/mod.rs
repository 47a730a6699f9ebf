//! What a loop is told before it starts, checked as a whole: the first problem is the error, all of
//! them are in it.

mod calls;
mod evaluators;
mod fingerprint;
mod keys;
mod limits;
mod memory;
mod read;
mod single;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::combine::Combine;
use super::correction::CorrectorMode;
use super::depth;
use super::error::{LoopError, LoopErrorType};
use super::host::Host;
use super::parse::Form;
use super::problem::Problem;
use super::usage::Usage;
use super::verdict::Warning;

pub(crate) use calls::{Callee, Party};
pub(crate) use evaluators::{Evaluator, Work};
pub(crate) use fingerprint::fingerprint;
#[cfg(test)]
pub(crate) use limits::RetryOn;
pub(crate) use limits::{Budget, FailureLimits, FeedbackRule, Retry, Stall};
pub(crate) use memory::Memory;
use read::{Place, Reader};
pub(crate) use single::{Correcting, Evaluating, Refused, correct, evaluate};

/// What is returned when no output was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnFailure {
    ReturnBest,
    ReturnLast,
    Raise,
}

/// A configuration that can be run (section 2).
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) state: Arc<Map<String, Value>>,
    /// Absent in single evaluations.
    pub(crate) generator: Option<Party>,
    pub(crate) evaluators: Vec<Evaluator>,
    pub(crate) combine: Combine,
    pub(crate) corrector: Option<Party>,
    pub(crate) max_iterations: u32,
    pub(crate) on_failure: OnFailure,
    pub(crate) corrector_mode: CorrectorMode,
    /// What texts of the generator are turned into.
    pub(crate) generated_form: Form,
    /// What texts of the corrector are turned into.
    pub(crate) corrected_form: Form,
    pub(crate) pass_score: Option<f64>,
    pub(crate) score_scale: f64,
    pub(crate) judge_retries: u32,
    pub(crate) candidates: u32,
    pub(crate) has_early_stop: bool,
    pub(crate) retry: Retry,
    pub(crate) seed: u64,
    pub(crate) budget: Budget,
    pub(crate) deadline_ms: Option<f64>,
    pub(crate) call_timeout_ms: Option<f64>,
    pub(crate) stall: Option<Stall>,
    pub(crate) failure_limits: FailureLimits,
    pub(crate) feedback: FeedbackRule,
    pub(crate) history_limit: Option<usize>,
    pub(crate) memory: Option<Memory>,
    pub(crate) has_full_events: bool,
    /// Found at the start, each with its field.
    pub(crate) warnings: Vec<(Warning, String)>,
}

/// `parse`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parsing {
    Auto,
    Json,
    Text,
    None,
}

impl Config {
    /// Reads the configuration of a loop.
    pub(crate) fn read(value: &Value, host: &Host, now: Option<f64>) -> Result<Self, LoopError> {
        if depth::is_too_deep(value) {
            let message = "The configuration is nested deeper than 128 levels.";
            return Err(refuse(vec![Problem::new("config_value", "", message)]));
        }
        let Value::Object(members) = value else {
            return Err(refuse(vec![Problem::new(
                "config_value",
                "",
                "A configuration is an object.",
            )]));
        };
        let mut reader = Reader::default();
        let config = read(Place { members, pointer: "" }, host, now, &mut reader);
        if reader.problems.is_empty() { Ok(config) } else { Err(refuse(reader.problems)) }
    }

    /// Calls of one evaluation.
    pub(crate) fn judging_calls(&self) -> u64 {
        let calls =
            self.evaluators.iter().filter(|one| matches!(one.work, Work::Llm(_) | Work::Custom(_)));
        calls.count() as u64
    }
}

/// The error of a configuration: its first problem, and all of them.
pub(crate) fn refuse(problems: Vec<Problem>) -> LoopError {
    refuse_after(problems, &Usage::default())
}

/// The same of what was found after something was spent.
pub(crate) fn refuse_after(problems: Vec<Problem>, usage: &Usage) -> LoopError {
    let mut details = Map::new();
    details.insert("problems".to_owned(), json!(problems));
    details.insert("usage".to_owned(), usage.totals());
    let first = problems
        .into_iter()
        .next()
        .unwrap_or_else(|| Problem::new("config_value", "", "The configuration cannot be read."));
    LoopError::new(LoopErrorType::Config, first.code, first.message)
        .with_field(Some(first.field))
        .with_details(details)
}

/// Every row of section 2, in its order.
fn read(top: Place<'_>, host: &Host, now: Option<f64>, reader: &mut Reader) -> Config {
    let state = top.object(reader, "state", false).cloned().unwrap_or_default();
    let attempts = attempt_params(top);
    let generator = generator(top, attempts.as_deref().unwrap_or_default(), host, reader);
    // What evaluators need to know stands further down the table: its problems are told there.
    let mut later = Reader::default();
    let nothing = Map::new();
    let llm_defaults = top.object(&mut later, "llm_defaults", false).unwrap_or(&nothing);
    let score_scale = scale(top, &mut later);
    let around = evaluators::Around {
        host,
        llm_defaults,
        score_scale,
        is_single: false,
        pointer: "/evaluator",
    };
    let evaluators = evaluators::evaluators(top.get("evaluator"), &around, reader);
    let combine = combine(top, reader);
    let corrector = corrector(top, host, reader);
    let max_iterations =
        top.integer(reader, "max_iterations", 3, (1, 1000), "config_max_iterations");
    let on_failure = top.word(
        reader,
        "on_failure",
        &[
            ("return_best", OnFailure::ReturnBest),
            ("return_last", OnFailure::ReturnLast),
            ("raise", OnFailure::Raise),
        ],
        OnFailure::ReturnBest,
        "config_on_failure",
    );
    let corrector_mode = mode(top, corrector.as_ref(), reader);
    let parsing = parsing(top, reader);
    let pass_score = pass_score(top, reader);
    let score_scale = scale(top, reader);
    llm_texts(top, reader);
    let judge_retries = top.integer(reader, "judge_retries", 0, (0, 3), "config_value");
    let candidates = top.integer(reader, "candidates", 1, (1, 32), "config_value");
    let has_early_stop = top.flag(reader, "early_stop", false);
    if attempts.is_none() {
        reader.wrong("config_value", "/attempt_params", "`attempt_params` is a list of objects.");
    }
    let retry = limits::retry(top, reader);
    let seed = limits::seed(top, reader);
    let timing = timing(top, host, now, reader);
    let stall = limits::stall(top, reader);
    let failure_limits = limits::failure_limits(top, reader);
    let feedback = limits::feedback(top, reader);
    let history_limit = top.integer_or_none(reader, "history_limit", 1).map(|most| most as usize);
    let memory = memory::memory(top, reader);
    let has_full_events = full_events(top, reader);
    let is_strict = top.word(
        reader,
        "unknown_keys",
        &[("warn", false), ("error", true)],
        false,
        "config_value",
    );
    keys::check(top, reader, is_strict);
    let has_schema = evaluators.iter().any(|one| one.part.kind == "schema");
    let form = |party: Option<&Party>| parsing.form(party.is_some_and(Party::is_model), has_schema);
    Config {
        state: Arc::new(state),
        generated_form: form(generator.as_ref()),
        corrected_form: form(corrector.as_ref()),
        generator,
        evaluators,
        combine,
        corrector,
        max_iterations,
        on_failure,
        corrector_mode,
        pass_score,
        score_scale,
        judge_retries,
        candidates,
        has_early_stop,
        retry,
        seed,
        budget: timing.budget,
        deadline_ms: timing.deadline_ms,
        call_timeout_ms: timing.call_timeout_ms,
        stall,
        failure_limits,
        feedback,
        history_limit,
        memory,
        has_full_events,
        warnings: std::mem::take(&mut reader.warnings),
    }
}

/// `None` for what is no list of objects.
fn attempt_params(top: Place<'_>) -> Option<Vec<&Map<String, Value>>> {
    match top.get("attempt_params") {
        None => Some(Vec::new()),
        Some(Value::Array(list)) => list.iter().map(Value::as_object).collect(),
        Some(_) => None,
    }
}

fn generator(
    top: Place<'_>,
    attempts: &[&Map<String, Value>],
    host: &Host,
    reader: &mut Reader,
) -> Option<Party> {
    let Some(Value::Object(members)) = top.get("generator") else {
        let message = "`generator` is an object with `action`, `run` or a callback.";
        reader.wrong("config_generator", "/generator", message);
        return None;
    };
    let place = Place { members, pointer: "/generator" };
    calls::party(place, calls::Role::Generator, attempts, host, reader)
}

fn corrector(top: Place<'_>, host: &Host, reader: &mut Reader) -> Option<Party> {
    match top.get("corrector") {
        None | Some(Value::Null) => None,
        Some(Value::Object(members)) if members.is_empty() => None,
        Some(Value::Object(members)) => {
            let place = Place { members, pointer: "/corrector" };
            calls::party(place, calls::Role::Corrector, &[], host, reader)
        }
        Some(_) => {
            let message = "`corrector` is an object with `action`, `run`, `prompt` or a callback.";
            reader.wrong("config_corrector", "/corrector", message);
            None
        }
    }
}

fn combine(top: Place<'_>, reader: &mut Reader) -> Combine {
    let words = [
        ("all", Combine::All),
        ("any", Combine::Any),
        ("first", Combine::First),
        ("weighted", Combine::Weighted),
    ];
    top.word(reader, "combine", &words, Combine::All, "config_value")
}

fn mode(top: Place<'_>, corrector: Option<&Party>, reader: &mut Reader) -> CorrectorMode {
    let words = [
        ("auto", None),
        ("regenerate", Some(CorrectorMode::Regenerate)),
        ("replace", Some(CorrectorMode::Replace)),
    ];
    top.word(reader, "corrector_mode", &words, None, "config_value").unwrap_or(
        if corrector.is_some_and(Party::is_model) {
            CorrectorMode::Replace
        } else {
            CorrectorMode::Regenerate
        },
    )
}

fn parsing(top: Place<'_>, reader: &mut Reader) -> Parsing {
    let words = [
        ("auto", Parsing::Auto),
        ("json", Parsing::Json),
        ("text", Parsing::Text),
        ("none", Parsing::None),
    ];
    top.word(reader, "parse", &words, Parsing::Auto, "config_value")
}

impl Parsing {
    fn form(self, is_model: bool, has_schema: bool) -> Form {
        match self {
            Self::Json => Form::Json,
            Self::None => Form::Unchanged,
            Self::Auto if !is_model => Form::Unchanged,
            Self::Auto if has_schema => Form::Json,
            Self::Auto | Self::Text => Form::Text,
        }
    }
}

fn pass_score(top: Place<'_>, reader: &mut Reader) -> Option<f64> {
    top.number_or_none(reader, "pass_score", "a number from 0 to 1, or null", |score| {
        (0.0..=1.0).contains(&score)
    })
}

fn scale(top: Place<'_>, reader: &mut Reader) -> f64 {
    top.number(reader, "score_scale", 1.0, "a number above 0", |scale| scale > 0.0)
}

fn llm_texts(top: Place<'_>, reader: &mut Reader) {
    if let Some(members) = top.object(reader, "llm_defaults", false) {
        let place = Place { members, pointer: "/llm_defaults" };
        for key in ["provider", "model"] {
            place.text(reader, key, false);
        }
    }
}

fn full_events(top: Place<'_>, reader: &mut Reader) -> bool {
    top.word(reader, "events", &[("brief", false), ("full", true)], false, "config_value")
}

/// Limits of time and cost.
struct Timing {
    budget: Budget,
    deadline_ms: Option<f64>,
    call_timeout_ms: Option<f64>,
}

fn timing(top: Place<'_>, host: &Host, now: Option<f64>, reader: &mut Reader) -> Timing {
    let timing = Timing {
        budget: limits::budget(top, reader),
        deadline_ms: top.number_or_none(reader, "deadline_ms", "a number, or null", |_| true),
        call_timeout_ms: top.number_or_none(
            reader,
            "call_timeout_ms",
            "a number from 0, or null",
            |ms| ms >= 0.0,
        ),
    };
    let has_clock = host.clock && now.is_some_and(f64::is_finite);
    let needing = [
        ("/budget/ms", timing.budget.ms),
        ("/deadline_ms", timing.deadline_ms),
        ("/call_timeout_ms", timing.call_timeout_ms),
    ];
    for (field, limit) in needing {
        if limit.is_some() && !has_clock {
            let message = "A limit of time needs a host with a clock, and its `now` at the start.";
            reader.wrong("config_clock_missing", field, message);
        }
    }
    timing
}
