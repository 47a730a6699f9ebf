//! The files behind a history: records are read from them again when somebody looks at one.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use hindscope::{History, RecordId, SourceId, Span};

use super::block_cache::BlockCache;
use crate::browser::FileHandle;
use crate::protocol::FileItem;

/// The file of each source, where there is one.
#[derive(Default)]
pub(crate) struct Files {
    handles: Vec<Option<FileHandle>>,
    /// What was opened for each source, and what is opened now.
    origins: Vec<Rc<(u32, String)>>,
    opening: Rc<(u32, String)>,
    blocks: RefCell<BlockCache>,
}

impl Files {
    /// Everything that is put from now on comes from this file.
    pub(crate) fn open(&mut self, item: &FileItem) {
        self.opening = Rc::new((item.position, item.path.clone()));
    }

    /// Position and path of the file that was opened for a source.
    pub(crate) fn origin(&self, source: SourceId) -> Option<(u32, String)> {
        self.origins.get(source.0 as usize).map(|origin| (**origin).clone())
    }

    /// Puts a file behind a source, or none.
    pub(crate) fn put(&mut self, source: SourceId, handle: Option<FileHandle>) {
        let at = source.0 as usize;
        if self.handles.len() <= at {
            self.handles.resize(at + 1, None);
            self.origins.resize(at + 1, Rc::clone(&self.opening));
        }
        self.handles[at] = handle;
    }

    fn handle(&self, source: SourceId) -> Result<&FileHandle, String> {
        let handle = self.handles.get(source.0 as usize).and_then(Option::as_ref);
        handle.ok_or_else(|| "the file can no longer be read; open it again".to_owned())
    }

    /// The bytes of a span, read from its file once more.
    pub(crate) fn read(&self, span: &Span) -> Result<Vec<u8>, String> {
        let handle = self.handle(span.source)?;
        let fetch = |part: Range<u64>| handle.read(part.start, part.end);
        self.blocks.borrow_mut().read(span, handle.size(), fetch)
    }

    /// Forgets what was read, so that everything is read from its file again: an export must hold
    /// what the files hold now.
    pub(crate) fn forget_blocks(&self) {
        self.blocks.take();
    }

    /// Bytes of a source as a file of their own; nothing is read.
    pub(crate) fn stretch(
        &self,
        source: SourceId,
        name: &str,
        start: u64,
        end: u64,
    ) -> Result<FileHandle, String> {
        let handle = self.handle(source)?;
        handle.part(name, start, end.min(handle.size()))
    }

    /// The length of a file, as far as it can be read.
    pub(crate) fn size(&self, source: SourceId) -> u64 {
        self.handle(source).map_or(0, FileHandle::size)
    }

    /// Both ends of a file, each at most `half` bytes, and the bytes between them.
    pub(crate) fn ends(
        &self,
        source: SourceId,
        half: u64,
    ) -> Result<(Vec<u8>, Vec<u8>, u64), String> {
        let handle = self.handle(source)?;
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
