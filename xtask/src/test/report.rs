//! What ran, when, for how long, and whether it passed.

use crate::process::{Failure, Outcome};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The steps so far.
pub(crate) struct Report {
    start: Instant,
    steps: Vec<Step>,
    failures: Vec<Failure>,
}

struct Step {
    name: String,
    /// Seconds after the start of the report.
    began: Duration,
    took: Duration,
    passed: bool,
}

impl Report {
    /// No steps yet.
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), steps: Vec::new(), failures: Vec::new() }
    }

    /// Runs one step under a heading, alone. Later steps need it: the error ends the task.
    pub(crate) fn step<T>(&mut self, name: &str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        println!("\n== {name} [{:.0} s]", self.start.elapsed().as_secs_f64());
        let began = Instant::now();
        let result = work();
        self.note(name, began, result.is_ok());
        result.map_err(|failure| Failure::new(format!("{name}: {failure}")))
    }

    /// Takes in a step that ran beside others: prints what it said in one piece.
    pub(super) fn ended(&mut self, name: &str, began: Instant, said: &str, result: Outcome) {
        println!("\n== {name} [{:.0} s]", self.start.elapsed().as_secs_f64());
        print!("{said}");
        self.note(name, began, result.is_ok());
        if let Err(failure) = result {
            println!("{failure}");
            self.failures.push(Failure::new(format!("{name}: {failure}")));
        }
    }

    fn note(&mut self, name: &str, began: Instant, passed: bool) {
        let after = began.saturating_duration_since(self.start);
        let took = began.elapsed();
        self.steps.push(Step { name: name.to_owned(), began: after, took, passed });
    }

    /// Prints the table of all steps, and passes the result on with what failed on the way.
    pub(crate) fn close(&mut self, result: Outcome) -> Outcome {
        println!("\n{}", self.table());
        self.failures.extend(result.err());
        if self.failures.is_empty() {
            println!(
                "all {} steps passed in {:.0} s",
                self.steps.len(),
                self.start.elapsed().as_secs_f64()
            );
            return Ok(());
        }
        let lines: Vec<String> = self.failures.iter().map(ToString::to_string).collect();
        Err(Failure::new(lines.join("\n")))
    }

    /// A line for each step, in the order of their beginnings, with the two times between which it
    /// ran: lines whose times overlap ran beside each other.
    fn table(&self) -> String {
        let mut steps: Vec<&Step> = self.steps.iter().collect();
        steps.sort_by_key(|step| step.began);
        let width = steps.iter().map(|step| step.name.chars().count()).max().unwrap_or(0).max(4);
        let mut table =
            format!("{:<width$}  {:>7}  {:>7}  {:>7}\n", "step", "from s", "to s", "took s");
        for step in steps {
            let (began, took) = (step.began.as_secs_f64(), step.took.as_secs_f64());
            let verdict = if step.passed { "ok" } else { "FAILED" };
            // Writing to a string cannot fail.
            let _ = writeln!(
                table,
                "{:<width$}  {began:>7.1}  {:>7.1}  {took:>7.1}  {verdict}",
                step.name,
                began + took
            );
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failing_step_is_named_in_the_message_and_marked_in_the_table() {
        let mut report = Report::new();
        report.step("first", || Ok(())).expect("passes");
        let failure = report
            .step("second step", || -> Outcome { Err(Failure::new("no")) })
            .expect_err("fails");
        assert_eq!(failure.to_string(), "second step: no");
        let table = report.table();
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[1].starts_with("first      ") && lines[1].ends_with("  ok"));
        assert!(lines[2].starts_with("second step") && lines[2].ends_with("FAILED"));
    }

    #[test]
    fn a_failure_beside_others_is_repeated_at_the_end() {
        let mut report = Report::new();
        report.ended("first", Instant::now(), "", Err(Failure::new("no")));
        report.ended("second", Instant::now(), "", Ok(()));
        let failure = report.close(Err(Failure::new("third: neither"))).expect_err("fails");
        assert_eq!(failure.to_string(), "first: no\nthird: neither");
        assert!(Report::new().close(Ok(())).is_ok());
    }
}
