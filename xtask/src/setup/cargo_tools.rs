//! Programs that come as source from Rust's registry: wasm-bindgen, wasm-pack, Trunk, cargo-deny.

use super::announce;
use crate::process::{Failure, Outcome, Run, at};
use crate::workspace::{Workspace, find_in};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;

/// A program to be built by `cargo install`.
pub(crate) struct CargoTool {
    program: &'static str,
    package: &'static str,
    version: Cow<'static, str>,
    flags: &'static [&'static str],
    why: &'static str,
    takes: &'static str,
    /// A tool that works through megabytes of wasm is worth a little optimisation.
    opt_level: &'static str,
}

/// Makes the npm package's glue and hands the crate to cargo, wasm-bindgen and wasm-opt.
pub(crate) const WASM_PACK: CargoTool = CargoTool {
    program: "wasm-pack",
    package: "wasm-pack",
    version: Cow::Borrowed("0.15.1"),
    flags: &["--locked"],
    why: "it builds the npm package",
    takes: "one to three minutes, once",
    opt_level: "0",
};

/// 0.22 wants a newer compiler than the workspace does.
pub(crate) const TRUNK: CargoTool = CargoTool {
    program: "trunk",
    package: "trunk",
    version: Cow::Borrowed("0.21.14"),
    // Its default features bring the system's OpenSSL, which a fresh machine does not have.
    flags: &["--locked", "--no-default-features", "--features", "rustls"],
    why: "it builds the page",
    takes: "three to six minutes, once",
    opt_level: "0",
};

/// Checks licences, sources and versions of what is compiled in.
pub(crate) const CARGO_DENY: CargoTool = CargoTool {
    program: "cargo-deny",
    package: "cargo-deny",
    version: Cow::Borrowed("0.20.2"),
    flags: &["--locked"],
    why: "it checks the dependencies",
    takes: "two to six minutes, once",
    opt_level: "0",
};

/// The command-line half of the `wasm-bindgen` crate; both refuse to work in unequal versions.
///
/// # Errors
///
/// Fails when `Cargo.lock` does not name the crate.
pub(crate) fn wasm_bindgen(workspace: &Workspace) -> Outcome<CargoTool> {
    let lock = workspace.path("Cargo.lock");
    let text = fs::read_to_string(&lock).map_err(at(&lock))?;
    let version = locked_version(&text, "wasm-bindgen")
        .ok_or_else(|| Failure::new("Cargo.lock does not name wasm-bindgen"))?
        .to_owned();
    Ok(CargoTool {
        program: "wasm-bindgen",
        package: "wasm-bindgen-cli",
        version: Cow::Owned(version),
        // Not --locked: the lock file of 0.2.130 names a crate version that was withdrawn.
        flags: &["--no-default-features"],
        why: "it makes the JavaScript that loads the wasm",
        takes: "one to four minutes, once",
        opt_level: "1",
    })
}

/// Builds the tool unless it is there in this version.
///
/// # Errors
///
/// Fails when it cannot be built, or is not the one found afterwards.
pub(crate) fn ensure(workspace: &Workspace, tool: &CargoTool) -> Outcome {
    let found = version_on(&workspace.search_path(), tool.program);
    if found.as_deref() == Some(&*tool.version) {
        return Ok(());
    }
    let what = format!("building {} {}", tool.program, tool.version);
    let what = match &found {
        Some(other) => format!("{what} into target/toolbox, leaving your {other} alone"),
        None => what,
    };
    announce(&what, tool.why, tool.takes);

    let target = workspace.target("tools");
    let mut install = workspace
        .run_cargo()
        .args(["install", "--quiet", "--force"])
        .args(tool.flags)
        .arg(format!("{}@{}", tool.package, tool.version))
        // One folder for all tools, so that they share what they have in common.
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", tool.opt_level)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "256")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        // Flags meant for hindscope have no business in its tools.
        .without_env("RUSTFLAGS")
        .without_env("CARGO_ENCODED_RUSTFLAGS")
        .without_env("CARGO_BUILD_TARGET");
    if found.is_some() {
        install = install.arg("--root").arg(workspace.toolbox());
    }
    install.prepare()?;

    let now = version_on(&workspace.search_path(), tool.program);
    if now.as_deref() == Some(&*tool.version) {
        return Ok(());
    }
    let problem = match now {
        Some(other) => format!("version {other} of it stands earlier on PATH."),
        None => "it is not found on PATH, or does not tell its version.".to_owned(),
    };
    Err(Failure::new(format!("{} {} was installed, but {problem}", tool.program, tool.version)))
}

fn version_on(path: &OsString, program: &str) -> Option<String> {
    let program = find_in(path, program)?;
    let printed = Run::new(program).arg("--version").probe()?;
    printed.split_whitespace().nth(1).map(str::to_owned)
}

/// The version `Cargo.lock` names for a package.
fn locked_version<'lock>(lock: &'lock str, package: &str) -> Option<&'lock str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// Frees the gigabytes the tools were built in, once all of them work.
pub(crate) fn sweep(workspace: &Workspace) {
    let target = workspace.target("tools");
    if target.is_dir() {
        // Only space is at stake.
        let _ = fs::remove_dir_all(target);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_decides_which_wasm_bindgen() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.2.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }
}
