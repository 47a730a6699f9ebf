//! Tasks that are Node scripts: the benchmark, the comparison with ajv, the sizes, the reference of the
//! npm package and the photographs.

use crate::build::{self, Product, Profile, shown};
use crate::process::{Failure, Outcome, Run};
use crate::setup;
use crate::test::artefacts;
use crate::workspace::Workspace;

/// Files of `tests/bench`, in the order in which they run.
const BENCHES: [&str; 5] = ["open", "framings", "calls", "memory", "loop"];

/// A Node script over the release builds.
fn script(workspace: &Workspace, name: &str) -> Outcome<Run> {
    Ok(workspace.run("node").arg(name).envs(&artefacts(workspace, Profile::Release)?))
}

/// `cargo xtask bench`
pub(crate) fn bench(workspace: &Workspace, arguments: &[String]) -> Outcome {
    if let Some((first, rest)) = arguments.split_first()
        && ["page", "monkey"].contains(&first.as_str())
    {
        return bench_page(workspace, first, rest);
    }
    if let Some((first, rest)) = arguments.split_first()
        && first == "kills"
    {
        return installed(workspace, "tests/bench/kills.mjs")?.args(rest).go();
    }
    // One of them alone takes arguments of its own.
    let (scripts, arguments) = match arguments.split_first() {
        Some((first, rest)) if BENCHES.contains(&first.as_str()) => (vec![first.as_str()], rest),
        _ => (BENCHES.to_vec(), arguments),
    };
    Product::Npm.build(workspace, Profile::Release)?;
    let mut env = artefacts(workspace, Profile::Release)?;
    if arguments.iter().any(|argument| argument == "--profile") {
        env.push(("HINDSCOPE_NAMED", build::named(workspace)?));
    }
    for name in &scripts {
        workspace
            .run("node")
            // Each contestant starts with a collected heap instead of the one before it paying.
            .arg("--expose-gc")
            .arg(format!("tests/bench/{name}.mjs"))
            .args(arguments)
            .envs(&env)
            .go()?;
    }
    // Its answer is for people.
    if !scripts.contains(&"loop") || arguments.iter().any(|argument| argument == "--json") {
        return Ok(());
    }
    eprintln!("bench: the reflection loop in Rust");
    workspace
        .run_cargo()
        .args(["run", "--quiet", "--release", "--package", "hindscope-tests"])
        .args(["--bin", "hindscope-loop-bench"])
        .go()
}

/// `cargo xtask bench page` and `cargo xtask bench monkey`
fn bench_page(workspace: &Workspace, name: &str, arguments: &[String]) -> Outcome {
    let chromium = setup::chromium()?;
    Product::Page.build(workspace, Profile::Release)?;
    // A memory is written by the package.
    Product::Npm.build(workspace, Profile::Release)?;
    script(workspace, &format!("tests/bench/{name}.mjs"))?
        .args(arguments)
        .env("HINDSCOPE_CHROMIUM", chromium)
        .go()
}

/// A Node script over the package, installed as people have it.
fn installed(workspace: &Workspace, name: &str) -> Outcome<Run> {
    Product::Npm.build(workspace, Profile::Release)?;
    let folder = Profile::Release.target(workspace, "installed");
    script(workspace, "tests/npm/install.mjs")?.arg(folder).go()?;
    script(workspace, name)
}

/// `cargo xtask differential`
pub(crate) fn differential(workspace: &Workspace, arguments: &[String]) -> Outcome {
    if let Some((first, rest)) = arguments.split_first()
        && first == "patterns"
    {
        return patterns(workspace, rest);
    }
    Product::Npm.build(workspace, Profile::Release)?;
    workspace
        .run_cargo()
        .args(["build", "--quiet", "--package", "hindscope-tests", "--bins"])
        .go()?;
    script(workspace, "tests/differential/run.mjs")?.args(arguments).go()
}

/// What makes a stable compiler count which code runs, for libFuzzer. It is for what is built for a named
/// target: build scripts stay as they are.
const COUNTED: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// `cargo xtask fuzz`
pub(crate) fn fuzz(workspace: &Workspace, arguments: &[String]) -> Outcome {
    setup::ensure(workspace, &[setup::Need::Node])?;
    let here = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let built = workspace.target("fuzz/build");
    workspace
        .run_cargo()
        .args([
            "build",
            "--quiet",
            "--profile",
            "fuzz",
            "--target",
            &here,
            "--package",
            "hindscope-tests",
        ])
        .args(["--bin", "hindscope-fuzz", "--features", "libfuzzer"])
        .env("RUSTFLAGS", COUNTED)
        .env("CARGO_TARGET_DIR", &built)
        .go()?;
    let program = built.join(&here).join("fuzz/hindscope-fuzz");
    workspace.run("node").arg("tests/fuzz.mjs").arg(&program).args(arguments).go()
}

/// `cargo xtask differential patterns`
fn patterns(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let (mut count, mut seed) = (100_000, 1);
    for pair in arguments.chunks(2) {
        let value = pair.get(1).and_then(|value| value.parse::<u32>().ok());
        match (pair[0].as_str(), value) {
            ("--count", Some(value @ 1..)) => count = value,
            ("--seed", Some(value)) => seed = value,
            _ => {
                return Err(Failure::usage(format!(
                    "`differential patterns` does not know `{}`; it takes --count with a number from 1, and --seed with one from 0",
                    pair.join(" ")
                )));
            }
        }
    }
    installed(workspace, "--test")?
        .arg("tests/npm/patterns.test.mjs")
        .env("HINDSCOPE_PATTERNS", count.to_string())
        .env("HINDSCOPE_SEED", seed.to_string())
        .go()
}

/// `cargo xtask bless`
pub(crate) fn bless(workspace: &Workspace, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`bless` does not know `{unknown}`; it takes nothing")));
    }
    for product in [Product::Npm, Product::Component, Product::Page] {
        product.build(workspace, Profile::Release)?;
    }
    script(workspace, "tests/sizes.mjs")?.arg("--bless").go()
}

/// `cargo xtask docs`
pub(crate) fn docs(workspace: &Workspace, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`docs` does not know `{unknown}`; it takes nothing")));
    }
    setup::ensure(workspace, &[setup::Need::Node])?;
    let reference = workspace.target("docs/api");
    // The types are written by hand, so nothing has to be built.
    workspace.run("node").args(["core/js/reference.mjs", "core/js/npm"]).arg(&reference).go()?;
    println!("docs: open {}", shown(workspace, &reference.join("index.html")));
    Ok(())
}

/// `cargo xtask shots`
pub(crate) fn shots(workspace: &Workspace, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`shots` does not know `{unknown}`; it takes nothing")));
    }
    let chromium = setup::chromium()?;
    Product::Page.build(workspace, Profile::Release)?;
    script(workspace, "tests/e2e/shots.mjs")?
        .env("HINDSCOPE_CHROMIUM", chromium)
        .env("HINDSCOPE_SHOTS", workspace.target("shots"))
        .go()
}
