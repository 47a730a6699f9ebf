//! What both npm packages have in common: the workspace's version, the licences, and a look at what npm packed.

use super::{Profile, copy, copy_dir, fresh_dir, shown};
use crate::process::{Failure, Outcome, at};
use crate::workspace::Workspace;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A package: what npm calls it, and the folder with its package.json.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
}

/// The core, for programs.
pub(crate) const NPM: Package = Package { name: "hindscope", source: "core/js/npm" };
/// The page in one file, for `hindscope view`.
pub(crate) const VIEWER: Package = Package { name: "hindscope-viewer", source: "web/viewer" };

impl Package {
    pub(super) fn folder(&self, workspace: &Workspace, profile: Profile) -> PathBuf {
        profile.target(workspace, "npm").join(self.name)
    }

    pub(super) fn tarball(&self, workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
        let name = format!("{}-{}.tgz", self.name, workspace.cargo()?.version);
        Ok(profile.target(workspace, "npm").join(name))
    }

    /// Versions in package.json that are not that of the workspace. `hindscope` asks for the page in its own.
    pub(crate) fn wrong_versions(&self, workspace: &Workspace) -> Outcome<Vec<String>> {
        let file = format!("{}/package.json", self.source);
        let path = workspace.path(&file);
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        wrong_versions(&workspace.cargo()?.version, &file, &text)
    }

    /// A new folder with what lies in the source, and the licences.
    pub(super) fn begin(&self, workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
        if let Some(wrong) = self.wrong_versions(workspace)?.first() {
            return Err(Failure::new(wrong.clone()));
        }
        eprintln!("build: the npm package {}", self.name);
        let folder = self.folder(workspace, profile);
        fresh_dir(&folder)?;
        copy_dir(&workspace.path(self.source), &folder)?;
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            copy(&workspace.path(licence), &folder.join(licence))?;
        }
        Ok(folder)
    }

    /// Packs the folder. All of `owed` must be in the tarball, and of what `is_counted` nothing else.
    pub(super) fn pack(
        &self,
        workspace: &Workspace,
        profile: Profile,
        owed: &[&str],
        is_counted: fn(&str) -> bool,
    ) -> Outcome {
        let listing = workspace
            .run("npm")
            .args(["pack", "--json", "--pack-destination"])
            .arg(profile.target(workspace, "npm"))
            .dir(&self.folder(workspace, profile))
            .read()?;
        self.check_files(&listing, owed, is_counted)?;
        let tarball = self.tarball(workspace, profile)?;
        if tarball.is_file() {
            return Ok(());
        }
        Err(Failure::new(format!("`npm pack` did not write {}", shown(workspace, &tarball))))
    }

    fn check_files(&self, listing: &str, owed: &[&str], is_counted: fn(&str) -> bool) -> Outcome {
        let listing: Value = serde_json::from_str(listing)
            .map_err(|error| Failure::new(format!("`npm pack --json` printed no JSON: {error}")))?;
        let files: Vec<&str> = listing[0]["files"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|file| file["path"].as_str())
            .collect();
        let stray = files.iter().find(|file| is_counted(file) && !owed.contains(file));
        let missing = owed.iter().find(|file| !files.contains(file));
        let what = match (stray, missing) {
            (Some(stray), _) => format!("holds {stray}, which is not expected"),
            (_, Some(missing)) => format!("lacks {missing}"),
            _ => return Ok(()),
        };
        let Self { name, source } = self;
        let advice = format!("check `files` in {source}/package.json");
        Err(Failure::new(format!("the npm package {name} {what}: {advice}")))
    }
}

/// Whether a file is WebAssembly.
pub(super) fn is_wasm(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|it| it == "wasm")
}

fn wrong_versions(version: &str, file: &str, text: &str) -> Outcome<Vec<String>> {
    let facts: Value =
        serde_json::from_str(text).map_err(|error| Failure::new(format!("{file}: {error}")))?;
    let said = [
        ("version", Some(&facts["version"])),
        (VIEWER.name, facts["peerDependencies"].get(VIEWER.name)),
    ];
    Ok(said
        .into_iter()
        .filter_map(|(name, said)| Some((name, said?)))
        .filter(|(_, said)| *said != version)
        .map(|(name, said)| {
            format!("{file} has {name} {said}, the workspace has \"{version}\": they must be equal")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWED: [&str; 2] = ["LICENSE-MIT", "a.wasm"];

    fn check(files: &[&str]) -> Outcome {
        let files: Vec<Value> =
            files.iter().map(|path| serde_json::json!({ "path": path })).collect();
        let listing = serde_json::json!([{ "files": files }]).to_string();
        NPM.check_files(&listing, &OWED, is_wasm)
    }

    #[test]
    fn a_complete_package_passes() {
        check(&["LICENSE-MIT", "a.wasm", "a.mjs"]).expect("complete");
    }

    #[test]
    fn a_stray_wasm_or_a_missing_licence_is_refused() {
        let failure = check(&["LICENSE-MIT", "a.wasm", "b.wasm"]).expect_err("a stray wasm");
        assert!(failure.to_string().contains("holds b.wasm"), "{failure}");
        let failure = check(&["a.wasm"]).expect_err("no licence");
        assert!(failure.to_string().contains("lacks LICENSE-MIT"), "{failure}");
    }

    #[test]
    fn versions_must_agree() {
        let wrong = |text: &str| wrong_versions("1.2.0", "a", text).expect("JSON").len();
        assert_eq!(wrong(r#"{"version": "1.2.0"}"#), 0);
        assert_eq!(wrong(r#"{"version": "1.3.0"}"#), 1);
        let asking = |page: &str| {
            let peers = serde_json::json!({ "hindscope-viewer": page, "wasmoon": "^1.16.0" });
            serde_json::json!({ "version": "1.2.0", "peerDependencies": peers }).to_string()
        };
        assert_eq!(wrong(&asking("1.2.0")), 0);
        assert_eq!(wrong(&asking("1.1.0")), 1);
        assert!(wrong_versions("1.2.0", "a", "no JSON").is_err());
    }

    #[test]
    fn our_packages_have_the_version_of_the_workspace() {
        let workspace = Workspace::find().expect("tests run in the workspace");
        for package in [NPM, VIEWER] {
            let wrong = package.wrong_versions(&workspace).expect("readable");
            assert_eq!(wrong, [] as [String; 0]);
        }
    }
}
