//! Where things are: the workspace, its artefacts, and the `PATH` other programs get.

use crate::process::{Failure, Outcome, Run};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The workspace this task works on.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Finds the workspace: the closest folder upwards that holds `xtask/` and `Cargo.toml`.
    ///
    /// # Errors
    ///
    /// Fails outside of the workspace.
    pub(crate) fn find() -> Outcome<Self> {
        let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(
            || std::env::current_dir().map_err(|error| Failure::new(error.to_string())),
            |dir| Ok(PathBuf::from(dir)),
        )?;
        here.ancestors()
            .find(|dir| dir.join("xtask/Cargo.toml").is_file() && dir.join("Cargo.toml").is_file())
            .map(|root| Self { root: root.to_owned() })
            .ok_or_else(|| Failure::new("call this from inside of the hindscope workspace"))
    }

    /// The workspace's folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path in the workspace.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A path below `target/`, where everything we make goes.
    pub(crate) fn target(&self, relative: &str) -> PathBuf {
        self.root.join("target").join(relative)
    }

    /// What cargo says about the workspace: its version, and where its own output goes.
    ///
    /// # Errors
    ///
    /// Fails when cargo cannot read the workspace, with cargo's words.
    pub(crate) fn cargo(&self) -> Outcome<CargoFacts> {
        let text = Run::cargo()
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .dir(&self.root)
            .read()?;
        CargoFacts::from_metadata(&text)
            .ok_or_else(|| Failure::new("`cargo metadata` printed something else than expected"))
    }

    /// `PATH` for other programs: our own tools first, then npm's, then the person's.
    pub(crate) fn search_path(&self) -> OsString {
        let mut dirs = vec![self.toolbox().join("bin"), self.path("node_modules/.bin")];
        dirs.extend(search_dirs());
        dirs.extend(cargo_bin());
        // Fails only for a folder with a colon in its name, which no PATH can hold anyway.
        std::env::join_paths(dirs).unwrap_or_else(|_| std::env::var_os("PATH").unwrap_or_default())
    }

    /// Where tools go when the person has another version of them that is not ours to replace.
    pub(crate) fn toolbox(&self) -> PathBuf {
        self.target("toolbox")
    }

    /// A call of a program with [`Workspace::search_path`], from the workspace's folder.
    pub(crate) fn run(&self, program: &str) -> Run {
        let path = self.search_path();
        let found = find_in(&path, program).unwrap_or_else(|| PathBuf::from(program));
        Run::new(found).env("PATH", path).dir(&self.root)
    }

    /// [`Run::cargo`] with [`Workspace::search_path`], from the workspace's folder.
    pub(crate) fn run_cargo(&self) -> Run {
        Run::cargo().env("PATH", self.search_path()).dir(&self.root)
    }
}

/// Folders of the person's `PATH`.
fn search_dirs() -> Vec<PathBuf> {
    std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}

/// `cargo install` puts programs here, which need not be on `PATH`.
fn cargo_bin() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .map(|home| home.join("bin"))
}

/// Finds a program in a `PATH`.
pub(crate) fn find_in(path: &OsString, program: &str) -> Option<PathBuf> {
    std::env::split_paths(path).map(|dir| dir.join(program)).find(|candidate| candidate.is_file())
}

/// What cargo knows about the workspace.
pub(crate) struct CargoFacts {
    /// The version all packages share.
    pub(crate) version: String,
    /// Where cargo puts what it builds.
    pub(crate) target: PathBuf,
}

impl CargoFacts {
    fn from_metadata(text: &str) -> Option<Self> {
        let facts: Value = serde_json::from_str(text).ok()?;
        let core =
            facts["packages"].as_array()?.iter().find(|package| package["name"] == "hindscope")?;
        Some(Self {
            version: core["version"].as_str()?.to_owned(),
            target: PathBuf::from(facts["target_directory"].as_str()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_core() {
        let text = r#"{"packages":[{"name":"xtask","version":"9.9.9"},
            {"name":"hindscope","version":"0.1.0"}],"target_directory":"/somewhere/target"}"#;
        let facts = CargoFacts::from_metadata(text).expect("complete");
        assert_eq!(facts.version, "0.1.0");
        assert_eq!(facts.target, Path::new("/somewhere/target"));
        assert!(CargoFacts::from_metadata("{}").is_none());
    }

    #[test]
    fn our_own_tools_come_first() {
        let workspace = Workspace::find().expect("tests run inside of the workspace");
        let path = workspace.search_path();
        let dirs: Vec<_> = std::env::split_paths(&path).collect();
        assert_eq!(dirs[0], workspace.target("toolbox/bin"));
        assert_eq!(dirs[1], workspace.path("node_modules/.bin"));
    }
}
