//! What only the system's package manager brings: Chromium, and Python's own tools.

use super::announce;
use crate::process::{Failure, Outcome, Run};
use crate::workspace::find_in;
use std::path::PathBuf;

/// The first is Chromium without what only a desktop needs: a page costs it a third less.
const CHROMIUM: &[&str] =
    &[HEADLESS, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// Debian's package, and the program in it. Ubuntu has none.
const HEADLESS: &str = "chromium-headless-shell";

/// Finds a Chromium, or installs Debian's.
pub(crate) fn ensure_chromium() -> Outcome<PathBuf> {
    if let Some(chosen) = std::env::var_os("HINDSCOPE_CHROMIUM").map(PathBuf::from) {
        if chosen.is_file() {
            return Ok(chosen);
        }
        return Err(Failure::new(format!(
            "HINDSCOPE_CHROMIUM names {}, which is no file",
            chosen.display()
        )));
    }
    if let Some(found) = find_chromium() {
        return Ok(found);
    }
    let advice = "Or install Chromium or Chrome any other way and set HINDSCOPE_CHROMIUM to it.";
    let why = "browser tests drive the page in it";
    // Without fonts a page has no text, and nothing on it has a size.
    let with_fonts = |browser| [browser, "fonts-liberation", "fonts-noto-core"];
    install(&with_fonts(HEADLESS), why, advice)
        .or_else(|_| install(&with_fonts("chromium"), why, advice))?;
    find_chromium().ok_or_else(|| {
        Failure::new(format!("Chromium was installed, but brought no browser. {advice}"))
    })
}

fn find_chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    CHROMIUM.iter().find_map(|name| find_in(&path, name))
}

/// Installs packages with apt as root; otherwise says which command would.
pub(crate) fn install(packages: &[&str], why: &str, advice: &str) -> Outcome {
    let names = packages.join(" ");
    let by_hand = format!(
        "Please run:\n\n    sudo apt-get update && sudo apt-get install -y --no-install-recommends {names}\n\nand call this again. {advice}"
    );
    if Run::new("apt-get").arg("--version").probe().is_none() {
        return Err(Failure::new(format!(
            "{names} cannot be installed here, as this is no Debian or Ubuntu ({why}). {advice}"
        )));
    }
    if !is_root() {
        return Err(Failure::new(format!(
            "{names} must be installed ({why}), and only root may do that. {by_hand}"
        )));
    }
    announce(&format!("installing {names} with apt"), why, "one to three minutes");
    let apt = |arguments: &[&str]| {
        Run::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .read()
            .map(drop)
    };
    apt(&["update"])
        .and_then(|()| {
            let mut install = vec!["install", "-y", "--no-install-recommends"];
            install.extend(packages);
            apt(&install)
        })
        .map_err(|failure| Failure::new(format!("apt could not do it: {failure}\n{by_hand}")))
}

fn is_root() -> bool {
    Run::new("id").arg("-u").probe().as_deref() == Some("0")
}
