//! The schema evaluator: drafts, references, verdict, errors.

use std::collections::BTreeMap;

use hindscope_compiler::{self as compiler, Compiled, Pattern};
use serde_json::{Map, Value};

use super::coerce::Plan;
use super::error_code::LoopErrorCode;
use super::problem::Problem;
use super::suggest::suggestion;
use super::verdict::{Judged, Warning, crashed};
use super::{depth, json, schema_error};
use crate::json::pointer::escape;
use crate::model::finding::Finding;
use crate::source::yaml;
use crate::validate::refs::{Absent, Draft, Effort, Fault, Library};
use crate::validate::strict::{of_draft_7, why_not};
use crate::validate::uri;

/// How a schema is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SchemaOptions {
    pub(crate) assert_formats: bool,
    pub(crate) coerce: bool,
    /// `schema_score: graded`.
    pub(crate) is_graded: bool,
}

/// The number of errors at which a graded score reaches 0. Each error lowers it by the same amount.
const GRADES: f64 = 5.0;
const INVALID: LoopErrorCode = LoopErrorCode::ConfigSchemaInvalid;
const TOO_COMPLEX: LoopErrorCode = LoopErrorCode::ConfigSchemaTooComplex;
const UNRESOLVED: LoopErrorCode = LoopErrorCode::ConfigSchemaUnresolved;
/// Documents that a schema may refer to, each of which may name the next one.
const MAX_DOCUMENTS: usize = 200;

/// A schema with the documents that it refers to, as far as they are known.
#[derive(Clone, Debug)]
pub(crate) struct SchemaSource {
    schema: Value,
    draft: Draft,
    documents: BTreeMap<String, Value>,
    /// Each with the document that refers to it, which is empty for the schema itself.
    missing: Vec<Absent>,
}

