//! Every task a person runs on hindscope, as `cargo xtask <command>`.
//!
//! Each command first makes the machine ready for what it needs ([`setup`]), so a fresh clone and
//! one command are enough. Nothing in here knows how hindscope works: it calls the same tools a
//! person would call, in the right order and with the right versions.

mod build;
mod lint;
mod notices;
mod process;
mod release;
mod scripts;
mod seal;
mod serve;
mod setup;
mod stamp;
mod test;
mod workspace;

use process::{Failure, Outcome};
use std::process::ExitCode;
use workspace::Workspace;

/// One command: its name, what it takes, what it does.
struct Command {
    name: &'static str,
    takes: &'static str,
    about: &'static str,
    run: fn(&Workspace, &[String]) -> Outcome,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "serve",
        takes: "[--port 8080]",
        about: "build the page and serve it on this machine",
        run: serve::command,
    },
    Command {
        name: "test",
        takes: "[--quick | --all]",
        about: "test core, npm package, component and page (--quick: what needs no wasm; --all: on release builds, with every Node and what takes longer)",
        run: test::command,
    },
    Command {
        name: "build",
        takes: "[npm] [component] [page] [single] [viewer] [--testing] [--force]",
        about: "build the npm package, the component, the page, the page in one file, its npm package, or all",
        run: build::command,
    },
    Command {
        name: "bench",
        takes: "[page|monkey|kills|open|framings|calls|memory|loop] [--json] [--mb 91]",
        about: "time hindscope against JSON.parse and ajv in the same run, or one part of it (open --only TEXT: rows with this text; open --profile: where the time goes; open --full: 1 GB, too; memory --full: 10,000 tasks); page: the page, in Chromium; monkey: random keys, clicks and drops on the page, --minutes 60; kills: kill one of eight processes that write to one memory, --count 1000 times",
        run: scripts::bench,
    },
    Command {
        name: "differential",
        takes: "[patterns] [--count 20000] [--seed 1]",
        about: "compare strict verdicts with ajv over mutated records; patterns: compare what patterns of schemas match with what they match in V8, --count 100000",
        run: scripts::differential,
    },
    Command {
        name: "fuzz",
        takes: "[TARGET] [MINUTES]",
        about: "look for input that breaks a law, guided by the code that it reaches, one minute for each target (HINDSCOPE_BLESS=1 writes tests/corpora anew); needs a C++ compiler and Linux",
        run: scripts::fuzz,
    },
    Command {
        name: "bless",
        takes: "",
        about: "measure what people download and write docs/sizes.json anew",
        run: scripts::bless,
    },
    Command {
        name: "lint",
        takes: "",
        about: "formatting, Clippy for this machine and for wasm, rustdoc, licences and versions of dependencies",
        run: lint::command,
    },
    Command {
        name: "release",
        takes: "",
        about: "list what must be fixed before a release: placeholders, versions, changes",
        run: release::command,
    },
    Command {
        name: "docs",
        takes: "",
        about: "write the reference of the npm package from its types to target/docs/api",
        run: scripts::docs,
    },
    Command {
        name: "shots",
        takes: "",
        about: "build the page and photograph every view into target/shots",
        run: scripts::shots,
    },
    Command {
        name: "setup",
        takes: "",
        about: "install what the other commands need (they call it themselves)",
        run: setup::command,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nxtask: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

fn dispatch(arguments: &[String]) -> Outcome {
    let Some((name, rest)) = arguments.split_first() else {
        println!("{}", help());
        return Ok(());
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        println!("{}", help());
        return Ok(());
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        return Err(Failure::usage(format!("there is no command `{name}`\n\n{}", help())));
    };
    if rest.iter().any(|argument| matches!(argument.as_str(), "--help" | "-h")) {
        println!("{}", usage(command));
        return Ok(());
    }
    (command.run)(&Workspace::find()?, rest)
}

fn usage(command: &Command) -> String {
    format!("cargo xtask {} {}\n  {}", command.name, command.takes, command.about)
}

fn help() -> String {
    let lines: Vec<String> = COMMANDS
        .iter()
        .map(|command| {
            let call = format!("{} {}", command.name, command.takes);
            format!("  {call:<40} {}", command.about)
        })
        .collect();
    format!("cargo xtask <command>\n\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_command_on_a_line_of_its_own() {
        let text = help();
        for command in COMMANDS {
            let lines = text.lines().filter(|line| line.trim_start().starts_with(command.name));
            assert_eq!(lines.count(), 1, "{}", command.name);
        }
    }

    #[test]
    fn an_unknown_command_ends_with_2() {
        let failure = dispatch(&["bild".to_owned()]).expect_err("there is no such command");
        assert_eq!(failure.code(), 2);
        assert!(failure.to_string().contains("`bild`"));
    }
}
