//! The glue of the npm package: the script that wasm-bindgen writes, and the optimised wasm.

use super::{Profile, copy, fresh_dir, optimise, shown, stamp, wasm_opt};
use crate::process::Outcome;
use crate::workspace::Workspace;
use std::path::PathBuf;

/// Where it is made, below the profile's folder.
const FOLDER: &str = "npm/glue";

/// Where wasm-pack leaves it before it is optimised.
const RAW: &str = "npm/raw";

/// What its files are called, before `.js` and `_bg.wasm`.
const OUT_NAME: &str = "hindscope";

/// The folder of the generated script and its optimised wasm.
pub(super) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let script = format!("{OUT_NAME}.js");
    let wasm = format!("{OUT_NAME}_bg.wasm");
    let glue = profile.target(workspace, FOLDER);
    let stamp = stamp(
        workspace,
        profile,
        "npm-glue",
        &["core/js/Cargo.toml", "core/js/src", "xtask/src/build/glue.rs"],
    )?;
    if stamp.is_fresh(&[&glue.join(&script), &glue.join(&wasm)]) {
        return Ok(glue);
    }
    eprintln!("build: the wasm of the npm package");
    let raw = profile.target(workspace, RAW);
    fresh_dir(&raw)?;
    workspace
        .run("wasm-pack")
        // Its one warning would be about a newer version of itself.
        .args(["--log-level", "error"])
        .args(["build", "core/js", "--profile", profile.name()])
        .args(["--target", "web", "--mode", "no-install"])
        // package.json and the types are written by hand, wasm-opt is called below.
        .args(["--no-pack", "--no-typescript", "--no-opt", "--no-gitignore"])
        .args(["--out-name", OUT_NAME, "--out-dir"])
        .arg(&raw)
        .prepare()?;
    fresh_dir(&glue)?;
    copy(&raw.join(&script), &glue.join(&script))?;
    optimise(workspace, profile, &raw.join(&wasm), &glue.join(&wasm))?;
    stamp.keep()?;
    Ok(glue)
}

/// The wasm that people get, with the names of its functions for a profiler. The package has the wasm without
/// them, which is smaller.
pub(super) fn named(workspace: &Workspace) -> Outcome<PathBuf> {
    let profile = Profile::Release;
    build(workspace, profile)?;
    let raw = profile.target(workspace, RAW).join(format!("{OUT_NAME}_bg.wasm"));
    let named = profile.target(workspace, "npm/named.wasm");
    let stamp = profile.stamp(workspace, "npm-named", &[&shown(workspace, &raw)])?;
    if !stamp.is_fresh(&[&named]) {
        wasm_opt(workspace, &[profile.passes(), &["--debuginfo"]].concat(), &raw, &named)?;
        stamp.keep()?;
    }
    Ok(named)
}
