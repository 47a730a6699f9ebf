//! The reflection loop: the machine, and the functions that stand by themselves.
//!
//! JSON crosses as text in both directions, once: building objects by hand costs more than
//! `JSON.parse`. What is refused comes back as `{"error": …}` and is thrown by the script around it,
//! which has the classes.

use hindscope::reflect::{
    self, Host, Loop, LoopError, RecordContext, Reply, Seen, StateSince, object_from_json,
    script_json as text, steps_script_json as steps, value_from_json,
};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

/// A loop on its way, or why there is none.
#[wasm_bindgen]
#[derive(Debug)]
pub struct LoopMachine(Result<Loop, LoopError>, Seen);

#[wasm_bindgen]
impl LoopMachine {
    /// A loop by its configuration. `host` says what whoever drives it can do.
    pub fn start(config: &str, host: &str, now: Option<f64>) -> Self {
        Self::made(host, |host| Loop::start(&configuration(config)?, host, now))
    }

    /// The machine for one evaluation.
    pub fn evaluate(params: &str, state: &str, host: &str, now: Option<f64>) -> Self {
        Self::made(host, |host| {
            let (params, state) = single(params, state)?;
            Ok(Loop::evaluate(&params, &state, host, now))
        })
    }

    /// The machine for one correction.
    pub fn correct(params: &str, state: &str, host: &str, now: Option<f64>) -> Self {
        Self::made(host, |host| {
            let (params, state) = single(params, state)?;
            Ok(Loop::correct(&params, &state, host, now))
        })
    }

    /// A loop as it was when a snapshot was taken.
    pub fn restore(config: &str, host: &str, snapshot: &[u8]) -> Self {
        Self::made(host, |host| Loop::restore(&configuration(config)?, host, snapshot))
    }

    fn made(host: &str, make: impl FnOnce(&Host) -> Result<Loop, LoopError>) -> Self {
        let host = value_from_json("host", host).and_then(|host| Host::from_value(&host));
        Self(host.and_then(|host| make(&host)), Seen::default())
    }

    /// Why there is no loop, as JSON text.
    #[wasm_bindgen(getter)]
    pub fn refusal(&self) -> Option<String> {
        self.0.as_ref().err().map(refused)
    }

    /// The steps that want a reply, as JSON text; after the end the last one.
    pub fn steps(&self) -> String {
        self.0.as_ref().map_or_else(|_| "[]".to_owned(), |run| steps(&run.steps()))
    }

    /// Takes a reply as JSON text, and gives the new steps.
    pub fn resume(&mut self, id: u32, reply: &str) -> String {
        let Ok(run) = &mut self.0 else { return "[]".to_owned() };
        match Reply::from_json(reply).and_then(|reply| run.resume(id, reply)) {
            Ok(new) => steps(&new),
            Err(error) => refused(&error),
        }
    }

    /// [`LoopMachine::resume`] and [`LoopMachine::events`] at once, in two lines: a round crosses
    /// once. What is refused is one line.
    pub fn proceed(&mut self, id: u32, reply: &str) -> String {
        let mut answer = self.resume(id, reply);
        if answer.starts_with('[') {
            answer.push('\n');
            answer.push_str(&self.events());
        }
        answer
    }

    /// What happened since this was last asked, as JSON text.
    pub fn events(&mut self) -> String {
        let Ok(run) = &mut self.0 else { return "[]".to_owned() };
        reflect::events_script_json(&run.events())
    }

    /// The state that a pending step sees, as JSON text.
    pub fn state(&self, id: u32) -> Option<String> {
        self.0.as_ref().ok()?.state_script_json(id)
    }

    /// The same state in lines, for a caller that keeps the entries of histories. The first line is the
    /// state without entries. The second is how many of the entries sent before come first; it is empty
    /// if there are none to add. Each further line is one of the entries after those.
    #[wasm_bindgen(js_name = stateSince)]
    pub fn state_since(&mut self, id: u32) -> Option<String> {
        let StateSince { text, kept, entries } =
            self.0.as_ref().ok()?.state_since(id, &mut self.1)?;
        let kept = kept.map(|kept| kept.to_string()).unwrap_or_default();
        Some([text, kept].into_iter().chain(entries).collect::<Vec<_>>().join("\n"))
    }

    /// Ends the loop with what it has, and gives the last step.
    pub fn abort(&mut self, reason: &str) -> String {
        self.0.as_mut().map_or_else(|_| "[]".to_owned(), |run| steps(&run.abort(reason)))
    }

    /// Everything that is needed to go on elsewhere.
    pub fn snapshot(&self) -> Vec<u8> {
        self.0.as_ref().map_or_else(|_| Vec::new(), Loop::snapshot)
    }
}

// What stands by itself; the macro exports functions of modules only if they can be seen from outside.
#[wasm_bindgen]
impl LoopMachine {
    /// Converts texts to what a schema wants, and numbers and booleans to texts: `{value, coercions}` as
    /// JSON text. Undefined if one of the arguments cannot be read.
    pub fn coerce(schema: &str, data: &str) -> Option<String> {
        let schema = value_from_json("schema", schema).ok()?;
        Some(text(&reflect::coerce(&schema, value_from_json("data", data).ok()?)))
    }

    /// Renders a template: a text as JSON, or why not.
    pub fn render(template: &str, state: &str) -> String {
        let rendered = object_from_json("state", state)
            .and_then(|state| Ok(reflect::render_template(template, &state)?));
        rendered.map_or_else(|error| refused(&error), |rendered| text(&rendered))
    }

    /// Reads the configuration of a loop, or of one of its single forms, from YAML: `{action, config}`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "wasm-bindgen has no borrowed optional string"
    )]
    #[wasm_bindgen(js_name = fromYaml)]
    pub fn from_yaml(yaml: &str, name: Option<String>) -> String {
        match reflect::reflection_from_yaml(yaml, name.as_deref()) {
            Ok(found) => text(&found),
            Err(problem) => refused(&problem.into()),
        }
    }

    /// Turns an entry of a loop's history into a record, as JSON text: `null` if it makes no record.
    #[wasm_bindgen(js_name = toRecord)]
    pub fn to_record(entry: &str, context: &str) -> String {
        let context = value_from_json("context", context).and_then(RecordContext::from_value);
        let both = context.and_then(|context| Ok((value_from_json("entry", entry)?, context)));
        match both {
            Ok((entry, context)) => text(&reflect::to_record(&entry, &context)),
            Err(error) => refused(&error),
        }
    }
}

fn configuration(text: &str) -> Result<Value, LoopError> {
    value_from_json("configuration", text)
}

/// Request and state of one evaluation or correction.
fn single(params: &str, state: &str) -> Result<(Value, Value), LoopError> {
    Ok((value_from_json("request", params)?, value_from_json("state", state)?))
}

fn refused(error: &LoopError) -> String {
    text(&json!({ "error": error.to_value() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_data() {
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        let machine = LoopMachine::start(&deep, "{}", None);
        let refusal: Value =
            serde_json::from_str(&machine.refusal().expect("refused")).expect("JSON");
        assert_eq!(refusal["error"]["code"], "config_value");
        assert_eq!(machine.steps(), "[]");
        let rendered: Value =
            serde_json::from_str(&LoopMachine::render("{{ x }}", "[]")).expect("JSON");
        assert_eq!(rendered["error"]["type"], "config");
    }
}
