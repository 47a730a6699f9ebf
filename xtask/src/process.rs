//! Starting other programs, and the one kind of failure every task ends with.
//!
//! A task stops at the first thing that does not work, so a failure is a sentence for a person and
//! an exit code; nobody matches on it.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Why a task stopped, in a sentence that says what to do where that is known.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    code: u8,
}

/// What every step of a task returns.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// Something did not work.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// The command was called in a way it does not understand.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// The exit code for the shell.
    pub(crate) fn code(&self) -> u8 {
        self.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

/// Turns an I/O error into a failure that names the file: `.map_err(at(&path))`.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Failure + '_ {
    move |error| Failure::new(format!("{}: {error}", path.display()))
}

/// A call of another program.
pub(crate) struct Run {
    command: Command,
    /// The call as a person would type it, for messages.
    line: String,
}

impl Run {
    /// Starts describing a call of `program`, with its full path or its name on `PATH`.
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let program = program.as_ref();
        let mut command = Command::new(program);
        // `cargo run` describes this crate to us in the environment. Build scripts that watch
        // those variables would run again for every caller.
        for (name, _) in std::env::vars_os() {
            let name_lossy = name.to_string_lossy();
            if name_lossy.starts_with("CARGO_PKG_") || name_lossy.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&name);
            }
        }
        let line = Path::new(program).file_name().unwrap_or(program).to_string_lossy().into_owned();
        Self { command, line }
    }

    /// The cargo that started this task, so that one toolchain does everything.
    pub(crate) fn cargo() -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self::new(cargo)
    }

    /// Adds one argument.
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        let argument = argument.as_ref();
        self.line.push(' ');
        self.line.push_str(&argument.to_string_lossy());
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    pub(crate) fn args<I: IntoIterator<Item: AsRef<OsStr>>>(self, arguments: I) -> Self {
        arguments.into_iter().fold(self, Self::arg)
    }

    /// Runs in this folder.
    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets several environment variables.
    pub(crate) fn envs(mut self, variables: &[(&'static str, PathBuf)]) -> Self {
        for (name, value) in variables {
            self.command.env(name, value);
        }
        self
    }

    /// Hides an environment variable of ours.
    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Runs it with its output going straight to the person.
    pub(crate) fn go(self) -> Outcome {
        self.finish(Stdio::inherit())
    }

    /// [`Run::go`] for the last thing that a task does. Where the system allows it, the program takes
    /// the place of this one, so that whoever ends the task ends the program, by whatever signal.
    pub(crate) fn take_over(self) -> Outcome {
        #[cfg(unix)]
        {
            let mut run = self;
            let error = std::os::unix::process::CommandExt::exec(&mut run.command);
            Err(Failure::new(format!("`{}` did not start: {error}", run.line)))
        }
        #[cfg(not(unix))]
        self.go()
    }

    /// [`Run::go`] for what comes before the task itself: everything it prints goes to the error
    /// output, as the other one may hold an answer for a program (`bench --json`).
    pub(crate) fn prepare(self) -> Outcome {
        self.finish(io::stderr().into())
    }

    fn finish(mut self, out: Stdio) -> Outcome {
        let status = self
            .command
            .stdin(Stdio::null())
            .stdout(out)
            .status()
            .map_err(|error| Failure::new(format!("`{}` did not start: {error}", self.line)))?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::new(format!("`{}` failed ({status}); its own words are above", self.line)))
    }

    /// Runs it beside others: what it printed, all of it, and whether it worked.
    pub(crate) fn aside(self) -> (String, Outcome) {
        let line = self.line.clone();
        let output = match self.output() {
            Ok(output) => output,
            Err(failure) => return (String::new(), Err(failure)),
        };
        let said = [output.stdout, output.stderr].concat();
        let result = if output.status.success() {
            Ok(())
        } else {
            let status = output.status;
            Err(Failure::new(format!("`{line}` failed ({status}); its own words are above")))
        };
        (String::from_utf8_lossy(&said).into_owned(), result)
    }

    /// Runs it and returns what it printed; shows its complaints only if it fails.
    pub(crate) fn read(self) -> Outcome<String> {
        let line = self.line.clone();
        let output = self.output()?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(Failure::new(format!(
            "`{line}` failed ({}):\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )))
    }

    /// What it printed, or nothing if it is not there or fails: for looking whether a tool exists.
    pub(crate) fn probe(self) -> Option<String> {
        let output = self.output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn output(mut self) -> Outcome<Output> {
        self.command
            .stdin(Stdio::null())
            .output()
            .map_err(|error| Failure::new(format!("`{}` did not start: {error}", self.line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_program_is_named_with_its_words() {
        let failure = Run::new("sh")
            .args(["-c", "echo not today >&2; exit 3"])
            .read()
            .expect_err("it exits with 3");
        let text = failure.to_string();
        assert!(text.contains("`sh -c") && text.contains("not today"), "{text}");
        assert_eq!(failure.code(), 1);
    }

    #[test]
    fn what_runs_beside_others_keeps_its_words_and_its_end() {
        let (said, result) = Run::new("sh").args(["-c", "echo one; echo two >&2; exit 3"]).aside();
        assert_eq!(said, "one\ntwo\n");
        assert!(result.expect_err("it exits with 3").to_string().contains("`sh -c"));
        let (said, result) = Run::new("sh").args(["-c", "echo one"]).aside();
        assert_eq!(said, "one\n");
        assert!(result.is_ok());
        assert!(Run::new("no-such-program-here").aside().1.is_err());
    }

    #[test]
    fn a_missing_program_is_no_probe_and_no_panic() {
        assert!(Run::new("no-such-program-here").probe().is_none());
    }

    #[test]
    fn programs_do_not_see_which_crate_called_them() {
        let seen =
            Run::new("sh").args(["-c", "echo \"<$CARGO_PKG_NAME>\""]).read().expect("sh runs");
        assert_eq!(seen.trim(), "<>");
    }
}
