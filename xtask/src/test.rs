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
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
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

    let beside = thread::available_parallelism().map_or(1, usize::from).min(MOST_BESIDE);
    node_tests(place, report, ("tests/npm", ".test.mjs"), beside, &env)?;
    node_tests(place, report, ("tests/packaging", ".test.mjs"), beside, &env)?;
    node_tests(place, report, ("tests/component", ".test.mjs"), beside, &env)?;
    report.check("tests/component/host.py", || {
        place.run(&python.program.to_string_lossy()).arg("tests/component/host.py").envs(&env).go()
    });
    // A browser has several processes of its own: beside another one it is late with what it draws.
    node_tests(place, report, ("tests/e2e", ".spec.mjs"), 1, &env)
}

/// Real histories beside the clone. Tests over them say that they skip where there are none.
fn shared_data(place: &Place) -> Vec<(&'static str, PathBuf)> {
    let data =
        place.root().parent().map(|parent| parent.join("shared/data")).filter(|data| data.is_dir());
    data.map(|data| ("HINDSCOPE_SHARED", data)).into_iter().collect()
}

/// More files of tests than this at a time would wait for each other's disk.
const MOST_BESIDE: usize = 4;

/// One step for each file of a folder, so many at a time.
fn node_tests(
    place: &Place,
    report: &mut Report,
    (dir, ending): (&str, &str),
    beside: usize,
    env: &[(&'static str, PathBuf)],
) -> Outcome {
    let files = files_ending(&place.path(dir), ending)?;
    if files.is_empty() {
        return Err(Failure::new(format!(
            "{dir} holds no *{ending}: this would have tested nothing"
        )));
    }
    let (waiting, report) = (Mutex::new(files.into_iter()), Mutex::new(report));
    thread::scope(|scope| {
        for _ in 0..beside {
            scope.spawn(|| {
                while let Some(file) = next(&waiting) {
                    let run = place.run("node").args(["--test", FILE_LIMIT]).arg(&file).envs(env);
                    let start = Instant::now();
                    let (said, result) = run.aside();
                    let name = shown(place, &file);
                    locked(&report).ended(&name, start.elapsed(), &said, result);
                }
            });
        }
    });
    Ok(())
}

fn next(waiting: &Mutex<impl Iterator<Item = PathBuf>>) -> Option<PathBuf> {
    locked(waiting).next()
}

/// A thread that panicked ends the whole task; nobody minds in what state it left this.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.head(name);
        let start = Instant::now();
        let result = work();
        self.note(name, start.elapsed(), result)
    }

    fn head(&self, name: &str) {
        println!("\n== {name} [{:.0} s]", self.start.elapsed().as_secs_f64());
    }

    fn note<T>(&mut self, name: &str, took: Duration, result: Outcome<T>) -> Outcome<T> {
        self.steps.push(Step { name: name.to_owned(), took, passed: result.is_ok() });
        result.map_err(|failure| Failure::new(format!("{name}: {failure}")))
    }

    /// A check that ran beside others is over: tells what it said in one piece.
    fn ended(&mut self, name: &str, took: Duration, said: &str, result: Outcome) {
        self.head(name);
        print!("{said}");
        let result = self.note(name, took, result);
        self.keep(result);
    }

    fn keep(&mut self, result: Outcome) {
        if let Err(failure) = result {
            println!("{failure}");
            self.failures.push(failure);
        }
    }

    /// Runs a step that no later one rests on: if it fails, the others still run, and all failures
    /// are told at the end.
    fn check(&mut self, name: &str, work: impl FnOnce() -> Outcome) {
        let result = self.step(name, work);
        self.keep(result);
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

    #[test]
    fn what_ran_beside_others_is_told_with_its_own_time() {
        let mut report = Report::new();
        let took = Duration::from_secs(7);
        report.ended("first", took, "", Ok(()));
        report.ended("second", took, "", Err(Failure::new("no")));
        assert!(report.table().lines().all(|line| line.contains(" 7.0 s")));
        let failure = report.close(Ok(())).expect_err("fails");
        assert_eq!(failure.to_string(), "second: no");
    }
}
