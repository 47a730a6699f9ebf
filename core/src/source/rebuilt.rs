//! Text that is not what is written: a side of a conflict, the inside of a JSON string. Its pieces
//! know where they stand in what is written, so that places stay those of the file.

use crate::json::scan::unescape;

/// A stretch of text that begins at one offset, and is written at another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkStart {
    pub(crate) at: usize,
    pub(crate) written: usize,
}

/// A text, and where its pieces are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rebuilt {
    pub(crate) text: String,
    chunk_starts: Vec<ChunkStart>,
    /// Where the text ends in what is written.
    end: usize,
    /// Nothing was left out: where the pieces are written, each begins where the one before it ends,
    /// although escapes make them longer there.
    is_gapless: bool,
}

impl Rebuilt {
    /// Adds a stretch that is written at an offset.
    pub(crate) fn push(&mut self, text: &str, written: usize) {
        let at = self.text.len();
        let is_next = self.chunk_starts.last().is_some_and(|p| at - p.at == written - p.written);
        if !is_next {
            self.chunk_starts.push(ChunkStart { at, written });
        }
        self.text.push_str(text);
        self.end = written + text.len();
    }

    /// Where the byte at an offset of the text is written.
    pub(crate) fn written_at(&self, at: usize) -> usize {
        let behind = self.chunk_starts.partition_point(|piece| piece.at <= at);
        match behind.checked_sub(1).and_then(|i| self.chunk_starts.get(i)) {
            Some(piece) => (piece.written + at - piece.at).min(self.end),
            None => at.min(self.end),
        }
    }

    /// The offset in the file at which a stretch of the text ends, by the offset of its end in the text.
    pub(crate) fn written_end(&self, end: usize) -> usize {
        match end.checked_sub(1) {
            _ if self.is_gapless => self.written_at(end),
            Some(last) => (self.written_at(last) + 1).min(self.end),
            None => self.written_at(0),
        }
    }
}

/// The inside of the JSON string that fills `written`; none if that is not a JSON string. A file that
/// was cut may lack the last quote, if the inside begins as records do.
pub(crate) fn unquoted(written: &str) -> Option<Rebuilt> {
    let inside = written.strip_prefix('"')?;
    let whole = inside.trim_end().strip_suffix('"').and_then(|inside| inside_of(inside, 1));
    if whole.is_some() {
        return whole;
    }
    let is_cut = inside.starts_with(['{', '[', '-', '#']) && !inside.contains(['\n', '\r']);
    let inside = inside.trim_end_matches('\\');
    if is_cut { inside_of(inside, 1) } else { None }
}

/// Whether the last quote of such a string is missing.
pub(crate) fn is_cut(written: &str) -> bool {
    let inside = written.trim_end().strip_prefix('"').unwrap_or_default();
    inside.strip_suffix('"').and_then(|inside| inside_of(inside, 1)).is_none()
}

/// The text of a stretch of a JSON string's inside, which begins at an offset.
pub(crate) fn inside_of(inside: &str, start: usize) -> Option<Rebuilt> {
    let mut out = Rebuilt { is_gapless: true, ..Rebuilt::default() };
    let mut at = 0;
    while let Some(rest) = inside.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = rest.find(['\\', '"']).unwrap_or(rest.len());
        if plain > 0 {
            out.push(rest.get(..plain)?, start + at);
            at += plain;
            continue;
        }
        if !rest.starts_with('\\') || rest.len() < 2 {
            return None;
        }
        let (c, len) = unescape(rest.as_bytes());
        // Each escape is a piece of its own, whatever its length, and so is what follows.
        out.chunk_starts.push(ChunkStart { at: out.text.len(), written: start + at });
        out.text.push(c);
        at += len;
        out.chunk_starts.push(ChunkStart { at: out.text.len(), written: start + at });
    }
    out.end = start + at;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inside_of_a_string_knows_its_places() {
        let written = r#""a\nb\u00e9c\\""#;
        let inside = unquoted(written).expect("a string");
        assert_eq!(inside.text, "a\nbéc\\");
        for c in ['a', 'b', 'c'] {
            let at = inside.text.find(c).expect("there");
            assert_eq!(inside.written_at(at), written.find(c).expect("there"), "{c}");
        }
        assert_eq!(inside.written_at(1), 2);
        assert_eq!(inside.written_end(2), 4);
        assert_eq!(inside.written_end(inside.text.len()), written.len() - 1);
        assert!(unquoted(r#""a" and "b""#).is_none());
        assert!(unquoted(r#""a\"#).is_none());
        let cut = unquoted(r##""# a\nb\"##).expect("cut off");
        assert_eq!(cut.text, "# a\nb");
        assert!(is_cut(r#""{"#) && !is_cut(written));
    }
}
