//! `cargo xtask test`: everything that has to hold, step by step, and the first that does not.

use crate::build::{Product, shown};
use crate::lint;
use crate::place::Place;
use crate::process::{Failure, Outcome, at};
use crate::scripts;
use crate::setup::{self, Python};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file that hangs fails after a quarter of an hour, the slowest takes half of that on a busy
/// machine, and all others still run.
const FILE_LIMIT: &str = "--test-timeout=900000";

/// `cargo xtask test`
pub(crate) fn command(place: &Place, arguments: &[String]) -> Outcome {
    let quick = match arguments {
        [] => false,
        [only] if only == "--quick" => true,
        _ => {
            return Err(Failure::usage(format!(
                "`test` does not know `{}`; it takes --quick or nothing",
                arguments.join(" ")
            )));
        }
    };
    let mut report = Report::new();
    let result =
        if quick { quick_steps(place, &mut report) } else { all_steps(place, &mut report) };
    report.close(result)
}

fn quick_steps(place: &Place, report: &mut Report) -> Outcome {
    report.step("formatting", || lint::format(place))?;
    report.step("core", || {
        place
            .run_cargo()
            .args(["test", "--quiet", "--package", "hindscope"])
            .args(["--package", "hindscope-tests", "--package", "xtask"])
            .envs(&shared_data(place))
            .go()
    })
}

fn all_steps(place: &Place, report: &mut Report) -> Outcome {
    report.step("setup", || setup::ensure(place, setup::FOR_ALL))?;
    report.step("formatting", || lint::format(place))?;
    report.step("clippy", || lint::clippy(place))?;
    report.step("clippy for wasm", || lint::clippy_for_wasm(place))?;
    report.check("rustdoc", || lint::rustdoc(place));
    report.check("rust tests", || {
        place
            .run_cargo()
            .args(["test", "--quiet", "--workspace", "--no-fail-fast"])
            .envs(&shared_data(place))
            .go()
    });

    // What the native core says about an input, for the faces and ajv to be compared with.
    report.step("native tools", || scripts::native_tools(place))?;
    let component = report.step("component", || Product::Component.build(place))?;
    let page = report.step("page", || Product::Page.build(place))?;
    // The package carries the page.
    let tarball = report.step("npm package", || Product::Npm.build(place))?;
    report.check("sizes", || scripts::sizes(place, &component, &page, &[]));

    let python = Python::of(place);
    let mut env = vec![
        ("HINDSCOPE_TGZ", tarball),
        ("HINDSCOPE_COMPONENT", component),
        ("HINDSCOPE_PAGE", page),
        ("HINDSCOPE_CHROMIUM", setup::chromium()?),
        ("HINDSCOPE_PYTHON", python.program.clone()),
        ("HINDSCOPE_DUMP", place.cargo()?.target.join("debug/hindscope-dump")),
        ("HINDSCOPE_VERDICTS", place.cargo()?.target.join("debug/hindscope-verdicts")),
    ];
    env.extend(python.path.map(|path| ("PYTHONPATH", path)));
    env.extend(shared_data(place));

    node_tests(place, report, "tests/npm", ".test.mjs", &env)?;
    node_tests(place, report, "tests/packaging", ".test.mjs", &env)?;
    node_tests(place, report, "tests/component", ".test.mjs", &env)?;
    report.check("tests/component/host.py", || {
        place.run(&python.program.to_string_lossy()).arg("tests/component/host.py").envs(&env).go()
    });
    node_tests(place, report, "tests/e2e", ".spec.mjs", &env)
}

/// Real histories beside the clone. Tests over them say that they skip where there are none.
fn shared_data(place: &Place) -> Vec<(&'static str, PathBuf)> {
    let data =
        place.root().parent().map(|parent| parent.join("shared/data")).filter(|data| data.is_dir());
    data.map(|data| ("HINDSCOPE_SHARED", data)).into_iter().collect()
}

/// One step for each file of a folder, one after the other: two browsers or two wasm compilers at
/// a time would only slow each other down.
fn node_tests(
    place: &Place,
    report: &mut Report,
    dir: &str,
    ending: &str,
    env: &[(&'static str, PathBuf)],
) -> Outcome {
    let files = files_ending(&place.path(dir), ending)?;
    if files.is_empty() {
        return Err(Failure::new(format!(
            "{dir} holds no *{ending}: this would have tested nothing"
        )));
    }
    for file in files {
        report.check(&shown(place, &file), || {
            place.run("node").args(["--test", FILE_LIMIT]).arg(&file).envs(env).go()
        });
    }
    Ok(())
}

fn files_ending(dir: &Path, ending: &str) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(at(dir))? {
        let path = entry.map_err(at(dir))?.path();
        if path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The steps so far, and how long each took.
pub(crate) struct Report {
    start: Instant,
    steps: Vec<Step>,
    failures: Vec<Failure>,
}

struct Step {
    name: String,
    took: Duration,
    passed: bool,
}

impl Report {
    /// No steps yet.
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), steps: Vec::new(), failures: Vec::new() }
    }

    /// Runs one step under a heading.
    pub(crate) fn step<T>(&mut self, name: &str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        println!("\n== {name} [{:.0} s]", self.start.elapsed().as_secs_f64());
        let start = Instant::now();
        let result = work();
        self.steps.push(Step {
            name: name.to_owned(),
            took: start.elapsed(),
            passed: result.is_ok(),
        });
        result.map_err(|failure| Failure::new(format!("{name}: {failure}")))
    }

    /// Runs a step that no later one rests on: if it fails, the others still run, and all failures
    /// are told at the end.
    fn check(&mut self, name: &str, work: impl FnOnce() -> Outcome) {
        if let Err(failure) = self.step(name, work) {
            println!("{failure}");
            self.failures.push(failure);
        }
    }

    /// Prints the table of all steps, and passes the result on, with what failed on the way.
    pub(crate) fn close(&mut self, result: Outcome) -> Outcome {
        println!("\n{}", self.table());
        self.failures.extend(result.err());
        let result = match self.failures.as_slice() {
            [] => Ok(()),
            failures => Err(Failure::new(
                failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
            )),
        };
        if result.is_ok() {
            println!(
                "all {} steps passed in {:.0} s",
                self.steps.len(),
                self.start.elapsed().as_secs_f64()
            );
        }
        result
    }

    fn table(&self) -> String {
        let width = self.steps.iter().map(|step| step.name.chars().count()).max().unwrap_or(0);
        let mut table = String::new();
        for step in &self.steps {
            let verdict = if step.passed { "ok" } else { "FAILED" };
            let took = step.took.as_secs_f64();
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{:<width$}  {took:>7.1} s  {verdict}", step.name);
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
        assert!(lines[0].starts_with("first      ") && lines[0].ends_with(" s  ok"));
        assert!(lines[1].starts_with("second step") && lines[1].ends_with("FAILED"));
    }

    #[test]
    fn a_check_that_fails_stops_nothing_and_is_told_at_the_end() {
        let mut report = Report::new();
        report.check("first", || Err(Failure::new("no")));
        report.check("second", || Ok(()));
        let failure = report.close(Err(Failure::new("third: neither"))).expect_err("fails");
        assert_eq!(failure.to_string(), "first: no\nthird: neither");
        assert_eq!(report.steps.len(), 2);
        assert!(Report::new().close(Ok(())).is_ok());
    }
}
