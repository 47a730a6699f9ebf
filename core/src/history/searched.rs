//! What queries ask of a history beyond what everybody may.

use super::History;
use super::run::Run;
use super::source::Source;
use crate::error::Error;
use crate::model::id::{GroupId, RecordId, SourceId};
use crate::source::encoding::Encoding;

impl History {
    /// The source that holds a record.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRecord`](crate::ErrorCode::NoSuchRecord).
    pub fn source_of(&self, record: RecordId) -> Result<SourceId, Error> {
        self.row(record).map(|row| SourceId(row.source))
    }

    /// Source, first byte of a record, and the byte after its last one.
    pub(crate) fn place_of(&self, record: RecordId) -> Option<(SourceId, u64, u64)> {
        self.row(record).ok().map(|row| (SourceId(row.source), row.start, row.end))
    }

    /// How many sources there are.
    pub(crate) fn source_count(&self) -> usize {
        self.sources.len()
    }

    /// Path of a source.
    pub(crate) fn path_of(&self, source: SourceId) -> Option<String> {
        self.sources.get(source.index()).map(|source| source.path().to_owned())
    }

    pub(crate) fn encoding_of(&self, source: SourceId) -> Option<Encoding> {
        self.sources.get(source.index()).map(Source::encoding)
    }

    /// Whether texts stand in the bytes of a source as they are, but for escapes. In YAML `~` may be
    /// read as `null`.
    pub(crate) fn is_verbatim(&self, source: SourceId) -> bool {
        let source = self.sources.get(source.index());
        source.is_some_and(|source| {
            source.encoding() == Encoding::Utf8
                && !source.is_quoted()
                && !source.is_yaml()
                && !source.is_exported()
        })
    }

    /// Whether a record's texts are kept as written: texts of a Markdown file lose their marks.
    pub(crate) fn keeps_verbatim(&self, record: RecordId) -> bool {
        self.row(record).is_ok_and(|row| !row.format.is_text())
    }
}

impl<'a> Run<'a> {
    /// Group that it belongs to.
    pub(crate) fn group(&self) -> GroupId {
        self.row.group
    }

    /// Key, task and other ids.
    pub(crate) fn names(&self) -> (&'a str, Option<&'a str>, &'a [String]) {
        let task = self.row.task.map(|task| self.table.texts.text(task));
        (&self.row.key, task, &self.row.facts().aliases)
    }
}
