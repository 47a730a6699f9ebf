//! Blocks of code in Markdown: what stands between two lines of three backticks or tildes, or more.

/// A line that can begin or end a block of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence<'a> {
    mark: u8,
    len: usize,
    /// Columns in front of it.
    pub(crate) indent: usize,
    /// What stands behind it, such as the name of a language.
    info: &'a str,
}

impl<'a> Fence<'a> {
    pub(crate) fn of(line: &'a str) -> Option<Self> {
        let inner = line.trim();
        let mark = *inner.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let len = inner.bytes().take_while(|byte| *byte == mark).count();
        let info = inner.get(len..)?;
        (len >= 3).then_some(Self { mark, len, indent: indent(line), info })
    }

    /// Backticks behind backticks are code in a sentence.
    pub(crate) fn opens(self) -> bool {
        self.mark == b'~' || !self.info.contains('`')
    }

    pub(crate) fn is_closed_by(self, other: Self) -> bool {
        self.mark == other.mark && other.len >= self.len && other.info.is_empty()
    }
}

/// Columns of the white space that a line begins with.
pub(crate) fn indent(line: &str) -> usize {
    let space = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
    space.fold(0, |column, byte| if byte == b' ' { column + 1 } else { (column / 4 + 1) * 4 })
}

/// Blocks of code, each with its offset. The last one may have no end: it is as long as the text then.
pub(crate) fn code_blocks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut lines = text.split_inclusive('\n');
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut open: Option<(Fence<'_>, usize)> = None;
        for line in lines.by_ref() {
            let start = at;
            at += line.len();
            let Some(fence) = Fence::of(line) else { continue };
            match open {
                None if fence.opens() => open = Some((fence, at)),
                Some((opening, from)) if opening.is_closed_by(fence) => {
                    return Some((from, text.get(from..start)?));
                }
                _ => {}
            }
        }
        open.and_then(|(_, from)| Some((from, text.get(from..)?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_with_a_fence_of_its_own_kind_that_is_as_long() {
        for (text, blocks) in [
            ("a\n```\nb\n```\nc\n~~~ js\nd\n~~~~\n", &["b\n", "d\n"][..]),
            ("````\n```\n~~~~\n`````\n", &["```\n~~~~\n"]),
            ("~~~\n``` x\n~~~ x\n", &["``` x\n~~~ x\n"]),
            ("```\r\na\r\n  ```\r\n", &["a\r\n"]),
            ("``` `a` ```\n``\n~~\n", &[]),
            ("\t```\nx", &["x"]),
            ("```", &[""]),
            ("", &[]),
        ] {
            let found: Vec<_> = code_blocks(text).collect();
            assert_eq!(
                found.iter().map(|(_, block)| *block).collect::<Vec<_>>(),
                blocks,
                "{text:?}"
            );
            assert!(found.iter().all(|(at, block)| text[*at..].starts_with(block)), "{text:?}");
        }
        assert_eq!([indent("  a"), indent(" \ta"), indent("")], [2, 4, 0]);
    }
}
