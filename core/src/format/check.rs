//! Checks one record: whether it is valid, whether it can be used, and every problem found in it.

use super::record::{Readings, by_pointer};
use crate::json::{value, write};
use crate::model::finding::{Finding, Severity};
use crate::sort::StableSort as _;
use crate::source::framing::Content;
use crate::source::{Chunk, lossy};
use crate::validate::deviation::{self, is_violation};
use crate::validate::schema::Schema;
use crate::validate::{Profile, Validation, labels, lenient, text};

/// What [`validate_with`] is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValidateOptions {
    /// What the record should be.
    pub schema: Schema,
    /// Which question is answered.
    pub profile: Profile,
    /// The host's clock in milliseconds since 1970, as `Date.now()` has it. The core has none:
    /// `rm/future` is skipped without it.
    pub now_ms: Option<f64>,
}

/// Validates one reflection-memory record, given as JSON text.
///
/// Bad input is an answer, never an error: text that is not JSON is not usable, and a finding
/// says where reading stopped.
///
/// # Example: one finding names place and hint
///
/// ```
/// use hindscope::{Profile, validate};
///
/// let answer = validate(br#"{"iteration": 2, "evaluator_output": {"passed": false},
///     "self_reflection": {"reflection_text": "I changed the wrong file."}}"#, Profile::Lenient);
/// assert!(answer.usable && !answer.valid);
/// assert_eq!(answer.findings[0].rule, "lenient/missing");
///
/// let answer = validate(b"{\"iteration\": 2", Profile::Strict);
/// assert!(!answer.valid);
/// assert_eq!(answer.findings[0].rule, "json/truncated");
/// ```
pub fn validate(bytes: &[u8], profile: Profile) -> Validation {
    validate_with(bytes, ValidateOptions { profile, ..ValidateOptions::default() })
}

/// Validates one record of any kind whose schema comes with the core, given as JSON text.
///
/// [`Profile::Strict`] gives the schema's verdict. [`Profile::Lenient`] grades the same facts
/// (`lenient/*`) and refuses only a record that says nothing of anything: a task without id, an
/// action without tool, a reflection without a word.
///
/// # Example: a line of an episodic memory
///
/// ```
/// use hindscope::{Profile, Schema, Severity, validate_as};
///
/// let line = br#"{"attempt_id": "2", "learning": "Create the lock row first.", "mood": "calm"}"#;
/// let answer = validate_as(line, Schema::Reflection, Profile::Lenient);
/// assert!(answer.usable);
/// let [unknown, number] = &answer.findings[..] else { panic!("{:?}", answer.findings) };
/// assert_eq!((unknown.rule.as_ref(), unknown.severity), ("lenient/unknown-member", Severity::Info));
/// assert_eq!(number.expected.as_deref(), Some("an integer"));
/// assert_eq!(number.found.as_deref(), Some("\"2\""));
///
/// assert!(!validate_as(line, Schema::Reflection, Profile::Strict).valid);
/// ```
pub fn validate_as(bytes: &[u8], schema: Schema, profile: Profile) -> Validation {
    validate_with(bytes, ValidateOptions { schema, profile, now_ms: None })
}

/// Validates one record, with everything that can be said beforehand.
///
/// # Example: a clock makes `rm/future` speak
///
/// ```
/// use hindscope::{ValidateOptions, validate_with};
///
/// let record = br#"{"iteration": 1, "timestamp": "1970-01-01T00:30:00Z",
///     "self_reflection": {"reflection_text": "Too early."}}"#;
/// let now_ms = Some(60_000.0);
/// let answer = validate_with(record, ValidateOptions { now_ms, ..ValidateOptions::default() });
/// assert!(answer.findings.iter().any(|f| f.rule == "rm/future"));
/// ```
pub fn validate_with(bytes: &[u8], options: ValidateOptions) -> Validation {
    let text = lossy(bytes);
    let chunk = Chunk::alone(&text, bytes);
    let (mut findings, valid, lacks) = match options.schema {
        Schema::ReflectionMemory => as_reflection_memory(&chunk, options),
        schema => as_data(&chunk, schema, options.profile),
    };
    let usable = valid || lacks.is_ok();
    // An error says already why a record cannot be used.
    if !usable && findings.iter().all(|f| f.severity != Severity::Error) {
        findings.extend(lacks.err().flatten());
    }
    findings.stable_sort_by(|a, b| (a.offset, &a.rule).cmp(&(b.offset, &b.rule)));
    Validation { valid, usable, findings }
}

/// What the text of a record says, as plain JSON: repaired as for [`validate()`] where it is none. Nothing
/// if it cannot be repaired.
///
/// # Example: a comma too many
///
/// ```
/// let text = hindscope::plain_json(br#"{"iteration": 2, "notes": ["a",],}"#);
/// assert_eq!(text.as_deref(), Some(r#"{"iteration":2,"notes":["a"]}"#));
/// ```
pub fn plain_json(bytes: &[u8]) -> Option<String> {
    value::tolerant(&lossy(bytes)).map(|value| write::value(&value))
}

/// Findings, whether the schema accepts the record, and what it lacks to be used.
type Judged = (Vec<Finding>, bool, Result<(), Option<Finding>>);

fn as_reflection_memory(chunk: &Chunk<'_>, options: ValidateOptions) -> Judged {
    let mut readings = Readings::new(options.profile);
    readings.now_ms = options.now_ms;
    let is_kept = readings.read_declared(chunk);
    let usable = if is_kept && readings.is_usable() {
        Ok(())
    } else {
        let found = match readings.extracted().and_then(|extracted| extracted.said.number) {
            Some(_) => "a number alone",
            None => "no number",
        };
        Err(Some(unusable(chunk, Schema::ReflectionMemory, found)))
    };
    (std::mem::take(&mut readings.findings), readings.conforms, usable)
}

fn as_data(chunk: &Chunk<'_>, schema: Schema, profile: Profile) -> Judged {
    let mut findings = Vec::new();
    let Some(tree) = text::read(chunk, Content::Value, &mut findings) else {
        return (findings, false, Err(None));
    };
    let value = tree.to_value();
    let (written, mut deviations) = (write::value(&value), Vec::new());
    // A value that was parsed is plain JSON when it is written again.
    let _ = schema.read(&written, &mut deviations);
    let valid = !deviations.iter().any(is_violation) && !text::is_broken(&findings);
    let about = match profile {
        Profile::Strict => deviation::strict(schema.table(), &written, &deviations),
        Profile::Lenient if !value.is_object() => vec![(None, lenient::not_object(&value))],
        Profile::Lenient => lenient::grade(schema.table(), &written, &deviations),
    };
    let about = by_pointer(about.into_iter().map(|(_, finding)| finding));
    findings.extend(text::place(chunk, &tree, about));
    let usable = if schema.is_usable(&value) {
        Ok(())
    } else {
        Err(Some(unusable(chunk, schema, &labels::shown(&value))))
    };
    (findings, valid, usable)
}

fn unusable(chunk: &Chunk<'_>, schema: Schema, found: &str) -> Finding {
    let mut finding = lenient::unusable(schema.usable_words(), found);
    let space = chunk.text.len() - chunk.text.trim_start().len();
    text::set_place(&mut finding, chunk.ruler().place_of(space));
    finding
}

#[cfg(test)]
mod tests;
