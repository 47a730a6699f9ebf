//! Steps as JSON text, without a tree of values in between: a round crosses a face at least once.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::audience::script_json;
use super::events::Event;
use super::number;
use super::step::{Call, Step, StepKind};

/// A step in the form that crosses a face, without the state.
pub(super) struct StepJson<'a>(pub(super) &'a Step);

impl Step {
    /// The form that crosses a face, without the state.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(StepJson(self)).unwrap_or_default()
    }
}

/// Writes members, each under the name of the variable that holds it.
macro_rules! put {
    ($members:ident, $($name:ident),*) => {{
        $($members.serialize_entry(stringify!($name), $name)?;)*
    }};
}

impl Serialize for StepJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Step { id, iteration, candidate, r#try, timeout_ms, kind, .. } = self.0;
        let mut members = to.serialize_map(None)?;
        put!(members, id);
        members.serialize_entry("type", kind.as_str())?;
        put!(members, iteration, candidate);
        members.serialize_entry("try", r#try)?;
        put!(members, timeout_ms);
        put_kind(&mut members, kind)?;
        members.end()
    }
}

fn put_kind<M: SerializeMap>(members: &mut M, kind: &StepKind) -> Result<(), M::Error> {
    match kind {
        StepKind::ResolveSchema { uri, from } => put!(members, uri, from),
        StepKind::Generate { call, is_last, budget_left } => {
            put_call(members, call)?;
            put!(members, is_last, budget_left);
        }
        StepKind::EvaluateLlm { evaluator, model, messages } => {
            put!(members, evaluator, model, messages);
        }
        StepKind::EvaluateCustom { evaluator, output, call } => {
            put!(members, evaluator, output);
            put_call(members, call)?;
        }
        StepKind::Correct { call, output, errors, suggestions, feedback, is_last, budget_left } => {
            put_call(members, call)?;
            put!(members, output, errors, suggestions, feedback, is_last, budget_left);
        }
        StepKind::Wait { ms } => members.serialize_entry("ms", &number::json(*ms))?,
        StepKind::Done { result } => put!(members, result),
        StepKind::Failed { error } => put!(members, error),
    }
    Ok(())
}

fn put_call<M: SerializeMap>(members: &mut M, call: &Call) -> Result<(), M::Error> {
    match call {
        Call::Action { action, params } => put!(members, action, params),
        Call::Run { run, language } => put!(members, run, language),
        Call::Callback { callback, params } => put!(members, callback, params),
        Call::Prompt { prompt, params } => put!(members, prompt, params),
    }
    Ok(())
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
