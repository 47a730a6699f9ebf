//! Who is called: generator, corrector, custom evaluator.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::host::Host;
use super::super::step::Call;
use super::super::template::{Params, Scope, Template};
use super::super::template_error::TemplateError;
use super::read::{Place, Reader};

/// The language of inline code that names none.
const LANGUAGE: &str = "python";

/// The action whose answers are texts of a model.
const LLM_CALL: &str = "llm.call";

/// Whom to call.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    Action(String),
    Run {
        run: Arc<str>,
        language: Arc<str>,
    },
    Callback(Value),
    /// A prompt for the host's model; correctors only.
    Prompt(Template),
}

/// A callee with its parameters, one set for each of the first rounds; the last one repeats.
#[derive(Clone, Debug)]
pub(crate) struct Party {
    pub(crate) callee: Callee,
    params: Vec<ParamSet>,
}

/// Parameters before rendering.
#[derive(Clone, Debug)]
enum ParamSet {
    /// Without a template in them: shared by all rounds.
    Plain(Arc<Map<String, Value>>),
    Rendered(Params),
}

impl Party {
    /// Whether what it returns comes from a model as text (section 8, `auto`).
    pub(crate) fn is_model(&self) -> bool {
        match &self.callee {
            Callee::Action(name) => name == LLM_CALL,
            Callee::Prompt(_) => true,
            Callee::Run { .. } | Callee::Callback(_) => false,
        }
    }

    /// The call of round `iteration`, rendered.
    pub(crate) fn call(&self, iteration: u32, scope: &dyn Scope) -> Result<Call, TemplateError> {
        let index = (iteration.max(1) as usize - 1).min(self.params.len().saturating_sub(1));
        let params = || match self.params.get(index) {
            None => Ok(Arc::default()),
            Some(ParamSet::Plain(params)) => Ok(Arc::clone(params)),
            Some(ParamSet::Rendered(params)) => match params.render(scope)? {
                Value::Object(members) => Ok(Arc::new(members)),
                _ => Ok(Arc::default()),
            },
        };
        Ok(match &self.callee {
            Callee::Action(action) => Call::Action { action: action.clone(), params: params()? },
            Callee::Run { run, language } => {
                Call::Run { run: Arc::clone(run), language: Arc::clone(language) }
            }
            Callee::Callback(callback) => {
                Call::Callback { callback: callback.clone(), params: params()? }
            }
            Callee::Prompt(prompt) => {
                Call::Prompt { prompt: prompt.render(scope)?, params: params()? }
            }
        })
    }

    /// As records name it (section 16): null for a callback.
    pub(crate) fn named(&self) -> Value {
        match &self.callee {
            Callee::Action(action) => serde_json::json!({ "action": action }),
            Callee::Run { run, language } => {
                serde_json::json!({ "run": run, "language": language })
            }
            Callee::Prompt(_) => serde_json::json!({ "action": "prompt" }),
            Callee::Callback(_) => Value::Null,
        }
    }
}

/// Which of the two it is, for codes and for what is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Generator,
    Corrector,
}

impl Role {
    const fn code(self) -> &'static str {
        match self {
            Self::Generator => "config_generator",
            Self::Corrector => "config_corrector",
        }
    }
}

