//! Scripted callbacks: call k plays step k, the last one repeats.

use hindscope::reflect::{Call, Names};
use hindscope::{Host, Loop, LoopError, LoopErrorType, Reply, Step, StepKind};
use serde_json::{Map, Value, json};

use super::{matches, state_of};

/// What came out of a case.
#[derive(Debug, Default)]
pub struct Outcome {
    /// `{result}`, `{data}`, `{text}` or `{error: {type, history?}}`.
    pub value: Value,
    /// Every callback in order, with what it was handed.
    pub trace: Vec<Value>,
    /// How often each was called.
    pub calls: Map<String, Value>,
}

/// Runs one case of the format.
pub fn run(operation: &str, input: &Value) -> Outcome {
    let mut player = Player { input, trace: Vec::new(), calls: Map::new() };
    let value = match operation {
        "coerce" => coerce(input),
        "template" => template(input),
        "loop" => player.whole(input),
        "evaluate" => player.evaluate(input),
        "correct" => player.correct(input),
        other => panic!("no operation {other}"),
    };
    Outcome { value, trace: player.trace, calls: player.calls }
}

fn coerce(input: &Value) -> Value {
    let data = |value: &Value| json!({ "data": value });
    let coerced = hindscope::coerce(&input["schema"], input["data"].clone());
    let is_changed = matches(&data(&input["data"]), &data(&coerced.value), "data").is_err();
    assert_eq!(is_changed, !coerced.coercions.is_empty(), "{input}");
    data(&coerced.value)
}

fn template(input: &Value) -> Value {
    let state = input["state"].as_object().cloned().unwrap_or_default();
    match hindscope::render_template(input["template"].as_str().expect("a text"), &state) {
        Ok(text) => json!({ "text": text }),
        Err(error) => {
            assert_eq!(error.code().as_str(), "template_failed", "{input}");
            json!({ "error": { "type": hindscope::TemplateError::TYPE } })
        }
    }
}

/// Plays the scripts of a case.
struct Player<'a> {
    input: &'a Value,
    trace: Vec<Value>,
    calls: Map<String, Value>,
}

static NULL: Value = Value::Null;

