//! Steps as JSON text, without a tree of values in between: a round crosses a face at least once.

use std::io::{Error, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::ser::{CompactFormatter, Formatter};
use serde_json::{Map, Value};

use super::events::Event;
use super::number;
use super::step::{BudgetLeft, Call, Step, StepKind};

/// A step in the form that crosses a face, without the state.
pub(super) struct StepJson<'a>(pub(super) &'a Step);

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

/// `{iterations, calls, tokens, cost, ms}`, null where unlimited.
pub(super) struct BudgetJson<'a>(pub(super) &'a BudgetLeft);

impl Serialize for BudgetJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let BudgetLeft { iterations, calls, tokens, cost, ms } = self.0;
        let mut members = to.serialize_map(Some(5))?;
        members.serialize_entry("iterations", iterations)?;
        members.serialize_entry("calls", calls)?;
        for (name, number) in [("tokens", tokens), ("cost", cost), ("ms", ms)] {
            members.serialize_entry(name, &number.map(number::json))?;
        }
        members.end()
    }
}

/// JSON text for JavaScript: integers beyond ±(2^53 − 1) are written as texts, for a number of that
/// language cannot hold them. An integer is what the language writes without an exponent: 1e20 is
/// one, 1e21 is not, whichever way it was written before.
pub fn script_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::with_capacity(256);
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, ForScripts);
    // Values are made of maps with text keys, which cannot fail.
    if value.serialize(&mut serializer).is_err() {
        return "null".to_owned();
    }
    String::from_utf8(bytes).unwrap_or_else(|_| "null".to_owned())
}

/// [`script_json`] of steps. Generic code is compiled where its types are known: here for speed.
pub fn steps_script_json(steps: &[Step]) -> String {
    script_json(&steps.iter().map(StepJson).collect::<Vec<_>>())
}

/// [`script_json`] of events.
pub fn events_script_json(events: &[Event]) -> String {
    script_json(&events)
}

/// Who reads JSON text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Audience {
    /// Somebody who can hold every integer.
    Any,
    /// JavaScript: [`script_json`].
    Script,
}

impl Audience {
    /// JSON text for it.
    pub(crate) fn text(self, value: &impl Serialize) -> String {
        match self {
            Self::Any => serde_json::to_string(value).unwrap_or_default(),
            Self::Script => script_json(value),
        }
    }
}

/// The formatter of [`script_json`].
struct ForScripts;

/// 2^53 − 1.
const LARGEST_EXACT: u64 = 9_007_199_254_740_991;
/// 2^53.
const FIRST_INEXACT: f64 = 9_007_199_254_740_992.0;
/// JavaScript writes it and what is larger with an exponent.
const FIRST_WITH_EXPONENT: f64 = 1e21;

impl Formatter for ForScripts {
    fn write_u64<W: Write + ?Sized>(&mut self, writer: &mut W, value: u64) -> Result<(), Error> {
        if value > LARGEST_EXACT {
            return write!(writer, "\"{value}\"");
        }
        CompactFormatter.write_u64(writer, value)
    }

    fn write_i64<W: Write + ?Sized>(&mut self, writer: &mut W, value: i64) -> Result<(), Error> {
        if value.unsigned_abs() > LARGEST_EXACT {
            return write!(writer, "\"{value}\"");
        }
        CompactFormatter.write_i64(writer, value)
    }

    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> Result<(), Error> {
        // All of these are integers, and what is printed is what JavaScript prints.
        if (FIRST_INEXACT..FIRST_WITH_EXPONENT).contains(&value.abs()) {
            return write!(writer, "\"{value}\"");
        }
        CompactFormatter.write_f64(writer, value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    #[test]
    fn integers_beyond_a_number_of_javascript_travel_as_text() {
        let value = json!([LARGEST_EXACT, LARGEST_EXACT + 1, i64::MIN, -1, 2.5, 1e300]);
        let expected =
            r#"[9007199254740991,"9007199254740992","-9223372036854775808",-1,2.5,1e+300]"#;
        assert_eq!(script_json(&value), expected);
        // What JavaScript writes as an integer, read: beyond 2^64 it is a float here.
        let read: Value = serde_json::from_str(
            "[1152921504606846976, 100000000000000000000, -1e20, 9007199254740992.0, 1e21, 0.5]",
        )
        .expect("JSON");
        let expected = r#"["1152921504606846976","100000000000000000000","-100000000000000000000","9007199254740992",1e+21,0.5]"#;
        assert_eq!(script_json(&read), expected);
    }

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
