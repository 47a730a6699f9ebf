//! Looks at the bytes of a text in blocks: finds what ends or interrupts a string, and compares names.

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 16;

/// A bit for each byte that is a quote, a backslash or a control character, the first byte lowest.
#[cfg(target_feature = "simd128")]
#[inline]
pub(super) fn specials(block: &[u8; BLOCK]) -> u16 {
    use core::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u64x2, v128_or};
    let ([low, high], _) = block.as_chunks::<8>() else { return 0 };
    let block = u64x2(u64::from_le_bytes(*low), u64::from_le_bytes(*high));
    let quote = u8x16_eq(block, u8x16_splat(b'"'));
    let slash = u8x16_eq(block, u8x16_splat(b'\\'));
    let control = u8x16_lt(block, u8x16_splat(b' '));
    u8x16_bitmask(v128_or(v128_or(quote, slash), control))
}

#[cfg(not(target_feature = "simd128"))]
#[inline]
pub(super) fn specials(block: &[u8; BLOCK]) -> u16 {
    let (words, _) = block.as_chunks::<8>();
    words.iter().rev().fold(0, |hits, word| hits << 8 | u16::from(words::specials(*word)))
}

/// Eight bytes as one number, where the target has no instructions for more.
#[cfg(not(target_feature = "simd128"))]
mod words {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const LOWS: u64 = ONES * 0x7F;
    const HIGHS: u64 = ONES * 0x80;

    /// A bit for each byte that is a quote, a backslash or a control character.
    #[inline]
    pub(super) fn specials(word: [u8; 8]) -> u8 {
        let word = u64::from_le_bytes(word);
        let is_not = |other: u64| (other & LOWS).wrapping_add(LOWS) | other;
        let quote = is_not(word ^ (ONES * u64::from(b'"')));
        let slash = is_not(word ^ (ONES * u64::from(b'\\')));
        // A byte below 0x20 does not reach the high bit with 0x60 more.
        let control = (word & LOWS).wrapping_add(ONES * 0x60) | word;
        let hits = !(quote & slash & control) & HIGHS;
        // Gathers the high bits in the topmost byte, the first byte's lowest.
        ((hits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }
}

/// The block at an offset. Control characters fill what is behind the end of the text.
#[inline]
pub(super) fn block_at(text: &[u8], at: usize) -> [u8; BLOCK] {
    let rest = text.get(at..).unwrap_or_default();
    rest.first_chunk().copied().unwrap_or_else(|| last_block(rest))
}

#[cold]
fn last_block(rest: &[u8]) -> [u8; BLOCK] {
    let mut last = [0; BLOCK];
    for (place, byte) in last.iter_mut().zip(rest) {
        *place = *byte;
    }
    last
}

/// A member's name as it is written, with its quotes and the colon, made ready to be compared.
#[derive(Debug)]
pub(crate) struct Quoted {
    written: Box<[u8]>,
    /// Its first bytes, and a mask of those that count.
    head: u128,
    mask: u128,
    /// Its last bytes, where it is longer than a block.
    tail: u128,
}

impl Quoted {
    pub(crate) fn new(name: &str) -> Self {
        let written: Box<[u8]> = format!("\"{name}\":").into_bytes().into();
        let bits = u32::try_from(written.len() * 8).unwrap_or(u32::MAX);
        let mask = u128::MAX.checked_shl(bits).map_or(u128::MAX, |beyond| !beyond);
        let block = |at| u128::from_le_bytes(block_at(&written, at));
        let (head, tail) = (block(0), block(written.len().saturating_sub(BLOCK)));
        Self { head: head & mask, mask, tail, written }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.written.len()
    }

    /// Whether a text has it at an offset. Nearly all names take one or two comparisons.
    #[inline]
    pub(super) fn begins(&self, text: &[u8], at: usize) -> bool {
        let block = |at| u128::from_le_bytes(block_at(text, at));
        if (block(at) ^ self.head) & self.mask != 0 {
            return false;
        }
        let len = self.len();
        len <= BLOCK
            || (block(at + len - BLOCK) == self.tail
                && (len <= 2 * BLOCK || text.get(at..at + len) == Some(&*self.written)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_specials_in_every_lane() {
        for byte in 0..=u8::MAX {
            let is_special = byte == b'"' || byte == b'\\' || byte < 0x20;
            for lane in 0..BLOCK {
                for around in [b'a', 0x7F, 0x80, 0xFF, b'!', b'#', b']', b'\''] {
                    let mut block = [around; BLOCK];
                    block[lane] = byte;
                    let expected = if is_special { 1 << lane } else { 0 };
                    assert_eq!(specials(&block), expected, "{byte} among {around}");
                }
            }
        }
        assert_eq!(specials(&[b'"'; BLOCK]), u16::MAX);
    }

    #[test]
    fn names_are_compared_whole() {
        for len in 0..40 {
            let name: String = ('0'..='9').cycle().take(len).collect();
            let quoted = Quoted::new(&name);
            let written = format!("\"{name}\":");
            assert_eq!(quoted.len(), written.len());
            for behind in ["", "1", "\"a longer text that goes on\""] {
                let json = format!("{written}{behind}");
                assert!(quoted.begins(json.as_bytes(), 0), "{name}");
                assert!(quoted.begins(format!("[{json}").as_bytes(), 1), "{name}");
                for at in 0..written.len() {
                    let mut other = json.clone();
                    other.replace_range(at..=at, "~");
                    assert!(!quoted.begins(other.as_bytes(), 0), "{name} in {other}");
                    assert!(!quoted.begins(&json.as_bytes()[..at], 0), "{name} cut at {at}");
                }
            }
        }
    }
}
