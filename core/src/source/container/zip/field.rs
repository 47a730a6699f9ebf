//! Numbers and names as zip writes them.

/// What code page 437 has above ASCII: the names of zips without any other sign.
const HIGH: [char; 128] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', 'É', 'æ', 'Æ',
    'ô', 'ö', 'ò', 'û', 'ù', 'ÿ', 'Ö', 'Ü', '¢', '£', '¥', '₧', 'ƒ', 'á', 'í', 'ó', 'ú', 'ñ', 'Ñ',
    'ª', 'º', '¿', '⌐', '¬', '½', '¼', '¡', '«', '»', '░', '▒', '▓', '│', '┤', '╡', '╢', '╖', '╕',
    '╣', '║', '╗', '╝', '╜', '╛', '┐', '└', '┴', '┬', '├', '─', '┼', '╞', '╟', '╚', '╔', '╩', '╦',
    '╠', '═', '╬', '╧', '╨', '╤', '╥', '╙', '╘', '╒', '╓', '╫', '╪', '┘', '┌', '█', '▄', '▌', '▐',
    '▀', 'α', 'ß', 'Γ', 'π', 'Σ', 'σ', 'µ', 'τ', 'Φ', 'Θ', 'Ω', 'δ', '∞', 'φ', 'ε', '∩', '≡', '±',
    '≥', '≤', '⌠', '⌡', '÷', '≈', '°', '∙', '·', '√', 'ⁿ', '²', '■', '\u{a0}',
];

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// A name as text. Many writers store UTF-8 and do not say so; nothing else looks like it.
pub(super) fn name(bytes: &[u8], is_windows: bool) -> String {
    let name = match std::str::from_utf8(bytes) {
        Ok(name) => name.to_owned(),
        Err(_) => bytes
            .iter()
            .map(|&byte| match byte.checked_sub(0x80) {
                Some(high) => HIGH.get(usize::from(high)).copied().unwrap_or('?'),
                None => char::from(byte),
            })
            .collect(),
    };
    // Windows' own packer wrote its own separators for years.
    // A name that leads out of its folder is shown as it is stored.
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    let is_inside = !has_drive && !name.starts_with('\\') && !name.split('\\').any(|s| s == "..");
    if is_windows && is_inside && !name.contains('/') { name.replace('\\', "/") } else { name }
}

/// The 64-bit numbers of the extra field, for those of the header that are too small to hold them.
pub(super) fn widen(extra: &[u8], fields: &mut [&mut u64]) {
    let mut rest = extra;
    while let (Some(id), Some(len)) = (u16_at(rest, 0), u16_at(rest, 2)) {
        let end = 4 + usize::from(len);
        if id == 1 {
            let mut values = rest.get(4..end.min(rest.len())).unwrap_or_default();
            for field in fields.iter_mut().filter(|field| ***field == u64::from(u32::MAX)) {
                let Some(value) = u64_at(values, 0) else { return };
                **field = value;
                values = values.get(8..).unwrap_or_default();
            }
            return;
        }
        rest = rest.get(end..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(name(b"caf\x82.json", false), "café.json");
        assert_eq!(name("caf\u{e9}.json".as_bytes(), false), "café.json");
        assert_eq!(name(b"\xe0\xea\xff", false), "αΩ\u{a0}");
        assert_eq!(name(b"runs\\a.json", true), "runs/a.json");
        assert_eq!(name(b"runs\\a.json", false), "runs\\a.json");
        for outside in ["C:\\runs\\a.json", "..\\a.json", "runs\\..\\..\\a", "\\\\host\\a", "\\a"] {
            assert_eq!(name(outside.as_bytes(), true), outside, "shown as it is stored");
        }
    }

    #[test]
    fn wide_numbers_replace_only_what_is_too_small() {
        let mut extra = vec![9, 0, 1, 0, 7, 1, 0, 16, 0];
        extra.extend(5u64.to_le_bytes());
        extra.extend(6u64.to_le_bytes());
        let (mut size, mut packed, mut at) = (u64::from(u32::MAX), 3, u64::from(u32::MAX));
        widen(&extra, &mut [&mut size, &mut packed, &mut at]);
        assert_eq!((size, packed, at), (5, 3, 6));
        widen(&extra[..12], &mut [&mut size]);
        widen(&[1, 0], &mut [&mut size]);
    }
}
