//! One block of 512 bytes that says what follows it.

pub(super) const BLOCK_LEN: usize = 512;

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) path: String,
    pub(super) link: String,
    /// Bytes that follow, without what fills the last block.
    pub(super) size: u64,
    /// The letter that distinguishes files, folders, links and everything else.
    pub(super) kind: u8,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Header(Header),
    /// Zeros: the archive is over.
    Zeros,
    /// Neither.
    Broken,
}

/// Whether a file that begins like this is a tar archive.
pub(in super::super) fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar") || head.get(..BLOCK_LEN).is_some_and(has_checksum)
}

/// Reads a whole block.
pub(super) fn read(block: &[u8]) -> Block {
    if block.iter().all(|&byte| byte == 0) {
        return Block::Zeros;
    }
    let field = |from: usize, to: usize| block.get(from..to).unwrap_or_default();
    let size = number(field(124, 136));
    let (Some(size), Some(&kind), true) = (size, block.get(156), has_checksum(block)) else {
        return Block::Broken;
    };
    let name = text(field(0, 100));
    // Only POSIX has a prefix; the older GNU format keeps times there.
    let prefix = if field(257, 263) == b"ustar\0" { text(field(345, 500)) } else { String::new() };
    let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
    Block::Header(Header { path, link: text(field(157, 257)), size, kind })
}

/// The sum of all bytes, those of the sum itself taken as blanks. Some old writers summed signed ones.
fn has_checksum(block: &[u8]) -> bool {
    let Some(stated) = block.get(148..156).and_then(number) else { return false };
    let bytes = || {
        block
            .iter()
            .enumerate()
            .map(|(at, &byte)| if (148..156).contains(&at) { b' ' } else { byte })
    };
    let unsigned: i64 = bytes().map(i64::from).sum();
    let signed: i64 = bytes().map(|byte| i64::from(byte.cast_signed())).sum();
    i64::try_from(stated).is_ok_and(|stated| stated == unsigned || stated == signed)
}

/// Octal digits between blanks and zeros, or, with the highest bit set, a big-endian number.
fn number(field: &[u8]) -> Option<u64> {
    let (&first, rest) = field.split_first()?;
    if first & 0x80 != 0 {
        // Negative numbers begin with 0xff.
        return rest.iter().try_fold(u64::from(first & 0x7f), |number, &byte| {
            number.checked_mul(256)?.checked_add(u64::from(byte))
        });
    }
    let digits = field.trim_ascii_start();
    let end = digits.iter().position(|&byte| byte == 0 || byte == b' ').unwrap_or(digits.len());
    let digits = digits.get(..end).filter(|digits| !digits.is_empty())?;
    digits.iter().try_fold(0u64, |number, &byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 8)?;
        number.checked_mul(8)?.checked_add(u64::from(digit))
    })
}

/// A text up to its first zero.
pub(super) fn text(field: &[u8]) -> String {
    let end = memchr::memchr(0, field).unwrap_or(field.len());
    String::from_utf8_lossy(field.get(..end).unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_both_spellings() {
        assert_eq!(number(b"0000644\0"), Some(0o644));
        assert_eq!(number(b"   17 \0\0"), Some(0o17));
        assert_eq!(number(b"77777777777\0"), Some(0o77_777_777_777));
        assert_eq!(number(&[0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]), Some(2 << 32));
        for wrong in [&b"\0\0\0"[..], b"", b"18\0", b"x", &[0xff; 12]] {
            assert_eq!(number(wrong), None, "{wrong:?}");
        }
    }
}
