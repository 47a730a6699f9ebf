//! Bytes as numbers and as text, a row for sixteen of them.

use std::fmt::Write as _;

/// Bytes in a row.
const ROW: usize = 16;

/// A row of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HexRow {
    pub(super) offset: u64,
    /// Before the marked bytes, the marked ones, and behind them.
    pub(super) hex: [String; 3],
    pub(super) text: [String; 3],
}

/// Rows of bytes that begin at `start` of a file. Bytes of `marked` are set apart.
pub(super) fn rows(start: u64, bytes: &[u8], marked: (u64, u64)) -> Vec<HexRow> {
    let lead = usize::try_from(start % ROW as u64).unwrap_or(0);
    let first = start - lead as u64;
    // The first row is filled up, so that columns mean the same in all of them.
    let padded: Vec<Option<u8>> =
        std::iter::repeat_n(None, lead).chain(bytes.iter().copied().map(Some)).collect();
    let row = |(at, chunk): (usize, &[Option<u8>])| {
        let offset = first + (at * ROW) as u64;
        let mut row = HexRow { offset, hex: Default::default(), text: Default::default() };
        for (i, byte) in chunk.iter().enumerate() {
            let place = offset + i as u64;
            let part = if place < marked.0 { 0 } else { 1 + usize::from(place >= marked.1) };
            let gap = if i == ROW / 2 { "  " } else { " " };
            let _ = match byte {
                Some(byte) => write!(row.hex[part], "{gap}{byte:02x}"),
                None => write!(row.hex[part], "{gap}  "),
            };
            row.text[part].push(byte.map_or(' ', shown));
        }
        row
    };
    padded.chunks(ROW).enumerate().map(row).collect()
}

/// A byte as a character of its own: control characters and bytes above ASCII are points.
fn shown(byte: u8) -> char {
    if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '\u{b7}' }
}

/// The bytes to show of a file: those around a place, and whole rows of them.
pub(super) fn around(at: u64, before: u64, behind: u64) -> (u64, u64) {
    let row = ROW as u64;
    (at.saturating_sub(before) / row * row, (at + behind).div_ceil(row) * row)
}

/// The same as text to copy.
pub(super) fn dump(rows: &[HexRow]) -> String {
    let mut text = String::new();
    for row in rows {
        let hex = row.hex.concat();
        let _ = writeln!(text, "{:08x} {hex:<49}  {}", row.offset, row.text.concat());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stand_at_their_offsets() {
        let rows = rows(14, b"a\nb\xff", (15, 16));
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].offset, 0);
        assert_eq!(rows[0].hex[0].len(), 15 * 3 + 1);
        assert!(rows[0].hex[0].ends_with(" 61"));
        assert_eq!((rows[0].hex[1].as_str(), rows[0].text[1].as_str()), (" 0a", "\u{b7}"));
        assert_eq!((rows[1].offset, rows[1].hex[2].as_str()), (16, " 62 ff"));
        assert_eq!(rows[1].text[2], "b\u{b7}");
        let text = dump(&rows);
        assert!(text.starts_with("00000000 ") && text.ends_with("  b\u{b7}\n"), "{text}");
        assert_eq!(text.lines().next().map(|line| line.chars().count()), Some(8 + 1 + 49 + 2 + 16));
    }

    #[test]
    fn whole_rows_around_a_place() {
        assert_eq!(around(5, 48, 80), (0, 96));
        assert_eq!(around(100, 48, 80), (48, 192));
    }
}
