//! Where lines begin in a part of a file.

/// Where in `bytes`, which begin at `first`, the line ends that holds the byte before `at`. With
/// `is_all` there are no more bytes: a line at their end that does not end is left out.
pub(super) fn border(bytes: &[u8], first: u64, at: u64, is_all: bool) -> Option<usize> {
    let last = within(at, first, bytes);
    let ends = || bytes.iter().rposition(|b| *b == b'\n').map(|at| at + 1);
    last.or_else(|| ends().filter(|_| is_all))
}

/// Where the line after the one that holds the byte before `at` begins.
pub(super) fn within(at: u64, first: u64, bytes: &[u8]) -> Option<usize> {
    let from = offset(first, at.checked_sub(1)?);
    let hit = bytes.get(from..)?.iter().position(|b| *b == b'\n')?;
    Some(from + hit + 1)
}

pub(super) fn offset(first: u64, at: u64) -> usize {
    usize::try_from(at.saturating_sub(first)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_meet_have_lines_that_meet() {
        let text = b"one\ntwo\n\nthree\nfour";
        for at in 1..=text.len() as u64 {
            let own = border(text, 0, at, true).expect("lines end");
            assert!(text[..own].ends_with(b"\n"), "{at}");
            assert!(own as u64 >= at || own == 15, "{at}: {own}");
            for first in 0..at {
                let seen = &text[usize::try_from(first).expect("small")..];
                let later = border(seen, first, at, true).map(|end| end as u64 + first);
                assert_eq!(later.unwrap_or(15), own as u64, "{at} from {first}");
            }
        }
        assert_eq!(border(text, 0, 4, false), Some(4), "the byte before ends a line");
        assert_eq!(border(text, 0, 5, false), Some(8));
        assert_eq!(border(text, 0, 16, false), None, "more may come");
        assert_eq!(border(b"none", 0, 2, true), None);
    }
}
