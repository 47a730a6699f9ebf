//! Which archives there are, by their first bytes.

use super::export;
use super::tar::header;

/// A kind of archive (docs/spec/formats.md, "Archives and folders").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Zip,
    Tar,
    Gzip,
    /// Our own export: the records of each file are an entry.
    Export,
}

impl Kind {
    /// Looks at the first bytes of a file, of which 512 suffice.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            Some(Self::Zip)
        } else if head.starts_with(b"\x1f\x8b") {
            Some(Self::Gzip)
        } else if header::is_tar(head) {
            Some(Self::Tar)
        } else if export::version(head).is_some() {
            Some(Self::Export)
        } else {
            None
        }
    }

    /// What it is, for people.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Zip => "a zip archive",
            Self::Tar => "a tar archive",
            Self::Gzip => "gzip data",
            Self::Export => "an export of hindscope",
        }
    }
}

/// What systems leave in folders, and the store of a memory while somebody writes; nobody misses it.
pub(super) fn is_litter(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.split('/').any(|part| matches!(part, "__MACOSX" | ".hindscope"))
        || name.starts_with("._")
        || matches!(name, ".DS_Store" | "Thumbs.db" | ".gitkeep")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide() {
        assert_eq!(Kind::of(b"PK\x03\x04rest"), Some(Kind::Zip));
        assert_eq!(Kind::of(b"PK\x05\x06"), Some(Kind::Zip));
        assert_eq!(Kind::of(b"\x1f\x8b\x08"), Some(Kind::Gzip));
        for none in [&b""[..], b"PK", b"{\"a\":1}", &[0; 512], &[b' '; 512]] {
            assert_eq!(Kind::of(none), None);
        }
        let mut old = [0; 512];
        old[0] = b'a';
        old[148..156].copy_from_slice(b"000541\0 ");
        assert_eq!(Kind::of(&old), Some(Kind::Tar), "a valid checksum is enough");
        old[1] = b'b';
        assert_eq!(Kind::of(&old), None);
        old[257..262].copy_from_slice(b"ustar");
        assert_eq!(Kind::of(&old), Some(Kind::Tar), "and so is the word");
    }

    #[test]
    fn what_systems_leave_behind() {
        for litter in [
            "__MACOSX/a.json",
            "a/__MACOSX/b",
            "a/._b.json",
            ".DS_Store",
            "a/Thumbs.db",
            "a/.hindscope/lock",
        ] {
            assert!(is_litter(litter), "{litter}");
        }
        for wanted in [".aiwg/ralph/001.json", "a/.DS_Store/b", "gitkeep", "_MACOSX/a"] {
            assert!(!is_litter(wanted), "{wanted}");
        }
    }
}
