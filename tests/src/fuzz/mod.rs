//! Broken input without end: fixtures changed by a seeded generator, and the laws that hold for all of it.
//!
//! What shows something new, a rule or a format that was not met in this way before, is changed further.
//! One seed gives the same inputs in the same order.

mod laws;
mod mutate;

use std::collections::BTreeSet;

pub use laws::{difference, keep};
pub use mutate::mutate;

use crate::{Input, Random};

/// Makes inputs.
#[derive(Debug)]
pub struct Fuzzer {
    random: Random,
    /// What is changed next: each the files of one history.
    corpus: Vec<Vec<Input>>,
    shown: BTreeSet<String>,
}

impl Fuzzer {
    /// Inputs are changed copies of `corpus`, of which none is empty.
    pub fn new(seed: u64, corpus: Vec<Vec<Input>>) -> Self {
        Self { random: Random::of(seed), corpus, shown: BTreeSet::new() }
    }

    /// The next input.
    pub fn make(&mut self) -> Vec<Input> {
        let random = &mut self.random;
        let any = |random: &mut Random| {
            let files = &self.corpus[random.below(self.corpus.len())];
            &files[random.below(files.len())]
        };
        let mut files = self.corpus[random.below(self.corpus.len())].clone();
        let which = random.below(files.len());
        mutate(&mut files[which].bytes, &any(random).bytes, random);
        match random.below(12) {
            0 => files[which].name.clone_from(&any(random).name),
            1 => files.swap(which, 0),
            2 => files.truncate(1),
            3 if files.len() < 9 => files.push(any(random).clone()),
            _ => {}
        }
        files
    }

    /// Keeps an input that shows something new; says whether it does.
    pub fn learn(&mut self, files: Vec<Input>, shows: BTreeSet<String>) -> bool {
        let known = self.shown.len();
        self.shown.extend(shows);
        let is_new = self.shown.len() > known;
        if is_new {
            self.corpus.push(files);
        }
        is_new
    }

    /// What was shown, each thing once.
    pub fn shown(&self) -> impl Iterator<Item = &str> {
        self.shown.iter().map(String::as_str)
    }

    /// Inputs that others are made from, and different things that were shown.
    pub fn sizes(&self) -> (usize, usize) {
        (self.corpus.len(), self.shown.len())
    }
}
