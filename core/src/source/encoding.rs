//! From stored bytes to UTF-8, and what is refused by its first bytes.

use super::container::export;
use super::container::kind::Kind;
pub(crate) use crate::model::view::Encoding;

/// What the first bytes show.
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
const REFUSED: [(&[u8], &str); 30] = [
    (b"BZh", "it is bzip2 data; unpack it and open what is inside"),
    (b"\xfd7zXZ\0", "it is xz data; unpack it and open what is inside"),
    (b"\x28\xb5\x2f\xfd", "it is zstd data; unpack it and open what is inside"),
    (b"\x04\x22\x4d\x18", "it is lz4 data; unpack it and open what is inside"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive; unpack it and open its folder"),
    (b"Rar!\x1a\x07", "it is a rar archive; unpack it and open its folder"),
    (b"\x5d\0\0", "it is lzma data, as joblib writes it; export it as JSON instead"),
    (b"x\x01", JOBLIB),
    (b"x\x5e", JOBLIB),
    (b"x\x9c", JOBLIB),
    (b"x\xda", JOBLIB),
    (b"ZF0x", JOBLIB),
    (b"\x89PNG", "it is an image"),
    (b"\xff\xd8\xff", "it is an image"),
    (b"GIF8", "it is an image"),
    (b"II*\0", "it is an image"),
    (b"MM\0*", "it is an image"),
    (b"%PDF-", "it is a PDF document"),
    (b"\x7fELF", PROGRAM),
    (b"\0asm", PROGRAM),
    (b"\xca\xfe\xba\xbe", PROGRAM),
    (b"\xcf\xfa\xed\xfe", PROGRAM),
    (b"\xce\xfa\xed\xfe", PROGRAM),
    (b"SQLite format 3\0", "it is an SQLite database; export its tables as JSON"),
    (b"PAR1", "it is a Parquet file; export it as JSON Lines"),
    (b"ARROW1\0\0", "it is an Arrow file; export it as JSON Lines"),
    (b"\x89HDF\r\n\x1a\n", "it is an HDF5 file: numbers or model weights, not a history"),
    (b"\x93NUMPY", "it is a NumPy array: numbers, not a history"),
    (b"GGUF", "it contains the weights of a model, not a history"),
    (b"ggml", "it contains the weights of a model, not a history"),
];

const JOBLIB: &str = "it is compressed with zlib, as joblib does with pickles; opening one means running code from the file, so export it as JSON instead";
const BUNDLE: &str = "it is a bundle of the first build of hindscope, which is no longer read; open the files that it was made of, and export them again";
const PROGRAM: &str = "it is a program";
const PICKLE: &str = "it is a Python pickle; opening one means running code from the file, so export it as JSON instead";

/// Looks at the first bytes of a source (docs/spec/formats.md, "What is tolerated in text").
pub(crate) fn look(bytes: &[u8]) -> Head {
    // The verdict must not depend on how many bytes came at once.
    let head = bytes.get(..HEAD_LEN).unwrap_or(bytes);
    if let Some(kind) = Kind::of(head) {
        return Head::Refused(match kind {
            Kind::Zip => "it is a zip archive; unpack it first",
            Kind::Tar => "it is a tar archive; unpack it first",
            Kind::Gzip => "it is gzip data; unpack it first",
            Kind::Export => "it is an export of hindscope; unpack it first",
        });
    }
    if export::is_bundle(head) {
        return Head::Refused(BUNDLE);
    }
    for (magic, reason) in REFUSED {
        if head.starts_with(magic) && !is_text_after_all(head, magic) {
            return Head::Refused(reason);
        }
    }
    if is_pickle(head) {
        return Head::Refused(PICKLE);
    }
    if is_deflated(head) {
        return Head::Refused(
            "it is zlib data, as joblib compresses Python pickles; export it as JSON instead",
        );
    }
    let text = |encoding, mark_len| Head::Text { encoding, mark_len };
    match head {
        [0xef, 0xbb, 0xbf, ..] => return text(Encoding::Utf8, 3),
        [0xff, 0xfe, ..] => return text(Encoding::Utf16le, 2),
        [0xfe, 0xff, ..] => return text(Encoding::Utf16be, 2),
        _ => {}
    }
    let start = head.get(..head.len().min(64)).unwrap_or_default();
    let is_nul = |odd: usize| {
        start.len() >= 4
            && start.iter().skip(odd).step_by(2).all(|&b| b == 0)
            && start.iter().skip(1 - odd).step_by(2).all(|&b| b != 0)
    };
    if is_nul(1) {
        return text(Encoding::Utf16le, 0);
    }
    if is_nul(0) {
        return text(Encoding::Utf16be, 0);
    }
    if head.starts_with(b"MZ") && head.contains(&0) {
        return Head::Refused(PROGRAM);
    }
    if is_binary(head) {
        return Head::Refused("it is a binary file");
    }
    text(Encoding::Utf8, 0)
}

/// Printable magic bytes other than `%PDF` may also begin a line of prose: the head is text if it has
/// no unexpected bytes.
fn is_text_after_all(head: &[u8], magic: &[u8]) -> bool {
    magic.iter().all(u8::is_ascii_graphic)
        && !magic.starts_with(b"%PDF")
        && !unexpected_bytes(head).any(|_| true)
}

/// A NUL alone does not make a file binary: one record may hold it, and the others can be read. A file
/// that is not text has more unexpected bytes at its start.
fn is_binary(head: &[u8]) -> bool {
    const MOST: usize = 3;
    head.contains(&0) && unexpected_bytes(head).count() > MOST.max(head.len() / 20)
}

/// Offsets of control characters that texts do not have, and of bytes that are no UTF-8.
fn unexpected_bytes(head: &[u8]) -> impl Iterator<Item = usize> {
    let is_control = |b: u8| (b < 0x20 && !matches!(b, b'\t'..=b'\r' | 0x1b)) || b == 0x7f;
    let mut at = 0;
    head.utf8_chunks().flat_map(move |chunk| {
        let valid = chunk.valid().as_bytes();
        let start = at;
        at += valid.len() + chunk.invalid().len();
        // The head may end inside of a character.
        let is_broken = !chunk.invalid().is_empty() && at < HEAD_LEN;
        let broken = is_broken.then_some(start + valid.len());
        let controls = valid.iter().enumerate().filter(move |(_, b)| is_control(**b));
        controls.map(move |(i, _)| start + i).chain(broken)
    })
}

/// Whether a pickle begins here. Protocols 2 to 5 are known by their first two bytes, a collection of
/// protocol 1 by its first three, and protocol 0, which looks like text, by its first instructions.
fn is_pickle(head: &[u8]) -> bool {
    if let [0x80, 2..=5, ..] | [b'}' | b']' | b')', b'q', 0, ..] = head {
        return true;
    }
    // `(dp0`: a dictionary, list or tuple that is remembered as number 0.
    if let [b'(', b'd' | b'l' | b't', b'p', rest @ ..] = head {
        let len = memchr::memchr(b'\n', rest).unwrap_or(0);
        return is_digits(rest.get(..len).unwrap_or_default());
    }
    // `cmodule`, `Class`, `p0`: a class that is remembered.
    let [b'c', rest @ ..] = head else { return false };
    let mut lines = rest.split(|b| *b == b'\n');
    let is_name = |line: Option<&[u8]>| {
        line.is_some_and(|l| {
            !l.is_empty() && l.iter().all(|b| b.is_ascii_alphanumeric() || b"_.".contains(b))
        })
    };
    is_name(lines.next())
        && is_name(lines.next())
        && lines.next().is_some_and(|line| matches!(line, [b'p', rest @ ..] if is_digits(rest)))
}

fn is_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// Whether a zlib stream begins here. At the levels that joblib uses by itself its first two bytes
/// are `x^`, so what follows has to be no text; the other levels are in [`REFUSED`].
fn is_deflated(head: &[u8]) -> bool {
    let Some(rest) = head.strip_prefix(b"x^") else { return false };
    let is_control = |b: &u8| b.is_ascii_control() && !b.is_ascii_whitespace();
    let broken = |error: std::str::Utf8Error| error.error_len().is_some();
    rest.iter().any(is_control) || std::str::from_utf8(rest).is_err_and(broken)
}

/// Decodes UTF-16 slice by slice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Utf16 {
    is_big: bool,
    /// Bytes that wait for more: half a pair, half a unit.
    kept: Vec<u8>,
}

