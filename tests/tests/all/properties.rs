//! Laws over broken input: fixtures cut, flipped, doubled and spliced by a seeded generator.
//!
//! Whatever the bytes are: nothing panics, slices of any length give the same answers, every
//! record is kept or skipped with a reason, and findings point into the source.

use hindscope::{Finding, History, Profile, Schema, SourceState, Validator, validate_as};
use hindscope_tests::{Input, Random, dump, fixtures, open};
use serde_json::Value;

/// Mutants made of each fixture. `HINDSCOPE_MUTANTS` asks for more.
const MUTANTS: usize = 4;

/// Bytes that readers stumble over.
const NASTY: [&[u8]; 20] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b",",
    b":",
    b"\n",
    b"\r",
    b"NaN",
    b"\\ud800",
    b"\xff",
    b"\0",
    b"\xef\xbb\xbf",
    b"\n<<<<<<< a\n",
    b"\n=======\n",
    b"\n>>>>>>> b\n",
    b"\n---\n",
    b"\n- ",
];

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        let to = at + random.below(bytes.len() + 1 - at);
        match random.below(10) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => {
                let piece = bytes[at..to].to_vec();
                bytes.splice(at..at, piece);
            }
            3 => drop(bytes.drain(at..to)),
            4 => drop(bytes.drain(at..at + (to - at).min(9))),
            5 => shuffle_lines(bytes, random),
            6 => drop_line(bytes, random),
            _ => {
                let piece = NASTY[random.below(NASTY.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
        }
    }
}

/// Lines with their breaks.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
}

fn shuffle_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines = lines(bytes);
    for i in (1..lines.len()).rev() {
        lines.swap(i, random.below(i + 1));
    }
    *bytes = lines.concat();
}

fn drop_line(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines = lines(bytes);
    if !lines.is_empty() {
        lines.remove(random.below(lines.len()));
    }
    *bytes = lines.concat();
}

/// A finding about a value says what it expects and what stands there.
fn says_what_it_should(finding: &Finding) -> bool {
    let is_of_value = ["strict/", "lenient/", "rm/"].iter().any(|a| finding.rule.starts_with(a));
    !is_of_value || (finding.expected.is_some() && finding.found.is_some())
}

/// Whatever a record is said to be, and whatever the schema: an answer that makes sense.
fn judge(bytes: &[u8], own: &Validator, name: &str) {
    let profiles = [Profile::Strict, Profile::Lenient];
    let ours = Schema::ALL.into_iter().flat_map(|s| profiles.map(|p| validate_as(bytes, s, p)));
    for answer in ours.chain([own.validate(bytes)]) {
        assert!(answer.valid || !answer.findings.is_empty(), "{name}: invalid without a word");
        assert!(answer.findings.is_sorted_by_key(|f| f.offset), "{name}: out of order");
        for finding in &answer.findings {
            assert!(says_what_it_should(finding), "{name}: {finding:?}");
            let at = finding.offset.expect("findings of a record have places");
            assert!(at <= bytes.len() as u64, "{name}: {finding:?}");
        }
    }
}

fn check(history: &History, files: &[Input], name: &str) {
    let sources = history.sources();
    let opened = sources.iter().filter(|source| !source.id.is_carried());
    let kept: u32 = opened.map(|s| s.kept).sum();
    assert_eq!(
        usize::try_from(kept).expect("small"),
        history.record_count(),
        "{name}: kept records"
    );
    let added = history.added();
    assert_eq!(added.sources, u32::try_from(files.len()).expect("few"), "{name}");
    assert_eq!(added.kept, u64::from(kept), "{name}");
    assert_eq!(added.skipped, sources.iter().map(|s| u64::from(s.skipped)).sum::<u64>(), "{name}");
    assert_eq!(added.bytes, files.iter().map(|f| f.bytes.len() as u64).sum::<u64>(), "{name}");
    assert!(added.repaired <= added.kept && added.refused <= added.sources, "{name}: {added:?}");
    let findings = history.findings();
    for source in &sources {
        assert!(source.repaired <= source.kept, "{name}: {source:?}");
        let is_said = findings.iter().any(|f| f.source == Some(source.id));
        assert!(source.skipped == 0 || is_said, "{name}: skipped without a finding: {source:?}");
        let needs_reason = matches!(source.state, SourceState::Raw | SourceState::Refused);
        assert!(!needs_reason || source.reason.is_some(), "{name}: no reason: {source:?}");
    }
    for finding in &findings {
        let source = finding.source.expect("every finding names its source");
        if source.is_carried() {
            continue;
        }
        let len = files[source.0 as usize].bytes.len() as u64;
        assert!(finding.offset.is_some_and(|at| at <= len), "{name}: {finding:?} in {len} bytes");
        assert!(finding.line.is_some_and(|n| n > 0) && finding.column.is_some_and(|n| n > 0));
        assert!(says_what_it_should(finding), "{name}: {finding:?}");
    }
    let attempts: u32 = history.runs().iter().map(|r| r.iterations).sum();
    let listed: usize =
        history.runs().iter().map(|r| history.run(r.id).map_or(0, |r| r.numbers().len())).sum();
    assert_eq!(usize::try_from(attempts).expect("small"), listed, "{name}: iterations");
}

/// The first place where two dumps differ.
fn difference(path: &str, a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => x
            .iter()
            .find_map(|(name, value)| difference(&format!("{path}/{name}"), value, &y[name])),
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            let mut pairs = x.iter().zip(y).enumerate();
            pairs.find_map(|(i, (v, w))| difference(&format!("{path}/{i}"), v, w))
        }
        _ => (a != b).then(|| format!("{path}: {a} and {b}")),
    }
}

#[test]
fn broken_input_keeps_the_laws() {
    let rounds =
        std::env::var("HINDSCOPE_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(MUTANTS);
    let own = r#"{"type": "object", "required": ["iteration"], "unevaluatedProperties": false,
        "properties": {"iteration": {"maximum": 1}, "timestamp": {"format": "date"}}}"#;
    let own = Validator::new(own).expect("a schema");
    for fixture in fixtures().expect("fixtures can be read") {
        for round in 0..rounds {
            let seed = fixture
                .name
                .bytes()
                .fold(round as u64 + 1, |s, b| s.wrapping_mul(31) + u64::from(b));
            let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
            let mut files = fixture.files.clone();
            let which = random.below(files.len());
            mutate(&mut files[which].bytes, &mut random);
            if files.len() > 1 && random.below(4) == 0 {
                let other = random.below(files.len());
                files.swap(which, other);
            }
            let name = format!("{} mutant {round}", fixture.name);
            let whole = dump(&files, usize::MAX);
            check(&open(&files, usize::MAX), &files, &name);
            judge(&files[which].bytes, &own, &name);
            // One byte at a time is slow, and is tried of every third.
            let tiny = if round % 3 == 0 { 1 } else { 7 };
            for slice in [tiny, 1 + random.below(300)] {
                let sliced = dump(&files, slice);
                if let Some(difference) = difference("", &whole, &sliced) {
                    panic!("{name}: slices of {slice} differ: {difference}");
                }
            }
        }
    }
}
