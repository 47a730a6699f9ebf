//! What the inspector and the list of records ask for, beside the iteration itself.

use hindscope::{Credit, ErrorRow, Link, RecordId, ReflectionRow, RunId, Span, Uptake};
use serde::{Deserialize, Serialize};

use super::{FindingRow, RawText};

/// What the rules say of one iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NotesBody {
    pub(crate) run: RunId,
    pub(crate) number: i64,
    /// Actions that something points at.
    pub(crate) credits: Vec<Credit>,
    /// Earlier reflections that the iteration names.
    pub(crate) links: Vec<Link>,
    /// Lessons written here, and who took them up.
    pub(crate) uptakes: Vec<Uptake>,
    /// Life cycles of the errors of this iteration.
    pub(crate) errors: Vec<ErrorRow>,
    /// Hints on the quality of the reflections written here.
    pub(crate) reflections: Vec<ReflectionRow>,
    /// Records that were not read because there are too many.
    pub(crate) unread: u32,
}

/// A record of a run, as the list has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordRow {
    pub(crate) span: Span,
    /// Format id of its source.
    pub(crate) format: Option<String>,
    /// Iterations that it speaks of.
    pub(crate) numbers: Vec<i64>,
    pub(crate) findings: u32,
}

/// A record as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordText {
    pub(crate) part: RawPart,
    pub(crate) findings: Vec<FindingRow>,
}

/// The text of a record with its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RawPart {
    pub(crate) span: Span,
    /// Line and column after its last character, from 1.
    pub(crate) end: Option<(u32, u32)>,
    pub(crate) text: RawText,
}

/// Whether a record is valid by its schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct VerdictBody {
    pub(crate) record: RecordId,
    /// The schema, as it is called; none where no schema describes such a record.
    pub(crate) schema: Option<String>,
    pub(crate) is_valid: bool,
    pub(crate) findings: Vec<FindingRow>,
    /// Findings that are not among them.
    pub(crate) more: u32,
}
