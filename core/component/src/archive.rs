//! The interface `archive`.

use std::cell::RefCell;

use crate::Component;
use crate::cross::{Cross, Over, given, labels, options, or_default, rows};
use crate::misuse;
use crate::wit::archive::{
    ArchiveEntry, Guest, GuestUnpacker, Refusal, RefusalKind, Stretch, UnpackLimits, Unpacked,
};
use crate::wit::types::Error;

labels!(hindscope::RefusalKind => RefusalKind { Refused, Unreadable, Bomb });
labels!(RefusalKind => hindscope::RefusalKind { Refused, Unreadable, Bomb });
rows! {
    ArchiveEntry { number, path, size, stored_at }
    Refusal { kind, reason }
}
given! { Refusal { kind, reason } }
options! { UnpackLimits { total, ratio, ratio_after, entries } }

impl Guest for Component {
    type Unpacker = Unpacker;

    fn recognises(head: Vec<u8>) -> bool {
        hindscope::Unpacker::recognises(&head)
    }
}

/// One archive, in a cell: resources are called by shared reference.
pub(crate) struct Unpacker(RefCell<hindscope::Unpacker>);

impl GuestUnpacker for Unpacker {
    fn new(path: String, size: u64, limits: Option<UnpackLimits>, only: Option<u32>) -> Self {
        let unpacker = hindscope::Unpacker::new(&path, size).limits(or_default(limits));
        Self(RefCell::new(match only {
            Some(number) => unpacker.only(number),
            None => unpacker,
        }))
    }

    fn next(&self) -> Unpacked {
        match self.0.borrow_mut().next() {
            hindscope::Unpacked::Wants { start, end } => Unpacked::Wants(Stretch { start, end }),
            hindscope::Unpacked::Entry(entry) => Unpacked::Entry(entry.cross()),
            hindscope::Unpacked::Data(bytes) => Unpacked::Data(bytes),
            hindscope::Unpacked::End => Unpacked::End,
            hindscope::Unpacked::Refused(refusal) => Unpacked::Refused(refusal.cross()),
            hindscope::Unpacked::Done => Unpacked::Done,
        }
    }

    fn give(&self, bytes: Vec<u8>) -> Result<(), Error> {
        self.0.borrow_mut().give(&bytes).map_err(misuse::plain())
    }

    fn fail(&self, reason: String) {
        self.0.borrow_mut().fail(&reason);
    }

    fn skip(&self) {
        self.0.borrow_mut().skip();
    }
}
