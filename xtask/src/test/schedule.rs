//! Runs steps beside each other, each as soon as what it needs is there.

use super::report::Report;
use crate::process::{Failure, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// What a step does: everything that it printed, and whether it passed.
pub(super) type Work<'a> = Box<dyn FnOnce() -> (String, Outcome) + Send + 'a>;

/// One step.
pub(super) struct Step<'a> {
    name: String,
    needs: Vec<&'static str>,
    work: Work<'a>,
}

impl<'a> Step<'a> {
    /// A step that starts when the steps called `needs` have passed.
    pub(super) fn new(name: impl Into<String>, needs: &[&'static str], work: Work<'a>) -> Self {
        Self { name: name.into(), needs: needs.to_vec(), work }
    }
}

/// Runs all steps, `lanes` at a time, in the order given as far as their needs allow.
///
/// A step that fails stops only those that need it, and each of those is reported as not run.
pub(super) fn run(steps: Vec<Step<'_>>, lanes: usize, report: &mut Report) {
    let shared = Shared {
        state: Mutex::new(State {
            waiting: steps,
            running: BTreeSet::new(),
            passed: BTreeMap::new(),
            report,
        }),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 0..lanes {
            scope.spawn(|| work(&shared));
        }
    });
}

struct Shared<'a, 'r> {
    state: Mutex<State<'a, 'r>>,
    changed: Condvar,
}

struct State<'a, 'r> {
    waiting: Vec<Step<'a>>,
    /// Names of the steps that other lanes are at.
    running: BTreeSet<String>,
    /// Steps that have ended, and whether they passed.
    passed: BTreeMap<String, bool>,
    report: &'r mut Report,
}

impl<'a> State<'a, '_> {
    /// Takes the first step that can start. Reports those that never can.
    fn next(&mut self) -> Option<Step<'a>> {
        while let Some((at, why)) = self.lost() {
            let step = self.waiting.remove(at);
            let failure = Failure::new(format!("not run, since {why}"));
            self.end(&step.name, Instant::now(), "", Err(failure));
        }
        let ready = |step: &Step<'_>| step.needs.iter().all(|need| self.passed.contains_key(*need));
        let at = self.waiting.iter().position(ready)?;
        let step = self.waiting.remove(at);
        self.running.insert(step.name.clone());
        Some(step)
    }

    /// A step that will never be able to start, and why.
    fn lost(&self) -> Option<(usize, String)> {
        self.waiting.iter().enumerate().find_map(|(at, step)| {
            step.needs.iter().find_map(|need| match self.passed.get(*need) {
                Some(false) => Some((at, format!("`{need}` failed"))),
                None if !self.waiting.iter().any(|other| other.name == *need)
                    && !self.running.contains(*need) =>
                {
                    Some((at, format!("there is no step `{need}`")))
                }
                _ => None,
            })
        })
    }

    fn end(&mut self, name: &str, began: Instant, said: &str, result: Outcome) {
        self.running.remove(name);
        self.passed.insert(name.to_owned(), result.is_ok());
        self.report.ended(name, began, said, result);
    }
}

fn work(shared: &Shared<'_, '_>) {
    let mut state = locked(&shared.state);
    loop {
        if let Some(step) = state.next() {
            drop(state);
            let began = Instant::now();
            let (said, result) = (step.work)();
            state = locked(&shared.state);
            state.end(&step.name, began, &said, result);
            shared.changed.notify_all();
        } else if state.waiting.is_empty() {
            return;
        } else {
            // Another lane works on what the waiting steps need.
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The panic of one lane ends the whole task anyway: the state behind it is not used again.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs steps of which some fail, and gives the order in which they began.
    fn order(steps: &[(&'static str, &[&'static str], bool)]) -> (Vec<&'static str>, Outcome) {
        let begun = Mutex::new(Vec::new());
        let mut report = Report::new();
        let step = |&(name, needs, passes): &(&'static str, &[&'static str], bool)| {
            let begun = &begun;
            let work = move || {
                locked(begun).push(name);
                let result = if passes { Ok(()) } else { Err(Failure::new("no")) };
                (String::new(), result)
            };
            Step::new(name, needs, Box::new(work))
        };
        run(steps.iter().map(step).collect(), 2, &mut report);
        let result = report.close(Ok(()));
        (begun.into_inner().expect("no lane panicked"), result)
    }

    #[test]
    fn a_step_waits_for_what_it_needs() {
        let (begun, result) = order(&[("tests", &["build"], true), ("build", &[], true)]);
        assert_eq!(begun, ["build", "tests"]);
        assert!(result.is_ok());
    }

    #[test]
    fn what_needs_a_failed_step_is_reported_and_not_run() {
        let (begun, result) = order(&[
            ("build", &[], false),
            ("tests", &["build"], true),
            ("more tests", &["tests"], true),
            ("lint", &[], true),
            ("misspelt", &["biuld"], true),
        ]);
        assert_eq!(begun.len(), 2, "only build and lint: {begun:?}");
        let failure = result.expect_err("a step failed").to_string();
        assert!(failure.contains("tests: not run, since `build` failed"), "{failure}");
        assert!(failure.contains("misspelt: not run, since there is no step `biuld`"), "{failure}");
        assert!(failure.contains("more tests: not run, since `tests` failed"), "{failure}");
    }
}
