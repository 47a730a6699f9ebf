//! Deflate, chunk by chunk.

use flate2::{Decompress, FlushDecompress, Status};

/// Most bytes that one chunk gives, so that a host never holds more than that.
pub(super) const CHUNK_LEN: usize = 64 << 10;

/// Unpacks one stream of raw deflate data.
#[derive(Debug)]
pub(super) struct Inflate(Decompress);

/// The state after one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// There is more, of this input or of the next.
    More,
    /// The stream is complete.
    Over,
    /// The data makes no sense from here on.
    Broken,
}

impl Inflate {
    pub(super) fn new() -> Self {
        Self(Decompress::new(false))
    }

    /// Takes bytes from the front of `input`; gives how many, and what they made.
    pub(super) fn step(&mut self, input: &[u8]) -> (usize, Vec<u8>, Flow) {
        let before = (self.0.total_in(), self.0.total_out());
        let mut out = vec![0; CHUNK_LEN];
        let status = self.0.decompress(input, &mut out, FlushDecompress::None);
        let difference =
            |now: u64, before: u64| usize::try_from(now - before).unwrap_or(usize::MAX);
        let taken = difference(self.0.total_in(), before.0);
        out.truncate(difference(self.0.total_out(), before.1));
        let flow = match status {
            Ok(Status::StreamEnd) => Flow::Over,
            Ok(Status::Ok | Status::BufError) => Flow::More,
            Err(_) => Flow::Broken,
        };
        (taken, out, flow)
    }
}
