//! Gzip: any number of members, one after the other (RFC 1952).

use std::io::{ErrorKind, Write as _};
use std::mem::take;

use flate2::write::GzDecoder;

/// What is wrong with gzip data that is over, if anything is.
pub(super) type Problem = Option<&'static str>;

const FOREIGN: &str = "there is other data after its gzip data";

/// Unpacks gzip data. Bytes go in as they come; pieces come out.
#[derive(Debug)]
pub(super) struct Gunzip {
    /// What is being unpacked; nothing between two members.
    member: Option<GzDecoder<Vec<u8>>>,
    is_first: bool,
    is_over: bool,
    name: Option<String>,
    /// The first thing that is wrong and does not end reading.
    problem: Problem,
}

/// What one step took from the input, and what it made of that.
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
            member: Some(GzDecoder::new(Vec::new())),
            is_first: true,
            is_over: false,
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
        if self.is_over {
            return Gunzipped { taken: input.len(), bytes: Vec::new(), end: Some(self.problem) };
        }
        if self.member.is_none() {
            // Tapes and some writers fill up with zeros.
            let zeros = input.iter().take_while(|&&byte| byte == 0).count();
            if zeros > 0 {
                return more(zeros, Vec::new());
            }
            if input.is_empty() {
                let end = is_last.then_some(self.problem);
                return Gunzipped { taken: 0, bytes: Vec::new(), end };
            }
        }
        let member = self.member.get_or_insert_with(|| GzDecoder::new(Vec::new()));
        // One write is one piece, also of data that would become very long.
        let written = member.write(input);
        let bytes = take(member.get_mut());
        match written {
            Ok(taken) if taken > 0 || !bytes.is_empty() || (input.is_empty() && !is_last) => {
                if let Some(header) = member.header().filter(|_| self.is_first) {
                    self.name = header.filename().map(latin).filter(|name| !name.is_empty());
                }
                more(taken, bytes)
            }
            // The member is complete, or nothing else comes.
            Ok(_) => self.finish(input, is_last),
            Err(_) if member.header().is_some() => {
                self.stop(input.len(), bytes, "its data is damaged")
            }
            Err(_) if self.is_first => self.stop(input.len(), bytes, "its gzip header is damaged"),
            Err(_) => self.stop(input.len(), bytes, FOREIGN),
        }
    }

    fn finish(&mut self, input: &[u8], is_last: bool) -> Gunzipped {
        let Some(mut member) = self.member.take() else { return self.step(input, is_last) };
        let finished = member.try_finish();
        let bytes = take(member.get_mut());
        match finished.map_err(|error| error.kind()) {
            Ok(()) => {}
            Err(ErrorKind::UnexpectedEof) => {
                let problem = match member.header() {
                    Some(_) => "it ends before its data is complete",
                    None if self.is_first => "it ends inside a gzip header",
                    None => FOREIGN,
                };
                return self.stop(0, bytes, problem);
            }
            Err(_) => {
                self.problem.get_or_insert("its checksum does not match, so it is damaged");
            }
        }
        self.is_first = false;
        if bytes.is_empty() { self.step(input, is_last) } else { more(0, bytes) }
    }

    fn stop(&mut self, taken: usize, bytes: Vec<u8>, problem: &'static str) -> Gunzipped {
        let problem = *self.problem.get_or_insert(problem);
        self.is_over = true;
        Gunzipped { taken, bytes, end: Some(Some(problem)) }
    }
}

fn more(taken: usize, bytes: Vec<u8>) -> Gunzipped {
    Gunzipped { taken, bytes, end: None }
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
    let parts = path.len().checked_sub(3).and_then(|len| path.split_at_checked(len));
    let unpacked = parts
        .filter(|(_, ending)| ending.eq_ignore_ascii_case(".gz"))
        .map(|(unpacked, _)| unpacked)
        .filter(|unpacked| !unpacked.is_empty() && !unpacked.ends_with('/'));
    let stem = unpacked.and_then(|unpacked| unpacked.rsplit('/').next());
    match name {
        Some(name) if stem != Some(name) => format!("{path}/{name}"),
        _ => unpacked.unwrap_or(path).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};

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
    fn what_is_wrong_is_reported_and_the_rest_kept() {
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
