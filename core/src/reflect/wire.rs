//! Steps as JSON text, without a tree of values in between: a round crosses a face at least once.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::audience::script_json;
use super::events::Event;
use super::number;
use super::step::{Call, Step, StepKind};
use super::usage::BudgetJson;

/// A step in the form that crosses a face, without the state.
pub(super) struct StepJson<'a>(pub(super) &'a Step);

impl Step {
    /// The form that crosses a face, without the state.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(StepJson(self)).unwrap_or_default()
    }
}

impl Serialize for StepJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Step { id, iteration, candidate, r#try, timeout_ms, kind, .. } = self.0;
        let mut members = to.serialize_map(None)?;
        members.serialize_entry("id", id)?;
        members.serialize_entry("type", kind.as_str())?;
        members.serialize_entry("iteration", iteration)?;
        members.serialize_entry("candidate", candidate)?;
        members.serialize_entry("try", r#try)?;
        members.serialize_entry("timeout_ms", timeout_ms)?;
        put_kind(&mut members, kind)?;
        members.end()
    }
}

fn put_kind<M: SerializeMap>(members: &mut M, kind: &StepKind) -> Result<(), M::Error> {
    match kind {
        StepKind::ResolveSchema { uri, from } => {
            members.serialize_entry("uri", uri)?;
            members.serialize_entry("from", from)
        }
        StepKind::Generate { call, is_last, budget_left } => {
            put_call(members, call)?;
            members.serialize_entry("is_last", is_last)?;
            members.serialize_entry("budget_left", &BudgetJson(budget_left))
        }
        StepKind::EvaluateLlm { evaluator, model, messages } => {
            members.serialize_entry("evaluator", evaluator)?;
            members.serialize_entry("model", model)?;
            members.serialize_entry("messages", messages)
        }
        StepKind::EvaluateCustom { evaluator, output, call } => {
            members.serialize_entry("evaluator", evaluator)?;
            members.serialize_entry("output", output)?;
            put_call(members, call)
        }
        StepKind::Correct { call, output, errors, suggestions, feedback, is_last, budget_left } => {
            put_call(members, call)?;
            members.serialize_entry("output", output)?;
            members.serialize_entry("errors", errors)?;
            members.serialize_entry("suggestions", suggestions)?;
            members.serialize_entry("feedback", feedback)?;
            members.serialize_entry("is_last", is_last)?;
            members.serialize_entry("budget_left", &BudgetJson(budget_left))
        }
        StepKind::Wait { ms } => members.serialize_entry("ms", &number::json(*ms)),
        StepKind::Done { result } => members.serialize_entry("result", result),
        StepKind::Failed { error } => members.serialize_entry("error", &error.to_value()),
    }
}

fn put_call<M: SerializeMap>(members: &mut M, call: &Call) -> Result<(), M::Error> {
    let params: &Map<String, Value> = match call {
        Call::Run { run, language } => {
            members.serialize_entry("run", run)?;
            return members.serialize_entry("language", language);
        }
        Call::Action { action, params } => {
            members.serialize_entry("action", action)?;
            params
        }
        Call::Callback { callback, params } => {
            members.serialize_entry("callback", callback)?;
            params
        }
        Call::Prompt { prompt, params } => {
            members.serialize_entry("prompt", prompt)?;
            params
        }
    };
    members.serialize_entry("params", params)
}

/// [`script_json`] of steps. Generic code is compiled where its types are known: here for speed.
pub fn steps_script_json(steps: &[Step]) -> String {
    script_json(&steps.iter().map(StepJson).collect::<Vec<_>>())
}

/// [`script_json`] of events.
pub fn events_script_json(events: &[Event]) -> String {
    script_json(&events)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::super::usage::BudgetLeft;
    use super::*;

    #[test]
    fn amounts_have_no_point_where_they_are_integral() {
        let budget_left =
            BudgetLeft { iterations: 2, calls: None, tokens: Some(8.0), cost: Some(0.5), ms: None };
        let call = Call::Callback { callback: json!("generator"), params: Arc::default() };
        let step = Step {
            id: 3,
            iteration: 1,
            candidate: Some(1),
            r#try: 2,
            timeout_ms: None,
            kind: StepKind::Generate { call, is_last: false, budget_left },
            view: None,
        };
        let expected = concat!(
            r#"{"id":3,"type":"generate","iteration":1,"candidate":1,"try":2,"timeout_ms":null,"#,
            r#""callback":"generator","params":{},"is_last":false,"#,
            r#""budget_left":{"iterations":2,"calls":null,"tokens":8,"cost":0.5,"ms":null}}"#,
        );
        assert_eq!(script_json(&StepJson(&step)), expected);
        assert_eq!(step.to_value().to_string(), expected);
    }
}
