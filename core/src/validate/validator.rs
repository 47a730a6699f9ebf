//! Schemas of users.

use crate::sort::StableSort as _;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::Validation;
use super::labels::Violation;
use super::strict::Compiled;
use super::{text, uri};
use crate::error::{Error, ErrorCode, word_of};
use crate::labels::labels;
use crate::model::finding::Finding;
use crate::source::Chunk;
use crate::source::framing::Content;

/// A JSON Schema of your own, compiled once and asked as often as you like.
///
/// Draft 2020-12 unless `$schema` names another (4, 6, 7 and 2019-09 are known). Formats are
/// asserted, unless [`ValidatorOptions`] say otherwise. A keyword or a format that is not known is no
/// constraint, and a warning ([`Validator::warnings`]). Nothing is ever fetched: a `$ref` must lead to a
/// place inside the schema, by pointer, anchor or `$id`, or into a document that the options give.
///
/// A `pattern` is a regular expression of JavaScript. What would take for ever, or overflow the stack,
/// is refused, either with the schema or as a finding about the value. The longer the chain of schemas
/// that refer to each other for one value, the less deeply a value may be nested.
///
/// Pointers and keywords are those of ajv 8 with all errors, but for these: the items that
/// `contains` did not find are not listed one by one; a member that a failing branch looked at is
/// unevaluated, as the specification has it; `multipleOf` is exact; a number beyond every double
/// counts as null.
///
/// # Example: one finding for each pointer and keyword
///
/// ```
/// use hindscope::Validator;
///
/// let plan = Validator::new(r#"{
///     "type": "object",
///     "required": ["steps"],
///     "properties": {"steps": {"type": "array", "maxItems": 3}, "owner": {"format": "email"}}
/// }"#)?;
/// let answer = plan.validate(br#"{"steps": [1, 2, 3, 4], "owner": "nobody"}"#);
/// assert!(!answer.valid);
/// let steps = &answer.findings[0];
/// assert_eq!((steps.rule.as_ref(), steps.pointer.as_deref()), ("strict/maxItems", Some("/steps")));
/// assert_eq!(steps.expected.as_deref(), Some("at most 3 items"));
/// assert_eq!(steps.found.as_deref(), Some("an array of 4 items"));
/// assert_eq!(answer.findings[1].rule, "strict/format");
/// # Ok::<(), hindscope::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Validator(Arc<Compiled>);

labels! {
    /// What `format` in a schema means.
    #[derive(Default)]
    FormatUse {
        /// A text that is not of its format is a finding.
        #[default]
        Assertion = "assertion",
        /// It says what a text is for, and nothing is checked, as the specification has it by default.
        Annotation = "annotation",
    }
}

impl FormatUse {
    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`] for any other word.
    pub fn parse(word: &str) -> Result<Self, Error> {
        word_of("format", Self::named(word), &Self::ALL.map(Self::as_str), word)
    }
}

/// What a schema is compiled with beside itself.
#[derive(Clone, Debug, Default)]
pub struct ValidatorOptions {
    /// What `format` means.
    pub format: FormatUse,
    /// The schemas that the schema refers to: each by its address, such as `https://example.com/a.json` or
    /// `a.json`, as JSON text. One that names no draft has the draft of the schema. With `$id` it has a second
    /// address, where relative references in it begin.
    pub documents: BTreeMap<String, String>,
}

impl Validator {
    /// Compiles a schema, given as JSON text.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidSchema`] if the text is not JSON, breaks the rules of its draft, follows
    /// an unknown draft, holds a pattern that is not a regular expression, or refers to something
    /// that is not part of it. Also if a chain of references leads through more than 300 schemas,
    /// the schema has more than 1,000 levels with those that it refers to, or one value would be
    /// checked more than 100,000 times. The message names the place in the schema if there is one.
    ///
    /// # Example: the message says where
    ///
    /// ```
    /// use hindscope::{ErrorCode, Validator};
    ///
    /// let error = Validator::new(r#"{"properties": {"a": {"maxLength": -1}}}"#).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::InvalidSchema);
    /// assert_eq!(
    ///     error.to_string(),
    ///     "The schema is not valid at /properties/a/maxLength: expected at least 0, found -1.",
    /// );
    /// ```
    pub fn new(schema: &str) -> Result<Self, Error> {
        Self::with(schema, &ValidatorOptions::default())
    }

    /// The same with options.
    ///
    /// # Errors
    ///
    /// As [`Validator::new`], also for documents; the message begins with the document's address.
    ///
    /// # Example: a schema in two files
    ///
    /// ```
    /// use hindscope::{Validator, ValidatorOptions};
    ///
    /// let documents = [("step.json".to_owned(), r#"{"maxLength": 3}"#.to_owned())];
    /// let options = ValidatorOptions { documents: documents.into(), ..ValidatorOptions::default() };
    /// let plan = Validator::with(r#"{"items": {"$ref": "step.json"}}"#, &options)?;
    /// assert_eq!(plan.validate(br#"["look"]"#).findings[0].rule, "strict/maxLength");
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn with(schema: &str, options: &ValidatorOptions) -> Result<Self, Error> {
        let invalid = |why| Error::new(ErrorCode::InvalidSchema, why);
        let read = |text: &str| serde_json::from_str::<Value>(text);
        let schema = read(schema)
            .map_err(|error| invalid(format!("The schema is not valid JSON: {error}.")))?;
        let mut documents = BTreeMap::new();
        for (address, text) in &options.documents {
            let document = read(text)
                .map_err(|error| invalid(format!("{address}: not valid JSON: {error}.")))?;
            documents.insert(uri::resolve("", address), document);
        }
        let asserts_formats = options.format == FormatUse::Assertion;
        Compiled::new(schema, &documents, asserts_formats)
            .map(|compiled| Self(Arc::new(compiled)))
            .map_err(invalid)
    }

    /// Validates a value, given as JSON text.
    ///
    /// `usable` is the same as `valid`. Bad input is an answer, as in [`validate`](crate::validate()).
    pub fn validate(&self, bytes: &[u8]) -> Validation {
        let text = String::from_utf8_lossy(bytes);
        let chunk = Chunk::alone(&text, bytes);
        let mut findings = Vec::new();
        let Some(tree) = text::read(&chunk, Content::Value, &mut findings) else {
            return Validation { valid: false, usable: false, findings };
        };
        let violations = self.check(&tree.to_value());
        let valid = violations.is_empty() && !text::is_broken(&findings);
        let about = violations.into_iter().map(Violation::into_finding).collect();
        findings.extend(text::place(&chunk, &tree, about));
        findings.stable_sort_by(|a: &Finding, b| (a.offset, &a.rule).cmp(&(b.offset, &b.rule)));
        Validation { valid, usable: valid, findings }
    }

    /// What of the schema is not checked: keywords that its draft does not have
    /// (`schema/keyword`), and unknown formats (`schema/format`). One finding for each name, with the
    /// first place in the schema that it stands at. Keywords that begin with `x-` are extensions, and not listed.
    ///
    /// # Example: a misspelt keyword
    ///
    /// ```
    /// use hindscope::Validator;
    ///
    /// let schema = Validator::new(r#"{"requird": ["name"]}"#)?;
    /// assert_eq!(
    ///     schema.warnings()[0].message,
    ///     "Unknown keyword `requird` at /requird: it is not checked. Did you mean `required`?",
    /// );
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn warnings(&self) -> &[Finding] {
        self.0.warnings()
    }

    /// Everything that the schema forbids in a value that was parsed already, unsorted.
    pub(crate) fn check(&self, value: &Value) -> Vec<Violation> {
        self.0.violations_unsorted(value)
    }
}
