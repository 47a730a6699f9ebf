//! The names of one object.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Up to so many names are compared one by one, which is faster than to sort them.
const FEW: usize = 16;

/// Names of the members of one object that were met so far.
#[derive(Default)]
pub(crate) struct Names<'a> {
    few: Vec<Cow<'a, str>>,
    many: BTreeSet<Cow<'a, str>>,
}

impl<'a> Names<'a> {
    /// Adds a name. False: it is there already.
    pub(crate) fn insert(&mut self, name: Cow<'a, str>) -> bool {
        if self.few.len() < FEW {
            let is_new = !self.few.contains(&name);
            if is_new {
                self.few.push(name);
            }
            is_new
        } else {
            !self.few.contains(&name) && self.many.insert(name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_a_name_that_was_there_among_few_and_many() {
        let mut names = Names::default();
        let all: Vec<String> = (0..3 * FEW).map(|at| format!("name {at}")).collect();
        for (at, name) in all.iter().enumerate() {
            assert!(names.insert(Cow::Borrowed(name)), "{name} is new");
            for known in &all[..=at] {
                assert!(!names.insert(Cow::Borrowed(known)), "{known} is known");
            }
        }
    }
}
