//! The verdict of a JSON Schema with formats asserted, and the complete list of what it forbids.
//!
//! The list is ajv's: a set of pointers and keywords. Where the compiler of `jsonschema` says less
//! (branches of `anyOf`, the `if` above a `then`), [`Listing`] adds what ajv says.

use std::collections::{BTreeMap, BTreeSet};

use hindscope_compiler::{ValidationError, ValidationErrorKind as Kind};
use serde_json::Value;

use super::formats;
use super::labels::{self, DEEPER, FITTING, Violation, cut, shown, so_many};
use super::refs::{Draft, Effort, Library};
use crate::model::finding::Finding;

/// A schema, compiled. One mechanism serves our schemas and those of users: the compiler is in the
/// wasm for the latter anyway.
#[derive(Debug)]
pub(crate) struct Compiled {
    validator: hindscope_compiler::Compiled,
    schema: Value,
    effort: Effort,
    warnings: Vec<Finding>,
}

impl Compiled {
    /// Compiles a schema with the documents that it refers to; if that is not possible, where and why.
    pub(crate) fn new(
        schema: Value,
        documents: &BTreeMap<String, Value>,
        asserts_formats: bool,
    ) -> Result<Self, String> {
        let draft = Draft::of_schema(&schema);
        for (address, document) in documents {
            let draft = Draft::of_schema(document).or(draft).unwrap_or_default();
            hindscope_compiler::check(document, draft.compiled())
                .map_err(|error| format!("{}: {}", cut(address), why_not(&error)))?;
        }
        let library = Library::bounded(&schema, documents)?;
        let effort = Effort::of(&library);
        let mut warnings = library.unknown_keywords();
        if asserts_formats {
            warnings.extend(library.unknown_formats(formats::is_known));
        }
        let (root, linked) = library.linked();
        let with = hindscope_compiler::Options {
            draft: draft.map(Draft::compiled),
            asserts_formats,
            formats: &formats::ALL,
            documents: &linked,
        };
        match hindscope_compiler::Compiled::new(&root, with) {
            Ok(validator) => Ok(Self { validator, schema, effort, warnings }),
            Err(error) => Err(why_not(&error) + of_draft_7(&schema, Draft::default())),
        }
    }

    /// What of the schema is not checked, although it looks like a check.
    pub(crate) fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The schema itself.
    #[cfg(test)]
    fn schema(&self) -> &Value {
        &self.schema
    }

    /// Everything that the schema forbids in a value, in no particular order.
    pub(crate) fn violations_unsorted(&self, value: &Value) -> Vec<Violation> {
        if !self.effort.allows_verdict(value) {
            let expected = format!("at most {}", so_many(&self.effort.deepest, "levels"));
            return vec![Violation::new(String::new(), "$ref", expected, DEEPER)];
        }
        // The list is longer to make than the verdict.
        if self.validator.is_valid(value) {
            return Vec::new();
        }
        if !self.effort.allows_list(value) {
            return vec![Violation::new(String::new(), "$ref", FITTING, shown(value))];
        }
        let mut listing = Listing::new(&self.schema, value);
        for error in self.validator.errors(value) {
            listing.add(&error);
        }
        listing.out
    }
}

