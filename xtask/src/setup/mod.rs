//! Makes a machine with rustup and Node ready, one need at a time.
//!
//! Every need first looks whether it is already met in the right version and then says nothing.
//! What has to be installed is announced in one line: what, why, and how long it takes. Programs a
//! person already has in another version are never replaced; ours go to `target/toolbox` then.

mod cargo_tools;
mod node;
mod python;
mod system;

use crate::process::{Failure, Outcome, Run};
use crate::workspace::Workspace;
use std::path::PathBuf;

pub(crate) use python::Python;

/// One thing a task cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The sources of all crates, so that builds never ask the network.
    Crates,
    /// Rust's standard library for wasm.
    WasmTarget,
    /// Node, and the packages of `package.json`.
    Node,
    /// Makes the JavaScript around the wasm.
    WasmBindgen,
    /// Builds the npm package's core.
    WasmPack,
    /// Builds the page.
    Trunk,
    /// Checks the dependencies. Only for what runs it: it takes minutes to build.
    CargoDeny,
    /// Drives the page in tests.
    Chromium,
    /// Hosts the component in tests.
    Python,
}

/// What building the page needs.
pub(crate) const FOR_PAGE: &[Need] =
    &[Need::Crates, Need::WasmTarget, Need::Node, Need::WasmBindgen, Need::Trunk];

/// What building the npm package needs.
pub(crate) const FOR_NPM: &[Need] =
    &[Need::Crates, Need::WasmTarget, Need::Node, Need::WasmBindgen, Need::WasmPack];

/// What building the component needs.
pub(crate) const FOR_COMPONENT: &[Need] = &[Need::Crates, Need::WasmTarget, Need::Node];

/// Everything, in an order that fails early: first what a person may have to install themselves.
pub(crate) const FOR_ALL: &[Need] = &[
    Need::Node,
    Need::Chromium,
    Need::Python,
    Need::Crates,
    Need::WasmTarget,
    Need::WasmBindgen,
    Need::WasmPack,
    Need::Trunk,
];

/// `cargo xtask setup`
pub(crate) fn command(workspace: &Workspace, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`setup` does not know `{unknown}`; it takes nothing")));
    }
    ensure(workspace, FOR_ALL)?;
    println!("setup: everything is there");
    Ok(())
}

/// Meets each need, in the order given.
pub(crate) fn ensure(workspace: &Workspace, needs: &[Need]) -> Outcome {
    for need in needs {
        match need {
            Need::Crates => crates(workspace)?,
            Need::WasmTarget => wasm_target(workspace)?,
            Need::Node => node::ensure(workspace)?,
            Need::WasmBindgen => {
                cargo_tools::ensure(workspace, &cargo_tools::wasm_bindgen(workspace)?)?;
            }
            Need::WasmPack => cargo_tools::ensure(workspace, &cargo_tools::WASM_PACK)?,
            Need::Trunk => cargo_tools::ensure(workspace, &cargo_tools::TRUNK)?,
            Need::CargoDeny => cargo_tools::ensure(workspace, &cargo_tools::CARGO_DENY)?,
            Need::Chromium => system::ensure_chromium().map(drop)?,
            Need::Python => python::ensure(workspace)?,
        }
    }
    if needs.contains(&Need::WasmPack) && needs.contains(&Need::Trunk) {
        cargo_tools::sweep(workspace);
    }
    Ok(())
}

/// Says what is about to be done. The only way setup speaks, and never on the output a task
/// writes its answer to.
fn announce(what: &str, why: &str, takes: &str) {
    eprintln!("setup: {what} ({why}); takes {takes}");
}

/// The Chromium for browser tests.
///
/// # Errors
///
/// Fails when there is none and none can be installed, with what to do.
pub(crate) fn chromium() -> Outcome<PathBuf> {
    system::ensure_chromium()
}

fn crates(workspace: &Workspace) -> Outcome {
    // Trunk and the tests build offline, and Cargo would otherwise fetch crate by crate while
    // other lines are being printed. Without news this takes a fraction of a second.
    let fetch = |offline: bool| {
        let mut run = workspace.run_cargo().args(["fetch", "--quiet"]);
        if offline {
            run = run.arg("--offline");
        }
        // A committed lock file that does not fit is an error of the commit, and found here.
        if std::env::var_os("CI").is_some() {
            run = run.arg("--locked");
        }
        run
    };
    if fetch(true).probe().is_some() {
        return Ok(());
    }
    announce(
        "fetching the sources of all crates",
        "builds work offline afterwards",
        "under a minute",
    );
    fetch(false).prepare()
}

fn wasm_target(workspace: &Workspace) -> Outcome {
    const TARGET: &str = "wasm32-unknown-unknown";
    let is_there = || {
        Run::new("rustc")
            .args(["--print", "target-libdir", "--target", TARGET])
            .dir(workspace.root())
            .probe()
            .is_some_and(|dir| PathBuf::from(dir).is_dir())
    };
    if is_there() {
        return Ok(());
    }
    announce(
        &format!("adding the Rust target {TARGET}"),
        "the core runs as WebAssembly",
        "a few seconds",
    );
    let added = workspace.run("rustup").args(["target", "add", TARGET]).prepare().is_ok();
    if added && is_there() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Rust's standard library for {TARGET} is missing and rustup could not add it. \
         Run `rustup target add {TARGET}` where the network reaches rustup's server, then call \
         this again."
    )))
}
