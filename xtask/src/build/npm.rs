//! The npm package: the hand-written entries beside the glue and its wasm, packed.
//!
//! It has a stamp of its own, as the glue costs minutes and all else seconds: a change of a
//! script, a type or a word of the README only packs again. Our `package.json` is the only one.

use super::package::{NPM, is_wasm};
use super::{Profile, copy_dir, glue, shown};
use crate::notices;
use crate::process::Outcome;
use crate::workspace::Workspace;
use std::path::PathBuf;

/// Everything that the package is made of, beside the glue.
const PACKAGE_INPUTS: &[&str] = &[
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "core/js/commonjs.mjs",
    "core/js/npm",
    "package-lock.json",
    "xtask/src/build/npm.rs",
    "xtask/src/build/package.rs",
    "xtask/src/notices.rs",
];

/// What the package owes its reader, and what its types and `require` are given. No other wasm is in it.
const OWED: [&str; 16] = [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "THIRD-PARTY.txt",
    "cjs/contract/node.cjs",
    "cli/answers.d.cts",
    "cli/answers.d.ts",
    "cli/main.mjs",
    "contract/hindscope_bg.wasm",
    "contract/index.d.cts",
    "contract/index.d.ts",
    "contract/manual.d.cts",
    "contract/manual.d.ts",
    "history/hindscope_history_bg.wasm",
    "loop/hindscope_loop_bg.wasm",
    "package.json",
];

pub(super) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let glue = glue::build(workspace, profile)?;
    let tarball = NPM.tarball(workspace, profile)?;
    // The glue counts as an input by its names, sizes and times.
    let made = shown(workspace, &glue);
    let stamp = profile.stamp(workspace, "npm", &[PACKAGE_INPUTS, &[&made]].concat())?;
    if stamp.is_fresh(&[&NPM.folder(workspace, profile), &tarball]) {
        return Ok(tarball);
    }
    let package = NPM.begin(workspace, profile)?;
    copy_dir(&glue, &package)?;
    notices::write(workspace, &["hindscope-js"], &package)?;
    workspace.run("node").arg("core/js/commonjs.mjs").arg(&package).prepare()?;
    NPM.pack(workspace, profile, &OWED, is_wasm)?;
    stamp.keep()?;
    Ok(tarball)
}