impl Utf16 {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self { is_big: encoding == Encoding::Utf16be, ..Self::default() }
    }

    /// Appends the UTF-8 of `slice` to `out`. A surrogate without partner gives U+FFFD.
    pub(crate) fn decode(&mut self, slice: &[u8], out: &mut Vec<u8>) {
        let joined;
        let bytes = if self.kept.is_empty() {
            slice
        } else {
            self.kept.extend_from_slice(slice);
            joined = std::mem::take(&mut self.kept);
            &joined[..]
        };
        let of = if self.is_big { u16::from_be_bytes } else { u16::from_le_bytes };
        let units = bytes.as_chunks::<2>().0.iter().map(|unit| of(*unit));
        let is_high = |unit: u16| (0xD800..0xDC00).contains(&unit);
        let count = units.len() - usize::from(units.clone().next_back().is_some_and(is_high));
        for c in char::decode_utf16(units.take(count)) {
            put(c.unwrap_or(char::REPLACEMENT_CHARACTER), out);
        }
        self.kept.extend_from_slice(&bytes[2 * count..]);
    }

    /// What is left at the end: half a pair gives U+FFFD. Half a unit gives nothing, since it takes
    /// no unit's space; true if there was one.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> bool {
        let kept = std::mem::take(&mut self.kept);
        if kept.len() > 1 {
            put(char::REPLACEMENT_CHARACTER, out);
        }
        !kept.len().is_multiple_of(2)
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
        assert_eq!(look(b"{\0}\0"), Head::Text { encoding: Encoding::Utf16le, mark_len: 0 });
        assert_eq!(look(b"\0{\0}"), Head::Text { encoding: Encoding::Utf16be, mark_len: 0 });
        assert_eq!(look(&[0; 100]), Head::Refused("it is a binary file"));
        for pickle in [&b"\x80\x04\x95"[..], b"x\x9c\xec]", b"x\x01\xed", b"x^\xec\xbd\x07x"] {
            assert!(matches!(look(pickle), Head::Refused(reason) if reason.contains("ickle")));
        }
        assert_eq!(look("x^2 + y² = 1".as_bytes()), utf8);
    }

    #[test]
    fn a_nul_does_not_make_a_file_binary() {
        let utf8 = Head::Text { encoding: Encoding::Utf8, mark_len: 0 };
        assert_eq!(look(b"{\"a\":\"x\0y\"}\n"), utf8);
        let long = format!("{{\"a\":\"{}\"}}\n\0\0\0", "é".repeat(400));
        assert_eq!(look(long.as_bytes()), utf8);
        let noise: Vec<u8> = (0..=255).cycle().take(2048).collect();
        assert_eq!(look(&noise), Head::Refused("it is a binary file"));
    }

    #[test]
    fn archives_have_to_be_unpacked() {
        for archive in [&b"PK\x03\x04"[..], b"\x1f\x8b\x08"] {
            assert!(
                matches!(look(archive), Head::Refused(why) if why.ends_with("unpack it first"))
            );
        }
    }

    #[test]
    fn pickles_that_look_like_text_are_refused() {
        for pickle in [
            "(dp0\nS'a'\np1\nI1\ns.",
            "(lp0\nI1\na.",
            "ccopy_reg\n_reconstructor\np0\n(c__main__\n",
            "c__main__\nAgent\np1\n.",
            "}q\0.",
        ] {
            assert_eq!(look(pickle.as_bytes()), Head::Refused(PICKLE), "{pickle}");
        }
        for text in ["(dp) a note", "case\nclosed\npaper", "cat", "c\n\np0", "(list)\n", "}q"] {
            assert!(matches!(look(text.as_bytes()), Head::Text { .. }), "{text}");
        }
    }

    #[test]
    fn words_that_begin_like_magic_are_words() {
        for text in ["MZ is a country code", "GIF89 is a format", "BZhours", "PAR1 of the text"] {
            assert!(matches!(look(text.as_bytes()), Head::Text { .. }), "{text}");
        }
        for binary in [&b"MZ\x90\0\x03\0"[..], b"GIF89a\x01\0", b"x\x9c\xed", b"PAR1\x15\x04"] {
            assert!(matches!(look(binary), Head::Refused(_)), "{binary:?}");
        }
    }

    #[test]
    fn utf16_across_slices() {
        let text = "a😀é";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for step in 1..=bytes.len() {
            let mut decoder = Utf16::new(Encoding::Utf16le);
            let mut out = Vec::new();
            for slice in bytes.chunks(step) {
                decoder.decode(slice, &mut out);
            }
            decoder.finish(&mut out);
            assert_eq!(out, text.as_bytes());
        }
    }
}
