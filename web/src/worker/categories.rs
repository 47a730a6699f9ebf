//! The failure category of each run, found between other messages once a list shows it
//! (`aggregate/categories`).
//!
//! For each run, the category that most of its reflections name is kept in twelve bytes, because there
//! may be a million runs.

mod reading;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use hindscope::{CategoryCount, FAILURE_CATEGORIES, RunId, StableSort as _, natural};

use crate::protocol::{Judged, RunCategory, UNSEEN, count};
pub(crate) use reading::{CategoryReading, options};

/// A category is a word. Of a longer text this much is kept.
const CHARS: usize = 80;
/// Up to so many runs, whatever is found puts the list in order again.
const FEW: u32 = 10_000;

/// What is known of a run.
#[derive(Clone, Copy)]
struct Known {
    /// Position among the names, or one of the three below.
    name: u32,
    /// Reflections that give it.
    times: u32,
    /// Reflections that give any.
    of: u32,
}

const NOT_YET: u32 = u32::MAX;
const LEFT: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;

/// What is read next for failure categories.
pub(crate) enum Next {
    /// A run in which reading goes on.
    Begun(Box<CategoryReading>),
    /// A run that is to be begun.
    Run(RunId),
}

/// Failure categories of runs, as far as they were looked at.
#[derive(Default)]
pub(crate) struct Categories {
    /// By run; runs beyond its end were not looked at.
    of: Vec<Known>,
    names: Vec<Rc<str>>,
    ids: BTreeMap<Rc<str>, u32>,
    done: u32,
    /// Runs that cannot be looked at.
    left: u32,
    /// Visible ones, the first one last.
    first: Vec<RunId>,
    /// Runs before this one had their turn.
    next: u32,
    is_wanted: bool,
    /// The last of the visible ones, once its turn has come.
    last_visible: Option<RunId>,
    /// The page waits for the visible ones, and they are known.
    is_due: bool,
    /// Runs that had been looked at when the page heard of it last.
    reported: u32,
    /// The run that is being read.
    reading: Option<Box<CategoryReading>>,
}

impl Categories {
    /// From now on all runs are looked at, one after another.
    pub(crate) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Runs that are looked at before all others: they are visible.
    pub(crate) fn put_first(&mut self, runs: &[RunId]) {
        let unseen = runs.iter().rev().filter(|run| self.known(**run).name == NOT_YET);
        self.first = unseen.copied().collect();
    }

    /// What the list shows of a run.
    pub(crate) fn of(&self, run: RunId) -> RunCategory {
        let Known { name, times, of } = self.known(run);
        match name {
            NOT_YET => RunCategory::NotYet,
            LEFT => RunCategory::Left,
            NONE => RunCategory::None,
            name => RunCategory::Is { name: self.text(name).to_owned(), times, of },
        }
    }

    /// The name for a query: empty where a run has none, none where that is not known.
    pub(crate) fn name(&self, run: RunId) -> Option<&str> {
        match self.known(run).name {
            NOT_YET | LEFT => None,
            name => Some(self.text(name)),
        }
    }

    /// What a run stands below, where the list is divided by categories.
    pub(crate) fn title(&self, run: RunId) -> &str {
        self.name(run).unwrap_or(UNSEEN)
    }

    /// The place of a run's category among all of them, and how often it was given: nothing for a
    /// run that has none.
    pub(crate) fn place(&self, run: RunId, places: &[u32]) -> Option<(u32, u32)> {
        let Known { name, times, .. } = self.known(run);
        Some((*places.get(name as usize)?, times))
    }

    /// Whether a run was looked at.
    pub(crate) fn is_known(&self, run: RunId) -> bool {
        !matches!(self.known(run).name, NOT_YET | LEFT)
    }

