//! What a directory or a header says of an entry, and why it cannot be read.

use super::field;
use crate::source::container::Refusal;

pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;

/// Bit of `flags`: sizes and checksum stand behind the data.
pub(super) const SIZES_FOLLOW: u16 = 1 << 3;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    /// Its name, folders included.
    pub(super) path: String,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    /// Bytes in the archive, and bytes when unpacked.
    pub(super) packed: u64,
    pub(super) size: u64,
    /// Where its local header stands.
    pub(super) at: u64,
    /// Where the next entry begins: the bytes of this one have to end before.
    pub(super) end: u64,
    is_link: bool,
}

/// What a header of an entry is followed by, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub(super) name: usize,
    pub(super) extra: usize,
    pub(super) comment: usize,
}

/// Length of a header in the directory, before its name.
pub(super) const CENTRAL_LEN: usize = 46;
/// Length of a header before an entry's data, before its name.
pub(super) const LOCAL_LEN: usize = 30;

/// The lengths in a header of the directory; nothing if it is none.
pub(super) fn central_lengths(bytes: &[u8]) -> Option<Lengths> {
    let len = |at| field::u16_at(bytes, at).map(usize::from);
    let is_header = bytes.starts_with(b"PK\x01\x02");
    is_header.then_some(Lengths { name: len(28)?, extra: len(30)?, comment: len(32)? })
}

/// The lengths in a header before an entry's data; nothing if it is none.
pub(super) fn local_lengths(bytes: &[u8]) -> Option<Lengths> {
    let len = |at| field::u16_at(bytes, at).map(usize::from);
    let is_header = bytes.starts_with(b"PK\x03\x04");
    is_header.then_some(Lengths { name: len(26)?, extra: len(28)?, comment: 0 })
}

impl Listed {
    /// Reads a whole header of the directory.
    pub(super) fn central(bytes: &[u8], lengths: Lengths) -> Option<Self> {
        let mut listed = Self {
            flags: field::u16_at(bytes, 8)?,
            method: field::u16_at(bytes, 10)?,
            crc: field::u32_at(bytes, 16)?,
            packed: u64::from(field::u32_at(bytes, 20)?),
            size: u64::from(field::u32_at(bytes, 24)?),
            at: u64::from(field::u32_at(bytes, 42)?),
            end: u64::MAX,
            ..Self::default()
        };
        let system = *bytes.get(5)?;
        // Unix keeps a file's mode in the upper half of the attributes.
        let mode = field::u32_at(bytes, 38)? >> 16;
        listed.is_link = matches!(system, 3 | 19) && mode & 0o170_000 == 0o120_000;
        let (name, rest) = bytes.get(CENTRAL_LEN..)?.split_at_checked(lengths.name)?;
        listed.path = field::name(name, matches!(system, 0 | 10 | 11 | 14));
        let extra = rest.get(..lengths.extra)?;
        field::widen(extra, &mut [&mut listed.size, &mut listed.packed, &mut listed.at]);
        Some(listed)
    }

    /// Reads a whole header before an entry's data.
    pub(super) fn local(bytes: &[u8], lengths: Lengths, at: u64) -> Option<Self> {
        let mut listed = Self {
            flags: field::u16_at(bytes, 6)?,
            method: field::u16_at(bytes, 8)?,
            crc: field::u32_at(bytes, 14)?,
            packed: u64::from(field::u32_at(bytes, 18)?),
            size: u64::from(field::u32_at(bytes, 22)?),
            at,
            end: u64::MAX,
            ..Self::default()
        };
        let (name, rest) = bytes.get(LOCAL_LEN..)?.split_at_checked(lengths.name)?;
        listed.path = field::name(name, false);
        let extra = rest.get(..lengths.extra)?;
        field::widen(extra, &mut [&mut listed.size, &mut listed.packed]);
        Some(listed)
    }

    /// Whether its data, from `data_at` on, reaches into the bytes of another entry.
    pub(super) fn is_overlapping(&self, data_at: u64) -> bool {
        data_at.saturating_add(self.packed) > self.end
    }

    pub(super) fn is_folder(&self) -> bool {
        self.path.ends_with('/')
    }

    /// Why it is not unpacked.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        let reason = if self.flags & 1 != 0 {
            "it is encrypted; unpack it with its password, and open the folder".to_owned()
        } else if self.is_link {
            "it is a symbolic link, which is not followed".to_owned()
        } else if matches!(self.method, STORED | DEFLATED) {
            return None;
        } else {
            let method = match self.method {
                9 => "Deflate64",
                12 => "bzip2",
                14 => "LZMA",
                93 => "Zstandard",
                95 => "XZ",
                98 => "PPMd",
                _ => "an unknown method",
            };
            format!(
                "it is compressed with {method} (method {}), but only stored and deflated entries can be read; unpack it and open the folder",
                self.method
            )
        };
        Some(Refusal::refused(reason))
    }
}
