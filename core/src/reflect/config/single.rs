//! One evaluation, or one correction, as a request of its own (section 12).

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::combine::Combine;
use super::super::correction::CorrectorMode;
use super::super::depth;
use super::super::host::Host;
use super::super::parse::Form;
use super::super::problem::Problem;
use super::calls::{self, Party};
use super::evaluators::{Around, evaluators};
use super::limits;
use super::read::{Place, Reader};
use super::{Config, OnFailure, Parsing, full_events, parsing, pass_score, scale, timing};

/// An evaluation that can be made.
#[derive(Clone, Debug)]
pub(crate) struct Evaluating {
    pub(crate) config: Config,
    pub(crate) data: Arc<Value>,
}

/// A correction that can be made.
#[derive(Clone, Debug)]
pub(crate) struct Correcting {
    pub(crate) config: Config,
    pub(crate) party: Party,
    pub(crate) data: Arc<Value>,
    pub(crate) errors: Arc<Vec<Value>>,
    /// What its answer is turned into.
    pub(crate) form: Form,
}

/// A request that is itself wrong: it becomes a result, not an error.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    pub(crate) data: Arc<Value>,
    pub(crate) problem: Problem,
}

/// Keys of a correction that are no parameters of its action.
const CORRECTION: [&str; 10] = [
    "data",
    "errors",
    "corrector_action",
    "run",
    "callback",
    "parse",
    "retry",
    "budget",
    "deadline_ms",
    "call_timeout_ms",
];

/// Reads the request for one evaluation.
pub(crate) fn evaluate(
    params: &Value,
    state: &Value,
    host: &Host,
    now: Option<f64>,
) -> Result<Evaluating, Refused> {
    let (params, state) = request(params, state)?;
    let data = data(params, state);
    let mut members = params.clone();
    if let Some(kind) = members.shift_remove("evaluator_type") {
        members.insert("type".to_owned(), kind);
    }
    let top = Place { members: &members, pointer: "" };
    let mut reader = Reader::default();
    let nothing = Map::new();
    let llm_defaults = top.object(&mut reader, "llm_defaults", false).unwrap_or(&nothing);
    super::llm_texts(top, &mut reader);
    let score_scale = scale(top, &mut reader);
    let around = Around { host, llm_defaults, score_scale, is_single: true, pointer: "" };
    let as_value = Value::Object(members.clone());
    let list = evaluators(Some(&as_value), &around, &mut reader);
    let mut config = config(top, state, host, now, &mut reader);
    config.evaluators = list;
    config.pass_score = pass_score(top, &mut reader);
    config.score_scale = score_scale;
    config.judge_retries = top.integer(&mut reader, "judge_retries", 0, (0, 3), "config_value");
    set(&mut config, "reflection_output", (*data).clone());
    config.warnings = reader.warnings;
    match reader.problems.into_iter().next() {
        Some(problem) => Err(Refused { data, problem }),
        None => Ok(Evaluating { config, data }),
    }
}

