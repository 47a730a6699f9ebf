//! The npm package: the hand-written entries beside the glue and its wasm, packed.
//!
//! It has a stamp of its own, as the glue costs minutes and all else seconds: a change of a
//! script, a type or a word of the README only packs again. Our `package.json` is the only one,
//! and it must carry the workspace's version. The page in one file goes in for `hindscope view`,
//! where it is built.

use super::{Product, Profile, copy, copy_dir, fresh_dir, glue, page, shown};
use crate::notices;
use crate::process::{Failure, Outcome, at};
use crate::workspace::Workspace;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Everything that the package is made of, beside the glue.
const PACKAGE_INPUTS: &[&str] = &[
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "core/js/commonjs.mjs",
    "core/js/npm",
    "package-lock.json",
    "xtask/src/build/npm.rs",
    "xtask/src/notices.rs",
];

pub(super) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let version = workspace.cargo()?.version;
    check_version(&workspace.path("core/js/npm/package.json"), &version)?;
    let glue = glue::build(workspace, profile)?;

    let folder = profile.target(workspace, "npm");
    let package = folder.join("hindscope");
    let tarball = Product::Npm.path(workspace, profile)?;
    // The glue and the page count as inputs by their names, sizes and times.
    let viewer = page::built_single(workspace, profile)?;
    let built = [Some(&glue), viewer.as_ref()].map(|path| path.map(|path| shown(workspace, path)));
    let built: Vec<&str> = built.iter().flatten().map(String::as_str).collect();
    let stamp = profile.stamp(workspace, "npm", &[PACKAGE_INPUTS, &built].concat())?;
    if stamp.is_fresh(&[&package, &tarball]) {
        return Ok(tarball);
    }
    eprintln!("build: the npm package");
    fresh_dir(&package)?;
    copy_dir(&workspace.path("core/js/npm"), &package)?;
    copy_dir(&glue, &package)?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&workspace.path(licence), &package.join(licence))?;
    }
    notices::write(workspace, &["hindscope-js"], &[], &package)?;
    if let Some(viewer) = &viewer {
        copy(viewer, &package.join("viewer.html"))?;
    } else {
        eprintln!(
            "build: the package has no page, since no up-to-date one is built; \
             `cargo xtask build page npm` builds both"
        );
    }
    workspace.run("node").arg("core/js/commonjs.mjs").arg(&package).prepare()?;

    let listing = workspace
        .run("npm")
        .args(["pack", "--json", "--pack-destination"])
        .arg(&folder)
        .dir(&package)
        .read()?;
    check_files(&listing)?;
    if !tarball.is_file() {
        return Err(Failure::new(format!(
            "`npm pack` did not write {}",
            shown(workspace, &tarball)
        )));
    }
    stamp.keep()?;
    Ok(tarball)
}

fn check_version(package_json: &Path, version: &str) -> Outcome {
    let text = fs::read_to_string(package_json).map_err(at(package_json))?;
    let facts: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("{}: {error}", package_json.display())))?;
    if facts["version"] == version {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} says version {}, the workspace says \"{version}\": they must be equal",
        package_json.display(),
        facts["version"]
    )))
}

/// What a package owes its reader, and what its types and `require` are given.
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

/// Checks what npm says it packed: everything that is owed, and no other wasm.
fn check_files(listing: &str) -> Outcome {
    let listing: Value = serde_json::from_str(listing)
        .map_err(|error| Failure::new(format!("`npm pack --json` printed no JSON: {error}")))?;
    let files: Vec<&str> = listing[0]["files"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|file| file["path"].as_str())
        .collect();
    let is_wasm = |file: &&&str| Path::new(file).extension().is_some_and(|it| it == "wasm");
    if let Some(stray) = files.iter().filter(is_wasm).find(|file| !OWED.contains(file)) {
        return Err(Failure::new(format!(
            "the npm package holds {stray}, which no entry starts: check `files` in core/js/npm/package.json"
        )));
    }
    for owed in OWED {
        if !files.contains(&owed) {
            return Err(Failure::new(format!(
                "the npm package lacks {owed}: check `files` in core/js/npm/package.json"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(files: &[&str]) -> String {
        let files: Vec<Value> =
            files.iter().map(|path| serde_json::json!({ "path": path })).collect();
        serde_json::json!([{ "files": files }]).to_string()
    }

    #[test]
    fn a_complete_package_passes() {
        check_files(&listing(&OWED)).expect("complete");
    }

    #[test]
    fn a_stray_wasm_or_a_missing_licence_is_refused() {
        let more = [&OWED[..], &["extra.wasm"]].concat();
        let failure = check_files(&listing(&more)).expect_err("a stray wasm");
        assert!(failure.to_string().contains("holds extra.wasm"));
        let failure = check_files(&listing(&OWED[1..])).expect_err("no Apache licence");
        assert!(failure.to_string().contains("lacks LICENSE-APACHE"));
    }
}
