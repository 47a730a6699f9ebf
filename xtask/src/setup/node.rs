//! Node, and the packages of the root `package.json`.

use super::announce;
use crate::place::Place;
use crate::process::{Failure, Outcome, at};
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// The oldest Node the tools and tests run on.
const OLDEST: u32 = 20;

/// Checks Node and installs the packages unless they are as new as the lock file.
pub(crate) fn ensure(place: &Place) -> Outcome {
    check_node(place)?;
    let lock = place.path("package-lock.json");
    // npm writes this file last, so it also tells that the last installation was finished.
    let installed = place.path("node_modules/.package-lock.json");
    let locked = changed(&lock).ok_or_else(|| {
        Failure::new("package-lock.json is missing: bring it back with `git checkout`")
    })?;
    if changed(&installed).is_some_and(|time| time >= locked) {
        return Ok(());
    }
    announce(
        "installing the packages of package.json",
        "wasm-opt, jco, uPlot, and the bundlers and runtimes that tests run the package in",
        "under a minute",
    );
    place.run("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).prepare()?;
    // npm keeps the time of an unchanged file, which would make us install again for ever.
    let file = fs::File::options().append(true).open(&installed).map_err(at(&installed))?;
    file.set_modified(SystemTime::now()).map_err(at(&installed))
}

fn check_node(place: &Place) -> Outcome {
    let advice = "Install it from your distribution, NodeSource, nvm or nodejs.org, with npm, \
                  and call this again.";
    let Some(version) = place.run("node").arg("--version").probe() else {
        return Err(Failure::new(format!(
            "Node.js is missing; {OLDEST} or newer is needed. {advice}"
        )));
    };
    if major(&version).is_none_or(|major| major < OLDEST) {
        return Err(Failure::new(format!(
            "Node.js {version} is too old; {OLDEST} or newer is needed. {advice}"
        )));
    }
    if place.run("npm").arg("--version").probe().is_none() {
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

    #[test]
    fn node_tells_its_version_with_a_v() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v8.1.0"), Some(8));
        assert_eq!(major("20.20.2"), None);
    }
}