/// Why a schema does not compile, as a sentence with its place.
pub(crate) fn why_not(error: &ValidationError<'_>) -> String {
    use hindscope_compiler::ReferencingError as Reference;
    let at = match error.instance_path().as_str() {
        "" => "at its root".to_owned(),
        pointer => format!("at {pointer}"),
    };
    match error.kind() {
        Kind::Referencing(Reference::Unretrievable { uri, .. }) => format!(
            "The schema refers to {}, which it does not contain. Nothing is downloaded: put the referenced schema into `$defs`, or hand it over beside the schema.",
            cut(uri.strip_prefix(hindscope_compiler::BASE).unwrap_or(uri))
        ),
        Kind::Referencing(Reference::UnknownSpecification { specification }) => format!(
            "The schema names {} as its draft, which is not a known draft of JSON Schema.",
            cut(specification)
        ),
        Kind::Referencing(reference) => {
            format!(
                "A reference of the schema cannot be resolved: {}.",
                cut(&reference.to_string())
            )
        }
        Kind::Format { format } if format == "regex" => format!(
            "The schema has a pattern {at} that is not a valid regular expression: {}.",
            shown(error.instance())
        ),
        _ => {
            let mut listing = Listing::new(&Value::Null, &Value::Null);
            listing.add(error);
            // Words say more than the branches that they stand in.
            let words = listing.out.iter().position(|v| v.keyword == "enum");
            let shown = words.unwrap_or_else(|| listing.out.len().saturating_sub(1));
            match listing.out.get(shown) {
                Some(v) if v.member.is_some() => {
                    format!("The schema is not valid {at}: {}", v.message())
                }
                Some(v) => format!(
                    "The schema is not valid {at}: expected {}, found {}.",
                    v.expected, v.found
                ),
                None => format!("The schema is not valid {at}."),
            }
        }
    }
}

/// What helps if a schema that names no draft was written for draft 7: a sentence, with a blank before it.
pub(crate) fn of_draft_7(schema: &Value, draft: Draft) -> &'static str {
    let is_valid = |draft: Draft| hindscope_compiler::check(schema, draft.compiled()).is_ok();
    let names_none = schema.get("$schema").is_none() && draft == Draft::default();
    if names_none && !is_valid(draft) && is_valid(Draft::Seven) {
        " It would be valid by draft 7: if it was written for that, set `$schema` to \
         \"http://json-schema.org/draft-07/schema#\"."
    } else {
        ""
    }
}

struct Listing<'a> {
    schema: &'a Value,
    value: &'a Value,
    out: Vec<Violation>,
    /// Each `if` that was reported: pointer of the value, and the path of the evaluation.
    ifs: BTreeSet<(String, String)>,
    /// Pointers of which a `type`, and of which an `items`, was reported: one value may deviate in
    /// 100,000 places.
    typed: BTreeSet<String>,
    long: BTreeSet<String>,
}

impl<'a> Listing<'a> {
    fn new(schema: &'a Value, value: &'a Value) -> Self {
        let (ifs, typed, long) = Default::default();
        Self { schema, value, out: Vec::new(), ifs, typed, long }
    }

