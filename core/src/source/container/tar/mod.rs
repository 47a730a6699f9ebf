//! Tar: a header, its bytes, the next header. Nothing says how many there are.

mod extra;
pub(super) mod header;

use super::inflate::CHUNK_LEN;
use super::kind::is_litter;
use super::{Member, Part, Refusal};
use extra::{Extra, ExtraKind};
use header::{BLOCK_LEN, Block, Header};

/// Reads a tar archive, whose bytes come in pieces of any length.
#[derive(Debug)]
pub(super) struct Tar {
    state: State,
    /// What members are called by: the path of the archive.
    path: String,
    /// Offset of the next byte.
    pub(super) at: u64,
    /// Whether offsets are those of the archive as stored.
    is_stored: bool,
    next: Extra,
    global: Extra,
    /// Offset of the first block that is neither a header nor zeros.
    broken: Option<u64>,
}

#[derive(Debug)]
enum State {
    Header,
    Extra { kind: ExtraKind, left: u64, pad: u64, bytes: Vec<u8> },
    Data { left: u64, pad: u64 },
    End { pad: u64 },
    Skip { left: u64 },
    Over,
}

/// What one step took from the input, and what it found.
#[derive(Debug)]
pub(super) struct Step {
    /// How many bytes from the front of the input are done with. If this is more than the input has, the
    /// next bytes are to be skipped, too.
    pub(super) taken: u64,
    pub(super) part: Option<Part>,
}

impl Step {
    fn more(taken: u64) -> Self {
        Self { taken, part: None }
    }

    fn part(taken: usize, part: Part) -> Self {
        Self { taken: taken as u64, part: Some(part) }
    }
}

impl Tar {
    pub(super) fn new(path: &str, is_stored: bool) -> Self {
        Self {
            state: State::Header,
            path: path.to_owned(),
            at: 0,
            is_stored,
            next: Extra::default(),
            global: Extra::default(),
            broken: None,
        }
    }

    /// Takes some of `input`; `is_last`: nothing follows it. Nothing taken and no part mean that
    /// more is wanted.
    pub(super) fn step(&mut self, input: &[u8], is_last: bool) -> Step {
        let step = self.take(input, is_last);
        self.at = self.at.saturating_add(step.taken);
        step
    }

    /// Leaves the rest of the current member out.
    pub(super) fn skip(&mut self) {
        if let State::Data { left, pad } = self.state {
            self.state = State::Skip { left: left.saturating_add(pad) };
        } else if let State::End { pad } = self.state {
            self.state = State::Skip { left: pad };
        }
    }

    fn take(&mut self, input: &[u8], is_last: bool) -> Step {
        match &mut self.state {
            State::Header => match input.split_at_checked(BLOCK_LEN) {
                Some((block, _)) => self.header(block),
                None if is_last => self.over(!input.is_empty()),
                None => Step::more(0),
            },
            State::Extra { kind, left, pad, bytes } => {
                let len = fitting(*left, input.len());
                bytes.extend_from_slice(input.get(..len).unwrap_or_default());
                *left -= len as u64;
                if *left == 0 {
                    let (kind, pad, bytes) = (*kind, *pad, std::mem::take(bytes));
                    let extra = if kind == ExtraKind::PaxGlobal {
                        &mut self.global
                    } else {
                        &mut self.next
                    };
                    extra.add(kind, &bytes);
                    self.state = State::Skip { left: pad };
                } else if is_last && len == input.len() {
                    return self.over(true);
                }
                Step::more(len as u64)
            }
            State::Data { left, pad } => {
                let len = fitting(*left, input.len()).min(CHUNK_LEN);
                let bytes = input.get(..len).unwrap_or_default().to_vec();
                *left -= len as u64;
                if *left == 0 {
                    self.state = State::End { pad: *pad };
                } else if bytes.is_empty() {
                    return if is_last { self.cut() } else { Step::more(0) };
                }
                if bytes.is_empty() { self.end() } else { Step::part(len, Part::Bytes(bytes)) }
            }
            State::End { .. } => self.end(),
            State::Skip { left } => {
                let left = *left;
                self.state = State::Header;
                // Nothing to leave out: what follows is looked at in the same step.
                if left == 0 { self.take(input, is_last) } else { Step::more(left) }
            }
            State::Over => Step::part(input.len(), Part::Over(None)),
        }
    }

