//! The npm package: wasm-pack's glue and wasm beside the hand-written entries, packed.
//!
//! wasm-pack writes no `package.json` here. Ours is the only one, and it must carry the
//! workspace's version.

use super::{copy, copy_dir, fresh_dir, optimise, shown, stamp};
use crate::place::Place;
use crate::process::{Failure, Outcome, at};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// What the glue and the wasm are called, before `.js` and `_bg.wasm`.
const OUT_NAME: &str = "hindscope";

pub(super) fn build(place: &Place) -> Outcome<PathBuf> {
    let version = place.cargo()?.version;
    let package = place.target("npm/hindscope");
    let tarball = place.target("npm").join(format!("hindscope-{version}.tgz"));
    let stamp = stamp(place, "npm", &["core/js", "LICENSE-MIT", "LICENSE-APACHE"])?;
    if stamp.is_fresh(&[&package, &tarball]) {
        return Ok(tarball);
    }
    eprintln!("build: the npm package");
    check_version(&place.path("core/js/npm/package.json"), &version)?;

    let glue = place.target("npm/glue");
    fresh_dir(&glue)?;
    place
        .run("wasm-pack")
        // Its one warning would be about a newer version of itself.
        .args(["--log-level", "error"])
        .args(["build", "core/js", "--release"])
        .args(["--target", "web", "--mode", "no-install"])
        // package.json and the types are written by hand, wasm-opt is called below.
        .args(["--no-pack", "--no-typescript", "--no-opt", "--no-gitignore"])
        .args(["--out-name", OUT_NAME, "--out-dir"])
        .arg(&glue)
        .prepare()?;

    fresh_dir(&package)?;
    copy_dir(&place.path("core/js/npm"), &package)?;
    let script = format!("{OUT_NAME}.js");
    let wasm = format!("{OUT_NAME}_bg.wasm");
    copy(&glue.join(&script), &package.join(&script))?;
    optimise(place, &glue.join(&wasm), &package.join(&wasm))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&place.path(licence), &package.join(licence))?;
    }

    let listing = place
        .run("npm")
        .args(["pack", "--json", "--pack-destination"])
        .arg(place.target("npm"))
        .dir(&package)
        .read()?;
    check_files(&listing)?;
    if !tarball.is_file() {
        return Err(Failure::new(format!("`npm pack` did not write {}", shown(place, &tarball))));
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

/// Checks what npm says it packed: one wasm, and everything a package owes its reader.
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
    let wasm = files.iter().filter(is_wasm).count();
    if wasm != 1 {
        return Err(Failure::new(format!(
            "the npm package holds {wasm} .wasm files instead of one: check `files` in core/js/npm/package.json"
        )));
    }
    for owed in ["package.json", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "index.d.ts"] {
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

    const COMPLETE: [&str; 6] = [
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "hindscope_bg.wasm",
        "index.d.ts",
        "package.json",
    ];

    #[test]
    fn a_complete_package_passes() {
        check_files(&listing(&COMPLETE)).expect("complete");
    }

    #[test]
    fn a_second_wasm_or_a_missing_licence_is_refused() {
        let twice = [&COMPLETE[..], &["extra.wasm"]].concat();
        let failure = check_files(&listing(&twice)).expect_err("two wasm files");
        assert!(failure.to_string().contains("2 .wasm files"));
        let failure = check_files(&listing(&COMPLETE[1..])).expect_err("no Apache licence");
        assert!(failure.to_string().contains("lacks LICENSE-APACHE"));
    }
}
