//! The glue of the npm package: for each of its wasm the script that wasm-bindgen writes, and the optimised wasm.

use super::{Profile, copy, fresh_dir, optimise, shown, stamp, wasm_opt};
use crate::process::Outcome;
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};

/// Where it is made, below the profile's folder.
const FOLDER: &str = "npm/glue";

/// Where wasm-pack leaves it before it is optimised.
const RAW: &str = "npm/raw";

/// A wasm of the package.
struct Module {
    /// The feature of `hindscope-js` that it is built with, and its folder in the package.
    feature: &'static str,
    /// What its files are called, before `.js` and `_bg.wasm`. Bundlers put all of them into one folder.
    name: &'static str,
}

impl Module {
    fn script(&self) -> PathBuf {
        Path::new(self.feature).join(format!("{}.js", self.name))
    }

    fn wasm(&self) -> PathBuf {
        Path::new(self.feature).join(format!("{}_bg.wasm", self.name))
    }

    /// What cargo is told beside the rest. The core is made for speed, except in the module that every live
    /// loop downloads: there it reads one record at a time, for which a tenth of the size is worth more than
    /// 15 µs.
    fn options(&self, profile: Profile) -> &'static [&'static str] {
        match (self.feature, profile) {
            ("contract" | "loop", Profile::Release) => {
                &["--config", "profile.release.package.hindscope.opt-level=\"z\""]
            }
            _ => &[],
        }
    }
}

const CONTRACT: Module = Module { feature: "contract", name: "hindscope" };
const HISTORY: Module = Module { feature: "history", name: "hindscope_history" };
const LOOP: Module = Module { feature: "loop", name: "hindscope_loop" };
const MODULES: [Module; 3] = [CONTRACT, HISTORY, LOOP];

/// The folder of the generated scripts and their optimised wasm.
pub(super) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let glue = profile.target(workspace, FOLDER);
    let stamp = stamp(
        workspace,
        profile,
        "npm-glue",
        &["core/js/Cargo.toml", "core/js/src", "xtask/src/build/glue.rs"],
    )?;
    let files: Vec<PathBuf> = MODULES
        .iter()
        .flat_map(|module| [glue.join(module.script()), glue.join(module.wasm())])
        .collect();
    if stamp.is_fresh(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>()) {
        return Ok(glue);
    }
    fresh_dir(&glue)?;
    let raw = profile.target(workspace, RAW);
    for module in &MODULES {
        eprintln!("build: the wasm `{}` of the npm package", module.name);
        bind(workspace, profile, module, &raw.join(module.feature))?;
        fresh_dir(&glue.join(module.feature))?;
        copy(&raw.join(module.script()), &glue.join(module.script()))?;
        optimise(workspace, profile, &raw.join(module.wasm()), &glue.join(module.wasm()))?;
    }
    stamp.keep()?;
    Ok(glue)
}

/// Compiles a module, and writes its script and its wasm into a folder.
fn bind(workspace: &Workspace, profile: Profile, module: &Module, folder: &Path) -> Outcome {
    fresh_dir(folder)?;
    workspace
        .run("wasm-pack")
        // Its one warning would be about a newer version of itself.
        .args(["--log-level", "error"])
        .args(["build", "core/js", "--profile", profile.name()])
        .args(["--target", "web", "--mode", "no-install"])
        // package.json and the types are written by hand, wasm-opt is called by us.
        .args(["--no-pack", "--no-typescript", "--no-opt", "--no-gitignore"])
        .args(["--out-name", module.name, "--out-dir"])
        .arg(folder)
        .args(["--", "--no-default-features", "--features", module.feature])
        .args(module.options(profile))
        .prepare()
}

/// The wasm that opens histories, with the names of its functions for a profiler. The package has the wasm
/// without them, which is smaller.
pub(super) fn named(workspace: &Workspace) -> Outcome<PathBuf> {
    let profile = Profile::Release;
    build(workspace, profile)?;
    let raw = profile.target(workspace, RAW).join(HISTORY.wasm());
    let named = profile.target(workspace, "npm/named.wasm");
    let stamp = profile.stamp(workspace, "npm-named", &[&shown(workspace, &raw)])?;
    if !stamp.is_fresh(&[&named]) {
        wasm_opt(workspace, &[profile.passes(), &["--debuginfo"]].concat(), &raw, &named)?;
        stamp.keep()?;
    }
    Ok(named)
}
