//! The page: Trunk builds it, and its hook (`cargo xtask seal`) makes it fit its content policy. The
//! single file is made of its files, beside it.

use super::{shown, stamp};
use crate::place::Place;
use crate::process::{Failure, Outcome};
use crate::stamp::Stamp;
use std::path::PathBuf;

/// As in `Trunk.toml`.
const DIST: &str = "www";
/// All of the page in one file, which opens from a disk.
const SINGLE: &str = "viewer.html";

pub(super) fn build(place: &Place) -> Outcome<PathBuf> {
    let page = place.target(DIST);
    let index = page.join("index.html");
    let stamp = stamp_of(place)?;
    if stamp.is_fresh(&[&index, &page.join(SINGLE)]) {
        return Ok(page);
    }
    eprintln!("build: the page");
    let mut trunk = place
        .run("trunk")
        .args(["build", "--release", "--offline"])
        // A failing build is explained by the compiler's words, not by where Trunk heard of it.
        .env("RUST_BACKTRACE", "0");
    if std::env::var_os("NO_COLOR").is_some() {
        // Trunk 0.21 takes the variable for a switch and stops at any value but true and false.
        trunk = trunk.env("NO_COLOR", "true");
    }
    trunk.prepare()?;
    if !index.is_file() {
        return Err(Failure::new(format!(
            "Trunk did not write {}: does `dist` in Trunk.toml still say target/{DIST}?",
            shown(place, &index)
        )));
    }
    place.run("node").arg("web/single/build.mjs").arg(&page).prepare()?;
    stamp.keep()?;
    Ok(page)
}

fn stamp_of(place: &Place) -> Outcome<Stamp> {
    let own = ["index.html", "Trunk.toml", "web", "xtask/src/seal", "xtask/src/build/page.rs"];
    stamp(place, "page", &own)
}

/// The single file if it is built and of what is here now, for the package, which carries
/// it and must not wait minutes for it.
pub(super) fn built_single(place: &Place) -> Outcome<Option<PathBuf>> {
    let single = place.target(DIST).join(SINGLE);
    Ok(stamp_of(place)?.is_fresh(&[&single]).then_some(single))
}

/// The single file, which every build of the page makes.
pub(super) fn single(place: &Place) -> Outcome<PathBuf> {
    Ok(build(place)?.join(SINGLE))
}
