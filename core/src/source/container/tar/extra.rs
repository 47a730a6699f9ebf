//! What stands before a header and adds to it: long names, and records of POSIX's pax.

use super::header;

/// Longer than this is no name.
pub(super) const MAX_LEN: u64 = 1 << 20;

/// Kinds of blocks that add to the next header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExtraKind {
    LongName,
    LongLink,
    Pax,
    /// Of all headers that follow.
    PaxGlobal,
}

impl ExtraKind {
    pub(super) const fn of(kind: u8) -> Option<Self> {
        match kind {
            b'L' => Some(Self::LongName),
            b'K' => Some(Self::LongLink),
            b'x' | b'X' => Some(Self::Pax),
            b'g' => Some(Self::PaxGlobal),
            _ => None,
        }
    }
}

/// What was added so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Extra {
    pub(super) path: Option<String>,
    pub(super) link: Option<String>,
    pub(super) size: Option<u64>,
    pub(super) is_sparse: bool,
}

impl Extra {
    pub(super) fn add(&mut self, kind: ExtraKind, bytes: &[u8]) {
        match kind {
            ExtraKind::LongName => self.path = Some(header::text(bytes)),
            ExtraKind::LongLink => self.link = Some(header::text(bytes)),
            ExtraKind::Pax | ExtraKind::PaxGlobal => self.pax(bytes),
        }
    }

    /// What is said of all headers, where nothing was said of this one.
    pub(super) fn or(self, global: &Self) -> Self {
        Self {
            path: self.path.or_else(|| global.path.clone()),
            link: self.link.or_else(|| global.link.clone()),
            size: self.size.or(global.size),
            is_sparse: self.is_sparse || global.is_sparse,
        }
    }

    /// Lines of the form `30 path=a name`, the number counting the whole line.
    fn pax(&mut self, mut bytes: &[u8]) {
        while let Some((line, rest)) = first_line(bytes) {
            bytes = rest;
            let Some((key, value)) = line.split_once('=') else { continue };
            match key {
                "path" => self.path = Some(value.to_owned()),
                "linkpath" => self.link = Some(value.to_owned()),
                "size" => self.size = value.parse().ok(),
                _ if key.starts_with("GNU.sparse.") => self.is_sparse = true,
                _ => {}
            }
        }
    }
}

fn first_line(bytes: &[u8]) -> Option<(String, &[u8])> {
    let blank = memchr::memchr(b' ', bytes)?;
    let len: usize = std::str::from_utf8(bytes.get(..blank)?).ok()?.parse().ok()?;
    let (line, rest) = bytes.split_at_checked(len)?;
    let line = line.get(blank + 1..)?.strip_suffix(b"\n")?;
    Some((String::from_utf8_lossy(line).into_owned(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pax_records() {
        let mut extra = Extra::default();
        extra.add(
            ExtraKind::Pax,
            "15 path=a = \u{e9}\n13 size=12345\n17 comment=x\ny=\n".as_bytes(),
        );
        assert_eq!(extra.path.as_deref(), Some("a = \u{e9}"));
        assert_eq!(extra.size, None, "the second line says a wrong length");
        let mut extra = Extra::default();
        extra.add(ExtraKind::Pax, b"14 size=12345\n21 GNU.sparse.major=1\n");
        assert_eq!((extra.size, extra.is_sparse), (Some(12345), false));
        extra.add(ExtraKind::Pax, b"22 GNU.sparse.major=1\n");
        assert!(extra.is_sparse);
        for broken in [&b""[..], b"x", b"5 a", b"99999999999999999999999 a=b\n", b"4 ab\n", b"3 a"]
        {
            extra.add(ExtraKind::Pax, broken);
        }
    }
}
