//! The files that are still to be read, and the one that is being read.

use hindscope::Order as _;
use std::collections::VecDeque;
use std::rc::Rc;

use hindscope::{More, SourceId, Unpacker};

use super::ahead::{Ahead, Next};
use super::archive::{Archive, Reading};
use super::desk::Desk;
use super::life::count;
use super::rows::natural;
use super::watch::Watch;
use crate::format;
use crate::platform::{self, FileHandle, Read, Turns};
use crate::protocol::{Ended, FileItem, Limits, Progress};

/// A source that cannot be used is known by its first slice, so that one is small.
const FIRST_SLICE: u64 = 1 << 20;
const SLICE: u64 = 4 << 20;
/// Up to here slices stay small: the page waits for its first rows.
const FIRST_ROWS: u64 = 16 << 20;
/// Where so many records are wanted and no more, a slice is looked at in pieces of this size.
const PIECE: usize = 4 << 10;

/// What one step of reading came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There is more to read.
    More,
    /// There is more, and it is on its way.
    Later,
    /// Everything has been read.
    Done,
}

/// Files in the order in which they are read.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: VecDeque<FileItem>,
    ahead: Ahead,
    current: Option<Current>,
    bytes_total: u64,
    bytes_done: u64,
    files_total: u32,
    files_done: u32,
    /// The file that was read last.
    path: String,
    watch: Watch,
    limits: Limits,
    /// Records that were there before.
    records_before: u32,
    unread: u32,
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
    pub(crate) fn add(&mut self, mut items: Vec<FileItem>, limits: Limits, desk: &mut Desk) {
        if self.is_done() {
            self.records_before = desk.record_count();
        }
        desk.history.only(&limits.runs);
        self.limits = limits;
        // A folder comes in the order of its disk; trial 2 is to be read before trial 10.
        items.order_by(|a, b| natural(&a.path, &b.path));
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
    pub(crate) fn step(&mut self, desk: &mut Desk, turns: &Rc<Turns>) -> Step {
        if self.limits.records.is_none() {
            self.ahead.fill(&mut self.waiting, turns);
        }
        if let Some(current) = self.current.take() {
            self.read(desk, current);
        } else {
            match self.ahead.next() {
                Some(Next::Later) => return Step::Later,
                Some(Next::File(item, read)) => self.take(desk, item, read),
                None => match self.waiting.pop_front() {
                    Some(item) => self.begin(desk, item),
                    None => self.files_done = self.files_total,
                },
            }
        }
        if !self.is_done()
            && let Some(limit) = self.limit(desk)
        {
            self.end(desk, limit);
        }
        if self.is_done() { Step::Done } else { Step::More }
    }

    /// The limit that was reached.
    fn limit(&self, desk: &Desk) -> Option<Ended> {
        if self.has_enough(desk) {
            return Some(Ended::Records);
        }
        (float(platform::memory()) > self.limits.memory).then_some(Ended::Memory)
    }

    fn has_enough(&self, desk: &Desk) -> bool {
        self.limits.records.is_some_and(|most| self.records(desk) >= most)
    }

    /// Records of what is being opened.
    pub(crate) fn records(&self, desk: &Desk) -> u32 {
        desk.record_count().saturating_sub(self.records_before)
    }

    /// Hands a slice on, as much of it as is wanted: how many bytes, and whether more is of use.
    fn push(&self, desk: &mut Desk, source: SourceId, slice: &[u8]) -> (usize, More) {
        if self.limits.records.is_none() {
            return (slice.len(), desk.push(source, slice));
        }
        let mut pushed = 0;
        for piece in slice.chunks(PIECE) {
            pushed += piece.len();
            if desk.push(source, piece) == More::Enough {
                return (pushed, More::Enough);
            }
            if self.has_enough(desk) {
                break;
            }
        }
        (pushed, More::Wanted)
    }

    /// A file that was read as a whole.
    fn take(&mut self, desk: &mut Desk, item: FileItem, read: Read) {
        if let (Some(handle), Ok(bytes)) = (&item.handle, &read)
            && Unpacker::recognises(bytes)
        {
            self.watch.begin(&item.path, handle.size());
            return self.open_archive(&item.path, handle.clone());
        }
        self.bytes_done += item.handle.as_ref().map_or(0, FileHandle::size);
        self.files_done += 1;
        self.watch.begin(&item.path, item.handle.as_ref().map_or(0, FileHandle::size));
        let source = desk.open(&item.path, item.handle);
        self.watch.is_source(source);
        match read {
            Ok(bytes) => {
                // Nothing more comes, whether or not it would be looked at.
                let _more = desk.push(source, &bytes);
                desk.finish(source);
            }
            Err(reason) => desk.fail(source, &reason),
        }
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

    fn begin(&mut self, desk: &mut Desk, item: FileItem) {
        self.path.clone_from(&item.path);
        self.watch.begin(&item.path, item.handle.as_ref().map_or(0, FileHandle::size));
        if let Some(handle) = item.handle {
            let size = handle.size();
            self.current = Some(Current { content: Content::Unknown, handle, size, at: 0 });
        } else {
            let source = desk.open(&item.path, None);
            self.watch.is_source(source);
            let reason =
                item.problem.unwrap_or_else(|| "the browser did not hand it out".to_owned());
            desk.fail(source, &reason);
            self.watch.done();
            self.files_done += 1;
        }
    }

    fn read(&mut self, desk: &mut Desk, current: Current) {
        match current.content {
            Content::Archive(_) => self.unpack(desk, current),
            Content::Unknown | Content::Source(_) => self.read_slice(desk, current),
        }
    }

    fn read_slice(&mut self, desk: &mut Desk, mut current: Current) {
        let length = if current.at < FIRST_ROWS { FIRST_SLICE } else { SLICE };
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
                desk.open(&self.path, Some(current.handle.clone()))
            }
        };
        current.content = Content::Source(source);
        self.watch.is_source(source);
        let (pushed, more) = match read {
            Ok(bytes) => self.push(desk, source, &bytes),
            Err(reason) => {
                desk.fail(source, &reason);
                self.bytes_done += current.size - current.at;
                self.files_done += 1;
                self.watch.done();
                return;
            }
        };
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
        desk.finish(source);
        self.watch.done();
        self.files_done += 1;
    }

    /// Reads or unpacks one piece of an archive.
    fn unpack(&mut self, desk: &mut Desk, mut current: Current) {
        let Content::Archive(archive) = &mut current.content else { return };
        match archive.step(desk) {
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
    pub(crate) fn end(&mut self, desk: &mut Desk, ended: Ended) {
        self.ended = Some(ended);
        if let Some(current) = self.current.take() {
            let (read, all) = (short(current.at), short(current.size));
            let why = match ended {
                Ended::Cancelled => "reading was cancelled",
                Ended::Records => "reading ended with the records that were asked for",
                Ended::Memory => "reading ended because no memory was left",
            };
            let reason = format!("{why}, after {read} of {all}; what was read is kept");
            match current.content {
                Content::Unknown => self.unread += 1,
                Content::Source(source) => desk.fail(source, &reason),
                Content::Archive(archive) => archive.cancel(desk, &reason),
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

    /// Why reading ended before the files did.
    pub(crate) fn ended(&self) -> Option<Ended> {
        self.ended
    }

    pub(crate) fn progress(&self, desk: &Desk) -> Progress {
        Progress {
            bytes_read: float(self.bytes_done),
            bytes_total: float(self.bytes_total),
            files_done: self.files_done,
            files_total: self.files_total,
            records: desk.record_count(),
            path: self.path.clone(),
            files: self.watch.tell(desk),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown as a share, or with two digits")]
pub(super) fn float(bytes: u64) -> f64 {
    bytes as f64
}

fn short(bytes: u64) -> String {
    format::bytes(float(bytes))
}