/// Reads the request for one correction.
pub(crate) fn correct(
    params: &Value,
    state: &Value,
    host: &Host,
    now: Option<f64>,
) -> Result<Correcting, Refused> {
    let (params, state) = request(params, state)?;
    let data = data(params, state);
    let given =
        |key: &str| params.get(key).filter(|value| !value.is_null() && value.as_str() != Some(""));
    let mut members = params.clone();
    for key in CORRECTION {
        members.shift_remove(key);
    }
    // First that is given and not empty: action, code, callback, prompt.
    if let Some(action) = given("corrector_action") {
        members.insert("action".to_owned(), action.clone());
    } else if let Some(run) = given("run") {
        members.shift_remove("action");
        members.insert("run".to_owned(), run.clone());
    } else if let Some(callback) = given("callback") {
        members.shift_remove("action");
        members.insert("callback".to_owned(), callback.clone());
    } else {
        members.shift_remove("action");
    }
    let mut reader = Reader::default();
    let top = Place { members: params, pointer: "" };
    let place = Place { members: &members, pointer: "" };
    let party = calls::party(place, calls::Role::Corrector, &[], host, &mut reader);
    let mut config = config(top, state, host, now, &mut reader);
    let form = match top.get("parse") {
        None => Form::Unchanged,
        Some(_) => match parsing(top, &mut reader) {
            // What it would be parsed for is not known here.
            Parsing::Auto | Parsing::None => Form::Unchanged,
            Parsing::Text => Form::Text,
            Parsing::Json => Form::Json,
        },
    };
    let errors = match params.get("errors").filter(|errors| !errors.is_null()) {
        Some(errors) => errors,
        None => state.get("reflection_errors").unwrap_or(&Value::Null),
    };
    let errors = Arc::new(super::super::verdict::errors(errors));
    set(&mut config, "reflection_output", (*data).clone());
    set(&mut config, "reflection_errors", Value::Array((*errors).clone()));
    config.warnings = reader.warnings;
    match (reader.problems.into_iter().next(), party) {
        (None, Some(party)) => Ok(Correcting { config, party, data, errors, form }),
        (Some(problem), _) => Err(Refused { data, problem }),
        (None, None) => {
            let problem = Problem::new("config_corrector", "", "There is no corrector.");
            Err(Refused { data, problem })
        }
    }
}

/// The members of an object.
type Members = Map<String, Value>;

/// Params and state as objects; null stands for none.
fn request<'a>(params: &'a Value, state: &'a Value) -> Result<(&'a Members, &'a Members), Refused> {
    static NOTHING: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    let refused = |message: &str| Refused {
        data: Arc::new(Value::Null),
        problem: Problem::new("config_value", "", message),
    };
    if depth::is_too_deep(params) || depth::is_too_deep(state) {
        return Err(refused("The request is nested deeper than 128 levels."));
    }
    let object = |value: &'a Value, what: &str| match value {
        Value::Null => Ok(&*NOTHING),
        Value::Object(members) => Ok(members),
        _ => Err(refused(what)),
    };
    Ok((object(params, "The request is an object.")?, object(state, "The state is an object.")?))
}

/// Present, whatever it is; else what the state holds.
fn data(params: &Map<String, Value>, state: &Map<String, Value>) -> Arc<Value> {
    let given = params.get("data");
    let found = given.or_else(|| state.get("reflection_output")).or_else(|| state.get("output"));
    Arc::new(found.cloned().unwrap_or_default())
}

fn set(config: &mut Config, key: &str, value: Value) {
    Arc::make_mut(&mut config.state).insert(key.to_owned(), value);
}

impl Config {
    /// Of a request that cannot be carried out.
    pub(crate) fn empty() -> Self {
        let nothing = Map::new();
        let top = Place { members: &nothing, pointer: "" };
        config(top, &nothing, &Host::default(), None, &mut Reader::default())
    }
}

/// One round with neither generator nor corrector.
fn config(
    top: Place<'_>,
    state: &Map<String, Value>,
    host: &Host,
    now: Option<f64>,
    reader: &mut Reader,
) -> Config {
    let timing = timing(top, host, now, reader);
    Config {
        state: Arc::new(state.clone()),
        generator: None,
        evaluators: Vec::new(),
        combine: Combine::All,
        corrector: None,
        max_iterations: 1,
        on_failure: OnFailure::ReturnBest,
        corrector_mode: CorrectorMode::Regenerate,
        generated_form: Form::Unchanged,
        corrected_form: Form::Unchanged,
        pass_score: None,
        score_scale: 1.0,
        judge_retries: 0,
        candidates: 1,
        has_early_stop: false,
        retry: limits::retry(top, reader),
        seed: if top.get("retry").is_some() { limits::seed(top, reader) } else { 0 },
        budget: timing.budget,
        deadline_ms: timing.deadline_ms,
        call_timeout_ms: timing.call_timeout_ms,
        stall: None,
        failure_limits: limits::FailureLimits::default(),
        feedback: limits::FeedbackRule { last: Some(0), best: 0, has_dedupe: true },
        history_limit: None,
        memory: None,
        has_full_events: top.get("events").is_some() && full_events(top, reader),
        warnings: Vec::new(),
    }
}
