//! The files that are still to be read, and the one that is being read.

use hindscope::{More, SourceId, StableSort as _, Unpacker, natural};
use std::collections::VecDeque;
use std::rc::Rc;

use super::archive::{Archive, Reading};
use super::host::{self, Read, Turns};
use super::read_ahead::{Next, ReadAhead};
use super::recent_files::RecentFiles;
use super::session::Session;
use crate::browser::FileHandle;
use crate::format;
use crate::protocol::{Ended, FileItem, Limits, Progress, count, float};

/// Bytes of the first slice: a small one tells soon whether a source can be used, and gives the page its
/// first rows.
const FIRST_SLICE: u64 = 256 << 10;
const SMALL_SLICE: u64 = 1 << 20;
const SLICE: u64 = 4 << 20;
/// Up to here slices stay small: the page waits for its first rows.
const FIRST_ROWS: u64 = 16 << 20;
/// Share of memory that the wasm takes before it needs it. It is not in use yet, so the limit allows it
/// on top.
const AHEAD: f64 = 0.125;
/// Where so many records are wanted and no more, a slice is looked at in chunks of this size.
const CHUNK: usize = 4 << 10;

/// The state after one step of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There is more to read.
    More,
    /// There is more, and it is on its way.
    Later,
    /// Reading is over, at the end of all files or early.
    Done,
}

/// Files in the order in which they are read.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: VecDeque<FileItem>,
    ahead: ReadAhead,
    current: Option<Current>,
    bytes_total: u64,
    bytes_done: u64,
    files_total: u32,
    files_done: u32,
    /// The file that was read last.
    path: String,
    watch: RecentFiles,
    limits: Limits,
    /// Records that were there before.
    records_before: u32,
    unread: u32,
    /// Files that could not be read to their ends.
    broken: u32,
    ended: Option<Ended>,
}

struct Current {
    content: Content,
    handle: FileHandle,
    size: u64,
    /// Bytes that were read.
    at: u64,
}

enum Content {
    /// Its first bytes have not been seen.
    Unknown,
    Source(SourceId),
    Archive(Box<Archive>),
}

impl Queue {
    pub(crate) fn add(&mut self, mut items: Vec<FileItem>, limits: Limits, session: &mut Session) {
        if self.is_done() {
            self.records_before = session.record_count();
        }
        session.history.only(&limits.runs);
        session.history.limit_memory(limits.memory_len());
        self.limits = limits;
        for item in &mut items {
            item.position = session.next_position();
        }
        // A folder comes in the order of its disk; trial 2 is to be read before trial 10.
        items.stable_sort_by(|a, b| natural(&a.path, &b.path));
        for item in items {
            self.bytes_total += item.handle.as_ref().map_or(0, FileHandle::size);
            self.files_total += 1;
            self.waiting.push_back(item);
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.files_done == self.files_total
    }

    /// Reads one slice, or one small file.
    pub(crate) fn step(&mut self, session: &mut Session, turns: &Rc<Turns>) -> Step {
        if self.limits.records.is_none() {
            self.ahead.fill(&mut self.waiting, turns);
        }
        match self.current.take() {
            Some(current) if matches!(current.content, Content::Archive(_)) => {
                self.unpack(session, current);
            }
            Some(current) => self.read_slice(session, current),
            None => match self.ahead.next() {
                Some(Next::Later) => return Step::Later,
                Some(Next::File(item, read)) => self.take(session, item, read),
                None => match self.waiting.pop_front() {
                    Some(item) => self.begin(session, item),
                    None => self.files_done = self.files_total,
                },
            },
        }
        // The last file may be the one that did not fit.
        if (!self.is_done() || session.history.is_memory_exceeded())
            && let Some(limit) = self.limit(session)
        {
            self.end(session, limit);
        }
        if self.is_done() { Step::Done } else { Step::More }
    }

    /// The limit that was reached.
    fn limit(&self, session: &Session) -> Option<Ended> {
        if self.has_enough(session) {
            return Some(Ended::Records);
        }
        let most = self.limits.memory * (1.0 + AHEAD);
        // The history counts only what it keeps. Unpacking and reading ahead take memory as well.
        let is_full = session.history.is_memory_exceeded() || float(host::memory()) > most;
        is_full.then_some(Ended::Memory)
    }

    fn has_enough(&self, session: &Session) -> bool {
        self.limits.records.is_some_and(|most| self.records(session) >= most)
    }

    /// Records of what is being opened.
    pub(crate) fn records(&self, session: &Session) -> u32 {
        session.record_count().saturating_sub(self.records_before)
    }

    /// Hands on as much of a slice as is wanted. Returns how many bytes that was, and whether the source
    /// can use more.
    fn push(&self, session: &mut Session, source: SourceId, slice: &[u8]) -> (usize, More) {
        if self.limits.records.is_none() {
            return (slice.len(), session.push(source, slice));
        }
        let mut pushed = 0;
        for chunk in slice.chunks(CHUNK) {
            pushed += chunk.len();
            if session.push(source, chunk) == More::Enough {
                return (pushed, More::Enough);
            }
            if self.has_enough(session) {
                break;
            }
        }
        (pushed, More::Wanted)
    }

    /// A file that was read as a whole.
    fn take(&mut self, session: &mut Session, item: FileItem, read: Read) {
        session.files.open(&item);
        let size = item.handle.as_ref().map_or(0, FileHandle::size);
        self.watch.begin(&item.path, size);
        if let (Some(handle), Ok(bytes)) = (&item.handle, &read)
            && Unpacker::recognises(bytes)
        {
            return self.open_archive(&item.path, handle.clone());
        }
        self.bytes_done += size;
        self.files_done += 1;
        let source = match read {
            Ok(bytes) => session.open_whole(&item.path, item.handle, &bytes),
            Err(reason) => {
                let source = session.open(&item.path, item.handle);
                session.fail(source, &reason);
                self.broken += 1;
                source
            }
        };
        self.watch.is_source(source);
        self.watch.done();
        self.path = item.path;
    }

    fn open_archive(&mut self, path: &str, handle: FileHandle) {
        let size = handle.size();
        let content = Content::Archive(Box::new(Archive::new(path, handle.clone())));
        path.clone_into(&mut self.path);
        self.watch.is_archive(0);
        self.current = Some(Current { content, handle, size, at: 0 });
    }

    fn begin(&mut self, session: &mut Session, item: FileItem) {
        session.files.open(&item);
        self.path.clone_from(&item.path);
        self.watch.begin(&item.path, item.handle.as_ref().map_or(0, FileHandle::size));
        if let Some(handle) = item.handle {
            let size = handle.size();
            self.current = Some(Current { content: Content::Unknown, handle, size, at: 0 });
        } else {
            let source = session.open(&item.path, None);
            self.watch.is_source(source);
            let reason =
                item.problem.unwrap_or_else(|| "the browser did not hand it out".to_owned());
            session.fail(source, &reason);
            self.watch.done();
            self.files_done += 1;
        }
    }

    /// Reads the next slice of a source.
    fn read_slice(&mut self, session: &mut Session, mut current: Current) {
        let length = match current.at {
            0 => FIRST_SLICE,
            at if at < FIRST_ROWS => SMALL_SLICE,
            _ => SLICE,
        };
        let end = current.size.min(current.at + length);
        let read =
            if current.at < end { current.handle.read(current.at, end) } else { Ok(Vec::new()) };
        if let (Content::Unknown, Ok(bytes)) = (&current.content, &read)
            && Unpacker::recognises(bytes)
        {
            return self.open_archive(&self.path.clone(), current.handle);
        }
        let source = match current.content {
            Content::Source(source) => source,
            Content::Unknown | Content::Archive(_) => {
                session.open(&self.path, Some(current.handle.clone()))
            }
        };
        current.content = Content::Source(source);
        self.watch.is_source(source);
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(reason) => {
                session.fail(source, &reason);
                self.broken += 1;
                self.bytes_done += current.size - current.at;
                self.files_done += 1;
                self.watch.done();
                return;
            }
        };
        let (pushed, more) = self.push(session, source, &bytes);
        let end = current.at + pushed as u64;
        self.bytes_done += end - current.at;
        current.at = end;
        self.watch.read(end);
        if more == More::Enough {
            // The rest would change nothing: counted as done, not as missing.
            self.bytes_done += current.size - end;
        } else if end < current.size {
            self.current = Some(current);
            return;
        }
        session.finish(source);
        self.watch.done();
        self.files_done += 1;
    }

