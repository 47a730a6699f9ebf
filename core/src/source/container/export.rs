//! Our own export to entries: the lines of one file are an entry, as they stand.

use std::cmp::Ordering;

use super::meter::Meter;
use super::window::{Wanted, Window};
use super::{HEAD_LEN, Member, Part, Refusal};

/// The version that is written, and read.
pub(crate) const VERSION: u32 = 1;

/// How the first line begins, up to the number of the version.
const HEAD: &[u8] = br#"{"format":"hindscope","version":"#;
/// What follows the version. Bundles of the first build, which are no longer read, lack it.
const KIND: &[u8] = br#","kind":"history""#;
/// How every other line begins, up to the path of its file.
const LINE: &[u8] = br#"{"hindscope":1,"path":""#;
const SOURCE: &[u8] = br#","source":""#;

/// Longest stretch of a line that is searched for the end of its path.
const MAX_KEY_LEN: usize = 64 << 10;

/// The version of an export that begins with these bytes.
pub(crate) fn version(head: &[u8]) -> Option<&str> {
    let rest = head.strip_prefix(HEAD)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (version, rest) = rest.split_at_checked(digits)?;
    std::str::from_utf8(version).ok().filter(|text| !text.is_empty() && rest.starts_with(KIND))
}

/// Whether these are the first bytes of a bundle: one JSON object whose first member says so.
pub(crate) fn is_bundle(head: &[u8]) -> bool {
    let mut rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    for token in [&b"{"[..], b"\"format\"", b":", b"\"hindscope\"", b","] {
        match rest.trim_ascii_start().strip_prefix(token) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    version(head).is_none()
}

/// Whether an object of JSON is a line of an export, or a bundle.
pub(crate) fn is_own(object: &[u8]) -> bool {
    object.starts_with(LINE) || version(object).is_some() || is_bundle(object)
}

/// Whether a text is a line of an export behind the first one.
pub(crate) fn is_line(text: &str) -> bool {
    text.as_bytes().starts_with(LINE)
}

/// Reads an export from its first line to its last.
#[derive(Debug)]
pub(super) struct Export {
    path: String,
    at: u64,
    /// What the lines of the current entry begin with.
    key: Vec<u8>,
    /// An entry has begun.
    is_begun: bool,
    /// Its bytes are given.
    is_given: bool,
    /// The next byte is not the first of its line.
    is_inside: bool,
}

/// What a line begins with.
enum Lead {
    /// It is one of this file, and this many bytes say so.
    Of {
        path: String,
        len: usize,
    },
    Head,
    Other,
}

impl Export {
    pub(super) fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            at: 0,
            key: Vec::new(),
            is_begun: false,
            is_given: false,
            is_inside: false,
        }
    }

    /// Leaves out the rest of the entry.
    pub(super) fn skip(&mut self) {
        self.is_given = false;
    }

    /// Ends the entry, if one has begun; says so if it is given.
    fn close(&mut self) -> Option<Part> {
        self.is_begun = false;
        std::mem::take(&mut self.is_given).then_some(Part::End(None))
    }

    pub(super) fn next(&mut self, window: &Window, meter: &mut Meter) -> Result<Part, Wanted> {
        loop {
            let input = window.get(self.at, if self.is_inside { 1 } else { HEAD_LEN })?;
            if input.is_empty() {
                return Ok(self.close().unwrap_or(Part::Over(None)));
            }
            let is_all = window.is_end(self.at, input.len());
            let is_next = self.is_inside || (!self.key.is_empty() && input.starts_with(&self.key));
            if !is_next {
                if input.len() < MAX_KEY_LEN && !is_all && !has_key(input) {
                    window.get(self.at, MAX_KEY_LEN)?;
                    continue;
                }
                if let Some(part) = self.begin(input) {
                    return Ok(part);
                }
                continue;
            }
            let (len, is_ended) = self.run(input);
            self.at = self.at.saturating_add(len as u64);
            self.is_inside = !is_ended;
            if self.is_given {
                meter.used(len);
                meter.made(len);
                return Ok(Part::Bytes(input.get(..len).unwrap_or_default().to_vec()));
            }
        }
    }

    /// A line that may be of another file begins.
    fn begin(&mut self, input: &[u8]) -> Option<Part> {
        let (path, len) = match lead(input) {
            Lead::Of { path, len } => (path, len),
            Lead::Head => {
                if let Some(end) = self.close() {
                    return Some(end);
                }
                self.key.clear();
                self.is_inside = true;
                let reason = other_version(version(input).unwrap_or_default())?;
                self.at = u64::MAX;
                return Some(Part::Over(Some(Refusal::refused(reason))));
            }
            // Any other line is given with the entry around it, whose reader reports it.
            Lead::Other if self.is_begun || matches!(input.first(), Some(b'\n' | b'\r')) => {
                self.is_inside = true;
                return None;
            }
            Lead::Other => (String::new(), 0),
        };
        if let Some(end) = self.close() {
            return Some(end);
        }
        self.key = input.get(..len).unwrap_or_default().to_vec();
        (self.is_begun, self.is_given) = (true, true);
        self.is_inside = true;
        let path = if path.is_empty() { self.path.clone() } else { path };
        Some(Part::Begin(Member { path, size: None, stored_at: Some(self.at) }))
    }

    /// How much of the input is of the current entry, and whether it ends with a line.
    fn run(&self, input: &[u8]) -> (usize, bool) {
        let mut end = 0;
        loop {
            let rest = input.get(end..).unwrap_or_default();
            let is_own = end == 0 || (!self.key.is_empty() && rest.starts_with(&self.key));
            match memchr::memchr(b'\n', rest).filter(|_| is_own) {
                Some(at) => end += at + 1,
                None if end == 0 => return (input.len(), false),
                None => return (end, true),
            }
        }
    }
}

