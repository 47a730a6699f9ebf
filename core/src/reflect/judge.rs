//! A model that judges: what it is asked, and how its answer is read.
//!
//! Nothing in an answer passes by guessing: without a verdict that can be read there is none, and
//! prose is no verdict, whatever it says.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::config::options::{JudgeOptions, LlmDefaults};
use super::error_code::LoopErrorCode;
use super::filters::spaced;
use super::json::{Balanced, whole};
use super::parse::{refusal, spoken};
use super::problem::Problem;
use super::template::{Scope, Template};
use super::template_error::TemplateError;
use super::verdict::{self, Code, Judged, Warning, crashed, item};
use crate::fences::code_blocks;

/// Names under which a prompt sees the output.
const OUTPUT: [&str; 3] = ["output", "output_to_evaluate", "reflection_output"];

/// An llm evaluator.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    /// Without one the default prompt is used.
    prompt: Option<Template>,
    model: Option<String>,
    /// Messages of the examples.
    examples: Vec<Value>,
    defaults: LlmDefaults,
    score_scale: f64,
}

/// What the model is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// Name of the model, with its provider in front where that is usual.
    pub(crate) model: String,
    /// `{role, content}`.
    pub(crate) messages: Vec<Value>,
}

/// A model's answer, read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) judged: Judged,
    /// There was no verdict in it: it may be asked again.
    pub(crate) is_unparsable: bool,
}

impl Judge {
    /// The judge that an evaluator's options describe.
    ///
    /// Warnings are `judge_blind` and `judge_example`.
    ///
    /// # Errors
    ///
    /// `config_template` for a prompt that is no template. The field is relative to the evaluator.
    pub(crate) fn new(
        options: &JudgeOptions,
        defaults: &LlmDefaults,
        score_scale: f64,
    ) -> Result<(Self, Vec<Warning>), Problem> {
        let mut warnings = Vec::new();
        let prompt = match options.prompt.as_deref() {
            None | Some("") => None,
            Some(prompt) => Some(Template::new(prompt).map_err(|error| {
                Problem::new(LoopErrorCode::ConfigTemplate, "/prompt", error.to_string())
            })?),
        };
        if prompt.as_ref().is_some_and(|prompt| !prompt.names_any(&OUTPUT)) {
            let message = "The prompt does not show the output to the judge: it contains none of \
                           `output`, `output_to_evaluate`, `reflection_output`.";
            warnings.push(Warning::new("judge_blind", message));
        }
        let judge = Self {
            prompt,
            model: options.model.clone().filter(|model| !model.is_empty()),
            examples: examples(options.examples.as_deref().unwrap_or_default(), &mut warnings),
            defaults: defaults.clone(),
            score_scale,
        };
        Ok((judge, warnings))
    }

    /// What to ask about an output. `is_again`: the answer before had no verdict in it.
    ///
    /// # Errors
    ///
    /// When the prompt cannot be rendered.
    pub(crate) fn ask(
        &self,
        state: &dyn Scope,
        output: &Value,
        is_again: bool,
    ) -> Result<Question, TemplateError> {
        let mut prompt = match &self.prompt {
            Some(prompt) => prompt.render(&WithOutput { state, output })?,
            None => default_prompt(output),
        };
        if is_again {
            prompt.push_str("\n\n");
            prompt.push_str(wording("again"));
        }
        let mut messages = vec![message("system", wording("system"))];
        messages.extend(self.examples.iter().cloned());
        messages.push(message("user", &prompt));
        Ok(Question { model: self.model(state), messages })
    }

    /// As configured, else from the state.
    fn model(&self, state: &dyn Scope) -> String {
        if let Some(model) = &self.model {
            return model.clone();
        }
        let named = |key: &str, default: &str| {
            let value = state.value(key);
            let text = value.as_ref().and_then(|value| value.as_str());
            text.filter(|text| !text.is_empty()).unwrap_or(default).to_owned()
        };
        let model = named("llm_model", &self.defaults.model);
        match named("llm_provider", &self.defaults.provider).as_str() {
            "ollama" => format!("ollama/{model}"),
            _ => model,
        }
    }

    /// Reads a reply: a message, a text, or a verdict object.
    pub(crate) fn read(&self, reply: &Value) -> Verdict {
        if let Some(refusal) = refusal(reply) {
            return no_verdict(item(refusal.code, refusal.message));
        }
        let text = match reply {
            Value::String(text) => Cow::Borrowed(text.as_str()),
            Value::Object(members) => match spoken(members) {
                Some(text) => text,
                None if members.contains_key("valid") || members.contains_key("pass") => {
                    return self.of(members);
                }
                None => match members.get("error") {
                    Some(Value::String(error)) => {
                        let judged = crashed("evaluator_failed", error.as_str());
                        return Verdict { judged, is_unparsable: false };
                    }
                    _ => Cow::Borrowed(""),
                },
            },
            _ => Cow::Borrowed(""),
        };
        match chosen(&objects_in(&text)) {
            Some(members) => self.of(members),
            None => no_verdict(item("judge_unparsable", text)),
        }
    }

