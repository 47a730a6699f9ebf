//! Cargo reads the build dependencies of a crate only if it has a build script.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
