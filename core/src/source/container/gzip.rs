//! Gzip: any number of members, one after the other (RFC 1952).

use flate2::Crc;

use super::inflate::{Flow, Inflate};

/// A header longer than this is none.
const MAX_HEADER_LEN: usize = 1 << 20;

/// What is wrong with gzip data that is over, if anything is.
pub(super) type Problem = Option<&'static str>;

/// Unpacks gzip data. Bytes go in as they come; pieces come out.
#[derive(Debug)]
pub(super) struct Gunzip {
    state: State,
    /// What a header or trailer has so far.
    kept: Vec<u8>,
    name: Option<String>,
    /// The first thing that is wrong and does not end reading.
    problem: Problem,
}

#[derive(Debug)]
enum State {
    Header { is_first: bool },
    Body { inflate: Box<Inflate>, crc: Crc },
    Trailer { crc: u32, len: u32 },
    Over,
}

/// What a step came to.
#[derive(Debug)]
pub(super) struct Gunzipped {
    /// Bytes taken from the front of the input.
    pub(super) taken: usize,
    pub(super) bytes: Vec<u8>,
    /// Nothing more will come; what is wrong with it.
    pub(super) end: Option<Problem>,
}

impl Gunzip {
    pub(super) fn new() -> Self {
        Self {
            state: State::Header { is_first: true },
            kept: Vec::new(),
            name: None,
            problem: None,
        }
    }

    /// The name that the first header gives. Known before the first byte comes out.
    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Takes some of `input`. `is_last`: nothing follows it. Without input, nothing taken and no
    /// end mean that more is wanted.
    pub(super) fn step(&mut self, input: &[u8], is_last: bool) -> Gunzipped {
        match &mut self.state {
            State::Over => {
                Gunzipped { taken: input.len(), bytes: Vec::new(), end: Some(self.problem) }
            }
            State::Header { is_first } => {
                let is_first = *is_first;
                self.header(input, is_last, is_first)
            }
            State::Body { inflate, crc } => {
                let (taken, bytes, flow) = inflate.step(input);
                crc.update(&bytes);
                match flow {
                    Flow::Over => {
                        self.state = State::Trailer { crc: crc.sum(), len: crc.amount() };
                        more(taken, bytes)
                    }
                    Flow::Broken => self.stop(taken, bytes, "its data is damaged"),
                    Flow::More if is_last && taken == 0 && bytes.is_empty() => {
                        self.stop(0, bytes, "it ends before its data is complete")
                    }
                    Flow::More => more(taken, bytes),
                }
            }
            State::Trailer { crc, len } => {
                let (crc, len) = (*crc, *len);
                self.trailer(input, is_last, crc, len)
            }
        }
    }

    fn stop(&mut self, taken: usize, bytes: Vec<u8>, problem: &'static str) -> Gunzipped {
        self.state = State::Over;
        Gunzipped { taken, bytes, end: Some(Some(problem)) }
    }

    fn header(&mut self, input: &[u8], is_last: bool, is_first: bool) -> Gunzipped {
        let had = self.kept.len();
        if !is_first && had == 0 {
            // Tapes and some writers fill up with zeros.
            let zeros = input.iter().take_while(|&&byte| byte == 0).count();
            if zeros > 0 {
                return more(zeros, Vec::new());
            }
            if input.is_empty() {
                return Gunzipped {
                    taken: 0,
                    bytes: Vec::new(),
                    end: is_last.then_some(self.problem),
                };
            }
        }
        self.kept.extend_from_slice(input);
        match parse(&self.kept) {
            Header::Complete { len, name } => {
                self.kept.clear();
                if is_first {
                    self.name = name;
                }
                self.state = State::Body { inflate: Box::new(Inflate::new()), crc: Crc::new() };
                more(len.saturating_sub(had), Vec::new())
            }
            Header::Cut if is_last || self.kept.len() > MAX_HEADER_LEN => {
                self.stop(input.len(), Vec::new(), "it ends inside a gzip header")
            }
            Header::Cut => more(input.len(), Vec::new()),
            Header::Wrong if is_first => {
                self.stop(input.len(), Vec::new(), "its gzip header is damaged")
            }
            Header::Wrong => {
                let problem = self.problem.unwrap_or("there is other data after its gzip data");
                self.stop(input.len(), Vec::new(), problem)
            }
        }
    }

    fn trailer(&mut self, input: &[u8], is_last: bool, crc: u32, len: u32) -> Gunzipped {
        let missing = 8usize.saturating_sub(self.kept.len()).min(input.len());
        self.kept.extend_from_slice(input.get(..missing).unwrap_or_default());
        let Some((told_crc, told_len)) = numbers(&self.kept) else {
            return if is_last {
                self.stop(missing, Vec::new(), "it ends before its checksum")
            } else {
                more(missing, Vec::new())
            };
        };
        if told_crc != crc {
            self.problem.get_or_insert("its checksum does not match, so it is damaged");
        } else if told_len != len {
            self.problem.get_or_insert("its length differs from the stated length");
        }
        self.kept.clear();
        self.state = State::Header { is_first: false };
        more(missing, Vec::new())
    }
}

fn more(taken: usize, bytes: Vec<u8>) -> Gunzipped {
    Gunzipped { taken, bytes, end: None }
}

fn numbers(trailer: &[u8]) -> Option<(u32, u32)> {
    let (crc, len) = trailer.split_at_checked(4)?;
    Some((u32::from_le_bytes(crc.try_into().ok()?), u32::from_le_bytes(len.try_into().ok()?)))
}

enum Header {
    Complete { len: usize, name: Option<String> },
    Cut,
    Wrong,
}