/// Why an export of this version is not opened; nothing if it is.
fn other_version(version: &str) -> Option<String> {
    // A version that is too large for the type is a greater one, too.
    let number = version.parse::<u32>().unwrap_or(u32::MAX);
    match number.cmp(&VERSION) {
        Ordering::Equal => None,
        Ordering::Greater => Some(format!(
            "it is an export of version {version}, and this program reads version {VERSION}; open it with a newer hindscope"
        )),
        Ordering::Less => Some(format!(
            "it is not an export of a known version: it says version {version}, and this program reads version {VERSION}"
        )),
    }
}

/// What is searched for the key of a line: the line, or its beginning.
fn key_stretch(input: &[u8]) -> &[u8] {
    let head = input.get(..MAX_KEY_LEN).unwrap_or(input);
    let len = memchr::memchr(b'\n', head).unwrap_or(head.len());
    head.get(..len).unwrap_or_default()
}

/// Whether enough of a line is there to tell its file: more of it would change nothing.
fn has_key(input: &[u8]) -> bool {
    if memchr::memchr(b'\n', input).is_some() {
        return true;
    }
    let Lead::Of { len, .. } = lead(input) else { return false };
    // `len` ends behind the path or behind the digest. If a digest that began has no last quote yet, or may
    // still begin, more of the line has to be read.
    let rest = key_stretch(input).get(len..).unwrap_or_default();
    rest.len() >= SOURCE.len() && !rest.starts_with(SOURCE)
}

fn lead(input: &[u8]) -> Lead {
    let input = key_stretch(input);
    if version(input).is_some() {
        return Lead::Head;
    }
    let of_path = input.strip_prefix(LINE).and_then(|rest| {
        let path_len = text_len(rest)?;
        let path = rest.get(..path_len)?;
        let path = serde_json::from_slice(&[b"\"", path, b"\""].concat()).ok()?;
        let end = LINE.len() + path_len + 1;
        let source = input.get(end..)?.strip_prefix(SOURCE).and_then(text_len);
        Some((path, end + source.map_or(0, |len| SOURCE.len() + len + 1)))
    });
    of_path.map_or(Lead::Other, |(path, len)| Lead::Of { path, len })
}

/// Bytes of a JSON string up to its closing quote.
fn text_len(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}
