//! Who judges.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::super::combine::Part;
use super::super::host::Host;
use super::super::judge::Judge;
use super::super::schema::{SchemaOptions, SchemaSource};
use super::calls::{Callee, callback_of, code};
use super::read::{Place, Reader};

/// Most evaluators of a loop.
const MOST: usize = 16;

/// One evaluator.
#[derive(Clone, Debug)]
pub(crate) struct Evaluator {
    pub(crate) part: Part,
    /// Its name, else its type: what steps say.
    pub(crate) label: Arc<str>,
    /// As records name it (section 16).
    pub(crate) named: Value,
    pub(crate) work: Work,
}

/// What it does.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Schema {
        source: Box<SchemaSource>,
        options: SchemaOptions,
        pointer: String,
    },
    Llm(Box<Judge>),
    Custom(Callee),
    /// A single evaluation by something that the host lacks (section 12): code and message.
    Unavailable(&'static str, String),
}

/// What evaluators need to know of the rest of the configuration.
pub(super) struct Around<'a> {
    pub(super) host: &'a Host,
    pub(super) llm_defaults: &'a Map<String, Value>,
    pub(super) score_scale: f64,
    /// A host that lacks something makes a failed evaluation, not a wrong request.
    pub(super) is_single: bool,
    /// Where the evaluator stands, or the list of them.
    pub(super) pointer: &'a str,
}

/// Reads one evaluator or a list of them.
pub(super) fn evaluators(
    given: Option<&Value>,
    around: &Around<'_>,
    reader: &mut Reader,
) -> Vec<Evaluator> {
    let one = |members, pointer: &str, reader: &mut Reader| {
        evaluator(Place { members, pointer }, around, reader)
    };
    let mut list: Vec<Evaluator> = match given {
        Some(Value::Object(members)) => one(members, around.pointer, reader).into_iter().collect(),
        Some(Value::Array(list)) if (1..=MOST).contains(&list.len()) => list
            .iter()
            .enumerate()
            .filter_map(|(number, evaluator)| {
                let pointer = format!("{}/{number}", around.pointer);
                if let Value::Object(members) = evaluator {
                    one(members, &pointer, reader)
                } else {
                    reader.wrong("config_evaluator", pointer, "An evaluator is an object.");
                    None
                }
            })
            .collect(),
        _ => {
            let message = format!("`evaluator` is an evaluator, or a list of 1 to {MOST}.");
            reader.wrong("config_evaluator", around.pointer, message);
            Vec::new()
        }
    };
    tell_apart(&mut list);
    list
}

/// Two of the same name get their number.
fn tell_apart(list: &mut [Evaluator]) {
    let names: Vec<String> = list.iter().map(|evaluator| evaluator.part.name.clone()).collect();
    for (number, evaluator) in list.iter_mut().enumerate() {
        let name = &evaluator.part.name;
        if names.iter().filter(|other| *other == name).count() > 1 {
            evaluator.part.name = format!("{name} {}", number + 1);
            evaluator.label = evaluator.part.name.as_str().into();
        }
    }
}

fn evaluator(place: Place<'_>, around: &Around<'_>, reader: &mut Reader) -> Option<Evaluator> {
    let kind = match place.get("type") {
        None => "schema",
        Some(Value::String(word)) => {
            let known = ["schema", "llm", "custom"].into_iter().find(|known| known == word);
            if known.is_none() {
                let message = format!("{word:?} is none of schema, llm, custom.");
                reader.wrong("config_evaluator_type", place.at("type"), message);
            }
            known?
        }
        Some(_) => {
            let message = "`type` is one of schema, llm, custom.";
            reader.wrong("config_evaluator_type", place.at("type"), message);
            return None;
        }
    };
    let name = place.text(reader, "name", true).filter(|name| !name.trim().is_empty());
    let part = Part {
        name: name.unwrap_or(kind).to_owned(),
        kind,
        weight: place.number(reader, "weight", 1.0, "a number above 0", |weight| weight > 0.0),
        is_required: place.flag(reader, "required", false),
        is_advisory: place.word(
            reader,
            "on_fail",
            &[("fail", false), ("warn", true)],
            false,
            "config_value",
        ),
    };
    let verification_type = place.text(reader, "verification_type", true);
    let mut named = json!({ "type": kind });
    if let Value::Object(members) = &mut named {
        for (key, text) in [("name", name), ("verification_type", verification_type)] {
            if let Some(text) = text {
                members.insert(key.to_owned(), text.into());
            }
        }
    }
    let work = match kind {
        "schema" => schema(place, reader)?,
        "llm" => llm(place, around, reader)?,
        _ => custom(place, around, reader)?,
    };
    Some(Evaluator { label: part.name.as_str().into(), part, named, work })
}

