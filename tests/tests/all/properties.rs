//! Laws over broken input: fixtures cut, flipped, doubled and spliced by a seeded generator.
//!
//! Whatever the bytes are: nothing panics, slices of any length give the same answers, every
//! record is kept or skipped with a reason, and findings point into the source. `cargo xtask
//! fuzz` looks for input that breaks them for as long as one likes.

use hindscope_tests::fuzz::{TARGETS, corpus, difference, mutate};
use hindscope_tests::{Random, dump, fixtures};

/// Mutants made of each fixture. `HINDSCOPE_MUTANTS` asks for more.
const MUTANTS: usize = 2;

#[test]
fn broken_input_keeps_the_laws() {
    let rounds =
        std::env::var("HINDSCOPE_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(MUTANTS);
    for fixture in fixtures().expect("fixtures can be read") {
        for round in 0..rounds {
            let seed = fixture
                .name
                .bytes()
                .fold(round as u64 + 1, |s, b| s.wrapping_mul(31) + u64::from(b));
            let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
            let mut files = fixture.files.clone();
            let which = random.below(files.len());
            let other = files[random.below(files.len())].bytes.clone();
            mutate(&mut files[which].bytes, &other, &mut random);
            let name = format!("{} mutant {round}", fixture.name);
            let whole = dump(&files, usize::MAX);
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

#[test]
fn what_the_fuzzer_found_keeps_the_laws() {
    let mut random = Random::of(1);
    for target in &TARGETS {
        let corpus = corpus(target).expect("it is in the repository");
        assert!(corpus.len() > 20, "{} has no corpus", target.name);
        for (at, input) in corpus.iter().enumerate() {
            let mut changed = input.clone();
            mutate(&mut changed, &corpus[random.below(corpus.len())], &mut random);
            for bytes in [input, &changed] {
                // Said of a test that fails.
                println!(
                    "{}, line {}: {:?}",
                    target.name,
                    at + 1,
                    bytes.escape_ascii().to_string()
                );
                (target.run)(bytes);
            }
        }
    }
}
