//! Zip archives, field by field.

use std::io::Write as _;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// What is written of an entry. Everything can be changed before it is added.
#[derive(Clone, Debug)]
pub struct ZipEntry {
    /// Its name, as bytes.
    pub name: Vec<u8>,
    /// Bytes as they stand in the archive.
    pub packed: Vec<u8>,
    /// 0 stored, 8 deflated.
    pub method: u16,
    /// Bit 0 encrypted, bit 3 sizes follow, bit 11 UTF-8.
    pub flags: u16,
    /// As stated.
    pub crc: u32,
    /// As stated.
    pub size: u64,
    /// The system that made it: 0 Windows, 3 Unix.
    pub system: u8,
    /// Mode on Unix.
    pub mode: u32,
    /// Numbers stand in 64 bits.
    pub is_wide: bool,
}

impl ZipEntry {
    /// Stored as it is.
    pub fn stored(name: &str, bytes: &[u8]) -> Self {
        let mut crc = Crc::new();
        crc.update(bytes);
        Self {
            name: name.as_bytes().to_vec(),
            packed: bytes.to_vec(),
            method: 0,
            flags: 0,
            crc: crc.sum(),
            size: bytes.len() as u64,
            system: 3,
            mode: 0o100_644,
            is_wide: false,
        }
    }

    /// Deflated.
    pub fn deflated(name: &str, bytes: &[u8]) -> Self {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("memory takes it");
        let packed = encoder.finish().expect("memory takes it");
        Self { packed, method: 8, ..Self::stored(name, bytes) }
    }

    /// Sizes and checksum stand behind the data.
    #[must_use]
    pub fn with_sizes_behind(mut self) -> Self {
        self.flags |= 8;
        self
    }
}

/// Writes a zip archive.
#[derive(Clone, Debug, Default)]
pub struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u64,
}

impl Zip {
    /// Adds an entry.
    #[must_use]
    pub fn with(mut self, entry: &ZipEntry) -> Self {
        let at = self.bytes.len() as u64;
        let packed = entry.packed.len() as u64;
        let follows = entry.flags & 8 != 0;
        let local = if follows { (0, 0, 0) } else { (entry.crc, packed, entry.size) };
        self.bytes.extend(b"PK\x03\x04\x2d\x00");
        let extra = header(&mut self.bytes, entry, local, None);
        self.bytes.extend(&entry.name);
        self.bytes.extend(extra);
        self.bytes.extend(&entry.packed);
        if follows {
            self.bytes.extend(b"PK\x07\x08");
            self.bytes.extend(entry.crc.to_le_bytes());
            self.bytes.extend(&packed.to_le_bytes()[..4]);
            self.bytes.extend(&entry.size.to_le_bytes()[..4]);
        }
        self.listing(entry, at)
    }

    /// Adds an entry to the directory only. Its header is at this offset, and other entries may share it.
    #[must_use]
    pub fn listing(mut self, entry: &ZipEntry, at: u64) -> Self {
        let sizes = (entry.crc, entry.packed.len() as u64, entry.size);
        self.directory.extend(b"PK\x01\x02\x2d");
        self.directory.extend([entry.system, 0x2d, 0]);
        let extra = header(&mut self.directory, entry, sizes, Some(at));
        self.directory.extend(&entry.name);
        self.directory.extend(extra);
        self.count += 1;
        self
    }

    /// The archive, with a comment.
    pub fn finish(self) -> Vec<u8> {
        self.close(false)
    }

    /// The archive, with the end record of large ones.
    pub fn finish_wide(self) -> Vec<u8> {
        self.close(true)
    }

    fn close(self, is_wide: bool) -> Vec<u8> {
        let Self { mut bytes, directory, count } = self;
        let (from, len) = (bytes.len() as u64, directory.len() as u64);
        bytes.extend(directory);
        let wide_at = bytes.len() as u64;
        if is_wide {
            bytes.extend(b"PK\x06\x06");
            bytes.extend(44u64.to_le_bytes());
            bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for number in [count, count, len, from] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(b"PK\x06\x07\0\0\0\0");
            bytes.extend(wide_at.to_le_bytes());
            bytes.extend([1, 0, 0, 0]);
        }
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        let short = |number: u64| if is_wide { [0xff; 4] } else { low(number) };
        bytes.extend(&short(count)[..2]);
        bytes.extend(&short(count)[..2]);
        bytes.extend(short(len));
        bytes.extend(short(from));
        bytes.extend([9, 0]);
        bytes.extend(b"a comment");
        bytes
    }
}

fn low(number: u64) -> [u8; 4] {
    u32::try_from(number).expect("archives of tests are small").to_le_bytes()
}

/// Everything from the flags to the name; gives the extra field.
fn header(
    out: &mut Vec<u8>,
    entry: &ZipEntry,
    (crc, packed, size): (u32, u64, u64),
    at: Option<u64>,
) -> Vec<u8> {
    let mut extra = Vec::new();
    if entry.is_wide {
        let numbers: Vec<u64> = [Some(size), Some(packed), at].into_iter().flatten().collect();
        extra.extend([1, 0, u8::try_from(numbers.len() * 8).expect("24 at most"), 0]);
        extra.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let short = |number: u64| if entry.is_wide { [0xff; 4] } else { low(number) };
    let len = |len: usize| u16::try_from(len).expect("names are short").to_le_bytes();
    out.extend(entry.flags.to_le_bytes());
    out.extend(entry.method.to_le_bytes());
    out.extend([0, 0, 0x21, 0]);
    out.extend(crc.to_le_bytes());
    out.extend(short(packed));
    out.extend(short(size));
    out.extend(len(entry.name.len()));
    out.extend(len(extra.len()));
    if let Some(at) = at {
        out.extend([0; 6]);
        out.extend((entry.mode << 16).to_le_bytes());
        out.extend(short(at));
    }
    extra
}
