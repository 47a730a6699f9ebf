//! Tasks that are Node scripts over what was built: the benchmark, the comparison with ajv, the
//! sizes and the photographs.

use crate::build::Product;
use crate::place::Place;
use crate::process::{Failure, Outcome};
use crate::setup;
use std::path::Path;

/// Files of `tests/bench`, in the order in which they run.
const BENCHES: [&str; 6] = ["open", "framings", "small", "calls", "memory", "loop"];

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
    Product::Npm.build(place)?;
    for script in &scripts {
        place
            .run("node")
            // Each contestant starts with a collected heap instead of the one before it paying.
            .arg("--expose-gc")
            .arg(format!("tests/bench/{script}.mjs"))
            .args(arguments)
            .env("HINDSCOPE_PACKAGE", place.target("npm/hindscope"))
            .env("HINDSCOPE_BENCH", place.target("bench"))
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
    let page = Product::Page.build(place)?;
    // A memory is written by the package.
    Product::Npm.build(place)?;
    place
        .run("node")
        .arg("tests/bench/page.mjs")
        .args(arguments)
        .env("HINDSCOPE_CHROMIUM", chromium)
        .env("HINDSCOPE_PAGE", page)
        .env("HINDSCOPE_PACKAGE", place.target("npm/hindscope"))
        .env("HINDSCOPE_BENCH", place.target("bench"))
        .go()
}

/// `cargo xtask differential`
pub(crate) fn differential(place: &Place, arguments: &[String]) -> Outcome {
    Product::Npm.build(place)?;
    native_tools(place)?;
    place
        .run("node")
        .arg("tests/differential/run.mjs")
        .args(arguments)
        .env("HINDSCOPE_PACKAGE", place.target("npm/hindscope"))
        .env("HINDSCOPE_VERDICTS", place.cargo()?.target.join("debug/hindscope-verdicts"))
        .go()
}

/// Builds what tells scripts the native core's answers.
pub(crate) fn native_tools(place: &Place) -> Outcome {
    place.run_cargo().args(["build", "--quiet", "--package", "hindscope-tests", "--bins"]).go()
}

/// `cargo xtask bless`
pub(crate) fn bless(place: &Place, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`bless` does not know `{unknown}`; it takes nothing")));
    }
    let component = Product::Component.build(place)?;
    let page = Product::Page.build(place)?;
    // The package carries the page.
    Product::Npm.build(place)?;
    sizes(place, &component, &page, &["--bless"])
}

/// Measures what was built. Without `--bless` it fails where docs/sizes.json says otherwise.
pub(crate) fn sizes(place: &Place, component: &Path, page: &Path, arguments: &[&str]) -> Outcome {
    place
        .run("node")
        .arg("tests/sizes.mjs")
        .args(arguments)
        .env("HINDSCOPE_PACKAGE", place.target("npm/hindscope"))
        .env("HINDSCOPE_COMPONENT", component)
        .env("HINDSCOPE_PAGE", page)
        .go()
}

/// `cargo xtask shots`
pub(crate) fn shots(place: &Place, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`shots` does not know `{unknown}`; it takes nothing")));
    }
    let chromium = setup::chromium()?;
    let page = Product::Page.build(place)?;
    place
        .run("node")
        .arg("tests/e2e/shots.mjs")
        .env("HINDSCOPE_CHROMIUM", chromium)
        .env("HINDSCOPE_PAGE", page)
        .env("HINDSCOPE_SHOTS", place.target("shots"))
        .go()
}
