//! Whether a record can be used, and everything that is odd about it.

pub(crate) mod audit;
pub(crate) mod datetime;
pub(crate) mod finding;
pub(crate) mod lenient;
pub(crate) mod record;
pub(crate) mod series;
pub(crate) mod strict;

use serde::Serialize;

use crate::error::{Error, ErrorCode};
use crate::format::FormatId;
use crate::source::framing::Content;
use crate::source::{Passage, lossy};
use finding::{Finding, Severity};
use record::Readings;

/// The JSON Schema of reflection-memory records.
pub const SCHEMA: &str = include_str!("../../schemas/reflection-memory.json");

/// Which question is answered (rules.md, 11.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Is the record valid by the schema? The verdict of JSON Schema draft 2020-12 with formats
    /// asserted.
    Strict,
    /// Can the record be used, and what is odd about it?
    #[default]
    Lenient,
}

impl Profile {
    /// The lower-case word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Lenient => "lenient",
        }
    }

    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`] for anything but `strict` and `lenient`.
    pub fn parse(word: &str) -> Result<Self, Error> {
        match word {
            "strict" => Ok(Self::Strict),
            "lenient" => Ok(Self::Lenient),
            _ => Err(Error::new(
                ErrorCode::InvalidOption,
                format!("profile is strict or lenient, not {word:?}"),
            )),
        }
    }
}

/// What a record is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Valid by the schema.
    Conforms,
    /// Deviates, but its number and its text or outcome are known.
    Usable,
    /// Neither.
    Unusable,
}

impl Verdict {
    /// The lower-case word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::Usable => "usable",
            Self::Unusable => "unusable",
        }
    }
}

/// The answer of [`validate`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Strict: valid by the schema. Lenient: can be used.
    pub valid: bool,
    /// The finer answer.
    pub verdict: Verdict,
    /// What is odd, in document order.
    pub findings: Vec<Finding>,
}

/// Validates one reflection-memory record, given as JSON text.
///
/// Bad input is an answer, never an error: text that is no JSON at all is `unusable`, with a
/// finding that says where reading stopped.
///
/// # Example: one finding names place and hint
///
/// ```
/// use hindscope::{Profile, Verdict, validate};
///
/// let answer = validate(br#"{"iteration": 2, "evaluator_output": {"passed": false},
///     "self_reflection": {"reflection_text": "I changed the wrong file."}}"#, Profile::Lenient);
/// assert!(answer.valid);
/// assert_eq!(answer.verdict, Verdict::Usable);
/// assert_eq!(answer.findings[0].rule, "lenient/missing");
///
/// let answer = validate(b"{\"iteration\": 2", Profile::Strict);
/// assert!(!answer.valid);
/// assert_eq!(answer.findings[0].rule, "json/truncated");
/// ```
pub fn validate(bytes: &[u8], profile: Profile) -> Validation {
    let text = lossy(bytes);
    let mut readings = Readings::new(profile);
    let expected = Some(FormatId::ReflectionMemory);
    let is_kept = readings.read(&Passage::alone(&text, bytes), Content::Value, expected);
    let mut findings = std::mem::take(&mut readings.findings);
    findings.sort_by(|a, b| (a.offset, &a.rule).cmp(&(b.offset, &b.rule)));
    let is_usable = is_kept && readings.is_usable();
    let verdict = match (readings.conforms, is_usable, profile) {
        (true, ..) => Verdict::Conforms,
        (false, true, Profile::Lenient) => Verdict::Usable,
        _ => Verdict::Unusable,
    };
    if verdict == Verdict::Unusable && findings.is_empty() {
        findings.push(
            Finding::new(
                "lenient/unusable",
                Severity::Error,
                "Neither number and text nor number and outcome are known.",
            )
            .pointer(""),
        );
    }
    Validation { valid: verdict != Verdict::Unusable, verdict, findings }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = r#"{"loop_id":"ralph-a","iteration":1,"timestamp":"2026-03-01T09:00:00Z",
"actor_output":{"actions":[],"rationale":""},
"evaluator_output":{"passed":false,"verification_type":"lint","errors":[{"type":"other","message":"m"}]},
"self_reflection":{"reflection_text":"ok"},
"memory_metadata":{"omega_capacity":1,"current_memory_size":1}}"#;

    fn rules(text: &str, profile: Profile) -> Vec<String> {
        validate(text.as_bytes(), profile).findings.iter().map(|f| f.rule.to_string()).collect()
    }

    #[test]
    fn a_valid_record_has_no_findings() {
        for profile in [Profile::Strict, Profile::Lenient] {
            let answer = validate(VALID.as_bytes(), profile);
            assert_eq!((answer.valid, answer.verdict), (true, Verdict::Conforms));
            assert_eq!(answer.findings, []);
        }
    }

    #[test]
    fn strict_and_lenient_grade_the_same_facts() {
        let text = VALID
            .replace("ralph-a", "Ralph A")
            .replace("\"omega_capacity\":1", "\"omega_capacity\":12");
        assert_eq!(rules(&text, Profile::Strict), ["strict/pattern", "strict/maximum"]);
        assert_eq!(rules(&text, Profile::Lenient), ["lenient/loop-id", "lenient/range"]);
        let answer = validate(text.as_bytes(), Profile::Lenient);
        assert_eq!(answer.verdict, Verdict::Usable);
        let omega = &answer.findings[1];
        assert_eq!((omega.line, omega.column), (Some(5), Some(37)));
        assert_eq!(omega.pointer.as_deref(), Some("/memory_metadata/omega_capacity"));
    }

    #[test]
    fn repaired_text_is_not_json_for_strict() {
        let text = VALID.replace("\"iteration\":1", "\"iteration\":1,\"iteration\":2");
        // JSON allows a repeated name, and the last one wins, as in JavaScript.
        assert!(validate(text.as_bytes(), Profile::Strict).valid);
        let text = VALID.replace("[],", "[],,");
        assert!(!validate(text.as_bytes(), Profile::Strict).valid);
        let text = VALID.replace("\"rationale\":\"\"", "\"rationale\":\"\",");
        assert_eq!(rules(&text, Profile::Strict), ["json/trailing-comma"]);
        assert!(!validate(text.as_bytes(), Profile::Strict).valid);
        assert_eq!(rules(&text, Profile::Lenient), ["json/trailing-comma"]);
        assert!(validate(text.as_bytes(), Profile::Lenient).valid);
    }

    #[test]
    fn what_is_no_record_is_unusable() {
        for text in ["", "null", "[]", "{}", "not json", "{\"iteration\":1}"] {
            for profile in [Profile::Strict, Profile::Lenient] {
                let answer = validate(text.as_bytes(), profile);
                assert!(!answer.valid, "{text}");
                assert!(!answer.findings.is_empty(), "{text}");
            }
        }
    }
}
