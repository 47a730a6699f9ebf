//! One entry on its way out: recognised by its first bytes, and unpacked once more if it is packed.

use std::collections::VecDeque;

use super::gzip::{Gunzip, inner_path};
use super::kind::Kind;
use super::meter::Meter;
use super::{ArchiveEntry, HEAD_LEN, Member, Refusal, Unpacked};

/// An entry that has begun.
#[derive(Debug)]
pub(super) struct Inside {
    member: Member,
    number: u32,
    /// First bytes, until they show what it is.
    head: Option<Vec<u8>>,
    /// Whether gzip data in it is unpacked.
    may_be_packed: bool,
    packed: Option<Packed>,
    /// The archive has no more of it; what is wrong with that.
    ending: Option<Ending>,
}

#[derive(Debug)]
struct Packed {
    gunzip: Gunzip,
    /// What is still to be unpacked.
    input: Vec<u8>,
    at: usize,
}

/// What is wrong with the end of an entry, if anything is.
type Ending = Option<Refusal>;

/// Whether an entry goes on after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// It goes on.
    Continue,
    /// Nothing more of it will be given.
    Stop,
}

type Events = VecDeque<Unpacked>;

impl Inside {
    pub(super) fn new(member: Member, number: u32, may_be_packed: bool) -> Self {
        Self { member, number, head: Some(Vec::new()), may_be_packed, packed: None, ending: None }
    }

    /// Whether it was announced.
    pub(super) fn has_begun(&self) -> bool {
        self.head.is_none()
    }

    /// Whether it has to be stepped before it takes more bytes.
    pub(super) fn is_busy(&self) -> bool {
        self.packed.as_ref().is_some_and(|p| p.at < p.input.len() || self.ending.is_some())
    }

    /// Takes the next bytes of the entry.
    pub(super) fn take(&mut self, bytes: Vec<u8>, events: &mut Events) -> Flow {
        if let Some(packed) = &mut self.packed {
            packed.input = bytes;
            packed.at = 0;
            return Flow::Continue;
        }
        self.give(bytes, events)
    }

    /// Unpacks one piece of what it has taken.
    pub(super) fn step(&mut self, meter: &mut Meter, events: &mut Events) -> Flow {
        let Some(packed) = &mut self.packed else { return Flow::Continue };
        let input = packed.input.get(packed.at..).unwrap_or_default();
        let done = packed.gunzip.step(input, self.ending.is_some());
        packed.at = packed.at.saturating_add(done.taken);
        meter.made(done.bytes.len());
        let flow = self.give(done.bytes, events);
        let Some(problem) = done.end.filter(|_| flow == Flow::Continue) else { return flow };
        // What is wrong in the archive is reported first: it may be why the packed data is incomplete.
        let outer = self.ending.take().flatten();
        self.close(outer.or(problem.map(Refusal::unreadable)), events)
    }

    /// The archive has no more of it.
    pub(super) fn end(&mut self, problem: Option<Refusal>, events: &mut Events) -> Flow {
        if self.packed.is_none() && self.recognise(events) == Flow::Stop {
            return Flow::Stop;
        }
        if self.packed.is_none() {
            self.conclude(problem, events);
            return Flow::Stop;
        }
        self.ending = Some(problem);
        Flow::Continue
    }

    /// Its last bytes are known: a short one is recognised only now.
    fn close(&mut self, problem: Option<Refusal>, events: &mut Events) -> Flow {
        if self.recognise(events) == Flow::Continue {
            self.conclude(problem, events);
        }
        Flow::Stop
    }

    /// It ends here, for a reason of its own or of the host.
    pub(super) fn conclude(&mut self, problem: Option<Refusal>, events: &mut Events) {
        if let Some(head) = self.head.take() {
            self.begin(events);
            if !head.is_empty() {
                events.push_back(Unpacked::Data(head));
            }
        }
        events.push_back(problem.map_or(Unpacked::End, Unpacked::Refused));
    }

    fn give(&mut self, bytes: Vec<u8>, events: &mut Events) -> Flow {
        match &mut self.head {
            None if bytes.is_empty() => Flow::Continue,
            None => {
                events.push_back(Unpacked::Data(bytes));
                Flow::Continue
            }
            Some(head) => {
                head.extend_from_slice(&bytes);
                if head.len() < HEAD_LEN { Flow::Continue } else { self.recognise(events) }
            }
        }
    }

    /// Decides by the first bytes what becomes of it.
    fn recognise(&mut self, events: &mut Events) -> Flow {
        let Some(head) = self.head.take() else { return Flow::Continue };
        match Kind::of(&head) {
            Some(Kind::Gzip) if self.may_be_packed && self.packed.is_none() => {
                self.packed = Some(Packed { gunzip: Gunzip::new(), input: head, at: 0 });
                self.head = Some(Vec::new());
                Flow::Continue
            }
            Some(kind) => {
                self.begin(events);
                events.push_back(Unpacked::Refused(Refusal::refused(format!(
                    "it is {} inside another archive; unpack it and open it separately",
                    kind.noun()
                ))));
                Flow::Stop
            }
            None => {
                self.begin(events);
                if !head.is_empty() {
                    events.push_back(Unpacked::Data(head));
                }
                Flow::Continue
            }
        }
    }

    fn begin(&self, events: &mut Events) {
        let Member { path, size, stored_at } = self.member.clone();
        let number = self.number;
        events.push_back(Unpacked::Entry(match &self.packed {
            Some(packed) => {
                let path = inner_path(&path, packed.gunzip.name());
                ArchiveEntry { number, path, size: None, stored_at: None }
            }
            None => ArchiveEntry { number, path, size, stored_at },
        }));
    }
}