fn schema(place: Place<'_>, reader: &mut Reader) -> Option<Work> {
    let nothing = Map::new();
    let schemas = place.object(reader, "schemas", false).unwrap_or(&nothing);
    let draft = place.text(reader, "draft", false).unwrap_or("auto");
    let options = SchemaOptions {
        assert_formats: place.flag(reader, "assert_formats", true),
        coerce: place.flag(reader, "coerce", true),
        is_graded: place.word(
            reader,
            "schema_score",
            &[("binary", false), ("graded", true)],
            false,
            "config_value",
        ),
    };
    let Some(schema) = place.get("schema") else {
        let message = "A schema evaluator needs a `schema`.";
        reader.wrong("config_schema_missing", place.at("schema"), message);
        return None;
    };
    match SchemaSource::new(schema.clone(), schemas, draft) {
        Ok(source) => {
            Some(Work::Schema { source: Box::new(source), options, pointer: place.pointer.into() })
        }
        Err(problem) => {
            reader.problems.push(problem.below(place.pointer));
            None
        }
    }
}

fn llm(place: Place<'_>, around: &Around<'_>, reader: &mut Reader) -> Option<Work> {
    match Judge::new(place.members, around.llm_defaults, around.score_scale) {
        Ok((judge, warnings)) => {
            let field = place.at("prompt");
            reader.warnings.extend(warnings.into_iter().map(|warning| (warning, field.clone())));
            if around.host.llm {
                Some(Work::Llm(Box::new(judge)))
            } else if around.is_single {
                Some(Work::Unavailable("unavailable", "The host has no model.".to_owned()))
            } else {
                let message = "The host has no model.";
                reader.wrong("config_unknown_action", place.pointer, message);
                None
            }
        }
        Err(problem) => {
            reader.problems.push(problem.below(place.pointer));
            None
        }
    }
}

fn custom(place: Place<'_>, around: &Around<'_>, reader: &mut Reader) -> Option<Work> {
    let run = place.get("run").filter(|run| !run.is_null());
    match (run, place.get("callback").filter(|callback| !callback.is_null())) {
        (Some(run), _) => {
            if run.as_str().is_none_or(|run| run.trim().is_empty()) {
                reader.wrong("config_evaluator", place.at("run"), "`run` is code, as text.");
                return None;
            }
            if !around.is_single {
                return code(place, run, around.host, reader).map(Work::Custom);
            }
            // A language that the host lacks is a failed evaluation there.
            let mut own = Reader::default();
            let callee = code(place, run, around.host, &mut own)?;
            let (lacking, wrong): (Vec<_>, Vec<_>) =
                own.problems.into_iter().partition(|p| p.code == "config_unknown_language");
            reader.problems.extend(wrong);
            Some(match lacking.into_iter().next() {
                Some(problem) => Work::Unavailable(problem.code, problem.message),
                None => Work::Custom(callee),
            })
        }
        (None, Some(callback)) => {
            callback_of(place, callback, "config_evaluator", reader).map(Work::Custom)
        }
        (None, None) => {
            let message = "A custom evaluator needs `run` or a callback.";
            reader.wrong("config_evaluator", place.pointer, message);
            None
        }
    }
}
