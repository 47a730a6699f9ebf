//! One evaluation, or one correction, as a request of its own.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::correction::CorrectorMode;
use super::super::depth;
use super::super::error_code::LoopErrorCode;
use super::super::form::{Correcting, Form};
use super::super::host::Host;
use super::super::parse;
use super::super::problem::Problem;
use super::Config;
use super::calls::{self, Role};
use super::evaluators::{Context, evaluator};
use super::options::{Options, Parsing};
use super::read::{ConfigObject, Reader};

/// What a machine is to do, with its configuration; or why it cannot: a request that is itself wrong
/// becomes a result, not an error.
pub(crate) type Read = Result<(Form, Config), (Form, Problem)>;

/// Options of the loop that a single request has, too. All other keys are options of the evaluator, or
/// parameters of an action.
const SHARED: [&str; 3] = ["deadline_ms", "call_timeout_ms", "events"];
const OF_EVALUATION: [&str; 3] = ["pass_score", "score_scale", "judge_retries"];

/// Keys of an evaluation that are no options of its evaluator, beside the two lists above.
const OF_REQUEST: [&str; 5] = ["data", "llm_defaults", "retry", "seed", "budget"];

/// Keys of a correction that are no parameters of its action.
const OF_CORRECTION: [&str; 10] = [
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
pub(crate) fn evaluate(params: &Value, state: &Value, host: &Host, now: Option<f64>) -> Read {
    let Request { params, state, data } =
        request(params, state).map_err(|problem| (Form::Evaluate(Arc::default()), problem))?;
    let mut reader = Reader::new(host);
    let top = ConfigObject { members: params, pointer: "" };
    let mut config = config(top, &OF_EVALUATION, state, now, &mut reader);
    let context = Context {
        llm_defaults: reader.object(top, "llm_defaults", false).unwrap_or_default(),
        score_scale: config.options.score_scale,
        is_single: true,
    };
    let mut members = params.clone();
    if let Some(kind) = members.shift_remove("evaluator_type") {
        members.insert("type".to_owned(), kind);
    }
    members.retain(|key, _| {
        let key = key.as_str();
        !OF_REQUEST.contains(&key) && !SHARED.contains(&key) && !OF_EVALUATION.contains(&key)
    });
    let place = ConfigObject { members: &members, pointer: "" };
    config.evaluators = evaluator(place, &context, &mut reader).into_iter().collect();
    set(&mut config, "reflection_output", (*data).clone());
    // An action is called with whatever its workflow has, so this is a warning only.
    reader.report_unknown(false);
    config.warnings = reader.warnings;
    let form = Form::Evaluate(data);
    match reader.problems.into_iter().next() {
        Some(problem) => Err((form, problem)),
        None => Ok((form, config)),
    }
}

/// Reads the request for one correction.
pub(crate) fn correct(params: &Value, state: &Value, host: &Host, now: Option<f64>) -> Read {
    let Request { params, state, data } =
        request(params, state).map_err(|problem| (Form::Correct(Arc::default(), None), problem))?;
    let mut members = params.clone();
    for key in OF_CORRECTION {
        members.shift_remove(key);
    }
    // What is called is the first of these that is given and not empty, else a prompt.
    let given = |key: &str| params.get(key).filter(|one| !one.is_null() && *one != "");
    let called = [("corrector_action", "action"), ("run", "run"), ("callback", "callback")];
    let called = called.into_iter().find_map(|(key, name)| Some((name, given(key)?)));
    if called.is_none_or(|(name, _)| name != "action") {
        members.shift_remove("action");
    }
    if let Some((name, value)) = called {
        members.insert(name.to_owned(), value.clone());
    }
    let mut reader = Reader::new(host);
    let place = ConfigObject { members: &members, pointer: "" };
    let party = calls::party(place, Role::Corrector, &[], &mut reader);
    let top = ConfigObject { members: params, pointer: "" };
    let mut config = config(top, &["parse"], state, now, &mut reader);
    let form = match config.options.parse {
        // There is no evaluator here that wants JSON.
        Parsing::Auto | Parsing::None => parse::Form::Unchanged,
        Parsing::Text => parse::Form::Text,
        Parsing::Json => parse::Form::Json,
    };
    // An answer is the corrected output, unless it says otherwise itself.
    config.corrector_mode = CorrectorMode::Replace;
    let errors = params.get("errors").filter(|errors| !errors.is_null());
    let errors = errors.or_else(|| state.get("reflection_errors")).unwrap_or(&Value::Null);
    let errors = Arc::new(super::super::verdict::errors(errors));
    set(&mut config, "reflection_output", (*data).clone());
    set(&mut config, "reflection_errors", Value::Array((*errors).clone()));
    config.warnings = reader.warnings;
    match (reader.problems.into_iter().next(), party) {
        (None, Some(party)) => {
            let correcting = Correcting { party, errors, form };
            Ok((Form::Correct(data, Some(Box::new(correcting))), config))
        }
        (problem, _) => {
            let none =
                || Problem::new(LoopErrorCode::ConfigCorrector, "", "There is no corrector.");
            Err((Form::Correct(data, None), problem.unwrap_or_else(none)))
        }
    }
}

/// A request, and what it is about.
struct Request<'a> {
    params: &'a Map<String, Value>,
    state: &'a Map<String, Value>,
    /// `data` of the request, even if it is null. If absent, `reflection_output` of the state, else its
    /// `output`, else null.
    data: Arc<Value>,
}

/// Params and state as objects; null stands for none.
fn request<'a>(params: &'a Value, state: &'a Value) -> Result<Request<'a>, Problem> {
    static NOTHING: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    let refused = |message: &str| Problem::new(LoopErrorCode::ConfigValue, "", message);
    if depth::is_too_deep(params) || depth::is_too_deep(state) {
        return Err(refused("The request is nested deeper than 128 levels."));
    }
    let object = |value: &'a Value, message: &str| match value {
        Value::Null => Ok(&*NOTHING),
        Value::Object(members) => Ok(members),
        _ => Err(refused(message)),
    };
    let params = object(params, "The request must be an object.")?;
    let state = object(state, "The state must be an object.")?;
    let of_state = || state.get("reflection_output").or_else(|| state.get("output"));
    let data = params.get("data").or_else(of_state).cloned().unwrap_or_default();
    Ok(Request { params, state, data: Arc::new(data) })
}

fn set(config: &mut Config, key: &str, value: Value) {
    Arc::make_mut(&mut config.state).insert(key.to_owned(), value);
}

/// One round with neither generator nor corrector, and the options that a request shares with loops.
fn config(
    top: ConfigObject<'_>,
    own: &[&str],
    state: &Map<String, Value>,
    now: Option<f64>,
    reader: &mut Reader<'_>,
) -> Config {
    let has_retry = top.members.contains_key("retry");
    let mut members = top.members.clone();
    members.retain(|key, _| {
        let key = key.as_str();
        SHARED.contains(&key) || own.contains(&key) || (has_retry && key == "seed")
    });
    let mut config = Config::bare(state.clone());
    let options = reader.read(ConfigObject { members: &members, pointer: "" });
    config.options = Options { max_iterations: 1, ..options };
    config.limit(top, now, reader);
    config
}
