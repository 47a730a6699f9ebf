//! The part of an archive that is at hand.

/// Bytes asked for at a time: enough that many small entries come with one reading.
const READ_LEN: u64 = 256 << 10;
/// The same where the reader jumps: entries may be stored in another order than that of their names.
const JUMP_LEN: u64 = 16 << 10;

/// Bytes `start..end` of the archive that somebody has to read first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// One stretch of the archive, as the host gave it.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Bytes of the whole archive.
    pub(super) size: u64,
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    pub(super) fn new(size: u64) -> Self {
        Self { size, start: 0, bytes: Vec::new() }
    }

    pub(super) fn set(&mut self, start: u64, bytes: &[u8]) {
        self.start = start;
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
    }

    /// What is at hand from `at` on: `least` bytes or more, and fewer only where the archive ends.
    pub(super) fn get(&self, at: u64, least: usize) -> Result<&[u8], Wanted> {
        let least = least as u64;
        let needed = at.saturating_add(least).min(self.size);
        if needed <= at {
            return Ok(&[]);
        }
        let held = self.start + self.bytes.len() as u64;
        if at >= self.start
            && needed <= held
            && let Some(bytes) =
                usize::try_from(at - self.start).ok().and_then(|from| self.bytes.get(from..))
        {
            return Ok(bytes);
        }
        let goes_on = (self.start..=held.saturating_add(READ_LEN)).contains(&at);
        let len = least.max(if goes_on { READ_LEN } else { JUMP_LEN });
        let end = at.saturating_add(len).min(self.size);
        Err(Wanted { start: at, end })
    }

    /// Whether nothing follows the `len` bytes from `at` on.
    pub(super) fn is_end(&self, at: u64, len: usize) -> bool {
        at.saturating_add(len as u64) >= self.size
    }
}
