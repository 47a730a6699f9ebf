//! Who judges: the evaluators of a configuration.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::super::combine::Part;
use super::super::error_code::LoopErrorCode;
use super::super::judge::Judge;
use super::super::problem::Problem;
use super::super::schema::{self, SchemaSource};
use super::calls::{Callee, Party, callback_of, code, text};
use super::options::{
    CodeOptions, EvaluatorOptions, JudgeOptions, Known, LlmDefaults, OnFail, SchemaOptions,
    SchemaScore,
};
use super::read::{ConfigObject, Reader};

/// The largest number of evaluators of a loop.
const MOST: usize = 16;
/// The type of those that judge by a schema.
const SCHEMA: &str = "schema";

/// One evaluator.
#[derive(Clone, Debug)]
pub(crate) struct Evaluator {
    pub(crate) part: Part,
    /// Its name, else its type: what steps say.
    pub(crate) label: Arc<str>,
    /// As reflection-memory records name it.
    pub(crate) named: Value,
    pub(crate) work: Work,
}

impl Evaluator {
    /// Whether it judges by a schema, be it one that only the host can ask.
    pub(crate) fn is_schema(&self) -> bool {
        self.part.kind == SCHEMA
    }
}

/// What it does.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Schema {
        source: Box<SchemaSource>,
        options: schema::SchemaOptions,
        pointer: String,
    },
    Llm(Box<Judge>),
    Custom(Party),
    /// A single evaluation by something that the host does not have: code and message.
    Unavailable(&'static str, String),
}

/// What evaluators need to know of the rest of the configuration.
pub(super) struct Context {
    pub(super) llm_defaults: LlmDefaults,
    pub(super) score_scale: f64,
    /// A host that lacks something makes a failed evaluation, not a wrong request.
    pub(super) is_single: bool,
}

/// Reads one evaluator or a list of them.
pub(super) fn evaluators(
    given: Option<&Value>,
    context: &Context,
    reader: &mut Reader<'_>,
) -> Vec<Evaluator> {
    let pointer = "/evaluator";
    let mut list: Vec<Evaluator> = match given {
        Some(Value::Object(members)) => {
            evaluator(ConfigObject { members, pointer }, context, reader).into_iter().collect()
        }
        Some(Value::Array(list)) if (1..=MOST).contains(&list.len()) => {
            let mut evaluators = Vec::new();
            for (number, given) in list.iter().enumerate() {
                let pointer = &format!("{pointer}/{number}");
                if let Value::Object(members) = given {
                    evaluators.extend(evaluator(
                        ConfigObject { members, pointer },
                        context,
                        reader,
                    ));
                } else {
                    let message = "An evaluator must be an object.";
                    reader.wrong(LoopErrorCode::ConfigEvaluator, pointer.clone(), message);
                }
            }
            evaluators
        }
        _ => {
            let expected = format!("an object, or an array of 1 to {MOST} objects");
            reader.unexpected(LoopErrorCode::ConfigEvaluator, pointer.to_owned(), &expected, given);
            Vec::new()
        }
    };
    number_equal_names(&mut list);
    list
}

/// Appends the position in the list, from 1, to every name that occurs more than once.
fn number_equal_names(list: &mut [Evaluator]) {
    let names: Vec<String> = list.iter().map(|evaluator| evaluator.part.name.clone()).collect();
    for (number, evaluator) in list.iter_mut().enumerate() {
        let name = &evaluator.part.name;
        if names.iter().filter(|other| *other == name).count() > 1 {
            evaluator.part.name = format!("{name} {}", number + 1);
            evaluator.label = evaluator.part.name.as_str().into();
        }
    }
}

