//! The component: one wasm that imports nothing, so it runs anywhere and can touch nothing.

use super::{Product, Profile, fresh_dir, optimise, stamp};
use crate::notices;
use crate::process::{Failure, Outcome};
use crate::workspace::Workspace;
use std::path::PathBuf;

const TARGET: &str = "wasm32-unknown-unknown";

pub(super) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let component = Product::Component.path(workspace, profile)?;
    let own = ["core/component", "wit", "xtask/src/build/component.rs", "xtask/src/notices.rs"];
    let stamp = stamp(workspace, profile, "component", &own)?;
    if stamp.is_fresh(&[&component]) {
        return Ok(component);
    }
    eprintln!("build: the component");
    workspace
        .run_cargo()
        .args(["build", "--profile", profile.name(), "--target", TARGET])
        .args(["--package", "hindscope-component"])
        .prepare()?;

    let dir = profile.target(workspace, "component");
    fresh_dir(&dir)?;
    let built = workspace.cargo()?.target.join(TARGET).join(profile.name());
    let module = built.join("hindscope_component.wasm");
    let small = dir.join("module.wasm");
    optimise(workspace, profile, &module, &small)?;
    workspace.run("jco").args(["new"]).arg(&small).arg("-o").arg(&component).read()?;

    let world = workspace.run("jco").arg("wit").arg(&component).read()?;
    let imports = imports(&world);
    if !imports.is_empty() {
        return Err(Failure::new(format!(
            "the component must import nothing, but imports:\n  {}",
            imports.join("\n  ")
        )));
    }
    notices::write(workspace, &["hindscope-component"], &[], &dir)?;
    stamp.keep()?;
    Ok(component)
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
