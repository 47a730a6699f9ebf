use super::*;
use crate::read::read;

fn bounded(pattern: &str, flags: &str) -> Bounded {
    Bounded::new(&read(pattern, flags).unwrap_or_else(|| panic!("{pattern} is not read")))
}

fn matches(pattern: &str, text: &str) -> Result<bool, TooMany> {
    bounded(pattern, "u").is_match(text)
}

/// Numbers that look like chance and are the same every time.
fn chance(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    usize::try_from(*seed >> 33).expect("31 bits") % below
}

#[test]
fn says_what_the_other_engine_says() {
    let pieces = [
        "a", "b", ".", "[ab]", "\\d", "(", "(", "(?:", ")", ")", ")", "|", "*", "+", "?", "*?",
        "+?", "{2}", "{1,2}", "{0,}", "{1,2}?", "^", "$", "\\b", "(?=", "(?!", "(?<=", "(?<!", "é",
        "\\1", "\\1", "\\2", "(?<n>", "\\k<n>", "(?i:", "(?-i:", "(?s:", "(?m:", "A",
    ];
    let letters = ["a", "b", "A", "1", " ", "é", "É", "\n"];
    let mut seed = 5;
    let mut tried = 0;
    while tried < 8_000 {
        let len = 1 + chance(&mut seed, 10);
        let pattern: String = (0..len).map(|_| pieces[chance(&mut seed, pieces.len())]).collect();
        let flags = if chance(&mut seed, 4) == 0 { "" } else { "u" };
        let Ok(engine) = regress::Regex::with_flags(&pattern, flags) else { continue };
        let bounded = bounded(&pattern, flags);
        tried += 1;
        for _ in 0..12 {
            let len = chance(&mut seed, 7);
            let text: String =
                (0..len).map(|_| letters[chance(&mut seed, letters.len())]).collect();
            let expected = engine.find(&text).is_some();
            assert_eq!(bounded.is_match(&text), Ok(expected), "/{pattern}/{flags} on {text:?}");
        }
    }
}

/// Answers of V8 to `new RegExp(pattern, "u").test(text)`.
#[test]
fn references_back_mean_what_javascript_means() {
    for (pattern, text, expected) in [
        (r"^(a+)\1$", "aaaa", true),
        (r"^(a+)\1$", "aaa", false),
        (r"^(?:(a)|b)*\1$", "ab", true),
        (r"^(?:(a)|b)*\1$", "aba", false),
        (r"^\1(a)$", "a", true),
        (r"^(?=(a+))a*b\1$", "aaba", false),
        (r"(?=(a+))a*b\1", "baaabac", true),
        (r"^(?!(a))\1b$", "b", true),
        (r"(?<=\1(.))c$", "aac", true),
        (r"(?<=\1(.))c$", "abc", false),
        // A required round may take nothing, and the next one something.
        (r"^(\1(?=a)|a){2}$", "a", true),
        (r"^(\1(?=a)|a){2}$", "aa", true),
        (r"^(\1(?=a)|a){2}$", "aaa", false),
        (r"^(?<q>['“]).*\k<q>$", "'x'", true),
        (r"^(?i:(é)\1)$", "éÉ", true),
        (r"^(?i:(é))\1$", "éÉ", false),
        (r"^(a?)*?\1$", "aa", true),
        (r"^(?:(x)?){3}\1y$", "xxy", true),
    ] {
        assert_eq!(matches(pattern, text), Ok(expected), "{pattern} on {text:?}");
    }
}

#[test]
fn it_gives_up_after_so_many_steps() {
    let long = format!("{}!", "a".repeat(60));
    for pattern in [r"^(a+)+\1$", r"^(a|a)*\1$", r"^(?=(a+)+\1$)", r"^(?:(a*)*\1)*$"] {
        assert_eq!(matches(pattern, &long), Err(TooMany), "{pattern}");
    }
    // Nothing of what a shorter text takes is missed, and a long one is no deep stack.
    assert_eq!(matches(r"^(a)\1*$", &"a".repeat(500_000)), Ok(true));
    assert_eq!(matches(r"(\w+) \1$", "the the"), Ok(true));
    assert_eq!(matches("^(?:){1000000000}$", ""), Ok(true));
    // Where the order of rounds matters, each is tried.
    assert_eq!(matches("^(?:^|a){2}$", "a"), Ok(true));
    assert_eq!(matches(r"^()(?:){1000000000}\1$", ""), Err(TooMany));
}
