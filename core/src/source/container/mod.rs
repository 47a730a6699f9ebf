//! Archives to entries: zip, tar, gzip and our own exports, without ever holding one as a whole.
//!
//! The host reads; the unpacker says which bytes. Nothing is written anywhere, so that paths of
//! entries are only names.

pub(crate) mod export;
mod gzip;
mod inflate;
mod inside;
pub(crate) mod kind;
mod labels;
mod meter;
mod stream;
mod tar;
mod window;
mod zip;

pub use labels::{ArchiveEntry, Refusal, RefusalKind, UnpackLimits, Unpacked};

use std::collections::VecDeque;

use crate::error::{Error, ErrorCode};
use export::Export;
use inside::{Flow, Inside};
use kind::Kind;
use meter::Meter;
use stream::Gzip;
use tar::Tar;
use window::{Wanted, Window};
use zip::Zip;

/// First bytes that show what a file or an entry is.
const HEAD_LEN: usize = 512;

/// A file in an archive, before it is looked at.
#[derive(Clone, Debug)]
struct Member {
    path: String,
    size: Option<u64>,
    stored_at: Option<u64>,
}

/// What a reader of an archive brings up.
#[derive(Debug)]
enum Part {
    Begin(Member),
    Bytes(Vec<u8>),
    /// The member is over; what is wrong with it.
    End(Option<Refusal>),
    /// A member that is not given.
    Refused {
        path: String,
        refusal: Refusal,
    },
    /// The archive is over; what is wrong with it as a whole.
    Over(Option<Refusal>),
}

#[derive(Debug)]
enum Reader {
    /// Its first bytes have not been seen.
    Unknown,
    Zip(Zip),
    Tar(Tar),
    Gzip(Gzip),
    Export(Export),
    /// It is no archive, and stands for itself.
    Plain {
        at: u64,
    },
    Over,
}

/// Unpacks an archive: zip, tar, gzip, a tar in gzip data, or our own export (`*.hindscope.jsonl`), whose
/// entries have the paths that the files had when they were exported.
///
/// It reads nothing by itself. Ask [`Unpacker::next`] until it says [`Unpacked::Done`], and answer
/// what it wants. Gzip data inside a zip or tar is unpacked, too; any other archive inside an archive
/// is refused. A file that is no archive comes out as one entry: itself.
///
/// Every entry begins with [`Unpacked::Entry`] and ends with [`Unpacked::End`] or
/// [`Unpacked::Refused`]. Folders, and what systems leave in them (`__MACOSX`, `.DS_Store`, `._*`,
/// `Thumbs.db`, `.gitkeep`) or what the store of a memory does (`.hindscope`), are left out.
///
/// # Example: an archive as a history
///
/// ```
/// use hindscope::{History, Profile, Unpacked, Unpacker};
/// # let line = br#"{"trial_number":1,"loop_id":"a","outcome":"failure","reflection":"Too fast."}"#;
/// # let mut archive = vec![0; 2048];
/// # archive[..9].copy_from_slice(b"loop.json");
/// # archive[124..136].copy_from_slice(format!("{:011o} ", line.len()).as_bytes());
/// # archive[148..156].copy_from_slice(b"        ");
/// # let sum: u32 = archive[..512].iter().map(|&byte| u32::from(byte)).sum();
/// # archive[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
/// # archive[512..512 + line.len()].copy_from_slice(line);
///
/// let mut history = History::new(Profile::Lenient);
/// let mut source = None;
/// let mut unpacker = Unpacker::new("runs.tar", archive.len() as u64);
/// loop {
///     match (unpacker.next(), source) {
///         // A host reads these from a file, say.
///         (Unpacked::Wants { start, end }, _) => {
///             unpacker.give(&archive[start as usize..end as usize])?;
///         }
///         (Unpacked::Entry(entry), _) => source = Some(history.open(&entry.path)),
///         (Unpacked::Data(bytes), Some(source)) => {
///             history.push(source, &bytes)?;
///         }
///         (Unpacked::End, Some(source)) => history.finish(source)?,
///         (Unpacked::Refused(refusal), Some(source)) => history.refuse(source, &refusal)?,
///         _ => break,
///     }
/// }
/// assert_eq!(history.sources()[0].path, "runs.tar/loop.json");
/// assert_eq!(history.run_count(), 1);
/// # Ok::<(), hindscope::Error>(())
/// ```
#[derive(Debug)]
pub struct Unpacker {
    path: String,
    window: Window,
    wanted: Option<Wanted>,
    meter: Meter,
    reader: Reader,
    inside: Option<Inside>,
    events: VecDeque<Unpacked>,
    /// Entries so far.
    count: u32,
    only: Option<u32>,
    is_done: bool,
}

