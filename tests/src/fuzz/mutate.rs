//! Bytes changed as people, tools and transfers damage them, and as only chance would.

use crate::Random;

/// Bytes that readers stumble over.
const NASTY: [&[u8]; 44] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"'",
    b"\\",
    b",",
    b":",
    b"#",
    b"|",
    b"&a ",
    b"*a",
    b"\t",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\0",
    b"\xff",
    b"\xe2\x80\xa8",
    b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xfe\xff",
    b"NaN",
    b"-Infinity",
    b"\\ud800",
    b"\\u0000",
    b"/* a */",
    b"// a\n",
    b"...",
    b"```json\n",
    b"\n```\n",
    b"\n<<<<<<< a\n",
    b"\n||||||| a\n",
    b"\n=======\n",
    b"\n>>>>>>> b\n",
    b"\n---\n",
    b"\n...\n",
    b"\n- ",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    b"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":",
];

/// What a value may be replaced with.
const VALUES: [&str; 40] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "1.0",
    "1e0",
    "01",
    "+1",
    ".5",
    "5.",
    "1e400",
    "-1e400",
    "1e-400",
    "9007199254740991",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "340282366920938463463374607431768211456123456789.000000000000000000000000000000000001",
    "4294967296",
    "\"\"",
    "\" \"",
    "\"1\"",
    "\"three\"",
    "\"50%\"",
    "\"3/10\"",
    "\"NaN\"",
    "\"\\ud83d\"",
    "\"\\ude00\\ud83d\"",
    "\"2024-02-30T25:61:61Z\"",
    "\"2024-01-01T00:00:00+99:99\"",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    "{\"\":{\"\":0}}",
];

/// Longest input that is made: short ones say as much, and cost less.
const LONGEST: usize = 64 << 10;

/// Changes some bytes in some ways; `other` lends pieces of itself.
pub fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        once(bytes, other, random);
        bytes.truncate(LONGEST);
    }
}

fn once(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let to = at + random.below(bytes.len() + 1 - at);
    let near = at + (to - at).min(1 + random.below(9));
    match random.below(24) {
        0 => bytes.truncate(at),
        1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        2 => {
            let piece = bytes[at..to].to_vec();
            bytes.splice(at..at, piece);
        }
        3 => drop(bytes.drain(at..to)),
        4 => drop(bytes.drain(at..near)),
        5 => change_lines(bytes, random),
        6 => splice(bytes, other, random),
        7 => drop(bytes.drain(..at)),
        8 => change_all(bytes, random),
        9..=15 => change_token(bytes, other, random),
        _ => {
            let piece = NASTY[random.below(NASTY.len())];
            let end = if random.below(3) == 0 { near } else { at };
            bytes.splice(at..end, piece.iter().copied());
        }
    }
}

/// The beginning of one, the end of the other; or a piece of the other inside.
fn splice(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let from = random.below(other.len() + 1);
    if random.below(2) == 0 {
        bytes.truncate(at);
        bytes.extend(&other[from..]);
    } else {
        let to = from + random.below(other.len() + 1 - from);
        bytes.splice(at..at, other[from..to].iter().copied());
    }
}

/// Drops, doubles or moves lines.
fn change_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<_> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let at = random.below(lines.len());
    match random.below(4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.insert(at, b"<<<<<<< HEAD\n".to_vec()),
        _ => {
            for i in (1..lines.len()).rev() {
                lines.swap(i, random.below(i + 1));
            }
        }
    }
    *bytes = lines.concat();
}

/// Changes the whole text: its encoding, the ends of its lines, its quotes, what stands around it.
fn change_all(bytes: &mut Vec<u8>, random: &mut Random) {
    let units = || String::from_utf8_lossy(bytes).encode_utf16().collect::<Vec<_>>();
    let around = |before: &str, after: &str| [before.as_bytes(), bytes, after.as_bytes()].concat();
    *bytes = match random.below(12) {
        0 => units().into_iter().flat_map(u16::to_le_bytes).collect(),
        1 => units().into_iter().flat_map(u16::to_be_bytes).collect(),
        2 => [0xfeff].into_iter().chain(units()).flat_map(u16::to_le_bytes).collect(),
        3 => [0xfeff].into_iter().chain(units()).flat_map(u16::to_be_bytes).collect(),
        4 => replaced(bytes, b'\n', b"\r\n"),
        5 => replaced(bytes, b'\n', b"\r"),
        6 => replaced(bytes, b'\n', b" "),
        7 => replaced(bytes, b'"', b"'"),
        8 => serde_json::to_vec(&String::from_utf8_lossy(bytes)).expect("it is a text"),
        9 => around("[", "]"),
        10 => around("{\"iterations\":[", "],}"),
        _ => around("Here it is:\n```json\n", "\n```\n"),
    };
}

fn replaced(bytes: &[u8], old: u8, new: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .flat_map(|b| if *b == old { new } else { std::slice::from_ref(b) })
        .copied()
        .collect()
}

/// Replaces, doubles or removes a value or a name; a name may become one of the other file.
fn change_token(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let tokens = tokens(bytes);
    if tokens.is_empty() {
        return;
    }
    let (from, to) = tokens[random.below(tokens.len())];
    let names = self::tokens(other);
    let new = match random.below(8) {
        0 if !names.is_empty() => {
            let (from, to) = names[random.below(names.len())];
            other[from..to].to_vec()
        }
        1 => {
            let (from, to) = tokens[random.below(tokens.len())];
            bytes[from..to].to_vec()
        }
        2 => [b"[", &bytes[from..to], b",", &bytes[from..to], b"]"].concat(),
        3 => bytes[from..to].repeat(2),
        4 => replaced(&bytes[from..to], b'"', b""),
        _ => VALUES[random.below(VALUES.len())].as_bytes().to_vec(),
    };
    bytes.splice(from..to, new);
}

/// Where texts and words of JSON stand, roughly: it may be none.
fn tokens(bytes: &[u8]) -> Vec<(usize, usize)> {
    let is_of_word = |b: &u8| b.is_ascii_alphanumeric() || b"+-._%".contains(b);
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let len = if rest[0] == b'"' {
            let mut is_escaped = false;
            let end = rest[1..].iter().position(|b| {
                let is_end = *b == b'"' && !is_escaped;
                is_escaped = *b == b'\\' && !is_escaped;
                is_end
            });
            end.map_or(1, |end| end + 2)
        } else {
            rest.iter().take_while(|b| is_of_word(b)).count()
        };
        if len > 0 {
            tokens.push((at, at + len));
        }
        at += len.max(1);
    }
    tokens
}
