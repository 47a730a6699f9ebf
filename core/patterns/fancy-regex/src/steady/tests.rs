use super::*;
use crate::read::read;

fn steady(pattern: &str) -> Option<(Steady, Risk)> {
    Steady::new(&read(pattern, "u")?)
}

/// Numbers that look like chance and are the same every time.
fn chance(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    usize::try_from(*seed >> 33).expect("31 bits") % below
}

#[test]
fn says_what_the_other_engine_says() {
    let pieces = [
        "a", "b", ".", "[ab]", "[^a]", "\\d", "\\w", "(", "(?:", ")", ")", "|", "*", "+", "?",
        "{2}", "{1,2}", "{0,}", "^", "$", "\\b", "\\B", "(?=", "(?!", "(?<=", "(?<!", "é", "*?",
        "\\u{e9}", "\\x61", "(?<n>", "\\p{L}", "\\.", "\\s", "(?i:", "(?-i:", "(?s:", "(?m:", "A",
    ];
    let letters = ["a", "b", "1", " ", "é", ".", "\n", "😀"];
    let mut seed = 11;
    let mut tried = 0;
    while tried < 4_000 {
        let len = 1 + chance(&mut seed, 9);
        let pattern: String = (0..len).map(|_| pieces[chance(&mut seed, pieces.len())]).collect();
        let Ok(engine) = regress::Regex::with_flags(&pattern, "u") else { continue };
        let Some((steady, _)) = steady(&pattern) else { panic!("{pattern} is not read") };
        tried += 1;
        for _ in 0..12 {
            let len = chance(&mut seed, 7);
            let text: String =
                (0..len).map(|_| letters[chance(&mut seed, letters.len())]).collect();
            let expected = engine.find(&text).is_some();
            assert_eq!(steady.is_match(&text), Some(expected), "{pattern} on {text:?}");
        }
    }
}

#[test]
fn what_cannot_be_walked_is_left_to_the_other_engine() {
    for pattern in [r"(a)\1", r"(?<n>a)\k<n>", "(?:a{1000}){1000}", "a{99999}"] {
        assert!(steady(pattern).is_none(), "{pattern}");
    }
    assert!(steady("(?:){99999999999}").is_some());
}

#[test]
fn long_expressions_over_long_texts_are_given_up() {
    let (steady, _) = steady("(?:a?b?){4000}c$").expect("walkable");
    assert_eq!(steady.is_match(&"ab".repeat(200_000)), None);
    assert_eq!(steady.is_match("abc"), Some(true));
}

#[test]
fn risk_is_what_goes_back_and_forth() {
    for (pattern, len, is_low) in [
        ("^ralph$", 1 << 20, true),
        ("^ralph-[a-z]+$", 200, true),
        ("^ralph-[a-z]+$", 300, false),
        ("^a*b*c*$", 10, false),
        ("^(a+)+$", 10, false),
        ("^(a|a)*$", 10, false),
        ("^(?=(a+)+$)", 10, false),
    ] {
        let (_, risk) = steady(pattern).expect("walkable");
        assert_eq!(risk.is_low(len), is_low, "{pattern}");
    }
}
