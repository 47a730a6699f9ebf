//! From stored bytes to UTF-8, and what is refused by its first bytes.

use super::container::kind::Kind;

/// How a source is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
        }
    }
}

/// What the first bytes tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// Text, after so many bytes of byte order mark.
    Text { encoding: Encoding, mark_len: usize },
    /// Not text; the reason.
    Refused(&'static str),
}

/// Bytes wanted before [`look`] is asked, unless the source is shorter.
pub(crate) const HEAD_LEN: usize = 512;

/// Magic bytes of what is refused, with the reason.
const REFUSED: [(&[u8], &str); 7] = [
    (b"\x89PNG", "it is an image"),
    (b"\xff\xd8\xff", "it is an image"),
    (b"GIF8", "it is an image"),
    (b"%PDF-", "it is a PDF document"),
    (b"\x7fELF", "it is a program"),
    (b"SQLite format 3\0", "it is an SQLite database; export its tables as JSON"),
    (b"PAR1", "it is a Parquet file; export it as JSON Lines"),
];

/// Looks at the first bytes of a source (formats.md, sections 2 and 10).
pub(crate) fn look(bytes: &[u8]) -> Head {
    // The verdict must not depend on how many bytes came at once.
    let head = bytes.get(..HEAD_LEN).unwrap_or(bytes);
    match Kind::of(head) {
        Some(Kind::Zip) => {
            return Head::Refused("it is a zip archive; an unpacker gives its entries");
        }
        Some(Kind::Tar) => {
            return Head::Refused("it is a tar archive; an unpacker gives its entries");
        }
        Some(Kind::Gzip) => {
            return Head::Refused("it is gzip data; an unpacker gives what is in it");
        }
        None => {}
    }
    for (magic, reason) in REFUSED {
        if head.starts_with(magic) {
            return Head::Refused(reason);
        }
    }
    if let [0x80, 2..=5, ..] = head {
        return Head::Refused(
            "it is a Python pickle; opening one means running code from the file, so export it as JSON instead",
        );
    }
    let text = |encoding, mark_len| Head::Text { encoding, mark_len };
    match head {
        [0xef, 0xbb, 0xbf, ..] => return text(Encoding::Utf8, 3),
        [0xff, 0xfe, ..] => return text(Encoding::Utf16Le, 2),
        [0xfe, 0xff, ..] => return text(Encoding::Utf16Be, 2),
        _ => {}
    }
    let start = head.get(..head.len().min(64)).unwrap_or_default();
    let is_nul = |odd: usize| {
        start.len() >= 4
            && start.iter().skip(odd).step_by(2).all(|&b| b == 0)
            && start.iter().skip(1 - odd).step_by(2).all(|&b| b != 0)
    };
    if is_nul(1) {
        text(Encoding::Utf16Le, 0)
    } else if is_nul(0) {
        text(Encoding::Utf16Be, 0)
    } else if memchr::memchr(0, head).is_some() {
        Head::Refused("it is a binary file")
    } else {
        text(Encoding::Utf8, 0)
    }
}

/// Decodes UTF-16 slice by slice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Utf16 {
    is_big: bool,
    odd: Option<u8>,
    high: Option<u16>,
}

impl Utf16 {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self { is_big: encoding == Encoding::Utf16Be, ..Self::default() }
    }

    /// Appends the UTF-8 of `slice` to `out`. A surrogate without partner gives U+FFFD.
    pub(crate) fn decode(&mut self, slice: &[u8], out: &mut Vec<u8>) {
        for &byte in slice {
            let Some(first) = self.odd.take() else {
                self.odd = Some(byte);
                continue;
            };
            let pair = [first, byte];
            let unit =
                if self.is_big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
            self.unit(unit, out);
        }
    }

    /// What is left at the end: half a pair gives U+FFFD. Half a unit gives nothing, since it takes
    /// no unit's space; true if there was one.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> bool {
        if self.high.take().is_some() {
            put(char::REPLACEMENT_CHARACTER, out);
        }
        self.odd.take().is_some()
    }

    fn unit(&mut self, unit: u16, out: &mut Vec<u8>) {
        if let Some(high) = self.high.take() {
            if let Some(Ok(c)) = char::decode_utf16([high, unit]).next() {
                return put(c, out);
            }
            put(char::REPLACEMENT_CHARACTER, out);
        }
        if (0xD800..0xDC00).contains(&unit) {
            self.high = Some(unit);
        } else {
            put(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER), out);
        }
    }
}

fn put(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The text of stored bytes as a whole: of a record's span, say.
pub(crate) fn decode_all(bytes: &[u8], encoding: Encoding) -> Vec<u8> {
    if encoding == Encoding::Utf8 {
        return bytes.to_vec();
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut decoder = Utf16::new(encoding);
    decoder.decode(bytes, &mut out);
    decoder.finish(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        let utf8 = Head::Text { encoding: Encoding::Utf8, mark_len: 0 };
        assert_eq!(look(b"{}"), utf8);
        assert_eq!(look(b""), utf8);
        assert_eq!(look(b"{\0}\0"), Head::Text { encoding: Encoding::Utf16Le, mark_len: 0 });
        assert_eq!(look(b"\0{\0}"), Head::Text { encoding: Encoding::Utf16Be, mark_len: 0 });
        assert_eq!(look(&[0; 100]), Head::Refused("it is a binary file"));
        assert!(matches!(look(b"\x80\x04\x95"), Head::Refused(_)));
        for archive in [&b"PK\x03\x04"[..], b"\x1f\x8b\x08"] {
            assert!(
                matches!(look(archive), Head::Refused(why) if why.contains("an unpacker gives"))
            );
        }
    }

    #[test]
    fn utf16_across_slices() {
        let text = "a😀é";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for step in 1..=bytes.len() {
            let mut decoder = Utf16::new(Encoding::Utf16Le);
            let mut out = Vec::new();
            for slice in bytes.chunks(step) {
                decoder.decode(slice, &mut out);
            }
            decoder.finish(&mut out);
            assert_eq!(out, text.as_bytes());
        }
    }
}