/// Reads generator or corrector. `attempts` are merged over its parameters, one for each round.
pub(super) fn party(
    place: Place<'_>,
    role: Role,
    attempts: &[&Map<String, Value>],
    host: &Host,
    reader: &mut Reader,
) -> Option<Party> {
    let mut params = place.members.clone();
    let given = |key: &str| place.get(key).filter(|value| !value.is_null());
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    let callee = if let Some(action) = given("action") {
        let Some(name) = action.as_str().filter(|_| is_text(action)) else {
            reader.wrong(role.code(), place.at("action"), "`action` is the name of an action.");
            return None;
        };
        if given("run").is_some() {
            reader.warn("run_ignored", place.at("run"), "`action` is called, `run` is not.");
        }
        if !host.actions.know(name) {
            let message = format!("The host knows no action {name:?}.");
            reader.wrong("config_unknown_action", place.at("action"), message);
        }
        for key in ["action", "run", "callback"] {
            params.shift_remove(key);
        }
        Callee::Action(name.to_owned())
    } else if let Some(run) = given("run") {
        if !is_text(run) {
            reader.wrong(role.code(), place.at("run"), "`run` is code, as text.");
            return None;
        }
        params.clear();
        code(place, run, host, reader)?
    } else if let Some(callback) = given("callback") {
        let callback = callback_of(place, callback, role.code(), reader)?;
        params.shift_remove("callback");
        callback
    } else if let (Role::Corrector, Some(prompt)) = (role, given("prompt")) {
        if !is_text(prompt) {
            reader.wrong(role.code(), place.at("prompt"), "`prompt` is a text.");
            return None;
        }
        if !host.llm {
            let message = "The host has no model for `prompt`.";
            reader.wrong("config_unknown_action", place.at("prompt"), message);
        }
        params.shift_remove("prompt");
        match Template::new(prompt.as_str().unwrap_or_default()) {
            Ok(template) => Callee::Prompt(template),
            Err(error) => {
                reader.wrong("config_template", place.at("prompt"), error.to_string());
                return None;
            }
        }
    } else {
        reader.wrong(role.code(), place.pointer, "It needs `action`, `run` or a callback.");
        return None;
    };
    let params = param_sets(place, &params, attempts, reader);
    Some(Party { callee, params })
}

/// Inline code and its language.
pub(super) fn code(
    place: Place<'_>,
    run: &Value,
    host: &Host,
    reader: &mut Reader,
) -> Option<Callee> {
    let language = place.text(reader, "language", true).unwrap_or(LANGUAGE);
    if !host.languages.know(language) {
        let message = format!("The host knows no language {language:?}.");
        reader.wrong("config_unknown_language", place.at("language"), message);
    }
    Some(Callee::Run { run: run.as_str()?.into(), language: language.into() })
}

/// A callback: true, or a name by which the driver knows it.
pub(super) fn callback_of(
    place: Place<'_>,
    callback: &Value,
    wrong: &'static str,
    reader: &mut Reader,
) -> Option<Callee> {
    if matches!(callback, Value::Bool(true))
        || callback.as_str().is_some_and(|name| !name.is_empty())
    {
        return Some(Callee::Callback(callback.clone()));
    }
    reader.wrong(wrong, place.at("callback"), "`callback` is true, or a name.");
    None
}

fn param_sets(
    place: Place<'_>,
    params: &Map<String, Value>,
    attempts: &[&Map<String, Value>],
    reader: &mut Reader,
) -> Vec<ParamSet> {
    // Own templates are checked once, those of attempts where they stand.
    if let Err((pointer, error)) = Params::new(&Value::Object(params.clone())) {
        let field = format!("{}{pointer}", place.pointer);
        reader.wrong("config_template", field, error.to_string());
        return Vec::new();
    }
    for (number, attempt) in attempts.iter().enumerate() {
        if let Err((pointer, error)) = Params::new(&Value::Object((*attempt).clone())) {
            let field = format!("/attempt_params/{number}{pointer}");
            reader.wrong("config_template", field, error.to_string());
            return Vec::new();
        }
    }
    let set = |params: Map<String, Value>| {
        if is_plain(&params) {
            return Some(ParamSet::Plain(Arc::new(params)));
        }
        Params::new(&Value::Object(params)).ok().map(ParamSet::Rendered)
    };
    if attempts.is_empty() {
        return set(params.clone()).into_iter().collect();
    }
    attempts
        .iter()
        .filter_map(|attempt| {
            let mut merged = params.clone();
            merged.extend(attempt.iter().map(|(key, value)| (key.clone(), value.clone())));
            set(merged)
        })
        .collect()
}

/// Whether no text in it can be a template.
fn is_plain(params: &Map<String, Value>) -> bool {
    let mut open: Vec<&Value> = params.values().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if ["{{", "{%", "{#"].iter().any(|mark| text.contains(mark)) => {
                return false;
            }
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    true
}
