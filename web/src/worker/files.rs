//! The files behind a history: records are read from them again when somebody looks at one.

use std::cell::RefCell;
use std::ops::Range;

use hindscope::{History, RecordId, SourceId, Span};

use super::block_cache::BlockCache;
use crate::browser::FileHandle;

/// The file of each source, where there is one.
#[derive(Default)]
pub(crate) struct Files {
    handles: Vec<Option<FileHandle>>,
    blocks: RefCell<BlockCache>,
}

impl Files {
    /// Puts a file behind a source, or none.
    pub(crate) fn put(&mut self, source: SourceId, handle: Option<FileHandle>) {
        let at = source.0 as usize;
        if self.handles.len() <= at {
            self.handles.resize(at + 1, None);
        }
        self.handles[at] = handle;
    }

    /// The bytes of a span, read from its file once more.
    pub(crate) fn read(&self, span: &Span) -> Result<Vec<u8>, String> {
        match self.handles.get(span.source.0 as usize) {
            Some(Some(handle)) => {
                let fetch = |part: Range<u64>| handle.read(part.start, part.end);
                self.blocks.borrow_mut().read(span, handle.size(), fetch)
            }
            Some(None) | None => Err("its file cannot be read any more".to_owned()),
        }
    }

    /// Forgets what was read, so that everything is read from its file again: an export must hold
    /// what the files hold now.
    pub(crate) fn forget_blocks(&self) {
        self.blocks.take();
    }

    /// The bytes of a span as a file of their own; nothing is read.
    pub(crate) fn part(&self, span: &Span, name: &str) -> Result<FileHandle, String> {
        self.stretch(span.source, name, span.start, span.end)
    }

    /// Bytes of a source as a file of their own.
    pub(crate) fn stretch(
        &self,
        source: SourceId,
        name: &str,
        start: u64,
        end: u64,
    ) -> Result<FileHandle, String> {
        match self.handles.get(source.0 as usize) {
            Some(Some(handle)) => handle.part(name, start, end.min(handle.size())),
            Some(None) | None => Err("its file cannot be read any more".to_owned()),
        }
    }

    /// The length of a file, as far as it can be read.
    pub(crate) fn size(&self, source: SourceId) -> u64 {
        self.handles.get(source.0 as usize).and_then(Option::as_ref).map_or(0, FileHandle::size)
    }

    /// Both ends of a file, each at most `half` bytes, and the bytes between them.
    pub(crate) fn ends(
        &self,
        source: SourceId,
        half: u64,
    ) -> Result<(Vec<u8>, Vec<u8>, u64), String> {
        let Some(Some(handle)) = self.handles.get(source.0 as usize) else {
            return Err("its file cannot be read any more".to_owned());
        };
        let size = handle.size();
        if size <= half * 2 {
            return Ok((handle.read(0, size)?, Vec::new(), 0));
        }
        Ok((handle.read(0, half)?, handle.read(size - half, size)?, size - half * 2))
    }
}

/// Records of a history, each read from its file.
#[derive(Clone, Copy)]
pub(crate) struct Records<'a> {
    pub(crate) history: &'a History,
    pub(crate) files: &'a Files,
}

impl Records<'_> {
    /// The bytes of a record and where they stand; else why they cannot be read, with the path.
    pub(crate) fn read(&self, record: RecordId) -> Result<(Span, Vec<u8>), String> {
        let span = self.history.locate(record).map_err(|error| error.to_string())?;
        match self.files.read(&span) {
            Ok(bytes) => Ok((span, bytes)),
            Err(reason) => Err(format!("{}: {reason}", span.path)),
        }
    }
}
