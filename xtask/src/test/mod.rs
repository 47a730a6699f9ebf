//! `cargo xtask test`: everything that has to hold.
//!
//! Without options it runs every test on the oldest and the newest Node, over builds that take less
//! than half of the time of a release. `--all` runs them over release builds, and adds the Nodes between and what
//! takes minutes and rarely breaks. `--quick` is for the minutes between two edits.

mod report;
mod schedule;

pub(crate) use report::Report;

use crate::build::{Product, Profile, shown};
use crate::lint;
use crate::process::{Failure, Outcome, Run, at};
use crate::setup::{self, Python};
use crate::workspace::Workspace;
use schedule::{Step, Work};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// A file of tests that hangs fails after a quarter of an hour, and all others still run.
const FILE_LIMIT: &str = "--test-timeout=900000";

/// How much to run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Quick,
    Daily,
    All,
}

/// `cargo xtask test`
pub(crate) fn command(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let depth = match arguments {
        [] => Depth::Daily,
        [only] if only == "--quick" => Depth::Quick,
        [only] if only == "--all" => Depth::All,
        _ => {
            return Err(Failure::usage(format!(
                "`test` does not know `{}`; it takes --quick, --all or nothing",
                arguments.join(" ")
            )));
        }
    };
    let mut report = Report::new();
    let result = match depth {
        Depth::Quick => quick_steps(workspace, &mut report),
        Depth::Daily | Depth::All => steps(workspace, depth == Depth::All, &mut report),
    };
    if shared_data(workspace).is_empty() && std::env::var_os("HINDSCOPE_SHARED").is_none() {
        println!("\nreal histories: not tested, no ../shared/data");
    }
    report.close(result)
}

fn quick_steps(workspace: &Workspace, report: &mut Report) -> Outcome {
    report.step("formatting", || lint::format(workspace).go())?;
    report.step("core", || {
        workspace
            .run_cargo()
            .args(["test", "--quiet", "--package", "hindscope"])
            .args(["--package", "hindscope-tests", "--package", "xtask"])
            .envs(&shared_data(workspace))
            .go()
    })
}

fn steps(workspace: &Workspace, is_all: bool, report: &mut Report) -> Outcome {
    report.step("setup", || setup::ensure(workspace, setup::FOR_ALL))?;
    if is_all {
        report
            .step("setup of cargo-deny", || setup::ensure(workspace, &[setup::Need::CargoDeny]))?;
    }
    report.step("formatting", || lint::format(workspace).go())?;
    let profile = if is_all { Profile::Release } else { Profile::Testing };
    let mut steps = builds(workspace, profile);
    if is_all {
        steps.extend(rare(workspace)?);
    }
    let env = environment(workspace, profile, is_all)?;
    let others = report.step("other Nodes", || other_nodes(workspace, &env))?;
    // Beside the builds of wasm that are left.
    steps.push(Step::new("rust tests", &["native tools"], {
        aside(cargo_test(workspace).arg("--no-fail-fast").envs(&env))
    }));
    steps.push(Step::new("rustdoc", &["rust tests"], aside(lint::rustdoc(workspace))));
    // npm takes seconds to install the package: each test copies what is installed once.
    steps.push(Step::new("installed", &["package"], {
        let folder = profile.target(workspace, "installed");
        aside(workspace.run("node").arg("tests/npm/install.mjs").arg(folder).envs(&env))
    }));
    // The longest first, so that the last minutes are not those of one long file.
    steps.extend(node_tests(workspace, ("tests/e2e", ".spec.mjs"), &["installed", "page"], &env)?);
    let both = ["installed", "native tools"];
    steps.extend(node_tests(workspace, ("tests/packaging", ".test.mjs"), &both, &env)?);
    steps.extend(node_tests(workspace, ("tests/npm", ".test.mjs"), &both, &env)?);
    for (node, file) in &others {
        let name = format!("{} on {}", shown(workspace, file), shown(workspace, node));
        let run = workspace.run(&node.to_string_lossy()).args(["--test", FILE_LIMIT]).arg(file);
        steps.push(Step::new(name, &both, aside(run.envs(&env))));
    }
    steps.extend(node_tests(
        workspace,
        ("tests/component", ".test.mjs"),
        &["component", "installed", "native tools"],
        &env,
    )?);
    let python = Python::of(workspace);
    steps.push(Step::new("tests/component/host.py", &["component", "native tools"], {
        let program = python.program.to_string_lossy();
        aside(workspace.run(&program).arg("tests/component/host.py").envs(&env))
    }));
    schedule::run(steps, lanes(), report);
    Ok(())
}

/// What is compiled. Cargo lets only one build work in a profile, so those of the wasm artefacts
/// wait for each other, and the native ones run beside them.
fn builds<'a>(workspace: &'a Workspace, profile: Profile) -> Vec<Step<'a>> {
    let build = |product: &str| -> Work<'a> {
        let task = std::env::current_exe().unwrap_or_else(|_| "cargo-xtask".into());
        aside(Run::new(task).args(["build", product, profile.flag()]).dir(workspace.root()))
    };
    vec![
        // Most tests need nothing but the package, and run beside the builds that are left.
        Step::new("package", &[], build("npm")),
        // Compiling the tests also builds what prints the native core's answers.
        Step::new("native tools", &[], aside(cargo_test(workspace).arg("--no-run"))),
        Step::new("page", &["package"], build("viewer")),
        Step::new("component", &["page"], build("component")),
    ]
}

