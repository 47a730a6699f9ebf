//! The package of the page in one file, which `hindscope view` shows histories with.

use super::package::VIEWER;
use super::{Profile, copy, page, shown};
use crate::notices;
use crate::process::Outcome;
use crate::workspace::Workspace;
use std::path::PathBuf;

/// Everything that the package is made of, beside the page.
const PACKAGE_INPUTS: &[&str] = &[
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "web/viewer",
    "xtask/src/build/package.rs",
    "xtask/src/build/viewer.rs",
];

/// What is in the package, and nothing else.
const FILES: [&str; 6] =
    ["LICENSE-APACHE", "LICENSE-MIT", "README.md", notices::FILE, "package.json", page::SINGLE];

pub(super) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let page = page::build(workspace, profile)?;
    let tarball = VIEWER.tarball(workspace, profile)?;
    // The page counts as an input by its size and time.
    let single = shown(workspace, &page.join(page::SINGLE));
    let stamp = profile.stamp(workspace, "viewer", &[PACKAGE_INPUTS, &[&single]].concat())?;
    if stamp.is_fresh(&[&VIEWER.folder(workspace, profile), &tarball]) {
        return Ok(tarball);
    }
    let package = VIEWER.begin(workspace, profile)?;
    for made in [page::SINGLE, notices::FILE] {
        copy(&page.join(made), &package.join(made))?;
    }
    VIEWER.pack(workspace, profile, &FILES, |_| true)?;
    stamp.keep()?;
    Ok(tarball)
}