impl Player<'_> {
    fn whole(&mut self, input: &Value) -> Value {
        let mut config = input.as_object().cloned().unwrap_or_default();
        config.shift_remove("files");
        for (key, action, run) in
            [("generator", "test.generate", "generate"), ("corrector", "test.correct", "correct")]
        {
            if let Some(party) = config.get(key).and_then(Value::as_object).cloned()
                && !party.is_empty()
            {
                let literal = match party.get("raw") {
                    Some(raw) => raw.clone(),
                    None if party.get("via").and_then(Value::as_str) == Some("run") => {
                        json!({ "run": run })
                    }
                    None => {
                        let mut params = party
                            .get("params")
                            .and_then(Value::as_object)
                            .cloned()
                            .unwrap_or_default();
                        params.insert("action".to_owned(), action.into());
                        Value::Object(params)
                    }
                };
                config.insert(key.to_owned(), literal);
            }
        }
        if let Some(Value::Object(evaluator)) = config.get_mut("evaluator")
            && evaluator.shift_remove("script").is_some()
            && evaluator["type"] == "custom"
        {
            evaluator.insert("run".to_owned(), "evaluate".into());
        }
        let config = Value::Object(config);
        let before = config.to_string();
        let run = Loop::start(&config, &host(true), None);
        let end = run.and_then(|run| self.play(run));
        assert_eq!(before, config.to_string(), "the input was changed");
        match end {
            Ok(result) => json!({ "result": result }),
            Err(error) => error_json(&error),
        }
    }

    fn evaluate(&mut self, input: &Value) -> Value {
        let mut params = input["params"].clone();
        let kind = params.get("evaluator_type").or_else(|| params.get("type"));
        if kind.and_then(Value::as_str) == Some("custom")
            && input.get("script").is_some()
            && let Value::Object(params) = &mut params
        {
            params.entry("run").or_insert_with(|| "evaluate".into());
        }
        let host = host(input.get("llm_unavailable").is_none());
        let state = input.get("state").unwrap_or(&NULL);
        let run = Loop::evaluate(&params, state, &host, None);
        json!({ "result": self.play(run).expect("it never fails") })
    }

    fn correct(&mut self, input: &Value) -> Value {
        let mut params = input["params"].as_object().cloned().unwrap_or_default();
        for way in input.get("via").and_then(Value::as_str).unwrap_or_default().split('+') {
            let (key, value) = match way {
                "action" => ("corrector_action", "test.correct"),
                "run" => ("run", "correct"),
                "prompt" => ("prompt", "Correct it."),
                _ => continue,
            };
            params.insert(key.to_owned(), value.into());
        }
        let host = host(input.get("llm_unavailable").is_none());
        let state = input.get("state").unwrap_or(&NULL);
        let run = Loop::correct(&Value::Object(params), state, &host, None);
        json!({ "result": self.play(run).expect("it never fails") })
    }

    fn play(&mut self, mut run: Loop) -> Result<Value, LoopError> {
        while let Some(step) = run.next() {
            let reply = self.answer(&step, state_of(&run, step.id));
            run.resume(step.id, reply).expect("the reply is sound");
        }
        run.outcome().expect("it has ended").cloned()
    }

    fn answer(&mut self, step: &Step, mut state: Value) -> Reply {
        match &step.kind {
            StepKind::ResolveSchema { uri, .. } => {
                match self.input.get("files").and_then(|files| files.get(uri)) {
                    Some(text) => Reply::value(text.clone()),
                    None => Reply::error(format!("no file {uri}")),
                }
            }
            StepKind::Generate { call, .. } => {
                let shown = json!({ "call": "generate", "params": params(call), "state": state });
                self.called("generate", shown, &["generator"], &state)
            }
            StepKind::EvaluateLlm { model, messages, .. } => {
                let params = json!({ "model": model, "messages": **messages });
                self.called(
                    "llm",
                    json!({ "call": "llm", "params": params }),
                    &["evaluator"],
                    &state,
                )
            }
            StepKind::EvaluateCustom { output, .. } => {
                assert_eq!(state["output"], **output);
                if let Value::Object(members) = &mut state
                    && self.input.get("state").and_then(|state| state.get("output")).is_none()
                {
                    members.shift_remove("output");
                }
                let shown = json!({ "call": "evaluate", "output": **output, "state": state });
                self.called("evaluate", shown, &["evaluator"], &state)
            }
            StepKind::Correct { call: Call::Prompt { prompt, .. }, .. } => {
                let shown = json!({ "call": "llm", "params": { "prompt": prompt } });
                self.called("llm", shown, &["corrector"], &state)
            }
            StepKind::Correct { call, .. } => {
                let shown = json!({ "call": "correct", "params": params(call), "state": state });
                self.called("correct", shown, &["corrector"], &state)
            }
            other => panic!("no step for a host: {other:?}"),
        }
    }

    /// Counts a call and plays what its script says next.
    fn called(&mut self, name: &str, shown: Value, owners: &[&str], state: &Value) -> Reply {
        self.trace.push(shown);
        let count = |counts: &mut Map<String, Value>| {
            let before = counts.get(name).and_then(Value::as_u64).unwrap_or(0);
            counts.insert(name.to_owned(), (before + 1).into());
            usize::try_from(before).expect("few calls")
        };
        let index = count(&mut self.calls);
        let own = owners.iter().find_map(|key| self.input.get(key)?.get("script"));
        let script = own.or_else(|| self.input.get("script")).and_then(Value::as_array);
        let script = script.expect("a script");
        let play = &script[index.min(script.len() - 1)];
        if let Some(error) = play.get("raise") {
            return Reply::error(error["message"].as_str().unwrap_or_default());
        }
        if let Some(key) = play.get("return_state") {
            let key = key.as_str().expect("a key");
            return Reply::value(state.get(key).cloned().unwrap_or_default());
        }
        let mut not_finite = Vec::new();
        let value = finite(&play["return"], "", &mut not_finite);
        Reply { not_finite, ..Reply::value(value) }
    }
}

/// Null in place of what JSON cannot write.
fn finite(value: &Value, pointer: &str, not_finite: &mut Vec<String>) -> Value {
    match value {
        Value::Object(members) if members.contains_key("$float") => {
            not_finite.push(pointer.to_owned());
            Value::Null
        }
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                (key.clone(), finite(value, &format!("{pointer}/{key}"), not_finite))
            })
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(number, value)| finite(value, &format!("{pointer}/{number}"), not_finite))
            .collect(),
        other => other.clone(),
    }
}

fn host(llm: bool) -> Host {
    let names = |names: &[&str]| Names::Only(names.iter().map(|&name| name.to_owned()).collect());
    Host {
        llm,
        actions: names(&["test.generate", "test.correct"]),
        languages: names(&["python", "lua", "prolog"]),
        ..Host::default()
    }
}

fn params(call: &Call) -> Value {
    match call {
        Call::Action { params, .. }
        | Call::Callback { params, .. }
        | Call::Prompt { params, .. } => Value::Object((**params).clone()),
        Call::Run { .. } => json!({}),
    }
}

fn error_json(error: &LoopError) -> Value {
    let mut details = json!({ "type": error.kind().as_str() });
    if error.kind() == LoopErrorType::Failed {
        details["history"] = error.details()["history"].clone();
    }
    json!({ "error": details })
}
