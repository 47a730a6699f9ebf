//! The data of one entry.

use flate2::Crc;

use super::super::inflate::{CHUNK_LEN, Flow, Inflate};
use super::super::meter::Meter;
use super::super::window::{Wanted, Window};
use super::super::{Part, Refusal};
use super::listed::{Listed, STORED};

/// Unpacks one entry, and holds it against what was said of it.
#[derive(Debug)]
pub(super) struct Unpack {
    /// Offset of the next byte.
    pub(super) at: u64,
    /// Packed bytes that are left; nothing: the data says where it ends.
    left: Option<u64>,
    inflate: Option<Inflate>,
    crc: Crc,
    made: u64,
    /// Checksum and size as stated, where they are.
    stated: Option<(u32, u64)>,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Going,
    Ended(Option<&'static str>),
    Over,
}

impl Unpack {
    /// `has_sizes`: the sizes and the checksum of `listed` are known.
    pub(super) fn new(listed: &Listed, at: u64, has_sizes: bool) -> Self {
        Self {
            at,
            left: has_sizes.then_some(listed.packed),
            inflate: (listed.method != STORED).then(Inflate::new),
            crc: Crc::new(),
            made: 0,
            stated: has_sizes.then_some((listed.crc, listed.size)),
            state: State::Going,
        }
    }

    /// The checksum of what came out.
    pub(super) fn crc(&self) -> u32 {
        self.crc.sum()
    }

    /// The next piece or the end; nothing once the end was given.
    pub(super) fn next(
        &mut self,
        window: &Window,
        meter: &mut Meter,
    ) -> Result<Option<Part>, Wanted> {
        while self.state == State::Going {
            let bytes = self.piece(window, meter)?;
            self.crc.update(&bytes);
            self.made += bytes.len() as u64;
            meter.made(bytes.len());
            if !bytes.is_empty() {
                return Ok(Some(Part::Bytes(bytes)));
            }
        }
        let State::Ended(problem) = self.state else { return Ok(None) };
        self.state = State::Over;
        Ok(Some(Part::End(self.problem(problem).map(Refusal::unreadable))))
    }

    fn piece(&mut self, window: &Window, meter: &mut Meter) -> Result<Vec<u8>, Wanted> {
        let input = match self.left {
            Some(0) => &[],
            Some(_) | None => window.get(self.at, 1)?,
        };
        let most = self.left.and_then(|left| usize::try_from(left).ok()).unwrap_or(usize::MAX);
        let input = input.get(..most).unwrap_or(input);
        let (taken, bytes) = match &mut self.inflate {
            None => {
                let chunk = input.get(..CHUNK_LEN).unwrap_or(input);
                if chunk.is_empty() {
                    let is_cut = self.left.is_some_and(|left| left > 0);
                    self.state = State::Ended(is_cut.then_some("the archive ends inside it"));
                }
                (chunk.len(), chunk.to_vec())
            }
            Some(inflate) => {
                let (taken, bytes, flow) = inflate.step(input);
                match flow {
                    Flow::Over => self.state = State::Ended(None),
                    Flow::Broken => {
                        self.state = State::Ended(Some("its compressed data is damaged"));
                    }
                    Flow::More if taken == 0 && bytes.is_empty() => {
                        let is_cut = self.at >= window.size;
                        self.state = State::Ended(Some(if is_cut {
                            "the archive ends inside it"
                        } else {
                            "its compressed data ends before it is complete"
                        }));
                    }
                    Flow::More => {}
                }
                (taken, bytes)
            }
        };
        meter.used(taken);
        self.at += taken as u64;
        self.left = self.left.map(|left| left.saturating_sub(taken as u64));
        Ok(bytes)
    }

    fn problem(&self, problem: Option<&'static str>) -> Option<String> {
        if let Some(problem) = problem {
            return Some(problem.to_owned());
        }
        let (crc, size) = self.stated?;
        if size != self.made {
            return Some(format!(
                "it has {} bytes, but the archive states {size}; the unpacked bytes are kept",
                self.made
            ));
        }
        (crc != self.crc.sum()).then(|| {
            "its checksum does not match, so it is damaged; the unpacked bytes are kept".to_owned()
        })
    }
}
