//! Tasks that are Node scripts over what was built: the benchmark, the comparison with ajv, the
//! sizes and the photographs.

use crate::build::{Product, Profile};
use crate::place::Place;
use crate::process::{Failure, Outcome, Run};
use crate::setup;
use crate::test::artefacts;

/// Files of `tests/bench`, in the order in which they run.
const BENCHES: [&str; 7] = ["deviations", "open", "framings", "small", "calls", "memory", "loop"];

/// A Node script over the release builds.
fn script(place: &Place, name: &str) -> Outcome<Run> {
    Ok(place.run("node").arg(name).envs(&artefacts(place, Profile::Release)?))
}

/// `cargo xtask bench`
pub(crate) fn bench(place: &Place, arguments: &[String]) -> Outcome {
    if let Some((first, rest)) = arguments.split_first()
        && first == "page"
    {
        return bench_page(place, rest);
    }
    // One of them alone takes arguments of its own.
    let (scripts, arguments) = match arguments.split_first() {
        Some((first, rest)) if BENCHES.contains(&first.as_str()) => (vec![first.as_str()], rest),
        _ => (BENCHES.to_vec(), arguments),
    };
    Product::Npm.build(place, Profile::Release)?;
    for name in &scripts {
        place
            .run("node")
            // Each contestant starts with a collected heap instead of the one before it paying.
            .arg("--expose-gc")
            .arg(format!("tests/bench/{name}.mjs"))
            .args(arguments)
            .envs(&artefacts(place, Profile::Release)?)
            .go()?;
    }
    // Its answer is for people.
    if !scripts.contains(&"loop") || arguments.iter().any(|argument| argument == "--json") {
        return Ok(());
    }
    eprintln!("bench: the reflection loop in Rust");
    place
        .run_cargo()
        .args(["run", "--quiet", "--release", "--package", "hindscope-tests"])
        .args(["--bin", "hindscope-loop-bench"])
        .go()
}

/// `cargo xtask bench page`
fn bench_page(place: &Place, arguments: &[String]) -> Outcome {
    let chromium = setup::chromium()?;
    Product::Page.build(place, Profile::Release)?;
    // A memory is written by the package.
    Product::Npm.build(place, Profile::Release)?;
    script(place, "tests/bench/page.mjs")?.args(arguments).env("HINDSCOPE_CHROMIUM", chromium).go()
}

/// `cargo xtask differential`
pub(crate) fn differential(place: &Place, arguments: &[String]) -> Outcome {
    Product::Npm.build(place, Profile::Release)?;
    place.run_cargo().args(["build", "--quiet", "--package", "hindscope-tests", "--bins"]).go()?;
    script(place, "tests/differential/run.mjs")?.args(arguments).go()
}

/// `cargo xtask bless`
pub(crate) fn bless(place: &Place, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`bless` does not know `{unknown}`; it takes nothing")));
    }
    // The package carries the page.
    for product in [Product::Component, Product::Page, Product::Npm] {
        product.build(place, Profile::Release)?;
    }
    script(place, "tests/sizes.mjs")?.arg("--bless").go()
}

/// `cargo xtask shots`
pub(crate) fn shots(place: &Place, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`shots` does not know `{unknown}`; it takes nothing")));
    }
    let chromium = setup::chromium()?;
    Product::Page.build(place, Profile::Release)?;
    script(place, "tests/e2e/shots.mjs")?
        .env("HINDSCOPE_CHROMIUM", chromium)
        .env("HINDSCOPE_SHOTS", place.target("shots"))
        .go()
}