/// Reads one evaluator.
pub(super) fn evaluator(
    place: ConfigObject<'_>,
    context: &Context,
    reader: &mut Reader<'_>,
) -> Option<Evaluator> {
    let given = place.members.get("type");
    let kind = given.map_or(Some(SCHEMA), Value::as_str);
    let Some(kind) = [SCHEMA, "llm", "custom"].into_iter().find(|known| Some(*known) == kind)
    else {
        let expected = "one of `schema`, `llm`, `custom`";
        reader.unexpected(LoopErrorCode::ConfigEvaluatorType, place.at("type"), expected, given);
        return None;
    };
    // The host asks its own kind of schema, such as one of zod.
    let is_of_host = place.given("schema").is_none() && place.given("callback").is_some();
    let of_kind = match kind {
        SCHEMA => SchemaOptions::NAMES,
        "llm" => JudgeOptions::NAMES,
        _ => CodeOptions::NAMES,
    };
    reader.know(place, &[EvaluatorOptions::NAMES, of_kind]);
    let options: EvaluatorOptions = reader.read(place);
    let work = match kind {
        SCHEMA if is_of_host => custom(place, context, reader),
        SCHEMA => schema(place, reader),
        "llm" => llm(place, context, reader),
        _ => custom(place, context, reader),
    };
    let name = options.name.filter(|name| !name.trim().is_empty());
    let mut named = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    for (key, text) in [("name", &name), ("verification_type", &options.verification_type)] {
        if let Some(text) = text {
            named.insert(key.to_owned(), text.as_str().into());
        }
    }
    let name = name.unwrap_or_else(|| kind.to_owned());
    let label = name.as_str().into();
    let part = Part {
        name,
        kind: kind.into(),
        weight: options.weight,
        is_required: options.required,
        is_advisory: options.on_fail == OnFail::Warn,
    };
    Some(Evaluator { part, label, named: Value::Object(named), work: work? })
}

fn schema(place: ConfigObject<'_>, reader: &mut Reader<'_>) -> Option<Work> {
    let options: SchemaOptions = reader.read(place);
    let schema = place.given("schema").cloned().unwrap_or_default();
    let source = SchemaSource::new(schema, &options.schemas, &options.draft);
    let source = source.map_err(|problem| reader.problems.push(problem.below(place.pointer)));
    Some(Work::Schema {
        source: Box::new(source.ok()?),
        options: schema::SchemaOptions {
            assert_formats: options.assert_formats,
            coerce: options.coerce,
            is_graded: options.schema_score == SchemaScore::Graded,
        },
        pointer: place.pointer.to_owned(),
    })
}

fn llm(place: ConfigObject<'_>, context: &Context, reader: &mut Reader<'_>) -> Option<Work> {
    let options: JudgeOptions = reader.read(place);
    let judge = Judge::new(&options, &context.llm_defaults, context.score_scale);
    let judge = judge.map_err(|problem| reader.problems.push(problem.below(place.pointer)));
    let (judge, warnings) = judge.ok()?;
    reader.warnings.extend(warnings.into_iter().map(|warning| (warning, place.at("prompt"))));
    if reader.host.llm {
        return Some(Work::Llm(Box::new(judge)));
    }
    let message = "An evaluator of type `llm` needs a model. Pass one in `llm`.";
    if context.is_single {
        return Some(Work::Unavailable("unavailable", message.to_owned()));
    }
    reader.wrong(LoopErrorCode::ConfigUnknownAction, place.pointer.to_owned(), message);
    None
}

fn custom(place: ConfigObject<'_>, context: &Context, reader: &mut Reader<'_>) -> Option<Work> {
    const CODE: LoopErrorCode = LoopErrorCode::ConfigEvaluator;
    let made = |callee: Callee| Work::Custom(Party { callee, params: Vec::new() });
    if let Some(run) = place.given("run") {
        let run = text(run, CODE, place.at("run"), reader)?;
        let callee = code(place, run, reader);
        // In a single evaluation, a language that the host lacks is a failed evaluation.
        let is_lacking =
            |problem: &mut Problem| problem.code == LoopErrorCode::ConfigUnknownLanguage;
        if context.is_single
            && let Some(problem) = reader.problems.pop_if(is_lacking)
        {
            return Some(Work::Unavailable(problem.code.as_str(), problem.message));
        }
        return Some(made(callee));
    }
    if let Some(callback) = place.given("callback") {
        return callback_of(callback, CODE, place.at("callback"), reader).map(made);
    }
    let message = "A custom evaluator needs `run` or a callback.";
    reader.wrong(CODE, place.pointer.to_owned(), message);
    None
}
