//! Files without a history in them, searched line by line.

use super::Query;
use super::excerpt::{excerpt, merged};
use super::fold::fold;
use super::hit::Hit;
use super::sieve::Sieve;
use super::texts::SearchPart;
use crate::model::id::SourceId;
use crate::source::encoding::{Encoding, Utf16};

/// A line above this is searched in pieces.
const LINE_MOST: usize = 1 << 20;

/// A file while it is searched.
pub(super) struct Scan {
    pub(super) source: SourceId,
    pub(super) at: u64,
    pub(super) end: u64,
    decoder: Option<Utf16>,
    /// A line whose end has not come.
    rest: Vec<u8>,
    line: u32,
}

impl Scan {
    pub(super) fn new(source: SourceId, encoding: Encoding, end: u64) -> Self {
        let decoder = (encoding != Encoding::Utf8).then(|| Utf16::new(encoding));
        Self { source, at: 0, end, decoder, rest: Vec::new(), line: 1 }
    }

    /// Searches the next stretch.
    pub(super) fn push(&mut self, bytes: &[u8], query: &Query, sieve: &Sieve, hits: &mut Vec<Hit>) {
        self.at += bytes.len() as u64;
        let is_last = self.at >= self.end;
        match &mut self.decoder {
            Some(decoder) => {
                decoder.decode(bytes, &mut self.rest);
                if is_last {
                    decoder.finish(&mut self.rest);
                }
            }
            None => self.rest.extend_from_slice(bytes),
        }
        let all = std::mem::take(&mut self.rest);
        let mut lines = all.as_slice();
        let may_match = sieve.sift(lines, true) == sieve.all();
        while let Some(at) = memchr::memchr(b'\n', lines) {
            let (line, after) = lines.split_at(at);
            if may_match {
                self.line(line, query, hits);
            }
            self.line = self.line.saturating_add(1);
            lines = after.get(1..).unwrap_or_default();
        }
        if is_last || lines.len() > LINE_MOST {
            self.line(lines, query, hits);
        } else {
            self.rest = lines.to_vec();
        }
    }

    fn line(&self, line: &[u8], query: &Query, hits: &mut Vec<Hit>) {
        let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        let text = if self.line == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        let folded = fold(text);
        let mut places = Vec::new();
        for term in query.terms.iter().filter(|term| term.test.field().is_none()) {
            let Some(needle) = &term.needle else { return };
            if term.is_negated == needle.is_in(&folded) {
                return;
            }
            if !term.is_negated {
                places.extend(needle.places(&folded));
            }
        }
        let places = merged(places);
        if !places.is_empty() {
            let cut = excerpt(text, &places);
            hits.push(Hit {
                source: self.source,
                line: Some(self.line),
                ..Hit::of(SearchPart::Text, "line", places.len(), cut)
            });
        }
    }
}
