//! Archives that are read from their first byte to their last.

use super::gzip::{Gunzip, Problem, inner_path};
use super::kind::Kind;
use super::meter::Meter;
use super::tar::Tar;
use super::window::{Wanted, Window};
use super::{HEAD_LEN, Member, Part, Refusal};

impl Tar {
    /// What comes next in an archive as it is stored.
    pub(super) fn next(&mut self, window: &Window, meter: &mut Meter) -> Result<Part, Wanted> {
        loop {
            let input = window.get(self.at, HEAD_LEN)?;
            let is_last = window.is_end(self.at, input.len());
            match self.step(input, is_last).part {
                Some(Part::Bytes(bytes)) => {
                    meter.used(bytes.len());
                    meter.made(bytes.len());
                    return Ok(Part::Bytes(bytes));
                }
                Some(Part::Over(None)) if self.at > window.size => {
                    return Ok(Part::Over(Some(Refusal::unreadable("it ends in the middle"))));
                }
                Some(part) => return Ok(part),
                None => {}
            }
        }
    }
}

/// Gzip data: one file, or a tar archive.
#[derive(Debug)]
pub(super) struct Gzip {
    path: String,
    gunzip: Gunzip,
    at: u64,
    /// What came out and was not given yet.
    content: Vec<u8>,
    /// It ended; with what problem.
    end: Option<Problem>,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    /// Its first bytes have not been seen.
    Unknown,
    File {
        is_skipped: bool,
    },
    Tar {
        tar: Box<Tar>,
        left_out: u64,
    },
    Over,
}

impl Gzip {
    pub(super) fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            gunzip: Gunzip::new(),
            at: 0,
            content: Vec::new(),
            end: None,
            inner: Inner::Unknown,
        }
    }

    /// Whether it holds files of its own that may be packed once more.
    pub(super) fn is_folder(&self) -> bool {
        matches!(self.inner, Inner::Tar { .. })
    }

    pub(super) fn skip(&mut self) {
        match &mut self.inner {
            Inner::File { is_skipped } => *is_skipped = true,
            Inner::Tar { tar, .. } => tar.skip(),
            Inner::Unknown | Inner::Over => {}
        }
    }

    pub(super) fn next(&mut self, window: &Window, meter: &mut Meter) -> Result<Part, Wanted> {
        loop {
            if let Some(part) = self.part() {
                return Ok(part);
            }
            self.unpack(window, meter)?;
        }
    }

    /// Unpacks one piece more.
    fn unpack(&mut self, window: &Window, meter: &mut Meter) -> Result<(), Wanted> {
        let input = window.get(self.at, 1)?;
        let done = self.gunzip.step(input, window.is_end(self.at, input.len()));
        self.at = self.at.saturating_add(done.taken as u64);
        meter.used(done.taken);
        meter.made(done.bytes.len());
        if self.content.is_empty() {
            self.content = done.bytes;
        } else {
            self.content.extend_from_slice(&done.bytes);
        }
        self.end = done.end;
        Ok(())
    }

    /// What can be said with what came out so far.
    fn part(&mut self) -> Option<Part> {
        match &mut self.inner {
            Inner::Unknown => {
                if self.content.len() < HEAD_LEN && self.end.is_none() {
                    return None;
                }
                if Kind::of(&self.content) == Some(Kind::Tar) {
                    self.inner =
                        Inner::Tar { tar: Box::new(Tar::new(&self.path, false)), left_out: 0 };
                    return self.part();
                }
                self.inner = Inner::File { is_skipped: false };
                let path = inner_path(&self.path, self.gunzip.name());
                Some(Part::Begin(Member { path, size: None, stored_at: None }))
            }
            Inner::File { is_skipped: true } => {
                self.inner = Inner::Over;
                self.part()
            }
            Inner::File { .. } if !self.content.is_empty() => {
                Some(Part::Bytes(std::mem::take(&mut self.content)))
            }
            Inner::File { .. } => {
                let problem = self.end?;
                self.inner = Inner::Over;
                Some(Part::End(problem.map(Refusal::unreadable)))
            }
            Inner::Tar { tar, left_out } => {
                let len = usize::try_from(*left_out).unwrap_or(usize::MAX).min(self.content.len());
                self.content.drain(..len);
                *left_out -= len as u64;
                if *left_out > 0 && self.end.is_none() {
                    return None;
                }
                let step = tar.step(&self.content, self.end.is_some());
                let len = usize::try_from(step.taken).unwrap_or(usize::MAX).min(self.content.len());
                self.content.drain(..len);
                *left_out = step.taken - len as u64;
                let waits = step.part.is_none() && step.taken == 0;
                match step.part {
                    Some(Part::Over(problem)) => {
                        self.inner = Inner::Over;
                        let own = self.end.flatten().map(Refusal::unreadable);
                        Some(Part::Over(problem.or(own)))
                    }
                    Some(part) => Some(part),
                    None if waits => None,
                    None => self.part(),
                }
            }
            Inner::Over => Some(Part::Over(None)),
        }
    }
}
