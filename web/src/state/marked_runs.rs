//! Runs that are marked for being compared.

use leptos::prelude::*;

use super::app::App;
use crate::format::noun;
use crate::protocol::RunAddress;
use crate::route::{self, Place, View};

/// Runs that can be compared at once.
pub(crate) const MOST_MARKED: usize = 200;

/// The place where runs are compared.
fn compare_place(runs: &[RunAddress]) -> Place {
    let mut place = Place::of(View::Compare);
    place.query.lists.runs = runs.to_vec();
    place
}

/// The address of the comparison of what is marked.
pub(crate) fn compare_href(runs: &[RunAddress]) -> String {
    route::write(&compare_place(runs))
}

/// What happened to a mark, in words.
fn said(key: &str, is_marked: bool, count: usize) -> String {
    let what = if is_marked { "marked" } else { "not marked" };
    format!("{key} {what}; {count} {} marked.", noun(count as u64, "run"))
}

impl App {
    /// Marks a run, or takes its mark away.
    pub(crate) fn toggle_mark(self, run: &RunAddress) {
        let before = self.marks.with_untracked(|marks| marks.iter().position(|one| one.is(run)));
        let count = self.marks.with_untracked(Vec::len);
        if before.is_none() && count >= MOST_MARKED {
            return self.say(format!(
                "{MOST_MARKED} runs are marked; that is as many as can be compared."
            ));
        }
        self.marks.update(|marks| match before {
            Some(at) => drop(marks.remove(at)),
            None => marks.push(run.clone()),
        });
        let count = self.marks.with_untracked(Vec::len);
        self.say(said(&run.key, before.is_none(), count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_said_and_addressed() {
        assert_eq!(said("a", true, 1), "a marked; 1 run marked.");
        assert_eq!(said("a", false, 2), "a not marked; 2 runs marked.");
        let run = |key: &str| RunAddress::new(key, None);
        assert_eq!(compare_href(&[run("a"), run("b c")]), "#/compare?runs=a,b%20c");
        assert_eq!(compare_href(&[]), "#/compare");
    }
}
