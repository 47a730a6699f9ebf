//! One record's text to facts and findings: the typed pass first, tolerance only where needed.

use serde_json::Value;

use super::Profile;
use super::finding::{Finding, Severity};
use super::{lenient, strict};
use crate::format::facts::Facts;
use crate::format::shape;
use crate::format::{self, FormatId, programming_log};
use crate::source::Passage;
use crate::source::framing::Content;
use crate::source::place::{Place, Ruler};
use crate::source::scan::find;
use crate::source::tree::{Repair, Tree, Unreadable};

/// Reads records one after another, reusing what it allocated.
#[derive(Debug)]
pub(crate) struct Readings {
    profile: Profile,
    /// What the record said.
    pub(crate) facts: Facts,
    /// What is odd about it, with places.
    pub(crate) findings: Vec<Finding>,
    /// Its format.
    pub(crate) format: Option<FormatId>,
    /// Valid by the schema of its format, where that has one.
    pub(crate) conforms: bool,
    /// Something had to be repaired.
    pub(crate) is_repaired: bool,
    /// It parsed, and no format fits; the nearest ones.
    pub(crate) unknown: Option<String>,
    /// It is an object around a list of records: the member's name, and where each stands.
    pub(crate) wrapped: Option<Wrapped>,
}

/// A list of records in a member of an object (formats.md, 3.5).
#[derive(Clone, Debug)]
pub(crate) struct Wrapped {
    pub(crate) name: String,
    /// Offsets in the text of the object.
    pub(crate) items: Vec<(usize, usize)>,
}

/// A record that the typed pass does not accept is parsed up to this, in bytes: a parsed value takes
/// many times the space of its text.
const MAX_TREE_LEN: usize = 32 << 20;

/// Members that may hold such a list.
const WRAPPERS: [&str; 7] =
    ["reflections", "records", "entries", "items", "data", "history", "results"];

