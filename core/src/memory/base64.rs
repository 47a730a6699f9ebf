//! Bytes that are no text, as text (RFC 4648, with padding).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn write(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let part = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = part(0) << 16 | part(1) << 8 | part(2);
        for at in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * at) & 63) as usize);
            text.push(if at > chunk.len() { '=' } else { letter.copied().map_or('=', char::from) });
        }
    }
    text
}

pub(super) fn read(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut chunks = text.as_bytes().chunks(4).peekable();
    while let Some(chunk) = chunks.next() {
        let is_last = chunks.peek().is_none();
        let letters = chunk.iter().take_while(|b| **b != b'=').count();
        let is_padded = chunk.get(letters..)?.iter().all(|b| *b == b'=');
        if chunk.len() != 4 || letters < 2 || !is_padded || (letters < 4 && !is_last) {
            return None;
        }
        let mut bits = 0_u32;
        for letter in chunk.get(..letters)? {
            let value = LETTERS.iter().position(|l| l == letter)?;
            bits = bits << 6 | u32::try_from(value).ok()?;
        }
        bits <<= 6 * (4 - letters);
        let [_, a, b, c] = bits.to_be_bytes();
        bytes.extend([a, b, c].iter().take(letters - 1));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(write(bytes.as_bytes()), text);
            assert_eq!(read(text).as_deref(), Some(bytes.as_bytes()));
        }
        for text in ["Z", "Zg", "Zg=", "Zg==Zg==", "Z===", "Zm9!", "=Zg="] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
