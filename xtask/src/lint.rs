//! What can be said about the source without running it.

use crate::process::{Failure, Outcome, Run};
use crate::setup::{self, Need};
use crate::test::Report;
use crate::workspace::Workspace;
use std::path::PathBuf;

/// `cargo xtask lint`
pub(crate) fn command(workspace: &Workspace, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`lint` does not know `{unknown}`; it takes nothing")));
    }
    let mut report = Report::new();
    let result = steps(workspace, &mut report);
    report.close(result)
}

fn steps(workspace: &Workspace, report: &mut Report) -> Outcome {
    let needs = [Need::Crates, Need::WasmTarget, Need::CargoDeny];
    report.step("setup", || setup::ensure(workspace, &needs))?;
    report.step("formatting", || format(workspace).go())?;
    report.step("clippy", || clippy(workspace).go())?;
    report.step("clippy for wasm", || clippy_for_wasm(workspace).go())?;
    report.step("rustdoc", || rustdoc(workspace).go())?;
    report.step("dependencies", || dependencies(workspace).go())?;
    report.step("advisories", || advisories(workspace))
}

/// `cargo fmt --check`; without `--check` it repairs what it finds.
pub(crate) fn format(workspace: &Workspace) -> Run {
    workspace.run_cargo().args(["fmt", "--all", "--", "--check"])
}

/// Clippy over everything, as this machine compiles it.
pub(crate) fn clippy(workspace: &Workspace) -> Run {
    workspace
        .run_cargo()
        .args(["clippy", "--quiet", "--workspace", "--all-targets"])
        .args(["--", "-D", "warnings"])
}

/// Makes Clippy check the workspace while it is built. This is what `cargo clippy` does, but the build
/// also yields a program, so that the dependencies are not compiled a second time for the lints alone.
pub(crate) fn with_clippy(run: Run) -> Run {
    let cargo = std::env::var_os("CARGO").map(PathBuf::from).unwrap_or_default();
    let driver = cargo.with_file_name("clippy-driver");
    run.env("RUSTC_WORKSPACE_WRAPPER", driver).env("CLIPPY_ARGS", CLIPPY_DENIES)
}

/// `-D warnings`, as `cargo clippy` hands arguments to its driver.
const CLIPPY_DENIES: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// Clippy over what runs as wasm, where other code is switched on. The core comes along, as
/// Clippy looks at every package of the workspace that is built.
pub(crate) fn clippy_for_wasm(workspace: &Workspace) -> Run {
    workspace
        .run_cargo()
        .args(["clippy", "--quiet", "--target", "wasm32-unknown-unknown"])
        .args(["--package", "hindscope-js"])
        .args(["--package", "hindscope-component"])
        .args(["--package", "hindscope-web"])
        .args(["--", "-D", "warnings"])
}

/// Licences, sources and second versions of the dependencies (deny.toml), without the network.
pub(crate) fn dependencies(workspace: &Workspace) -> Run {
    deny(workspace).args(["bans", "licenses", "sources"])
}

/// Known holes in the dependencies, where the database of them can be had.
pub(crate) fn advisories(workspace: &Workspace) -> Outcome {
    if workspace.run_cargo().args(["deny", "fetch", "db"]).read().is_err() {
        eprintln!("lint: advisories are not checked, since their database cannot be fetched");
        return Ok(());
    }
    deny(workspace).args(["--disable-fetch", "advisories"]).go()
}

fn deny(workspace: &Workspace) -> Run {
    workspace.run_cargo().args(["deny", "--all-features", "check", "--hide-inclusion-graph"])
}

/// The core's documentation, without one warning.
pub(crate) fn rustdoc(workspace: &Workspace) -> Run {
    workspace
        .run_cargo()
        .args(["doc", "--quiet", "--no-deps", "--package", "hindscope"])
        .env("RUSTDOCFLAGS", "-D warnings")
}