    fn of(&self, members: &Map<String, Value>) -> Verdict {
        let verdict = verdict::verdict(members);
        let get = |key: &str| members.get(key).unwrap_or(&Value::Null);
        let reason = verdict::reason(members).unwrap_or_default();
        let mut refusal = verdict::errors(get("errors"));
        if refusal.is_empty() && (verdict.is_some() || !reason.is_empty()) {
            refusal.push(item("judge_rejected", reason));
        }
        let mut judged = Judged {
            verdict,
            refusal,
            code: Some(Code::VerdictMissing),
            suggestions: verdict::suggestions(get("suggestions")),
            feedback: reason.to_owned(),
            ..Judged::default()
        };
        judged.take_score(get("score"), self.score_scale);
        Verdict { judged, is_unparsable: false }
    }
}

/// An answer that says nothing of the output: it does not pass, and may be asked for again.
fn no_verdict(error: Value) -> Verdict {
    let judged = Judged { verdict: Some(false), errors: vec![error], ..Judged::default() };
    Verdict { judged, is_unparsable: true }
}

/// The whole text as JSON, where true and false are verdicts, too; else every fenced block that is JSON;
/// else every balanced object.
fn objects_in(text: &str) -> Vec<Map<String, Value>> {
    let object = |value: Option<Value>| match value {
        Some(Value::Object(members)) => Some(members),
        _ => None,
    };
    if let Some(found) = whole(text) {
        return match found.value(text) {
            Some(passes @ Value::Bool(_)) => vec![Map::from_iter([("valid".to_owned(), passes)])],
            value => object(value).into_iter().collect(),
        };
    }
    let blocks = code_blocks(text).filter_map(|(_, block)| Some(whole(block)?.value(block)));
    let blocks: Vec<Option<Value>> = blocks.collect();
    if blocks.is_empty() {
        let balanced = Balanced::objects(text).filter_map(|found| object(found.value(text)));
        return balanced.collect();
    }
    blocks.into_iter().filter_map(object).collect()
}

/// The object that speaks for the text: the first with a verdict, if all verdicts are the same; an
/// object without one only if there is no other.
fn chosen(objects: &[Map<String, Value>]) -> Option<&Map<String, Value>> {
    let mut judging = objects.iter().filter_map(|o| Some((verdict::verdict(o)?, o)));
    match (judging.next(), objects) {
        (Some((first, members)), _) => judging.all(|(other, _)| other == first).then_some(members),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

/// `examples` as messages.
fn examples(given: &[Map<String, Value>], warnings: &mut Vec<Warning>) -> Vec<Value> {
    let mut messages = Vec::new();
    for (i, example) in given.iter().enumerate() {
        let (Some(input), Some(output)) = (example.get("input"), example.get("output")) else {
            let message = format!("Example {i} has no `input` or no `output`. It is ignored.");
            warnings.push(Warning::new("judge_example", message));
            continue;
        };
        messages.push(message("user", &plain(input)));
        messages.push(message("assistant", &plain(output)));
    }
    messages
}

fn message(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content})
}

/// Text as it is, everything else as JSON.
fn plain(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(spaced(other)),
    }
}

/// The default prompt. The output stands between two lines of equal signs. They are longer than any
/// run of equal signs in the output, so the output cannot contain the closing line.
fn default_prompt(output: &Value) -> String {
    let text = plain(output);
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'=' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let mark = "=".repeat((longest + 1).max(12));
    format!("{}\n\n{mark}\n{text}\n{mark}", wording("prompt"))
}

/// A part of `judge.txt`.
fn wording(part: &str) -> &'static str {
    let parts = include_str!("judge.txt").split("== ");
    parts
        .filter_map(|text| text.split_once('\n'))
        .find(|(name, _)| *name == part)
        .map_or("", |(_, text)| text.trim_end())
}

/// A state in which the output has its names.
struct WithOutput<'a> {
    state: &'a dyn Scope,
    output: &'a Value,
}

impl Scope for WithOutput<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, Value>> {
        if OUTPUT.contains(&name) {
            return Some(Cow::Borrowed(self.output));
        }
        self.state.value(name)
    }

    fn names(&self) -> Vec<Cow<'_, str>> {
        let mut names = self.state.names();
        names.retain(|name| !OUTPUT.contains(&&**name));
        names.extend(OUTPUT.map(Cow::Borrowed));
        names
    }
}

#[cfg(test)]
mod tests;
