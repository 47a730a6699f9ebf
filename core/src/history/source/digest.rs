//! What distinguishes the bytes of a source from those of another: their number and their digest.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::Source;
use crate::history::grouping::Identity;

/// The digest of a source, from its first byte to its last one.
pub(super) enum Digest {
    /// Nothing was read yet.
    Begun,
    /// Half a kilobyte, and only while it is read.
    Open(Box<Xxh3>),
    Done(u64),
    /// The end was not reached: what was read says nothing of the whole.
    Unknown,
}

impl Digest {
    pub(super) const fn new() -> Self {
        Self::Begun
    }

    /// That of bytes that are all there.
    pub(super) fn of(whole: &[u8]) -> Self {
        Self::Done(xxh3_64(whole))
    }

    pub(super) fn push(&mut self, slice: &[u8]) {
        if matches!(self, Self::Begun) {
            *self = Self::Open(Box::default());
        }
        if let Self::Open(state) = self {
            state.update(slice);
        }
    }

    /// Nothing more will come; `is_whole` says whether all of it came.
    pub(super) fn finish(&mut self, is_whole: bool) {
        *self = match self {
            Self::Begun if is_whole => Self::of(&[]),
            Self::Open(state) if is_whole => Self::Done(state.digest()),
            Self::Done(digest) if is_whole => Self::Done(*digest),
            _ => Self::Unknown,
        };
    }

    const fn value(&self) -> Option<u64> {
        match self {
            Self::Done(digest) => Some(*digest),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Digest").field(&self.value()).finish()
    }
}

impl Source {
    /// The digest of its bytes; of records out of an export, that of the file that they stood in.
    pub(crate) fn digest(&self) -> Option<String> {
        let text = |digest: u64| format!("{digest:016x}");
        self.stated_digest().or_else(|| self.digest.value()).map(text)
    }

    fn stated_digest(&self) -> Option<u64> {
        let stated = self.tally.exported.as_ref()?.source.as_deref()?;
        u64::from_str_radix(stated, 16).ok()
    }

    /// What it holds, once it was read to its end and gave records. An export that has only some records
    /// of a file is no copy of another one: only equal lines make equal sources then.
    pub(crate) fn identity(&self) -> Option<Identity> {
        let is_whole = self.tally.exported.as_ref().is_some_and(|e| e.has_all(self.kept()));
        let stated = self.stated_digest().filter(|_| is_whole);
        Some(Identity {
            digest: stated.or_else(|| self.digest.value())?,
            format: self.tally.format().filter(|_| self.tally.got.kept > 0)?,
            kept: self.tally.got.kept,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::history::History;
    use crate::validate::Profile;

    fn digest(slices: &[&[u8]]) -> Option<String> {
        let mut history = History::new(Profile::Lenient);
        let source = history.open("log.jsonl");
        for slice in slices {
            history.push(source, slice).expect("it is open");
        }
        assert_eq!(history.source(source).expect("it is known").digest, None, "while it is read");
        history.finish(source).expect("it is open");
        history.source(source).expect("it is known").digest
    }

    /// The values are those of the specification, for seed 0.
    #[test]
    fn it_is_xxh3_of_the_bytes_as_given() {
        assert_eq!(digest(&[]).as_deref(), Some("2d06800538d394c2"));
        assert_eq!(digest(&[b"a"]).as_deref(), Some("e6c632b61e964e1f"));
        assert_eq!(digest(&[b"abc"]).as_deref(), Some("78af5f94892f3950"));
        // A byte order mark is no text, and one of the bytes.
        assert_ne!(digest(&[b"\xEF\xBB\xBFabc"]), digest(&[b"abc"]));
    }

    #[test]
    fn slices_change_nothing() {
        let text =
            br#"{"trial_number":1,"outcome":"failure","reflection":"Too fast."} "#.repeat(40);
        let whole = digest(&[&text]);
        assert!(whole.is_some());
        for len in [1, 3, 63, 64, 240, 241, 1024, 1025] {
            let slices: Vec<&[u8]> = text.chunks(len).collect();
            assert_eq!(digest(&slices), whole, "slices of {len}");
        }
    }

    #[test]
    fn what_has_no_end_has_no_digest() {
        let mut history = History::new(Profile::Lenient);
        let failed = history.open("failed.jsonl");
        history
            .push(failed, b"{\"trial_number\":1,\"outcome\":\"failure\",\"reflection\":\"a\"}\n")
            .expect("open");
        history.fail(failed, "the disk is gone").expect("open");
        let refused = history.open("image.png");
        history.push(refused, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").expect("open");
        history.finish(refused).expect("open");
        let views = history.sources();
        assert_eq!(views.iter().map(|v| v.digest.as_deref()).collect::<Vec<_>>(), [None, None]);
    }
}
