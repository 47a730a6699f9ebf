//! The page: Trunk builds it, [`seal`] makes it fit its content policy, and the single file is made
//! of its files, beside it.

use super::{Product, Profile, shown, stamp};
use crate::notices;
use crate::process::{Failure, Outcome};
use crate::seal;
use crate::workspace::Workspace;
use std::path::PathBuf;

/// The page's folder.
pub(super) const DIST: &str = "www";
/// All of the page in one file, which opens from a disk.
pub(super) const SINGLE: &str = "viewer.html";

/// What the page alone is made of. `web` also holds its server and the README of its package, and neither
/// changes the page.
const INPUTS: &[&str] = &[
    "index.html",
    "Trunk.toml",
    "web/Cargo.toml",
    "web/pwa",
    "web/samples",
    "web/single",
    "web/src",
    "web/style",
    "xtask/src/build/page.rs",
    "xtask/src/notices.rs",
    "xtask/src/seal",
];

pub(super) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let page = Product::Page.path(workspace, profile)?;
    let index = page.join("index.html");
    let stamp = stamp(workspace, profile, "page", INPUTS)?;
    if stamp.is_fresh(&[&index, &page.join(SINGLE)]) {
        return Ok(page);
    }
    eprintln!("build: the page");
    let mut trunk = workspace
        .run("trunk")
        .args(["build", "--offline", "--cargo-profile", profile.name(), "--dist"])
        .arg(&page)
        // A failing build is explained by the compiler's words, not by where Trunk heard of it.
        .env("RUST_BACKTRACE", "0");
    if profile == Profile::Release {
        // Trunk calls wasm-opt and makes scripts smaller.
        trunk = trunk.arg("--release");
    }
    if std::env::var_os("NO_COLOR").is_some() {
        // Trunk 0.21 takes the variable for a switch and stops at any value but true and false.
        trunk = trunk.env("NO_COLOR", "true");
    }
    trunk.prepare()?;
    if !index.is_file() {
        return Err(Failure::new(format!(
            "Trunk said that it built the page, and did not write {}",
            shown(workspace, &index)
        )));
    }
    seal::page(&page)?;
    notices::write(workspace, &["hindscope-web"], &page)?;
    workspace.run("node").arg("web/single/build.mjs").arg(&page).prepare()?;
    seal::list(&page)?;
    stamp.keep()?;
    Ok(page)
}

/// The single file, which every build of the page makes.
pub(super) fn single(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    Ok(build(workspace, profile)?.join(SINGLE))
}