impl Unpacker {
    /// For an archive at `path`, with its folders, of `size` bytes.
    pub fn new(path: &str, size: u64) -> Self {
        Self {
            path: path.to_owned(),
            window: Window::new(size),
            wanted: None,
            meter: Meter::new(UnpackLimits::default()),
            reader: Reader::Unknown,
            inside: None,
            events: VecDeque::new(),
            count: 0,
            only: None,
            is_done: false,
        }
    }

    /// Sets other limits. Call it before the first entry is read.
    #[must_use]
    pub fn limits(mut self, limits: UnpackLimits) -> Self {
        self.meter = Meter::new(limits);
        self
    }

    /// Gives only the entry of this number, to read it once more. Entries before it are skipped if their
    /// end is known, and otherwise unpacked without being given. Call it before the first
    /// [`Unpacker::next`].
    #[must_use]
    pub fn only(mut self, number: u32) -> Self {
        self.only = Some(number);
        self
    }

    /// Whether a file that begins with these bytes is an archive. 512 of them suffice, or all there are.
    pub fn recognises(head: &[u8]) -> bool {
        Kind::of(head).is_some()
    }

    /// What comes next.
    #[expect(clippy::should_implement_trait, reason = "it ends with a word and not with nothing")]
    pub fn next(&mut self) -> Unpacked {
        loop {
            if let Some(event) = self.events.pop_front() {
                return event;
            }
            if self.is_done {
                return Unpacked::Done;
            }
            if let Err(wanted) = self.advance() {
                self.wanted = Some(wanted);
                return Unpacked::Wants { start: wanted.start, end: wanted.end };
            }
        }
    }

    /// Hands over the bytes that it wants, all of them.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::WrongBytes`] if it wants none, or another number of them.
    pub fn give(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let wrong = |message: String| Err(Error::new(ErrorCode::WrongBytes, message));
        let Some(Wanted { start, end }) = self.wanted else {
            return wrong("No bytes were requested.".to_owned());
        };
        if bytes.len() as u64 != end - start {
            return wrong(format!(
                "{} bytes were requested, but {} were supplied.",
                end - start,
                bytes.len()
            ));
        }
        self.wanted = None;
        self.window.set(start, bytes);
        Ok(())
    }

    /// Says that the archive cannot be read any further, and why. What was given stays.
    pub fn fail(&mut self, reason: &str) {
        let refusal = Refusal::unreadable(reason);
        self.wanted = None;
        match self.inside.take() {
            Some(mut inside) => inside.conclude(Some(refusal), &mut self.events),
            None if self.is_done => {}
            None => self.report(refusal),
        }
        self.close();
    }

    /// Leaves out the rest of the entry that has begun; its end comes next.
    pub fn skip(&mut self) {
        let has_begun = self.inside.as_ref().is_some_and(Inside::has_begun);
        let is_given = |event: &Unpacked| !matches!(event, Unpacked::Data(_));
        self.events.retain(is_given);
        if has_begun {
            self.inside = None;
            self.events.push_back(Unpacked::End);
            self.leave();
        }
    }

    fn advance(&mut self) -> Result<(), Wanted> {
        if let Some(inside) = self.inside.as_mut().filter(|inside| inside.is_busy()) {
            let flow = inside.step(&mut self.meter, &mut self.events);
            self.follow(flow);
            self.check();
            return Ok(());
        }
        let part = self.part()?;
        match part {
            None => {}
            Some(Part::Begin(member)) => {
                if let Some(number) = self.count_entry() {
                    self.meter.begin();
                    self.inside = Some(Inside::new(member, number, self.may_be_packed()));
                }
            }
            Some(Part::Bytes(bytes)) => {
                if let Some(inside) = &mut self.inside {
                    let flow = inside.take(bytes, &mut self.events);
                    self.follow(flow);
                }
                self.check();
            }
            Some(Part::End(problem)) => {
                let events = &mut self.events;
                let flow = self.inside.as_mut().map(|inside| inside.end(problem, events));
                if flow == Some(Flow::Stop) {
                    self.inside = None;
                    self.ended();
                }
            }
            Some(Part::Refused { path, refusal }) => {
                if let Some(number) = self.count_entry() {
                    self.refuse(number, path, refusal);
                    self.ended();
                }
            }
            Some(Part::Over(problem)) => self.over(problem),
        }
        Ok(())
    }

