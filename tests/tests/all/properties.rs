//! Laws over broken input: fixtures cut, flipped, doubled and spliced by a seeded generator.
//!
//! Whatever the bytes are: nothing panics, slices of any length give the same answers, every
//! record is kept or skipped with a reason, and findings point into the source. The program
//! `hindscope-fuzz` holds the same laws over other input for as long as one likes.

use hindscope::Validator;
use hindscope_tests::fuzz::{Fuzzer, difference, keep, mutate};
use hindscope_tests::{Random, dump, fixtures};

/// Mutants made of each fixture. `HINDSCOPE_MUTANTS` asks for more.
const MUTANTS: usize = 2;

/// Inputs that the fuzzer makes.
const INPUTS: usize = 200;

/// A schema of one's own.
const OWN: &str = r#"{"type": "object", "required": ["iteration"], "unevaluatedProperties": false,
    "properties": {"iteration": {"maximum": 1}, "timestamp": {"format": "date"}}}"#;

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
fn inputs_of_the_fuzzer_keep_the_laws() {
    let own = Validator::new(OWN).expect("a schema");
    let fixtures = fixtures().expect("fixtures can be read");
    let corpus: Vec<_> = fixtures.into_iter().map(|fixture| fixture.files).collect();
    let known = corpus.len();
    let mut fuzzer = Fuzzer::new(1, corpus);
    for input in 0..INPUTS as u64 {
        let files = fuzzer.make();
        let names: Vec<_> = files.iter().map(|file| &file.name).collect();
        // Said of a test that fails.
        println!("input {input}: {names:?}");
        let shows = keep(&files, &mut Random::of(input), &own);
        fuzzer.learn(files, shows);
    }
    let (corpus, shown) = fuzzer.sizes();
    assert!(corpus > known + INPUTS / 10 && shown > INPUTS, "the inputs are too tame");
}