impl SchemaSource {
    /// Takes a schema and the documents that came with it, each a schema or its text. `draft` is
    /// `auto`, or `4`, `6`, `7`, `2019-09`, `2020-12`, with or without `draft` in front.
    ///
    /// # Errors
    ///
    /// `config_schema_missing` if it is neither object nor boolean; `config_schema_invalid` for one
    /// that its meta-schema refuses, of an unknown draft, or with a local reference to nowhere;
    /// `config_schema_too_complex` for one that would judge a value more than 100,000 times;
    /// `config_schema_unresolved` for a document whose text does not parse; `config_value` for an
    /// unknown `draft` and for a document that is neither schema nor text. Fields are relative to
    /// the evaluator.
    pub(crate) fn new(
        mut schema: Value,
        schemas: &Map<String, Value>,
        draft: &str,
    ) -> Result<Self, Problem> {
        if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
            let message = "A schema evaluator needs a `schema`: an object or a boolean.";
            return Err(Problem::new(LoopErrorCode::ConfigSchemaMissing, "/schema", message));
        }
        if depth::is_too_deep(&schema) {
            depth::bury(schema);
            return Err(too_deep().below("/schema"));
        }
        let draft = match draft {
            "auto" => Draft::of_schema(&schema).unwrap_or_default(),
            word => {
                let word = word.strip_prefix("draft").unwrap_or(word).trim_start_matches('-');
                let Some(draft) = Draft::named(word) else {
                    let message = format!(
                        "`draft` must be auto, 4, 6, 7, 2019-09 or 2020-12, found {draft:?}."
                    );
                    return Err(Problem::new(LoopErrorCode::ConfigValue, "/draft", message));
                };
                // What is configured counts, whatever the schema says.
                if let Some(members) = schema.as_object_mut() {
                    members.shift_remove("$schema");
                }
                draft
            }
        };
        checked(&schema, draft).map_err(|problem| problem.below("/schema"))?;
        let mut source = Self { schema, draft, documents: BTreeMap::new(), missing: Vec::new() };
        for (name, document) in schemas {
            let place = format!("/schemas/{}", escape(name));
            let name = uri::resolve("", name);
            let document = source.read(&name, document.clone()).map_err(|p| p.below(&place))?;
            source.documents.insert(name, document);
        }
        source.look()?;
        Ok(source)
    }

    /// The next document to ask for.
    pub(crate) fn missing(&self) -> Option<Absent> {
        self.missing.first().cloned()
    }

    /// Takes a document that was asked for: a schema, or its text.
    ///
    /// # Errors
    ///
    /// `config_schema_unresolved` for a text that does not parse and for what is not a schema,
    /// `config_schema_invalid` as in [`SchemaSource::new`], `config_schema_too_complex` for more than
    /// 200 documents.
    pub(crate) fn supply(&mut self, uri: &str, document: Value) -> Result<(), Problem> {
        let document = self.read(uri, document).map_err(|problem| {
            let code =
                if problem.code == LoopErrorCode::ConfigValue { UNRESOLVED } else { problem.code };
            Problem { code, ..problem }.below("/schema")
        })?;
        if self.documents.len() >= MAX_DOCUMENTS {
            let why = format!("The schema refers to more than {MAX_DOCUMENTS} other documents.");
            return Err(Problem::new(TOO_COMPLEX, "/schema", why));
        }
        self.documents.insert(uri.to_owned(), document);
        self.look()
    }

    /// A document as a schema that its meta-schema accepts.
    fn read(&self, name: &str, document: Value) -> Result<Value, Problem> {
        let unresolved = |why: &str| Problem::new(UNRESOLVED, "", format!("{name}: {why}"));
        let document = match document {
            Value::String(text) if uri::is_json(name) => {
                let found = json::whole(&text).ok_or_else(|| unresolved("not valid JSON."))?;
                found.value(&text).ok_or_else(|| unresolved("nested too deeply."))?
            }
            Value::String(text) => yaml::configuration(&text)
                .map_err(|bad| unresolved(&format!("not valid YAML {}", bad.placed(0))))?,
            other => other,
        };
        if !matches!(document, Value::Object(_) | Value::Bool(_)) {
            depth::bury(document);
            let message = format!("{name}: a schema must be an object or a boolean.");
            return Err(Problem::new(LoopErrorCode::ConfigValue, "", message));
        }
        if depth::is_too_deep(&document) {
            depth::bury(document);
            return Err(too_deep());
        }
        let draft = Draft::of_schema(&document).unwrap_or(self.draft);
        checked(&document, draft).map_err(|problem| {
            let message = format!("{name}: {}", problem.message);
            Problem { message, field: String::new(), ..problem }
        })?;
        Ok(document)
    }

    /// Looks for what is missing, and for references and patterns that mean nothing.
    fn look(&mut self) -> Result<(), Problem> {
        let library = Library::new(&self.schema, &self.documents, self.draft);
        let of_pattern = |(fault, pattern): &(Fault, &str)| {
            Pattern::new(pattern).is_err().then(|| fault.clone())
        };
        let fault = library.faults.first().cloned();
        if let Some(fault) = fault.or_else(|| library.patterns.iter().find_map(of_pattern)) {
            return Err(if fault.document.is_empty() {
                Problem::new(INVALID, format!("/schema{}", fault.pointer), fault.message)
            } else {
                let message = format!("{}{}: {}", fault.document, fault.pointer, fault.message);
                Problem::new(INVALID, "/schema", message)
            });
        }
        if let Some(why) = library.too_long_a_way() {
            return Err(Problem::new(INVALID, "/schema", why));
        }
        if let Some(why) = library.too_many_visits() {
            return Err(Problem::new(TOO_COMPLEX, "/schema", why));
        }
        self.missing = library.absent;
        Ok(())
    }

    /// Compiles the schema once nothing is missing.
    ///
    /// # Errors
    ///
    /// `config_schema_unresolved` if something is missing, `config_schema_invalid` otherwise.
    pub(crate) fn compile(self, options: SchemaOptions) -> Result<SchemaEvaluator, Problem> {
        if let Some(missing) = self.missing.first() {
            let message = format!(
                "Cannot resolve \"$ref\" to {}: pass it in `schemas`, or answer it in `resolveSchema`.",
                missing.uri
            );
            return Err(Problem::new(UNRESOLVED, "/schema", message));
        }
        let library = Library::new(&self.schema, &self.documents, self.draft);
        let (schema, documents) = library.linked();
        let validator = Compiled::kept(
            &schema,
            compiler::Options {
                draft: Some(self.draft.compiled()),
                asserts_formats: options.assert_formats,
                formats: &[],
                documents: &documents,
            },
        )
        .map_err(|error| Problem::new(INVALID, "/schema", why_not(&error)))?;
        let mut warnings = Vec::new();
        let mut warn = |code, findings: Vec<Finding>| {
            warnings.extend(findings.into_iter().map(|one| Warning::new(code, one.message)));
        };
        if options.assert_formats {
            let is_known =
                |draft: Draft, name: &str| compiler::is_known_format(draft.compiled(), name);
            warn("format_unknown", library.unknown_formats(is_known));
        }
        warn("keyword_unknown", library.unknown_keywords());
        let plan = if options.coerce { Plan::new(&library) } else { Plan::default() };
        let (is_graded, effort) = (options.is_graded, Effort::of(&library));
        let takes_texts = library.speaks_of_texts();
        Ok(SchemaEvaluator { validator, plan, is_graded, warnings, effort, takes_texts })
    }
}

