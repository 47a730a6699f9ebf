//! The component: wasm that imports nothing, so it runs anywhere and can touch nothing. One has everything, and
//! there is one for each smaller world of `wit/`.

use super::{Product, Profile, fresh_dir, optimise, shown, stamp};
use crate::notices;
use crate::process::{Failure, Outcome, at};
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-unknown-unknown";

/// The world with everything, whose file has no world in its name.
const ALL: &str = "hindscope";

/// The other worlds of `wit/`, each a feature of `hindscope-component`.
const WORLDS: [&str; 5] = ["validate", "window", "history", "memory", "loop"];

pub(super) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let component = Product::Component.path(workspace, profile)?;
    let small = WORLDS.map(|world| component.with_file_name(format!("{ALL}-{world}.wasm")));
    let own = ["core/component", "wit", "xtask/src/build/component.rs", "xtask/src/notices.rs"];
    let stamp = stamp(workspace, profile, "component", &own)?;
    let wanted = [(ALL, &component)].into_iter().chain(WORLDS.into_iter().zip(&small));
    let wanted: Vec<(&str, &PathBuf)> = wanted.collect();
    let files: Vec<&Path> = wanted.iter().map(|(_, file)| file.as_path()).collect();
    if stamp.is_fresh(&files) {
        return Ok(component);
    }
    let dir = profile.target(workspace, "component");
    fresh_dir(&dir)?;
    for (world, file) in wanted {
        eprintln!("build: the component of the world `{world}`");
        one(workspace, profile, world, file)?;
    }
    notices::write(workspace, &["hindscope-component"], &dir)?;
    stamp.keep()?;
    Ok(component)
}

/// Builds the component of a world.
fn one(workspace: &Workspace, profile: Profile, world: &str, file: &Path) -> Outcome {
    let mut cargo = workspace
        .run_cargo()
        .args(["build", "--profile", profile.name(), "--target", TARGET])
        .args(["--package", "hindscope-component"]);
    if world != ALL {
        cargo = cargo.args(["--no-default-features", "--features", world]);
    }
    cargo.prepare()?;

    let built = workspace.cargo()?.target.join(TARGET).join(profile.name());
    let module = file.with_extension("module.wasm");
    optimise(workspace, profile, &built.join("hindscope_component.wasm"), &module)?;
    workspace.run("jco").args(["new"]).arg(&module).arg("-o").arg(file).read()?;
    fs::remove_file(&module).map_err(at(&module))?;

    let printed = workspace.run("jco").arg("wit").arg(file).read()?;
    let imports = imports(&printed);
    if imports.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "a component must import nothing, but {} imports:\n  {}",
        shown(workspace, file),
        imports.join("\n  ")
    )))
}

/// The imports of a printed world.
fn imports(wit: &str) -> Vec<&str> {
    wit.lines().map(str::trim).filter(|line| line.starts_with("import ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_in_the_printed_world() {
        let wit = "package root:component;\n\nworld root {\n  import wasi:io/poll@0.2.0;\n\n  \
                   export hindscope:memory/api@0.1.0;\n}\n";
        assert_eq!(imports(wit), ["import wasi:io/poll@0.2.0;"]);
        assert!(imports("world root {\n  export run: func();\n}").is_empty());
    }
}
