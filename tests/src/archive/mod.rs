//! Archives: built by hand, so that each of their numbers can lie, and unpacked as a host does it.

mod tar;
mod zip;

pub use tar::{Tar, pax};
pub use zip::{Zip, ZipEntry};

use std::io::Write as _;

use flate2::{Compression, GzBuilder};
use hindscope::{
    ArchiveEntry, History, Profile, Refusal, RefusalKind, SourceId, UnpackLimits, Unpacked,
    Unpacker,
};

use crate::Input;

/// One member of gzip data.
pub fn gzip(bytes: &[u8], name: Option<&str>) -> Vec<u8> {
    let mut builder = GzBuilder::new();
    if let Some(name) = name {
        builder = builder.filename(name);
    }
    let mut writer = builder.write(Vec::new(), Compression::default());
    writer.write_all(bytes).expect("memory takes it");
    writer.finish().expect("memory takes it")
}

/// An entry as it came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// What was announced.
    pub entry: ArchiveEntry,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Why there is no more of it.
    pub refusal: Option<Refusal>,
}

impl Given {
    /// The kind of its refusal.
    pub fn refused(&self) -> Option<RefusalKind> {
        self.refusal.as_ref().map(|refusal| refusal.kind)
    }

    /// Why it was refused.
    pub fn reason(&self) -> &str {
        self.refusal.as_ref().map_or("", |refusal| &refusal.reason)
    }
}

/// Unpacks an archive that lies in memory.
pub fn unpack(path: &str, bytes: &[u8]) -> Vec<Given> {
    unpack_with(Unpacker::new(path, bytes.len() as u64), bytes)
}

/// The same with limits.
pub fn unpack_within(path: &str, bytes: &[u8], limits: UnpackLimits) -> Vec<Given> {
    unpack_with(Unpacker::new(path, bytes.len() as u64).limits(limits), bytes)
}

/// Runs an unpacker to its end, and holds it against what it promises.
pub fn unpack_with(mut unpacker: Unpacker, archive: &[u8]) -> Vec<Given> {
    let mut all: Vec<Given> = Vec::new();
    let mut is_open = false;
    loop {
        match unpacker.next() {
            Unpacked::Wants { start, end } => {
                assert!(start < end, "it wants nothing");
                unpacker.give(piece(archive, start, end)).expect("these are the bytes");
            }
            Unpacked::Entry(entry) => {
                assert!(!is_open, "an entry inside an entry");
                is_open = true;
                all.push(Given { entry, bytes: Vec::new(), refusal: None });
            }
            Unpacked::Data(bytes) => {
                assert!(is_open && !bytes.is_empty(), "bytes of nothing, or none");
                assert!(bytes.len() <= 1 << 20, "{} bytes at once", bytes.len());
                all.last_mut().expect("it is open").bytes.extend(bytes);
            }
            Unpacked::End => {
                assert!(is_open, "an end of nothing");
                is_open = false;
            }
            Unpacked::Refused(refusal) => {
                assert!(is_open, "a refusal of nothing");
                is_open = false;
                all.last_mut().expect("it is open").refusal = Some(refusal);
            }
            Unpacked::Done => break,
        }
    }
    assert!(!is_open, "an entry without an end");
    assert_eq!(unpacker.next(), Unpacked::Done, "it stays done");
    all
}

fn piece(archive: &[u8], start: u64, end: u64) -> &[u8] {
    let at = |offset: u64| usize::try_from(offset).expect("archives of tests are small");
    &archive[at(start)..at(end)]
}

/// Opens an archive as a history.
pub fn open_archive(path: &str, archive: &[u8]) -> (History, Vec<Given>) {
    let given = unpack(path, archive);
    let mut history = History::new(Profile::Lenient);
    for Given { entry, bytes, refusal } in &given {
        let source: SourceId = history.open(&entry.path);
        if !bytes.is_empty() {
            history.push(source, bytes).expect("the source is open");
        }
        match refusal {
            Some(refusal) => history.refuse(source, refusal),
            None => history.finish(source),
        }
        .expect("the source is open");
    }
    (history, given)
}

/// The entries of an archive as files; nothing that was refused.
pub fn files(path: &str, archive: &[u8]) -> Vec<Input> {
    let given = unpack(path, archive);
    given.into_iter().map(|Given { entry, bytes, .. }| Input { name: entry.path, bytes }).collect()
}