    /// Reads or unpacks one piece of an archive.
    fn unpack(&mut self, session: &mut Session, mut current: Current) {
        let Content::Archive(archive) = &mut current.content else { return };
        match archive.step(session) {
            Reading::More => self.watch.is_archive(archive.entries()),
            Reading::Read(bytes) => {
                // Some stretches are read twice, and some never.
                let bytes = bytes.min(current.size - current.at);
                current.at += bytes;
                self.bytes_done += bytes;
                self.watch.read(current.at);
            }
            Reading::Done => {
                self.watch.done();
                self.bytes_done += current.size - current.at;
                self.files_done += 1;
                return;
            }
        }
        self.current = Some(current);
    }

    /// Ends reading; what has been read stays.
    pub(crate) fn end(&mut self, session: &mut Session, ended: Ended) {
        self.ended = Some(ended);
        if let Some(current) = self.current.take() {
            let [read, all] = [current.at, current.size].map(|bytes| format::bytes(float(bytes)));
            let why = match ended {
                Ended::Cancelled => "reading was cancelled",
                Ended::Records => "reading ended with the records that were asked for",
                Ended::Memory => "reading ended because no memory was left",
            };
            let reason = format!("{why}, after {read} of {all}; what was read is kept");
            match current.content {
                Content::Unknown => self.unread += 1,
                Content::Source(source) => session.fail(source, &reason),
                Content::Archive(archive) => archive.cancel(session, &reason),
            }
        }
        self.unread += count(self.waiting.len() + self.ahead.len());
        self.waiting.clear();
        self.ahead.clear();
        self.files_done = self.files_total;
    }

    /// Bytes and files of all that is opened.
    pub(crate) fn totals(&self) -> (f64, u32) {
        (float(self.bytes_total), self.files_total)
    }

    /// Files that were not begun.
    pub(crate) fn unread(&self) -> u32 {
        self.unread
    }

    /// Files that could not be read to their ends.
    pub(crate) fn broken(&self) -> u32 {
        self.broken
    }

    /// Why reading ended before the files did.
    pub(crate) fn ended(&self) -> Option<Ended> {
        self.ended
    }

    pub(crate) fn progress(&self, session: &Session) -> Progress {
        Progress {
            bytes_read: float(self.bytes_done),
            bytes_total: float(self.bytes_total),
            files_done: self.files_done,
            files_total: self.files_total,
            records: session.record_count(),
            path: self.path.clone(),
            files: self.watch.progress(session),
        }
    }
}