    fn add(&mut self, error: &ValidationError<'_>) {
        let pointer = error.instance_path().as_str();
        let path = error.evaluation_path().as_str();
        match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                for inner in context.iter().flatten() {
                    self.add(inner);
                }
            }
            // ajv stops at the second branch that fits.
            Kind::OneOfMultipleValid { context } => {
                let mut fits = 0;
                for branch in context {
                    fits += u32::from(branch.is_empty());
                    if fits == 2 {
                        break;
                    }
                    for inner in branch {
                        self.add(inner);
                    }
                }
            }
            Kind::PropertyNames { error } => self.add(error),
            // The crate leaves a type out where the words imply it.
            Kind::Enum { .. } => self.implied_type(error),
            Kind::FalseSchema if self.is_said_otherwise(error) => return self.ifs(pointer, path),
            _ => {}
        }
        for violation in labels::describe(error) {
            match &*violation.keyword {
                "type" => drop(self.typed.insert(violation.pointer.clone())),
                "items" => drop(self.long.insert(violation.pointer.clone())),
                _ => {}
            }
            self.out.push(violation);
        }
        self.ifs(pointer, path);
    }

    /// Reports a schema `false` as ajv does, where ajv does not name the value itself, and returns
    /// whether that was the case. After `prefixItems` the list is too long; in an object that may have
    /// no members, each member is one too many.
    fn is_said_otherwise(&mut self, error: &ValidationError<'_>) -> bool {
        let pointer = error.instance_path().as_str();
        // The crate stops at the first member, and hands out its value with the object's place.
        if let Some(Value::Object(members)) = self.value.pointer(pointer)
            && members.values().next() == Some(error.instance().as_ref())
        {
            self.out.extend(
                members.keys().map(|name| {
                    Violation::surplus(pointer.to_owned(), "additionalProperties", name)
                }),
            );
            return true;
        }
        let prefix = error
            .schema_path()
            .as_str()
            .strip_suffix("/items")
            .and_then(|parent| self.schema.pointer(parent)?.get("prefixItems")?.as_array());
        let (list, _) = pointer.rsplit_once('/').unwrap_or_default();
        let Some(prefix) = prefix else { return false };
        if self.long.insert(list.to_owned()) {
            let expected = format!("at most {}", so_many(&prefix.len(), "items"));
            let found = self.value.pointer(list).map_or_else(|| "more".to_owned(), shown);
            self.out.push(Violation::new(list.to_owned(), "items", expected, found));
        }
        true
    }

    fn implied_type(&mut self, error: &ValidationError<'_>) {
        let path = error.schema_path().as_str();
        let Some(parent) = path.rfind('/').and_then(|at| path.get(..at)) else { return };
        let Some(types) = self.schema.pointer(parent).and_then(|s| s.get("type")) else { return };
        let names: Vec<&str> = match types {
            Value::String(name) => vec![name],
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            _ => return,
        };
        if names.iter().any(|name| is_of_type(error.instance(), name)) {
            return;
        }
        let pointer = error.instance_path().as_str().to_owned();
        // The crate may have reported the type all the same.
        if !self.typed.insert(pointer.clone()) {
            return;
        }
        let found = shown(error.instance());
        self.out.push(Violation::new(pointer, "type", labels::types(&names), found));
    }

    /// Adds the `if` of each `then` and `else` that the evaluation went through.
    fn ifs(&mut self, pointer: &str, path: &str) {
        let mut segments = path.split('/').enumerate().skip(1).peekable();
        let mut depth = 0;
        while let Some((at, segment)) = segments.next() {
            match segment {
                "properties" | "patternProperties" => {
                    segments.next();
                    depth += 1;
                }
                "dependentSchemas" | "dependencies" | "$defs" | "definitions" => {
                    segments.next();
                }
                "items" | "prefixItems" => {
                    segments.next_if(|(_, s)| s.bytes().all(|b| b.is_ascii_digit()));
                    depth += 1;
                }
                "additionalProperties"
                | "unevaluatedProperties"
                | "additionalItems"
                | "unevaluatedItems"
                | "contains" => depth += 1,
                "then" | "else" => {
                    let value = nth_segments(pointer, depth);
                    let schema = nth_segments(path, at - 1);
                    if self.ifs.insert((value.to_owned(), schema.to_owned())) {
                        let expected = format!("a value that matches `{segment}`");
                        let found = "one that does not match";
                        self.out.push(Violation::new(value.to_owned(), "if", expected, found));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The first `count` segments of a pointer.
fn nth_segments(pointer: &str, count: usize) -> &str {
    let end = pointer.match_indices('/').nth(count).map_or(pointer.len(), |(at, _)| at);
    pointer.get(..end).unwrap_or_default()
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match (name, value) {
        ("integer", Value::Number(n)) => n.as_f64().is_some_and(|n| n.fract() == 0.0),
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::pointer::escape;
    use crate::validate::schema::Schema;
    use serde_json::json;

    fn pairs(compiled: &Compiled, value: &Value) -> Vec<(String, String)> {
        let violations = compiled.violations_unsorted(value).into_iter();
        let mut pairs: Vec<_> = violations.map(|v| (v.pointer, v.keyword.into_owned())).collect();
        pairs.sort();
        pairs
    }

    #[track_caller]
    fn gives(schema: &Value, value: &Value, expected: &[(&str, &str)]) {
        let compiled = Compiled::new(schema.clone(), &BTreeMap::new(), true).expect("a schema");
        let expected: Vec<_> =
            expected.iter().map(|(p, k)| ((*p).to_owned(), (*k).to_owned())).collect();
        assert_eq!(pairs(&compiled, value), expected, "{schema} {value}");
    }

    #[test]
    fn lists_everything() {
        let value = json!({
            "loop_id": "loop-1", "iteration": 1.5, "timestamp": "2026-03-01",
            "actor_output": {"actions": [{"type": "edit"}]},
            "evaluator_output": {"passed": "no", "verification_type": 7, "reward_signal": 2},
            "self_reflection": null,
            "memory_metadata": {"omega_capacity": 0, "current_memory_size": 1}
        });
        let compiled = of(Schema::ReflectionMemory);
        let expected = [
            ("/actor_output", "required"),
            ("/actor_output/actions/0", "required"),
            ("/actor_output/actions/0/type", "enum"),
            ("/evaluator_output/passed", "type"),
            ("/evaluator_output/reward_signal", "maximum"),
            ("/evaluator_output/verification_type", "enum"),
            ("/evaluator_output/verification_type", "type"),
            ("/iteration", "type"),
            ("/loop_id", "pattern"),
            ("/memory_metadata/omega_capacity", "minimum"),
            ("/self_reflection", "type"),
            ("/timestamp", "format"),
        ];
        assert_eq!(pairs(&compiled, &value), expected.map(|(p, k)| (p.to_owned(), k.to_owned())));
    }

    /// The engine for schemas of users, given one of ours.
    fn of(schema: Schema) -> Compiled {
        let schema = serde_json::from_str(schema.json()).expect("it is JSON");
        Compiled::new(schema, &BTreeMap::new(), true).expect("it compiles")
    }

    /// Values of every type, good and bad times and words, and numbers on both sides of each bound.
    const VALUES: &str = r#"[null, true, 0, 1, -1, 1.5, -1.5, 0.5, 11, 101, 1e21, "", "x", "5", "ralph-a",
        "ralph-A", "fifo", "other", "error", "success", "bash", "2024-02-29T00:00:00Z",
        "2024-02-30T00:00:00Z", "2024-01-01T00:00:00", "2024-01-01", [], [1], ["a", 2], [{}], {},
        {"a": 1}]"#;

    /// A record with every member that the schema names, of the right types.
    fn full(schema: &Value) -> Value {
        match schema["type"].as_str() {
            Some("object") => {
                let members = schema["properties"].as_object().into_iter().flatten();
                members.map(|(name, schema)| (name.clone(), full(schema))).collect()
            }
            Some("array") => json!([full(&schema["items"]), full(&schema["items"])]),
            Some("string") => match schema["enum"].as_array() {
                Some(words) => words[0].clone(),
                None if schema["format"] == "date-time" => json!("2024-02-29T00:00:00Z"),
                None => json!("ralph-a"),
            },
            Some("integer" | "number") => json!(1),
            Some("boolean") => json!(true),
            _ => json!({}),
        }
    }

    /// Pointers of all values inside a value.
    fn places(value: &Value, path: &str, out: &mut Vec<String>) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, value)| {
                let path = format!("{path}/{}", escape(name));
                out.push(path.clone());
                places(value, &path, out);
            }),
            Value::Array(items) => items.iter().enumerate().for_each(|(at, value)| {
                out.push(format!("{path}/{at}"));
                places(value, &format!("{path}/{at}"), out);
            }),
            _ => {}
        }
    }

    /// The pass over a table and the engine for schemas of users give the same pointers and keywords.
    #[test]
    fn tables_judge_as_the_engine_does() {
        let values: Vec<Value> = serde_json::from_str(VALUES).expect("it is JSON");
        let mut state = 1_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
            usize::try_from(state >> 33).expect("small") % n
        };
        let (mut valid, mut invalid) = (0, 0);
        for schema in Schema::ALL {
            let compiled = of(schema);
            let whole = full(compiled.schema());
            assert!(compiled.violations_unsorted(&whole).is_empty(), "{schema:?}");
            for _ in 0..400 {
                let mut record = whole.clone();
                for _ in 0..=below(3) {
                    let mut all = vec![String::new()];
                    places(&record, "", &mut all);
                    let pointer = &all[below(all.len())];
                    let name = pointer.rsplit('/').next().unwrap_or_default().to_owned();
                    let parent = pointer.rsplit_once('/').map(|(parent, _)| parent.to_owned());
                    let other = values[below(values.len())].clone();
                    match (below(4), parent.and_then(|parent| record.pointer_mut(&parent))) {
                        (0, Some(Value::Object(members))) => drop(members.remove(&name)),
                        (1, Some(Value::Object(members))) => {
                            members.insert("extra/~".to_owned(), other);
                        }
                        _ => *record.pointer_mut(pointer).expect("it is there") = other,
                    }
                }
                let violations = schema.violations_unsorted(&record).into_iter();
                let mut ours: Vec<_> =
                    violations.map(|v| (v.pointer, v.keyword.into_owned())).collect();
                ours.sort();
                assert_eq!(ours, pairs(&compiled, &record), "{schema:?} {record}");
                *(if ours.is_empty() { &mut valid } else { &mut invalid }) += 1;
            }
        }
        assert!(valid > 200 && invalid > 1000, "{valid} valid, {invalid} not");
    }

    /// Checked against ajv 8 by `cargo xtask differential`, too.
    #[test]
    fn lists_what_ajv_lists() {
        let either = json!([{"type": "string"}, {"type": "object", "required": ["a"]}]);
        gives(&json!({"anyOf": either}), &json!(1), &[("", "anyOf"), ("", "type"), ("", "type")]);
        gives(
            &json!({"anyOf": either}),
            &json!({}),
            &[("", "anyOf"), ("", "required"), ("", "type")],
        );
        gives(&json!({"oneOf": either}), &json!(1), &[("", "oneOf"), ("", "type"), ("", "type")]);
        let overlapping = json!({"oneOf": [{"type": "number"}, {"minimum": 1}, {"const": 7}]});
        gives(&overlapping, &json!(2), &[("", "oneOf")]);
        // A text has no minimum, so it fits the second branch.
        gives(&overlapping, &json!("x"), &[]);
        let branch = json!({"properties": {"a": {
            "if": {"required": ["b"]}, "then": {"required": ["c"]}, "else": {"properties": {"then": {"type": "null"}}},
        }}});
        gives(&branch, &json!({"a": {"b": 1}}), &[("/a", "if"), ("/a", "required")]);
        gives(&branch, &json!({"a": {"then": 1}}), &[("/a", "if"), ("/a/then", "type")]);
        let closed = json!({"properties": {"a": {}}, "additionalProperties": false});
        gives(
            &closed,
            &json!({"b/c": 1, "d": 2}),
            &[("", "additionalProperties"), ("", "additionalProperties")],
        );
        gives(
            &json!({"propertyNames": {"maxLength": 1}}),
            &json!({"ab": 1}),
            &[("", "maxLength"), ("", "propertyNames")],
        );
        gives(
            &json!({"dependentRequired": {"a": ["b", "c"]}}),
            &json!({"a": 1, "c": 1}),
            &[("", "dependentRequired")],
        );
        gives(&json!({"properties": {"a": false}}), &json!({"a": 1}), &[("/a", "false-schema")]);
        let empty = json!({"additionalProperties": false});
        gives(&empty, &json!({"a": 1, "b": {}}), &[("", "additionalProperties"); 2]);
        gives(
            &json!({"properties": {"additionalProperties": false}}),
            &json!({"additionalProperties": {}}),
            &[("/additionalProperties", "false-schema")],
        );
        gives(&json!({"prefixItems": [{}], "items": false}), &json!([1, 2, 3]), &[("", "items")]);
        gives(
            &json!({"contains": {"type": "null"}, "minContains": 2}),
            &json!([null]),
            &[("", "contains")],
        );
        gives(&json!({"not": {"type": "string"}}), &json!("a"), &[("", "not")]);
        gives(
            &json!({"enum": [1, 2], "type": "integer"}),
            &json!("a"),
            &[("", "enum"), ("", "type")],
        );
        gives(&json!({"const": 1, "type": "integer"}), &json!("a"), &[("", "const"), ("", "type")]);
        gives(
            &json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}),
            &json!(1),
            &[("", "type")],
        );
    }
}
