//! Node, and the packages of the root `package.json`.

use super::announce;
use crate::process::{Failure, Outcome, at};
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// The oldest Node the tools and tests run on.
const OLDEST: u32 = 20;

/// Checks Node and installs the packages unless they are as new as the lock file.
pub(crate) fn ensure(workspace: &Workspace) -> Outcome {
    check_node(workspace)?;
    let lock = workspace.path("package-lock.json");
    // npm writes this file last, so it also shows that the last installation was finished.
    let installed = workspace.path("node_modules/.package-lock.json");
    let locked = changed(&lock).ok_or_else(|| {
        Failure::new("package-lock.json is missing: bring it back with `git checkout`")
    })?;
    if changed(&installed).is_some_and(|time| time >= locked) {
        return Ok(());
    }
    check_folder(&workspace.path("node_modules"))?;
    announce(
        "installing the packages of package.json",
        "wasm-opt, jco, and the bundlers, runtimes and libraries that tests run the package in",
        "under a minute",
    );
    workspace.run("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).prepare()?;
    // npm keeps the time of an unchanged file, which would make us install again for ever.
    let file = fs::File::options().append(true).open(&installed).map_err(at(&installed))?;
    file.set_modified(SystemTime::now()).map_err(at(&installed))
}

/// `npm ci` empties `node_modules` first, and would empty what a link in its place leads to.
fn check_folder(modules: &Path) -> Outcome {
    if !modules.is_symlink() {
        return Ok(());
    }
    let target = fs::read_link(modules).map_err(at(modules))?;
    Err(Failure::new(format!(
        "{} is a link to {}, and its packages are older than package-lock.json. Installing would \
         empty that folder. Remove the link and call this again, or install where it leads to.",
        modules.display(),
        target.display(),
    )))
}

fn check_node(workspace: &Workspace) -> Outcome {
    let advice = "Install it from your distribution, NodeSource, nvm or nodejs.org, with npm, \
                  and call this again.";
    let Some(version) = workspace.run("node").arg("--version").probe() else {
        return Err(Failure::new(format!(
            "Node.js is missing; {OLDEST} or newer is needed. {advice}"
        )));
    };
    if major(&version).is_none_or(|major| major < OLDEST) {
        return Err(Failure::new(format!(
            "Node.js {version} is too old; {OLDEST} or newer is needed. {advice}"
        )));
    }
    if workspace.run("npm").arg("--version").probe().is_none() {
        return Err(Failure::new(format!("npm is missing. {advice}")));
    }
    Ok(())
}

fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn packages_behind_a_link_are_left_alone() {
        let folder = std::env::temp_dir().join(format!("hindscope-link-{}", std::process::id()));
        let (real, link) = (folder.join("real"), folder.join("node_modules"));
        fs::create_dir_all(&real).expect("the folder is ours");
        assert!(check_folder(&real).is_ok(), "a folder may be emptied");
        assert!(check_folder(&link).is_ok(), "and nothing is there yet");
        std::os::unix::fs::symlink(&real, &link).expect("links can be made");
        let message = check_folder(&link).expect_err("a link is refused").to_string();
        fs::remove_dir(&real).expect("it is empty");
        let dangling = check_folder(&link).is_err();
        fs::remove_dir_all(&folder).expect("the folder is ours");
        assert!(message.contains("is a link to") && message.contains("real"), "{message}");
        assert!(dangling, "a link that leads nowhere is one too");
    }

    #[test]
    fn node_prints_its_version_with_a_v() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v8.1.0"), Some(8));
        assert_eq!(major("20.20.2"), None);
    }
}
