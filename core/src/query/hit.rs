//! What a search finds, and how far it has come.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::excerpt::{Excerpt, Mark};
use super::texts::SearchPart;
use crate::model::id::{RecordId, RunId, SourceId};
use crate::model::reward;

/// A text in which something was found.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// The run; absent for files and records without one.
    pub run: Option<RunId>,
    /// The source that holds the text.
    pub source: SourceId,
    /// The record that holds the text; absent where columns do, and for files without a history.
    pub record: Option<RecordId>,
    /// Position of the iteration in its run, from 0.
    pub ordinal: Option<u32>,
    /// Number of the iteration as written.
    pub number: Option<i64>,
    /// What was searched; absent if the query has no words: then the iteration as such is meant.
    pub part: Option<SearchPart>,
    /// The member that holds the text, in words: `root cause`, `message`, `stdout`.
    pub name: String,
    /// Position in its list, from 0: of the action, say.
    pub index: Option<u32>,
    /// Line in a file without a history, from 1.
    pub line: Option<u32>,
    /// Places in the text that match.
    pub count: u32,
    /// The text around the first of them.
    pub excerpt: String,
    /// What of the excerpt matches, in order.
    pub marks: Vec<Mark>,
    /// There is text before the excerpt.
    pub has_before: bool,
    /// There is text behind it.
    pub has_after: bool,
}

impl Hit {
    pub(super) fn of(part: SearchPart, name: &str, count: usize, cut: Excerpt) -> Self {
        Self {
            part: Some(part),
            count: reward::count(count),
            excerpt: cut.text,
            marks: cut.marks,
            has_before: cut.has_before,
            has_after: cut.has_after,
            ..Self::nowhere(name)
        }
    }

    pub(super) fn nowhere(name: &str) -> Self {
        Self {
            run: None,
            source: SourceId(0),
            record: None,
            ordinal: None,
            number: None,
            part: None,
            name: name.to_owned(),
            index: None,
            line: None,
            count: 0,
            excerpt: String::new(),
            marks: Vec::new(),
            has_before: false,
            has_after: false,
        }
    }

    /// The excerpt in stretches, and whether each matches.
    pub fn pieces(&self) -> Vec<(&str, bool)> {
        let mut pieces = Vec::new();
        let (mut at, mut unit) = (0, 0);
        let mut cut = |to: u32, is_match: bool| {
            let start = at;
            for c in self.excerpt.get(start..).unwrap_or_default().chars() {
                if unit >= to {
                    break;
                }
                unit += if c.len_utf16() == 2 { 2 } else { 1 };
                at += c.len_utf8();
            }
            if let Some(text) = self.excerpt.get(start..at).filter(|text| !text.is_empty()) {
                pieces.push((text, is_match));
            }
        };
        for mark in &self.marks {
            cut(mark.start, false);
            cut(mark.end, true);
        }
        cut(u32::MAX, false);
        pieces
    }
}

/// A stretch of a file that a search needs next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stretch {
    /// The file.
    pub source: SourceId,
    /// Its path.
    pub path: String,
    /// First byte, from 0, in the source as stored.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
}

/// How far a search has come. Counts are exact for what has been searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchProgress {
    /// Bytes searched, or ruled out by columns.
    pub bytes: u64,
    /// Bytes of everything that is searched.
    pub total: u64,
    /// Texts in which something was found.
    pub hits: u64,
    /// Runs in which something was found.
    pub runs: u32,
    /// Records and files that could not be read again.
    pub unread: u32,
    /// There is nothing more to search.
    pub is_done: bool,
}