    fn end(&mut self) -> Step {
        if let State::End { pad } = self.state {
            self.state = State::Skip { left: pad };
        }
        Step::part(0, Part::End(None))
    }

    /// The archive ends inside a member.
    fn cut(&mut self) -> Step {
        self.state = State::Over;
        Step::part(0, Part::End(Some(Refusal::unreadable("the archive ends inside it"))))
    }

    fn over(&mut self, is_cut: bool) -> Step {
        self.state = State::Over;
        let problem = match self.broken {
            Some(at) => Some(format!(
                "it is damaged from byte {at} on; entries that can be recognised after that are read"
            )),
            None if is_cut => Some("it is incomplete; its complete entries are read".to_owned()),
            None => None,
        };
        Step::part(0, Part::Over(problem.map(Refusal::unreadable)))
    }

    fn header(&mut self, block: &[u8]) -> Step {
        let header = match header::read(block) {
            Block::Header(header) => header,
            Block::Zeros => return self.over(false),
            Block::Broken => {
                self.broken.get_or_insert(self.at);
                return Step::more(BLOCK_LEN as u64);
            }
        };
        if let Some(kind) = ExtraKind::of(header.kind) {
            let pad = pad(header.size);
            self.state = if header.size > extra::MAX_LEN {
                State::Skip { left: header.size.saturating_add(pad) }
            } else {
                State::Extra { kind, left: header.size, pad, bytes: Vec::new() }
            };
            return Step::more(BLOCK_LEN as u64);
        }
        let extra = std::mem::take(&mut self.next).or(&self.global);
        self.member(&header, extra)
    }

    fn member(&mut self, header: &Header, extra: Extra) -> Step {
        let name = extra.path.unwrap_or_else(|| header.path.clone());
        let link = extra.link.unwrap_or_else(|| header.link.clone());
        let size = extra.size.unwrap_or(header.size);
        let pad = pad(size);
        // Links and devices have no bytes, whatever their size says.
        let len = if matches!(header.kind, b'1'..=b'6') { 0 } else { size.saturating_add(pad) };
        self.state = State::Skip { left: len };
        let is_folder = header.kind == b'5' || name.ends_with('/');
        // A volume's name and a list of a folder's files are no files.
        if is_folder || is_litter(&name) || matches!(header.kind, b'V' | b'D') {
            return Step::more(BLOCK_LEN as u64);
        }
        let reason = match header.kind {
            _ if extra.is_sparse => "it is a sparse file, stored without its gaps".to_owned(),
            0 | b'0' | b'7' => {
                self.state = State::Data { left: size, pad };
                let stored_at = self.is_stored.then_some(self.at + BLOCK_LEN as u64);
                let path = self.inner(&name);
                return Step::part(
                    BLOCK_LEN,
                    Part::Begin(Member { path, size: Some(size), stored_at }),
                );
            }
            b'1' | b'2' => format!("it is a link to {link}, which is not followed"),
            b'3' | b'4' | b'6' => "it is a device or a pipe".to_owned(),
            b'S' => "it is a sparse file, stored without its gaps".to_owned(),
            _ => "its entry type is unknown".to_owned(),
        };
        Step::part(
            BLOCK_LEN,
            Part::Refused { path: self.inner(&name), refusal: Refusal::refused(reason) },
        )
    }

    fn inner(&self, name: &str) -> String {
        format!("{}/{}", self.path, name.strip_prefix("./").unwrap_or(name))
    }
}

/// As much of `left` as a piece has.
fn fitting(left: u64, len: usize) -> usize {
    usize::try_from(left).unwrap_or(usize::MAX).min(len)
}

/// What fills up the last block.
fn pad(size: u64) -> u64 {
    let block = BLOCK_LEN as u64;
    (block - size % block) % block
}