    /// What the reader says; nothing while it finds out what it reads.
    fn part(&mut self) -> Result<Option<Part>, Wanted> {
        let (window, meter) = (&self.window, &mut self.meter);
        let part = match &mut self.reader {
            Reader::Unknown => {
                let head = window.get(0, HEAD_LEN)?;
                self.reader = match Kind::of(head) {
                    Some(Kind::Zip) => Reader::Zip(Zip::new(&self.path, meter)),
                    Some(Kind::Tar) => Reader::Tar(Tar::new(&self.path, true)),
                    Some(Kind::Gzip) => Reader::Gzip(Gzip::new(&self.path)),
                    Some(Kind::Export) => Reader::Export(Export::new(&self.path)),
                    None => Reader::Plain { at: 0 },
                };
                let (path, size) = (self.path.clone(), Some(window.size));
                let is_plain = matches!(self.reader, Reader::Plain { .. });
                let member = Member { path, size, stored_at: Some(0) };
                return Ok(is_plain.then_some(Part::Begin(member)));
            }
            Reader::Zip(zip) => zip.next(window, meter)?,
            Reader::Tar(tar) => tar.next(window, meter)?,
            Reader::Gzip(gzip) => gzip.next(window, meter)?,
            Reader::Export(export) => export.next(window, meter)?,
            Reader::Plain { at } => {
                let bytes = window.get(*at, 1)?.to_vec();
                *at += bytes.len() as u64;
                if bytes.is_empty() {
                    self.reader = Reader::Over;
                    Part::End(None)
                } else {
                    Part::Bytes(bytes)
                }
            }
            Reader::Over => Part::Over(None),
        };
        Ok(Some(part))
    }

    fn may_be_packed(&self) -> bool {
        match &self.reader {
            Reader::Zip(_) | Reader::Tar(_) => true,
            Reader::Gzip(gzip) => gzip.is_folder(),
            Reader::Unknown | Reader::Export(_) | Reader::Plain { .. } | Reader::Over => false,
        }
    }

    /// The number of the entry that begins, if it is to be given.
    fn count_entry(&mut self) -> Option<u32> {
        let number = self.count;
        let limit = match self.reader {
            Reader::Export(_) => self.meter.max_exported_entries(),
            _ => self.meter.max_entries(),
        };
        if number >= limit {
            self.over(Some(Refusal::too_many(number as usize, None)));
            return None;
        }
        self.count += 1;
        if self.only.is_some_and(|only| number != only) {
            self.leave();
            return None;
        }
        Some(number)
    }

    /// An entry is over; perhaps it was the only one that was asked for.
    fn ended(&mut self) {
        if self.only.is_some() {
            self.close();
        }
    }

    fn follow(&mut self, flow: Flow) {
        if flow == Flow::Stop {
            self.inside = None;
            self.leave();
            self.ended();
        }
    }

    /// Has the reader leave out the rest of the current member.
    fn leave(&mut self) {
        match &mut self.reader {
            Reader::Zip(zip) => zip.skip(),
            Reader::Tar(tar) => tar.skip(),
            Reader::Gzip(gzip) => gzip.skip(),
            Reader::Export(export) => export.skip(),
            Reader::Plain { .. } => self.reader = Reader::Over,
            Reader::Unknown | Reader::Over => {}
        }
    }

    /// Stops what grows without end.
    fn check(&mut self) {
        let Some(refusal) = self.meter.stop() else { return };
        // What is left out grows in silence, up to the limit of the whole.
        let is_given = self.inside.is_some();
        if let Some(mut inside) = self.inside.take() {
            inside.conclude(Some(refusal), &mut self.events);
            self.leave();
            self.ended();
        }
        let is_stream = matches!(self.reader, Reader::Gzip(_));
        if self.meter.is_spent() || (is_stream && is_given && self.may_be_packed()) {
            self.over(Some(Refusal::refused(
                "unpacking was stopped by a limit; the rest of the archive is not opened",
            )));
        }
    }

    fn over(&mut self, problem: Option<Refusal>) {
        if self.only.is_none() {
            if let Some(problem) = problem {
                self.report(problem);
            } else if self.count == 0 {
                self.report(Refusal::refused("it is an archive without any file"));
            }
        }
        self.close();
    }

    /// Reports something about the archive as a whole.
    fn report(&mut self, refusal: Refusal) {
        let number = self.count;
        self.count += 1;
        self.refuse(number, self.path.clone(), refusal);
    }

    fn refuse(&mut self, number: u32, path: String, refusal: Refusal) {
        let entry = ArchiveEntry { number, path, size: None, stored_at: None };
        self.events.extend([Unpacked::Entry(entry), Unpacked::Refused(refusal)]);
    }

    fn close(&mut self) {
        self.inside = None;
        self.reader = Reader::Over;
        self.is_done = true;
    }
}
