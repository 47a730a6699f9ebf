//! Who is called: generator, corrector, custom evaluator.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::error_code::LoopErrorCode;
use super::super::host::Names;
use super::super::step::Call;
use super::super::template::{Params, Scope, Template};
use super::super::template_error::TemplateError;
use super::super::verdict::Warning;
use super::options::{CodeOptions, Known};
use super::read::{ConfigObject, Reader};

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
    pub(super) params: Vec<Params>,
}

impl Party {
    /// Whether what it returns is a text of a model: `parse: auto` and `corrector_mode: auto` depend
    /// on it.
    pub(crate) fn is_model(&self) -> bool {
        match &self.callee {
            Callee::Action(name) => name == LLM_CALL,
            Callee::Prompt(_) => true,
            Callee::Run { .. } | Callee::Callback(_) => false,
        }
    }

    /// Whether it is a function of the driver: what a function returns is its answer.
    pub(crate) const fn is_function(&self) -> bool {
        matches!(self.callee, Callee::Callback(_))
    }

    /// The call of round `iteration`, rendered.
    pub(crate) fn call(&self, iteration: u32, scope: &dyn Scope) -> Result<Call, TemplateError> {
        let index = (iteration.max(1) as usize - 1).min(self.params.len().saturating_sub(1));
        let params = || match self.params.get(index) {
            None => Ok(Arc::default()),
            Some(params) => params.render(scope),
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

    /// As reflection-memory records name it: null for a callback.
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
    const fn code(self) -> LoopErrorCode {
        match self {
            Self::Generator => LoopErrorCode::ConfigGenerator,
            Self::Corrector => LoopErrorCode::ConfigCorrector,
        }
    }
}

/// Reads generator or corrector. `attempts` are merged over its parameters, one for each round.
pub(super) fn party(
    place: ConfigObject<'_>,
    role: Role,
    attempts: &[&Map<String, Value>],
    reader: &mut Reader<'_>,
) -> Option<Party> {
    let mut params = place.members.clone();
    let callee = if let Some(action) = place.given("action") {
        let name = text(action, role.code(), place.at("action"), reader)?;
        if place.given("run").is_some() {
            let message =
                "Both `action` and `run` are set. `action` is used, and `run` is ignored.";
            reader.warnings.push((Warning::new("run_ignored", message), place.at("run")));
        }
        if !reader.host.actions.know(name) {
            let message = unknown("action", name, &reader.host.actions);
            reader.wrong(LoopErrorCode::ConfigUnknownAction, place.at("action"), message);
        }
        for key in ["action", "run", "callback"] {
            params.shift_remove(key);
        }
        Callee::Action(name.to_owned())
    } else if let Some(run) = place.given("run") {
        let run = text(run, role.code(), place.at("run"), reader)?;
        reader.know(place, &[CodeOptions::NAMES, &["action"]]);
        params.clear();
        code(place, run, reader)
    } else if let Some(callback) = place.given("callback") {
        params.shift_remove("callback");
        callback_of(callback, role.code(), place.at("callback"), reader)?
    } else if let (Role::Corrector, Some(prompt)) = (role, place.given("prompt")) {
        let prompt = text(prompt, role.code(), place.at("prompt"), reader)?;
        if !reader.host.llm {
            let message = "`prompt` needs a model. Pass one in `llm`.";
            reader.wrong(LoopErrorCode::ConfigUnknownAction, place.at("prompt"), message);
        }
        params.shift_remove("prompt");
        let template = Template::new(prompt).map_err(|error| {
            reader.wrong(LoopErrorCode::ConfigTemplate, place.at("prompt"), error.to_string());
        });
        Callee::Prompt(template.ok()?)
    } else {
        let prompt = if role == Role::Corrector { "`prompt`, " } else { "" };
        let message = format!("Nothing to call: expected `action`, `run`, {prompt}or a callback.");
        reader.wrong(role.code(), place.pointer.to_owned(), message);
        return None;
    };
    Some(Party { callee, params: param_sets(place.pointer, &params, attempts, reader) })
}

/// A text that is not blank.
pub(super) fn text<'a>(
    value: &'a Value,
    code: LoopErrorCode,
    field: String,
    reader: &mut Reader<'_>,
) -> Option<&'a str> {
    let text = value.as_str().filter(|text| !text.trim().is_empty());
    if text.is_none() {
        reader.unexpected(code, field, "a string that is not blank", Some(value));
    }
    text
}

/// Inline code and its language.
pub(super) fn code(place: ConfigObject<'_>, run: &str, reader: &mut Reader<'_>) -> Callee {
    let options: CodeOptions = reader.read(place);
    let language = options.language.as_deref().unwrap_or(LANGUAGE);
    if !reader.host.languages.know(language) {
        let message = unknown("language", language, &reader.host.languages);
        reader.wrong(LoopErrorCode::ConfigUnknownLanguage, place.at("language"), message);
    }
    Callee::Run { run: run.into(), language: language.into() }
}

/// Says that an action or a language is none of those that the host has declared.
fn unknown(kind: &str, name: &str, known: &Names) -> String {
    match known {
        Names::Only(known) if !known.is_empty() => {
            format!("Unknown {kind} {name:?}. Available: {}.", known.join(", "))
        }
        _ => {
            format!("Unknown {kind} {name:?}: no {kind}s were given. Pass them in `{kind}s`.")
        }
    }
}

/// A callback: true, or a name by which the driver knows it.
pub(super) fn callback_of(
    callback: &Value,
    code: LoopErrorCode,
    field: String,
    reader: &mut Reader<'_>,
) -> Option<Callee> {
    let is_name = callback.as_str().is_some_and(|name| !name.is_empty());
    if is_name || *callback == Value::Bool(true) {
        return Some(Callee::Callback(callback.clone()));
    }
    reader.unexpected(code, field, "true or a string", Some(callback));
    None
}

fn param_sets(
    pointer: &str,
    params: &Map<String, Value>,
    attempts: &[&Map<String, Value>],
    reader: &mut Reader<'_>,
) -> Vec<Params> {
    // Templates are checked where they stand, before they are merged.
    let own = (pointer.to_owned(), params);
    let numbered = attempts.iter().enumerate();
    let others = numbered.map(|(number, one)| (format!("/attempt_params/{number}"), *one));
    for (place, params) in std::iter::once(own).chain(others) {
        if let Err((pointer, error)) = Params::new(params) {
            reader.wrong(
                LoopErrorCode::ConfigTemplate,
                format!("{place}{pointer}"),
                error.to_string(),
            );
            return Vec::new();
        }
    }
    let none = Map::new();
    let attempts = if attempts.is_empty() { &[&none] } else { attempts };
    let merged = attempts.iter().filter_map(|attempt| {
        let mut merged = params.clone();
        merged.extend(attempt.iter().map(|(key, value)| (key.clone(), value.clone())));
        Params::new(&merged).ok()
    });
    merged.collect()
}