fn too_deep() -> Problem {
    let message = format!("The schema is nested deeper than {} levels.", depth::MAX_DEPTH);
    Problem::new(INVALID, "", message)
}

/// Whether a schema is one by its meta-schema.
fn checked(schema: &Value, draft: Draft) -> Result<(), Problem> {
    compiler::check(schema, draft.compiled()).map_err(|error| {
        let message = why_not(&error) + of_draft_7(schema, draft);
        Problem::new(INVALID, error.instance_path().as_str().to_owned(), message)
    })
}

/// A schema, compiled.
#[derive(Debug)]
pub(crate) struct SchemaEvaluator {
    validator: Compiled,
    /// Empty if nothing is to be coerced.
    plan: Plan,
    is_graded: bool,
    warnings: Vec<Warning>,
    effort: Effort,
    /// A text may be what it wants.
    pub(crate) takes_texts: bool,
}

impl SchemaEvaluator {
    /// Warnings for the start, given once: `format_unknown` and `keyword_unknown`.
    pub(crate) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Coerces an output, if that was asked for, and judges it.
    pub(crate) fn judge(&self, output: &Value) -> Judged {
        if !self.effort.allows_verdict(output) {
            let why = "The output is nested too deeply for a schema whose references lead \
                       to each other.";
            return crashed("evaluator_failed", why.to_owned());
        }
        let coerced = self.plan.apply(output.clone());
        // The list is longer to make than the verdict.
        let valid = self.validator.is_valid(&coerced.value);
        let is_listed = valid || self.effort.allows_list(&coerced.value);
        let errors: Vec<Value> = match (valid, is_listed) {
            (true, _) => Vec::new(),
            (false, true) => {
                self.validator.errors(&coerced.value).iter().map(schema_error::item).collect()
            }
            (false, false) => vec![schema_error::unlisted()],
        };
        #[expect(clippy::cast_precision_loss, reason = "five are enough")]
        let grade =
            if is_listed { ((GRADES - errors.len() as f64) / GRADES).max(0.0) } else { 0.0 };
        Judged {
            verdict: Some(valid),
            score: Some(if valid || self.is_graded { grade } else { 0.0 }),
            suggestions: errors.iter().filter_map(suggestion).map(Value::String).collect(),
            errors,
            output: Some(coerced.value),
            coercions: coerced.coercions,
            ..Judged::default()
        }
    }
}

#[cfg(test)]
mod tests;