impl Readings {
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            profile,
            facts: Facts::default(),
            findings: Vec::new(),
            format: None,
            conforms: false,
            is_repaired: false,
            unknown: None,
            wrapped: None,
        }
    }

    /// Reads a JSON record. `expected` is the format that the source has shown so far; it is tried
    /// first, and every record that is not of it is looked at by itself. False: nothing was kept.
    pub(crate) fn read(
        &mut self,
        passage: &Passage<'_>,
        content: Content,
        expected: Option<FormatId>,
    ) -> bool {
        self.begin();
        let text = passage.text;
        if let Some(format) = expected
            && passage.stored.is_none()
            && shape::scan(text, format.row().shape, &mut self.facts).is_ok()
            && self.facts.fit(format)
        {
            self.format = Some(format);
            self.conforms = true;
            self.check(passage);
            return true;
        }
        self.facts.clear();
        let mut ruler = passage.ruler();
        if passage.stored.is_some() {
            self.lossy(text, &mut ruler);
        }
        if text.len() > MAX_TREE_LEN {
            let unreadable = Unreadable {
                rule: "size/record",
                at: 0,
                message: format!(
                    "it deviates from its format and has {} MiB; such a record may have {}",
                    text.len() >> 20,
                    MAX_TREE_LEN >> 20
                ),
            };
            self.unreadable(&mut ruler, content, &unreadable);
            return false;
        }
        let may_close = content == Content::CutValue;
        let tree = match Tree::read(text, may_close) {
            Ok(tree) => tree,
            Err(unreadable) => {
                self.unreadable(&mut ruler, content, &unreadable);
                return false;
            }
        };
        if text.get(tree.end..).is_some_and(|rest| !rest.trim().is_empty()) {
            let unreadable = Unreadable {
                rule: "json/syntax",
                at: tree.end + text[tree.end..].len() - text[tree.end..].trim_start().len(),
                message: "expected the end of the value".to_owned(),
            };
            self.unreadable(&mut ruler, content, &unreadable);
            return false;
        }
        for repair in &tree.repairs {
            self.repair(&mut ruler, repair);
        }
        let place = |pointer: &str| ruler.place_of(tree.offset_of(pointer));
        let is_kept = self.value(&tree.to_value(), expected, passage.start, place);
        // Offsets in a repaired text are not those of the items as they are stored.
        if !is_kept
            && passage.stored.is_none()
            && let Some((name, items)) = tree.wrapped(&WRAPPERS)
        {
            self.wrapped = Some(Wrapped {
                name: name.to_owned(),
                items: items.iter().map(|n| (n.start, n.end)).collect(),
            });
        }
        is_kept
    }

    /// Takes a value that was parsed already: of YAML, say, whose places are not known.
    pub(crate) fn read_value(&mut self, value: &Value, start: Place) -> bool {
        self.begin();
        let is_kept = self.value(value, None, start, |_| start);
        if self.conforms && self.profile == Profile::Strict {
            // Strict speaks of JSON bytes only.
            self.conforms = false;
        }
        is_kept
    }

    fn begin(&mut self) {
        self.facts.clear();
        self.findings.clear();
        self.format = None;
        self.conforms = false;
        self.is_repaired = false;
        self.unknown = None;
        self.wrapped = None;
    }

    fn value(
        &mut self,
        value: &Value,
        expected: Option<FormatId>,
        start: Place,
        mut place: impl FnMut(&str) -> Place,
    ) -> bool {
        // A face that validates says what the record should be; a source only suggests.
        let is_row = expected == Some(FormatId::ProgrammingLog) && programming_log::is_row(value);
        let format = FormatId::sniff(value)
            .or(expected.filter(|_| is_row))
            .or_else(|| expected.filter(|_| self.profile == Profile::Strict));
        let Some(format) = format else {
            self.unknown = Some(format::nearest(value));
            if expected.is_some() && !value.is_object() {
                self.add(
                    Finding::new(
                        "lenient/not-object",
                        Severity::Error,
                        format!("Expected an object, found {}.", strict::shown(value)),
                    )
                    .pointer(""),
                    start,
                );
            }
            return false;
        };
        self.format = Some(format);
        let notes = shape::walk(value, format.row().shape, &mut self.facts);
        let violations = if format == FormatId::ReflectionMemory {
            strict::violations_unsorted(value)
        } else {
            Vec::new()
        };
        self.conforms = violations.is_empty() && !self.is_broken();
        let first = self.findings.len();
        if self.profile == Profile::Strict && format == FormatId::ReflectionMemory {
            self.findings.extend(violations.into_iter().map(|v| {
                Finding::new(format!("strict/{}", v.keyword), Severity::Error, v.message)
                    .pointer(v.pointer)
            }));
        } else {
            self.findings.extend(lenient::grade(format, value, &violations, &notes));
            if format == FormatId::ReflectionMemory
                && let Some(finding) = self.facts.reward.and_then(lenient::reward)
            {
                self.findings.push(finding);
            }
            if format == FormatId::ReflectionMemory {
                self.findings.extend(self.facts.audit.findings(&self.facts));
            }
        }
        for finding in &mut self.findings[first..] {
            let place = place(finding.pointer.as_deref().unwrap_or_default());
            set_place(finding, place);
        }
        self.findings.sort_by_key(|f| f.offset);
        true
    }

    /// Whether a repair was made that JSON itself does not allow.
    fn is_broken(&self) -> bool {
        self.findings.iter().any(|f| {
            (f.rule.starts_with("json/")
                && f.rule != "json/duplicate-key"
                && f.rule != "json/lone-surrogate")
                || f.rule == "text/invalid-utf8"
        })
    }

    /// Checks a record that the typed pass accepted; its tree was never built.
    fn check(&mut self, passage: &Passage<'_>) {
        if self.profile == Profile::Strict || self.format != Some(FormatId::ReflectionMemory) {
            return;
        }
        let findings = self.facts.audit.findings(&self.facts);
        if findings.is_empty() {
            return;
        }
        let mut ruler = passage.ruler();
        for mut finding in findings {
            let pointer = finding.pointer.as_deref().unwrap_or_default();
            let at = find(passage.text, pointer);
            set_place(&mut finding, ruler.place_of(at));
            self.findings.push(finding);
        }
        self.findings.sort_by_key(|f| f.offset);
    }

    /// Number or position known, and text or outcome present.
    pub(crate) fn is_usable(&self) -> bool {
        let facts = &self.facts;
        facts.number.is_some()
            && (facts.passed.is_some()
                || facts.outcome.is_some()
                || facts.reflections.iter().any(|&h| h != 0))
    }

    fn add(&mut self, mut finding: Finding, place: Place) {
        set_place(&mut finding, place);
        self.findings.push(finding);
    }

    fn lossy(&mut self, text: &str, ruler: &mut Ruler<'_>) {
        let count = text.matches(char::REPLACEMENT_CHARACTER).count();
        let at = text.find(char::REPLACEMENT_CHARACTER).unwrap_or(0);
        self.is_repaired = true;
        self.add(
            Finding::new(
                "text/invalid-utf8",
                Severity::Warning,
                format!("Bytes that are not UTF-8 were replaced by U+FFFD, {count} times; the first one here."),
            )
            .hint("Write the file as UTF-8."),
            ruler.place_of(at),
        );
    }

    fn unreadable(&mut self, ruler: &mut Ruler<'_>, content: Content, unreadable: &Unreadable) {
        let (rule, severity) = match (content, unreadable.rule) {
            (_, "json/too-deep") => ("json/too-deep", Severity::Error),
            (_, "size/record") => ("size/record", Severity::Error),
            (Content::LastLine, _) => ("jsonl/truncated-last-line", Severity::Warning),
            (Content::Line, _) => ("jsonl/bad-line", Severity::Error),
            (Content::CutValue, _) => ("json/truncated", Severity::Warning),
            (_, rule) => (rule, Severity::Error),
        };
        let hint = match content {
            Content::LastLine => {
                "The writer was probably stopped while writing; the records before it are complete."
            }
            _ => "The record was skipped; the others were kept.",
        };
        let message = format!("This cannot be read as JSON: {}.", unreadable.message);
        self.add(Finding::new(rule, severity, message).hint(hint), ruler.place_of(unreadable.at));
    }

    fn repair(&mut self, ruler: &mut Ruler<'_>, repair: &Repair) {
        let what = &repair.what;
        let (message, hint) = match repair.rule {
            "json/duplicate-key" => (
                format!("Member `{what}` stands here a second time; the last one counts."),
                "Write each member once.",
            ),
            "json/non-finite" => (
                format!("{what} is not a JSON number; the value is treated as absent."),
                "Write null, or leave the member out.",
            ),
            "json/trailing-comma" => (
                "A comma stands before the closing bracket; it is ignored.".to_owned(),
                "Remove it.",
            ),
            "json/truncated" => (
                "The text ends inside the record; what was complete is kept.".to_owned(),
                "The writer was probably stopped while writing.",
            ),
            "json/control-char" => (
                format!(
                    "A raw control character ({what}) stands in a string; it is taken literally."
                ),
                "Write it as an escape.",
            ),
            _ => (
                format!("{what} is half of a surrogate pair; it is read as U+FFFD."),
                "Write both halves.",
            ),
        };
        self.is_repaired = true;
        let finding = Finding::new(repair.rule, Severity::Warning, message).hint(hint);
        self.add(finding, ruler.place_of(repair.at));
    }
}

/// Writes a place into a finding.
pub(crate) fn set_place(finding: &mut Finding, place: Place) {
    finding.line = Some(place.line);
    finding.column = Some(place.column);
    finding.offset = Some(place.offset);
}