    /// For each name its place in the order of names.
    pub(crate) fn places(&self) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.stable_sort_by(|a, b| by_name(&self.names[*a], &self.names[*b]));
        let mut places = vec![0; order.len()];
        (0..).zip(order).for_each(|(place, at)| places[at] = place);
        places
    }

    /// Keeps what reflections of a run gave.
    pub(crate) fn keep(&mut self, run: RunId, given: &[CategoryCount]) {
        let given = || given.iter().filter(|one| !one.category.trim().is_empty());
        let Some(most) = most(given()) else {
            self.put(run, Known { name: NONE, times: 0, of: 0 });
            return;
        };
        let of = given().map(|one| one.reflections).fold(0, u32::saturating_add);
        let name = self.id(&most.category);
        self.put(run, Known { name, times: most.reflections, of });
    }

    /// A run cannot be looked at beside others.
    pub(crate) fn leave(&mut self, run: RunId) {
        self.put(run, Known { name: LEFT, times: 0, of: 0 });
    }

    /// Runs that had their turn: changes whenever something was found.
    pub(crate) fn looked(&self) -> u32 {
        self.done + self.left
    }

    /// Whether a list that was put in order when so many runs had been looked at is to be put in
    /// order again. Of many runs only once twice as many were: that takes long.
    pub(crate) fn is_news(&self, looked: u32, runs: usize) -> bool {
        let (now, all) = (self.looked(), count(runs));
        now != looked && (all <= FEW || now == all || now >= looked.saturating_mul(2))
    }

    /// How far that is, of so many runs.
    pub(crate) fn progress(&self, runs: usize) -> Judged {
        Judged { done: self.done, total: count(runs), left: self.left }
    }

    /// Runs that were looked at, where the page does not know yet and either waits for some of them
    /// or should get them now.
    pub(crate) fn news(&mut self, is_time: bool) -> Option<u32> {
        let now = self.looked();
        if self.reported == now || !(is_time || self.is_due) {
            return None;
        }
        self.is_due = false;
        self.reported = now;
        Some(now)
    }

    /// What is read next, once somebody wants to know.
    pub(crate) fn next(&mut self, runs: u32) -> Option<Next> {
        if !self.is_wanted {
            return None;
        }
        let begun = self.reading.take().map(Next::Begun);
        begun.or_else(|| self.next_run(runs).map(Next::Run))
    }

    /// There is more to read in a run.
    pub(crate) fn go_on_with(&mut self, reading: Box<CategoryReading>) {
        self.reading = Some(reading);
    }

    /// The run whose turn it is.
    fn next_run(&mut self, runs: u32) -> Option<RunId> {
        while let Some(run) = self.first.pop() {
            let is_last = self.first.is_empty();
            if run.0 < runs && self.known(run).name == NOT_YET {
                self.last_visible = is_last.then_some(run);
                return Some(run);
            }
            self.is_due |= is_last;
        }
        while self.next < runs {
            let run = RunId(self.next);
            self.next += 1;
            if self.known(run).name == NOT_YET {
                return Some(run);
            }
        }
        None
    }

    fn known(&self, run: RunId) -> Known {
        let nothing = Known { name: NOT_YET, times: 0, of: 0 };
        self.of.get(run.0 as usize).copied().unwrap_or(nothing)
    }

    fn put(&mut self, run: RunId, known: Known) {
        let at = run.0 as usize;
        if self.of.len() <= at {
            self.of.resize(at + 1, Known { name: NOT_YET, times: 0, of: 0 });
        }
        match self.of[at].name {
            NOT_YET => {}
            LEFT => self.left -= 1,
            _ => self.done -= 1,
        }
        match known.name {
            LEFT => self.left += 1,
            _ => self.done += 1,
        }
        self.of[at] = known;
        self.is_due |= self.last_visible == Some(run);
    }

    fn id(&mut self, name: &str) -> u32 {
        let name = cut(name);
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let (id, name) = (count(self.names.len()), Rc::<str>::from(name));
        self.names.push(Rc::clone(&name));
        self.ids.insert(name, id);
        id
    }

    fn text(&self, name: u32) -> &str {
        self.names.get(name as usize).map_or("", |name| name)
    }
}

fn cut(name: &str) -> &str {
    name.char_indices().nth(CHARS).map_or(name, |(end, _)| &name[..end])
}

/// The category that is given most often; of several the first one.
fn most<'a>(given: impl Iterator<Item = &'a CategoryCount>) -> Option<&'a CategoryCount> {
    given.min_by(|a, b| {
        b.reflections.cmp(&a.reflections).then_with(|| by_name(&a.category, &b.category))
    })
}

/// The order of categories: as the schema lists them, then those that it does not know, by name.
pub(crate) fn by_name(a: &str, b: &str) -> Ordering {
    let place = |name: &str| FAILURE_CATEGORIES.iter().position(|one| *one == name);
    let place = |name| place(name).unwrap_or(FAILURE_CATEGORIES.len());
    place(a).cmp(&place(b)).then_with(|| natural(a, b))
}

/// The order of headings: categories, then runs without one, then those that nobody looked at.
pub(crate) fn by_title(a: &str, b: &str) -> Ordering {
    let kind = |title: &str| (title == UNSEEN, title.is_empty());
    kind(a).cmp(&kind(b)).then_with(|| by_name(a, b))
}