fn parse(bytes: &[u8]) -> Header {
    let magic = [0x1f, 0x8b, 8];
    if bytes.iter().zip(magic).any(|(&byte, expected)| byte != expected) {
        return Header::Wrong;
    }
    let (Some(&flags), true) = (bytes.get(3), bytes.len() >= 10) else { return Header::Cut };
    if flags & 0xe0 != 0 {
        return Header::Wrong;
    }
    fields(bytes, flags).map_or(Header::Cut, |(len, name)| Header::Complete { len, name })
}

/// Extra field, name, comment and checksum of a header; nothing while it is not complete.
fn fields(bytes: &[u8], flags: u8) -> Option<(usize, Option<String>)> {
    let mut at = 10;
    if flags & 4 != 0 {
        let len: [u8; 2] = bytes.get(at..at + 2)?.try_into().ok()?;
        at += 2 + usize::from(u16::from_le_bytes(len));
    }
    let mut name = None;
    if flags & 8 != 0 {
        let text = terminated(bytes, at)?;
        at += text.len() + 1;
        name = Some(latin(text)).filter(|name| !name.is_empty());
    }
    if flags & 16 != 0 {
        at += terminated(bytes, at)?.len() + 1;
    }
    if flags & 2 != 0 {
        at += 2;
    }
    (bytes.len() >= at).then_some((at, name))
}

fn terminated(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    rest.get(..memchr::memchr(0, rest)?)
}

/// The standard says Latin-1, everybody writes UTF-8.
fn latin(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => text.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The path of what is in gzip data at `path`, where its header may give a `name`.
///
/// Packing a file does not move it: `runs/a.json.gz` holds `runs/a.json`. Only where the header has
/// another name, the file is shown as the folder of it, so that neither is lost.
pub(super) fn inner_path(path: &str, name: Option<&str>) -> String {
    let (folder, file) = path.rsplit_once('/').map_or(("", path), |(folder, file)| (folder, file));
    let stem = file
        .len()
        .checked_sub(3)
        .and_then(|len| Some((file.get(..len)?, file.get(len..)?)))
        .filter(|(stem, ending)| !stem.is_empty() && ending.eq_ignore_ascii_case(".gz"))
        .map(|(stem, _)| stem);
    match (name, stem) {
        (Some(name), stem) if stem != Some(name) => format!("{path}/{name}"),
        (_, Some(stem)) if folder.is_empty() && !path.starts_with('/') => stem.to_owned(),
        (_, Some(stem)) => format!("{folder}/{stem}"),
        (_, None) => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write as _;

    fn packed(text: &[u8], name: Option<&str>) -> Vec<u8> {
        let mut builder = GzBuilder::new().extra(vec![1, 2, 3]).comment("no use");
        if let Some(name) = name {
            builder = builder.filename(name);
        }
        let mut writer = builder.write(Vec::new(), Compression::default());
        writer.write_all(text).expect("memory takes it");
        writer.finish().expect("memory takes it")
    }

    /// Everything that comes out, in inputs of `step` bytes.
    fn unpacked(bytes: &[u8], step: usize) -> (Vec<u8>, Option<String>, Option<&'static str>) {
        let mut gunzip = Gunzip::new();
        let (mut out, mut at) = (Vec::new(), 0);
        loop {
            let to = (at + step).min(bytes.len());
            let done = gunzip.step(&bytes[at..to], to == bytes.len());
            at += done.taken;
            out.extend(done.bytes);
            if let Some(problem) = done.end {
                return (out, gunzip.name().map(str::to_owned), problem);
            }
        }
    }

    #[test]
    fn members_are_one_text_whatever_the_pieces() {
        let mut bytes = packed(b"first, ", Some("log.jsonl"));
        bytes.extend(packed(b"second", Some("other")));
        bytes.extend([0; 20]);
        for step in [1, 2, 7, 1000] {
            let (text, name, problem) = unpacked(&bytes, step);
            assert_eq!(
                (&text[..], name.as_deref(), problem),
                (&b"first, second"[..], Some("log.jsonl"), None)
            );
        }
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_kept() {
        let whole = packed(b"some text", None);
        for len in 2..whole.len() {
            let (text, _, problem) = unpacked(&whole[..len], 1000);
            assert!(b"some text".starts_with(&text[..]) && problem.is_some(), "cut at {len}");
        }
        let mut wrong = whole.clone();
        let at = wrong.len() - 8;
        wrong[at] ^= 1;
        wrong.extend(packed(b", more", None));
        let (text, _, problem) = unpacked(&wrong, 3);
        assert_eq!(text, b"some text, more");
        assert_eq!(problem, Some("its checksum does not match, so it is damaged"));
        let mut longer = whole;
        longer.extend(b"{}");
        let (text, _, problem) = unpacked(&longer, 1000);
        assert_eq!(
            (&text[..], problem),
            (&b"some text"[..], Some("there is other data after its gzip data"))
        );
    }

    #[test]
    fn packing_a_file_does_not_move_it() {
        assert_eq!(inner_path("runs/a.json.gz", None), "runs/a.json");
        assert_eq!(inner_path("runs/a.json.GZ", Some("a.json")), "runs/a.json");
        assert_eq!(inner_path("a.json.gz", Some("b.json")), "a.json.gz/b.json");
        assert_eq!(inner_path("a", None), "a");
        assert_eq!(inner_path("a", Some("a.json")), "a/a.json");
        assert_eq!(inner_path("/a.gz", None), "/a");
        assert_eq!(inner_path(".gz", None), ".gz");
    }
}
