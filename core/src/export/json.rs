//! Answers of a history as JSON, in one envelope: `format` "hindscope-answer", `version` 1,
//! `query`, `created` if the host gave a time, `generator`, and the answer under the name of the query's
//! list: `runs`, `findings` or `explanations`.

use serde::Serialize;

use super::omission::Omission;
use super::options::JsonQuery;
use super::{Export, RunChunk, generator};
use crate::error::Error;
use crate::history::History;
use crate::insight::verdict::RunVerdict;
use crate::json::write::Object;
use crate::model::options::InsightOptions;
use crate::model::view::RunView;

fn list_of(query: JsonQuery) -> &'static str {
    match query {
        JsonQuery::Runs | JsonQuery::Run => "runs",
        JsonQuery::Findings => "findings",
        JsonQuery::Explain => "explanations",
    }
}

pub(super) fn head(export: &Export) -> String {
    let query = export.options.query;
    let head = Object::new()
        .text("format", Some("hindscope-answer"))
        .integer("version", Some(1))
        .text("query", Some(query.as_str()))
        .text("created", export.options.created.as_deref())
        .text("generator", Some(&generator()))
        .end();
    format!("{},\n\"{}\":[", head.strip_suffix('}').unwrap_or(&head), list_of(query))
}

/// A row of the list of runs, with where the run was stuck and how it ended.
#[derive(Serialize)]
struct WithVerdict {
    #[serde(flatten)]
    view: RunView,
    verdict: Option<RunVerdict>,
}

/// Answers are rows of plain values, which always can be written.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

fn item(json: &str, has_items: &mut bool) -> String {
    let before = if *has_items { ",\n" } else { "\n" };
    *has_items = true;
    format!("{before}{json}")
}

pub(super) fn run(chunk: &RunChunk<'_>, has_items: &mut bool) -> Result<String, Error> {
    let run = chunk.history.run(chunk.run)?;
    let text = match chunk.options.query {
        JsonQuery::Findings => return Ok(String::new()),
        JsonQuery::Runs => {
            let verdict = chunk.history.verdicts(&[chunk.run]).pop();
            json(&WithVerdict { view: run.view(), verdict })
        }
        JsonQuery::Run => {
            let iterations = run.iterations();
            let iterations =
                iterations.iter().zip(&chunk.loaded_run.steps).map(|(iteration, step)| {
                    let details = chunk.loaded_run.details(step);
                    Object::new()
                        .json("iteration", &json(iteration))
                        .json("details", &details.map(json).unwrap_or_default())
                        .end()
                });
            let about = chunk.loaded_run.about().into_iter().map(|(_, about)| json(about));
            Object::new()
                .json("run", &json(&run.view()))
                .json("verdict", &json(&chunk.verdict()?))
                .json("about", &crate::json::write::list(about))
                .json("iterations", &crate::json::write::list(iterations))
                .end()
        }
        JsonQuery::Explain => Object::new()
            .json("run", &json(&run.view()))
            .json("verdict", &json(&chunk.verdict()?))
            .json("explanation", &json(&chunk.loaded_run.explain(&InsightOptions::default())))
            .end(),
    };
    Ok(item(&Omission::of(chunk.options).json(&text), has_items))
}

pub(super) fn tail(history: &History, export: &Export) -> String {
    let mut out = String::new();
    if export.options.query == JsonQuery::Findings {
        let mut has_items = false;
        for finding in history.each_finding() {
            let is_chosen = match finding.run {
                Some(run) => export.runs.binary_search(&run).is_ok(),
                None => export.is_all,
            };
            if is_chosen {
                let json = Omission::of(&export.options).json(&json(&finding));
                out.push_str(&item(&json, &mut has_items));
            }
        }
    }
    out.push_str("]}\n");
    out
}