/// The tests of all crates. What compiles them is Clippy, and a lint ends the build.
fn cargo_test(workspace: &Workspace) -> Run {
    lint::with_clippy(workspace.run_cargo().args(["test", "--quiet", "--workspace"]))
}

/// Other Nodes, each with a test file to run on it.
fn other_nodes(
    workspace: &Workspace,
    env: &[(&'static str, PathBuf)],
) -> Outcome<Vec<(PathBuf, PathBuf)>> {
    let listed = workspace.run("node").arg("tests/npm/nodes.mjs").envs(env).read()?;
    let pairs = listed.lines().filter_map(|line| line.split_once('\t'));
    Ok(pairs.map(|(node, file)| (PathBuf::from(node), PathBuf::from(file))).collect())
}

/// What takes minutes and rarely breaks.
fn rare(workspace: &Workspace) -> Outcome<Vec<Step<'_>>> {
    let script = |name: &str, profile: Profile| -> Outcome<Run> {
        Ok(workspace.run("node").arg(name).envs(&artefacts(workspace, profile)?))
    };
    Ok(vec![
        Step::new("sizes", &["component"], aside(script("tests/sizes.mjs", Profile::Release)?)),
        Step::new(
            "differential",
            &["package", "native tools"],
            aside(
                script("tests/differential/run.mjs", Profile::Release)?.args(["--count", "20000"]),
            ),
        ),
        Step::new("dependencies", &[], aside(lint::dependencies(workspace))),
        Step::new(
            "advisories",
            &["dependencies"],
            Box::new(|| (String::new(), lint::advisories(workspace))),
        ),
        Step::new("clippy for wasm", &["rustdoc"], aside(lint::clippy_for_wasm(workspace))),
    ])
}

/// As many steps at a time as there are processors: one more was not faster.
fn lanes() -> usize {
    thread::available_parallelism().map_or(2, usize::from).clamp(2, 4)
}

fn aside<'a>(run: Run) -> Work<'a> {
    Box::new(|| run.aside())
}

/// Where the artefacts are, for scripts.
pub(crate) fn artefacts(
    workspace: &Workspace,
    profile: Profile,
) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let native = workspace.cargo()?.target.join("debug");
    Ok(vec![
        ("HINDSCOPE_TGZ", Product::Npm.path(workspace, profile)?),
        ("HINDSCOPE_PACKAGE", profile.target(workspace, "npm/hindscope")),
        ("HINDSCOPE_INSTALLED", profile.target(workspace, "installed")),
        ("HINDSCOPE_VIEWER", Product::Viewer.path(workspace, profile)?),
        ("HINDSCOPE_COMPONENT", Product::Component.path(workspace, profile)?),
        ("HINDSCOPE_PAGE", Product::Page.path(workspace, profile)?),
        ("HINDSCOPE_DUMP", native.join("hindscope-dump")),
        ("HINDSCOPE_VERDICTS", native.join("hindscope-verdicts")),
        ("HINDSCOPE_BENCH", workspace.target("bench")),
    ])
}

/// What every test may ask for.
fn environment(
    workspace: &Workspace,
    profile: Profile,
    is_all: bool,
) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let python = Python::of(workspace);
    let mut env = artefacts(workspace, profile)?;
    env.push(("HINDSCOPE_CHROMIUM", setup::chromium()?));
    env.push(("HINDSCOPE_PYTHON", python.program));
    env.extend(python.path.map(|path| ("PYTHONPATH", path)));
    env.extend(is_all.then(|| ("HINDSCOPE_ALL", PathBuf::from("1"))));
    env.extend(shared_data(workspace));
    Ok(env)
}

/// Real histories beside the clone. Tests over them say that they skip where there are none.
fn shared_data(workspace: &Workspace) -> Vec<(&'static str, PathBuf)> {
    let data = workspace
        .root()
        .parent()
        .map(|parent| parent.join("shared/data"))
        .filter(|data| data.is_dir());
    data.map(|data| ("HINDSCOPE_SHARED", data)).into_iter().collect()
}

/// One step for each test file of a folder.
fn node_tests<'a>(
    workspace: &Workspace,
    (dir, ending): (&str, &str),
    needs: &[&'static str],
    env: &[(&'static str, PathBuf)],
) -> Outcome<Vec<Step<'a>>> {
    let files = files_ending(&workspace.path(dir), ending)?;
    if files.is_empty() {
        return Err(Failure::new(format!(
            "{dir} holds no *{ending}: this would have tested nothing"
        )));
    }
    let step = |file: &PathBuf| {
        let run = workspace.run("node").args(["--test", FILE_LIMIT]).arg(file).envs(env);
        Step::new(shown(workspace, file), needs, aside(run))
    };
    Ok(files.iter().map(step).collect())
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
